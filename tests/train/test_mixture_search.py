"""The best mixture by a surrogate of pilot runs."""

from itertools import product

import numpy as np
import pytest

pytest.importorskip("torch", reason="the trainer needs torch")

from rlgym.train.config.sections import TrainError
from rlgym.train.tasks.mixture_search import best_mixture


def grid(parts, steps=4):
    return [weights for weights in product(range(steps + 1), repeat=parts) if sum(weights) == steps]


def test_the_maximum_of_a_quadratic_is_found():
    pilots = grid(2)
    scores = [0.6 - (first / 4 - 0.7) ** 2 for first, _ in pilots]
    assert best_mixture(pilots, scores) == pytest.approx([0.7, 0.3], abs=1e-3)
    # With three parts, two of which help each other: w1 w2 is largest at a half each, the third only harms.
    pilots = grid(3)
    scores = [0.2 + first / 4 * second / 4 - 0.5 * third / 4 for first, second, third in pilots]
    assert best_mixture(pilots, scores) == pytest.approx([0.5, 0.5, 0], abs=1e-3)


def test_a_maximum_at_a_corner_is_found():
    pilots = grid(3)
    assert best_mixture(pilots, [weights[1] / 4 for weights in pilots]) == pytest.approx([0, 1, 0], abs=1e-6)
    # Specialists score better than any mixture, and the second is best.
    convex = [sum(weight**2 for weight in weights) / 16 + 0.01 * weights[1] for weights in pilots]
    assert best_mixture(pilots, convex) == pytest.approx([0, 1, 0], abs=1e-6)


def test_no_random_mixture_beats_the_result_on_the_surrogate():
    rng = np.random.default_rng(4)
    for _ in range(5):
        matrix, vector = rng.normal(size=(4, 4)), rng.normal(size=4)

        def score(weights, matrix=matrix, vector=vector):
            share = np.asarray(weights) / np.sum(weights)
            return float(share @ vector + share @ matrix @ share)

        pilots = [rng.dirichlet(np.ones(4)) for _ in range(60)]
        found = best_mixture(pilots, [score(weights) for weights in pilots])
        assert sum(found) == pytest.approx(1)
        assert min(found) >= 0
        assert score(found) >= max(score(rng.dirichlet(np.ones(4))) for _ in range(3000)) - 1e-3


def test_the_scale_of_weights_does_not_matter():
    pilots = grid(2)
    scores = [0.6 - (first / 4 - 0.7) ** 2 for first, _ in pilots]
    scaled = [
        [place + 2.0, 0.0] if not second else [first * (place + 1.0), second * (place + 1.0)]
        for place, (first, second) in enumerate(pilots)
    ]
    assert best_mixture(scaled, scores) == pytest.approx(best_mixture(pilots, scores), abs=1e-6)


@pytest.mark.parametrize(
    ("mixtures", "scores"),
    [([[1, 0], [0, 1]], [1.0]), ([[1, 0], [1]], [1.0, 2.0]), ([[0, 0]], [1.0]), ([[1, -1]], [1.0]), ([], []), ([[1, 0]], [float("nan")])],
)
def test_what_is_no_mixture_is_refused(mixtures, scores):
    with pytest.raises(TrainError):
        best_mixture(mixtures, scores)
