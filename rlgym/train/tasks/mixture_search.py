"""The mixture of tasks that a surrogate, fitted to a few short runs, expects to score best."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rlgym.train.config.sections import TrainError

Array: TypeAlias = "NDArray[np.float64]"
STEPS = 2000


def best_mixture(mixtures: Sequence[Sequence[float]], scores: Sequence[float], ridge: float = 1e-6) -> list[float]:
    """The shares, from 0 to 1 with the sum 1, that maximise a quadratic surrogate of the score.

    mixtures  the weights of the parts in each pilot run (`tasks.weight`), of any scale, none negative
    scores    the held-out score of each run
    ridge     regularisation of the fit, relative to the mean square of its features

    The surrogate is sum of b_i w_i plus sum over i <= j of a_ij w_i w_j, fitted by ridge regression; with fewer runs than its
    coefficients the regularisation decides, so treat the result as a guess. Its maximum is searched by projected gradients from every
    pilot mixture, every single part and the uniform mixture. Raises TrainError for mixtures that are not weights or do not match the
    scores. From "MoDoMoDo: Multi-Domain Data Mixtures for Multimodal LLM Reinforcement Learning".
    """
    shares_NK, score_N = _shares(mixtures), np.asarray(scores, dtype=float)
    if len(shares_NK) != len(score_N) or not np.isfinite(score_N).all():
        raise TrainError(f"need one finite score for each of the {len(shares_NK)} mixtures, got {list(scores)!r:.80}")
    count = shares_NK.shape[1]
    feature_NF = _features(shares_NK)
    penalty = ridge * float((feature_NF**2).mean()) * len(feature_NF) * np.eye(feature_NF.shape[1])
    coefficient_F = np.linalg.solve(feature_NF.T @ feature_NF + penalty, feature_NF.T @ score_N)
    linear_K, quadratic_KK = coefficient_F[:count], np.zeros((count, count))
    for value, (i, j) in zip(coefficient_F[count:], combinations_with_replacement(range(count), 2), strict=True):
        quadratic_KK[i, j] += value / 2
        quadratic_KK[j, i] += value / 2
    share_SK = np.vstack([shares_NK, np.eye(count), np.full((1, count), 1 / count)])
    rate = 1 / (2 * float(np.abs(np.linalg.eigvalsh(quadratic_KK)).max()) + 1e-9)
    for _ in range(STEPS):
        share_SK = _project(share_SK + min(rate, 1.0) * (linear_K + 2 * share_SK @ quadratic_KK))
    expected_S = share_SK @ linear_K + ((share_SK @ quadratic_KK) * share_SK).sum(1)
    return [float(share) for share in share_SK[int(expected_S.argmax())]]


def _shares(mixtures: Sequence[Sequence[float]]) -> Array:
    try:
        weight_NK = np.array([list(mixture) for mixture in mixtures], dtype=float)
    except ValueError:
        weight_NK = np.empty(0)
    if weight_NK.ndim != 2 or not (np.isfinite(weight_NK).all() and (weight_NK >= 0).all() and (weight_NK.sum(1) > 0).all()):
        raise TrainError("mixtures must be lists of the same length, of weights from 0 of which one is above 0")
    return weight_NK / weight_NK.sum(1, keepdims=True)


def _features(share_NK: Array) -> Array:
    """The shares, and their products."""
    pairs = combinations_with_replacement(range(share_NK.shape[1]), 2)
    return np.column_stack([share_NK, *(share_NK[:, i] * share_NK[:, j] for i, j in pairs)])


def _project(point_SK: Array) -> Array:
    """The nearest points of the simplex."""
    sorted_SK = -np.sort(-point_SK, axis=1)
    excess_SK = (np.cumsum(sorted_SK, axis=1) - 1) / np.arange(1, point_SK.shape[1] + 1)
    last_S = (sorted_SK > excess_SK).sum(1) - 1
    shifted: Array = np.maximum(point_SK - excess_SK[np.arange(len(point_SK)), last_S][:, None], 0.0)
    return shifted
