"""Rotas: days of work and of rest in turns, and the days on which several people are free."""

from collections.abc import Iterator, Sequence

from rlgym.core.task import TaskData
from rlgym.generators.stories.telling import counted


class Rota(TaskData):
    """Days of work and of rest in turns, from day `start` on."""

    name: str
    start: int
    turns: tuple[int, ...]


def turn_of(place: int, days: int) -> str:
    """How many days of work, or off."""
    return f"{counted(days, 'day')} {'off' if place % 2 else 'of work'}"


def is_free(rota: Rota, day: int) -> bool:
    """Whether a day is one off."""
    at = (day - rota.start) % sum(rota.turns)
    for place, days in enumerate(rota.turns):
        if at < days:
            return place % 2 == 1
        at -= days
    raise AssertionError("unreachable: the turns make up the period")


def rests_of(rota: Rota) -> list[int]:
    """The remainders of the days off."""
    period = sum(rota.turns)
    return [rest for rest in range(period) if is_free(rota, rest)]


def common_days(rotas: Sequence[Rota], after: int, most: int) -> Iterator[int]:
    """The days after one, up to another, on which all are free."""
    off = [(sum(rota.turns), frozenset(rests_of(rota))) for rota in rotas]
    return (day for day in range(after + 1, most + 1) if all(day % period in rests for period, rests in off))
