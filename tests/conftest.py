"""Marks the tests of slow_tests.txt as slow, so that `make test` leaves them out and `make test-all` runs them."""

from __future__ import annotations

import gc
from collections.abc import Generator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

SLOW = Path(__file__).with_name("slow_tests.txt").read_text(encoding="utf-8").splitlines()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects no garbage while tests are collected, nor later what was made then: modules and tests live to the end.

    Looking through them again and again took a quarter of the time of the collection.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    exact = {line for line in SLOW if "*" not in line}
    patterns = [line.replace("[", "[[]") for line in SLOW if "*" in line]
    for item in items:
        function = item.nodeid.partition("[")[0]
        if item.nodeid in exact or function in exact or any(fnmatchcase(item.nodeid, pattern) for pattern in patterns):
            item.add_marker(pytest.mark.slow)
