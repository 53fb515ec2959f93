"""Stops with one line if this Python is too old. It runs on every Python, so it uses nothing new."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  this file is for the versions that are too old
    found = ".".join(map(str, sys.version_info[:3]))
    sys.exit("rlgym needs Python 3.11 or newer, and this is " + found + "; try 'make PYTHON=python3.12 ...'")
