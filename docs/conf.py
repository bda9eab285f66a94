"""How the pages under docs/ become a site: `make docs`. They stay readable where they are, without it."""

import sys
from pathlib import Path
from typing import Generic, TypeVar

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import mypy_extensions  # noqa: E402 - before the package that takes its numbers from there

# What the compiled engine keeps in 64 bits is an int to everybody who calls it.
vars(mypy_extensions)["i64"] = int

import numpy.typing as npt  # noqa: E402 - likewise

_Number = TypeVar("_Number")


class NDArray(Generic[_Number]):
    """The arrays of NumPy, by the name that the sources give them and not by what it stands for."""


class ArrayLike:
    """Whatever NumPy makes an array of, likewise."""


for named in (NDArray, ArrayLike):
    named.__module__ = "numpy.typing"
    vars(npt)[named.__name__] = named

import cartagena  # noqa: E402 - found in the checkout only now

project = "Cartagena"
author = "The Cartagena contributors"
copyright = "2026, The Cartagena contributors"  # noqa: A001  # Sphinx's name for it
version = release = cartagena.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "scripts.docs_site",
]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = f"Cartagena {version}"
html_static_path = ["_static"]
html_css_files = ["cartagena.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"

# What is copied can be typed: neither prompts nor answers.
copybutton_exclude = ".linenos, .gp, .go"

myst_heading_anchors = 4

autodoc_member_order = "bysource"
# A default reads as it is written, not as the long text of its value.
autodoc_preserve_defaults = True
# Docstrings quote code as Markdown does.
default_role = "code"
