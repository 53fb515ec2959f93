"""The page on judges and their gains shows what was measured."""

import importlib.util
import json
from pathlib import Path

ROOT = Path(__file__).parents[2]


def benchmark():
    spec = importlib.util.spec_from_file_location("judge_gain", ROOT / "benchmarks" / "judge_gain.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_what_was_measured():
    script = benchmark()
    text = script.PAGE.read_text(encoding="utf-8")
    results = json.loads(script.KEPT.read_text(encoding="utf-8"))
    assert text == script.page(results, script.reading_of(text))
    assert len(results["judges"]) >= 30


def test_measures_of_a_judge_on_recorded_samples():
    script = benchmark()
    rows = [
        {"env": "chain_sum", "id": f"t{task}", "sample": sample, "right": sample == 0, "masked": False, "answer": str(sample % 2)}
        for task in range(3)
        for sample in range(4)
    ]
    perfect = script.measured(rows, [float(row["right"]) for row in rows])
    assert perfect["accuracy"] == perfect["pairs"] == perfect["best_of"]["4"] == 1
    assert perfect["climbed"] > 0.99
    assert perfect["solve_rate"] == 0.25
    # Errors by answer are the same for samples with the same answer.
    scores = script.simulated(0.5, rows, by_answer=True)
    by_answer = {}
    for row, score in zip(rows, scores, strict=True):
        by_answer.setdefault((row["id"], row["answer"], row["right"]), set()).add(score)
    assert all(len(found) == 1 for found in by_answer.values())
