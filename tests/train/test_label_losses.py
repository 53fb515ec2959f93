"""Losses on verdicts and pairs against numbers computed by hand."""

from __future__ import annotations

from math import exp, log

import pytest
from train.loss_cases import evaluate_loss
from train.policies import approximate_rows
from train.test_losses import by_ratios

torch = pytest.importorskip("torch", reason="the trainer needs torch")


def test_real_is_its_formula(build, lay, slope):
    rewards, groups = [1, 1, 0, 0, 1], [0, 0, 0, 0, 1]
    ratios = [[1.2, 0.9], [1.5], [0.7, 1.1, 1.3], [2.0], [0.8]]
    created = by_ratios(build, lay, ratios, [[0] * len(row) for row in ratios], rewards, groups)
    value, slopes, metrics = evaluate_loss("real", lay, slope, created, temperature=0.5)
    s = [sum(log(x) for x in row) / len(row) for row in ratios]
    right, wrong = exp(-s[0] / 0.5) + exp(-s[1] / 0.5), exp(s[2] / 0.5) + exp(s[3] / 0.5)
    first, second = log(1 + right) + log(1 + wrong), log(1 + exp(-s[4] / 0.5))
    assert value == pytest.approx((first + second) / 2)
    # d log(1 + sum) / d s is -+ (1 / tau) e^(-+ s / tau) / (1 + sum), spread over the tokens of the mean, over two groups
    signs, ahead = [-1, -1, 1, 1, -1], [right, right, wrong, wrong, exp(-s[4] / 0.5)]
    each = [sign * 2 * exp(sign * x / 0.5) / (1 + total) / 2 for sign, x, total in zip(signs, s, ahead, strict=True)]
    assert slopes == approximate_rows([[weight / len(row)] * len(row) for weight, row in zip(each, ratios, strict=True)])
    assert metrics["score_gap"] == pytest.approx((s[0] + s[1] + s[4]) / 3 - (s[2] + s[3]) / 2)


def test_real_with_cross_entropy_treats_each_rollout_by_itself(build, lay, slope):
    rewards, groups = [1, 0, 0, 1], [0, 0, 0, 1]
    ratios = [[1.2, 0.9], [0.7], [2.0], [0.8]]
    created = by_ratios(build, lay, ratios, [[0] * len(row) for row in ratios], rewards, groups)
    value, slopes, _ = evaluate_loss("real", lay, slope, created, temperature=0.5, variant="bce")
    s = [sum(log(x) for x in row) / len(row) for row in ratios]
    margins = [-s[0] / 0.5, s[1] / 0.5, s[2] / 0.5, -s[3] / 0.5]
    each = [log(1 + exp(margin)) for margin in margins]
    assert value == pytest.approx((sum(each[:3]) / 3 + each[3]) / 2)
    # d log(1 + e^m) / d m is the sigmoid of m, and d m / d s is -+ 1 / tau
    weights = [sign * 2 / (1 + exp(-margin)) / size / 2 for sign, margin, size in zip((-1, 1, 1, -1), margins, (3, 3, 3, 1), strict=True)]
    assert slopes == approximate_rows([[weight / len(row)] * len(row) for weight, row in zip(weights, ratios, strict=True)])
    # In a group of one right and one wrong rollout the variants are the same, but for the mean.
    pair = by_ratios(build, lay, [[1.5], [0.5]], [[0], [0]], [1, 0])
    joint, single = (evaluate_loss("real", lay, slope, pair, variant=variant)[0] for variant in ("joint", "bce"))
    assert joint == pytest.approx(2 * single)


def test_weights_of_real_are_bounded_and_fall(build, lay, slope):
    def pull(ratio):
        created = by_ratios(build, lay, [[ratio], [1]], [[0], [0]], [1, 0])
        return -evaluate_loss("real", lay, slope, created, temperature=0.5)[1][0][0]

    pulls = [pull(ratio) for ratio in (1e-6, 0.1, 1, 10, 1e6)]
    assert pulls == sorted(pulls, reverse=True)
    assert 1.99 < pulls[0] <= 2  # 1 / tau
    assert 0 < pulls[-1] < 1e-6


@pytest.mark.parametrize("balanced", [False, True])
def test_pacs_is_its_formula(build, lay, slope, balanced):
    rewards, groups = [1, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 2]
    ratios = [[1.2, 0.9], [1.5], [0.7, 1.1, 1.3], [2.0], [0.8], [3.0]]
    created = by_ratios(build, lay, ratios, [[0] * len(row) for row in ratios], rewards, groups)
    value, slopes, metrics = evaluate_loss("pacs", lay, slope, created, beta=0.7, balanced=balanced)
    leaves = [torch.tensor([log(x) for x in row], requires_grad=True) for row in ratios]
    score = [0.7 * leaf.sum() for leaf in leaves]
    psi = [score[0] - (score[1] + score[2]) / 2, score[1] - (score[0] + score[2]) / 2, score[2] - (score[0] + score[1]) / 2]
    psi += [score[3] - score[4], score[4] - score[3]]
    # Balanced: right and wrong of the first group weigh 3/2 each in all, over one and two rollouts
    weights = [3 / 2, 3 / 4, 3 / 4, 1, 1] if balanced else [1] * 5
    each = [w * torch.nn.functional.binary_cross_entropy_with_logits(p, torch.tensor(float(r))) for w, p, r in zip(weights, psi, rewards)]
    # The last rollout has nobody to be compared with
    expected = (sum(each[:3]) / 3 + sum(each[3:]) / 2) / (2 + 1)
    expected.backward()
    assert value == pytest.approx(expected.item())
    assert slopes == approximate_rows([[0.0] if leaf.grad is None else leaf.grad.tolist() for leaf in leaves])
    numbers = [x.item() for x in score]
    assert metrics["score_gap"] == pytest.approx((numbers[0] + numbers[3] + numbers[4]) / 3 - (numbers[1] + numbers[2]) / 2, rel=1e-4)


def test_dpo_is_its_formula(build, lay, slope):
    rewards, groups = [1, 1, 0, 0, 1, 0], [0, 0, 0, 1, 1, 2]
    new = [[-1.0, -2.0], [-0.5], [-1.5, -0.2, -0.1], [-3.0], [-1.0], [-2.0]]
    reference = [[-1.2, -2.2], [-1.0], [-1.0, -1.0, -1.0], [-2.0], [-1.5], [-1.0]]
    batch = build(rewards, groups, [[-1.0] * len(row) for row in new], reference=reference)
    for extra in ({}, {"length_normalized": True}, {"label_smoothing": 0.1}):
        value, slopes, metrics = evaluate_loss("dpo", lay, slope, (batch, new, batch.old_logprobs_T), beta=0.7, **extra)
        leaves = [torch.tensor(row, requires_grad=True) for row in new]
        ratios = [leaf - torch.tensor(row) for leaf, row in zip(leaves, reference, strict=True)]
        score = [0.7 * (ratio.mean() if "length_normalized" in extra else ratio.sum()) for ratio in ratios]
        smoothing = extra.get("label_smoothing", 0.0)

        def pair(i, j, score=score, smoothing=smoothing):
            margin = score[i] - score[j]
            return -(1 - smoothing) * torch.sigmoid(margin).log() - smoothing * torch.sigmoid(-margin).log()

        # Two pairs in the first group, one in the second; the third has none, and counts as a group.
        expected = ((pair(0, 2) + pair(1, 2)) / 2 + pair(4, 3)) / 3
        expected.backward()
        assert value == pytest.approx(expected.item())
        assert slopes == approximate_rows([[0.0] if leaf.grad is None else leaf.grad.tolist() for leaf in leaves])
        assert metrics["preference_pairs"] == 3
        assert metrics["preference_accuracy"] == pytest.approx(sum(float(score[i] > score[j]) for i, j in ((0, 2), (1, 2), (4, 3))) / 3)


def test_dpo_pulls_a_well_ordered_pair_less(build, lay, slope):
    def pull(right):
        batch = build([1, 0], logprobs=[[-1.0], [-1.0]], reference=[[-1.0], [-1.0]])
        return -evaluate_loss("dpo", lay, slope, (batch, [[right], [-1.0]], batch.old_logprobs_T), beta=1.0)[1][0][0]

    pulls = [pull(right) for right in (-6.0, -1.0, -0.1)]
    assert pulls == sorted(pulls, reverse=True)
    assert pulls[1] == pytest.approx(0.5)


@pytest.mark.parametrize(("name", "given"), [("pacs", {}), ("real", {"variant": "bce", "temperature": 1.0}), ("dpo", {"beta": 1.0})])
def test_a_label_pulls_by_half_while_the_policy_has_not_moved(build, lay, slope, name, given):
    """d log(1 + e^x) / d x is 1/2 at 0, where every first update on fresh rollouts is."""
    batch = build([1, 0], logprobs=[[-1.0], [-1.0]], reference=[[-1.0], [-1.0]])
    slopes = evaluate_loss(name, lay, slope, (batch, [[-1.0], [-1.0]], batch.old_logprobs_T), **given)[1]
    # Of pacs both rollouts pull both scores, and the mean is over two of them.
    assert slopes == approximate_rows([[-0.25 if name == "real" else -0.5], [0.25 if name == "real" else 0.5]])
