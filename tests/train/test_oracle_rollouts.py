"""The oracle's rollouts in groups of the policy's: how many join, what they are paid, and what is learned from them, in real runs."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.help_cases import LONG, PLAIN, start_model
from train.scripted import alike, answer, knowing, logprobs, note, sums

from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return start_model(tmp_path_factory.mktemp("model") / "start")


@pytest.fixture
def noted(monkeypatch):
    return note(monkeypatch)


@pytest.mark.parametrize("reward", ["score", "smoothed"])
def test_the_oracle_joins_every_group_under_a_controlled_reward(model, tmp_path, monkeypatch, noted, reward):
    knowing(monkeypatch, lambda request: answer(request.key < 2, request))
    algorithm = PLAIN | {"oracle_fraction": 0.25, "oracle_groups": "all", "oracle_reward": reward}
    train(Config.from_dict(sums(model, tmp_path / "run", **LONG, algorithm=algorithm, steps=1)))
    assert read_lines(tmp_path / "run" / "metrics.jsonl")[0]["oracle_rollouts"] == 3
    groups = [[episode for episode in noted[0][0].offered if episode.group == group] for group in range(3)]
    assert [[episode.oracle for episode in group] for group in groups] == [[False] * 3 + [True]] * 3
    # Two of the first group's three own rollouts are right; the other groups have the oracle's alone.
    smoothed = 2 / 3 if reward == "smoothed" else 1
    assert [[episode.reward for episode in group] for group in groups] == [[1, 1, 0, pytest.approx(smoothed)], [0, 0, 0, 1], [0, 0, 0, 1]]


@pytest.mark.parametrize("kind", ["shaped", "multiple"])
def test_the_oracle_takes_a_share_of_failed_groups_and_is_learned_from(model, tmp_path, monkeypatch, noted, kind):
    gathered, gradients = noted
    knowing(monkeypatch, lambda request: answer(False, request))
    algorithm = PLAIN | {"oracle_fraction": 0.5, "oracle_loss_options": {"weighting": kind, "gamma": 0.2, "focal_power": 1.5}}
    train(Config.from_dict(sums(model, tmp_path / "run", **LONG, algorithm=algorithm, steps=1)))
    (step,) = gathered
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["oracle_rollouts"], line["solve_rate"], line["kept_fraction"]) == (6, 0, 1)
    assert [episode.oracle for episode in step.offered] == [False, False, True, True] * 3
    assert not any(episode.oracle for episode in step.sampled)
    network = load_model(model)
    count, loss = sum(episode.num_sampled for episode in step.offered), 0.0
    for episode in step.offered:
        new = logprobs(network, episode)
        if not episode.oracle:
            assert episode.reward == 0
            loss = loss + 0.5 * (new - new.detach()).exp().sum() / count
            continue
        if kind == "shaped":
            gain = new.exp() / (new.exp() + 0.2)
        else:
            chance = new.detach().exp()
            source = (chance + 1 / network.shape.vocab_size) / 2
            gain = 2 * new.exp() / (source + chance) * (1 - chance) ** 1.5
        loss = loss - 0.5 * gain.sum() / count
    loss.backward()
    alike(gradients[0], network)
    assert line["oracle_tokens"] == sum(episode.num_sampled for episode in step.offered if episode.oracle)


def test_what_the_oracle_wrote_is_its_explanation_and_answer(model, tmp_path, monkeypatch, noted):
    engines = knowing(monkeypatch, lambda request: answer(False, request))
    train(Config.from_dict(sums(model, tmp_path / "run", **LONG, algorithm=PLAIN | {"oracle_fraction": 0.01}, steps=1)))
    chat = engines[0].tokenizer
    totals = {text.prompt: text.total for text in engines[0].asked}
    for episode in noted[0][0].offered:
        text = chat.decode([token for token, mine in zip(episode.tokens, episode.loss_mask, strict=True) if mine], skip_special_tokens=True)
        total = totals[chat.decode(episode.tokens[: episode.loss_mask.index(True)], skip_special_tokens=True)]
        assert text.endswith(f"<answer>{total if episode.oracle else total + 1}</answer>")
        assert (f"The sum is {total}." in text) == episode.oracle
    assert sum(episode.oracle for episode in noted[0][0].offered) == 3


def test_an_oracle_that_does_not_fit_is_left_out(model, tmp_path, monkeypatch, noted):
    knowing(monkeypatch, lambda request: answer(False, request))
    algorithm = PLAIN | {"oracle_fraction": 0.25}
    train(Config.from_dict(sums(model, tmp_path / "whole", **LONG, algorithm=algorithm, steps=1)))
    lengths = sorted(len(episode.tokens) for episode in noted[0][0].offered if episode.oracle)
    small = LONG | {"rollout": LONG["rollout"] | {"max_seq_len": lengths[1]}}
    train(Config.from_dict(sums(model, tmp_path / "small", **small, algorithm=algorithm, steps=1)))
    lines = [read_lines(tmp_path / name / "metrics.jsonl")[0] for name in ("whole", "small")]
    assert [line["oracle_rollouts"] for line in lines] == [3, 2]
