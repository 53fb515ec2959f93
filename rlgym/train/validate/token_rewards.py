"""Refuses token rewards that an environment cannot give, and algorithms on token rewards that are not there."""

from __future__ import annotations

from typing import Any

import rlgym
from rlgym.core.declare import Environment
from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.registry import ADVANTAGES, FILTERS, GROUP_REWARDS, REWARDS, Algorithm

FIELD = "algorithm.token_rewards"
AFTER_SCORING = ("prefix_values", "solution_gain", "critiques")
"""Sources that ask the rollout engine about responses that are scored already."""


def check_token_rewards(config: Config) -> None:
    """Raise TrainError where an algorithm needs token rewards, or an environment has none of the configured source."""
    algorithm, token_rewards = config.algorithm, config.algorithm.token_rewards
    used: list[tuple[str, Algorithm[Any, Any]]] = [("algorithm.advantage", ADVANTAGES[algorithm.advantage])]
    used += [("algorithm.filters", FILTERS[name]) for name in algorithm.filters]
    used += [("algorithm.reward_shaping", REWARDS[name]) for name in algorithm.reward_shaping]
    used += [("algorithm.group_rewards", GROUP_REWARDS[name]) for name in algorithm.group_rewards]
    for field, chosen in used:
        if chosen.token_rewards and token_rewards is None:
            raise TrainError(f"{field} {chosen.name!r} needs token rewards: set {FIELD}.source, e.g. to 'steps'")
    if token_rewards is None:
        return
    if algorithm.advantage == "verpo" and token_rewards.source != "parts":
        raise TrainError(f"the advantage 'verpo' needs the passed tests: set {FIELD}.source='parts'")
    if algorithm.advantage == "rlvmr" and token_rewards.turn_reward != "tags":
        raise TrainError(f"the advantage 'rlvmr' needs tagged turns: set {FIELD}.source='turns' and {FIELD}.turn_reward='tags'")
    if "cot_must_help" in algorithm.filters and (token_rewards.source != "prefix_values" or not token_rewards.force_answer):
        raise TrainError(
            f"the filter 'cot_must_help' needs answers without reasoning: set {FIELD}.source='prefix_values' with force_answer"
        )
    if (token_rewards.turn_reward == "machine") != (token_rewards.machine is not None):
        raise TrainError(f"{FIELD}.turn_reward='machine' and {FIELD}.machine belong together: set both, or none")
    if token_rewards.turn_reward == "captions" and (token_rewards.source != "turns" or token_rewards.model is None):
        raise TrainError(
            f"{FIELD}.turn_reward='captions' needs {FIELD}.source='turns' and a judge: set {FIELD}.model to a name in second_models"
        )
    if token_rewards.source == "outcome":
        return
    for advantage, needed in (("spae", "potential"), ("budget_relative", "value")):
        if algorithm.advantage == advantage and (token_rewards.source, token_rewards.measure) != ("prefix_values", needed):
            raise TrainError(
                f"the advantage {advantage!r} needs values of prefixes: set {FIELD}.source='prefix_values', {FIELD}.measure={needed!r}"
            )
    if token_rewards.source in AFTER_SCORING:
        _check_prefix_values(config, token_rewards)
    for part in config.tasks:
        for name in part.environments():
            if problem := _problem(name, token_rewards, part.all_levels()[0], dict(part.knobs)):
                raise TrainError(
                    f"{FIELD}.source={token_rewards.source!r}: {name} {problem}; leave {name} out of tasks, or use source='outcome'"
                )


def _check_prefix_values(config: Config, token_rewards: TokenRewardConfig) -> None:
    """Continuations need answers between tags, and responses that the policy wrote without help."""
    source = token_rewards.source
    if source == "solution_gain" and config.rollout.answer_style != "tag":
        raise TrainError(f"{FIELD}.source='solution_gain' needs rollout.answer_style='tag', not {config.rollout.answer_style!r}")
    if source == "critiques" and token_rewards.model is None:
        raise TrainError(f"{FIELD}.source='critiques' needs a judge: set {FIELD}.model to a name in second_models")
    if source == "prefix_values" and token_rewards.force_answer and config.rollout.answer_style != "tag":
        raise TrainError(
            f"{FIELD}.force_answer needs rollout.answer_style='tag', not {config.rollout.answer_style!r}: set {FIELD}.force_answer=false"
        )
    for name in config.algorithm.reward_shaping:
        if REWARDS[name].token_rewards:
            raise TrainError(f"{name!r} reads the steps while a response is scored: use another {FIELD}.source than {source!r}")
    for field in ("hint_fraction", "hint_tiers", "oracle_fraction"):
        if getattr(config.algorithm, field):
            raise TrainError(f"{FIELD}.source={source!r} does not support algorithm.{field}: leave one of them out")


def _problem(name: str, token_rewards: TokenRewardConfig, level: float, knobs: dict[str, Any]) -> str:
    """Why an environment has no token rewards of a source; empty where it has."""
    declared, source, turn_reward = rlgym.environment(name), token_rewards.source, token_rewards.turn_reward
    if source == "solution_gain":
        return "" if isinstance(declared, Environment) and declared.explain is not None else "has no worked solution of a single turn"
    if source in ("prefix_values", "critiques", "claims"):
        return "" if isinstance(declared, Environment) else "has many turns"
    if source == "turns":
        if isinstance(declared, Environment):
            return "has a single turn"
        if turn_reward == "tool_calls" and declared.answer.format != "tool_calls":
            return "has no tools"
        return "has no people" if turn_reward == "emotion" and getattr(declared, "moods", None) is None else ""
    if source == "steps":
        if not isinstance(declared, Environment):
            return "has turns, and no step checker"
        return "" if declared.replay is not None else "has no step checker"
    env = rlgym.make(name, level=level, **knobs)
    env.reset(seed=0)
    info: dict[str, Any] = {}
    while "score" not in info:
        *_, info = env.step(env.oracle())
    return "" if info["score"].parts else "has no parts in its score"
