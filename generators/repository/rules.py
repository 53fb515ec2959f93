"""Rules that change the amount of an entry: discounts, surcharges, limits, and those that look at what came before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.repository.components import AT_LEAST, AT_MOST, DAY_NAMES, Component, Theme, number
from rlgym.generators.text.english import join_words

RATES = (5, 8, 10, 12, 15, 20, 25)
LISTED = "[[rate|entry.kind|entry.day]]"
BASE = {"amount": "amount", "listed": f"{LISTED} * entry.count"}
PER = {"each": " * entry.count", "entry": ""}


def _rule(
    key: str, title: str, body: str, words: str, run: Callable[..., int], sites: Mapping[str, Mapping[str, str]], **more: Any
) -> Component:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return Component(key, "rules", title, f"def {key}(entry, amount, book):\n{lines}    return amount\n", words, run, sites, **more)


def _meets_bound(o: Mapping[str, Any], value: int, bound: int) -> bool:
    match o["compare"]:
        case "at least":
            return value >= bound
        case "more than":
            return value > bound
        case "at most":
            return value <= bound
    return value < bound


def _base(x: Any, o: Mapping[str, Any], entry: Any, amount: int) -> int:
    return amount if o["base"] == "amount" else int(x.rate(entry.kind, entry.day) * entry.count)


def bulk(rng: Rng, theme: Theme, kind: str) -> Component:
    least, rate = rng.integer(4, 12), rng.choice(RATES)
    return _rule(
        f"bulk_{kind}", f"the bulk discount on {kind}",
        f"if entry.kind == '{kind}' and entry.count <compare> <least>:\n    amount -= [[percent|<base>|<rate>]]",
        f"{kind}: for at least {least} {theme.unit} in one {theme.entry}, {rate} % of the amount is taken off.",
        lambda x, o, e, a, b: a - x.percent(_base(x, o, e, a), o["rate"]) if e.kind == kind and _meets_bound(o, e.count, o["least"]) else a,
        {"compare": AT_LEAST, "base": BASE, "least": number(least, least + 1), "rate": number(rate, rate + 1)},
        needs=("percent",), counts=(least, least + 1), kinds=(kind,),
    )  # fmt: skip


def nth_free(rng: Rng, theme: Theme, kind: str) -> Component:
    nth = rng.integer(3, 6)
    return _rule(
        f"free_{kind}", f"the free {theme.unit} of {kind}",
        f"if entry.kind == '{kind}':\n    amount -= [[rate|entry.kind|<day>]] * (entry.count // <nth>)",
        f"{kind}: of every {nth} {theme.unit} in one {theme.entry}, one is free at its price of that day.",
        lambda x, o, e, a, b: a - x.rate(e.kind, e.day if o["day"] == "entry" else 1) * (e.count // o["nth"]) if e.kind == kind else a,
        {"nth": number(nth, nth + 1), "day": {"entry": "entry.day", "first": "1"}},
        counts=(nth - 1, nth, 2 * nth, 2 * nth + 1, nth * (nth + 1)), kinds=(kind,),
    )  # fmt: skip


def on_weekdays(rng: Rng, theme: Theme, kind: str) -> Component:
    days = rng.choice(([5, 6], [4, 5], [0], [2], [1, 3], [6]))
    fee = 5 * rng.integer(2, 30)
    names = join_words([f"{DAY_NAMES[day]}s" for day in days])
    shifted = ",".join(str(day - 1 if day else 1) for day in days)
    return _rule(
        f"weekly_{kind}", f"the surcharge on {kind} on {names}",
        f"if entry.kind == '{kind}' and [[weekday|entry.day|<days>]]:\n    amount += <fee><per>",
        f"{kind}: on {names}, {fee} cents are added for each of the {theme.unit}.",
        lambda x, o, e, a, b: a + o["fee"] * (e.count if o["per"] == "each" else 1)
        if e.kind == kind and x.weekday_in(e.day, days if o["days"] == "right" else [int(day) for day in shifted.split(",")]) else a,
        {"per": PER, "days": {"right": ",".join(map(str, days)), "shifted": shifted}, "fee": number(fee, fee + 5)},
        needs=("weekday",), kinds=(kind,),
    )  # fmt: skip


def season(rng: Rng, theme: Theme, kind: str) -> Component:
    first, rate = rng.integer(2, 10), rng.choice(RATES)
    months = [first, first + 1]
    return _rule(
        f"season_{kind}", f"the season of {kind}",
        f"if entry.kind == '{kind}' and [[month|entry.day|<months>]]:\n    amount += [[percent|<base>|<rate>]]",
        f"{kind}: in the months {first} and {first + 1}, {rate} % of the amount is added.",
        lambda x, o, e, a, b: a + x.percent(_base(x, o, e, a), o["rate"])
        if e.kind == kind and x.month_in(e.day, months if o["months"] == "both" else months[:1]) else a,
        {"base": BASE, "months": {"both": f"{first},{first + 1}", "one": f"{first}"}, "rate": number(rate, rate + 1)},
        needs=("percent", "month"), days=(30 * first - 30, 30 * first - 29, 30 * first + 30, 30 * first + 31), kinds=(kind,),
    )  # fmt: skip


def loyalty(rng: Rng, theme: Theme, kind: str) -> Component:
    after, rate = rng.integer(2, 3), rng.choice(RATES)
    return _rule(
        "loyalty", "the loyalty discount",
        "if book.count(entry.party) <compare> <after>:\n    amount -= [[percent|<base>|<rate>]]",
        f"A {theme.party} with at least {after} earlier entries gets {rate} % off the amount.",
        lambda x, o, e, a, b: a - x.percent(_base(x, o, e, a), o["rate"]) if _meets_bound(o, b.count(e.party), o["after"]) else a,
        {"compare": AT_LEAST, "base": BASE, "after": number(after, after - 1), "rate": number(rate, rate + 1)},
        needs=("percent", "count"),
    )  # fmt: skip


def spending(rng: Rng, theme: Theme, kind: str) -> Component:
    limit, off = 100 * rng.integer(40, 120), 50 * rng.integer(2, 12)
    return _rule(
        "spending", "the bonus for earlier spending",
        "if book.total(entry.party)<with> <compare> <limit>:\n    amount = <floor>",
        f"A {theme.party} whose earlier entries come to at least {limit} cents gets {off} cents off; the amount does not go below 0.",
        lambda x, o, e, a, b: (max(0, a - off) if o["floor"] == "zero" else a - off)
        if _meets_bound(o, b.total(e.party) + (a if o["with"] == "own" else 0), o["limit"]) else a,
        {"with": {"earlier": "", "own": " + amount"}, "floor": {"zero": f"max(0, amount - {off})", "none": f"amount - {off}"},
         "compare": {"at least": ">="}, "limit": number(limit, limit + 500)},
        needs=("total",),
    )  # fmt: skip


def tag_fee(rng: Rng, theme: Theme, kind: str) -> Component:
    tag, fee = rng.choice(theme.tags), 5 * rng.integer(10, 60)
    per = rng.chance(0.5)
    order = {"each": PER["each"], "entry": PER["entry"]} if per else {"entry": PER["entry"], "each": PER["each"]}
    return _rule(
        f"fee_{tag}", f"the fee for {tag}",
        f"if '{tag}' in entry.tags:\n    amount += <fee><per>",
        f"With the tag {tag}, {fee} cents are added {f'for each of the {theme.unit}' if per else f'once for the {theme.entry}'}.",
        lambda x, o, e, a, b: a + o["fee"] * (e.count if o["per"] == "each" else 1) if tag in e.tags else a,
        {"per": order, "fee": number(fee, fee + 5)}, tags=(tag,),
    )  # fmt: skip


def ceiling(rng: Rng, theme: Theme, kind: str) -> Component:
    most = 10 * rng.integer(30, 80)
    tag = rng.choice(theme.tags)
    return _rule(
        f"ceiling_{kind}", f"the ceiling for {kind}",
        f"if entry.kind == '{kind}'<unless>:\n    amount = min(amount, <most><per>)",
        f"{kind}: the amount is at most {most} cents for each of the {theme.unit}, except with the tag {tag}.",
        lambda x, o, e, a, b: min(a, o["most"] * (e.count if o["per"] == "each" else 1))
        if e.kind == kind and (o["unless"] == "always" or tag not in e.tags) else a,
        {"per": PER, "unless": {"tag": f" and '{tag}' not in entry.tags", "always": ""}, "most": number(most, most + 20)},
        kinds=(kind,), tags=(tag,),
    )  # fmt: skip


def minimum(rng: Rng, theme: Theme, kind: str) -> Component:
    least, tag = 100 * rng.integer(8, 20), rng.choice(theme.tags)
    return _rule(
        "minimum", "the minimum amount",
        "if entry.count <compare> <most><unless>:\n    amount = max(amount, <least>)",
        f"An {theme.entry} of at most 2 {theme.unit} costs at least {least} cents, except with the tag {tag}."
        if theme.entry[0] in "aeiou" else f"A {theme.entry} of at most 2 {theme.unit} costs at least {least} cents, except with the tag {tag}.",
        lambda x, o, e, a, b: max(a, o["least"]) if _meets_bound(o, e.count, o["most"]) and (o["unless"] == "always" or tag not in e.tags) else a,
        {"compare": AT_MOST, "unless": {"tag": f" and '{tag}' not in entry.tags", "always": ""}, "least": number(least, least + 50),
         "most": number(2, 1)},
        counts=(1, 2, 3), tags=(tag,),
    )  # fmt: skip


def repeat(rng: Rng, theme: Theme, kind: str) -> Component:
    window, rate = rng.integer(3, 9), rng.choice(RATES)
    return _rule(
        "repeat", "the discount on repeats",
        "last = book.last(entry.party, entry.kind)\nif last is not None and entry.day - last <compare> <window>:\n"
        "    amount -= [[percent|<base>|<rate>]]",
        f"A {theme.party} whose latest entry for the same kind is at most {window} days old gets {rate} % off the amount.",
        lambda x, o, e, a, b: a - x.percent(_base(x, o, e, a), o["rate"])
        if (last := b.last(e.party, e.kind)) is not None and _meets_bound(o, e.day - last, o["window"]) else a,
        {"compare": AT_MOST, "base": BASE, "window": number(window, window - 1), "rate": number(rate, rate + 1)},
        needs=("percent", "last"), days=(60, 60 + window - 1, 60 + window, 61 + window),
    )  # fmt: skip


def tier(rng: Rng, theme: Theme, kind: str) -> Component:
    limit, rate = rng.integer(3, 8), rng.choice(RATES)
    return _rule(
        f"tier_{kind}", f"the second tier of {kind}",
        f"if entry.kind == '{kind}' and entry.count > {limit}:\n    amount -= [[percent|(entry.count<less>) * {LISTED}|<rate>]]",
        f"{kind}: the {theme.unit} beyond the first {limit} in one {theme.entry} are {rate} % cheaper, of their price of that day.",
        lambda x, o, e, a, b: a - x.percent((e.count - {"beyond": limit, "all": 0, "one more": limit - 1}[o["less"]]) * x.rate(e.kind, e.day), o["rate"])
        if e.kind == kind and e.count > limit else a,
        {"less": {"beyond": f" - {limit}", "all": "", "one more": f" - {limit - 1}"}, "rate": number(rate, rate + 1)},
        needs=("percent",), counts=(limit, limit + 1, limit + 3), kinds=(kind,),
    )  # fmt: skip


def variety(rng: Rng, theme: Theme, kind: str) -> Component:
    many, off = rng.integer(2, 3), 25 * rng.integer(2, 9)
    return _rule(
        "variety", "the reward for variety",
        "if len(book.kinds(entry.party)<with>) <compare> <many>:\n    amount -= min(amount, <off>)",
        f"A {theme.party} who has had at least {many} different kinds, this {theme.entry} included, gets {off} cents off, but no more than the amount.",
        lambda x, o, e, a, b: a - min(a, o["off"])
        if _meets_bound(o, len(b.kinds(e.party) | ({e.kind} if o["with"] == "own" else set())), o["many"]) else a,
        {"with": {"own": " | {entry.kind}", "earlier": ""}, "compare": AT_LEAST, "many": number(many), "off": number(off, off + 5)},
        needs=("kinds",),
    )  # fmt: skip


def day_limit(rng: Rng, theme: Theme, kind: str) -> Component:
    most = 100 * rng.integer(25, 70)
    return _rule(
        "day_limit", "the limit for one day",
        "left = <most> - book.on_day(entry.party, entry.day)\namount = min(amount, <floor>)",
        f"A {theme.party} is charged at most {most} cents for one day: what goes beyond it is free.",
        lambda x, o, e, a, b: min(a, max(0, left) if o["floor"] == "zero" else left)
        if (left := o["most"] - b.on_day(e.party, e.day)) is not None else a,
        {"floor": {"zero": "max(0, left)"}, "most": number(most, most + 100)},
        needs=("on_day",), days=(90,),
    )  # fmt: skip


def coins(rng: Rng, theme: Theme, kind: str) -> Component:
    unit, right = rng.choice((5, 10)), rng.choice(("near", "down", "up"))
    added = {"near": f" + {unit // 2}", "down": "", "up": f" + {unit - 1}"}
    words = {"near": f"rounded to a multiple of {unit} cents, halves up", "down": f"rounded down to a multiple of {unit} cents",
             "up": f"rounded up to a multiple of {unit} cents"}  # fmt: skip
    sizes = {"near": unit // 2, "down": 0, "up": unit - 1}
    return _rule(
        "coins", "the rounding to coins", f"amount = (amount<added>) // {unit} * {unit}", f"The amount is {words[right]}.",
        lambda x, o, e, a, b: (a + sizes[o["added"]]) // unit * unit,
        {"added": {right: added[right], **{name: text for name, text in added.items() if name != right}}},
    )  # fmt: skip


def waived(rng: Rng, theme: Theme, kind: str) -> Component:
    tag, day = rng.choice(theme.tags), rng.integer(0, 6)
    wrong = str((day + 1) % 7)
    return _rule(
        f"waived_{tag}", f"the free day of {tag}",
        f"if '{tag}' in entry.tags and [[weekday|entry.day|<day>]]:\n    amount = 0",
        f"With the tag {tag}, the amount is 0 on {DAY_NAMES[day]}s.",
        lambda x, o, e, a, b: 0 if tag in e.tags and x.weekday_in(e.day, [o["day"]]) else a,
        {"day": {str(day): str(day), wrong: wrong}}, needs=("weekday",), tags=(tag,),
    )  # fmt: skip


Maker = Callable[[Rng, Theme, str], Component]
PLAIN: tuple[Maker, ...] = (bulk, nth_free, tag_fee, ceiling, minimum, coins, tier)
LINKED: tuple[Maker, ...] = (on_weekdays, season, loyalty, spending, repeat, variety, day_limit, waived)
"""Rules that use the calendar, or what came before."""
SINGLE = {loyalty, spending, minimum, repeat, variety, day_limit, coins}
"""Rules of which a package has one."""
LAST = {minimum, day_limit, coins}
"""Rules that belong at the end."""


def sample_rules(rng: Rng, theme: Theme, count: int, linked: int) -> list[Component]:
    """Rules with different names: `linked` of those that use more than the entry, and plain ones."""
    found: dict[str, tuple[bool, Component]] = {}
    kinds = theme.kinds[: max(2, min(len(theme.kinds), count // 2 + 1))]
    for makers, wanted in ((LINKED, linked), (PLAIN, count)):
        used = set[Maker]()
        while len(found) < wanted:
            maker = rng.choice([each for each in makers if each not in used or each not in SINGLE])
            component = maker(rng, theme, rng.choice(kinds))
            if component.key not in found:
                used.add(maker)
                found[component.key] = (maker in LAST, component)
    listed = rng.shuffled(list(found.values()))
    return [each for late, each in listed if not late] + [each for late, each in listed if late]
