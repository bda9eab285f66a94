"""A table without a network: the requests and frames of the service, answered on this device."""

from cartagena.local.config import DeviceConfig, here
from cartagena.local.device import Device, DeviceAnswer
from cartagena.local.store import Append
from cartagena.local.streams import Listener

__all__ = ["Append", "Device", "DeviceAnswer", "DeviceConfig", "Listener", "here"]
