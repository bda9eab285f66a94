"""What is wrong with a message."""

from cartagena.rules.refusals import CartagenaError


class MessageError(CartagenaError):
    """A message cannot be read; the sentence says why."""
