"""Corrections of noisy rewards side by side on a tabular policy, where they can be decided. Writes docs/train/noise-on-a-table.json
and the table in docs/train/noise.md.

    python benchmarks/noise_on_a_table.py

A softmax policy over the answers of each of many prompts is trained by REINFORCE on groups of eight, with the mean of the group as the baseline: as
language models are, but with hundreds of steps in seconds. The verifier errs by chance, by prompt (half of the prompts have all errors), or by answer
(the same answer is always judged alike). Corrections know the mean rates over prompts, unless they are those of each prompt.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs" / "train" / "noise-on-a-table.json"
PAGE = ROOT / "docs" / "train" / "noise.md"
BEGIN, END = "<!-- noise on a table -->", "<!-- end -->"
PROMPTS, ANSWERS, GROUP, STEPS, LR = 200, 10, 8, 300, 0.3
FALSE_POSITIVE, FALSE_NEGATIVE = 0.3, 0.3
APPEALS, APPEAL_FRACTION = 2, 0.2
SEEDS = 5
Array = np.ndarray[Any, Any]


def noise_table(kind: str, rng: np.random.Generator) -> Array:
    """The chance of a wrong verdict for each prompt and answer; the right answer is the first."""
    rates = np.full((PROMPTS, ANSWERS), FALSE_POSITIVE)
    rates[:, 0] = FALSE_NEGATIVE
    if kind == "by prompt":
        # Half of the prompts have all of the errors.
        rates *= 2 * (rng.random((PROMPTS, 1)) < 0.5)
    if kind == "by answer":
        rates = (rng.random((PROMPTS, ANSWERS)) < rates).astype(float)
    return rates


def appealed(paid: Array, probability: Array, order: str, rng: np.random.Generator) -> Array:
    """Which rollouts of each group the exact verifier judges again."""
    key = rng.random(paid.shape)
    if order == "refused":
        key = key + paid
    if order == "surprising":
        key = np.where(paid > 0.5, probability, 1 - probability) + 1e-6 * key
    chosen: Array = np.zeros(paid.shape, bool)
    np.put_along_axis(chosen, np.argsort(key, axis=1)[:, :APPEALS], True, axis=1)
    return chosen


def rewards(method: str, paid: Array, true: Array, probability: Array, rates: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """The weights of the update, and how many exact verdicts were asked for in each group on average."""
    if method == "exact verifier":
        return centred(true), np.array(float(GROUP))
    if method == "uncorrected":
        return centred(paid), np.array(0.0)
    if method == "backward":
        return centred((paid - FALSE_POSITIVE) / (1 - FALSE_POSITIVE - FALSE_NEGATIVE)), np.array(0.0)
    if method == "uncorrected, larger steps":
        return centred(paid) / (1 - FALSE_POSITIVE - FALSE_NEGATIVE), np.array(0.0)
    if method == "backward, rates of each prompt":
        return centred((paid - rates) / (1 - 2 * rates)), np.array(0.0)
    if method == "forward":
        return paid - 1 + FALSE_NEGATIVE, np.array(0.0)
    if method == "forward, rates by appeals":
        asked = (paid < 0.5) & (rng.random(paid.shape) < APPEAL_FRACTION)
        missed = (asked & (true > 0.5)).sum() / max(1, asked.sum()) * (paid < 0.5).sum()
        rate = missed / max(1.0, missed + (paid > 0.5).sum())
        return paid - 1 + rate, np.array(asked.sum() / PROMPTS)
    if method == "a fifth of refusals appealed":
        asked = (paid < 0.5) & (rng.random(paid.shape) < APPEAL_FRACTION)
        return centred(np.where(asked, true, paid)), np.array(asked.sum() / PROMPTS)
    chosen = appealed(paid, probability, method.rpartition(", ")[2], rng)
    return centred(np.where(chosen, true, paid)), np.array(float(APPEALS))


def centred(values: Array) -> Array:
    """Rewards minus the mean of their group."""
    centred_values: Array = values - values.mean(1, keepdims=True)
    return centred_values


METHODS = (
    "exact verifier", "uncorrected", "uncorrected, larger steps", "backward", "backward, rates of each prompt", "forward",
    "forward, rates by appeals", "a fifth of refusals appealed",
    "2 of 8 judged exactly, chance", "2 of 8 judged exactly, refused", "2 of 8 judged exactly, surprising",
)  # fmt: skip
NOISES = ("by chance", "by prompt", "by answer")


def trained(method: str, noise: str, seed: int) -> dict[str, float]:
    """The accuracy of the policy in the end, the mean accuracy over the steps, and the exact verdicts for each group."""
    rng = np.random.default_rng([seed, NOISES.index(noise), 7])
    table = noise_table(noise, rng)
    # The rates that a correction by prompt knows; both sides have the same. What an error by answer does to a prompt, no rate tells.
    rates = np.full((PROMPTS, 1), FALSE_POSITIVE) if noise == "by answer" else table[:, :1]
    # Initially the right answer has a chance of one in five on average, and some wrong one is often preferred.
    logits = rng.normal(size=(PROMPTS, ANSWERS))
    logits[:, 0] += 0.7
    rows, means, asked = np.arange(PROMPTS)[:, None], [], []
    for _ in range(STEPS):
        policy = softmax(logits)
        means.append(policy[:, 0].mean())
        drawn = np.minimum((policy.cumsum(1)[:, None, :] < rng.random((PROMPTS, GROUP))[:, :, None]).sum(2), ANSWERS - 1)
        true = (drawn == 0).astype(float)
        wrong = rng.random(drawn.shape) < table[rows, drawn]
        paid = np.where(wrong, 1 - true, true)
        weights, exact = rewards(method, paid, true, policy[rows, drawn], rates, rng)
        asked.append(float(exact))
        step = np.zeros_like(logits)
        for place in range(GROUP):
            one = np.eye(ANSWERS)[drawn[:, place]]
            step += weights[:, place, None] * (one - policy)
        logits += LR * step / GROUP
    return {"after": float(softmax(logits)[:, 0].mean()), "mean": float(np.mean(means)), "exact": float(np.mean(asked))}


def softmax(logits: Array) -> Array:
    """Probabilities over the answers of each prompt."""
    powers = np.exp(logits - logits.max(1, keepdims=True))
    probabilities: Array = powers / powers.sum(1, keepdims=True)
    return probabilities


def measured(run: Callable[[str, str, int], dict[str, float]] = trained) -> dict[str, Any]:
    """Every method under every noise: the values of all seeds."""
    return {noise: {method: [run(method, noise, seed) for seed in range(SEEDS)] for method in METHODS} for noise in NOISES}


def table(results: dict[str, Any]) -> str:
    """A Markdown table of the final accuracy, with the standard deviation over seeds."""
    lines = [
        "| reward | " + " | ".join(f"errors {noise}" for noise in NOISES) + " | exact verdicts for 8 rollouts |",
        "|---|---|---|---|---|",
    ]
    for method in METHODS:
        cells = []
        for noise in NOISES:
            values = [run["after"] for run in results[noise][method]]
            cells.append(f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}")
        exact = np.mean([run["exact"] for run in results["by chance"][method]])
        lines.append(f"| {method} | {' | '.join(cells)} | {exact:.1f} |")
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
