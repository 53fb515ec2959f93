"""What players earn who do not solve: the best of a bank, chosen on some tasks of a level and measured on others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from zlib import crc32

from rlgym.core.task import Task
from rlgym.laws.effort import Effort
from rlgym.laws.finding import Finding
from rlgym.laws.margins import exceeds
from rlgym.laws.subject import Policy, Subject, short

LEVELS_PLAYED = (0.0, 0.15, 0.25, 0.5, 0.75, 1.0)
SMALL_LEVELS = (0.0, 0.5)
MOST_EARNED = 0.05
MOST_AT_LEVEL_0 = 0.10
MOST_IF_GUESSABLE = 0.3  # where the environment declares why a guess earns something
ALL_TASKS = 400
FINALISTS = 3


class Answers(Protocol):
    """From a task to the response of each player who finds one, which is given in every turn, or to the player's policy."""

    def __call__(self, task: Task[Any], only: Sequence[str] | None = None, /) -> Mapping[str, str | Policy]:
        """only: the players whose responses are needed. Responses of others may be left out."""


@dataclass(frozen=True)
class Earnings:
    """The mean score of one player over the tasks of one level."""

    player: str
    level: float
    mean: float
    tasks: int

    def breaks(self, allowed: float) -> bool:
        """Whether the mean is above the allowed one by more than chance explains."""
        return exceeds(self.mean * self.tasks, self.tasks, allowed)


def levels_played(subject: Subject, effort: Effort) -> tuple[float, ...]:
    """The levels at which players are measured: all six, two at `quick`, one where every verdict runs a program.

    At the least effort it is one of the two, which the name chooses, so that each level has its environments.
    """
    if not effort.is_small:
        return LEVELS_PLAYED
    if subject.runs_programs:
        return SMALL_LEVELS[1:]
    return SMALL_LEVELS if effort is Effort.QUICK else (SMALL_LEVELS[crc32(subject.name.encode()) % 2],)


def allowed_mean(subject: Subject, level: float) -> float:
    """What a player who does not solve may earn on average at a level."""
    if subject.declared.guessable:
        return MOST_IF_GUESSABLE
    return MOST_AT_LEVEL_0 if level == 0 else MOST_EARNED


def best_players(
    subject: Subject, level: float, answers: Answers, chosen_on: int, measured_on: int, more_than: float = 0.0
) -> list[Earnings]:
    """The players who earn most on the first tasks, measured on the next ones, the best first.

    Players who earn no `more_than` this in all on the first tasks are not measured. One whose mean lies above the allowed one is
    measured on up to 400 tasks, so that the verdict does not rest on a small sample.
    """
    totals: dict[str, float] = {}
    for seed in range(1, chosen_on + 1):
        task = subject.task(seed, level)
        values: dict[str | Policy, float] = {}  # players often give the same response
        for player, response in answers(task).items():
            if response not in values:
                values[response] = _value(subject, task, response)
            totals[player] = totals.get(player, 0.0) + values[response]
    promising = sorted((player for player in totals if totals[player] > more_than), key=lambda player: -totals[player])[:FINALISTS]
    allowed = allowed_mean(subject, level)
    measured = [_measure(subject, level, answers, promising, place, chosen_on, measured_on) for place in range(len(promising))]
    return sorted(measured, key=lambda each: (not each.breaks(allowed), -each.mean))


def judge_players(subject: Subject, best: Sequence[Earnings], finding: Finding, what: str) -> None:
    """Record a failure for every player who earns too much."""
    for each in best:
        finding.require(
            not each.breaks(allowed_mean(subject, each.level)),
            f"{what} {short(each.player, 100)} earns {each.mean:.3f} on average over {each.tasks} tasks of level {each.level:g}",
        )


def _measure(subject: Subject, level: float, answers: Answers, finalists: Sequence[str], place: int, after: int, count: int) -> Earnings:
    """What the finalist at a place earns on the tasks after the first ones. All finalists are named, so that they share what is computed."""
    player, allowed = finalists[place], allowed_mean(subject, level)
    total, seed = 0.0, after
    while True:
        while seed < after + count:
            seed += 1
            task = subject.task(seed, level)
            response = answers(task, finalists).get(player)
            total += _value(subject, task, response) if response is not None else 0.0
        earned = Earnings(player, level, total / count, count)
        if earned.mean <= allowed or earned.breaks(allowed) or count >= ALL_TASKS:
            return earned
        count = min(2 * count, ALL_TASKS)


def _value(subject: Subject, task: Task[Any], response: str | Policy) -> float:
    if not isinstance(response, str):
        score = subject.play(task, response).score
        return score.value if score else 0.0
    if subject.single is None:
        return subject.value(task, response)
    return subject.score_again(task, response).value


def means_by_level(best: Sequence[Earnings], levels: Sequence[float]) -> dict[str, float]:
    """What the best player earns at each level, as the certificate states it."""
    return {f"{level:g}": round(max((each.mean for each in best if each.level == level), default=0.0), 4) for level in levels}
