"""What every run of pytest has: its plugins, and the examples in the README and under docs/ as tests."""

from hypothesis import settings
from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from scripts import console_examples

pytest_plugins = ["tests.retries", "tests.template", "scripts.durations"]

# How long an example takes says more about how busy the machine is than about us.
settings.register_profile("cartagena", deadline=None)
# Which lines were run must not be a matter of luck.
settings.register_profile("counted", deadline=None, derandomize=True)
# Where Python is slow.
settings.register_profile("brief", deadline=None, derandomize=True, max_examples=10)
settings.load_profile("cartagena")

# Python is run, and what is typed in a terminal.
pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("console", console_examples.type_in)],
    patterns=["*.md"],
    setup=console_examples.enter,
    teardown=console_examples.leave,
).pytest()
