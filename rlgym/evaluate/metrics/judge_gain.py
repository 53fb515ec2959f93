"""The gain of choosing among samples by a judge's score, and the judge's accuracy on single responses.

"RewardBench 2: Advancing Reward Model Evaluation" and "Libra: Assessing and Improving Reward Model by Learning to Think" ask whether the accuracy of a judge
predicts what it is worth. Here both are measured on the same responses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from rlgym.core.errors import RlgymError
from rlgym.core.rng import Rng
from rlgym.evaluate.metrics.correlation import pearson, spearman

SIZES = (1, 2, 4, 8, 16, 32, 64)
"""Sizes n for which the best of n is computed, as far as there are samples."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A response: whether the verifier accepts it, and the judge's score, where 0.5 separates acceptance from refusal."""

    right: bool
    score: float


@dataclass(frozen=True)
class JudgeGain:
    """A judge on the samples of some tasks.

    accuracy    of its verdicts on single responses, right and wrong ones with half the weight each; None without both
    pairs       how often it scores a right response above a wrong one of the same task, ties half; None without such a pair
    solve_rate  the accuracy of one sample
    best_of     for each n, the expected accuracy of the best of n samples by its score, ties at random
    pass_at     for each n, that of a perfect judge
    """

    tasks: int
    responses: int
    accuracy: float | None
    pairs: float | None
    solve_rate: float
    best_of: dict[int, float]
    pass_at: dict[int, float]

    def gain(self, n: int) -> float:
        """What the best of n adds to one sample."""
        return self.best_of[n] - self.solve_rate

    def share(self, n: int) -> float | None:
        """The gain as a share of the perfect judge's; None where that gains nothing."""
        possible = self.pass_at[n] - self.solve_rate
        return self.gain(n) / possible if possible > 1e-9 else None


def judge_gain(tasks: Iterable[Sequence[Judged]]) -> JudgeGain:
    """The measures over tasks with their responses. RlgymError without a response."""
    pools = [list(pool) for pool in tasks if pool]
    if not pools:
        raise RlgymError("a judge is measured on responses, and there are none")
    fewest = min(map(len, pools))
    sizes = [n for n in SIZES if n <= fewest]
    rates = [sum(one.right for one in pool) / len(pool) for pool in pools]
    flat = [one for pool in pools for one in pool]
    hits = [[_verdict(one) for one in flat if one.right is right] for right in (True, False)]
    ordered = [_order(good.score, bad.score) for pool in pools for good in pool if good.right for bad in pool if not bad.right]
    return JudgeGain(
        tasks=len(pools),
        responses=len(flat),
        accuracy=sum(sum(part) / len(part) for part in hits) / 2 if all(hits) else None,
        pairs=sum(ordered) / len(ordered) if ordered else None,
        solve_rate=sum(rates) / len(rates),
        best_of={n: sum(best_of(pool, n) for pool in pools) / len(pools) for n in sizes},
        pass_at={n: sum(best_of([Judged(one.right, one.right) for one in pool], n) for pool in pools) / len(pools) for n in sizes},
    )


def best_of(pool: Sequence[Judged], n: int) -> float:
    """The expected accuracy of the best by score of n different responses of the pool, ties at random."""
    total, below, found = comb(len(pool), n), 0, 0.0
    for score in sorted({one.score for one in pool}):
        level = [one.right for one in pool if one.score == score]
        chance = (comb(below + len(level), n) - comb(below, n)) / total
        found += chance * sum(level) / len(level)
        below += len(level)
    return found


def simulated_score(accuracy: float, right: bool, *content: str | int) -> float:
    """The verdict, 0 or 1, of a judge with a stated accuracy. Equal content always gets the same verdict.

    With the response as content its errors are independent; with the answer alone it is fooled by all responses that give this answer.
    """
    if not 0 <= accuracy <= 1:
        raise RlgymError(f"an accuracy is from 0 to 1, got {accuracy!r}")
    return float(right == Rng("simulated judge", *content).chance(accuracy))


def correlations(found: Sequence[JudgeGain], n: int) -> dict[str, float | None]:
    """Over several judges or environments, how accuracy and ordered pairs go with the gain at n and with its share of the perfect judge's."""
    named: dict[str, float | None] = {}
    for measure in ("accuracy", "pairs"):
        for against in ("gain", "share"):
            points = [(getattr(one, measure), getattr(one, against)(n)) for one in found if n in one.best_of]
            known = [(x, y) for x, y in points if x is not None and y is not None]
            xs, ys = [x for x, _ in known], [y for _, y in known]
            named[f"{measure}, {against}"] = pearson(xs, ys)
            named[f"{measure}, {against}, ranks"] = spearman(xs, ys)
    return named


def pools(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, list[Mapping[str, Any]]]]:
    """The unmasked result rows of an evaluation by environment and task; tasks with one sample are left out."""
    found: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for row in rows:
        if not row["masked"]:
            found.setdefault(str(row["env"]), {}).setdefault(str(row["id"]), []).append(row)
    several = {name: {key: samples for key, samples in tasks.items() if len(samples) > 1} for name, tasks in found.items()}
    return {name: tasks for name, tasks in several.items() if tasks}


def _verdict(one: Judged) -> float:
    return 0.5 if one.score == 0.5 else float((one.score > 0.5) == one.right)


def _order(right: float, wrong: float) -> float:
    return 0.5 if right == wrong else float(right > wrong)
