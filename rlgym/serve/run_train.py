"""What a training run has to show: its curves, its evaluations on held-out tasks, and its transcripts; also while it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlgym.serve.folders import RunFolder

METRICS, EVALUATIONS, TRANSCRIPTS = "metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl"
TOLD = "model seed steps sft tasks rollout algorithm update".split()
"""What of the configuration is shown."""


def listed(run: RunFolder) -> dict[str, Any]:
    """A line of the list."""
    config = run.read_json("config.json")
    last = run.last_line(METRICS) if run.has(METRICS) else None
    evaluation = run.last_line(EVALUATIONS) if run.has(EVALUATIONS) else None
    return {
        "title": run.title,
        "finished": evaluation is not None and evaluation.get("label") == "end",
        "model": config.get("model"),
        "steps": config.get("steps"),
        "phase": _phase(last),
        "step": last.get("step") if last else 0,
        "solve": last.get("solve") if last else None,
    }


def summary(run: RunFolder, after: int = 0) -> dict[str, Any]:
    """All but the transcripts; of the metrics those after the first `after` lines, where there still are as many."""
    lines = list(run.lines(METRICS)) if run.has(METRICS) else []
    after = after if after <= len(lines) else 0  # a run that was resumed has been cut back
    config = run.read_json("config.json")
    return listed(run) | {
        "config": {name: config.get(name) for name in TOLD},
        "first": after,
        "lines": len(lines),
        "metrics": columns(lines[after:]),
        "evaluations": list(run.lines(EVALUATIONS)) if run.has(EVALUATIONS) else [],
        "report": run.has("report.html"),
    }


def columns(lines: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Lines as columns of equal length: `phase` and `step`, and every number that is in any line, None where it is not."""
    names = list(dict.fromkeys(name for line in lines for name, value in line.items() if isinstance(value, int | float)))
    out: dict[str, list[Any]] = {"phase": [_phase(line) for line in lines], "step": [line.get("step") for line in lines]}
    return out | {name: [line.get(name) for line in lines] for name in sorted(names) if name not in out}


def transcripts(run: RunFolder, offset: int, limit: int, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """A page of the episodes that are wanted, the latest first."""
    if not run.has(TRANSCRIPTS):
        return {"total": 0, "offset": offset, "transcripts": []}
    chosen = [(number, line) for number, line in enumerate(run.lines(TRANSCRIPTS)) if _fits(line, wanted)]
    page = chosen[::-1][offset : offset + limit]
    return {"total": len(chosen), "offset": offset, "transcripts": [_shown(number, line) for number, line in page]}


def _phase(line: Mapping[str, Any] | None) -> str | None:
    """The lines of the warm-up say so; those of reinforcement learning are all others."""
    return None if line is None else str(line.get("phase", "rl"))


def _place(line: Mapping[str, Any]) -> tuple[str, float]:
    """The environment and level of a task as metrics name it: `chain_sum@0.1,terms=4`."""
    name, _, rest = str(line.get("task", "")).partition("@")
    try:
        return name, float(rest.partition(",")[0])
    except ValueError:
        return name, 0.0


def _fits(line: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    score = line.get("score") or {}
    name, level = _place(line)
    facts = {"env": name, "level": level, "right": score.get("value") == 1, "outcome": score.get("outcome")}
    return all(facts.get(column) == value for column, value in wanted.items() if value is not None)


def _shown(number: int, line: Mapping[str, Any]) -> dict[str, Any]:
    score = line.get("score") or {}
    name, level = _place(line)
    messages = [{"role": said[0], "content": said[1]} for said in line.get("messages") or [] if isinstance(said, list) and len(said) == 2]
    facts = {
        "number": number,
        "step": line.get("step"),
        "task": line.get("task"),
        "env": name,
        "level": level,
        "reward": line.get("reward"),
    }
    facts |= {part: score.get(part) for part in ("value", "outcome", "reason", "parts")}
    return facts | {"right": score.get("value") == 1, "masked": score.get("outcome") == "error", "messages": messages}
