"""How often the intervals of `rlgym eval aggregate` hold the true accuracy of a method. Prints the table of docs/evaluate_report.md.

    python benchmarks/interval_coverage.py [--simulations 400]

Simulated policies answer eight environments of ten tasks with four samples each. The logit of a sample is that of its task, plus an effect of the training
seed and one of the seed in the environment. The true accuracy is the mean over all tasks and seeds that could have been drawn.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlgym.evaluate.comparison.aggregate import aggregate

ENVIRONMENTS, TASKS, SAMPLES = 8, 10, 4
RUNS = (1, 3, 5, 10)
OF_TASKS, OF_SEEDS, OF_ENVIRONMENTS = 1.0, 0.4, 0.2
"""Standard deviations of the logits: of tasks in an environment, of training seeds, and of a seed's environments."""
EASE_E = (np.arange(ENVIRONMENTS) - (ENVIRONMENTS - 1) / 2) / 2
DRAWS = 500
INFO = {"suite": {"name": "simulated", "hash": "0"}, "label": "simulated", "finished": "now"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=400)
    simulations = parser.parse_args().simulations
    print("| training seeds | seeds differ | seeds do not differ |\n|---|---|---|")
    for count in RUNS:
        shares = [coverage(count, spread, simulations) for spread in (1.0, 0.0)]
        name = "1 (over tasks alone)" if count == 1 else count
        print(f"| {name} | {' | '.join(f'{100 * share:.0f} %' for share in shares)} |", flush=True)


def coverage(count: int, spread: float, simulations: int) -> float:
    """The share of simulations in which the interval of a method with `count` runs holds the truth; `spread` scales the effects of seeds."""
    truth, rng, held = true_accuracy(spread), np.random.default_rng(count), 0
    for _ in range(simulations):
        tasks_ET = EASE_E[:, None] + rng.normal(0, OF_TASKS, (ENVIRONMENTS, TASKS))
        mean = aggregate({"m": [simulated_run(rng, tasks_ET, spread) for _ in range(count)]}, draws=DRAWS)["methods"][0]["mean"]
        held += mean["low"] is not None and mean["low"] <= truth <= mean["high"]
    return held / simulations


def true_accuracy(spread: float) -> float:
    """The mean accuracy over tasks and seeds."""
    deviation = (OF_TASKS**2 + spread**2 * (OF_SEEDS**2 + OF_ENVIRONMENTS**2)) ** 0.5
    logits = EASE_E[:, None] + np.random.default_rng(0).normal(0, deviation, (ENVIRONMENTS, 200_000))
    return float((1 / (1 + np.exp(-logits))).mean())


def simulated_run(rng: np.random.Generator, tasks_ET: Any, spread: float) -> tuple[Sequence[dict[str, Any]], dict[str, Any]]:
    """The rows of one training seed, and its run.json as far as aggregates read it."""
    logits_ET = tasks_ET + spread * (rng.normal(0, OF_SEEDS) + rng.normal(0, OF_ENVIRONMENTS, (ENVIRONMENTS, 1)))
    right_ETS = rng.random((ENVIRONMENTS, TASKS, SAMPLES)) < (1 / (1 + np.exp(-logits_ET)))[..., None]
    fixed = {"domain": "d", "kind": "environment", "split": "main", "level": 0.0, "masked": False}
    rows = [
        fixed | {"env": f"e{env}", "id": f"e{env}-{task}", "sample": sample, "right": bool(right), "value": float(right)}
        for (env, task, sample), right in np.ndenumerate(right_ETS)
    ]
    return rows, INFO


if __name__ == "__main__":
    main()
