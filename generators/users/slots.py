"""Days, times of day and amounts of money that a text in English names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_DAYS = {day.lower(): day for day in (*WEEKDAYS, "Saturday", "Sunday")} | {
    "mon": "Monday",
    "tue": "Tuesday",
    "tues": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "thur": "Thursday",
    "thurs": "Thursday",
    "fri": "Friday",
}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
        1,
    )
}
_HOUR = rf"\d{{1,2}}|{'|'.join(list(_NUMBERS)[:12])}"
_DAY = re.compile(rf"\b({'|'.join(_DAYS)})s?\b")
_TIME = re.compile(
    rf"\b(?P<hour>\d{{1,2}})[:.h](?P<minute>[0-5]\d)(?!\d)\s*(?P<half>[ap]\.?m\b)?"
    rf"|\b(?P<whole>{_HOUR})\s*(?P<suffix>[ap]\.?m\b|o.?clock(?! in the (?:afternoon|evening)))"
    rf"|\b(?P<late>{_HOUR})(?: o.?clock)? in the (?:afternoon|evening)\b|\b(?P<early>{_HOUR})(?: o.?clock)? in the morning\b"
    rf"|\b(?:a )?(?P<past>(?:half|quarter|five|ten|twenty|twenty[ -]five|5|10|15|20|25)(?: minutes)? (?:past|to|before|after|till)) (?P<near>{_HOUR})\b"
    rf"|\bhalf (?P<half_past>{_HOUR})\b(?! (?:hours?|days?|coins?))"
    rf"|\bat (?P<plain>{_HOUR})\b(?![:.h]\d| ?[ap]\.?m\b| ?o.?clock| (?:days?|coins?|hours?|minutes?))"
    r"|\b(?P<noon>noon|midday)\b"
)
_TENS = {word: 10 * number for number, word in enumerate("ten twenty thirty forty fifty sixty seventy eighty ninety".split(), 1)}
_COINS = r"(?:coins?|euros?|dollars?|pounds?)"
_MONEY = re.compile(
    rf"\b(?P<before>\d{{1,6}})(?:\.00)?[\s-]?{_COINS}\b|[$€£]\s?(?P<sign>\d{{1,6}})\b"
    rf"|\b(?P<tens>{'|'.join(_TENS)})(?:[\s-](?P<ones>{'|'.join(_NUMBERS)}))?[\s-]{_COINS}\b|\b(?P<few>{'|'.join(_NUMBERS)})[\s-]{_COINS}\b"
    r"|\b(?:fee|charge|cost|costs|price|penalty)(?: (?:of|is|would be|will be|amounts to))?:? (?P<after>\d{1,6})\b"
)
_RATE = re.compile(
    rf"\b(?:\d{{1,6}}|{'|'.join(_NUMBERS)}|{'|'.join(_TENS)})[\s-]?{_COINS} (?:(?:a|per|each|every) (?:day|week|month|night|person|hour)\b|"
    r"(?:off|less|cheaper|lower|down|discount|reduction)\b)"
    rf"|\b(?:instead of|rather than|not|(?:discount|reduction) of|(?<!away )from(?= [^,.?]* to \d)) (?:the )?\d{{1,6}}(?:[\s-]?{_COINS})?"
    rf"|\b(?:by|another|knock(?:ing)? off|take off|taking off) (?:another |a further )?(?:\d{{1,6}}|{'|'.join(_NUMBERS)}|{'|'.join(_TENS)})"
    rf"(?:[\s-]?{_COINS})?(?= (?:coins )?(?:off|to|from|less|more|again)\b|\W*,)"
)
"""Amounts that are not themselves due: a rate, as in "90 coins a day", a reduction, or the price before it."""
_UNIT = (
    r"(?:cm|mm|km|kg|m|metres?|meters?|centimet(?:re|er)s?|days?|weeks?|months?|years?|hours?|minutes?|persons?|people|of|st|nd|rd|th|%|percent|"
    r"o.?clock|[ap]\.?m)\b"
)
_BARE = re.compile(
    rf"\b(?:for|at|to|is|be|say|pay|take|accept|around|about|with|of|on|be|offer|price|total|costs?|it|comes? to|only|and) (?:just |only |about |exactly "
    rf"|a total of )?(?P<three>\d{{3,6}})\b(?![:.,/]\d| ?{_UNIT})"
    r"|\b(?P<total>\d{2,6}) (?:in total|in all|altogether|all in|overall|flat|all told|all inclusive)\b"
    r"|(?:^|[.?!]|\b(?:ok|okay|alright|right|fine|well|then|so)\b,?(?: -|:)?) (?P<alone>\d{2,6})(?: then)?(?=\W*(?:$|[.?!]))"
    rf"|\b(?:say|to pay|pay|accept|offer|take|price of|total of) (?:just |only )?(?P<two>\d{{2}})\b(?![:.,/]\d| ?{_UNIT})"
)
"""Amounts without a currency, in words that go with a price."""
_BOUND = re.compile(r"\b(?:before|after|until|till|later than|earlier than)\W*$")
"""What comes before a time of day that only bounds others."""
_NEAR = 30
"""So many characters before a time of day are looked at for such words."""
_BEFORE_OPENING = 7  # "at 2" is in the afternoon


class When(NamedTuple):
    """A day and a time of day, such as Tuesday and 14:30."""

    day: str
    time: str

    def __str__(self) -> str:
        return f"{self.day} at {self.time}"


@lru_cache(maxsize=256)
def whens(text: str) -> tuple[When, ...]:
    """The days with a time that a text in lower case names, each once, in their order. A time goes with the last day before it."""
    days = [(match.start(), _DAYS[match[1]]) for match in _DAY.finditer(text)]
    if not days:
        return ()
    found: dict[When, None] = {}
    for match in _TIME.finditer(text):
        if _BOUND.search(text, max(0, match.start() - _NEAR), match.start()):
            continue
        if time := _clock(match):
            before = [day for place, day in days if place < match.start()]
            found[When(before[-1] if before else days[0][1], time)] = None
    return tuple(found)


@lru_cache(maxsize=256)
def amounts(text: str) -> tuple[int, ...]:
    """The amounts of money that a text names."""
    return tuple(map(_amount, _MONEY.finditer(text)))


@lru_cache(maxsize=256)
def prices(text: str, bare: bool = False) -> tuple[int, ...]:
    """The amounts of a text in lower case that are to be agreed to, without rates and reductions, as in "10 coins less: 170 coins in total".

    bare  whether numbers without a currency count where words that go with a price stand beside them, as in "What would you say to 190?"
    """
    due = _RATE.sub(" ", text)
    if named := amounts(due):
        return named
    if (
        bare
        and (not amounts(text) or _RATE.search(text))
        and (found := [int(next(filter(None, match.groups()))) for match in _BARE.finditer(due)])
    ):
        return tuple(found)
    return amounts(text)


def _amount(match: re.Match[str]) -> int:
    if digits := match["before"] or match["sign"] or match["after"]:
        return int(digits)
    return _NUMBERS[match["few"]] if match["few"] else _TENS[match["tens"]] + _NUMBERS.get(match["ones"] or "", 0)


def _clock(match: re.Match[str]) -> str:
    """A time as hours and minutes of a day of 24 hours; empty where there is no such time."""
    if match["noon"]:
        return "12:00"
    word = match["hour"] or match["whole"] or match["near"] or match["plain"] or match["late"] or match["early"] or match["half_past"]
    hour, minute = _NUMBERS.get(word) or int(word), int(match["minute"] or 0)
    half = "p" if match["late"] else "a" if match["early"] else (match["half"] or match["suffix"] or "")[:1]
    if match["half_past"]:
        minute = 30
    if match["past"]:
        words, _, side = match["past"].replace(" minutes", "").rpartition(" ")
        minutes = int(words) if words.isdigit() else {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20}.get(words, 25)
        hour, minute = (hour, minutes) if side in ("past", "after") else (hour - 1, 60 - minutes)
    if (half == "p" and hour < 12) or (half not in ("a", "p") and hour < _BEFORE_OPENING):
        hour += 12
    if half == "a" and hour == 12:
        hour = 0
    return f"{hour}:{minute:02}" if hour < 24 else ""
