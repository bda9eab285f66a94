"""The process that `harness.fuzz.command` starts for a target: atheris feeds it one input after another.

Usage: python -m harness.fuzz.loop TARGET [OPTION OF LIBFUZZER ...] FOLDER...
"""

import sys

import atheris

# Only what is imported in here counts which of its branches an input takes.
with atheris.instrument_imports(include=["cartagena"]):
    from harness.fuzz.targets import TARGETS

if __name__ == "__main__":
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]])
    atheris.Fuzz()
