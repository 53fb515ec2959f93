"""Small run directories in the formats of `rlgym eval run` and `rlgym train`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import rlgym
from rlgym.dataset import Session, sample

NAMES, LEVELS = ["chain_sum", "higher_lower"], [0.0, 0.5]


def answer(row: dict[str, Any], number: int, right: bool) -> dict[str, Any]:
    """A row of an evaluation: the oracle's response, or a fixed wrong one."""
    session = Session(row)
    while not session.done:
        session.step(session.oracle() if right else "<answer>7</answer>")
    score = session.score
    assert score is not None
    facts = {column: row[column] for column in ("id", "env", "version", "domain", "kind", "level", "seed")}
    text = json.dumps([*session.messages, {"role": "user", "content": "<img src=x onerror=alert(1)>"}])
    return facts | {
        "split": "main",
        "sample": 0,
        "value": score.value,
        "outcome": score.outcome.value,
        "reason": score.reason,
        "parts": json.dumps(dict(score.parts)),
        "right": score.value == 1.0,
        "masked": score.masked,
        "answer": None,
        "confidence": None,
        "max_turns": len(session.messages) // 2,
        "requests": 1,
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "seconds": 0.1,
        "cost": 0.001,
        "finish_reason": "stop",
        "error": None,
        "messages": text,
        "difficulty": row["cost"],
    }


def evaluation(folder: Path, count: int = 12, finished: bool = True) -> list[dict[str, Any]]:
    """An evaluation that is right on every second task; an unfinished one has an incomplete last line and no table."""
    folder.mkdir(parents=True)
    lines = [answer(row, n, n % 2 == 0) for n, row in enumerate(sample(NAMES, count, levels=LEVELS, seed=3))]
    run = {
        "format": 1,
        "label": "tiny model",
        "suite": {"name": "tiny", "hash": "0" * 64, "tasks": count if finished else 2 * count},
        "model": {"kind": "openai", "name": "tiny-1"},
        "sampling": {"samples": 1, "temperature": 0.7, "top_p": 1.0, "max_tokens": 64, "seed": 0},
        "tools": "native",
        "prices": {"prompt": None, "completion": None},
        "rlgym": rlgym.__version__,
        "started": "2026-01-02T03:04:05+00:00",
        "finished": "2026-01-02T03:05:05+00:00" if finished else None,
    }
    (folder / "run.json").write_text(json.dumps(run))
    journal = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "episodes.jsonl").write_text(journal if finished else journal + '{"id": "torn')
    if finished:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        parquet.write_table(pa.Table.from_pylist(lines), folder / "results.parquet", row_group_size=5)
        (folder / "report.html").write_text(
            "<!doctype html><title>Report</title><h1>A report</h1><script>document.title = 'Drawn'</script>"
        )
    return lines


def training(folder: Path, steps: int = 40, finished: bool = True) -> None:
    """A training run with SFT, RL and three evaluations."""
    folder.mkdir(parents=True)
    config = {"model": "start", "output_dir": "run", "seed": 0, "steps": steps, "tasks": [{"names": ["chain_sum"], "levels": [0.0]}]}
    (folder / "config.json").write_text(json.dumps(config))
    warm = [{"step": n, "phase": "sft", "loss": 2.0 / n, "tokens": 100} for n in range(1, 11)]
    done = steps if finished else steps // 2
    learned = [_step(n, steps) for n in range(1, done + 1)]
    _lines(folder / "metrics.jsonl", [*warm, *learned])
    labels = [("start", "sft", 0, 0.1), ("middle", "rl", 0, 0.4), *([("end", "rl", steps, 0.8)] if finished else [])]
    _lines(
        folder / "evaluations.jsonl",
        [
            {"label": label, "phase": phase, "step": step, "accuracy": {path: _accuracy(share) for path in ("chain_sum@0", "mean")}}
            for label, phase, step, share in labels
        ],
    )
    _lines(folder / "transcripts.jsonl", [_episode(n) for n in range(1, done + 1)])


def _step(n: int, steps: int) -> dict[str, Any]:
    solve = 0.4 + 0.4 * n / steps
    facts: dict[str, Any] = {
        "step": n,
        "reward": solve,
        "solve_rate": solve,
        "response_length": 30.0 - n / 4,
        "entropy": 1.0 / n,
        "kl": 0.001 * n,
        "groups_all_wrong": 0.3 - 0.2 * n / steps,
        "groups_all_right": 0.2 * n / steps,
        "groups_zero_std": 0.3,
        "truncated": 0.1,
        "grad_norm": 1.0 + 1.0 / n,
    }
    return facts | {"loss": None if n == 3 else -0.1, "outcome/right": solve, "solve_rate/chain_sum@0": solve}


def _accuracy(share: float) -> dict[str, Any]:
    return {"avg": share, "low": max(0.0, share - 0.1), "high": min(1.0, share + 0.1), "pass@1": share, "tasks": 60, "masked": 0}


def _episode(n: int) -> dict[str, Any]:
    right = n % 3 > 0
    score = {"value": float(right), "outcome": "right" if right else "wrong", "reason": "" if right else "the sum is another", "parts": {}}
    text = [["user", f"What is {n} + 1?"], ["assistant", f"<answer>{n + right}</answer> <b>bold?</b>"]]
    return {"step": n, "task": "chain_sum@0,terms=2", "messages": text, "score": score, "reward": float(right)}


def _lines(file: Path, lines: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
