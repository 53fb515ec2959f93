"""What the adapters' tests have seen is written down where RLGYM_ADAPTER_RECORD names a folder; the table in the docs is made of it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path

import pytest
from adapters.agreement import cases

Record = Callable[..., None]


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Record:
    """record("trl", "trl", single="3 training steps", many="...", tools="..."): what this test has just seen working.

    Calls for one adapter add up. `package` is the distribution whose installed version is written down, with the date. `scored` is the
    number of responses that the test has scored since it began, for the rate in the table. With OLDEST=1 only the date is written: the
    tests run with the oldest supported version.
    """
    cases()  # drawing them is not the adapter's work
    begun = time.perf_counter()

    def write(adapter: str, package: str, *, scored: int = 0, **seen: str) -> None:
        folder = os.environ.get("RLGYM_ADAPTER_RECORD")
        if not folder:
            return
        assert set(seen) <= {"single", "many", "tools", "agreement", "example"}, seen
        file = Path(folder) / f"{adapter}.json"
        there = json.loads(file.read_text()) if file.exists() else {}
        if os.environ.get("OLDEST"):
            there["oldest"] = date.today().isoformat()
        else:
            there |= {"package": package, "version": version(package), "date": date.today().isoformat()} | seen
        if scored and not os.environ.get("OLDEST"):
            rates = there.setdefault("scored", {})
            rates[request.node.name] = {"rows": scored, "seconds": round(time.perf_counter() - begun, 2) + 0.01}
        file.write_text(json.dumps(there, indent=1, sort_keys=True) + "\n")

    return write
