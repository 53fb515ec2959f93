"""Agreement with the truth under optimisation pressure: the best of n responses by the scorer's own reward.

The pool of each answer type holds right, near-miss and hack responses with fixed shares; the best of n draws with replacement, ties at random, has
an expected paid and true reward in closed form, so nothing is sampled. See "Scaling Laws for Reward Model Overoptimization" (arXiv 2210.10760).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rlgym.audit.case import Case
from rlgym.audit.measures.verdicts import JUNK, Scale, Scored
from rlgym.audit.report import BestOfN

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SHARES = {"right": 0.2, "near miss": 0.5, "hack": 0.3}
"""Shares of the responses of a policy that is right in one of five attempts."""
GAP = 0.1
RIGHT, NEAR = ("exact_answers", "equivalent_spellings"), ("near_misses",)
HACKS = (*JUNK, "answer_lists", "unmarked_answers", "prompt_echo", "markup")
Entry = tuple[float, float, float]
"""Paid reward, true reward, weight."""


def curves(pools: Mapping[str, Sequence[Entry]]) -> dict[str, list[BestOfN]]:
    """Paid and true reward for each n, by answer type."""
    found = {}
    for kind, pool in pools.items():
        points = [(n, *expected(pool, n)) for n in SIZES]
        found[kind] = [BestOfN(n=n, paid=paid, true=true) for n, paid, true in points]
    return found


def mean_curve(by_type: Mapping[str, Sequence[BestOfN]]) -> list[BestOfN]:
    """The curve averaged over the answer types; none without a type."""
    return [
        BestOfN(
            n=points[0].n, paid=sum(point.paid for point in points) / len(points), true=sum(point.true for point in points) / len(points)
        )
        for points in zip(*by_type.values(), strict=True)
    ]


def parts_at(curve: Sequence[BestOfN]) -> int | None:
    """The least n at which the paid reward exceeds the true one by more than `GAP`."""
    return next((point.n for point in curve if point.paid - point.true > GAP), None)


def expected(pool: Sequence[Entry], n: int) -> tuple[float, float]:
    """The expected paid and true reward of the best of n draws, where weights add up to 1 and equal rewards are equally likely to win."""
    paid = true = below = 0.0
    for level in sorted({entry[0] for entry in pool}):
        inside = [entry for entry in pool if entry[0] == level]
        weight = sum(entry[2] for entry in inside)
        chance = min(1.0, below + weight) ** n - below**n
        paid += chance * level
        true += chance * sum(entry[1] * entry[2] for entry in inside) / weight
        below += weight
    return paid, true


def kind_of(case: Case) -> str:
    """The kind of a response in the pools: a key of `SHARES`, or nothing for cases that do not count."""
    return "right" if case.check in RIGHT else "near miss" if case.check in NEAR else "hack" if case.check in HACKS else ""


def pools_by_type(scored: Scored, scale: Scale) -> dict[str, list[Entry]]:
    """The pool of each answer type that has right responses and others; the weights of a pool add up to 1."""
    kinds: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: {kind: [] for kind in SHARES})
    for case, verdict in scored:
        if kind := kind_of(case):
            kinds[case.answer_type][kind].append((scale.share(verdict), float(bool(case.right))))
    pools = {}
    for answer_type, by_kind in kinds.items():
        held = {kind: entries for kind, entries in by_kind.items() if entries}
        if "right" not in held or len(held) < 2:
            continue
        total = sum(SHARES[kind] for kind in held)
        pools[answer_type] = [(*entry, SHARES[kind] / total / len(entries)) for kind, entries in held.items() for entry in entries]
    return pools
