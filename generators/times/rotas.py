"""Rotas: alternating days of work and rest, and the days on which several people are free."""

from collections.abc import Iterator, Sequence

from rlgym.core.task import TaskData
from rlgym.generators.text.english import count_noun


class Rota(TaskData):
    """Alternating stretches of work and rest (`turns`), from day `start` on."""

    name: str
    start: int
    turns: tuple[int, ...]


def turn_text(place: int, days: int) -> str:
    """A stretch of a rota in words: `3 days of work`, `1 day off`."""
    return f"{count_noun(days, 'day')} {'off' if place % 2 else 'of work'}"


def is_free(rota: Rota, day: int) -> bool:
    """Whether a day is off."""
    at = (day - rota.start) % sum(rota.turns)
    for place, days in enumerate(rota.turns):
        if at < days:
            return place % 2 == 1
        at -= days
    raise AssertionError("unreachable: the turns make up the period")


def free_remainders(rota: Rota) -> list[int]:
    """The days off in the first period, from 0."""
    period = sum(rota.turns)
    return [rest for rest in range(period) if is_free(rota, rest)]


def common_days(rotas: Sequence[Rota], after: int, most: int) -> Iterator[int]:
    """The days after `after`, up to `most`, on which all are free."""
    off = [(sum(rota.turns), frozenset(free_remainders(rota))) for rota in rotas]
    return (day for day in range(after + 1, most + 1) if all(day % period in rests for period, rests in off))
