"""Runs as logs of Inspect, for its viewer and its analysis functions; and logs of Inspect as runs, for reports and comparisons."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.core.packages import extra
from rlgym.dataset.rows import messages_of
from rlgym.evaluate.episodes.results import RunData, load
from rlgym.evaluate.logs.imported import check_new_folder, run_info, task_columns, unit_value, value_columns, write_imported_run

SCORER, TASK_JSON = "verdict", "rlgym_task_json"
ROW = "rlgym_row"
"""The metadata field of a sample with the columns of its result row that Inspect has no field for."""
_OWN = ("env", "version", "domain", "kind", "split", "level", "seed", "difficulty", "answer", "confidence", "cost", "cot_right", "requests")
_LATER = ("certainty", "token_entropy")


def export_inspect(run: str | Path, out: str | Path) -> Path:
    """Write the log of a run, finished or not, as Inspect's .eval or .json file; returns the file.

    A masked episode is unscored in Inspect's sense and counts in no metric.
    """
    with extra("inspect"):
        from inspect_ai.log import write_eval_log

    file, data = Path(out), load(run)
    if file.suffix not in (".eval", ".json"):
        raise RlgymError(f"a log of Inspect ends in .eval or .json, got {file.name!r}")
    if not data.rows:
        raise RlgymError(f"{data.folder} holds no finished episode to export")
    file.parent.mkdir(parents=True, exist_ok=True)
    write_eval_log(_log(data), str(file))
    return file


def _log(data: RunData) -> Any:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec, EvalStats
    from inspect_ai.model import GenerateConfig

    info, sampling = data.info, data.info["sampling"]
    samples = [_sample(row, info["model"]["name"]) for row in data.rows]
    created = info.get("started") or "1970-01-01T00:00:00+00:00"
    ids = list(dict.fromkeys(row["id"] for row in data.rows))
    results = EvalResults(total_samples=data.expected, completed_samples=len(samples), scores=[_metrics(data.rows)])
    return EvalLog(
        status="success" if data.finished else "cancelled",
        eval=EvalSpec(
            created=created,
            task=f"rlgym/{info['suite'].get('name')}",
            task_version=str(info["suite"].get("hash"))[:12],
            dataset=EvalDataset(name=str(info["suite"].get("name")), samples=int(info["suite"]["tasks"]), sample_ids=ids),
            model=f"{info['model'].get('kind')}/{info['model']['name']}",
            model_generate_config=GenerateConfig(
                temperature=sampling.get("temperature"), top_p=sampling.get("top_p"), max_tokens=sampling.get("max_tokens")
            ),
            config=EvalConfig(epochs=int(sampling["samples"])),
            packages={"rlvrgym": str(info.get("rlgym"))},
            metadata={"rlgym_run": json.dumps(info)},
        ),
        results=results,
        stats=EvalStats(started_at=created, completed_at=info.get("finished") or ""),
        samples=samples,
    )


def _sample(row: Mapping[str, Any], model: str) -> Any:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ModelOutput, ModelUsage
    from inspect_ai.scorer import Score

    transcript = messages_of(row)
    facts = {"outcome": row["outcome"], "parts": json.loads(row["parts"])}
    said = next((message.get("content") or "" for message in reversed(transcript) if message["role"] == "assistant"), "")
    if row["masked"]:
        score = Score.unscored(reason="scoring_failed", answer=said, explanation=row["reason"], metadata=facts)
    else:
        score = Score(value=row["value"], answer=said, explanation=row["reason"], metadata=facts)
    output = ModelOutput.from_content(model, said, stop_reason="max_tokens" if row["finish_reason"] == "length" else "stop")
    usage = ModelUsage(input_tokens=row["prompt_tokens"] or 0, output_tokens=row["completion_tokens"] or 0)
    usage.total_tokens = usage.input_tokens + usage.output_tokens
    output.usage = usage
    first = next((message["content"] for message in transcript if message["role"] == "user"), "")
    own = {name: row[name] for name in _OWN} | {name: row.get(name) for name in _LATER}
    return EvalSample(
        id=row["id"],
        epoch=row["sample"] + 1,
        input=first,
        target="",
        messages=list(_chat(transcript)),
        output=output,
        scores={SCORER: score},
        model_usage={model: usage},
        total_time=row["seconds"],
        metadata={ROW: own | {"turns": row["turns"], "messages": row["messages"], "error": row["error"]}},
    )


def _chat(transcript: Iterable[Mapping[str, Any]]) -> Iterable[Any]:
    """The messages as Inspect has them."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall

    for message in transcript:
        content = message.get("content") or ""
        match message["role"]:
            case "system":
                yield ChatMessageSystem(content=content)
            case "user":
                yield ChatMessageUser(content=content)
            case "tool":
                yield ChatMessageTool(content=content, tool_call_id=message.get("tool_call_id"))
            case _:
                calls = [
                    ToolCall(id=str(call.get("id")), function=str(function.get("name")), arguments={"arguments": function.get("arguments")})
                    for call in message.get("tool_calls") or []
                    for function in [call.get("function", call)]
                ]
                yield ChatMessageAssistant(content=content, tool_calls=calls or None)


def _metrics(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Inspect's mean and stderr over what was scored; samples of one task are averaged first."""
    from inspect_ai.log import EvalMetric, EvalScore

    by_task: dict[str, list[float]] = {}
    masked = 0
    for row in rows:
        masked += row["masked"]
        if not row["masked"]:
            by_task.setdefault(row["id"], []).append(row["value"])
    means = [sum(values) / len(values) for values in by_task.values()]
    mean = sum(means) / len(means) if means else float("nan")
    variance = sum((value - mean) ** 2 for value in means) / (len(means) - 1) if len(means) > 1 else 0.0
    metrics = {"mean": EvalMetric(name="mean", value=mean)}
    metrics["stderr"] = EvalMetric(name="stderr", value=(variance / len(means)) ** 0.5 if means else 0.0)
    scored = sum(map(len, by_task.values()))
    return EvalScore(name=SCORER, scorer=SCORER, reducer="mean", scored_samples=scored, unscored_samples=masked, metrics=metrics)


def import_inspect(log: str | Path, run: str | Path, *, scorer: str | None = None) -> RunData:
    """Write a log of Inspect as a run in a new folder, which `rlgym eval report` and `rlgym eval compare` read.

    Logs of other tasks than ours are read too: the task becomes the environment, and a numeric score from 0 to 1, or Inspect's "C", "I" and
    "P", the value. Samples without a score are masked.

    scorer  the score to read; by default ours, or the only one
    """
    with extra("inspect"):
        from inspect_ai.log import read_eval_log

    folder = Path(run)
    check_new_folder(folder)
    read = read_eval_log(str(log))
    if not read.samples:
        raise RlgymError(f"{str(log)!r} holds no samples")
    rows = [_row(sample, read, scorer) for sample in read.samples]
    return write_imported_run(folder, rows, _info(read, rows))


def _info(log: Any, rows: list[dict[str, Any]]) -> dict[str, Any]:
    stored = (log.eval.metadata or {}).get("rlgym_run")
    if stored:
        info: dict[str, Any] = json.loads(stored)
        return info
    config = log.eval.model_generate_config
    kind, _, name = log.eval.model.partition("/")
    return run_info(
        label=f"{log.eval.model} (Inspect)",
        suite=log.eval.task,
        rows=rows,
        model={"kind": kind, "name": name or kind},
        sampling={"temperature": config.temperature, "top_p": config.top_p, "max_tokens": config.max_tokens},
        started=str(log.stats.started_at or log.eval.created),
        finished=str(log.stats.completed_at) if log.status == "success" else None,
    )


def _row(sample: Any, log: Any, scorer: str | None) -> dict[str, Any]:
    score = _score(sample, scorer)
    value = _value(score.value) if score is not None else None
    facts = (score.metadata or {}) if score is not None else {}
    usage = list(sample.model_usage.values())
    turns = sum(message.role == "assistant" for message in sample.messages)
    columns = {
        "id": str(sample.id),
        "sample": sample.epoch - 1,
        "reason": (score.explanation or "") if score is not None else "",
        "parts": json.dumps(facts.get("parts") or {}),
        "turns": turns,
        "requests": turns,
        "prompt_tokens": sum(one.input_tokens for one in usage) if usage else None,
        "completion_tokens": sum(one.output_tokens for one in usage) if usage else None,
        "seconds": sample.total_time or 0.0,
        "finish_reason": "length" if sample.output.choices and sample.output.stop_reason == "max_tokens" else "stop",
        "error": sample.error.message if sample.error else None,
        "messages": json.dumps([{"role": message.role, "content": message.text} for message in sample.messages]),
    }
    task = task_columns(sample.metadata.get(TASK_JSON), log.eval.task.rpartition("/")[2], "inspect")
    return task | columns | value_columns(value, facts.get("outcome")) | (sample.metadata.get(ROW) or {})


def _score(sample: Any, scorer: str | None) -> Any:
    scores = sample.scores or {}
    if scorer is None and (SCORER in scores or len(scores) <= 1):
        return scores.get(SCORER) or next(iter(scores.values()), None)
    if scorer not in scores:
        raise RlgymError(f"the sample {sample.id!r} has the scores {', '.join(scores)}: name one of them with `scorer`, got {scorer!r}")
    return scores[scorer]


def _value(value: Any) -> float | None:
    """A score from 0 to 1; None for what is no number, as an unscored sample has."""
    letters = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
    return letters.get(value) if isinstance(value, str) else unit_value(value)
