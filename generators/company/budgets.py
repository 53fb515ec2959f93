"""What work in a company's systems takes, and whether its budgets of calls and tokens are used up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rlgym.answers import Tool
from rlgym.generators.company.eyes import is_outdated
from rlgym.generators.company.operations import Write
from rlgym.generators.company.state import Work
from rlgym.generators.company.world import Desk, patch_tables


def is_used_up(state: Work) -> bool:
    return state.calls >= state.budget or 0 < state.token_budget <= state.tokens


def text_of(result: Any) -> str:
    """The result of a call as the model reads it."""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def tokens_of(text: str) -> int:
    """Four characters count as one token, as in English text they do for most tokenizers."""
    return -(-len(text) // 4)


def after_arrivals(state: Work) -> Work:
    """The state once others have written all that they write."""
    base = state.base
    for arrival in state.arrivals:
        base = patch_tables(base, arrival.rows)
    return state.model_copy(update={"base": base})


def calls_needed(tools: Sequence[type[Tool]], state: Work, deeds: Sequence[Write], looks: Sequence[str]) -> int:
    """The calls of the oracle, with those that it has to make again after arrivals."""
    outdated = [sum(is_outdated(tools, key, one.system, one.record) for key in looks) for one in state.arrivals]
    again = sum(min(count, one.after) for count, one in zip(outdated, state.arrivals))
    return len(looks) + len(deeds) + again


def tokens_needed(tools: Sequence[type[Tool]], state: Work, deeds: Sequence[Write], results: Mapping[str, Any]) -> int:
    """The tokens of the results that the oracle reads, with those that it has to read again after arrivals.

    state    once others have written all that they write
    results  of the look-ups, by their keys
    """
    read = {key: tokens_of(text_of(result)) for key, result in results.items()}
    again = sum(tokens for key, tokens in read.items() for one in state.arrivals if is_outdated(tools, key, one.system, one.record))
    desk = Desk(state.base, {}, state.actor, state.today, state.rights)
    return sum(read.values()) + again + sum(tokens_of(text_of(deed.perform(desk))) for deed in deeds)
