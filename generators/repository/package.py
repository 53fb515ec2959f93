"""A generated package as a value: its components, and what it computes, with faults and without."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.repository.components import Component, Entry, Site, Theme, options_of, sample_theme
from rlgym.generators.repository.helpers import STYLES, Book, Helpers, Styles, helper_components
from rlgym.generators.repository.rules import sample_rules
from rlgym.generators.repository.stages import reading_components, report_components

ORDER = "RULES"
LIBRARY = ("percent", "weekday", "month")
Run = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True)
class Package:
    """What a generated package is made of.

    prices   for each kind the days from which a price in cents holds
    first    the weekday of day 1, 0 for Monday
    layout   how its code is split into files: few, layers or deep
    chosen   faults: the option at a site where it is not the right one
             and at the name of a helper the style in which a component calls it, where that is not the style of the helper
    library  the module outside the package that has the helpers in it which LIBRARY names; empty where the package has them itself
    styles   how helpers are defined and called, where it is not the usual way
    """

    theme: Theme
    components: tuple[Component, ...]
    prices: Mapping[str, tuple[tuple[int, int], ...]]
    first: int
    layout: str = "few"
    chosen: Mapping[Site, str] = field(default_factory=dict)
    styles: Styles = field(default_factory=dict)
    library: str = ""

    def with_fault(self, site: Site, option: str) -> Package:
        """The package with one more fault."""
        return replace(self, chosen={**self.chosen, site: option})

    def styles_of(self, key: str) -> Styles:
        """How a component calls the helpers."""
        return {
            **self.styles,
            **{site.name: option for site, option in self.chosen.items() if site.component == key and site.name in STYLES},
        }

    def without(self, keys: Sequence[str]) -> Package:
        """The package without these components, and without methods of the book that only they need."""
        kept = [component for component in self.components if component.key not in keys]
        needed = {name for component in kept for name in component.needs} | {"rate", "percent"}
        kept = [component for component in kept if component.layer not in ("book", "calendar") or component.key in needed]
        return replace(self, components=tuple(kept))

    def layer(self, name: str) -> list[Component]:
        """The components of a layer; the rules in the order in which they are applied."""
        found = [component for component in self.components if component.layer == name]
        if name == "rules" and (early := self.chosen.get(Site(ORDER, "order"))):
            at = next((at for at, component in enumerate(found) if component.key == early), 0)
            if at:
                found[at - 1], found[at] = found[at], found[at - 1]
        return found

    def component(self, key: str) -> Component:
        return next(component for component in self.components if component.key == key)


def sample_package(rng: Rng, rules: int, linked: int, stages: int, layout: str) -> Package:
    """A package of `rules` rules, `linked` of which use more than the entry, with `stages` optional parts of reading and of the report."""
    theme, first = sample_theme(rng), rng.integer(0, 6)
    drawn = sample_rules(rng, theme, rules, linked)
    reads = reading_components(rng, theme, (stages + 1) // 2)
    reports = report_components(rng, theme, stages // 2)
    if linked and not any(component.key == "by_day" for component in reads):
        reads = [*reads[:-1], *[each for each in reading_components(rng, theme, 6) if each.key == "by_day"]]
    used = theme.kinds[: max(3, min(len(theme.kinds), rules // 2 + 1))]
    theme = replace(theme, kinds=used)
    prices = {}
    for kind in used:
        changed = rng.integer(20, 200) if rng.chance(0.6) else 0
        cents = 5 * rng.integer(20, 190) + rng.integer(0, 4)
        prices[kind] = ((1, cents), (changed, cents + 5 * rng.integer(3, 30))) if changed else ((1, cents),)
    helpers = helper_components(rng, theme, first)
    return Package(theme, (*helpers, *reads, *drawn, *reports), prices, first, layout).without(())


def faults_of(package: Package, layers: Sequence[str] = ()) -> list[tuple[Site, str]]:
    """Every wrong option of every site in these layers, or in all; neighbouring rules that change places; and calls that do not fit a helper."""
    found = [
        (Site(component.key, name), option)
        for component in package.components
        if not layers or component.layer in layers
        for name, options in component.sites.items()
        for option in list(options)[1:]
    ]
    if not layers or "rules" in layers:
        found += [(Site(ORDER, "order"), rule.key) for rule in package.layer("rules")[1:]]
        found += [
            (Site(rule.key, name), style)
            for rule in package.layer("rules")
            for name in ("weekday", "month")
            if name in rule.needs
            for style in STYLES[name]
            if style != package.styles.get(name, STYLES[name][0])
        ]
    return found


class Rule(NamedTuple):
    """A rule with what it gets besides the entry, the amount and the book."""

    key: str
    run: Callable[..., int]
    helpers: Helpers
    options: Mapping[str, Any]


class Charging:
    """What a package computes from entries that have been read, and the parts of which this consists.

    like  the computation of a package with most components in common, whose options are taken over
    """

    def __init__(self, package: Package, like: Charging | None = None) -> None:
        self.package = package
        faulty = {site.component for each in (package, *([like.package] if like else [])) for site in each.chosen}
        same = {component.key: component for component in like.package.components} if like else {}
        self.options: dict[str, Mapping[str, Any]] = {
            component.key: like.options[component.key]
            if like and same.get(component.key) is component and component.key not in faulty
            else options_of(component, package.chosen)
            for component in package.components
        }
        self.shared = Helpers(self.options, package.prices, package.first, package.styles, package.styles)
        helpers = {
            site.component: Helpers(self.options, package.prices, package.first, package.styles, package.styles_of(site.component))
            for site in package.chosen
            if site.name in STYLES
        }
        self.rules = [
            Rule(rule.key, rule.run, helpers.get(rule.key, self.shared), self.options[rule.key]) for rule in package.layer("rules")
        ]
        self.write = _writer(self.options, helpers.get("taxed", self.shared))

    def __call__(self, entries: Sequence[Entry]) -> list[str]:
        return self.go_on(entries, Book(self.options))

    def go_on(self, entries: Sequence[Entry], book: Book) -> list[str]:
        """The report after these entries, which follow those of the book."""
        for entry in entries:
            amount = self.start(entry)
            for _, run, helpers, options in self.rules:
                amount = run(helpers, options, entry, amount, book)
            book.add(entry, amount)
        return self.write(book)

    def start(self, entry: Entry) -> int:
        """The amount before the first rule."""
        return self.shared.rate(entry.kind, entry.day) * entry.count


def meaning(package: Package) -> Run:
    """What the package computes, as a function of its lines."""
    read, charge = reading(package), Charging(package)
    return lambda lines: charge(read(lines))


def reading(package: Package) -> Callable[[Sequence[str]], list[Entry]]:
    """How the package reads its lines."""
    return _reader(package, {component.key: options_of(component, package.chosen) for component in package.layer("reading")})


def _reader(package: Package, options: Mapping[str, Mapping[str, Any]]) -> Callable[[Sequence[str]], list[Entry]]:
    short = short_names(package.theme)
    packs = next((component.code.split("'")[1] for component in package.components if component.key == "count_of"), "")

    def count_of(text: str) -> int:
        if packs and text.endswith(packs):
            return int(text[: -len(packs)] or options["count_of"]["none"]) * int(options["count_of"]["size"])
        return int(text)

    cut = options.get("comment", {}).get("cut")
    repeated = {"latest": -1, "first": 0, None: None}[options.get("party_of", {}).get("pick")]
    lower = options.get("kind_of", {}).get("name") == "lower"
    strip = options.get("tags_of", {}).get("tag") == "strip"

    def read(lines: Sequence[str]) -> list[Entry]:
        entries: list[Entry] = []
        for text in lines:
            if cut:
                text = text.partition("#")[0] if cut == "anywhere" else "" if text.startswith("#") else text
            if not text.strip():
                continue
            day, party, kind, count, tags = [part.strip() for part in text.split(";")]
            if party == "-" and repeated is not None:
                party = entries[repeated].party
            if "kind_of" in options:
                name = kind.lower() if lower else kind
                kind = short.get(name, name)
            parts = tags.split(",")
            entries.append(Entry(int(day), party, kind, count_of(count), frozenset([tag.strip() for tag in parts] if strip else parts)))
        if options.get("by_day", {}).get("sort") == "day":
            entries.sort(key=lambda entry: entry.day)
        return entries

    return read


def _writer(options: Mapping[str, Mapping[str, Any]], helpers: Helpers) -> Callable[[Book], list[str]]:
    ranked, listed, points, summed = (options.get(key) for key in ("ranked", "is_listed", "points", "summed"))

    def write(book: Book) -> list[str]:
        totals: dict[str, int] = {}
        for entry, amount in book.entries:
            totals[entry.party] = totals.get(entry.party, 0) + amount
        if "taxed" in options:
            totals = {party: total + helpers.percent(total, options["taxed"]["tax"]) for party, total in totals.items()}
        items = list(totals.items())
        if ranked:
            keys: dict[str, Callable[[tuple[str, int]], Any]] = {
                "amount, name": lambda item: (-item[1], item[0]), "amount": lambda item: -item[1], "name": lambda item: item[0],
            }  # fmt: skip
            items.sort(key=keys[ranked["key"]])
        rows = []
        for party, total in items:
            if listed and not (total >= listed["least"] if listed["compare"] == "at least" else total > listed["least"]):
                continue
            rows.append(f"{party}: {shown(total)}{_points(points['points'], total) if points else ''}")
        if summed:
            rows.append(f"total: {shown(sum(totals.values() if summed['what'] == 'all' else set(totals.values())))}")
        return rows

    unit = _points_unit(options)

    def _points(what: str, total: int) -> str:
        return f" ({total // unit * 3 if what == 'full' else total * 3 // unit} points)"

    return write


def _points_unit(options: Mapping[str, Mapping[str, Any]]) -> int:
    return int(options["points"]["unit"]) if "points" in options else 1


def shown(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def short_names(theme: Theme) -> dict[str, str]:
    """The short names of kinds."""
    return {kind[:3]: kind for kind in theme.kinds}
