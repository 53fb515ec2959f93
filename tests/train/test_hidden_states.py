"""Advantages from hidden states: the influence of a token on right responses, and the effective rank, by hand and in runs."""

import shutil
from math import exp, log, tanh

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym.train.config.hidden_states import EffectiveRankConfig, TokenInfluenceConfig
from rlgym.train.config.schema import Config
from rlgym.train.data.batch import Batch
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.packing import pack
from rlgym.train.model.pretrained import load_model
from rlgym.train.update.hidden_states import (
    RankMetrics,
    RankTracker,
    effective_rank,
    hidden_states,
    influence_advantage,
    rank_advantage,
    rank_bonus,
    rank_metrics,
    token_influence,
)
from rlgym.train.update.policy import PolicyForward


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=300, loud=3.0)
    return folder


def rollouts(rows, rewards, groups, valid=None):
    """A batch of token sequences whose first token is the prompt."""
    tokens = [token for row in rows for token in row]
    rollout = [number for number, row in enumerate(rows) for _ in row]
    zero_T = torch.zeros(len(tokens))
    return Batch(
        tokens_T=torch.tensor(tokens),
        rollout_T=torch.tensor(rollout),
        loss_mask_T=torch.tensor([place > 0 for row in rows for place in range(len(row))]),
        rollout_logprobs_T=zero_T,
        old_logprobs_T=zero_T,
        reward_N=torch.tensor(rewards),
        group_N=torch.tensor(groups),
        valid_N=torch.tensor(valid or [True] * len(rows)),
        truncated_N=torch.zeros(len(rows), dtype=torch.bool),
    )


ROWS = [[5, 9, 200, 17], [5, 9, 30, 4, 8], [5, 7, 7], [6, 40, 41], [6, 42, 43]]


def drawn_from(model, row):
    """The hidden states from which the sampled tokens of a row are drawn, and e(token) - pi for each."""
    packed = pack([row])
    hidden = model(packed.tokens_T, packed.positions_T, packed.attention)[:-1]
    residual = -torch.softmax(hidden @ model.head_VE.t(), 1)
    residual[torch.arange(len(row) - 1), torch.tensor(row[1:])] += 1
    return hidden, residual


def test_influence_is_the_sum_over_pairs_of_tokens(start):
    model = load_model(start)
    batch = rollouts(ROWS, [1.0, 0.0, 1.0, 0.0, 0.0], [0, 0, 0, 1, 1])
    found_T = token_influence(PolicyForward(model, max_tokens=6), batch)
    with torch.no_grad():
        states = [drawn_from(model, row) for row in ROWS]
        expected = []
        for row in range(3):
            hidden, residual = states[row]
            products = [((residual @ right[1].t()) * (hidden @ right[0].t())).sum(1) for right in (states[0], states[2])]
            expected.append(sum(products).tolist())
    assert [found_T[(batch.rollout_T == row) & batch.loss_mask_T].tolist() for row in range(3)] == [
        pytest.approx(row, rel=1e-3, abs=1e-4) for row in expected
    ]
    # A group without a right response has no influence, and neither have prompts.
    assert found_T[batch.group_N[batch.rollout_T] == 1].tolist() == [0.0] * 6
    assert found_T[~batch.loss_mask_T].tolist() == [0.0] * 5


@torch.no_grad()
def test_influence_is_what_a_step_up_the_token_does_to_the_right_responses(start):
    """The head moves a little along the gradient of one token's log-probability; the right response gains influence times the step."""
    model = load_model(start)
    batch = rollouts(ROWS[:2], [1.0, 0.0], [0, 0])
    influence = token_influence(PolicyForward(model, max_tokens=60), batch)

    hidden, residual = drawn_from(model, ROWS[1])
    of_right, chosen, step = drawn_from(model, ROWS[0])[0].double(), (torch.arange(3), torch.tensor(ROWS[0][1:])), 1e-5

    def likelihood(head_VE):
        return float(torch.log_softmax(of_right @ head_VE.double().t(), 1)[chosen].sum())

    for token, place in enumerate(((batch.rollout_T == 1) & batch.loss_mask_T).nonzero().squeeze(1).tolist()):
        moved_VE = model.head_VE.double() + step * (residual[token][:, None] * hidden[token][None]).double()
        gained = (likelihood(moved_VE) - likelihood(model.head_VE)) / step
        assert gained == pytest.approx(float(influence[place].detach()), rel=2e-2, abs=2e-2)


def test_influence_changes_advantages_by_hand():
    advantage_T = torch.tensor([1.0, 1.0, -1.0, -1.0, 0.0])
    influence_T = torch.tensor([3.0, -2.0, 3.0, -0.1, 5.0])
    # The hidden rewards are 3, -2, -3, 0.1 and 0.
    sharpen, metrics = influence_advantage(advantage_T, influence_T, TokenInfluenceConfig(strength=0.5))
    assert sharpen.tolist() == [1.5, 0.5, -0.5, -1.5, 0.0]
    assert metrics == {"influence_tokens": 1.0, "influence_positive": 0.5}
    explore, _ = influence_advantage(advantage_T, influence_T, TokenInfluenceConfig(strength=-0.5, threshold=1.0))
    assert explore.tolist() == [0.5, 1.5, -1.5, -1.0, 0.0]
    few, metrics = influence_advantage(advantage_T, influence_T, TokenInfluenceConfig(strength=0.5, threshold=1.0, others="dropped"))
    assert few.tolist() == [1.5, 0.5, -0.5, 0.0, 0.0]
    assert metrics == {"influence_tokens": 0.75, "influence_positive": 0.25}


def test_effective_rank_counts_directions():
    # Centred, these are four vectors of two orthogonal directions with equal singular values.
    cross = torch.tensor([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]])
    assert effective_rank(cross + 7.0) == pytest.approx(2.0, rel=1e-4)
    line = torch.tensor([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]])
    assert effective_rank(line) == pytest.approx(1.0, rel=1e-4)
    # Singular values 2 and 1 after centring: shares 2/3 and 1/3.
    unequal = cross * torch.tensor([[2.0], [2.0], [1.0], [1.0]])
    assert effective_rank(unequal) == pytest.approx(exp(-(2 / 3) * log(2 / 3) - (1 / 3) * log(1 / 3)), rel=1e-4)
    assert effective_rank(cross[:1]) == 0.0


def test_the_rank_of_a_response_and_how_it_grows():
    rows = torch.cat([torch.eye(6), torch.zeros(0, 6)])
    ranks = [effective_rank(rows[:end]) for end in (2, 4, 6)]
    assert ranks == pytest.approx([1.0, 3.0, 5.0], rel=1e-3)
    # Less the mean of those before: 3 - 1 and 5 - 2; their change is 1.
    found = rank_metrics(rows, stride=2)
    assert (found.rank, found.velocity, found.acceleration) == pytest.approx((5.0, 2.5, 1.0), rel=1e-3)
    # A response that ends two or more tokens after a stride has its whole rank at the end.
    assert rank_metrics(rows, stride=4).velocity == pytest.approx(5.0 - 3.0, rel=1e-3)
    assert rank_metrics(rows, stride=5).velocity == 0.0
    assert rank_metrics(rows[:3], stride=40) == RankMetrics(effective_rank(rows[:3]), 0.0, 0.0)


def test_the_bonus_by_hand_and_its_cap(build):
    averages, options = (4.0, 2.0, 1.0), EffectiveRankConfig(gain=2.0, cap=4.0)
    fast = RankMetrics(5.0, 3.0, 1.5)
    weight = 1 / (1 + exp(-2.0 * 0.5))
    assert rank_bonus(fast, averages, options) == pytest.approx(weight * tanh(0.25) + (1 - weight) * tanh(0.5))
    batch = build([1, 0, 0], logprobs=[[-1.0, -1.0], [-1.0], [-1.0]], gaps=False)
    advantage_T = torch.tensor([8.0, 8.0, -0.4, -0.4])
    bonus = rank_bonus(fast, averages, options)
    found = rank_advantage(advantage_T, batch, [fast, fast, RankMetrics(2.0, 1.0, 0.5)], averages, options)
    # The bonus is added where it is small beside the advantage, cut at a quarter of it elsewhere, and never negative.
    assert found.tolist() == pytest.approx([8 + bonus, 8 + bonus, -0.4 + 0.1, -0.4])


def test_averages_start_with_the_first_step_and_survive_a_checkpoint():
    tracker = RankTracker()
    tracker.update([], 0.5)
    assert tracker.state_dict() is None
    tracker.update([RankMetrics(2.0, 1.0, 0.0), RankMetrics(4.0, 3.0, 2.0)], 0.5)
    assert tracker.averages == (3.0, 2.0, 1.0)
    tracker.update([RankMetrics(5.0, 4.0, 3.0)], 0.5)
    assert RankTracker.from_state_dict(tracker.state_dict()).averages == (4.0, 3.0, 2.0)


def test_hidden_states_are_those_before_the_sampled_tokens(start):
    model = load_model(start)
    found = hidden_states(PolicyForward(model, max_tokens=6), rollouts(ROWS[:2], [1.0, 0.0], [0, 0]))
    with torch.no_grad():
        for row, states in zip(ROWS, found, strict=False):
            torch.testing.assert_close(states, drawn_from(model, row)[0], rtol=1e-4, atol=1e-4)


def scripted_run(start, out, **algorithm):
    rollout = {"group_size": 4, "max_new_tokens": 40}
    return Config.from_dict(sums(start, out, algorithm={"filter_zero_std": False, **algorithm}, rollout=rollout, steps=3))


def weights(out):
    return dict(load_model(out / "checkpoints" / "1-rl-0000003" / "model").weights())


def test_both_change_a_run_and_are_logged(start, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.turn % 2 == 0, request))
    train(scripted_run(start, tmp_path / "plain"))
    sections = {"token_influence": {"strength": 0.9}, "effective_rank": {"stride": 4}}
    for name, options in sections.items():
        train(scripted_run(start, tmp_path / name, **{name: options}))
        plain, changed = weights(tmp_path / "plain"), weights(tmp_path / name)
        assert any(not torch.equal(plain[weight], changed[weight]) for weight in plain)
    line = read_lines(tmp_path / "token_influence" / "metrics.jsonl")[0]
    assert line["influence_tokens"] > 0.9
    assert 0 < line["influence_positive"] < 1
    line = read_lines(tmp_path / "effective_rank" / "metrics.jsonl")[0]
    assert line["effective_rank"] > 1
    assert line["effective_rank_velocity"] > 0


def test_a_resumed_run_compares_with_the_same_averages(start, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.turn % 2 == 0, request))
    config = scripted_run(start, tmp_path / "whole", effective_rank={"stride": 4})
    train(config)
    out = tmp_path / "cut"
    shutil.copytree(tmp_path / "whole", out)
    resumed = Config.from_dict({**config.model_dump(mode="json"), "output_dir": str(out)})
    (out / "config.json").write_text(resumed.model_dump_json())
    for step in (2, 3):
        shutil.rmtree(out / "checkpoints" / f"1-rl-000000{step}")
    train(resumed)
    assert (out / "metrics.jsonl").read_bytes() == (tmp_path / "whole" / "metrics.jsonl").read_bytes()
