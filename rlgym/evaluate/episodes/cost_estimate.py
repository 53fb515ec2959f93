"""An upper bound on the requests, tokens and cost of a run, computed before it starts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rlgym import RlgymError
from rlgym.dataset import Session
from rlgym.evaluate.episodes.episode import EpisodeConfig

CHARACTERS_PER_TOKEN = 3
"""A low value: most tokenizers need fewer tokens for English text, and about this many for numbers."""


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Upper bounds for a run. `cost` is None without prices or without a limit on completion tokens."""

    tasks: int
    episodes: int
    requests: int
    prompt_tokens: int
    completion_tokens: int | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class EpisodeBound:
    """Upper bounds for one episode over all its turns."""

    turns: int
    prompt_tokens: int
    completion_tokens: int


def estimate_cost(rows: Iterable[Mapping[str, Any]], config: EpisodeConfig) -> CostEstimate:
    """Upper bounds for a run over `rows`, provided that no request is repeated."""
    samples = config.sampling.samples
    bounds = [_episode_bound(row, config) for row in rows]
    requests = samples * sum(bound.turns for bound in bounds)
    prompt = samples * sum(bound.prompt_tokens for bound in bounds)
    completion = samples * sum(bound.completion_tokens for bound in bounds) if config.sampling.max_tokens is not None else None
    return CostEstimate(len(bounds), len(bounds) * samples, requests, prompt, completion, config.prices.cost(prompt, completion))


def max_episode_cost(row: Mapping[str, Any], config: EpisodeConfig) -> float:
    """The maximum cost of one episode; without a limit on completion tokens, the cost of its prompts."""
    bound = _episode_bound(row, config)
    return config.prices.cost(bound.prompt_tokens, bound.completion_tokens) or 0.0


def _episode_bound(row: Mapping[str, Any], config: EpisodeConfig) -> EpisodeBound:
    try:
        session, sampling = Session(row), config.sampling
    except RlgymError:  # the task cannot run here, so no request is sent
        return EpisodeBound(0, 0, 0)
    turns, answer = session.max_turns, sampling.max_tokens or 0
    tools = json.dumps(session.tools) if config.native_tools and session.tools else ""
    first_prompt = (len(session.observation) + len(sampling.system or "") + len(tools)) // CHARACTERS_PER_TOKEN + 20
    # The environment's messages in later turns are taken to be as long as the task itself.
    growth = answer + len(session.observation) // CHARACTERS_PER_TOKEN + 10
    return EpisodeBound(turns, turns * first_prompt + growth * (turns * (turns - 1) // 2), turns * answer)
