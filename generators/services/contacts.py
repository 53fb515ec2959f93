"""A list of contacts in which the same person stands more than once, and what is right where the entries differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Fact, Record
from rlgym.generators.worlds.desk import TOWNS

FIELDS = ("phone", "town", "title", "plan")
SOURCES = ("contract", "form", "fair", "import")
PRECEDENCE = {
    "newest": "the value of the entry that was changed last",
    "oldest": "the value of the entry that was made first",
    "source": "the value of the entry whose source comes first in the order contract, form, fair, import, and of several such the one changed last",
    "checked": "the value of the entry changed last among those that are checked, or among all if none is",
    "most": "the value that most entries have, and of several such the one of the entry changed last",
}
_TITLES = ("buyer", "director", "engineer", "clerk")
_PLANS = ("basic", "plus", "none", "trial")


class Contacts(NamedTuple):
    records: tuple[Record, ...]
    company: str
    rules: tuple[str, ...]  # for each of FIELDS a key of PRECEDENCE


def digits(phone: str) -> str:
    """The digits of a phone number, which may be written with a country's prefix, spaces and marks."""
    plain = "".join(letter for letter in phone if letter.isdigit())
    return (
        "0" + plain.removeprefix("0049") if phone.startswith("0049") else "0" + plain.removeprefix("49") if phone.startswith("+") else plain
    )


def same(first: Record, second: Record) -> bool:
    """Whether two entries are of one person: by e-mail, or by phone and surname."""
    mails = first.word("e-mail").lower() == second.word("e-mail").lower()
    phones = digits(first.word("phone")) == digits(second.word("phone"))
    return mails or (phones and first.word("name").split()[-1] == second.word("name").split()[-1])


def groups(rows: Sequence[Record], chained: bool = True) -> list[list[Record]]:
    """Entries of one person each, also where only an entry between them links two; the first made comes first."""
    ungrouped, grouped = list(rows), []
    while ungrouped:
        group = [ungrouped.pop(0)]
        for record in group:
            linked = [other for other in ungrouped if same(record, other)]
            if chained or record is group[0]:
                group += linked
                ungrouped = [other for other in ungrouped if other not in linked]
        grouped.append(sorted(group, key=lambda row: row.number("made on day")))
    return grouped


def right_value(rule: str, field: str, group: Sequence[Record]) -> str:
    """What a field of the entry that is kept must say."""
    newest = sorted(group, key=lambda row: -row.number("changed on day"))
    if rule == "oldest":
        return group[0].word(field)
    if rule == "source":
        return min(newest, key=lambda row: SOURCES.index(row.word("source"))).word(field)
    if rule == "checked":
        return next((row for row in newest if row.facts["checked"] == "yes"), newest[0]).word(field)
    if rule == "most":
        values = [row.word(field) for row in newest]
        return max(values, key=values.count)
    return newest[0].word(field)


def contacts(rng: Rng, people: int, copies: int, fields: int, traps: int) -> Contacts:
    """Entries of a company: each person once or up to `copies` times, with traps, which are other persons with much in common."""
    rules = tuple(rng.choice(tuple(PRECEDENCE)) if place < fields else "newest" for place in range(len(FIELDS)))
    chained = copies > 2 and rng.chance(0.7)
    while True:
        rows = list[dict[str, Fact]]()
        for place, name in enumerate(full_names(rng, people)):
            number = rng.integer(2, copies) if place == 0 or rng.chance(0.5) else 1
            rows += _entries(rng, name, number, traps)
        company = f"{rng.choice(TOWNS)} {rng.choice(('Works', 'Mills', 'Trade', 'Freight'))} {rng.integer(2, 99)}"
        days, changes = rng.sample(range(1, 300), len(rows)), rng.sample(range(300, 700), len(rows))
        records = [
            Record("contact", code, {"company": company, **row, "made on day": day, "changed on day": changed})
            for code, row, day, changed in zip(codes(rng, len(rows), "C"), rows, days, changes)
        ]
        person_groups = groups(records)
        # Where entries are chained, one of them is linked to another of its person only through a third.
        if len(person_groups) < len(records) and (not chained or len(groups(records, chained=False)) > len(person_groups)):
            break
    other = Record("contact", codes(rng, 1, "X")[0], {**records[0].facts, "company": "Elsewhere", "name": full_names(rng, 1)[0]})
    return Contacts(tuple(rng.shuffled([*records, other])), company, rules)


def _entries(rng: Rng, name: str, number: int, traps: int) -> list[dict[str, Fact]]:
    """Entries of one person, each linked to an earlier one by e-mail or by phone and name."""
    first, last = name.split()
    rows: list[dict[str, Fact]] = []
    mail, phone = _mail(rng, name), _phone(rng)
    for place in range(number):
        if place and rng.chance(0.5):
            mail = _mail(rng, name)  # now linked by phone and surname only
        elif place:
            phone = _phone(rng)  # now linked by e-mail only
        written_name = rng.choice((name, f"{first[0]}. {last}", name))
        rows.append(_entry(rng, written_name, mail if rng.chance(0.6) else mail.title(), _write(rng, phone)))
    return [*rows, *(_trap(rng, name, phone) for _ in range(rng.integer(0, traps)))]


def _trap(rng: Rng, name: str, phone: str) -> dict[str, Fact]:
    """Another person: of the same name without anything else in common, or with the same phone and another surname."""
    first = name.split()[0]
    return _entry(rng, name, _mail(rng, name), _phone(rng)) if rng.chance(0.5) else _entry(rng, f"{first} Other", _mail(rng, first), phone)


def _entry(rng: Rng, name: str, mail: str, phone: str) -> dict[str, Fact]:
    return {
        "name": name,
        "e-mail": mail,
        "phone": phone,
        "town": rng.choice(TOWNS[:4]),
        "title": rng.choice(_TITLES),
        "plan": rng.choice(_PLANS),
        "source": rng.choice(SOURCES),
        "checked": rng.choice(("yes", "no", "no")),
    }


def _mail(rng: Rng, name: str) -> str:
    return f"{name.lower().replace(' ', '.')}{rng.integer(1, 99)}@{rng.choice(('post', 'mail', 'firm'))}.example"


def _phone(rng: Rng) -> str:
    return f"0{rng.integer(20, 79)}{rng.integer(100_000, 999_999)}"


def _write(rng: Rng, phone: str) -> str:
    """A phone number in one of the ways in which people write it."""
    area, rest = phone[:3], phone[3:]
    return rng.choice((phone, f"{area} {rest[:3]} {rest[3:]}", f"{area}/{rest}", f"+49 {area[1:]} {rest}", f"+49{area[1:]}{rest}"))
