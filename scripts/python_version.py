"""Says so early when this Python is too old."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  this file is for the versions that are too old
    sys.exit(f"rlgym needs Python 3.11 or newer, this is {sys.version.split()[0]}; try `make PYTHON=python3.12 ...`")
