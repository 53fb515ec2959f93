"""How lines are read and how the report is written: optional components with the code around them."""

from __future__ import annotations

from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.repository.components import AT_LEAST, Component, Theme, number


def _nothing(*_: Any) -> None:
    """What the stages mean is said in `meaning`."""


def reading_components(rng: Rng, theme: Theme, count: int) -> list[Component]:
    """`count` of the optional parts of reading a line, in a fixed order."""
    size, pack = rng.integer(6, 20), rng.choice(("dz", "box", "set"))
    first = theme.kinds[0]
    found = [
        Component("comment", "reading", "comments", "def comment(line):\n    return <cut>\n", "What follows a # in a line is a comment.", _nothing,
                  {"cut": {"anywhere": "line.partition('#')[0]", "start": "'' if line.startswith('#') else line"}}),
        Component("kind_of", "reading", "short names", "def kind_of(text):\n    return SHORT.get(<name>, <name>)\n",
                  f"A kind may be written in capitals or by its first three letters: {first[:3].upper()} is {first}.", _nothing,
                  {"name": {"lower": "text.lower()", "exact": "text"}}),
        Component("count_of", "reading", "packs", f"def count_of(text):\n    if text.endswith('{pack}'):\n"
                  f"        return int(text[:-{len(pack)}] or <none>) * <size>\n"
                  "    return int(text)\n",
                  f"A count may end in {pack}, which stands for {size} {theme.unit}: 2{pack} is {2 * size}. {pack} alone is one {pack}.", _nothing,
                  {"size": number(size, size + 1), "none": {"1": "1", "0": "0"}}),
        Component("party_of", "reading", "repeated names", "def party_of(text, entries):\n    return entries[<pick>].party if text == '-' else text\n",
                  f"A - in place of the {theme.party} means the one of the line before.", _nothing, {"pick": {"latest": "-1", "first": "0"}}),
        Component("tags_of", "reading", "tags", "def tags_of(text):\n    return {<tag> for tag in text.split(',')}\n",
                  "Spaces around a tag do not count.", _nothing, {"tag": {"strip": "tag.strip()", "exact": "tag"}}),
        Component("by_day", "reading", "the order of days", "def by_day(entries):\n    return <sort>\n",
                  "Entries are charged in the order of their days; those of one day in the order of the lines.", _nothing,
                  {"sort": {"day": "sorted(entries, key=lambda entry: entry.day)", "lines": "list(entries)"}}),
    ]  # fmt: skip
    kept = {component.key for component in rng.sample(found, min(count, len(found)))}
    return [component for component in found if component.key in kept]


def report_components(rng: Rng, theme: Theme, count: int) -> list[Component]:
    """`count` of the optional parts of the report, in a fixed order."""
    tax, least, unit = rng.choice((7, 9, 13, 19, 21)), 100 * rng.integer(10, 30), 100 * rng.integer(3, 9)
    found = [
        Component("taxed", "reports", "the tax", "def taxed(amount):\n    return amount + [[percent|amount|<tax>]]\n",
                  f"{tax} % tax is added to the total of each {theme.party}, before the totals are used in any other way.", _nothing,
                  {"tax": number(tax, tax - 1)}, ("percent",)),
        Component("ranked", "reports", "the order of the report", "def ranked(totals):\n    return sorted(totals.items(), key=lambda item: <key>)\n",
                  "The largest total comes first; equal totals are in the order of the names.", _nothing,
                  {"key": {"amount, name": "(-item[1], item[0])", "amount": "-item[1]", "name": "item[0]"}}),
        Component("is_listed", "reports", "small totals", "def is_listed(total):\n    return total <compare> <least>\n",
                  f"Only totals of at least {least} cents get a line of their own; a sum at the end, if there is one, has all of them.", _nothing,
                  {"compare": AT_LEAST, "least": number(least, least + 100)}),
        Component("points", "reports", "the points", "def points(total):\n    return <points>\n",
                  f"Every full {unit} cents of a total give 3 points, which follow it, as in `12.50 (6 points)`.", _nothing,
                  {"points": {"full": "total // <unit> * 3", "parts": "total * 3 // <unit>"}, "unit": number(unit, unit + 50)}),
        Component("summed", "reports", "the sum", "def summed(totals):\n    return 'total: ' + show(sum(<what>))\n",
                  "The last line is the sum of all totals, as in `total: 12.50`.", _nothing,
                  {"what": {"all": "totals.values()", "different": "set(totals.values())"}}),
    ]  # fmt: skip
    kept = {component.key for component in rng.sample(found, min(count, len(found)))}
    return [component for component in found if component.key in kept]


def reading_code(keys: set[str]) -> str:
    """The function `read`, which uses the parts that there are."""
    line = "comment(line)" if "comment" in keys else "line"
    kind = "kind_of(kind)" if "kind_of" in keys else "kind"
    count = "count_of(count)" if "count_of" in keys else "int(count)"
    party = "party_of(party, entries)" if "party_of" in keys else "party"
    tags = "tags_of(tags)" if "tags_of" in keys else "set(tags.split(','))"
    done = "by_day(entries)" if "by_day" in keys else "entries"
    return (
        f"def read(lines):\n    entries = []\n    for line in lines:\n        text = {line}\n        if not text.strip():\n            continue\n"
        "        day, party, kind, count, tags = (part.strip() for part in text.split(';'))\n"
        f"        entries.append(Entry(int(day), {party}, {kind}, {count}, {tags}))\n    return {done}\n"
    )


def report_code(keys: set[str]) -> str:
    """The function `report`, which uses the parts that there are."""
    taxed = "    totals = {party: taxed(total) for party, total in totals.items()}\n" if "taxed" in keys else ""
    items = "ranked(totals)" if "ranked" in keys else "totals.items()"
    points = " + f' ({points(total)} points)'" if "points" in keys else ""
    listed = "\n        if is_listed(total)" if "is_listed" in keys else ""
    summed = "    rows.append(summed(totals))\n" if "summed" in keys else ""
    return (
        "def report(book):\n    totals = {}\n    for entry, amount in book.entries:\n"
        f"        totals[entry.party] = totals.get(entry.party, 0) + amount\n{taxed}"
        f"    rows = [\n        f'{{party}}: {{show(total)}}'{points}\n        for party, total in {items}{listed}\n    ]\n{summed}    return rows\n"
    )


SHOW = "def show(cents):\n    return f'{cents // 100}.{cents % 100:02}'\n"
BOOK = """\
class Book:
    def __init__(self):
        self.entries = []

    def add(self, entry, amount):
        self.entries.append((entry, amount))
"""
ENTRY = (
    "class Entry:\n    def __init__(self, day, party, kind, count, tags):\n        self.day, self.party, self.kind = day, party, kind\n"
    "        self.count, self.tags = count, tags\n"
)
RUN = (
    "def run(lines):\n    book = Book()\n    for entry in read(lines):\n        amount = [[rate|entry.kind|entry.day]] * entry.count\n"
    "        for rule in RULES:\n            amount = rule(entry, amount, book)\n        book.add(entry, amount)\n    return report(book)\n"
)
