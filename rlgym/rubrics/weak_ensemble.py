"""One score from several weak verifiers, whose accuracies are estimated without labels.

Shrinking the Generation-Verification Gap with Weak Verifiers (Weaver).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlgym.core.errors import RlgymError

STEPS = 500
SMOOTHING = 1.0
"""Right and wrong responses of each kind that every verifier is assumed to have judged by chance, so that no rate becomes 0 or 1."""


class WeakVerifiersError(RlgymError, ValueError):
    """Scores from which no ensemble can be made."""


@dataclass(frozen=True)
class VerifierRates:
    """How often a verifier accepts right responses (`sensitivity`) and refuses wrong ones (`specificity`), as estimated."""

    sensitivity: float
    specificity: float


@dataclass(frozen=True)
class WeakEnsemble:
    """The estimated rates of the verifiers that are used, the share of right responses, and the names of verifiers that were left out."""

    rates: Mapping[str, VerifierRates]
    prior: float
    left_out: tuple[str, ...]
    thresholds: Mapping[str, float]

    def posterior(self, scores: Mapping[str, Sequence[float]]) -> list[float]:
        """The probability that each response is right, from 0 to 1. A score of NaN is a verifier that abstains."""
        votes = _votes({name: scores[name] for name in self.rates}, self.thresholds)
        rates = np.array([[each.sensitivity, each.specificity] for each in self.rates.values()])
        return [float(each) for each in _posterior(votes, rates[:, 0], rates[:, 1], self.prior)]


def fit_weak_ensemble(
    scores: Mapping[str, Sequence[float]], *, prior: float | None = None, acceptance: tuple[float, float] = (0.02, 0.98)
) -> WeakEnsemble:
    """Estimate the rates of verifiers from their scores of the same responses, without labels.

    A verifier accepts a response whose score is above its threshold: 0.5 if all its scores lie in [0, 1], else its median. The rates, and
    the prior unless it is given, maximise the likelihood of the votes under conditional independence (EM of Dawid and Skene), starting
    from the majority of the votes: the verifiers must be right more often than not on the whole.

    scores      by the name of the verifier; NaN where it abstains
    prior       the share of right responses, if it is known
    acceptance  verifiers that accept a smaller or larger share of the responses say nothing, and are left out

    WeakVerifiersError where fewer than three verifiers are left, since the rates of two cannot be told from their votes.
    """
    lengths = {len(each) for each in scores.values()}
    if len(lengths) != 1 or lengths == {0}:
        raise WeakVerifiersError("every verifier needs a score of each response")
    if prior is not None and not 0 < prior < 1:
        raise WeakVerifiersError(f"prior must lie between 0 and 1, got {prior!r}")
    thresholds = {name: _threshold(np.asarray(each, float)) for name, each in scores.items()}
    votes = _votes(scores, thresholds)
    with np.errstate(invalid="ignore"):
        shares = np.nansum(votes, 0) / np.maximum(1, np.isfinite(votes).sum(0))
    used = [name for name, share in zip(scores, shares, strict=True) if acceptance[0] <= share <= acceptance[1]]
    if len(used) < 3:
        raise WeakVerifiersError(f"at least three verifiers must tell responses apart, and {len(used)} of {len(scores)} do")
    votes = votes[:, [name in used for name in scores]]
    sensitivity, specificity, share = _maximize_likelihood(votes, prior)
    rates = {name: VerifierRates(float(a), float(b)) for name, a, b in zip(used, sensitivity, specificity, strict=True)}
    left_out = tuple(name for name in scores if name not in used)
    return WeakEnsemble(rates, share, left_out, {name: thresholds[name] for name in used})


def _threshold(scores: Any) -> float:
    known = scores[np.isfinite(scores)]
    if not len(known):
        return 0.5
    return 0.5 if known.min() >= 0 and known.max() <= 1 else float(np.median(known))


def _votes(scores: Mapping[str, Sequence[float]], thresholds: Mapping[str, float]) -> Any:
    """Votes [responses, verifiers]: 1 accepts, 0 refuses, NaN abstains."""
    columns = []
    for name, each in scores.items():
        values = np.asarray(each, float)
        columns.append(np.where(np.isfinite(values), (values > thresholds[name]).astype(float), np.nan))
    return np.stack(columns, 1)


def _maximize_likelihood(votes: Any, prior: float | None) -> tuple[Any, Any, float]:
    known = np.isfinite(votes)
    accepted = np.nan_to_num(votes)
    right = accepted.sum(1) / np.maximum(1, known.sum(1))  # the share of the votes, as the first guess
    share = float(right.mean()) if prior is None else prior
    sensitivity = specificity = np.zeros(votes.shape[1])
    for _ in range(STEPS):
        sensitivity = (right @ accepted + SMOOTHING / 2) / (right @ known + SMOOTHING)
        specificity = ((1 - right) @ (known - accepted) + SMOOTHING / 2) / ((1 - right) @ known + SMOOTHING)
        share = float(np.clip(right.mean(), 1e-6, 1 - 1e-6)) if prior is None else prior
        before, right = right, _posterior(votes, sensitivity, specificity, share)
        if np.abs(before - right).max() < 1e-9:
            break
    return sensitivity, specificity, share


def _posterior(votes: Any, sensitivity: Any, specificity: Any, prior: float) -> Any:
    known, accepted = np.isfinite(votes), np.nan_to_num(votes)
    for_right = known * (accepted * np.log(sensitivity) + (1 - accepted) * np.log(1 - sensitivity))
    for_wrong = known * (accepted * np.log(1 - specificity) + (1 - accepted) * np.log(specificity))
    logits = np.log(prior / (1 - prior)) + (for_right - for_wrong).sum(1)
    return 1 / (1 + np.exp(-np.clip(logits, -500, 500)))
