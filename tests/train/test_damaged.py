"""Damaged files, folders that cannot be written, broken task sources and engines: a message that says what to change, and nothing is lost."""

import json
import os
import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import sums
from train.small_models import small_model

import rlgym
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import ModelError, load_model
from rlgym.train.rollout.engines.native import NativeEngine
from rlgym.train.rollout.scoring import ScoringJob, make_pool
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

LAST = "checkpoints/1-rl-0000002"


def finished_jobs(pool):
    results = []
    while pool.pending:
        results += pool.done(wait=True)
    return results


def configuration(model, out, max_new_tokens=8):
    algorithm = {"advantage": "dr_grpo", "filter_zero_std": False}
    given = sums(
        "", out, rollout={"max_new_tokens": max_new_tokens}, compute={"peak_tflops": 1.0}, log={"preferences": True}, algorithm=algorithm
    )
    return Config.from_dict(given | {"model": model if isinstance(model, dict) else str(model)})


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32)
    return folder


@pytest.fixture(scope="module")
def finished(model, tmp_path_factory):
    """The folder of a run of two steps, with a checkpoint of each."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    train(configuration(model, folder))
    return folder


@pytest.fixture
def copied(finished, model, tmp_path):
    """A copy of that run, and the configuration that resumes it."""
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    config = configuration(model, folder)
    (folder / "config.json").write_text(config.model_dump_json())
    return folder, config


@pytest.mark.parametrize("content", [b"", b"\x80" * 300, None], ids=["empty", "overwritten", "cut"])
@pytest.mark.parametrize("name", ["state.pt", "state.json", "model/model.safetensors", "model/config.json"])
def test_a_damaged_checkpoint_is_named_and_without_it_the_run_resumes(copied, finished, name, content):
    folder, config = copied
    file = folder / LAST / name
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2] if content is None else content)
    with pytest.raises(TrainError, match=r"the checkpoint '.*rl-0000002' is damaged \(.*\): remove it to resume from the previous one"):
        train(config)
    shutil.rmtree(folder / LAST)
    train(config)
    assert (folder / "metrics.jsonl").read_bytes() == (finished / "metrics.jsonl").read_bytes()


def test_a_damaged_adapter_is_named(model, tmp_path):
    config = configuration({"path": str(model), "lora": {"rank": 2}}, tmp_path / "run")
    train(config)
    file = tmp_path / "run" / LAST / "adapter" / "adapter_model.safetensors"
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(TrainError, match=r"the adapter in '.*' cannot be loaded .*: remove the checkpoint to resume from the previous one"):
        train(config)


def test_a_damaged_model_folder_is_named(model, tmp_path):
    shutil.copytree(model, tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").write_bytes(b"\x80" * 100)
    with pytest.raises(ModelError, match=r"model\.safetensors is damaged \(.*\): download or copy the model again"):
        load_model(tmp_path / "model")


def test_a_log_that_was_cut_keeps_its_whole_lines(copied):
    folder, config = copied
    lines = (folder / "metrics.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "metrics.jsonl").write_bytes(lines[0][:-10])
    shutil.rmtree(folder / LAST)
    train(config)
    assert (folder / "metrics.jsonl").read_bytes() == lines[1]
    assert [line["step"] for line in read_lines(folder / "metrics.jsonl")] == [2]


def test_a_resumed_run_writes_no_pair_of_responses_twice(model, tmp_path, monkeypatch):
    from train.scripted import answer, knowing

    knowing(monkeypatch, lambda asked: answer(asked.key % 2, asked))
    config = configuration(model, tmp_path / "run", max_new_tokens=40)
    train(config)
    before = (tmp_path / "run" / "preferences.jsonl").read_bytes()
    assert len(before.splitlines()) == 6
    shutil.rmtree(tmp_path / "run" / LAST)
    train(config)
    assert (tmp_path / "run" / "preferences.jsonl").read_bytes() == before


def test_a_folder_that_cannot_be_written_is_refused_before_the_model_is_loaded(model, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr("rlgym.train.run.load_policy_model", lambda *_: pytest.fail("the model was loaded"))
    with pytest.raises(TrainError, match=r"output_dir='.*file/run' cannot be written: '.*file' is no folder that this user may write to"):
        train(configuration(model, tmp_path / "file" / "run"))
    monkeypatch.setattr(os, "access", lambda place, mode: place != tmp_path)
    with pytest.raises(TrainError, match=r"output_dir='.*run' cannot be written"):
        train(configuration(model, tmp_path / "run"))


def test_checkpoints_that_cannot_be_written_for_want_of_a_folder_do_not_ask_for_disk_space(copied):
    folder, config = copied
    shutil.rmtree(folder / "checkpoints")
    (folder / "checkpoints").write_text("not a folder")
    with pytest.raises(
        TrainError, match=r"cannot be written \(.*Not a directory.*\): make '.*checkpoints' a folder that can be written; the same"
    ):
        train(config)


def test_a_task_that_cannot_be_created_ends_the_run_and_is_never_masked(model, tmp_path, monkeypatch):
    def broken(rng, knobs):
        raise KeyError("table")

    declared = rlgym.environment("chain_sum")
    monkeypatch.setitem(declared.__dict__, "generate", broken)
    with pytest.raises(
        TrainError, match=r"chain_sum cannot create the task of seed \d+ at level 0, because it raised KeyError: 'table' \(line"
    ):
        train(configuration(model, tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_also_in_a_scoring_process(tmp_path):
    (tmp_path / "broken_source.py").write_text(
        "import rlgym\n\n\ndef broken(rng, knobs):\n    raise KeyError('table')\n\n\nrlgym.environment('chain_sum').__dict__['generate'] = broken\n"
    )
    pool = make_pool(1, 60.0)
    try:
        pool.submit(
            [ScoringJob(0, TaskSpec("chain_sum", 0.0, 1, "train"), TaskSettings(0, 0.1, plugins=(str(tmp_path / "broken_source.py"),)))]
        )
        with pytest.raises(TrainError, match=r"chain_sum cannot create the task .* KeyError: 'table' \(line 5 of broken_source\.py\)"):
            finished_jobs(pool)
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("method", "calls", "error", "when"),
    [
        ("step", 3, ValueError("no such row"), "while it sampled: ValueError: no such row"),
        ("step", 3, MemoryError(), "while it sampled: MemoryError"),
        ("submit", 20, RuntimeError("lost"), "when it got a prompt: RuntimeError: lost"),
        ("update_weights", 2, RuntimeError("lost"), "while it loaded weights: RuntimeError: lost"),
    ],
)
def test_an_engine_that_fails_in_any_way_is_named_and_the_run_resumes(model, finished, tmp_path, monkeypatch, method, calls, error, when):
    works, called = getattr(NativeEngine, method), []

    def fails(engine, *given, **named):
        called.append(method)
        if len(called) > calls:
            raise error
        return works(engine, *given, **named)

    config = configuration(model, tmp_path / "run")
    monkeypatch.setattr(NativeEngine, method, fails)
    with pytest.raises(TrainError, match=rf"the rollout engine \(rollout\.engine, NativeEngine\) failed {when}"):
        train(config)
    monkeypatch.undo()
    train(config)
    assert (tmp_path / "run" / "metrics.jsonl").read_bytes() == (finished / "metrics.jsonl").read_bytes()
    assert json.loads((tmp_path / "run" / LAST / "state.json").read_text())["step"] == 2
