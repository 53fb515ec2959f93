"""Self-rewards: the loss and the advantage by hand, their gradient in a run, and what they are for."""

import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import alike, answer, knowing, logprobs, note, sums
from train.small_models import by_hand, small_model
from train.test_episodes import RULES
from train.test_filters import episodes

from rlgym.train.config.rewards import SelfRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.data.collate import collate
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.losses.auxiliary import self_reward_advantage, self_reward_loss, self_rewards_N
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.model.packing import pack
from rlgym.train.model.pretrained import load_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rewards.group.context import GroupContext
from rlgym.train.rollout.auxiliary import with_auxiliary
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.engines.native import NativeEngine
from rlgym.train.rollout.scoring import InProcessPool
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.votes import self_rewards, vote_accuracy, voted

TOKEN = 255
OPTIONS = SelfRewardConfig(token=TOKEN, reference_logprob=-23.0)


def batch_of(*groups, **self_reward):
    """A batch of responses with these rewards, the tokens of their self-rewards after them, and the owners of those."""
    config = Config.from_dict(sums("m", "o", algorithm={"self_reward": {"token": TOKEN, "warmup_steps": 0, **self_reward}}))
    given = episodes(*groups)
    whole = with_auxiliary(given, config, 0)
    return collate(whole), list(range(len(given)))


def test_the_loss_by_hand():
    batch, _ = batch_of([1, 0, 0, 0])
    assert batch.valid_N.tolist() == [True] * 4 + [False] * 4
    assert batch.tokens_T.tolist() == [1, 2] * 4 + [1, 2, TOKEN] * 4
    # 0.1 (-13 + 23) = 1 for the right response, and 0, 0.5, 1 for the wrong ones; the policy's own tokens do not matter.
    last = iter([-13.0, -23.0, -18.0, -13.0])
    logprob_T = torch.tensor([next(last) if token == TOKEN else 99.0 for token in batch.tokens_T.tolist()])
    loss, metrics = self_reward_loss(logprob_T, batch, OPTIONS, -23.0)
    # The right one weighs 4/2, each wrong one 4/6.
    assert float(loss) == pytest.approx(0.1 * (0 + 2 / 3 * (0 + 0.25 + 1)) / 4)
    assert float(metrics["self_reward_accuracy"]) == 0.75
    plain = self_reward_loss(logprob_T, batch, OPTIONS.model_copy(update={"balance": False}), -23.0)[0]
    assert float(plain) == pytest.approx(0.1 * 1.25 / 4)


def test_the_advantage_by_hand():
    batch, owners = batch_of([1, 0], [1, 0])
    # Self-rewards 0.8 and 0.2 in the first group; 0.5 and 0.5, without a spread, in the second.
    scores = torch.tensor([0.0] * 4 + [0.8, 0.2, 0.5, 0.5])
    advantage_T = torch.zeros(len(batch.tokens_T))
    advantage_T[torch.tensor([1, 3, 5, 7])] = torch.tensor([1.0, -1.0, 1.0, -1.0])
    mixed = self_reward_advantage(advantage_T, batch, OPTIONS.model_copy(update={"advantage_weight": 0.25}), scores, owners)
    assert mixed[[1, 3, 5, 7]].tolist() == pytest.approx([1.0, -1.0, 1.0, -1.0])
    swapped = self_reward_advantage(
        advantage_T, batch, OPTIONS.model_copy(update={"advantage_weight": 0.25}), scores.flip(0).roll(4), owners
    )
    assert swapped[[1, 3]].tolist() == pytest.approx([1.0, -1.0])
    assert swapped[[5, 7]].tolist() == pytest.approx([0.75 - 0.25, -0.75 + 0.25])


def test_minimising_the_loss_separates_right_from_wrong_responses_whatever_their_share():
    for group in ([1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 0]):
        batch, _ = batch_of(group)
        logprob_T = torch.full((len(batch.tokens_T),), -23.0, requires_grad=True)
        for _ in range(400):
            (slope,) = torch.autograd.grad(
                self_reward_loss(logprob_T, batch, OPTIONS.model_copy(update={"coef": 100.0}), -23.0)[0], logprob_T
            )
            logprob_T = (logprob_T - slope).detach().requires_grad_()
        found = self_rewards_N(logprob_T.detach(), batch, OPTIONS, -23.0)[8:]
        assert found.tolist() == pytest.approx([float(reward) for reward in group], abs=0.02)
        # No token of a response gets a gradient of this loss.
        assert bool((logprob_T[batch.tokens_T != TOKEN] == -23).all())


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, max_seq_len=300, loud=1.0)
    return folder


def settings(start, out, steps=1, **self_reward):
    chosen = {"token": TOKEN, "warmup_steps": 0, "coef": 2.0, **self_reward}
    algorithm = {"advantage": "dr_grpo", "loss": "reinforce", "self_reward": chosen}
    return Config.from_dict(sums(start, out, algorithm=algorithm, update={"max_grad_norm": 1e9}, steps=steps))


def test_the_gradient_of_a_run_is_that_of_the_policy_plus_that_of_the_self_rewards(start, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.turn == 0, request))
    gathered, gradients = note(monkeypatch)
    train(settings(start, tmp_path / "run", reference_logprob=-8.0, advantage_weight=0.0))
    rollouts, network = gathered[0].offered, load_model(start)
    tokens = sum(episode.num_sampled for episode in rollouts)
    policy = sum((episode.reward - 0.25) * logprobs(network, episode).sum() for episode in rollouts) / tokens
    errors = []
    for episode in rollouts:
        packed = pack([[*episode.tokens, TOKEN]])
        log = torch.log_softmax(network.logits(network(packed.tokens_T, packed.positions_T, packed.attention)), -1)
        # 3 right and 9 wrong responses.
        weight = 12 / (2 * 3) if episode.solved else 12 / (2 * 9)
        errors.append(weight * (0.1 * (log[-2, TOKEN] + 8.0) - float(episode.solved)) ** 2)
    (-policy + 2.0 * sum(errors) / len(errors)).backward()
    alike(gradients[0], network)


def test_the_offset_is_measured_once_and_a_resumed_run_keeps_it(start, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.key % 4 == 0, request))
    config = settings(start, tmp_path / "run", steps=3, advantage_warmup_steps=1, min_std=0.0, coef=0.1)
    train(config)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    # From their own mean the first self-rewards are about 0, so that all count as wrong.
    assert lines[0]["self_reward_accuracy"] == pytest.approx(0.75)
    assert lines[0]["self_reward_loss"] == pytest.approx(0.5, abs=0.1)
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[1:]:
        shutil.rmtree(saved)
    train(config)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == lines


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"update": {"old_logprobs": "rollout"}}, "old_logprobs='trainer'"),
        ({"algorithm": {"self_reward": {"token": 1}, "hint_fraction": 0.5}}, "does not support algorithm.hint_fraction"),
    ],
)
def test_what_cannot_be_combined_is_refused(change, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(sums("m", "o", **{"algorithm": {"self_reward": {"token": 1}}, **change})))


def test_a_token_that_the_model_does_not_have_is_refused(start, tmp_path):
    with pytest.raises(TrainError, match=r"algorithm.self_reward.token=70000 is outside of the model's vocabulary"):
        train(settings(start, tmp_path / "run", token=70_000))


def test_the_spread_of_a_group_decides_by_its_standard_deviation():
    batch, owners = batch_of([1, 0])
    scores = torch.tensor([0.0, 0.0, 0.6, 0.4])  # a standard deviation of 0.1
    zero_T = torch.zeros(len(batch.tokens_T))
    for min_std, expected in ((0.09, 0.1), (0.11, 0.0)):
        mixed = self_reward_advantage(zero_T, batch, OPTIONS.model_copy(update={"min_std": min_std}), scores, owners)
        assert mixed[1].item() == pytest.approx(expected)


def test_a_vote_weighted_by_self_rewards_can_overrule_the_majority(monkeypatch):
    monkeypatch.setattr("rlgym.train.votes.canonical_answer", lambda episode, context: episode.content)
    given = episodes([0, 0, 1], [0, 1, 1])
    for episode, content in zip(given, ["3", "3", "7", "5", "6", "6"], strict=True):
        episode.content = content
    assert vote_accuracy(given, [1.0] * 6, GroupContext(0)) == 0.5
    # 0.2 + 0.3 for the wrong answer of the first task, 0.9 for the right one.
    assert vote_accuracy(given, [0.2, 0.3, 0.9, 0.4, 0.3, 0.3], GroupContext(0)) == 1.0
    # A self-reward above 1 counts as 1, and below 0 as 0.
    assert voted(["3", "3", "7"], [0.6, 0.6, 5.0]) == "3"
    assert voted(["3", "7"], [-4.0, 0.1]) == "7"
    assert voted([None, None], [1.0, 1.0]) is None


def test_an_evaluation_reports_both_votes(start, tmp_path):
    given = settings(start, tmp_path / "run", reference_logprob=-6.0).model_dump(mode="json")
    given["evaluation"] |= {"samples_per_task": 3, "tasks_per_level": 2}
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "run" / "evaluations.jsonl")
    # The small model answers nothing, so that no vote is right.
    assert [line["votes"] for line in lines] == [{"majority": 0, "self_reward": 0}] * 2


def test_self_rewards_of_an_evaluation_are_those_of_the_model(start, tmp_path):
    chat = Chat(load_tokenizer(start))
    [whole, cut] = episodes([1, 0])
    whole.tokens, cut.truncated = [5, 9, 200], True
    model = load_model(start)
    worker = RolloutWorker(NativeEngine(model, max_seq_len=64), InProcessPool(), chat, RULES, max_new_tokens=8, max_seq_len=64)
    found = self_rewards(worker, [whole, cut], OPTIONS, -23.0)
    assert found[0] == pytest.approx(0.1 * (float(by_hand(model, [5, 9, 200, TOKEN])[-1]) + 23), rel=1e-4)
    assert found[1] == 0
