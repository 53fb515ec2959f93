"""Reads a training run, finished or in progress: its metrics, its evaluations on held-out tasks, and its transcripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlgym.serve.runs.run_store import RunDirectory

METRICS_FILE, EVALUATIONS_FILE, TRANSCRIPTS_FILE = "metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl"
SHOWN_CONFIG = "model seed steps sft tasks rollout algorithm update".split()


def list_entry(run: RunDirectory) -> dict[str, Any]:
    """The run's entry in the list of runs."""
    config = run.read_json("config.json")
    last = run.read_last_line(METRICS_FILE) if run.has_file(METRICS_FILE) else None
    evaluation = run.read_last_line(EVALUATIONS_FILE) if run.has_file(EVALUATIONS_FILE) else None
    return {
        "title": run.path,
        "finished": evaluation is not None and evaluation.get("label") == "end",
        "model": config.get("model"),
        "steps": config.get("steps"),
        "phase": None if last is None else _phase(last),
        "step": last.get("step") if last else 0,
        "solve_rate": last.get("solve_rate") if last else None,
    }


def summarize(run: RunDirectory, after: int = 0) -> dict[str, Any]:
    """Everything except the transcripts. Of the metrics, the lines after the first `after`."""
    lines = list(run.read_jsonl(METRICS_FILE)) if run.has_file(METRICS_FILE) else []
    after = after if after <= len(lines) else 0  # a resumed run is truncated to its last checkpoint
    config = run.read_json("config.json")
    return list_entry(run) | {
        "config": {name: config.get(name) for name in SHOWN_CONFIG},
        "first_line": after,
        "num_lines": len(lines),
        "metrics": to_columns(lines[after:]),
        "evaluations": list(run.read_jsonl(EVALUATIONS_FILE)) if run.has_file(EVALUATIONS_FILE) else [],
        "report": run.has_file("report.html"),
    }


def to_columns(lines: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Convert lines to columns of equal length: `phase`, `step` and every numeric field, with None where a line lacks it."""
    names = list(dict.fromkeys(name for line in lines for name, value in line.items() if isinstance(value, int | float)))
    columns: dict[str, list[Any]] = {"phase": [_phase(line) for line in lines], "step": [line.get("step") for line in lines]}
    return columns | {name: [line.get(name) for line in lines] for name in sorted(names) if name not in columns}


def read_transcripts(run: RunDirectory, offset: int, limit: int, filters: Mapping[str, Any]) -> dict[str, Any]:
    """A page of the episodes that match the filters, the latest first."""
    if not run.has_file(TRANSCRIPTS_FILE):
        return {"total": 0, "offset": offset, "transcripts": []}
    matches = [(number, line) for number, line in enumerate(run.read_jsonl(TRANSCRIPTS_FILE)) if _matches(line, filters)]
    page = matches[::-1][offset : offset + limit]
    return {"total": len(matches), "offset": offset, "transcripts": [_transcript(number, line) for number, line in page]}


def _phase(line: Mapping[str, Any]) -> str:
    """The training phase of a metrics line. Lines of SFT state it; all others belong to RL."""
    return str(line.get("phase", "rl"))


def _env_and_level(line: Mapping[str, Any]) -> tuple[str, float]:
    """The environment and level of a task as metrics name it, such as `chain_sum@0.1,terms=4`."""
    name, _, rest = str(line.get("task", "")).partition("@")
    try:
        return name, float(rest.partition(",")[0])
    except ValueError:
        return name, 0.0


def _matches(line: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    score = line.get("score") or {}
    env, level = _env_and_level(line)
    fields = {"env": env, "level": level, "right": score.get("value") == 1, "outcome": score.get("outcome")}
    return all(fields.get(name) == value for name, value in filters.items() if value is not None)


def _transcript(number: int, line: Mapping[str, Any]) -> dict[str, Any]:
    score = line.get("score") or {}
    env, level = _env_and_level(line)
    messages = [message for message in line.get("messages") or [] if isinstance(message, list) and len(message) == 2]
    return {
        "number": number,
        "step": line.get("step"),
        "task": line.get("task"),
        "env": env,
        "level": level,
        "reward": line.get("reward"),
        **{part: score.get(part) for part in ("value", "outcome", "reason", "parts")},
        "right": score.get("value") == 1,
        "masked": score.get("outcome") == "error",
        "messages": [{"role": role, "content": content} for role, content in messages],
    }
