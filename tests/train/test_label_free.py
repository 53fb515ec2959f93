"""Rewards without labels: from the policy's certainty, and from agreement between two wordings of a task."""

from math import exp, log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, note, sums
from train.small_models import by_hand, small_model
from train.test_filters import episodes

from rlgym.train.config.rewards import TwinRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.alarm import collapse_step
from rlgym.train.logging.metrics import reward_accuracy
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.logprobs import self_certainties
from rlgym.train.model.packing import pack
from rlgym.train.model.pretrained import load_model
from rlgym.train.rewards.group.context import GroupContext
from rlgym.train.rollout.twins import add_twin_rewards, twin_group
from rlgym.train.validate.algorithms import check_algorithms

KINDS = ("self_certainty", "entropy", "logprob", "probability")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, max_seq_len=300, loud=2.0)
    return folder


def settings(start, out, steps=1, **algorithm):
    rollout = {"max_new_tokens": 6}
    return Config.from_dict(sums(start, out, algorithm={"filter_zero_std": False, **algorithm}, rollout=rollout, steps=steps))


def test_self_certainty_is_the_divergence_from_the_uniform_distribution(start):
    model = load_model(start)
    packed = pack([[5, 9, 200, 17], [3, 4]])
    found = self_certainties(model, packed)[0]
    log_TV = torch.log_softmax(model.logits(model(packed.tokens_T, packed.positions_T, packed.attention)), -1)
    size = log_TV.shape[1]
    exact = [(torch.tensor(1 / size) * (torch.tensor(1 / size).log() - log_TV[place])).sum().item() for place in (0, 1, 2, 4)]
    assert found[[1, 2, 3, 5]].tolist() == pytest.approx(exact, rel=1e-4)
    assert found[[0, 4]].tolist() == [0, 0]
    masked = self_certainties(model, packed, torch.tensor([False, True, False, True, False, True]))[0]
    assert masked.tolist() == pytest.approx([0, exact[0], 0, exact[2], 0, exact[3]], rel=1e-4)


def test_a_flat_distribution_has_no_certainty_and_a_sharp_one_much(start):
    model = load_model(start)
    packed = pack([[5, 9, 200, 17]])
    flat, sharp = (self_certainties(model, packed, None, temperature)[0][1:] for temperature in (1e4, 0.05))
    assert flat.max() < 1e-3
    assert sharp.min() > log(model.shape.vocab_size)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_pays_the_certainty_of_each_response(start, tmp_path, monkeypatch, kind):
    learned = []
    monkeypatch.setattr("rlgym.train.loop.update_policy", lambda run, episodes, timer: learned.extend(episodes) or {"updates": 0.0})
    train(settings(start, tmp_path / "run", intrinsic_reward={"kind": kind, "weight": 2.0}))
    model = load_model(start).requires_grad_(False)
    assert len(learned) == 12
    for episode in learned:
        sampled = episode.num_sampled
        logprobs = by_hand(model, episode.tokens)[-sampled:]
        packed = pack([episode.tokens])
        log_SV = torch.log_softmax(model.logits(model(packed.tokens_T, packed.positions_T, packed.attention)), -1)[-sampled - 1 : -1]
        expected = {
            "self_certainty": float((-log(log_SV.shape[1]) - log_SV.mean(1)).mean()),
            "entropy": float((log_SV.exp() * log_SV).sum(1).mean()),
            "logprob": float(logprobs.sum()),
            "probability": exp(float(logprobs.sum())),
        }
        assert episode.reward == pytest.approx(2 * expected[kind], rel=1e-3, abs=1e-9)
        assert not episode.solved
    [line] = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["reward_accuracy"] == 0


def test_reward_accuracy_is_that_of_the_best_paid_responses():
    given = episodes([1, 0, 0], [0, 1], [0, 0])
    for episode, reward in zip(given, [3, 2, 1, 5, 4, 1, 1], strict=True):
        episode.reward = float(reward)
    # The best paid response of the first group is right, of the second wrong; both of the third are best and wrong.
    assert reward_accuracy(given) == pytest.approx(1 / 3)
    given[4].reward = 5.0
    assert reward_accuracy(given) == pytest.approx((1 + 0.5 + 0) / 3)


def test_the_collapse_step_is_the_first_below_one_percent():
    assert collapse_step([0.4, 0.6, 0.3, 0.009, 0.2]) == 4
    assert collapse_step([0.4, 0.01]) is None


def sides(monkeypatch, first, second):
    """Episodes of a task and of its twin, with these answers."""
    monkeypatch.setattr("rlgym.train.rollout.twins.canonical_answer", lambda episode, context: episode.content or None)
    given = episodes([0] * len(first), [0] * len(second))
    for episode, content in zip(given, [*first, *second], strict=True):
        episode.content = content
        episode.group = twin_group(0) if episode.group else 0
    return given


def test_each_side_is_paid_for_the_majority_of_the_other(monkeypatch):
    given = sides(monkeypatch, ["7", "7", "7", "5"], ["5", "5", "9", "7"])
    paid, metrics = add_twin_rewards(given, TwinRewardConfig(), GroupContext(0))
    # The first side says 7 most often, the second 5.
    assert [episode.reward for episode in paid] == [0, 0, 0, 1, 0, 0, 0, 1]
    assert metrics["twin_agreement"] == 0.25
    beside = add_twin_rewards(given, TwinRewardConfig(weight=0.5, verifier_weight=1.0), GroupContext(0))[0]
    assert [episode.reward for episode in beside] == [0, 0, 0, 0.5, 0, 0, 0, 0.5]


def test_a_side_that_only_agrees_with_itself_is_paid_nothing(monkeypatch):
    """What a vote within one group pays in full: the same wrong answer to every wording would still be paid."""
    paid, _ = add_twin_rewards(sides(monkeypatch, ["3"] * 4, ["8"] * 4), TwinRewardConfig(), GroupContext(0))
    assert not any(episode.reward for episode in paid)
    paid, _ = add_twin_rewards(sides(monkeypatch, ["3", "3", "", "4"], ["", "", "", ""]), TwinRewardConfig(), GroupContext(0))
    assert not any(episode.reward for episode in paid)
    paid, _ = add_twin_rewards(sides(monkeypatch, ["3"] * 2, ["3"] * 2), TwinRewardConfig(), GroupContext(0))
    assert all(episode.reward == 1 for episode in paid)


def test_a_run_samples_the_same_tasks_in_other_words_and_learns_from_both(start, tmp_path, monkeypatch):
    rows = knowing(monkeypatch, lambda request: answer(request.key % 4 < 3, request))
    gathered, _ = note(monkeypatch)
    train(Config.from_dict(sums(start, tmp_path / "run", algorithm={"twin_reward": {}}, steps=1, rollout={"max_seq_len": 300})))
    offered = gathered[0].offered
    groups = {episode.group for episode in offered}
    assert groups == {0, 1, 2, -1, -2, -3}
    for group in (0, 1, 2):
        own, twin = (next(episode for episode in offered if episode.group == side) for side in (group, twin_group(group)))
        totals = [next(asked.total for asked in rows[-1].asked if episode.messages[0][1] in asked.prompt) for episode in (own, twin)]
        assert totals[0] == totals[1]
        assert own.messages[0][1] != twin.messages[0][1]
        assert own.seed == twin.seed
    # Three of four responses on either side are right, so right answers are the majority of the other side.
    assert all(episode.reward == float(episode.solved) for episode in offered)
    [line] = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["twin_solve_rate"] == line["twin_agreement"] == line["solve_rate"] == 0.75
    assert line["rollouts"] == 24


@pytest.mark.parametrize(
    ("algorithm", "tasks", "message"),
    [
        ({"twin_reward": {}, "intrinsic_reward": {}}, ["chain_sum"], "both replace the reward"),
        ({"twin_reward": {}}, ["mastermind"], "mastermind has many turns"),
        ({"twin_reward": {}, "hint_fraction": 0.5}, ["chain_sum"], "does not support algorithm.hint_fraction"),
    ],
)
def test_what_cannot_be_combined_is_refused(algorithm, tasks, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(sums("m", "o", algorithm=algorithm, tasks=[{"names": tasks}])))
