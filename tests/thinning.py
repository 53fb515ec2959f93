"""Cases of a test that is the same for many environments: `make test` runs some of them, `make test-slow` the others."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def thinned(names: Iterable[str], step: int = 4) -> list[object]:
    """The names as cases of a parametrized test; all but every `step`-th one are slow."""
    return [pytest.param(name, marks=() if place % step == 0 else pytest.mark.slow) for place, name in enumerate(names)]
