"""Hints for groups that all failed, which do not tell the answer, alone and with the oracle's rollouts, in real runs."""

import re
import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.help_cases import LONG, PLAIN, start_model
from train.scripted import alike, answer, knowing, logprobs, note, sums
from train.small_models import by_hand

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.tasks.hints import hint_text
from rlgym.train.validate.algorithms import check_algorithms


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return start_model(tmp_path_factory.mktemp("model") / "start")


@pytest.fixture
def noted(monkeypatch):
    return note(monkeypatch)


def helped_half(request):
    """Wrong, but for every other answer to a prompt with a hint."""
    return answer("A hint:" in request.prompt and request.key % 2 == 0, request)


def means(episodes):
    groups = {}
    for episode in episodes:
        groups.setdefault(episode.group, []).append(episode.reward)
    return {group: sum(rewards) / len(rewards) for group, rewards in groups.items()}


def test_failed_groups_are_tried_again_with_a_hint_and_learn_as_if_there_had_been_none(model, tmp_path, monkeypatch, noted):
    gathered, gradients = noted
    engines = knowing(monkeypatch, helped_half)
    train(Config.from_dict(sums(model, tmp_path / "run", **LONG, algorithm=PLAIN | {"hint_fraction": 0.5}, steps=1)))
    (step,) = gathered
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["hinted_groups"], line["hinted_solve_rate"], line["solve_rate"], line["kept_fraction"]) == (3, 0.5, 0, 2)
    own, hinted = step.offered[:12], step.offered[12:]
    assert [episode.hinted for episode in step.offered] == [False] * 12 + [True] * 12
    # The same tasks, the same prompts once the hint is out, and what was sampled as it was.
    for group in range(3):
        prompts = {tuple(e.tokens[: e.loss_mask.index(True)]) for e in step.offered if e.group == group}
        assert len(prompts) == 1
    for episode in hinted:
        assert {logprob for logprob, mine in zip(episode.logprobs, episode.loss_mask, strict=True) if mine} == {-1.0}
        assert len(episode.tokens) == len(episode.loss_mask) == len(episode.logprobs)
    request = [text for text in engines[0].asked if "A hint:" in text.prompt]
    assert len(request) == 12
    for text in request:
        hint = text.prompt.split("A hint:")[1]
        assert str(text.total) not in hint
        assert " = " in hint
    # The gradient, by hand: advantages over the joint group; the ratio is that to what was sampled, without a hint or with one.
    network, mean = load_model(model), means(step.offered)
    count, loss = sum(episode.num_sampled for episode in step.offered), 0.0
    for episode in step.offered:
        new = logprobs(network, episode)
        old = torch.full_like(new, -1.0) if episode.hinted else new.detach()
        loss = loss - (episode.reward - mean[episode.group]) * (new - old).exp().sum() / count
    loss.backward()
    alike(gradients[0], network)
    assert line["logprob_diff"] == pytest.approx(float(torch.cat([(by_hand_of(network, e) + 1).abs() for e in own]).mean()), rel=1e-3)


def by_hand_of(network, episode):
    return by_hand(network, episode.tokens)[torch.tensor(episode.loss_mask[1:])]


def test_groups_that_succeed_are_left_alone(model, tmp_path, monkeypatch):
    engines = knowing(monkeypatch, lambda request: answer(request.key == 0, request))
    train(
        Config.from_dict(sums(model, tmp_path / "run", **LONG, algorithm=PLAIN | {"hint_fraction": 0.5, "oracle_fraction": 0.25}, steps=1))
    )
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    # One answer is right: the first group is not helped. The others are, in vain but for the first answer of all.
    assert line["hinted_groups"] == 2
    assert line["oracle_rollouts"] == 1
    assert len([text for text in engines[0].asked if "A hint:" in text.prompt]) == 8


def shown_steps(request):
    return request.prompt.split("A hint:")[1].strip().count("\n") + 1 if "A hint:" in request.prompt else 0


def test_hints_grow_by_stages_until_a_group_is_solved(model, tmp_path, monkeypatch, noted):
    tasks = [{"names": ["chain_sum"], "levels": [0.05], "knobs": {"terms": 5}}]
    more = {"tasks": tasks, "rollout": LONG["rollout"] | {"groups_per_step": 2}}
    # Keys count the rollouts of a retry: with half of the steps the first group is solved, and then the other one, alone.
    engines = knowing(monkeypatch, lambda request: answer(shown_steps(request) >= 2 and request.key < 4, request))
    algorithm = PLAIN | {"hint_fraction": 0.75, "hint_stages": 3}
    train(Config.from_dict(sums(model, tmp_path / "run", **more, algorithm=algorithm, steps=1)))
    asked = [shown_steps(text) for text in engines[0].asked if "A hint:" in text.prompt]
    # A quarter of the four steps for both groups, half for both, and three quarters for the one that is left.
    assert [asked[start] for start in range(0, len(asked), 4)] == [1, 1, 2, 2, 3]
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["hinted_groups"] == 2
    assert line["hinted_solve_rate"] == pytest.approx(8 / 20)
    hinted = [episode for episode in noted[0][0].offered if episode.hinted]
    assert len(hinted) == 20
    assert len({tuple(e.tokens[: e.loss_mask.index(True)]) for e in noted[0][0].offered}) == 2


def test_hints_of_all_environments_hold_no_answer():
    report = 0
    for name in rlgym.names():
        try:
            env = rlgym.make(name, level=0.2)
            env.reset(seed=7)
        except RlgymError:
            continue
        if env.declared.explain is None:
            continue
        answer = env.hint("solution").rpartition("The answer is: ")[2]
        for share in (0.25, 0.99):
            hint = hint_text(env, share)
            assert hint.strip()
            words = [word.strip(".,;:()") for word in hint.split()]
            assert hint == env.hint("concept") or answer not in words, name
            report += hint != env.hint("concept")
    assert report > 50


def test_helped_runs_go_on_to_the_bit(model, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.key == 3 or ("A hint:" in request.prompt and request.key == 1), request))
    algorithm = {
        "hint_fraction": 0.5,
        "oracle_fraction": 0.25,
        "dynamic_sampling_rounds": 1,
        "kl_coef": 0.1,
        "entropy_coef": 0.01,
        "entropy_top_fraction": 0.5,
    }
    given = sums(model, tmp_path / "whole", **LONG, algorithm=algorithm, steps=3)
    given["update"] |= {"num_minibatches": 2, "num_epochs": 2}
    train(Config.from_dict(given))
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    given["output_dir"] = str(tmp_path / "cut")
    (tmp_path / "cut" / "config.json").write_text(Config.from_dict(given).model_dump_json())
    for step in (2, 3):
        shutil.rmtree(tmp_path / "cut" / "checkpoints" / f"1-rl-000000{step}")
    train(Config.from_dict(given))
    assert (tmp_path / "cut" / "metrics.jsonl").read_bytes() == (tmp_path / "whole" / "metrics.jsonl").read_bytes()
    lines = read_lines(tmp_path / "whole" / "metrics.jsonl")
    assert all(line["hinted_groups"] > 0 and line["oracle_rollouts"] > 0 for line in lines)


@pytest.mark.parametrize(
    ("algorithm", "update", "message"),
    [
        ({"hint_fraction": 0.5}, {"old_logprobs": "rollout"}, "update.old_logprobs='trainer'"),
        ({"oracle_fraction": 0.5, "loss": "pacs", "loss_options": {}}, {}, "does not support rollouts of the oracle"),
        ({"oracle_fraction": 0.5, "oracle_loss_options": {"aggregation": "token"}}, {}, "in loss_options"),
        ({"oracle_loss_options": {"weighting": "shaped"}}, {}, "algorithm.oracle_fraction is 0"),
        ({"oracle_fraction": 0.5, "oracle_loss_options": {"weightng": "shaped"}}, {}, "Did you mean 'weighting'"),
        ({"hint_fraction": 0.5, "advantage": "ppo", "filter_zero_std": False}, {}, "leave out algorithm.hint_fraction"),
        ({"oracle_fraction": 0.5, "shuffle_rewards": True}, {}, "control"),
        ({"hint_fraction": 1.0}, {}, "less than 1"),
    ],
)
def test_help_that_cannot_work_is_refused(model, tmp_path, algorithm, update, message):
    with pytest.raises(RlgymError, match=message):
        train(Config.from_dict(sums(model, tmp_path / "run", algorithm=PLAIN | algorithm, update=update)))
    assert not (tmp_path / "run").exists()


def test_with_the_engine_itself_helped_runs_repeat_and_its_word_is_right(model, tmp_path):
    algorithm = {"hint_fraction": 0.5, "oracle_fraction": 0.25, "dynamic_sampling_rounds": 1, "kl_coef": 0.1, "reference_reset_steps": 2}
    given = sums(model, tmp_path / "whole", **LONG, algorithm=algorithm, steps=3)
    train(Config.from_dict(given))
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    given["output_dir"] = str(tmp_path / "cut")
    (tmp_path / "cut" / "config.json").write_text(Config.from_dict(given).model_dump_json())
    for step in (2, 3):
        shutil.rmtree(tmp_path / "cut" / "checkpoints" / f"1-rl-000000{step}")
    train(Config.from_dict(given))
    assert (tmp_path / "cut" / "metrics.jsonl").read_bytes() == (tmp_path / "whole" / "metrics.jsonl").read_bytes()
    for line in read_lines(tmp_path / "whole" / "metrics.jsonl"):
        # Neither the hinted rollouts nor the oracle's are the engine's word about what the trainer sees.
        assert 0 < line["logprob_diff"] < 1e-4
        assert line["hinted_groups"] > 0
        assert line["oracle_rollouts"] > 0
        assert line["updates"] == 1


SCAFFOLD = {"hint_tiers": ["concept", "plan", "partial"], "hint_group_size": 1, "hint_join": "one", "hint_prompt": "kept"}


def test_the_least_hint_that_helps_takes_the_place_of_one_rollout(model, tmp_path, monkeypatch, noted):
    """Only a hint with numbers in it helps: the concept and the plan have none."""
    gathered, gradients = noted
    helps = lambda request: bool(re.search(r"A hint:\D*\d", request.prompt))  # noqa: E731
    engines = knowing(monkeypatch, lambda request: answer(helps(request), request))
    train(Config.from_dict(sums(model, tmp_path / "run", **LONG, algorithm=PLAIN | SCAFFOLD, steps=1)))
    (step,) = gathered
    hinted = [asked for asked in engines[0].asked if "A hint:" in asked.prompt]
    # One rollout of each of three tiers for each of three groups, the one with numbers last.
    assert [helps(asked) for asked in hinted] == [False] * 6 + [True] * 3
    assert len({asked.prompt for asked in hinted}) == 9
    assert all(str(asked.total) not in asked.prompt.split("A hint:")[1] for asked in hinted)
    assert [episode.solved for episode in step.offered] == [False, False, False, True] * 3
    assert means(step.offered) == {0: 0.25, 1: 0.25, 2: 0.25}
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["solve_rate"], line["hinted_groups"], line["hinted_solve_rate"]) == (0, 3, pytest.approx(1 / 3))
    # The update is on policy: the right rollout is learned after the prompt with the hint, from which it was sampled.
    network, count, loss = load_model(model), sum(episode.num_sampled for episode in step.offered), 0.0
    for episode in step.offered:
        assert (tuple(episode.tokens) in {tuple(other.tokens) for other in step.hinted}) == episode.solved
        loss = loss - (episode.reward - 0.25) * logprobs(network, episode).sum() / count
    loss.backward()
    alike(gradients[0], network)


def test_nothing_is_retried_before_the_warm_up_is_over(model, tmp_path, monkeypatch):
    engines = knowing(monkeypatch, lambda request: answer(False, request))
    given = sums(model, tmp_path / "run", **LONG, algorithm=PLAIN | SCAFFOLD | {"hint_start_step": 2}, steps=3)
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["hinted_groups"] for line in lines] == [0, 0, 3]
    # No tier helped, so the group stays as it was: 12 rollouts of its own, and one of each tier that join nothing.
    assert [line["rollouts"] for line in lines] == [12, 12, 12 + 9]
    assert sum("A hint:" in asked.prompt for asked in engines[0].asked) == 9
    assert lines[2]["group_fate/unsolved"] == 1


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ({"hint_tiers": ["plan"], "hint_fraction": 0.5}, "both choose the hints"),
        ({"hint_join": "one"}, "algorithm.hint_join has no effect without hints"),
    ],
)
def test_hints_that_say_nothing_are_refused(algorithm, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(sums("m", "o", algorithm=algorithm)))
