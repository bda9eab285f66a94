"""A table without a network: the requests and frames of the service, answered on this device."""

from cartagena.local.config import DeviceConfig
from cartagena.local.device import Device, DeviceAnswer
from cartagena.local.store import Append
from cartagena.local.streams import Listener
from cartagena.tables.ports import here

__all__ = ["Append", "Device", "DeviceAnswer", "DeviceConfig", "Listener", "here"]
