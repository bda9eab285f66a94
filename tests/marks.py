"""Marks for tests that need what not every machine has."""

import shutil

import pytest

NO_NODE = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed on this machine")
