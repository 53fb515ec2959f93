"""Task folders for lighteval, run by its own pipeline."""

from __future__ import annotations

import json
import math
import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lighteval", reason="lighteval is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the package and of what it stands on

from adapters.agreement import KINDS, RowError, cases, damaged, page, rows  # noqa: E402
from adapters.planted import broken_verifier  # noqa: E402
from lighteval.logging.evaluation_tracker import EvaluationTracker  # noqa: E402
from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig  # noqa: E402
from lighteval.models.model_output import ModelResponse  # noqa: E402
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters  # noqa: E402

import rlgym  # noqa: E402
from rlgym.adapters.lighteval import write_rows, write_tasks  # noqa: E402
from rlgym.dataset import sample  # noqa: E402
from rlgym.evaluate.logs.lighteval_log import export_lighteval, import_lighteval  # noqa: E402


class Says(DummyModel):
    """A model that answers each prompt with a scripted response."""

    def __init__(self, by_prompt: dict[str, str], folder: Path) -> None:
        super().__init__(DummyModelConfig(cache_dir=str(folder / "cache")))
        self.by_prompt = by_prompt

    def greedy_until(self, docs: list[Any]) -> list[ModelResponse]:
        return [ModelResponse(text=[self.by_prompt.get(doc.query, "")]) for doc in docs]


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are read through `datasets`, which keeps a copy; and one of lighteval's own tasks downloads a file when it is listed."""
    import datasets
    import requests

    nothing = requests.Response()
    nothing.status_code = 503
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(requests, "get", lambda *given, **more: nothing)


def run(folder: Path, tasks: str, text: dict[str, str], details: bool = False) -> Any:
    pipeline = Pipeline(
        tasks=tasks,
        pipeline_parameters=PipelineParameters(ParallelismManager.NONE, custom_tasks_directory=str(folder / "tasks.py"), bootstrap_iters=0),
        evaluation_tracker=EvaluationTracker(output_dir=str(folder / "results"), save_details=details),
        model=Says(text, folder),
    )
    pipeline.evaluate()
    return pipeline


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_rlgym(kind: str, tmp_path: Path, record: Any) -> None:
    given = {case.row["id"]: case for case in cases(False) if case.kind == kind}
    tasks = write_rows(tmp_path, [case.row for case in given.values()])
    pipeline = run(tmp_path, tasks, {case.row["messages"][0]["content"]: case.response for case in given.values()})
    scores = {}
    for details in pipeline.evaluation_tracker.details_logger.details.values():
        scores |= {detail.doc.specific["id"]: detail.metric["score"] for detail in details}
    assert scores == {identity: case.score for identity, case in given.items()}
    found = pipeline.get_results()["results"]
    for name in {case.row["env"] for case in given.values()}:
        mine = [case.score for case in given.values() if case.row["env"] == name]
        assert found[f"rlgym:{name}:0"]["score"] == pytest.approx(sum(mine) / len(mine))
    record(
        "lighteval",
        "lighteval",
        scored=len(given),
        agreement=f"{len(cases(False))} single-turn cases through Pipeline.evaluate",
        single="Pipeline.evaluate",
        many="refused: lighteval asks once",
        tools="refused: lighteval asks once",
    )


def test_its_output_is_a_run_and_runs_are_its_output(tmp_path: Path) -> None:
    dealt = list(sample(["chain_sum", "gcd_lcm"], 8))
    tasks = write_rows(tmp_path, dealt)
    wrong = dealt[0]["id"]
    texts = {row["messages"][0]["content"]: "" if row["id"] == wrong else row["oracle_response"] for row in dealt}
    run(tmp_path, tasks, texts, details=True).save_and_push_results()
    data = import_lighteval(tmp_path / "results", tmp_path / "run")
    assert {row["id"]: row["value"] for row in data.rows} == {row["id"]: float(row["id"] != wrong) for row in dealt}
    assert {row["id"]: row["level"] for row in data.rows} == {row["id"]: row["level"] for row in dealt}
    export_lighteval(tmp_path / "run", tmp_path / "log")
    tracker = EvaluationTracker(output_dir=str(tmp_path / "log"))
    tracker.general_config_logger.model_name = data.info["model"]["name"]
    read = tracker.load_details_datasets("last", ["rlgym:chain_sum", "rlgym:gcd_lcm"])
    scores = {detail["doc"]["id"]: detail["metric"]["score"] for details in read.values() for detail in details}
    assert scores == {row["id"]: row["value"] for row in data.rows}


def test_what_is_not_the_models_fault_is_left_out(tmp_path: Path) -> None:
    dealt = list(sample(["chain_sum", "gcd_lcm"], 8))
    tasks = write_rows(tmp_path, dealt)
    with broken_verifier("chain_sum"):
        pipeline = run(tmp_path, tasks, {row["messages"][0]["content"]: row["oracle_response"] for row in dealt})
    found = pipeline.get_results()["results"]
    assert math.isnan(found["rlgym:chain_sum:0"]["score"])
    assert found["rlgym:chain_sum:0"]["masked"] == 1
    assert found["rlgym:gcd_lcm:0"] == {"score": 1, "masked": 0}


@pytest.mark.parametrize(("row", "identity"), damaged())
def test_damaged_rows_are_refused(row: dict[str, Any], identity: str, tmp_path: Path) -> None:
    with pytest.raises(RowError, match=identity):
        write_rows(tmp_path, [rows(False)[0], row])


def test_a_damaged_file_stops_the_evaluation(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path, "chain_sum", 2)
    file = tmp_path / "chain_sum" / "test.jsonl"
    docs = [json.loads(line) for line in file.read_text().splitlines()]
    docs[0]["task_json"] = docs[0]["task_json"].replace('"version": 1', '"version": 99')
    file.write_text("\n".join(map(json.dumps, docs)))
    with pytest.raises(RowError, match=docs[0]["id"]):
        run(tmp_path, tasks, {})


def test_many_turns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(rlgym.RlgymError, match="many turns"):
        write_tasks(tmp_path, "nim", 1)


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], record: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.py").write_text(page("lighteval"))
    runpy.run_path(str(tmp_path / "page.py"))
    assert capsys.readouterr().out.split()[-1] in ("0", "0.0")
    record("lighteval", "lighteval", example="the page's example")
