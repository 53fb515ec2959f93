"""Label audit by vote: several solvers answer each question, and labels that their answers make improbable are suspect.

A simple latent-truth model (Dawid and Skene 1979, with one accuracy per voter): each solver gives the true answer with its own probability, and else
one of the other answers; the label is one more voter. Accuracies are estimated by expectation maximisation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

LABEL = "label"
ROUNDS, SUSPECT = 30, 0.5
_ALTERNATIVES = 8
"""How many wrong answers a question is taken to have: wrong answers agree by chance this seldom."""

Same = Callable[[str, str], bool]


@dataclass(frozen=True)
class Suspect:
    """A label that is probably wrong: the probability that it is right, the likeliest answer, and how many voters gave each."""

    key: int
    right: float
    label: str
    answer: str
    votes: int
    voters: int


@dataclass
class Votes:
    """The answers of solvers to questions: solver -> key of the question -> answer."""

    answers: dict[str, dict[int, str]] = field(default_factory=dict)

    def add(self, solver: str, key: int, answer: str) -> None:
        """Record one solver's answer to one question; the latest counts."""
        self.answers.setdefault(solver, {})[key] = answer


def suspects(labels: Mapping[int, str], votes: Votes, same: Callable[[int], Same]) -> list[Suspect]:
    """The labels whose probability of being right is below one half. `same(key)` compares two answers to a question.

    A question that fewer than two solvers answered is not judged.
    """
    classes = {key: _classes(key, label, votes, same(key)) for key, label in labels.items()}
    judged = {key: given for key, given in classes.items() if len(given) > 2}
    accuracy = {voter: 0.7 for given in judged.values() for voter in given}
    posteriors: dict[int, list[float]] = {}
    for _ in range(ROUNDS):
        posteriors = {key: _posterior(given, accuracy) for key, given in judged.items()}
        right: dict[str, list[float]] = {voter: [] for voter in accuracy}
        for key, given in judged.items():
            for voter, answer in given.items():
                right[voter].append(posteriors[key][answer])
        accuracy = {voter: (sum(each) + 1) / (len(each) + 2) for voter, each in right.items()}
    return [
        _suspect(key, labels[key], judged[key], posterior, votes)
        for key, posterior in posteriors.items()
        if posterior[judged[key][LABEL]] < SUSPECT and max(posterior) > SUSPECT
    ]


def _classes(key: int, label: str, votes: Votes, same: Same) -> dict[str, int]:
    """Voter -> number of the class of equal answers that its answer is in; the label has the class 0."""
    representatives, out = [label], {LABEL: 0}
    for solver, answers in votes.answers.items():
        if key not in answers:
            continue
        answer = answers[key]
        found = next((number for number, other in enumerate(representatives) if same(other, answer)), len(representatives))
        if found == len(representatives):
            representatives.append(answer)
        out[solver] = found
    return out


def _posterior(given: Mapping[str, int], accuracy: Mapping[str, float]) -> list[float]:
    """The probability of each class of answers to be the true one; the rest is for an answer that nobody gave."""
    count = max(given.values()) + 1
    likelihoods = []
    for truth in range(count + 1):
        likelihood = 1.0
        for voter, answer in given.items():
            likelihood *= accuracy[voter] if answer == truth else (1 - accuracy[voter]) / _ALTERNATIVES
        likelihoods.append(likelihood)
    total = sum(likelihoods)
    return [likelihood / total for likelihood in likelihoods[:count]]


def _suspect(key: int, label: str, given: Mapping[str, int], posterior: Sequence[float], votes: Votes) -> Suspect:
    best = max(range(len(posterior)), key=posterior.__getitem__)
    voters = [voter for voter, answer in given.items() if answer == best]
    return Suspect(key, posterior[given[LABEL]], label, votes.answers[voters[0]][key], len(voters), len(given) - 1)
