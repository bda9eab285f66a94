"""The built pages of Cartagena for browsers, with Python for browsers: files, and no program."""

from pathlib import Path
from typing import Final

__version__ = "0.1.0"

FILES: Final = Path(__file__).parent / "files"
"""As they are sent, each beside its packed forms; missing where nothing was built."""
