"""The process that `tools.fuzz` starts for a target: atheris changes inputs and feeds them to the target.

Usage: python -m tools.fuzz_loop TARGET [OPTION OF LIBFUZZER ...] FOLDER...
"""

import sys

import atheris

# Only what is imported in here counts which of its branches an input takes.
with atheris.instrument_imports(include=["cartagena"]):
    from tools.fuzz_targets import TARGETS

if __name__ == "__main__":
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]])
    atheris.Fuzz()
