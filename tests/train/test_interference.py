"""How much an update changes the likelihood of right solutions of tasks that it does not train on."""

import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import by_hand, small_model

from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.model.pretrained import load_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.setup import task_settings
from rlgym.train.sft.data import build_example
from rlgym.train.tasks.curriculum import eval_tasks


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, max_seq_len=400, loud=1.0)
    return folder


def settings(start, out, steps=2, **more):
    rollout = {"max_seq_len": 350}
    return Config.from_dict(sums(start, out, log={"interference_tasks": 3}, rollout=rollout, steps=steps, update={"lr": 1e-2}, **more))


def test_it_is_the_change_of_the_oracles_solutions_of_held_out_tasks(start, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.key % 4 == 0, request))
    config = settings(start, tmp_path / "run")
    train(config)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    chat = Chat(load_tokenizer(start))
    examples = [build_example(chat, task, task_settings(config), explain=True) for task in eval_tasks(config.tasks, 3)]
    folders = [start, *(saved / "model" for saved in list_checkpoints(tmp_path / "run" / "checkpoints"))]
    likelihoods = []
    for folder in folders:
        network = load_model(folder)
        rows = [by_hand(network, example.tokens)[torch.tensor(example.loss_mask[1:])] for example in examples]
        likelihoods.append(torch.stack([row.mean() for row in rows]))
    assert len(likelihoods) == 3
    for line, before, after in zip(lines, likelihoods, likelihoods[1:], strict=False):
        assert line["interference"] == pytest.approx(float((after - before).mean()), abs=1e-4)
        assert line["interference_share"] == pytest.approx(float((after < before).float().mean()))
        assert abs(line["interference"]) > 1e-3
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[1:]:
        shutil.rmtree(saved)
    train(config)
    again = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["interference"] for line in again] == pytest.approx([line["interference"] for line in lines], abs=1e-5)


def test_an_update_that_learns_nothing_interferes_with_nothing(start, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(False, request))
    train(settings(start, tmp_path / "run", steps=1))
    [line] = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["updates"], line["interference"], line["interference_share"]) == (0, 0, 0)
