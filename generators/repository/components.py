"""A component of a generated package: its code with sites where it may be wrong, its description, and its meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rlgym.core.rng import Rng

_USED = re.compile(r"(?<=\[\[)\w+(?=\|)|(?<=\bbook\.)\w+(?=\()")
LAYERS = ("config", "money", "calendar", "reading", "book", "rules", "reports")
FIRST_DAY, LAST_DAY = 1, 360
DAY_NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the input."""

    day: int
    party: str
    kind: str
    count: int
    tags: frozenset[str]


class Site(NamedTuple):
    """A place in a component. A fault is a site with another option than the right one."""

    component: str
    name: str


@dataclass(frozen=True)
class Component:
    """One function or method of a package.

    key      its name in the code
    layer    the layer it belongs to
    title    a noun phrase for messages: "the discount on large orders of tea"
    code     its text, with a mark <site> at each site, and calls of helpers as [[helper|argument|argument]]
    words    its description in the documents
    run      what it means; it receives the helpers and the chosen options, and then what the code receives
    sites    the options of each site by name, each with its text in the code, the right one first
    needs    methods of the book, and helpers, without which it cannot work
    counts, days  numbers around which it changes its behaviour, for the choice of inputs
    kinds    the only kinds on which a rule acts; all where it is empty
    """

    key: str
    layer: str
    title: str
    code: str
    words: str
    run: Callable[..., Any]
    sites: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    days: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @cached_property
    def uses(self) -> set[str]:
        """The helpers and the methods of the book that the code calls with some option."""
        text = self.code + "".join(text for options in self.sites.values() for text in options.values())
        return set(_USED.findall(text))


@dataclass(frozen=True)
class Theme:
    """The words of a package.

    party, entry, unit  nouns: who is charged, one line of the input, what is counted (plural)
    """

    package: str
    party: str
    entry: str
    unit: str
    people: tuple[str, ...]
    kinds: tuple[str, ...]
    tags: tuple[str, ...]


PEOPLE = "anna boris chen dalia emil farah goran hana ivo jana karim lena".split()
THEMES = (
    ("teashop", "customer", "order", "packs", "assam ceylon darjeeling keemun matcha oolong sencha yunnan", "gift express staff wholesale"),
    ("parcelpost", "sender", "parcel", "kilograms", "books cloth crates glass letters plants tools toys", "fragile express official return"),
    ("bikehire", "rider", "trip", "hours", "cargo city folding gravel kids mountain racing tandem", "insured student guided night"),
    ("campsite", "guest", "booking", "nights", "bungalow cabin caravan hut motorhome shed tent yurt", "member group early pet"),
    ("printhouse", "client", "job", "sheets", "banner card flyer folder label leaflet menu poster", "rush proof school recycled"),
    ("powergrid", "household", "reading", "units", "boiler charger cooker dryer fan heater oven pump", "green business night shared"),
    ("toolshed", "renter", "loan", "pieces", "auger chainsaw drill grinder ladder mixer sander trolley", "training damaged club weekend"),
    ("ferryline", "passenger", "crossing", "places", "bicycle bus car coach lorry moped trailer van", "resident return school freight"),
)  # fmt: skip


def sample_theme(rng: Rng) -> Theme:
    package, party, entry, unit, kinds, tags = rng.choice(THEMES)
    return Theme(
        package, party, entry, unit, tuple(rng.sample(PEOPLE, 4)), tuple(rng.shuffled(kinds.split())), tuple(rng.shuffled(tags.split()))
    )


def one_of(right: Mapping[str, str], option: str) -> dict[str, str]:
    """The options with this one first, as the right one."""
    return {option: right[option], **{other: text for other, text in right.items() if other != option}}


def number(value: int, *others: int) -> dict[str, str]:
    """A number with plausible wrong ones."""
    return {str(each): str(each) for each in dict.fromkeys((value, *others))}


AT_LEAST = {"at least": ">=", "more than": ">"}
AT_MOST = {"at most": "<=", "less than": "<"}
_CALL = re.compile(r"\[\[(\w+)((?:\|[^|\[\]]*)*)\]\]")


def with_options(component: Component, chosen: Mapping[Site, str]) -> str:
    """The code with the chosen option at each site, the right one where none is chosen."""
    code, key = component.code, component.key
    for name, options in component.sites.items():
        option = chosen.get(Site(key, name)) if chosen else None
        code = code.replace(f"<{name}>", next(iter(options.values())) if option is None else options[option])
    return code


def with_calls(code: str, call: Callable[[str, list[str]], str]) -> str:
    """The code with the calls of helpers written out, the inner ones first."""
    while _CALL.search(code):
        code = _CALL.sub(lambda match: call(match[1], match[2].split("|")[1:]), code)
    return code


def options_of(component: Component, chosen: Mapping[Site, str]) -> dict[str, Any]:
    """The chosen option of each site; numbers as integers."""
    found: dict[str, Any] = {}
    for name, options in component.sites.items():
        option = chosen.get(Site(component.key, name), next(iter(options)))
        found[name] = int(option) if option.lstrip("-").isdigit() else option
    return found
