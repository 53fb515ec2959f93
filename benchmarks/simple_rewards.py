"""A product of progress and penalties against a sum of shaped terms, as the batch grows, on a tabular drive. Writes docs/simple-rewards.json and the
table in docs/rewards.md.

    python benchmarks/simple_rewards.py

After "CaRL: Learning Scalable Planning Policies with Simple Rewards". A car has 30 steps for a road of 12 cells with a traffic light at every cell. It
waits, drives one cell or rushes two. A red light that is ignored and a rush are soft faults; both may end in a collision, a hard fault, which ends the
drive. A softmax policy over cell and light is trained by REINFORCE. All are measured by the same score: the share of the road times 0.7 for each red
light that was ignored and 0.9 for each rush.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs" / "simple-rewards.json"
PAGE = ROOT / "docs" / "rewards.md"
BEGIN, END = "<!-- simple rewards -->", "<!-- end -->"
CELLS, STEPS, ACTIONS = 12, 30, 3
WAIT, DRIVE, RUSH = range(ACTIONS)
RED, RED_FACTOR, RUSH_FACTOR = 0.5, 0.7, 0.9
RED_COLLISION, RUSH_COLLISION = 0.2, 0.1
UPDATES, LR, SEEDS = 400, 4.0, 5
BATCHES = (8, 32, 128, 512)
SUM = {"progress": 1.0, "red": -0.3, "rush": -0.1, "collision": -1.0, "waiting": -0.01}
"""Weights of the shaped sum, of the sizes that common driving rewards have: a step of the road, faults, and a small cost of time."""
Array = np.ndarray[Any, Any]


class Drive(NamedTuple):
    """What happened in every step of a batch of drives, over [B, STEPS]; nothing happens after the end."""

    cell: Array
    red_light: Array
    action: Array
    moved: Array
    ignored: Array
    rushed: Array
    collision: Array
    running: Array


def simulate(policy: Array, batch: int, rng: np.random.Generator) -> Drive:
    """Drives of a policy, probabilities over [CELLS, 2, ACTIONS]."""
    cell: Array = np.zeros(batch, int)
    running: Array = np.ones(batch, bool)
    log: list[tuple[Array, ...]] = []
    for _ in range(STEPS):
        red = rng.random(batch) < RED
        chances = policy[cell.clip(max=CELLS - 1), red.astype(int)]
        action = np.minimum((chances.cumsum(1) < rng.random(batch)[:, None]).sum(1), ACTIONS - 1)
        ignored = running & red & (action != WAIT)
        rushed = running & (action == RUSH)
        crash = 1 - (1 - RED_COLLISION * ignored) * (1 - RUSH_COLLISION * rushed)
        collision = running & (rng.random(batch) < crash)
        moved = np.where(running & ~collision, np.minimum(action, CELLS - cell), 0)
        log.append((cell.clip(max=CELLS - 1), red, action, moved, ignored, rushed, collision, running))
        cell = cell + moved
        running = running & ~collision & (cell < CELLS)
    return Drive(*(np.stack(column, axis=1) for column in zip(*log, strict=True)))


def product_reward(drive: Drive) -> Array:
    """Each step pays its progress, times the factors of all soft faults so far; a collision pays nothing, and ends the drive."""
    factors = (RED_FACTOR**drive.ignored * RUSH_FACTOR**drive.rushed).cumprod(1)
    paid: Array = drive.moved / CELLS * factors
    return paid


def summed_reward(drive: Drive, penalties: float = 1.0) -> Array:
    """Each step pays the weighted sum of its terms, with penalties that many times as large."""
    waited = drive.running & (drive.action == WAIT)
    terms = {"progress": drive.moved / CELLS, "red": drive.ignored, "rush": drive.rushed, "collision": drive.collision, "waiting": waited}
    weights = {name: weight * (penalties if weight < 0 else 1.0) for name, weight in SUM.items()}
    paid: Array = np.sum([weights[name] * value for name, value in terms.items()], axis=0)
    return paid


REWARDS: dict[str, Callable[[Drive], Array]] = {
    "progress times penalties": product_reward,
    "shaped sum": summed_reward,
    "shaped sum, penalties five times as large": partial(summed_reward, penalties=5.0),
    "shaped sum, penalties a fifth as large": partial(summed_reward, penalties=0.2),
}


def score(drive: Drive) -> float:
    """The mean share of the road, times the factors of the drive's faults."""
    road = drive.moved.sum(1) / CELLS
    return float((road * RED_FACTOR ** drive.ignored.sum(1) * RUSH_FACTOR ** drive.rushed.sum(1)).mean())


def softmax(logits: Array) -> Array:
    """Probabilities over the actions."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    probabilities: Array = powers / powers.sum(-1, keepdims=True)
    return probabilities


def trained(reward: str, batch: int, seed: int) -> dict[str, float]:
    """Train from a uniform policy with one reward and one size of batch; the score before and after, and how the last drives ended."""
    rng = np.random.default_rng([seed, batch])
    logits = np.zeros((CELLS, 2, ACTIONS))
    before = score(simulate(softmax(logits), 2000, np.random.default_rng(seed)))
    for _ in range(UPDATES):
        policy = softmax(logits)
        drive = simulate(policy, batch, rng)
        to_go = REWARDS[reward](drive)[:, ::-1].cumsum(1)[:, ::-1]
        counted = drive.running.sum(0).clip(min=1)
        baseline = (to_go * drive.running).sum(0) / counted
        weight = ((to_go - baseline) * drive.running)[..., None]
        light: Array = drive.red_light.astype(int)
        step = np.zeros_like(logits)
        np.add.at(step, (drive.cell, light), weight * (np.eye(ACTIONS)[drive.action] - policy[drive.cell, light]))
        logits += LR * step / batch
    last = simulate(softmax(logits), 2000, np.random.default_rng(seed + 1000))
    road, collided = last.moved.sum(1) / CELLS, last.collision.any(1)
    return {"before": before, "after": score(last), "road": float(road.mean()), "collisions": float(collided.mean())}


def measured() -> dict[str, Any]:
    """Every reward with every size of batch: the values of all seeds."""
    return {name: {str(batch): [trained(name, batch, seed) for seed in range(SEEDS)] for batch in BATCHES} for name in REWARDS}


def table(results: dict[str, Any]) -> str:
    """A Markdown table of the score after training, with the standard deviation over seeds, and of road and collisions at the largest batch."""
    lines = [
        "| reward | " + " | ".join(f"batch {batch}" for batch in BATCHES) + " | road | collisions |",
        "|---|" + "---|" * (len(BATCHES) + 2),
    ]
    for name in REWARDS:
        cells = []
        for batch in BATCHES:
            values = [run["after"] for run in results[name][str(batch)]]
            cells.append(f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}")
        ends = [f"{np.mean([run[key] for run in results[name][str(BATCHES[-1])]]):.3f}" for key in ("road", "collisions")]
        lines.append(f"| {name} | {' | '.join([*cells, *ends])} |")
    return "\n".join(lines)


def with_table(text: str, results: dict[str, Any]) -> str:
    """The page with the table of the results between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table(results)}\n\n{END}{after}"


if __name__ == "__main__":
    found = measured()
    KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(text, found), encoding="utf-8")
    print(table(found))
