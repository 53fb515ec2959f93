"""Combiners: rewards that are made from other rewards. Each states its bounds, worked out from theirs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlgym.core.errors import KnobError
from rlgym.rewards.combined.reward import Bounds, CombinedReward, Group
from rlgym.rewards.combined.terms import check_range, check_weights

Build = Callable[[Any], CombinedReward]

ROUNDING = 1e-9
"""How far bounds may lie beyond 1 by rounding: the weights of a sum need not add up to exactly 1."""


def weighted(build: Build, terms: Sequence[Mapping[str, Any]]) -> CombinedReward:
    """sum w_k r_k / sum w_k, of terms such as {"weight": 0.8, "reward": "right"}."""
    rewards = [build(_keys(term, "weight", "reward")["reward"]) for term in terms]
    weights = [term["weight"] for term in terms]
    check_weights(weights)
    return _affine(rewards, [weight / sum(weights) for weight in weights])


def product(build: Build, terms: Sequence[Any]) -> CombinedReward:
    """The product of rewards from 0: a term of 0 leaves nothing."""
    rewards = _several(build, terms)
    if min(reward.bounds.low for reward in rewards) < 0:
        raise KnobError("a product takes only rewards that are never negative")
    return _monotone(rewards, math.prod)


def minimum(build: Build, terms: Sequence[Any]) -> CombinedReward:
    """The lowest of several rewards: all must be high."""
    return _monotone(_several(build, terms), min)


def nominal_and_worst(build: Build, nominal: Any, others: Sequence[Any], nominal_weight: float = 0.5) -> CombinedReward:
    """w nominal + (1 - w) min(nominal, others): robust where one of several verifiers errs. From "Reward-Robust RLHF in LLMs"."""
    check_range("nominal_weight", nominal_weight, 0, 1)
    rewards = [build(nominal), *_several(build, others)]
    return _monotone(rewards, lambda values: nominal_weight * values[0] + (1 - nominal_weight) * min(values))


def gated(build: Build, gate: Any, reward: Any, threshold: float = 1.0, otherwise: float = 0.0) -> CombinedReward:
    """`reward` where the gate is at least `threshold`, and `otherwise` elsewhere."""
    check_range("threshold", threshold, -1e9, 1e9)
    check_range("otherwise", otherwise, -1e9, 1e9)
    opening, behind = build(gate), build(reward)

    def bounds(opened: Bounds, paid: Bounds) -> Bounds:
        values = [*(paid if opened.high >= threshold else ()), *([otherwise] if opened.low < threshold else ())]
        return Bounds(min(values), max(values))

    return CombinedReward(
        lambda group, place: behind(group, place) if opening(group, place) >= threshold else otherwise,
        bounds(opening.right, behind.right),
        bounds(opening.wrong, behind.wrong),
    )


def lexicographic(build: Build, terms: Sequence[Any], levels: int = 10) -> CombinedReward:
    """The first term decides, the next ones only among equals: sum d_k (levels + 1)^-k, scaled to at most 1.

    d_k = round(levels r_k) is the level of the term, so terms that differ by less than half of 1 / levels may be equal. Terms lie in [0, 1].
    """
    check_range("levels", levels, 1, 1000)
    rewards = _several(build, terms)
    if len(rewards) > 4 or any(reward.bounds.low < 0 or reward.bounds.high > 1 for reward in rewards):
        raise KnobError("lexicographic takes one to four terms from 0 to 1")
    scale = math.fsum(levels * (levels + 1.0) ** -k for k in range(len(rewards)))
    return _monotone(
        rewards, lambda values: math.fsum(round(levels * value) * (levels + 1.0) ** -k for k, value in enumerate(values)) / scale
    )


def penalised(build: Build, reward: Any, faults: Sequence[Mapping[str, Any]]) -> CombinedReward:
    """progress * prod (1 - f_k) ^ fault_k, faults such as {"fault": {"part": {"name": "late"}}, "penalty": 0.3}; a penalty of 1 leaves nothing.

    From "CaRL: Learning Scalable Planning Policies with Simple Rewards": one term that grows, and faults that multiply it.
    """
    progress = build(reward)
    if progress.bounds.low < 0:
        raise KnobError("the progress must not be negative")
    found, factors = list[CombinedReward](), list[float]()
    for fault in faults:
        term = build(_keys(fault, "fault", "penalty")["fault"])
        check_range("penalty", fault["penalty"], 0, 1)
        if term.bounds.low < 0:
            raise KnobError("a fault must not be negative")
        found.append(term)
        factors.append(1.0 - fault["penalty"])

    def left(values: Sequence[float]) -> float:
        return math.prod(math.pow(factor, value) for factor, value in zip(factors, values, strict=True))

    return CombinedReward(
        lambda group, place: progress(group, place) * left([fault(group, place) for fault in found]),
        Bounds(
            progress.right.low * left([fault.right.high for fault in found]),
            progress.right.high * left([fault.right.low for fault in found]),
        ),
        Bounds(
            progress.wrong.low * left([fault.wrong.high for fault in found]),
            progress.wrong.high * left([fault.wrong.low for fault in found]),
        ),
    )


def concise(build: Build, conciseness: Any, alpha: float = 0.5, anneal_steps: int = 0) -> CombinedReward:
    """right (1 + alpha c (s + d)) / (1 + 2 alpha): conciseness c multiplies the outcome, so that it never pays for a wrong answer.

    d is the group's solve rate, and s falls linearly from 1 to 0 in `anneal_steps` (0: s stays 1). From "Efficient Reasoning via Reward Model".
    """
    check_range("alpha", alpha, 0, 10)
    check_range("anneal_steps", anneal_steps, 0, 10**9)
    term = build(conciseness)
    if term.bounds.low < 0 or term.bounds.high > 1 + ROUNDING:
        raise KnobError("the conciseness must lie between 0 and 1")

    def compute(group: Group, place: int) -> float:
        if not group.responses[place].right:
            return 0.0
        annealed = max(0.0, 1 - group.step / anneal_steps) if anneal_steps else 1.0
        return (1 + alpha * term(group, place) * (annealed + group.solve_rate)) / (1 + 2 * alpha)

    return CombinedReward(compute, Bounds(1 / (1 + 2 * alpha), 1.0), Bounds(0.0, 0.0))


def relative(build: Build, reward: Any, temperature: float = 1.0) -> CombinedReward:
    """The mean over the others of the group of sigmoid((r - r_other) / temperature); 1/2 for a group of one.

    From "Reward Shaping to Mitigate Reward Hacking in RLHF" (PAR). Bounded, centred at 1/2 in every group, and in the order of `reward`.
    """
    check_range("temperature", temperature, 1e-6, 1e6)
    inner = build(reward)

    def compute(group: Group, place: int) -> float:
        own = inner(group, place)
        wins = [_sigmoid((own - inner(group, other)) / temperature) for other in range(len(group.responses)) if other != place]
        return sum(wins) / len(wins) if wins else 0.5

    return CombinedReward(compute, ordered=inner.never_outranked)


def standardised(build: Build, terms: Sequence[Mapping[str, Any]], clip: float = 3.0) -> CombinedReward:
    """sum w_k clip((r_k - mean_k) / std_k) / sum w_k, w_k = weakness_k risk_k (1 - redundancy_k), with the statistics of a reference policy.

    A term is {"reward": ..., "mean": ..., "std": ..., "weakness": 1, "risk": 1, "redundancy": 0}; `mean` and `std` are measured once on responses
    of the frozen reference policy. From "Quark Medical Alignment: A Holistic Multi-Dimensional Alignment and Collaborative Optimization Paradigm".
    """
    check_range("clip", clip, 0.01, 100)
    weights, scaled = list[float](), list[CombinedReward]()
    for term in terms:
        _keys(term, "reward", "mean", "std", optional=("weakness", "risk", "redundancy"))
        check_range("std", term["std"], 1e-9, math.inf)
        check_range("mean", term["mean"], -1e9, 1e9)
        for factor in ("weakness", "risk", "redundancy"):
            check_range(factor, term.get(factor, 0), 0, 1)
        weights.append(term.get("weakness", 1) * term.get("risk", 1) * (1 - term.get("redundancy", 0)))
        scaled.append(_standardise(build(term["reward"]), term["mean"], term["std"], clip))
    check_weights(weights)
    return _affine(scaled, [weight / sum(weights) for weight in weights])


def _standardise(reward: CombinedReward, mean: float, std: float, clip: float) -> CombinedReward:
    return _monotone([reward], lambda values: min(clip, max(-clip, (values[0] - mean) / std)))


def _affine(rewards: Sequence[CombinedReward], weights: Sequence[float]) -> CombinedReward:
    return _monotone(rewards, lambda values: math.fsum(weight * value for weight, value in zip(weights, values, strict=True)))


def _monotone(rewards: Sequence[CombinedReward], combine: Callable[[Sequence[float]], float]) -> CombinedReward:
    """A combination that grows with each of the rewards: its bounds are those of the lowest and of the highest values."""
    right = Bounds(combine([reward.right.low for reward in rewards]), combine([reward.right.high for reward in rewards]))
    wrong = Bounds(combine([reward.wrong.low for reward in rewards]), combine([reward.wrong.high for reward in rewards]))
    ordered = all(reward.never_outranked for reward in rewards)
    return CombinedReward(lambda group, place: combine([reward(group, place) for reward in rewards]), right, wrong, ordered)


def _several(build: Build, terms: Sequence[Any]) -> list[CombinedReward]:
    if isinstance(terms, str | Mapping) or not terms:
        raise KnobError(f"expected a list of one or more rewards, got {terms!r}")
    return [build(term) for term in terms]


def _keys(term: Any, *required: str, optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """The term, checked: a mapping with all required keys and no unknown ones."""
    if not isinstance(term, Mapping) or not set(required) <= term.keys() <= {*required, *optional}:
        raise KnobError(f"expected a mapping with the keys {', '.join((*required, *optional))}, got {term!r}")
    return term


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
