"""An environment whose verifier breaks: what is not the model's fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import rlgym


@contextmanager
def broken_verifier(name: str) -> Iterator[None]:
    """Within it the verifier of the environment `name` (of a game: its `act`) raises."""
    declared = rlgym.environment(name)
    field = "verify" if isinstance(declared, rlgym.Environment) else "act"
    sound = getattr(declared, field)

    def raises(*given: Any) -> None:
        raise ZeroDivisionError("planted")

    object.__setattr__(declared, field, raises)
    try:
        yield
    finally:
        object.__setattr__(declared, field, sound)
