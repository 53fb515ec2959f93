"""What a run will take at most, told before it begins."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rlgym import RlgymError
from rlgym.dataset import Session
from rlgym.evaluate.episode import Asking

CHARACTERS = 3
"""Characters of a prompt to a token, at the least: most tokenizers make fewer tokens of English, and about as many of numbers."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The most that a run takes. `cost` is None without prices, or where answers may be of any length."""

    tasks: int
    episodes: int
    requests: int
    prompt_tokens: int
    completion_tokens: int | None
    cost: float | None


def estimate(rows: Iterable[Mapping[str, Any]], asking: Asking) -> Estimate:
    """What a run over rows will take at most, if no request has to be sent twice."""
    samples, tasks, requests, read, said = asking.sampling.samples, 0, 0, 0, 0
    for row in rows:
        turns, prompt, completion = _most(row, asking)
        tasks, requests, read, said = tasks + 1, requests + turns, read + prompt, said + completion
    known = asking.sampling.max_tokens is not None
    spent = asking.prices.cost(read * samples, said * samples) if known else None
    return Estimate(tasks, tasks * samples, requests * samples, read * samples, said * samples if known else None, spent)


def most_cost(row: Mapping[str, Any], asking: Asking) -> float:
    """The most that one episode may cost; without a limit on answers, what its prompts cost."""
    _, prompt, completion = _most(row, asking)
    return asking.prices.cost(prompt, completion) or 0.0


def _most(row: Mapping[str, Any], asking: Asking) -> tuple[int, int, int]:
    """The turns of an episode, and the tokens read and said in all of them together, each turn being as long as it may."""
    try:
        session, sampling = Session(row), asking.sampling
    except RlgymError:  # it cannot be played here, so that nothing is asked
        return 0, 0, 0
    turns, answer = session.turns, sampling.max_tokens or 0
    tools = json.dumps(session.tools) if asking.native and session.tools else ""
    first = (len(session.observation) + len(sampling.system or "") + len(tools)) // CHARACTERS + 20
    # What the environment says in later turns is taken to be as long as the task itself.
    later = answer + len(session.observation) // CHARACTERS + 10
    return turns, turns * first + later * (turns * (turns - 1) // 2), turns * answer
