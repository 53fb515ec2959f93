"""Runs as Inspect's logs, read by Inspect itself, and Inspect's logs as runs."""

import gc
import json

import pytest

pytest.importorskip("inspect_ai", reason="needs inspect-ai")

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.adapters.inspect import from_rows
from rlgym.cli import app
from rlgym.evaluate.compare import compare
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
from rlgym.evaluate.episodes.results import load
from rlgym.evaluate.logs.inspect_log import export_inspect, import_inspect
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.report.html_report import write_report
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names

pytestmark = pytest.mark.filterwarnings("ignore")  # Inspect calls functions that other packages have deprecated


@pytest.fixture(autouse=True)
def collected():
    """Inspect leaves streams open; they are collected here, where its warnings are ignored."""
    yield
    gc.collect()


SUITE = from_names("chain_sum,gcd_lcm,higher_lower,calculator_and_lookup", levels=[0.0, 0.3], count=8)


def constant(text):
    output = ModelOutput.from_content("mockllm", text)
    output.usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5)
    return get_model("mockllm/model", custom_outputs=lambda *asked: output)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "oracle"
    evaluate(EvaluationPlan(SUITE, BuiltinModel("oracle", SUITE.rows), EpisodeConfig(Sampling(samples=2))), folder)
    log = folder / EPISODE_LOG
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    rows[3] |= {"value": 0.0, "right": False, "masked": True, "outcome": "error", "reason": "no sandbox"}
    rows[5] |= {"value": 0.0, "right": False, "outcome": "wrong", "reason": "too low"}
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "results.parquet").unlink()
    return folder


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_inspect_reads_an_exported_run_and_it_comes_back_unchanged(run, tmp_path, ending):
    file = export_inspect(run, tmp_path / f"log.{ending}")
    log, rows = read_eval_log(str(file)), load(run).rows
    assert (log.status, len(log.samples), log.eval.config.epochs) == ("success", 16, 2)
    score = log.results.scores[0]
    assert (score.scored_samples, score.unscored_samples) == (15, 1)
    means = {}
    for row in rows:
        if not row["masked"]:
            means.setdefault(row["id"], []).append(row["value"])
    assert score.metrics["mean"].value == pytest.approx(sum(sum(v) / len(v) for v in means.values()) / len(means))
    by_key = {(sample.id, sample.epoch - 1): sample for sample in log.samples}
    for row in rows:
        sample = by_key[row["id"], row["sample"]]
        assert [message.role for message in sample.messages] == [message["role"] for message in json.loads(row["messages"])]
        assert sample.scores["verdict"].metadata["outcome"] == row["outcome"]
    back = import_inspect(file, tmp_path / "back")
    assert [{**row, "finish_reason": ""} for row in back.rows] == [{**row, "finish_reason": ""} for row in rows]
    assert back.info == load(run).info
    assert compare(run, tmp_path / "back").change == 0


def test_a_log_of_inspect_is_a_run_that_can_be_compared(run, tmp_path):
    task = from_rows(SUITE.rows, name="suite", native_tools=False)
    [log] = eval(task, model=constant("<answer>7</answer>"), log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success"
    data = import_inspect(log.location, tmp_path / "run")
    assert {row["id"] for row in data.rows} == {row["id"] for row in SUITE.rows}
    by_id = {row["id"]: row for row in SUITE.rows}
    for row in data.rows:
        assert (row["env"], row["level"], row["domain"], row["kind"]) == tuple(
            by_id[row["id"]][key] for key in ("env", "level", "domain", "kind")
        )
        assert row["turns"] >= 1
        assert row["completion_tokens"] == 2 * row["turns"]
    found = compare(run, tmp_path / "run", common=True)
    assert found.to_dict()["tasks"] == 8
    assert found.change < -0.5
    assert write_report(tmp_path / "run").exists()


def test_logs_of_other_tasks_are_read(tmp_path):
    samples = [Sample(input=f"{n} + 1?", target=str(n + 1), id=str(n)) for n in range(4)]
    [log] = eval(
        Task(dataset=samples, scorer=match(), name="plus"), model=constant("The answer is 3"), log_dir=str(tmp_path), display="none"
    )
    data = import_inspect(log.location, tmp_path / "run")
    assert [(row["id"], row["value"], row["env"]) for row in data.rows] == [
        ("0", 0, "plus"),
        ("1", 0, "plus"),
        ("2", 1, "plus"),
        ("3", 0, "plus"),
    ]
    with pytest.raises(RlgymError, match="has the scores match: name one of them"):
        import_inspect(log.location, tmp_path / "other", scorer="verdict")
    with pytest.raises(RlgymError, match="holds files"):
        import_inspect(log.location, tmp_path / "run")


def test_the_commands_export_and_import(run, tmp_path):
    done = CliRunner().invoke(app, ["eval", "export", str(run), "--for", "inspect", "--out", str(tmp_path / "log.eval")])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, ["eval", "import", str(tmp_path / "log.eval"), "--out", str(tmp_path / "back")])
    assert done.exit_code == 0, done.output
    assert len(load(tmp_path / "back").rows) == 16
    assert "--for takes inspect or lighteval, got 'x'" in str(
        CliRunner().invoke(app, ["eval", "export", str(run), "--for", "x", "--out", "y.eval"]).exception
    )


def test_errors_say_what_is_wrong(run, tmp_path):
    with pytest.raises(RlgymError, match=r"ends in \.eval or \.json"):
        export_inspect(run, tmp_path / "log.csv")
