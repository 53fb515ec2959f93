"""What every command that trains does first."""

from __future__ import annotations

import os
from importlib.util import find_spec

from rlgym.core.errors import PackageMissing


def prepare() -> None:
    """Check that training can run. Comes before torch is imported."""
    # Spinning threads are slower than a single one on a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise PackageMissing(f"training needs {package}: install it with `pip install 'rlvrgym[train]'`")
