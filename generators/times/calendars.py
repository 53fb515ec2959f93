"""Calendars: how long months are, which years have a leap day, and how many days a week has. Days are counted from the first day of year 1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from rlgym.core.task import TaskData

MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Date(NamedTuple):
    year: int
    month: int
    day: int


class Calendar(TaskData):
    """`leap` holds rules such as (4, 100, 400): every 4th year has a day more in month `leap_month`, but not every 100th, but every 400th.

    `first` is the weekday of the first day of year 1; the last `free` days of a week are not working days.
    """

    months: tuple[int, ...] = MONTHS
    leap: tuple[int, ...] = (4, 100, 400)
    leap_month: int = 2
    week: tuple[str, ...] = WEEK
    first: int = 0
    free: int = 2

    @cached_property
    def days(self) -> int:
        return sum(self.months)

    def is_leap(self, year: int) -> bool:
        return sum(year % every == 0 for every in self.leap) % 2 == 1

    def length(self, year: int, month: int) -> int:
        return self.months[month - 1] + (month == self.leap_month and self.is_leap(year))

    def number(self, date: Date) -> int:
        """How many days after the first day of year 1."""
        year, month, day = date
        leaps = sum((1 if k % 2 == 0 else -1) * ((year - 1) // every) for k, every in enumerate(self.leap))
        return (year - 1) * self.days + leaps + sum(self.length(year, m) for m in range(1, month)) + day - 1

    def date(self, number: int) -> Date:
        year = max(1, number // (self.days + 1))
        while self.number(Date(year + 1, 1, 1)) <= number:
            year += 1
        rest, month = number - self.number(Date(year, 1, 1)), 1
        while rest >= self.length(year, month):
            rest, month = rest - self.length(year, month), month + 1
        return Date(year, month, rest + 1)

    def weekday(self, number: int) -> int:
        return (number + self.first) % len(self.week)

    def works(self, number: int, holidays: Sequence[Date] = ()) -> bool:
        return self.weekday(number) < len(self.week) - self.free and self.date(number) not in holidays


def format_date(date: Date) -> str:
    """2024-03-01"""
    return f"{date.year:04d}-{date.month:02d}-{date.day:02d}"


class Move(TaskData):
    """A number of days, months or working days forwards (backwards if negative), or on to the next weekday of this number."""

    kind: str
    count: int


def apply_move(calendar: Calendar, date: Date, move: Move, holidays: Sequence[Date]) -> Date:
    """The date that a move leads to, by counting days."""
    number = calendar.number(date)
    if move.kind == "days":
        return calendar.date(number + move.count)
    if move.kind == "months":
        target = date.year * len(calendar.months) + date.month - 1 + move.count
        year, month = target // len(calendar.months), target % len(calendar.months) + 1
        return Date(year, month, min(date.day, calendar.length(year, month)))
    if move.kind == "weekday":
        return calendar.date(number + ((move.count - calendar.weekday(number) - 1) % len(calendar.week)) + 1)
    sign, days_left = (1 if move.count > 0 else -1), abs(move.count)
    while days_left:
        number += sign
        days_left -= calendar.works(number, holidays)
    return calendar.date(number)


def next_date(calendar: Calendar, date: Date, sign: int) -> Date:
    """The day after, or with sign -1 the day before, month by month."""
    year, month, day = date
    if 1 <= day + sign <= calendar.length(year, month):
        return Date(year, month, day + sign)
    month += sign
    if not 1 <= month <= len(calendar.months):
        year, month = year + sign, 1 if sign > 0 else len(calendar.months)
    return Date(year, month, 1 if sign > 0 else calendar.length(year, month))


def parse_date(text: str) -> Date:
    """The date that a text such as 2024-03-01 stands for."""
    year, month, day = map(int, text.split("-"))
    return Date(year, month, day)
