"""Runs as results and details of lighteval, and those as runs. lighteval itself is not needed: both are JSON and Parquet files."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from rlgym import RlgymError
from rlgym.dataset.rows import messages_of
from rlgym.evaluate.episodes.results import RunData, load
from rlgym.evaluate.logs.imported import check_new_folder, run_info, task_columns, unit_value, value_columns, write_imported_run

ROWS, RUN_INFO = "rlgym_rows", "rlgym_run"
"""Where an exported run keeps its result rows (in a document) and its run.json (in the results)."""
_TEXT, _TOKENS = pyarrow.string(), pyarrow.list_(pyarrow.int64())
_SCHEMA = pyarrow.schema(
    {
        "doc": pyarrow.struct(
            {
                "query": _TEXT,
                "choices": pyarrow.list_(_TEXT),
                "gold_index": pyarrow.int64(),
                "specific": pyarrow.struct({"id": _TEXT, ROWS: _TEXT}),
                "id": _TEXT,
                "task_name": _TEXT,
                "num_samples": pyarrow.int64(),
            }
        ),
        "metric": pyarrow.struct({"score": pyarrow.float64(), "masked": pyarrow.float64()}),
        "model_response": pyarrow.struct(
            {"input": _TEXT, "input_tokens": _TOKENS, "text": pyarrow.list_(_TEXT), "output_tokens": pyarrow.list_(_TOKENS)}
        ),
    }
)


def export_lighteval(run: str | Path, out: str | Path) -> Path:
    """Write a run into `out` as lighteval's output folder: results/MODEL/results_DATE.json and details/MODEL/DATE/*.parquet; returns the JSON file.

    Every environment is a task `rlgym:NAME`, every task of ours a document with its samples as responses. `score` is the mean over what was
    scored, nan where nothing was, and `masked` the share of the rest, as in lighteval's own runs of our tasks.
    """
    data, folder = load(run), Path(out)
    if not data.rows:
        raise RlgymError(f"{data.folder} holds no finished episode to export")
    model = str(data.info["model"]["name"]).strip("/")
    date = str(data.info.get("started") or "1970-01-01T00:00:00").replace(":", "-").partition("+")[0]
    details = folder / "details" / model / date
    details.mkdir(parents=True, exist_ok=True)
    results: dict[str, dict[str, float]] = {}
    for task, rows in sorted(_group_by(data.rows, lambda row: f"rlgym:{row['env']}|0").items()):
        documents = [_document(task, samples) for samples in _group_by(rows, lambda row: row["id"]).values()]
        table = pyarrow.Table.from_pylist(documents, _SCHEMA)
        pyarrow.parquet.write_table(table, details / f"details_{task}_{date}.parquet")
        results[task] = _aggregate([document["metric"] for document in documents])
    results["all"] = {name: _mean(metrics[name] for metrics in results.values()) for name in ("score", "masked")}
    file = folder / "results" / model / f"results_{date}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(_results(data, model, results), indent=2, ensure_ascii=False), encoding="utf-8")
    return file


def _results(data: RunData, model: str, results: Mapping[str, Any]) -> dict[str, Any]:
    sampling = data.info["sampling"]
    parameters = {
        name: sampling.get(key) for name, key in (("temperature", "temperature"), ("top_p", "top_p"), ("max_new_tokens", "max_tokens"))
    }
    versions = {f"rlgym:{row['env']}|0": row["version"] for row in data.rows}
    return {
        "config_general": {
            "model_name": model,
            "model_config": {"model_name": model, "generation_parameters": parameters},
            "max_samples": None,
        },
        "results": results,
        "versions": versions,
        "config_tasks": {},
        "summary_tasks": {},
        "summary_general": {},
        RUN_INFO: json.dumps(data.info),
    }


def _document(task: str, samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    transcripts = [messages_of(row) for row in samples]
    query = next((message["content"] for message in transcripts[0] if message["role"] == "user"), "")
    texts = [
        next((message.get("content") or "" for message in reversed(transcript) if message["role"] == "assistant"), "")
        for transcript in transcripts
    ]
    values = [row["value"] for row in samples if not row["masked"]]
    return {
        "doc": {
            "query": query,
            "choices": [""],
            "gold_index": 0,
            "specific": {"id": samples[0]["id"], ROWS: json.dumps([dict(row) for row in samples])},
            "id": samples[0]["id"],
            "task_name": task,
            "num_samples": len(samples),
        },
        "metric": {"score": _mean(values), "masked": 1 - len(values) / len(samples)},
        "model_response": {"input": query, "input_tokens": [], "text": texts, "output_tokens": []},
    }


def import_lighteval(log: str | Path, run: str | Path, *, scorer: str | None = None) -> RunData:
    """Write what lighteval has put into its output folder as a run in a new folder, which `rlgym eval report` and `compare` read.

    It needs the details, which lighteval writes with `--save-details`. Tasks of others are read too: the task becomes the environment, and a
    metric from 0 to 1 the value. A document with several responses and one metric is one sample.

    log     the output folder, or a results_DATE.json in it: without a date the latest one
    scorer  the metric to read; by default `score`, or the only one
    """
    folder = Path(run)
    check_new_folder(folder)
    file = _results_file(Path(log))
    results = json.loads(file.read_text(encoding="utf-8"))
    date, model = file.stem.removeprefix("results_"), str(results["config_general"]["model_name"]).strip("/")
    root = next(parent.parent for parent in file.parents if parent.name == "results")
    tables = sorted((root / "details" / model / date).glob(f"details_*_{date}.parquet"))
    if not tables:
        raise RlgymError(f"{root / 'details' / model / date} holds no details: run lighteval with --save-details")
    rows = [row for table in tables for row in _rows(table, date, scorer)]
    if not rows:
        raise RlgymError(f"the details beside {str(file)!r} hold no samples")
    return write_imported_run(folder, rows, _info(results, model, date, rows))


def _results_file(log: Path) -> Path:
    if log.is_file():
        return log
    found = sorted((log / "results").rglob("results_*.json"), key=lambda file: file.name)
    if not found:
        raise RlgymError(f"{log} is not an output folder of lighteval: it holds no results/MODEL/results_DATE.json")
    if len(models := {file.parent for file in found}) > 1:
        names = ", ".join(str(model.relative_to(log / "results")) for model in sorted(models))
        raise RlgymError(f"{log} holds results of {names}: give the results_DATE.json of one of them")
    return found[-1]


def _info(results: Mapping[str, Any], model: str, date: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if stored := results.get(RUN_INFO):
        info: dict[str, Any] = json.loads(stored)
        return info
    parameters = (results["config_general"].get("model_config") or {}).get("generation_parameters") or {}
    names = (("temperature", "temperature"), ("top_p", "top_p"), ("max_tokens", "max_new_tokens"))
    return run_info(
        label=f"{model} (lighteval)",
        suite=", ".join(sorted({row["env"] for row in rows})),
        rows=rows,
        model={"kind": "lighteval", "name": model},
        sampling={key: parameters.get(name) for key, name in names},
        started=date,
        finished=date,
    )


def _rows(file: Path, date: str, scorer: str | None) -> Iterable[dict[str, Any]]:
    table = pyarrow.parquet.read_table(file)
    if missing := {"doc", "metric", "model_response"} - set(table.column_names):
        raise RlgymError(f"{file.name} has no column {', '.join(sorted(missing))}: was it written by a lighteval before 0.10?")
    task = file.stem.removeprefix("details_").removesuffix(f"_{date}").partition("|")[0]
    for number, detail in enumerate(table.to_pylist()):
        specific = detail["doc"].get("specific") or {}
        if ROWS in specific:
            yield from json.loads(specific[ROWS])
        else:
            yield _row(detail, task, number, specific, scorer)


def _row(detail: Mapping[str, Any], task: str, number: int, specific: Mapping[str, Any], scorer: str | None) -> dict[str, Any]:
    doc, response = detail["doc"], detail["model_response"]
    texts, written = response.get("text") or [""], response.get("output_tokens") or []
    chat = [{"role": "user", "content": doc["query"]}, {"role": "assistant", "content": texts[-1]}]
    columns = {
        "id": str(specific.get("id") or f"{task}/{doc.get('id') or number}"),
        "sample": 0,
        "reason": "",
        "parts": "{}",
        "turns": 1,
        "requests": len(texts),
        "prompt_tokens": len(response.get("input_tokens") or []) or None,
        "completion_tokens": sum(map(len, written)) or None,
        "seconds": 0.0,
        "finish_reason": "stop",
        "error": None,
        "messages": json.dumps(chat),
    }
    value = unit_value(_metric(detail["metric"], scorer, task))
    return task_columns(specific.get("task_json"), task, "lighteval") | columns | value_columns(value)


def _metric(metrics: Mapping[str, Any], scorer: str | None, task: str) -> Any:
    known = {name: value for name, value in metrics.items() if value is not None or name == scorer}
    name = scorer or ("score" if "score" in known else next(iter(known), None) if len(known) == 1 else None)
    if name is None or name not in known:
        raise RlgymError(f"{task} has the metrics {', '.join(known)}: name one of them with `scorer`, got {scorer!r}")
    return known[name]


def _aggregate(metrics: Sequence[Mapping[str, float]]) -> dict[str, float]:
    scores = [metric["score"] for metric in metrics if not math.isnan(metric["score"])]
    variance = sum((score - _mean(scores)) ** 2 for score in scores) / (len(scores) - 1) if len(scores) > 1 else 0.0
    stderr = math.sqrt(variance / len(scores)) if scores else 0.0
    return {"score": _mean(scores), "score_stderr": stderr, "masked": _mean(metric["masked"] for metric in metrics)}


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def _group_by(rows: Iterable[Mapping[str, Any]], key: Any) -> dict[str, list[Mapping[str, Any]]]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups
