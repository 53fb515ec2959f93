"""What a kind of constraint is."""

from collections.abc import Callable
from typing import NamedTuple

from rlgym.generators.constraints.views import View

Check = Callable[[View, int, int, tuple[str, ...]], bool]


class Kind(NamedTuple):
    """A kind of constraint. `takes` names its arguments: n for a number, m for a second one, w for words."""

    family: str
    takes: str
    check: Check
    phrases: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """The terms that the prompt has to define, see NOTES."""
    against: str = ""
    """The kinds that it is incompatible with; each pair is named on one side only."""
    single: tuple[str, ...] = ()
    """The phrases where one word is given, if they differ."""
