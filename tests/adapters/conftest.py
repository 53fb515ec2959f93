"""What the adapters' tests have seen is written down where RLGYM_ADAPTER_RECORD names a folder; the table in the docs is made of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path

import pytest

Record = Callable[..., None]


@pytest.fixture
def record() -> Record:
    """record("trl", "trl", single="3 training steps", many="...", tools="..."): what this test has just seen working.

    Calls for one adapter add up. `package` is the distribution whose installed version is written down, with the date.
    """

    def write(adapter: str, package: str, **seen: str) -> None:
        folder = os.environ.get("RLGYM_ADAPTER_RECORD")
        if not folder:
            return
        assert set(seen) <= {"single", "many", "tools", "agreement", "example"}, seen
        file = Path(folder) / f"{adapter}.json"
        there = json.loads(file.read_text()) if file.exists() else {}
        there |= {"package": package, "version": version(package), "date": date.today().isoformat()} | seen
        file.write_text(json.dumps(there, indent=1, sort_keys=True) + "\n")

    return write
