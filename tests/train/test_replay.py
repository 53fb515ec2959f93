"""Groups of earlier steps that updates learn from once more."""

from dataclasses import fields, replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import sums
from train.small_models import by_hand, small_model

from rlgym import Rng, Score
from rlgym.train import loop
from rlgym.train.config.replay import ReplayConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.model.pretrained import load_model
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.async_rollout import RolloutBatch
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.replay import ReplayBuffer
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.validate.algorithms import check_algorithms


def episodes(*groups):
    """Episodes with these rewards, one list for each group."""
    out = []
    for group, rewards in enumerate(groups):
        for reward in rewards:
            episode = Episode(len(out), group, TaskSpec("chain_sum", 0.0, 1, "train"), [1, 2], [False, True], [0.0, -1.0], None)
            episode.finish(Score.exact(reward == 1), float(reward))
            out.append(episode)
    return out


def filled(config, *groups, step=0):
    buffer = ReplayBuffer()
    buffer.store(config, episodes(*groups), step)
    return buffer


def shares(config, buffer, step=1, draws=3000):
    """How often each group is drawn first, by its rewards."""
    counts = {}
    for seed in range(draws):
        [group] = buffer.draw(config, 1, step, Rng("test", seed))
        rewards = tuple(episode.reward for episode in group.episodes)
        counts[rewards] = counts.get(rewards, 0) + 1 / draws
        group.replays = 0
    return counts


def test_the_priority_is_the_weight_of_a_group():
    groups = ([1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1])
    config = ReplayConfig(priority="medium")
    # p (1 - p) is 4/16, 3/16 and 0.
    assert shares(config, filled(config, *groups)) == {
        (1, 1, 0, 0): pytest.approx(4 / 7, abs=0.03),
        (1, 0, 0, 0): pytest.approx(3 / 7, abs=0.03),
    }
    config = ReplayConfig(priority="reward_std")
    std = [0.5, 0.1875**0.5]
    expected = {(1, 1, 0, 0): pytest.approx(std[0] / sum(std), abs=0.03), (1, 0, 0, 0): pytest.approx(std[1] / sum(std), abs=0.03)}
    assert shares(config, filled(config, *groups)) == expected
    config = ReplayConfig(priority="uniform")
    assert shares(config, filled(config, *groups)) == {tuple(map(float, group)): pytest.approx(1 / 3, abs=0.03) for group in groups}


def test_recent_groups_are_drawn_by_one_over_their_age():
    config = ReplayConfig(priority="recent")
    buffer = filled(config, [1, 0])
    buffer.store(config, episodes([0, 1]), 2)
    assert shares(config, buffer, step=3) == {(1, 0): pytest.approx(1 / 4, abs=0.03), (0, 1): pytest.approx(3 / 4, abs=0.03)}


def test_groups_leave_by_age_by_number_of_replays_and_by_capacity():
    config = ReplayConfig(max_groups=2, max_age_steps=3, max_replays=2)
    buffer = filled(config, [1, 0], [0, 1], [1, 1])
    assert [[episode.reward for episode in group.episodes] for group in buffer.groups] == [[0, 1], [1, 1]]
    assert len(buffer.draw(config, 9, 1, Rng("a"))) == 2
    assert len(buffer.draw(config, 9, 3, Rng("a"))) == 2
    assert buffer.draw(config, 9, 3, Rng("a")) == []
    buffer = filled(config, [1, 0])
    assert len(buffer.draw(config, 9, 3, Rng("a"))) == 1
    assert buffer.draw(config, 9, 4, Rng("a")) == []


def test_only_groups_of_the_policy_within_the_solve_rates_are_stored():
    config = ReplayConfig(min_solve_rate=0.25, max_solve_rate=0.75)
    given = episodes([1, 0], [0, 0], [1, 1], [1, 0], [1, 0])
    given[6].oracle = given[9].hinted = True
    buffer = ReplayBuffer()
    buffer.store(config, given, 0)
    assert [group.episodes[0].group for group in buffer.groups] == [0]


def test_an_episode_comes_back_with_all_its_fields(tmp_path):
    """Fields that rewards of the same step or a running episode alone have are no part of it; a new field has to be added on one side."""
    own = {
        "snapshot",
        "reference",
        "answer_spread",
        "answer_rank",
        "answer_weights",
        "verdict",
        "task",
        "score",
        "spans",
        "messages",
        "segments",
    }
    task = TaskSpec("nim", 0.5, 3, "train", {"heaps": 2}, 0.25, 1, 7, True, "plan", "Think.", "Too long.")
    [before] = episodes([1])
    values = {
        "key": 4,
        "group": 2,
        "tokens": [3, 4],
        "loss_mask": [True, False],
        "logprobs": [-2.0, 0.0],
        "prompt_without_hint": [1, 2],
        "seed": 9,
    }
    values |= {
        "truncated": True,
        "hinted": True,
        "oracle": True,
        "reward": 0.25,
        "version": 3,
        "content": "abc",
        "feedback": "no",
        "invalid_turns": 2,
    }
    values |= {"shared_tokens": 1, "behaviour_gain": 0.5, "seat": 1}
    assert values.keys() | own == {each.name for each in fields(Episode)}
    given = replace(before, task=task, messages=[("user", "?")], segments=[(0, 2)], spans=[RewardSpan(0, 1, 0.5, "right")], **values)
    for name in values:
        default = next(each.default for each in fields(Episode) if each.name == name)
        assert getattr(given, name) != default
    torch.save(RolloutBatch([0], [given], 1.0, 2.0).state_dict(), tmp_path / "state.pt")
    assert RolloutBatch.from_state_dict(torch.load(tmp_path / "state.pt", weights_only=True)).episodes == [given]


def test_the_buffer_comes_back_from_a_checkpoint_as_it_was(tmp_path):
    config = ReplayConfig()
    buffer = filled(config, [1, 0], [0, 1])
    buffer.groups[1].episodes[0].spans = [RewardSpan(1, 2, 0.5, "unchecked")]
    buffer.draw(config, 1, 1, Rng("a"))
    torch.save(buffer.state_dict(), tmp_path / "state.pt")
    again = ReplayBuffer()
    again.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    assert again == buffer
    assert sorted(group.replays for group in again.groups) == [0, 1]


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=48, max_seq_len=400, loud=1.0)
    return folder


def configuration(start, out):
    return Config.from_dict(
        {
            "model": str(start),
            "output_dir": str(out),
            "tasks": [{"names": ["chain_sum"]}],
            "steps": 4,
            "rollout": {"groups_per_step": 2, "group_size": 3, "max_new_tokens": 12, "max_seq_len": 300},
            "update": {"lr": 1e-2, "warmup_steps": 0, "tokens_per_micro_batch": 2000, "old_logprobs": "rollout"},
            "algorithm": {
                "filter_zero_std": False,
                "advantage": "dr_grpo",
                "reward_shaping": {"reward_noise": {"false_positive": 0.5, "false_negative": 0.1, "seed": 3}},
                "replay": {"fraction": 1, "max_age_steps": 2},
            },
            "scoring": {"num_workers": 0},
            "evaluation": {"tasks_per_level": 1},
            "checkpoints": {"every_steps": 1, "keep_last": 9},
            "compute": {"device": "cpu", "cpu_threads": 1},
        }
    )


class Broken(Exception):
    """The machine failed."""


def test_an_update_learns_from_earlier_groups_by_the_ratio_to_the_weights_that_sampled_them(start, tmp_path, monkeypatch):
    offered, plain = [], loop.update_policy
    monkeypatch.setattr(loop, "update_policy", lambda run, given, timer: (offered.append(given), plain(run, given, timer))[1])
    train(configuration(start, tmp_path / "run"))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["replayed_groups"] for line in lines] == [0, 2, 2, 2]
    assert lines[1]["replay_age"] == 1
    models = [load_model(start)] + [load_model(place / "model") for place in list_checkpoints(tmp_path / "run" / "checkpoints")]
    second = offered[1]
    assert [episode.version for episode in second] == [1] * 6 + [0] * 6
    assert sorted({episode.group for episode in second}) == [0, 1, 2, 3]
    assert [episode.tokens for episode in second[6:9]] in ([e.tokens for e in offered[0][:3]], [e.tokens for e in offered[0][3:]])
    ratios = []
    for episode in second:
        loss_mask_T = torch.tensor(episode.loss_mask[1:])
        ratios.append((by_hand(models[1], episode.tokens) - torch.tensor(episode.logprobs[1:]))[loss_mask_T].exp())
    assert float((torch.cat(ratios[6:]) - 1).abs().max()) > 1e-3
    assert lines[1]["ratio"] == pytest.approx(float(torch.cat(ratios).mean()), abs=1e-4)


def test_a_run_with_replay_resumes_to_the_same_files(start, tmp_path, monkeypatch):
    train(configuration(start, tmp_path / "whole"))
    plain, calls = loop.update_policy, []

    def breaks(*arguments):
        calls.append(1)
        if len(calls) == 3:
            raise Broken
        return plain(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "update_policy", breaks)
        with pytest.raises(Broken):
            train(configuration(start, tmp_path / "broken"))
        train(configuration(start, tmp_path / "broken"))
    for name in ("metrics.jsonl", "transcripts.jsonl", "evaluations.jsonl"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "broken" / name).read_bytes()


REFUSED = [
    ({"algorithm": {"replay": {}}}, "nothing corrects for that"),
    ({"algorithm": {"replay": {"min_solve_rate": 0.8, "max_solve_rate": 0.2}, "loss_options": {"tis_cap": 2.0}}}, "min_solve_rate exceeds"),
    (
        {"algorithm": {"replay": {}, "loss_options": {"tis_cap": 2.0}, "shuffle_rewards": True}},
        "does not support algorithm.shuffle_rewards",
    ),
    ({"algorithm": {"replay": {}, "loss_options": {"tis_cap": 2.0}, "pair_tasks": True}}, "does not support algorithm.pair_tasks"),
]


@pytest.mark.parametrize(("more", "message"), REFUSED)
def test_what_cannot_work_is_refused(more, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(sums("m", "o", **more)))


def test_a_misspelt_field_is_named():
    with pytest.raises(TrainError, match="priority"):
        Config.from_dict(sums("m", "o", algorithm={"replay": {"priorities": "uniform"}}))
