"""What a change at a desk rests on: the lines and records that must have been heard and read before it is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.records import Eyes, Read

Decide = Callable[[Any, int, Eyes], Sequence[Tool]]


def _calls(state: Any) -> Sequence[str]:
    calls: Sequence[str] = state.calls
    return calls


def needs_of(
    tools: ToolCalls, decide: Decide, looks: tuple[type[Read], ...], *, field: str = "call", cases: Callable[[Any], Sequence[str]] = _calls
) -> Callable[[Any, Tool], Sequence[str]]:
    """The `needs` of a service: the codes of all records on which the right end of the case of a change rests.

    decide  what is right for a case, computed through the eyes
    looks   the tools whose results must have been seen
    field   the argument of a change that names its case, which is one of `cases`
    """

    def needs(state: Any, change: Tool) -> Sequence[str]:
        case, codes = getattr(change, field, ""), cases(state)
        if case not in codes:
            return []
        eyes = Eyes(state.records, tools, None)
        decide(state, codes.index(case), eyes)
        seen = [look for key in eyes.used for look in tools.parse(key) if isinstance(look, looks)]
        return [record.code for look in seen if (record := look.found(state.records))]

    return needs
