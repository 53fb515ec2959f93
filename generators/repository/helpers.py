"""The helpers that rules and reports share: money, calendar, prices and the book; each in several styles of being called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.repository.components import DAY_NAMES, Component, Entry, Theme, one_of

STYLES = {
    "percent": ("plain", "tenths", "rest", "mode"),
    "weekday": ("from 0", "from 1", "sunday"),
    "month": ("from 1", "from 0"),
    "rate": ("cents", "tenths"),
}
"""The styles of each helper that can be called in several ways, the usual one first."""
WORDS = {
    ("percent", "plain"): "`percent(amount, share)` gives `share` percent of an amount in cents, {rounded}.",
    ("percent", "tenths"): "`percent(amount, share)` gives a part of an amount in cents, {rounded}; `share` is in tenths of a percent.",
    ("percent", "rest"): "`rest(amount, share)` gives what is left of an amount in cents without `share` percent of it; that part is {rounded}.",
    ("percent", "mode"): "`percent(amount, share, mode='{other}')` gives `share` percent of an amount in cents, rounded as `mode` says: "
    "half_up, down or up.",
    ("weekday", "from 0"): "`weekday(day)` gives 0 for Monday to 6 for Sunday; day 1 is a {first}.",
    ("weekday", "from 1"): "`weekday(day)` gives 1 for Monday to 7 for Sunday; day 1 is a {first}.",
    ("weekday", "sunday"): "`weekday(day)` gives 0 for Sunday to 6 for Saturday; day 1 is a {first}.",
    ("month", "from 1"): "`month(day)` gives the month from 1 to 12; every month has 30 days, and day 1 is the first of month 1.",
    ("month", "from 0"): "`month(day)` gives the month from 0 to 11; every month has 30 days, and day 1 is the first of month 0.",
    ("rate", "cents"): "`rate(kind, day)` gives the price of one unit of a kind (of its {unit}) on a day, in cents. A price holds from its first day on.",
    ("rate", "tenths"): "`rate(kind, day)` gives the price of one unit of a kind (of its {unit}) on a day, in tenths of a cent. A price holds from its first "
    "day on.",
}  # fmt: skip
ROUNDED = {"half": "rounded to the nearest cent, halves up", "down": "rounded down", "up": "rounded up"}
MODES = {"half": "half_up", "down": "down", "up": "up"}
HALF = {"half": 50, "down": 0, "up": 99}
INLINE = "inline"
"""The style of a percentage that is computed in place of a call, with its rounding after it where that is not the usual one."""
Styles = Mapping[str, str]


def call(styles: Styles, half: str) -> Callable[[str, list[str]], str]:
    """Writes the call of a helper in these styles.

    half  the rounding of percentages, which the style `mode` names
    """

    def rendered(name: str, arguments: list[str]) -> str:
        style = styles.get(name, STYLES[name][0])
        if name == "percent":
            amount, rate = arguments
            if style == "tenths":
                return f"percent({amount}, {rate}0)"
            if style.startswith(INLINE):
                added = HALF[style.removeprefix(INLINE).strip() or half]
                product = f"{f'({amount})' if ' ' in amount else amount} * {rate}"
                return f"({product} + {added}) // 100" if added else f"{product} // 100"
            if style == "rest":
                return f"({amount} - rest({amount}, {rate}))"
            return f"percent({amount}, {rate}{', mode=' + repr(MODES[half]) if style == 'mode' else ''})"
        if name == "rate":
            return f"rate({arguments[0]}, {arguments[1]})" + (" // 10" if style == "tenths" else "")
        shift = {"from 0": 0, "sunday": 1}.get(style, 1) if name == "weekday" else {"from 1": 0}.get(style, -1)
        days = [int(day) + shift for day in arguments[1].split(",")]
        days = sorted(day % 7 for day in days) if style == "sunday" else days
        if len(days) == 1:
            return f"{name}({arguments[0]}) == {days[0]}"
        return f"{name}({arguments[0]}) in {tuple(days)}"

    return rendered


class Helpers:
    """What the helpers give: as they are defined in one style and called in another.

    options  the chosen options of every helper
    defined, called  styles
    """

    def __init__(self, options: Mapping[str, Mapping[str, Any]], prices: Mapping[str, Sequence[tuple[int, int]]], first: int,
                 defined: Styles, called: Styles) -> None:  # fmt: skip
        self._prices, self._first = prices, first
        self._by = {name: (defined.get(name, styles[0]), called.get(name, styles[0])) for name, styles in STYLES.items()}
        half = options["percent"]["half"]
        if self._by["percent"] == ("mode", "plain"):  # the rounding is not named, so the default holds
            half = {mode: name for name, mode in MODES.items()}[other_mode(half)]
        called_half = self._by["percent"][1].removeprefix(INLINE).strip() if self._by["percent"][1].startswith(INLINE) else ""
        self._half = called_half or half
        self._early = options.get("weekday", {}).get("start") == "day", options.get("month", {}).get("start") == "day"
        self._after, self._latest = options["rate"]["from"] == "after", options["rate"]["pick"] == "latest"

    def percent(self, amount: int, rate: int) -> int:
        defined, called = self._by["percent"]
        if called == "tenths":
            rate *= 10
        if defined == "tenths":
            return (amount * rate + HALF_TENTHS[self._half]) // 1000
        return (amount * rate + HALF[self._half]) // 100

    def plain(self, name: str, *arguments: Any) -> int:
        """What a helper returns in the usual style."""
        match name:
            case "percent":
                return self.percent(*arguments)
            case "weekday":
                return next(number for number in range(7) if self.weekday_in(arguments[0], [number]))
            case "month":
                return next(number for number in range(1, 13) if self.month_in(arguments[0], [number]))
        return self.rate(*arguments)

    def weekday_in(self, day: int, days: Sequence[int]) -> bool:
        defined, called = self._by["weekday"]
        number = (day - (0 if self._early[0] else 1) + self._first) % 7
        shift = {"from 0": 0, "from 1": 1, "sunday": 1}
        got = number + 1 if defined == "from 1" else (number + 1) % 7 if defined == "sunday" else number
        wanted = [each + shift[called] for each in days]
        return got in ([each % 7 for each in wanted] if called == "sunday" else wanted)

    def month_in(self, day: int, months: Sequence[int]) -> bool:
        defined, called = self._by["month"]
        number = (day - (0 if self._early[1] else 1)) // 30 + 1 - (defined == "from 0")
        return number in [each - (called == "from 0") for each in months]

    def rate(self, kind: str, day: int) -> int:
        defined, called = self._by["rate"]
        cents = 0
        for start, price in self._prices[kind]:
            if start < day or (start == day and not self._after):
                cents = price
                if not self._latest:
                    break
        return cents * (10 if defined == "tenths" else 1) // (10 if called == "tenths" else 1)


class Book:
    """The entries so far with their amounts."""

    def __init__(self, options: Mapping[str, Mapping[str, Any]]) -> None:
        self.entries: list[tuple[Entry, int]] = []
        self._options = options

    def add(self, entry: Entry, amount: int) -> None:
        self.entries.append((entry, amount))

    def count(self, party: str) -> int:
        pick = self._options["count"]["what"]
        return sum(entry.count if pick == "units" else 1 for entry, _ in self.entries if entry.party == party)

    def total(self, party: str) -> int:
        own = [amount for entry, amount in self.entries if entry.party == party]
        return (own[-1] if own else 0) if self._options["total"]["sum"] == "latest" else sum(own)

    def on_day(self, party: str, day: int) -> int:
        upto = self._options["on_day"]["days"] == "until"
        return sum(amount for entry, amount in self.entries if entry.party == party and (entry.day <= day if upto else entry.day == day))

    def last(self, party: str, kind: str) -> int | None:
        every = self._options["last"]["kinds"] == "every"
        days = [entry.day for entry, _ in self.entries if entry.party == party and (every or entry.kind == kind)]
        return None if not days else days[0] if self._options["last"]["pick"] == "first" else days[-1]

    def kinds(self, party: str) -> set[str]:
        every = self._options["kinds"]["whose"] == "every"
        return {entry.kind for entry, _ in self.entries if every or entry.party == party}


def helper_components(rng: Rng, theme: Theme, first: int) -> list[Component]:
    """The helpers and the methods of the book, each with its sites."""
    half = rng.choice(tuple(HALF))
    day = DAY_NAMES[first]
    return [
        Component("percent", "money", "percentages", "", ROUNDED[half], _nothing,
                  {"half": one_of({each: str(size) for each, size in HALF.items()}, half)}),
        Component("weekday", "calendar", "days of the week", "", day, _nothing,
                  {"start": {"day before": "(day - 1 + FIRST)", "day": "(day + FIRST)"}}),
        Component("month", "calendar", "months", "", "", _nothing, {"start": {"day before": "(day - 1)", "day": "day"}}),
        Component("rate", "money", "the price list", "", theme.unit, _nothing,
                  {"from": {"from": "<=", "after": "<"}, "pick": {"latest": "", "first": "\n            break"}}),
        Component("count", "book", "the number of entries", "    def count(self, party):\n        return sum(<what> for entry, _ in self.entries if "
                  "entry.party == party)\n", f"`book.count(party)` counts the entries of a {theme.party}.", _nothing,
                  {"what": {"entries": "1", "units": "entry.count"}}),
        Component("total", "book", "the running total", "    def total(self, party):\n        total = 0\n        for entry, amount in self.entries:\n"
                  "            if entry.party == party:\n                total <sum> amount\n        return total\n",
                  f"`book.total(party)` adds the amounts that a {theme.party} was charged.", _nothing,
                  {"sum": {"all": "+=", "latest": "="}}),
        Component("on_day", "book", "the total of a day", "    def on_day(self, party, day):\n        return sum(amount for entry, amount in self.entries if "
                  "entry.party == party and entry.day <days> day)\n",
                  f"`book.on_day(party, day)` adds the amounts that a {theme.party} was charged on that day.", _nothing,
                  {"days": {"same": "==", "until": "<="}}),
        Component("last", "book", "the day of the latest entry", "    def last(self, party, kind):\n        days = [entry.day for entry, _ in self.entries if "
                  "entry.party == party<kinds>]\n        return days[<pick>] if days else None\n",
                  f"`book.last(party, kind)` gives the day of the latest entry of a {theme.party} for a kind, None if there is none.", _nothing,
                  {"kinds": {"kind": " and entry.kind == kind", "every": ""}, "pick": {"latest": "-1", "first": "0"}}),
        Component("kinds", "book", "the kinds so far", "    def kinds(self, party):\n        return {entry.kind for entry, _ in self.entries<whose>}\n",
                  f"`book.kinds(party)` gives the set of the kinds that a {theme.party} has had.", _nothing,
                  {"whose": {"party": " if entry.party == party", "every": ""}}),
    ]  # fmt: skip


def _nothing(*_: Any) -> None:
    """Helpers mean what `Helpers` and `Book` say."""


def helper_code(component: Component, style: str, options: Mapping[str, Any], first: int) -> str:
    """The definition of a helper in a style, with these texts at its sites."""
    texts = {site: component.sites[site][str(option)] for site, option in options.items()}
    match component.key, style:
        case "percent", "tenths":
            return f"def percent(amount, share):\n    return (amount * share + {HALF_TENTHS[options['half']]}) // 1000\n"
        case "percent", "rest":
            return f"def rest(amount, share):\n    return amount - (amount * share + {texts['half']}) // 100\n"
        case "percent", "mode":
            return (
                "HALVES = {'half_up': 50, 'down': 0, 'up': 99}\n\n\n"
                f"def percent(amount, share, mode='{other_mode(options['half'])}'):\n    return (amount * share + HALVES[mode]) // 100\n"
            )
        case "percent", _:
            added = "" if texts["half"] == "0" else f" + {texts['half']}"
            return f"def percent(amount, share):\n    return ({'amount * share' + added}) // 100\n"
        case "weekday", _:
            text = f"{texts['start']} % 7"
            text = f"{text} + 1" if style == "from 1" else f"({text} + 1) % 7" if style == "sunday" else text
            return f"FIRST = {first}\n\n\ndef weekday(day):\n    return {text}\n"
        case "month", _:
            return f"def month(day):\n    return {texts['start']} // 30{'' if style == 'from 0' else ' + 1'}\n"
    times = " * 10" if style == "tenths" else ""
    return (
        f"def rate(kind, day):\n    cents = 0\n    for start, price in PRICES[kind]:\n        if start {texts['from']} day:\n"
        f"            cents = price{texts['pick']}\n    return cents{times}\n"
    )


HALF_TENTHS = {each: size * 10 if each != "up" else 999 for each, size in HALF.items()}


def other_mode(half: str) -> str:
    """A rounding that is not the right one, as the default of a helper that wants it named."""
    return "down" if half != "down" else "half_up"


def helper_words(component: Component, style: str) -> str:
    """The description of a helper in a style."""
    half = next(iter(component.sites["half"])) if component.key == "percent" else "half"
    return WORDS[component.key, style].format(rounded=ROUNDED[half], other=other_mode(half), first=component.words, unit=component.words)
