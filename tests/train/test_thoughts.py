"""Thought collapse: its signs by hand, and the oracle's thoughts in states that a policy visited as targets of a run."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import WaitingEngine
from train.small_models import small_model
from train.test_filters import episodes

from rlgym.train import loop
from rlgym.train.config.distillation import ThoughtCorrectionConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.thoughts import thought_metrics
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.rollout.engines.base import Completion
from rlgym.train.rollout.thought_correction import corrected_thoughts
from rlgym.train.validate.algorithms import check_algorithms


def test_the_signs_of_collapse_by_hand():
    listed = episodes([0, 1], [0])
    talks = [
        [
            ("user", "Guess 7 from 1 to 9"),
            ("assistant", "7 lies between <answer>5</answer>"),
            ("user", "5 is low"),
            ("assistant", "so more"),
        ],
        [("user", "Guess 7 from 1 to 9"), ("assistant", "I  think <answer>2</answer>")],
        [("user", "Guess 8 from 1 to 9"), ("assistant", "I think <answer>3</answer>")],
    ]
    given = [
        replace(episode, messages=talk, invalid_turns=place == 1) for place, (episode, talk) in enumerate(zip(listed, talks, strict=True))
    ]
    found = thought_metrics(given)
    # Of four thoughts three are different; one speaks of the 7 that not every prompt has; "so more" says nothing of "5 is low".
    assert found == {"thought/distinct": 0.75, "thought/state_mentions": 0.25, "thought/invalid": 0.25}


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, max_seq_len=1200, loud=1.0)
    return folder


class Guesses(WaitingEngine):
    """An engine that makes the given guess in every game, by the number of its turn."""

    def __init__(self, tokenizer, says):
        self.tokenizer, self.says, self.turns, self.waiting = tokenizer, says, {}, []

    def submit(self, key, prompt, sampling):
        self.turns[key] = self.turns.get(key, 0) + 1
        text = self.says(self.turns[key])
        tokens = (*self.tokenizer(text, add_special_tokens=False)["input_ids"], self.tokenizer.eos_token_id)[: sampling.max_new_tokens]
        self.waiting.append((key, Completion(tokens, (-1.0,) * len(tokens), True, 0)))


def game(start, out, monkeypatch, says, **algorithm):
    from rlgym.train.model.tokenizer import load_tokenizer

    monkeypatch.setattr("rlgym.train.rollout.setup.make_engine", lambda *given: Guesses(load_tokenizer(start), says))
    return Config.from_dict(
        {
            "model": str(start),
            "output_dir": str(out),
            "tasks": [{"names": ["higher_lower"]}],
            "steps": 1,
            "rollout": {"groups_per_step": 2, "group_size": 2, "max_new_tokens": 60, "max_seq_len": 1200},
            "update": {"lr": 1e-3, "warmup_steps": 0, "max_grad_norm": 1e9},
            "algorithm": {"filter_zero_std": False, **algorithm},
            "scoring": {"num_workers": 0},
            "evaluation": {"tasks_per_level": 1},
            "log": {"thoughts": True},
            "compute": {"device": "cpu", "cpu_threads": 1},
        }
    )


def test_a_run_learns_the_oracles_thought_in_the_state_that_it_visited(start, tmp_path, monkeypatch):
    """The targets follow the policy's own turns, answer what the game said to them, and are all that has a gradient where rewards are equal."""
    from rlgym.train.run import Run

    learned, gradients, plain, step = [], [], loop.update_policy, Run.optimizer_step
    monkeypatch.setattr(loop, "update_policy", lambda run, given, timer: learned.append((run, given)) or plain(run, given, timer))
    monkeypatch.setattr(
        Run,
        "optimizer_step",
        lambda run, norm: gradients.append([weight.grad.clone() for weight in run.model.parameters()]) or step(run, norm),
    )
    says = lambda turn: "<answer>1</answer>" if turn < 3 else "no idea"  # noqa: E731
    train(game(start, tmp_path / "run", monkeypatch, says, thought_correction={"coef": 0.5, "turns_per_rollout": 2}))
    run, given = learned[0]
    own, targets = [each for each in given if not each.auxiliary], [each for each in given if each.auxiliary]
    assert len(targets) == 2 * len(own) == 8
    later = 0
    for target in targets:
        written = run.worker.chat.decode([token for token, weight in zip(target.tokens, target.answer_weights, strict=True) if weight])
        before = run.worker.chat.decode([token for token, weight in zip(target.tokens, target.answer_weights, strict=True) if not weight])
        assert "<answer>1</answer>" not in written
        assert "<answer>" in written
        assert "is now between" in written  # the explanation of this state
        source = next(each for each in own if each.key == target.key)
        assert source.tokens[: len(target.tokens) - sum(target.loss_mask)] == target.tokens[: -sum(target.loss_mask)]
        if "<answer>1</answer>" in before:
            later += 1
            low = int(written.partition("between ")[2].partition(" ")[0])
            assert low >= 2  # the oracle knows what the game said to the policy's guess of 1
    assert later
    # All rewards are 0, so that the policy loss has no gradient; that of the targets is by hand.
    model, total = load_model(start), 0.0
    for target in targets:
        with torch.enable_grad():
            total = total - 0.5 * _logprobs(model, target).sum()
    units = sum(sum(each.loss_mask) for each in own)
    (total / units).backward()
    for found, weight in zip(gradients[0], model.parameters(), strict=True):
        torch.testing.assert_close(found, weight.grad, atol=2e-5, rtol=5e-3)
    [line] = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["corrected_thoughts"] == 8
    assert line["thought/invalid"] > 0  # "no idea" is no number
    assert line["thought/distinct"] < 0.5


def _logprobs(model, episode):
    from train.scripted import logprobs

    return logprobs(model, episode)


def test_a_policy_that_wins_is_not_corrected(start):
    won = [replace(episode, messages=[("user", "P"), ("assistant", "x")]) for episode in episodes([1, 1])]
    worker = type("Worker", (), {})()
    assert corrected_thoughts(worker, won, ThoughtCorrectionConfig(), 0) == []


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ({"loss": "pacs"}, "does not support algorithm.loss='pacs'"),
        ({"likelihood_reward": {}}, "likelihood_reward"),
        ({}, "set algorithm.filter_zero_std=false"),
    ],
)
def test_what_cannot_be_combined_is_refused(algorithm, message):
    given = {"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}], "algorithm": {"thought_correction": {}, **algorithm}}
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(given))
