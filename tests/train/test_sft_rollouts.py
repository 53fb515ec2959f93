"""Supervised examples from the responses of an evaluation."""

import json
import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

import rlgym
from rlgym.dataset import row_without_oracle
from rlgym.dataset.rows import content_hash, split_of
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.episodes.results import _table_bytes, load
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.steps.export import export_steps
from rlgym.evaluate.steps.records import StepRecord
from rlgym.evaluate.suites import from_names
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.setup import task_settings
from rlgym.train.sft.data import SftExample
from rlgym.train.sft.rollouts import RolloutData, shortest
from rlgym.train.tasks.spec import TaskSpec

SUITE = from_names("chain_sum,higher_lower", levels=[0.0], count=12)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A model's folder, and evaluations of a model that is always right and one that is always wrong."""
    folder = tmp_path_factory.mktemp("runs")
    small_model(folder / "model", num_layers=1, hidden_size=32, max_seq_len=2048)
    for kind in ("oracle", "mistake"):
        evaluate(EvaluationPlan(SUITE, BuiltinModel(kind, SUITE.rows), EpisodeConfig(Sampling())), folder / kind)
    return folder


def config(runs, out="out", seq_len=2000, held_out=0.1, **sft):
    given = {"steps": 2, "batch_size": 4, "warmup_steps": 0} | sft
    return Config.from_dict(
        {
            "model": str(runs / "model"),
            "output_dir": str(out),
            "tasks": [{"names": ["chain_sum"]}],
            "held_out_fraction": held_out,
            "steps": 0,
            "sft": given,
            "rollout": {"max_new_tokens": 4, "max_seq_len": seq_len, "group_size": 2, "groups_per_step": 1},
            "update": {"tokens_per_micro_batch": 8000},
            "scoring": {"num_workers": 0},
            "evaluation": {"tasks_per_level": 1},
            "compute": {"device": "cpu"},
        }
    )


def data(runs, **options):
    chosen = config(runs, **options)
    chat = Chat(load_tokenizer(chosen.model.path))
    return RolloutData(chosen, chat, task_settings(chosen)), chat


def test_responses_of_another_model_are_kept_by_their_verdict(runs):
    for kind, keep in (("oracle", "right"), ("mistake", "wrong"), ("mistake", "all")):
        source, chat = data(runs, rollouts=str(runs / kind), keep=keep)
        assert {example.task.name for example in source.examples} == {"chain_sum", "higher_lower"}
        for example in source.examples:
            written = chat.decode([token for token, mine in zip(example.tokens, example.loss_mask, strict=True) if mine])
            if example.task.name == "chain_sum":
                task = rlgym.task("chain_sum", example.task.seed, level=0.0)
                assert (rlgym.score(task, written.removesuffix(chat.decode([example.tokens[-1]]))).value == 1) == (kind == "oracle")
    with pytest.raises(TrainError, match=r"of \d+ rows 0 are of tasks for training with sft\.keep='right'"):
        data(runs, rollouts=str(runs / "mistake"))


def test_games_carry_a_loss_on_every_response_and_on_nothing_else(runs):
    source, _ = data(runs, rollouts=str(runs / "oracle"))
    game = next(example for example in source.examples if example.task.name == "higher_lower")
    starts = [place for place in range(1, len(game.tokens)) if game.loss_mask[place] and not game.loss_mask[place - 1]]
    (row,) = [row for row in load(runs / "oracle").rows if row["env"] == "higher_lower" and row["seed"] == game.task.seed]
    assert len(starts) == row["turns"]
    assert not game.loss_mask[0]
    assert game.loss_mask[-1]


def test_held_out_tasks_are_left_out(runs):
    rows = [row for row in load(runs / "oracle").rows if row["env"] == "chain_sum"]

    def trained(fraction):
        source, _ = data(runs, rollouts=str(runs / "oracle"), held_out=fraction)
        return {example.task.seed for example in source.examples if example.task.name == "chain_sum"}

    for fraction in (0.1, 0.5):
        splits = {"train": 1 - fraction, "test": fraction}
        prompts = {row["seed"]: rlgym.task("chain_sum", row["seed"], level=0.0).prompt for row in rows}
        expected = {
            seed for seed, prompt in prompts.items() if split_of(content_hash({"env": "chain_sum", "prompt": prompt}), splits) == "train"
        }
        assert trained(fraction) == expected
    assert len(trained(0.5)) < len(rows)


def chains(file, seeds, name="chain_sum"):
    """Exported critiques of right responses to these tasks, one true and one that is not."""
    said = "Step 1: right"
    found = []
    for seed in seeds:
        task, row = rlgym.task(name, seed, level=0.0), row_without_oracle(name, seed, 0.0)
        text = f"<answer>{rlgym.environment(name).solve(task)}</answer>"
        plain = {each: row[each] for each in ("id", "env", "version", "level", "seed")}
        record = StepRecord(**plain, sample=0, prompt=task.prompt, response=text, right=True, ends=(len(text),))
        found.append(record.with_labels("exact", [1.0]).with_labels("judge", [0.5], [said, "Step 1: wrong"]))
    exported = export_steps(found, "chains", "exact")
    file.write_text("".join(json.dumps(row) + "\n" for row in exported), encoding="utf-8")
    return said


def test_exported_critiques_are_learned_and_those_of_held_out_tasks_are_not(runs, tmp_path):
    said = chains(tmp_path / "chains.jsonl", range(24))
    source, chat = data(runs, rollouts=str(tmp_path / "chains.jsonl"), held_out=0.5)
    prompts = {seed: rlgym.task("chain_sum", seed, level=0.0).prompt for seed in range(24)}
    train_seeds = {
        seed
        for seed, prompt in prompts.items()
        if split_of(content_hash({"env": "chain_sum", "prompt": prompt}), {"train": 0.5, "test": 0.5}) == "train"
    }
    assert {example.task.seed for example in source.examples} == train_seeds
    assert 0 < len(train_seeds) < 24
    for example in source.examples:
        assert prompts[example.task.seed] in chat.decode([t for t, own in zip(example.tokens, example.loss_mask, strict=True) if not own])
        assert chat.decode([token for token, own in zip(example.tokens, example.loss_mask, strict=True) if own]).startswith(said)
    train(config(runs, tmp_path / "run", rollouts=str(tmp_path / "chains.jsonl"), lr=1e-2, steps=4))
    losses = [line["loss"] for line in read_lines(tmp_path / "run" / "metrics.jsonl") if line.get("phase") == "sft"]
    assert losses[-1] < losses[0]


def test_messages_without_their_task_are_refused(runs, tmp_path):
    (tmp_path / "chains.jsonl").write_text('{"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "a"}]}\n')
    with pytest.raises(
        TrainError,
        match=r"line 1 of sft.rollouts='.*chains.jsonl' lacks env, id, knobs, level, masked, right, seed, version: write the file",
    ):
        data(runs, rollouts=str(tmp_path / "chains.jsonl"))


def test_of_every_task_the_shortest_right_response_is_imitated():
    def example(seed, tokens, name="chain_sum"):
        mask = (False, False, *([True] * tokens))
        return SftExample(TaskSpec(name, 0.0, 0, "train", seed=seed), tuple(range(len(mask))), mask)

    given = [example(1, 5), example(2, 4), example(1, 3), example(1, 3, "other"), example(2, 4), example(1, 4)]
    assert shortest(given) == [given[2], given[1], given[3]]


def test_a_run_can_be_restricted_to_short_traces(runs, tmp_path):
    rows = load(runs / "oracle").rows
    rows = [row | {"sample": sample} for row in rows for sample in (0, 1)]
    log = [row | {"messages": longer(row)} if row["sample"] == 0 else row for row in rows]
    folder = tmp_path / "two"
    shutil.copytree(runs / "oracle", folder)
    info = json.loads((folder / "run.json").read_text())
    info["sampling"]["samples"] = 2
    (folder / "run.json").write_text(json.dumps(info))
    (folder / "results.parquet").write_bytes(_table_bytes(log))
    every, _ = data(runs, rollouts=str(folder))
    short, chat = data(runs, rollouts=str(folder), length="shortest")
    assert len(every.examples) == 2 * len(short.examples)
    assert not any("at length" in chat.decode(list(example.tokens)) for example in short.examples)


def longer(row):
    messages = json.loads(row["messages"])
    messages[-1]["content"] = "Now at length, and at length again. " + messages[-1]["content"]
    return json.dumps(messages)


def test_the_step_decides_the_batch_and_long_responses_are_left_out(runs):
    source, _ = data(runs, rollouts=str(runs / "oracle"))
    again, _ = data(runs, rollouts=str(runs / "oracle"))
    assert [source.batch(step) for step in range(3)] == [again.batch(step) for step in range(3)]
    assert source.batch(0) != source.batch(1)
    assert len(source.batch(0)) == 4
    with pytest.raises(TrainError, match=r"none has at most rollout\.max_seq_len=5 tokens"):
        data(runs, rollouts=str(runs / "oracle"), seq_len=5)


def test_a_run_imitates_the_responses_of_an_evaluation(runs, tmp_path):
    train(config(runs, tmp_path / "run", rollouts=str(runs / "oracle"), lr=1e-2, steps=6, batch_size=8))
    losses = [line["loss"] for line in read_lines(tmp_path / "run" / "metrics.jsonl") if line.get("phase") == "sft"]
    assert len(losses) == 6
    assert losses[-1] < losses[0]
