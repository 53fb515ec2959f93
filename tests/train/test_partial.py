"""Partial rollouts: every token keeps the log-probability of the weights that sampled it, no group is lost, and checkpoints hold what waits."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import by_hand, small_model

from rlgym.train import loop
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.distributed.process_group import ProcessGroup
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.model.pretrained import load_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.partial import CarriedGroup, restore_environments
from rlgym.train.rollout.scoring import InProcessPool
from rlgym.train.rollout.setup import task_settings
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.validate.scale import check_scale

STEPS = 6


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=48, max_seq_len=1600, loud=1.0)
    return folder


def configuration(start, out, segment_tokens=7, **more):
    given = {
        "model": str(start),
        "output_dir": str(out),
        "seed": 1,
        "tasks": [{"names": ["chain_sum"]}, {"names": ["mastermind"], "weight": 0.5}],
        "steps": STEPS,
        "rollout": {
            "groups_per_step": 3,
            "group_size": 2,
            "max_new_tokens": 16,
            "max_seq_len": 1500,
            "segment_tokens": segment_tokens,
            "engine_options": {"max_num_seqs": 9},
        },
        "update": {"lr": 1e-2, "warmup_steps": 0, "tokens_per_micro_batch": 3000, "old_logprobs": "rollout"},
        "algorithm": {
            "filter_zero_std": False,
            "advantage": "dr_grpo",
            "reward_shaping": {"format_bonus": {"amount": 0.1}, "reward_noise": {"false_positive": 0.5, "false_negative": 0.1, "seed": 3}},
        },
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 1},
        "checkpoints": {"every_steps": 1, "keep_last": 9},
        "compute": {"device": "cpu", "cpu_threads": 1},
        "log": {"transcripts_per_step": 100},
    }
    return Config.from_dict(given | more)


@pytest.fixture(scope="module")
def finished(start, tmp_path_factory):
    folder = tmp_path_factory.mktemp("partial") / "run"
    learned = []
    plain = loop.update_policy

    def noted(run, episodes, timer):
        learned.append(list(episodes))
        return plain(run, episodes, timer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "update_policy", noted)
        train(configuration(start, folder))
    places = list_checkpoints(folder / "checkpoints")
    return folder, learned, [load_model(start)] + [load_model(place / "model") for place in places], places


def test_each_segment_has_the_log_probabilities_of_the_policy_that_wrote_it(finished):
    _, learned, models, _ = finished
    policies = set()
    for step, episodes in enumerate(learned):
        for episode in episodes:
            places = [place for place, mine in enumerate(episode.loss_mask) if mine]
            assert sum(tokens for _, tokens in episode.segments) == len(places)
            assert all(version <= step and tokens <= 7 for version, tokens in episode.segments if step < STEPS - 1)
            first = 0
            for version, tokens in episode.segments:
                mine = places[first : first + tokens]
                exact = by_hand(models[version], episode.tokens)
                torch.testing.assert_close(
                    torch.tensor([episode.logprobs[place] for place in mine]),
                    torch.stack([exact[place - 1] for place in mine]),
                    atol=2e-5,
                    rtol=1e-4,
                )
                first += tokens
            policies.add(len(episode.segments))
    assert max(policies) >= 3  # responses of 16 tokens in segments of 7


def test_the_loss_forms_its_ratio_with_the_log_probabilities_of_each_segment(finished):
    folder, learned, models, _ = finished
    lines = read_lines(folder / "metrics.jsonl")
    for step, episodes in enumerate(learned):
        if not episodes:
            continue
        ratios = []
        for episode in episodes:
            mine = torch.tensor(episode.loss_mask[1:])
            ratios.append((by_hand(models[step], episode.tokens) - torch.tensor(episode.logprobs[1:]))[mine].exp())
        assert lines[step]["ratio"] == pytest.approx(float(torch.cat(ratios).mean()), abs=1e-4)
        assert lines[step]["staleness_max"] == max(step - version for episode in episodes for version, _ in episode.segments)


def test_no_group_is_lost_and_none_is_learned_from_before_it_is_whole(finished):
    folder, learned, _, places = finished
    lines = read_lines(folder / "metrics.jsonl")
    assert learned[0] == [] or len(learned[0]) < 6  # a response of 16 tokens does not end within 7
    assert sum(map(len, learned)) == STEPS * 3 * 2
    assert all(len({episode.key for episode in episodes}) == len(episodes) for episodes in learned)
    for episodes in learned:
        groups = [episode.group for episode in episodes]
        assert all(groups.count(group) == 2 for group in groups)
    waiting = [torch.load(place / "state.pt").get("carried", []) for place in places]
    assert [len(groups) for groups in waiting] == [line["carried_groups"] for line in lines]
    assert lines[0]["carried_groups"] > 0
    assert lines[-1]["carried_groups"] == 0
    # Each step but the last samples at most 7 tokens for each of its episodes.
    for before, line in zip([0, *[line["carried_groups"] for line in lines]], lines[:-1], strict=False):
        assert line["rollout_tokens"] <= 7 * 2 * (3 + before)


class Broken(Exception):
    """The machine failed."""


def test_a_run_that_breaks_down_continues_its_unfinished_responses(start, finished, tmp_path, monkeypatch):
    folder = finished[0]
    plain, calls = loop.update_policy, []

    def breaks(*arguments):
        calls.append(1)
        if len(calls) in (3, 6):
            raise Broken
        return plain(*arguments)

    config = configuration(start, tmp_path / "broken")
    with monkeypatch.context() as patch:
        patch.setattr(loop, "update_policy", breaks)
        for _ in range(2):
            with pytest.raises(Broken):
                train(config)
        train(config)
    for name in ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl"):
        assert (folder / name).read_bytes() == (tmp_path / "broken" / name).read_bytes(), name


def test_a_limit_that_no_episode_reaches_changes_nothing(start, tmp_path):
    for name, limit in (("plain", 0), ("limit", 1400)):
        train(configuration(start, tmp_path / name, limit, steps=2))
    plain, limited = (read_lines(tmp_path / name / "metrics.jsonl") for name in ("plain", "limit"))
    for one, other in zip(plain, limited, strict=True):
        assert {name: other[name] for name in one} == pytest.approx(one, abs=1e-5)
    assert [line["carried_groups"] for line in limited] == [0, 0]


def test_environments_of_many_turns_are_restored_from_a_checkpoint(finished):
    folder, _, _, places = finished
    config = configuration(places[0] / "model", folder)
    chat = Chat(load_tokenizer(places[0] / "model"))
    worker = RolloutWorker(None, InProcessPool(), chat, task_settings(config), 16, 1500)
    turns = 0
    for place in places:
        for state in torch.load(place / "state.pt").get("carried", []):
            episodes = CarriedGroup.from_state_dict(state).episodes
            restore_environments(worker, episodes)
            for episode in episodes:
                if episode.score is None:
                    said = [text for role, text in episode.messages if role == "assistant"]
                    turns = max(turns, len(said))
                    assert [text for role, text in episode.snapshot.transcript if role == "assistant"] == said
                    assert episode.snapshot.transcript[-1][1] == episode.messages[-1][1]
    assert turns >= 2


REFUSED = [
    ({"async_steps": 1}, {}, "rollout.segment_tokens=8 does not support rollout.async_steps=1"),
    ({}, {"dynamic_sampling_rounds": 2}, "does not support algorithm.dynamic_sampling_rounds=2"),
    ({}, {"max_group_size": 16}, "does not support algorithm.max_group_size=16"),
    ({}, {"hint_fraction": 0.5}, "does not support algorithm.hint_fraction=0.5"),
    ({"segment_tokens": 1024}, {}, "rollout.segment_tokens=1024 has no effect"),
]


@pytest.mark.parametrize(("rollout", "algorithm", "message"), REFUSED)
def test_what_samples_whole_responses_is_refused(rollout, algorithm, message):
    given = {"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}], "update": {"old_logprobs": "rollout"}}
    with pytest.raises(TrainError, match=message):
        check_scale(Config.from_dict(given | {"rollout": {"segment_tokens": 8} | rollout, "algorithm": algorithm}), ProcessGroup())


def test_without_a_correction_partial_rollouts_are_refused():
    given = {"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}], "rollout": {"segment_tokens": 8}}
    with pytest.raises(TrainError, match="tis_cap"):
        check_scale(Config.from_dict(given), ProcessGroup())
    check_scale(Config.from_dict(given | {"algorithm": {"loss_options": {"tis_cap": 2.0}}}), ProcessGroup())
