"""A process model that learns from verdicts: its advantage and its loss by hand, and runs that train it along."""

import shutil
from dataclasses import replace
from math import exp, log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model
from train.test_filters import episodes

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.config.rewards import ProcessModelConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.registry import OptionError
from rlgym.train.update.process_model import outcome_loss, process_rewards_T
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.scale import check_ranks_of_model
from rlgym.train.votes import best_accuracy


def with_process_rewards(batch, rows):
    """The batch with these process rewards of the sampled tokens; NaN elsewhere must not matter."""
    reward_T = torch.full((len(batch.tokens_T),), float("nan"))
    reward_T[batch.loss_mask_T] = torch.tensor([float(x) for row in rows for x in row])
    return replace(batch, process_reward_T=reward_T)


def prime(batch, **options):
    chosen = ADVANTAGES["prime"]
    return chosen(batch, chosen.options.from_dict(options))


def test_prime_by_hand(build, seen):
    batch = with_process_rewards(build([1, 0], logprobs=[[-1, -1], [-1]]), [[1, 3], [2]])
    # Both mean token rewards are 2, so with two rollouts a token has 2 r - 4: -2, 2 and 0. What is left from a token on is 0, 2 and 0.
    assert seen(prime(batch, whiten=False), batch) == [pytest.approx([1, 3]), pytest.approx([-1])]
    assert seen(prime(batch, whiten=False, process_weight=0.5, outcome_weight=0), batch) == [pytest.approx([0, 1]), pytest.approx([0])]
    # Of 1, 3 and -1 the mean is 1 and the variance 8/3.
    std = (8 / 3) ** 0.5
    assert seen(prime(batch), batch) == [pytest.approx([0, 2 / std]), pytest.approx([-2 / std])]


def test_equal_process_rewards_leave_the_outcome_alone(build, seen):
    given = build([1, 0, 0, 1, 1], [0, 0, 0, 1, 1], [[-1] * 3, [-1], [-1] * 2, [-1] * 4, [-1]], valid=[True, True, True, True, False])
    rows = [[0.7] * 3, [0.7], [0.7] * 2, [0.7] * 4, [0.7]]
    chosen = ADVANTAGES["rloo"]
    expected = seen(chosen(given, chosen.options()), given)
    found = seen(prime(with_process_rewards(given, rows), whiten=False), given)
    assert found == [pytest.approx(row, abs=1e-5) for row in expected]


def test_a_token_whose_reward_is_higher_raises_the_advantage_of_what_came_before_it(build, seen):
    given = build([1, 0], logprobs=[[-1] * 3, [-1] * 3])
    before = seen(prime(with_process_rewards(given, [[0, 0, 0], [0, 0, 0]]), whiten=False), given)[0]
    after = seen(prime(with_process_rewards(given, [[0, 1, 0], [0, 0, 0]]), whiten=False), given)[0]
    assert after[0] > before[0]
    assert after[1] > before[1]
    assert after[2] < before[2]  # by its share of the higher mean


def test_the_loss_and_the_rewards_by_hand(build):
    batch = build([1, 0], logprobs=[[-1, -1], [-1]], reference=[[-1, -2], [-3]])
    process_T = torch.full((len(batch.tokens_T),), float("nan"))
    process_T[batch.loss_mask_T] = torch.tensor([-0.5, -0.5, -1.0])
    options = ProcessModelConfig(scale=2.0)
    # The log-ratios are 0.5, 1.5 and 2, so the logits are 4 and 4: one verdict right, one wrong.
    loss, metrics = outcome_loss(process_T, batch, options)
    assert float(loss) == pytest.approx((log(1 + exp(-4)) + log(1 + exp(4))) / 2, rel=1e-5)
    assert metrics["process_accuracy"] == 0.5
    plain = process_rewards_T(process_T, batch, options.model_copy(update={"normalize": False}))
    assert plain[batch.loss_mask_T].tolist() == pytest.approx([1, 3, 4])
    # The returns are 4, 3 and 4.
    assert process_rewards_T(process_T, batch, options)[batch.loss_mask_T].tolist() == pytest.approx([0.25, 0.75, 1.0], rel=1e-4)
    assert not process_rewards_T(process_T, batch, options)[~batch.loss_mask_T].any()


def oreal(batch, **options):
    chosen = ADVANTAGES["oreal"]
    return chosen(batch, chosen.options.from_dict(options))


def test_oreal_by_hand(build, seen):
    batch = with_process_rewards(build([1, 0], logprobs=[[-1, -1], [-1]]), [[0, 2 * log(3)], [-log(3)]])
    # The means so far are 0, log 3 and -log 3, the sigmoids 1/2, 3/4 and 1/4; two of three tokens are right ones.
    assert seen(oreal(batch), batch) == [pytest.approx([0, 0.5 * 3 / 2]), pytest.approx([-0.25 * 3])]
    assert seen(oreal(batch, positive_weight=0, negative_weight=1), batch) == [pytest.approx([0, 0]), pytest.approx([-0.5 * 3])]


def test_oreal_weighs_the_tokens_that_tell_the_outcome(build, seen):
    """A token whose score speaks against the outcome carries none of it, and one whose score speaks for it does."""
    for reward, sign in ((1, 1), (0, -1)):
        batch = with_process_rewards(build([reward, 1 - reward], logprobs=[[-1, -1], [-1]]), [[-3 * sign, 9 * sign], [0]])
        against, by = seen(oreal(batch), batch)[0]
        assert against == 0
        assert by * sign > 0.1


def test_oreal_keeps_one_rollout_of_each_kind_but_compares_with_all(build, seen):
    rewards, rows = [0, 1, 1, 0, 1], [[-5.0], [5.0], [5.0], [-5.0], [5.0]]
    given = build(rewards, [0, 0, 0, 0, 1], valid=[True, True, True, True, True])
    batch = with_process_rewards(given, rows)
    kept = [row[0] for row in seen(oreal(batch), batch)]
    assert [value != 0 for value in kept] == [True, True, False, False, False]
    told = 2 / (1 + exp(-5)) - 1
    # rloo of the first group is 2/3; one of five tokens is of each kind.
    assert kept[:2] == pytest.approx([-0.5 * told * 2 / 3 * 5, told * 2 / 3 * 5], rel=1e-4)
    assert all(value != 0 for value in [row[0] for row in seen(oreal(batch, one_of_each=False), batch)][:4])


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, max_seq_len=300, loud=1.0)
    return folder


def settings(start, out, steps, lr=3e-3):
    algorithm = {"advantage": "prime", "process_model": {"lr": lr, "scale": 1.0}, "filter_zero_std": False}
    return Config.from_dict(sums(start, out, algorithm=algorithm, update={"lr": 1e-5}, steps=steps))


def test_a_run_trains_the_process_model_on_verdicts_alone_and_resumes_with_it(start, tmp_path, monkeypatch):
    # Right responses say so: a process model can tell them from their words.
    knowing(monkeypatch, lambda request: ("good " if request.key % 2 else "bad ") + answer(request.key % 2, request))
    config = settings(start, tmp_path / "run", 12)
    train(config)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    # It starts as the reference, so that it knows nothing: all logits are 0.
    assert lines[0]["process_loss"] == pytest.approx(log(2), abs=1e-4)
    assert lines[-1]["process_loss"] < 0.3
    assert lines[-1]["process_accuracy"] == 1
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[4:]:
        shutil.rmtree(saved)
    train(config)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == lines


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"algorithm": {"advantage": "prime"}}, "need each other"),
        ({"algorithm": {"process_model": {}}}, "need each other"),
        ({"algorithm": {"advantage": "prime", "process_model": {}}, "model": {"path": "m", "lora": {}}}, "does not support model.lora"),
    ],
)
def test_what_cannot_be_combined_is_refused(given, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(sums("m", "o") | given))


def test_it_needs_one_process_and_token_rewards(start, tmp_path, build):
    with pytest.raises(TrainError, match="does not support 2 ranks"):
        check_ranks_of_model(settings(start, tmp_path, 1), 2)
    with pytest.raises(OptionError, match=r"set algorithm.process_model"):
        prime(build([1, 0]))


def test_the_best_of_the_samples_is_that_of_the_highest_score():
    given = episodes([0, 1, 0], [1, 0])
    assert best_accuracy(given, [0.1, 0.9, 0.5, 0.2, 0.3]) == 0.5
    assert best_accuracy(given, [0.1, 0.9, 0.5, 0.4, 0.3]) == 1
    assert best_accuracy(given, [0.9, 0.1, 0.5, 0.3, 0.4]) == 0


def test_reranking_by_the_process_model_finds_the_right_responses_that_the_vote_does_not(start, tmp_path, monkeypatch):
    # One of four responses is right and says so; the others agree on a wrong answer.
    knowing(monkeypatch, lambda request: ("bad " if request.key % 4 else "good ") + answer(request.key % 4 == 0, request))
    given = settings(start, tmp_path / "run", 12).model_dump(mode="json")
    given["evaluation"] |= {"samples_per_task": 4, "tasks_per_level": 5}
    train(Config.from_dict(given))
    first, last = (line["votes"] for line in read_lines(tmp_path / "run" / "evaluations.jsonl"))
    assert (first["majority"], last["majority"], last["process"]) == (0, 0, 1)


def test_a_run_with_oreal_learns_from_one_rollout_of_each_kind(start, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: ("good " if request.key % 2 else "bad ") + answer(request.key % 2, request))
    algorithm = {
        "advantage": "oreal",
        "loss": "reinforce",
        "process_model": {"lr": 3e-3, "scale": 1.0, "reduce": "mean", "normalize": False},
        "kl_coef": 0.01,
    }
    train(Config.from_dict(sums(start, tmp_path / "run", algorithm=algorithm, update={"lr": 1e-4}, steps=8)))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    # The process model knows nothing at first, so that no token carries the outcome; then some do.
    assert lines[0]["grad_norm"] == pytest.approx(0, abs=1e-6)
    assert lines[-1]["process_accuracy"] == 1
    assert lines[-1]["grad_norm"] > 1e-3


def test_the_outputs_of_a_head_and_their_gradient_are_those_of_a_plain_network(start, build):
    """The score of a token is read from the hidden state at the token itself, and cross-entropy moves head and network."""
    from functools import partial

    from rlgym.train.model.packing import pack
    from rlgym.train.model.pretrained import load_model
    from rlgym.train.update.policy import PolicyForward
    from rlgym.train.update.process_model import ProcessModel, head_outputs

    given = build([1, 0, 0], [0, 0, 1], [[-1] * 3, [-1] * 2, [-1] * 4])
    batch = replace(given, tokens_T=given.tokens_T % 200)
    mine, plain = (load_model(start, value_head=True) for _ in range(2))
    with torch.no_grad():
        for model in (mine, plain):
            model.value_1E.copy_(torch.linspace(-1, 1, 64)[None])
    options = ProcessModelConfig(kind="head", reduce="mean", normalize=False, lr=1e-3, max_grad_norm=1e9)
    passes = PolicyForward(mine, 1000)
    rows = [batch.tokens_T[batch.rollout_T == number].tolist() for number in range(3)]
    packed = pack(rows)
    expected_T = plain.values(plain(packed.tokens_T, packed.positions_T, packed.attention))
    found_T = passes.measure(batch, partial(head_outputs, None))
    torch.testing.assert_close(found_T[batch.loss_mask_T], expected_T[batch.loss_mask_T].detach(), atol=1e-5, rtol=1e-4)
    loss, _ = outcome_loss(expected_T, batch, options)
    loss.backward()
    trained = ProcessModel.create(passes, options)
    trained.optimizer.step = lambda: None
    trained.optimizer.zero_grad = lambda set_to_none: None
    scored, metrics = trained.score_and_train(batch)
    assert metrics["process_loss"] == pytest.approx(float(loss.detach()), rel=1e-5)
    assert mine.value_1E.grad.abs().max() > 1e-3
    for found, exact in zip(mine.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(found.grad, exact.grad, atol=1e-6, rtol=1e-3)
    assert scored.process_reward_T[batch.loss_mask_T].tolist() == pytest.approx(expected_T[batch.loss_mask_T].tolist(), rel=1e-4)


def test_outputs_that_are_no_numbers_leave_the_process_model_as_it_is(start, build):
    from rlgym.train.model.pretrained import load_model
    from rlgym.train.update.policy import PolicyForward
    from rlgym.train.update.process_model import ProcessModel

    given = build([1, 0], [0, 0], [[-1] * 3, [-1] * 2])
    batch = replace(given, tokens_T=given.tokens_T % 200)
    network, before = (load_model(start, value_head=True) for _ in range(2))
    trained = ProcessModel.create(PolicyForward(network, 1000), ProcessModelConfig(kind="head", reduce="mean", normalize=False, lr=1e-3))
    head = network.value_1E.detach().clone()
    with torch.no_grad():
        network.value_1E.fill_(float("nan"))
    trained.score_and_train(batch)
    with torch.no_grad():
        network.value_1E.copy_(head)
    for found, old in zip(network.parameters(), before.parameters(), strict=True):
        torch.testing.assert_close(found, old, atol=0, rtol=0)
    trained.score_and_train(batch)
    assert any(not torch.equal(found, old) for found, old in zip(network.parameters(), before.parameters(), strict=True))


def test_a_run_trains_a_head_that_tells_right_from_wrong_and_resumes_with_it(start, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: ("good " if request.key % 2 else "bad ") + answer(request.key % 2, request))
    algorithm = {
        "advantage": "oreal",
        "process_model": {"kind": "head", "reduce": "mean", "normalize": False, "lr": 5e-4, "max_grad_norm": 1.0},
        "filter_zero_std": False,
    }
    config = Config.from_dict(sums(start, tmp_path / "run", algorithm=algorithm, update={"lr": 1e-5}, steps=16))
    train(config)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert lines[0]["process_loss"] == pytest.approx(log(2), abs=1e-4)  # the head starts at 0
    losses = [line["process_loss"] for line in lines]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.62
    assert "kl" not in lines[0]  # no reference is needed
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[12:]:
        shutil.rmtree(saved)
    train(config)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == lines


def test_a_head_is_for_oreal_and_the_mean():
    for algorithm in (
        {"advantage": "prime", "process_model": {"kind": "head", "reduce": "mean"}},
        {"advantage": "oreal", "process_model": {"kind": "head"}},
    ):
        with pytest.raises(TrainError, match=r"set advantage='oreal' and process_model\.reduce='mean'"):
            check_algorithms(Config.from_dict(sums("m", "o", algorithm=algorithm)))
