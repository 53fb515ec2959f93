"""Runs as lighteval's results and details, and those as runs."""

import json
import math

import pyarrow
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.dataset import to_task_json
from rlgym.evaluate.compare import compare
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
from rlgym.evaluate.episodes.results import load
from rlgym.evaluate.logs.lighteval_log import export_lighteval, import_lighteval
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.report.html_report import write_report
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names

SUITE = from_names("chain_sum,gcd_lcm,higher_lower", levels=[0.0, 0.3], count=6)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of 6 tasks with 2 samples; one episode is masked, and both samples of another task."""
    folder = tmp_path_factory.mktemp("runs") / "oracle"
    evaluate(EvaluationPlan(SUITE, BuiltinModel("oracle", SUITE.rows), EpisodeConfig(Sampling(samples=2))), folder)
    log = folder / EPISODE_LOG
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    first, second = rows[0]["id"], next(row["id"] for row in rows if row["id"] != rows[0]["id"])
    for row in rows:
        if row["id"] == second or (row["id"], row["sample"]) == (first, 1):
            row |= {"value": 0.0, "right": False, "masked": True, "outcome": "error", "reason": "no sandbox"}
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "results.parquet").unlink()
    return folder


def test_an_exported_run_comes_back_unchanged(run, tmp_path):
    file = export_lighteval(run, tmp_path / "log")
    results = json.loads(file.read_text())
    assert set(results["results"]) == {"rlgym:chain_sum|0", "rlgym:gcd_lcm|0", "rlgym:higher_lower|0", "all"}
    masked = sum(metrics["masked"] for name, metrics in results["results"].items() if name != "all")
    assert masked > 0
    assert all(metrics["score"] == 1 for metrics in results["results"].values())
    details = [detail for table in (tmp_path / "log").rglob("*.parquet") for detail in pyarrow.parquet.read_table(table).to_pylist()]
    assert len(details) == 6
    assert sum(math.isnan(detail["metric"]["score"]) for detail in details) == 1
    assert all(len(detail["model_response"]["text"]) == 2 for detail in details)
    back = import_lighteval(tmp_path / "log", tmp_path / "back")
    assert sorted(back.rows, key=json.dumps) == sorted(load(run).rows, key=json.dumps)
    assert back.info == load(run).info
    assert compare(run, tmp_path / "back").change == 0


def details_of_lighteval(folder, documents, task="gsm8k|0", model="org/small", date="2026-11-20T10-00-00.5", **generation):
    """An output folder as lighteval 0.13 writes it."""
    (folder / "results" / model).mkdir(parents=True, exist_ok=True)
    general = {"model_name": model, "model_config": {"model_name": model, "generation_parameters": generation}}
    (folder / "results" / model / f"results_{date}.json").write_text(json.dumps({"config_general": general, "results": {}}))
    place = folder / "details" / model / date
    place.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(documents), place / f"details_{task}_{date}.parquet")


def document(query, metric, texts, specific=None):
    doc = {"query": query, "choices": ["4"], "gold_index": 0, "id": query, "specific": specific}
    return {
        "doc": doc,
        "metric": metric,
        "model_response": {"text": texts, "input_tokens": [1, 2], "output_tokens": [[3, 4, 5]] * len(texts)},
    }


def test_the_details_of_other_tasks_are_read(tmp_path):
    documents = [document("2 + 2?", {"em": 1.0}, ["4"]), document("2 + 3?", {"em": 0.0}, ["4", "6"]), document("?", {"em": math.nan}, [""])]
    details_of_lighteval(tmp_path / "log", documents, temperature=0.7, max_new_tokens=64)
    data = import_lighteval(tmp_path / "log", tmp_path / "run")
    assert [(row["id"], row["env"], row["value"], row["masked"], row["completion_tokens"]) for row in data.rows] == [
        ("gsm8k/2 + 2?", "gsm8k", 1.0, False, 3),
        ("gsm8k/2 + 3?", "gsm8k", 0.0, False, 6),
        ("gsm8k/?", "gsm8k", 0.0, True, 3),
    ]
    assert data.info["sampling"] == {"samples": 1, "temperature": 0.7, "top_p": None, "max_tokens": 64}
    assert data.info["model"] == {"kind": "lighteval", "name": "org/small"}
    assert write_report(tmp_path / "run").exists()


def test_responses_to_our_tasks_are_compared_with_other_runs(run, tmp_path):
    rows = [row for row in SUITE.rows if row["env"] == "chain_sum"]
    documents = [
        document(row["prompt"], {"score": 0.0, "masked": 0.0}, ["7"], {"id": row["id"], "task_json": to_task_json(row)}) for row in rows
    ]
    details_of_lighteval(tmp_path / "log", documents, task="rlgym:chain_sum|0")
    data = import_lighteval(tmp_path / "log", tmp_path / "run")
    assert [(row["id"], row["env"], row["level"], row["domain"]) for row in data.rows] == [
        (row["id"], "chain_sum", row["level"], "arithmetic") for row in sorted(rows, key=lambda row: row["id"])
    ]
    assert compare(run, tmp_path / "run", common=True).change < -0.5


def test_the_latest_results_are_read_and_several_models_are_refused(tmp_path):
    for date, value in (("2026-11-20T10-00-00", 0.0), ("2026-11-21T10-00-00", 1.0)):
        details_of_lighteval(tmp_path / "log", [document("?", {"em": value}, ["4"])], date=date)
    assert import_lighteval(tmp_path / "log", tmp_path / "latest").rows[0]["value"] == 1
    older = tmp_path / "log" / "results" / "org" / "small" / "results_2026-11-20T10-00-00.json"
    assert import_lighteval(older, tmp_path / "older").rows[0]["value"] == 0
    details_of_lighteval(tmp_path / "log", [document("?", {"em": 1.0}, ["4"])], model="other")
    with pytest.raises(RlgymError, match="holds results of org/small, other"):
        import_lighteval(tmp_path / "log", tmp_path / "both")


def test_errors_say_what_is_wrong(run, tmp_path):
    with pytest.raises(RlgymError, match="not an output folder of lighteval"):
        import_lighteval(tmp_path, tmp_path / "run")
    details_of_lighteval(tmp_path / "two", [document("?", {"em": 1.0, "f1": 0.5}, ["4"])])
    with pytest.raises(RlgymError, match="has the metrics em, f1: name one of them"):
        import_lighteval(tmp_path / "two", tmp_path / "run")
    assert import_lighteval(tmp_path / "two", tmp_path / "f1", scorer="f1").rows[0]["value"] == 0.5
    with pytest.raises(RlgymError, match="holds files"):
        import_lighteval(tmp_path / "two", tmp_path / "f1")
    details_of_lighteval(tmp_path / "large", [document("?", {"bleu": 34.0}, ["4"])])
    with pytest.raises(RlgymError, match="scores are read from 0 to 1"):
        import_lighteval(tmp_path / "large", tmp_path / "run")
    details_of_lighteval(tmp_path / "old", [{"predictions": "4"}])
    with pytest.raises(RlgymError, match="has no column doc, metric, model_response"):
        import_lighteval(tmp_path / "old", tmp_path / "run")
    for table in (tmp_path / "old").rglob("*.parquet"):
        table.unlink()
    with pytest.raises(RlgymError, match="--save-details"):
        import_lighteval(tmp_path / "old", tmp_path / "run")


def test_the_commands_export_and_import(run, tmp_path):
    done = CliRunner().invoke(app, ["eval", "export", str(run), "--for", "lighteval", "--out", str(tmp_path / "log")])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, ["eval", "import", str(tmp_path / "log"), "--out", str(tmp_path / "back")])
    assert done.exit_code == 0, done.output
    assert len(load(tmp_path / "back").rows) == 12
    refused = CliRunner().invoke(app, ["eval", "import", str(tmp_path / "log"), "--from", "x", "--out", str(tmp_path / "other")])
    assert "--from takes inspect or lighteval, got 'x'" in str(refused.exception)
