"""Tasks for the lm-evaluation-harness, as a folder of its own files; single-turn environments, scored by their verifiers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import rlgym
from rlgym.dataset import from_task_json, sample
from rlgym.dataset.documents import documents_by_environment

YAML = """\
task: {task}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {file}
test_split: test
output_type: generate_until
doc_to_text: text
doc_to_target: target
generation_kwargs:
  until: []
  do_sample: false
  temperature: 0.0
  max_gen_toks: {tokens}
process_results: !function rlgym.adapters.lm_eval.process_results
metric_list:
  - metric: score
    aggregation: mean
    higher_is_better: true
  - metric: masked
    aggregation: mean
    higher_is_better: false
metadata:
  version: {version}
"""
GROUP = """\
group: {group}
task: [{tasks}]
aggregate_metric_list:
  - metric: score
    aggregation: mean
    weight_by_size: true
metadata:
  version: 1.0
"""


def write_tasks(
    folder: str | Path, names: str | list[str], count: int, *, group: str = "rlgym", tokens: int = 1024, **recipe: Any
) -> list[str]:
    """Write tasks of `count` rows over environments, domains or patterns; `recipe` as for `rlgym.dataset.sample`."""
    return write_rows(folder, list(sample(names, count, **recipe)), group=group, tokens=tokens)


def write_rows(folder: str | Path, rows: Iterable[Mapping[str, Any]], *, group: str = "rlgym", tokens: int = 1024) -> list[str]:
    """Write a task for each environment of the rows, and a group of them all; returns the tasks' names.

    The folder is what `--include_path` or `TaskManager(include_path=...)` takes; it names its files by their whole path.
    RowError for a damaged row; games and matches are refused, since the harness asks a model only once.
    """
    by_env = documents_by_environment(rows, "the lm-evaluation-harness")
    place = Path(folder).resolve()
    place.mkdir(parents=True, exist_ok=True)
    tasks = {f"{group}_{name}": name for name in by_env}
    for task, name in tasks.items():
        file = place / f"{task}.jsonl"
        file.write_text("".join(json.dumps(doc, ensure_ascii=False) + "\n" for doc in by_env[name]), encoding="utf-8")
        version = float(rlgym.environment(name).version)
        (place / f"{task}.yaml").write_text(YAML.format(task=task, file=json.dumps(str(file)), tokens=tokens, version=version))
    (place / f"{group}.yaml").write_text(GROUP.format(group=group, tasks=", ".join(tasks)))
    return list(tasks)


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """The metrics of one response, as the harness asks for them; one without `score` where the score says nothing about the model."""
    score = rlgym.score(from_task_json(doc["task_json"]), results[0])
    return {"masked": 1.0} if score.masked else {"masked": 0.0, "score": score.value}
