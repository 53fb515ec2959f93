"""Tasks for lighteval, as a folder that it takes as custom tasks; single-turn environments, scored by their verifiers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.packages import extra
from rlgym.dataset import from_task_json, sample
from rlgym.dataset.batch_scoring import score_batch
from rlgym.dataset.documents import documents_by_environment

with extra("lighteval"):
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetricGrouping
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.lighteval_task import LightevalTaskConfig
    from lighteval.tasks.requests import Doc, SamplingMethod

TASKS = '''\
"""Verifiable tasks of rlgym."""

from pathlib import Path

from rlgym.adapters.lighteval import table

TASKS_TABLE = table(Path(__file__).parent)
'''


def write_tasks(folder: str | Path, names: str | list[str], count: int, *, tokens: int = 1024, **recipe: Any) -> str:
    """Write tasks of `count` rows over environments, domains or patterns; `recipe` as for `rlgym.dataset.sample`."""
    return write_rows(folder, sample(names, count, **recipe), tokens=tokens)


def write_rows(folder: str | Path, rows: Iterable[Mapping[str, Any]], *, tokens: int = 1024) -> str:
    """Write a task for each environment of the rows; returns what lighteval takes as `tasks`, such as "rlgym:chain_sum|0".

    The file `tasks.py` in the folder is what it takes as custom tasks. RowError for a damaged row; games and matches are
    refused, since lighteval asks a model only once.
    """
    by_env = documents_by_environment(rows, "lighteval")
    place = Path(folder)
    for name, docs in by_env.items():
        (place / name).mkdir(parents=True, exist_ok=True)
        (place / name / "test.jsonl").write_text("".join(json.dumps(doc, ensure_ascii=False) + "\n" for doc in docs), encoding="utf-8")
    (place / "rlgym.json").write_text(json.dumps({"names": list(by_env), "tokens": tokens}))
    (place / "tasks.py").write_text(TASKS)
    return ",".join(f"rlgym:{name}|0" for name in by_env)


def table(folder: Path) -> list[LightevalTaskConfig]:
    """The tasks of a folder that `write_tasks` or `write_rows` has written."""
    known = json.loads((folder / "rlgym.json").read_text())
    return [
        LightevalTaskConfig(
            name=f"rlgym:{name}",
            prompt_function=to_doc,
            hf_repo=str((folder / name).resolve()),
            hf_subset="default",
            hf_avail_splits=["test"],
            evaluation_splits=["test"],
            generation_size=known["tokens"],
            stop_sequence=[],
            metrics=[metric()],
            version=rlgym.environment(name).version,
        )
        for name in known["names"]
    ]


def to_doc(line: Mapping[str, Any], task_name: str = "") -> Doc:
    """A line of the folder's files as lighteval's document."""
    specific = {"id": line["id"], "task_json": line["task_json"]}
    return Doc(query=line["text"], choices=[line["target"]], gold_index=0, task_name=task_name, specific=specific)


class Verdict(SampleLevelComputation):
    """The score that `rlgym.score` gives to a response; nan where it says nothing about the model."""

    def compute(self, doc: Doc, model_response: ModelResponse, **more: Any) -> dict[str, float]:
        """The mean over a document's responses of what can be judged, and the share of what cannot."""
        row = from_task_json((doc.specific or {})["task_json"])
        scores = score_batch([row] * len(model_response.text), model_response.text)
        values = [score.value for score in scores if not score.masked]
        return {"score": _mean(values), "masked": 1 - len(values) / len(scores) if scores else 1.0}


def metric() -> SampleLevelMetricGrouping:
    """The metrics `score`, whose mean is over what could be judged, and `masked`, the share of what could not."""
    return SampleLevelMetricGrouping(
        metric_name=["score", "masked"],
        higher_is_better={"score": True, "masked": False},
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=Verdict(),
        corpus_level_fn={"score": _mean, "masked": _mean},
    )


def _mean(values: Sequence[float]) -> float:
    """The mean of those that are numbers; nan where there is none."""
    known = [float(value) for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
