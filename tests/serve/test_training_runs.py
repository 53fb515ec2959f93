"""The service and its page read what the trainer writes: a small run of the trainer itself, and the names in the page and in the fixture."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

pytest.importorskip("torch", reason="the trainer needs torch")

from fastapi import FastAPI
from fastapi.testclient import TestClient
from serve.tiny_runs import training
from train.small_models import small_model

from rlgym.serve.api.run_routes import create_run_router
from rlgym.serve.runs import run_train
from rlgym.serve.settings import Settings
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import FILES, read_lines
from rlgym.train.logging.plots import LABELS
from rlgym.train.loop import train

ENVIRONMENT, STEPS, SFT_STEPS = "chain_sum", 2, 2


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A directory with one run of the trainer, `run`."""
    root, start = tmp_path_factory.mktemp("runs"), tmp_path_factory.mktemp("start")
    small_model(start, num_layers=1, hidden_size=32, max_seq_len=512, loud=1.0)
    config = {
        "model": str(start),
        "output_dir": str(root / "run"),
        "tasks": [{"names": [ENVIRONMENT], "levels": [0.0]}],
        "steps": STEPS,
        "sft": {"steps": SFT_STEPS, "batch_size": 2, "warmup_steps": 1},
        "rollout": {"groups_per_step": 2, "group_size": 2, "max_new_tokens": 8, "max_seq_len": 500},
        "algorithm": {"kl_coef": 0.01, "filter_zero_std": False},
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 2},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }
    train(Config.from_dict(config))
    return root


@pytest.fixture(scope="module")
def client(root):
    app = FastAPI()
    app.include_router(create_run_router(Settings(runs_dir=str(root))))
    with TestClient(app) as opened:
        yield opened


@pytest.fixture(scope="module")
def script():
    return (files("rlgym.serve") / "page" / "run_train.js").read_text(encoding="utf-8")


def _quoted(script, constant):
    """The names of metrics in the declaration of a constant of the page: the first name in each row of a table, or every name of a list."""
    declaration = re.search(rf"^const {constant} = (.*?);$", script, re.M | re.S)
    assert declaration, f"run_train.js declares no {constant}"
    table = re.findall(r'^\s*\["(\w+)"', declaration[1], re.M)
    return set(table or re.findall(r'"(\w+)"', declaration[1]))


def test_the_service_reads_a_run_of_the_trainer(client):
    (listed,) = client.get("/v1/runs").json()["runs"]
    assert (listed["kind"], listed["finished"], listed["phase"], listed["step"], listed["steps"]) == ("train", True, "rl", STEPS, STEPS)
    run = client.get("/v1/runs/run").json()
    metrics = run["metrics"]
    assert metrics["phase"] == ["sft"] * SFT_STEPS + ["rl"] * STEPS
    assert metrics["step"] == [*range(1, SFT_STEPS + 1), *range(1, STEPS + 1)]
    assert all(isinstance(value, float) for value in metrics["loss"])
    assert run["solve_rate"] == metrics["solve_rate"][-1] is not None
    assert [(line["label"], line["phase"], line["step"]) for line in run["evaluations"]] == [
        ("start", "sft", 0),
        ("middle", "rl", 0),
        ("end", "rl", STEPS),
    ]
    assert {cell for line in run["evaluations"] for cell in line["accuracy"]} == {f"{ENVIRONMENT}@0", "mean"}


def test_every_field_of_the_configuration_that_is_shown_is_written(root, client):
    written = json.loads((root / "run" / "config.json").read_text(encoding="utf-8"))
    assert set(run_train.SHOWN_CONFIG) <= set(written)
    shown = client.get("/v1/runs/run").json()["config"]
    assert shown == {name: written[name] for name in run_train.SHOWN_CONFIG}
    assert shown["algorithm"]["advantage"]
    assert shown["algorithm"]["loss"]


def test_the_transcripts_of_the_trainer_are_filtered_and_shown(root, client):
    lines = read_lines(root / "run" / run_train.TRANSCRIPTS_FILE)
    page = client.get("/v1/runs/run/transcripts", params={"env": ENVIRONMENT, "level": 0, "limit": 200}).json()
    assert page["total"] == len(lines) > 0
    for shown, line in zip(page["transcripts"], lines[::-1], strict=True):
        assert shown["env"] == ENVIRONMENT
        assert [[message["role"], message["content"]] for message in shown["messages"]] == line["messages"]
        assert (shown["step"], shown["reward"], shown["value"]) == (line["step"], line["reward"], line["score"]["value"])
    outcomes = {line["score"]["outcome"] for line in lines}
    found = {outcome: client.get("/v1/runs/run/transcripts", params={"outcome": outcome}).json()["total"] for outcome in outcomes}
    assert sum(found.values()) == len(lines)
    assert min(found.values()) > 0


def test_the_files_are_those_of_the_trainer():
    shown = {run_train.METRICS_FILE, run_train.EVALUATIONS_FILE, run_train.TRANSCRIPTS_FILE}
    assert shown == set(FILES) - {"prefix_values.jsonl", "preferences.jsonl", "proposals.jsonl"}  # which are for exports, and not shown


def test_the_page_names_metrics_and_evaluations_of_the_trainer(client, script):
    run = client.get("/v1/runs/run").json()
    assert len(_quoted(script, "FIRST")) >= 5
    assert _quoted(script, "FIRST") <= set(run["metrics"])
    assert _quoted(script, "SHARES") <= set(run["metrics"])
    for name in _quoted(script, "SHARES"):
        assert all(0 <= value <= 1 for value in run["metrics"][name] if value is not None), name
    titles = re.search(r"^const LABELS = \{(.*?)\};$", script, re.M)
    assert titles
    assert set(re.findall(r"(\w+): \"", titles[1])) == set(LABELS)


def test_the_fixture_has_the_format_of_the_trainer(root, tmp_path):
    training(tmp_path / "made")
    written, client_ = root / "run", tmp_path / "made"
    assert set(json.loads((client_ / "config.json").read_text())) <= set(json.loads((written / "config.json").read_text()))
    real, fake = read_lines(written / "metrics.jsonl"), read_lines(client_ / "metrics.jsonl")
    assert set(fake[0]) == set(real[0])
    plain = {name for line in fake[1:] for name in line if not name.startswith("outcome/")}
    assert plain <= {name for line in real for name in line}
    assert any(name.startswith("outcome/") for name in real[-1])
    for file in ("evaluations.jsonl", "transcripts.jsonl"):
        assert set(read_lines(client_ / file)[0]) == set(read_lines(written / file)[0]), file
    (fake_score, real_score) = (read_lines(folder / "transcripts.jsonl")[0]["score"] for folder in (client_, written))
    assert set(fake_score) == set(real_score)
    (fake_mean, real_mean) = (read_lines(folder / "evaluations.jsonl")[-1]["accuracy"]["mean"] for folder in (client_, written))
    assert set(fake_mean) <= set(real_mean)
