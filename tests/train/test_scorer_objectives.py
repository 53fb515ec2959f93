"""The objectives of a scorer of steps, by hand."""

from dataclasses import replace
from math import exp, log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


from rlgym.train.scorer.objectives import Example, lambda_returns, objective_loss, prefix_shares


def sigmoid(x):
    return 1 / (1 + exp(-x))


def test_the_lambda_return_by_hand():
    # G3 = 1; G2 = 0.5 x 0.6 + 0.5 x 1; G1 = 0.5 x 0.4 + 0.5 x 0.8.
    assert lambda_returns([0.2, 0.4, 0.6], 1.0, 0.5) == pytest.approx([0.6, 0.8, 1.0])
    assert lambda_returns([0.2, 0.4, 0.6], 1.0, 1.0) == [1, 1, 1]
    assert lambda_returns([0.2, 0.4, 0.6], 1.0, 0.0) == [0.4, 0.6, 1]
    assert lambda_returns([0.2], 0.0, 0.5) == [0]


def test_shares_of_right_responses_among_those_with_the_same_prefix():
    responses = [[5, 6, 7], [5, 6, 8], [5, 9], [4]]
    # Three begin with 5, of which two are right; two with 5 6, of which one is.
    assert prefix_shares(responses, [True, False, True, False]) == [(2 / 3, 1 / 2, 1), (2 / 3, 1 / 2, 0), (2 / 3, 1), (0,)]
    assert prefix_shares([[1, 2], [1, 2]], [True, False]) == [(0.5, 0.5)] * 2


def test_the_losses_by_hand():
    first = Example("a", (9, 9, 1, 2, 3), 2, (2, 4), (1.0, 0.0), True, (0.5, 0.5, 1.0))
    second = Example("b", (9, 4, 5), 1, (1, 2), (None, 0.25), False, (0.0, 0.25))
    output_T = torch.tensor([7.0, 7.0, 1.0, 0.5, -1.0, 7.0, 0.2, 0.4])
    both = [first, second]

    def loss(name, **more):
        return float(objective_loss(name, both, output_T, **more))

    # Labels 1, 0 and 1/4 at the outputs 1, -1 and 0.4.
    soft = -0.25 * log(sigmoid(0.4)) - 0.75 * log(1 - sigmoid(0.4))
    assert loss("steps") == pytest.approx((-log(sigmoid(1)) - log(1 - sigmoid(-1)) + soft) / 3, rel=1e-5)
    # The first response is right and the second wrong, at three tokens and at two.
    assert loss("outcome") == pytest.approx((0 + 0.25 + 4 + 0.04 + 0.16) / 5, rel=1e-5)
    assert loss("tokens") == pytest.approx((0.25 + 0 + 4 + 0.04 + 0.0225) / 5, rel=1e-5)
    # Steps at 1 and -1 with the outcome 1: targets 0.5 (-1) + 0.5 (1) = 0 and 1; at 0.2 and 0.4 with 0: 0.2 and 0.
    assert loss("td", decay=0.5) == pytest.approx((1 + 4 + 0 + 0.16) / 4, rel=1e-5)
    pair = [replace(first, group="p"), replace(second, group="p")]
    assert float(objective_loss("pairs", pair, output_T)) == pytest.approx(-log(sigmoid(-1 - 0.4)), rel=1e-5)
