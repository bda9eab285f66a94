"""Examples in the README and under docs/ are tests: pytest runs Python and what is typed in a terminal."""

from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from tools import console_examples

pytest_plugins = ["tools.durations"]

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("console", console_examples.type_in)],
    patterns=["*.md"],
    setup=console_examples.enter,
    teardown=console_examples.leave,
).pytest()
