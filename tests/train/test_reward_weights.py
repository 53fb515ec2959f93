"""Weights of auxiliary rewards: the outer loop against gradients by autograd, and in a run."""

import re

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import knowing, logprobs, sums
from train.small_models import small_model

from rlgym import Score
from rlgym.train.config.reward_weights import AuxiliaryRewardsConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints, load
from rlgym.train.rollout.episodes import Episode
from rlgym.train.run import Run
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.reward_weights import cosine, held_out_groups, learn_weights, policy_gradient, term_values
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.scale import check_ranks_of_model

PART = {"part": {"name": "good"}}
BOTH = {"first": PART, "second": {"part": {"name": "bad"}}}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=256, loud=1.0)
    return folder


def episode(key, group, tokens, reward, **parts):
    out = Episode(key, group, TaskSpec("chain_sum", 0.0, 1, "train"), [5, 6, *tokens], [False, False, *([True] * len(tokens))], [], None)
    out.logprobs = [0.0] * len(out.tokens)
    out.messages = [("user", "?"), ("assistant", "!")]
    out.finish(Score.exact(reward == 1, "", **parts), float(reward))
    return out


GROUPS = [
    [episode(0, 0, [10, 11], 1, good=1.0, bad=0.0), episode(1, 0, [12], 0, good=0.0, bad=1.0)],
    [episode(2, 1, [10, 11], 0, good=1.0, bad=0.0), episode(3, 1, [13, 12], 0, good=0.2, bad=0.9)],
]


@pytest.fixture
def run(model, tmp_path):
    opened = Run.open(
        Config.from_dict(
            sums(
                model, tmp_path / "run", algorithm={"advantage": "dr_grpo", "filter_zero_std": False, "auxiliary_rewards": {"terms": BOTH}}
            )
        )
    )
    yield opened
    opened.close()


def gradient_by_hand(run, group, rewards):
    """The gradient of the mean of (r - mean) log p, by autograd over each rollout alone, as one vector."""
    mean = sum(rewards) / len(rewards)
    total = sum((reward - mean) * logprobs(run.model, one).sum() for one, reward in zip(group, rewards, strict=True)) / len(group)
    run.model.zero_grad(set_to_none=True)
    total.backward()
    found = torch.cat([weight.grad.flatten().clone() for _, weight in run.model.named_parameters() if weight.grad is not None])
    run.model.zero_grad(set_to_none=True)
    return found


def test_a_weight_moves_by_the_cosine_of_the_gradients(run):
    held = held_out_groups([0, 0, 1, 1], 0.5, run.seed("reward weights"))
    judging, learning = GROUPS[min(held)], GROUPS[1 - min(held)]
    # The group that judges has right and wrong rollouts, whichever the draw has chosen.
    for one, reward in zip(judging, (1.0, 0.0), strict=True):
        one.reward = reward
    for one in learning:
        one.reward = 0.5
    primary = gradient_by_hand(run, judging, [1.0, 0.0])
    expected = {}
    for name, part in (("first", "good"), ("second", "bad")):
        own = gradient_by_hand(run, learning, [one.score.parts[part] for one in learning])
        expected[name] = 0.1 * float(torch.nn.functional.cosine_similarity(primary, own, dim=0))
    options = AuxiliaryRewardsConfig(terms=BOTH, lr=0.1, held_out_groups=0.5)
    changed, metrics = learn_weights(run, [*judging, *learning], options)
    assert run.reward_weights == pytest.approx(expected, abs=1e-5)
    assert metrics == pytest.approx({f"reward_weight/{name}": value for name, value in expected.items()}, abs=1e-5)
    assert abs(expected["first"]) > 1e-3
    # Both terms have the same order the other way round, so their weights have opposite signs.
    assert expected["first"] * expected["second"] < 0
    assert [one.key for one in changed] == [one.key for one in learning]
    for one in changed:
        assert one.reward == pytest.approx(0.5 + expected["first"] * one.score.parts["good"] + expected["second"] * one.score.parts["bad"])
    # No gradient stays behind for the update.
    assert all(weight.grad is None for weight in run.model.parameters())
    # The weights go on from where they were, up to their bound.
    learn_weights(run, [*judging, *learning], AuxiliaryRewardsConfig(terms=BOTH, lr=10, max_weight=0.02, held_out_groups=0.5))
    assert sorted(run.reward_weights.values()) == [-0.02, 0.02]


def test_a_reward_that_is_equal_throughout_teaches_nothing(run):
    assert policy_gradient(run, GROUPS[0], [1.0, 1.0]) == {}
    assert policy_gradient(run, [], []) == {}
    assert cosine({}, {"weight": torch.ones(2)}) == 0
    assert cosine({"weight": torch.tensor([3.0, 4.0])}, {"weight": torch.tensor([0.0, -2.0])}) == pytest.approx(-0.8)


def test_one_group_at_least_judges_and_one_at_least_is_learned_from():
    assert held_out_groups([4, 4, 4], 0.5, 1) == set()
    assert len(held_out_groups([1, 2], 0.99, 1)) == 1
    assert len(held_out_groups(range(8), 0.25, 1)) == 2
    assert held_out_groups(range(8), 0.25, 1) == held_out_groups(range(8), 0.25, 1) != held_out_groups(range(8), 0.25, 2)


def test_terms_are_those_of_combined_rewards():
    assert term_values(GROUPS[1], PART, 0) == [1.0, 0.2]
    with pytest.raises(
        TrainError, match=re.escape("auxiliary_rewards.terms: Value error, wrong: no term or combiner of rewards is called 'shrt'")
    ):
        Config.from_dict(sums("m", "o", algorithm={"auxiliary_rewards": {"terms": {"wrong": "shrt"}}}))


def test_a_run_learns_the_weights_and_resumes_with_them(model, tmp_path, monkeypatch):
    says = lambda asked: f"<answer>{asked.total}</answer>" if asked.turn % 2 else f"Hm. <answer>{asked.total + 1}</answer>"  # noqa: E731
    knowing(monkeypatch, says)
    term = {"short": {"short": {"free_tokens": 4, "max_tokens": 30}}}
    chosen = {"advantage": "dr_grpo", "filter_zero_std": False, "auxiliary_rewards": {"terms": term}}
    config = Config.from_dict(sums(model, tmp_path / "run", algorithm=chosen))
    train(config)
    weights = [line["reward_weight/short"] for line in read_lines(tmp_path / "run" / "metrics.jsonl") if "reward_gap" in line]
    # Right responses are the shorter ones here, so being short agrees with being right.
    assert 0 < weights[0] < weights[1] <= 0.1
    assert load(list_checkpoints(tmp_path / "run" / "checkpoints")[-1]).facts["reward_weights"] == {"short": pytest.approx(weights[1])}
    with pytest.raises(TrainError, match=r"algorithm\.auxiliary_rewards does not support 2 ranks"):
        check_ranks_of_model(config, 2)


def test_weights_that_could_never_move_are_refused(model, tmp_path):
    terms = {"short": {"short": {"free_tokens": 4, "max_tokens": 30}}}
    chosen = {"advantage": "dr_grpo", "filter_zero_std": False, "auxiliary_rewards": {"terms": terms}}
    with pytest.raises(TrainError, match=r"algorithm.auxiliary_rewards holds a group out .* set rollout.groups_per_step to 2 or more"):
        check_algorithms(Config.from_dict(sums(model, tmp_path, algorithm=chosen, rollout={"groups_per_step": 1})))
    with pytest.raises(TrainError, match=r"helps where a whole group failed, .* set algorithm.filter_zero_std=false"):
        check_algorithms(Config.from_dict(sums(model, tmp_path, algorithm=chosen | {"filter_zero_std": None})))
    with pytest.raises(TrainError, match=r"rollouts of the oracle have no text: leave out algorithm.oracle_fraction"):
        check_algorithms(Config.from_dict(sums(model, tmp_path, algorithm=chosen | {"oracle_fraction": 0.25})))
