"""Inputs of a generated package: lines around the numbers at which its components change their behaviour."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng
from rlgym.generators.repository.components import Component
from rlgym.generators.repository.package import Package

Lines = list[str]


def sample_lines(rng: Rng, package: Package, count: int, about: Sequence[Component] = ()) -> Lines:
    """An input of `count` lines; most of them concern the components `about`, if there are any."""
    rules = package.layer("rules")
    return _lines(rng, package, [rng.choice(about if about and rng.chance(0.75) else rules) for _ in range(count)])


def broad_inputs(rng: Rng, package: Package, count: int, lines: int) -> list[Lines]:
    """Inputs in which every rule and every change of a price has its turn."""
    rules, changes = package.layer("rules"), _changes(package)
    found = []
    for place in range(count):
        turn = [rules[(place * lines + k) % len(rules)] for k in range(lines)]
        found.append(_lines(rng, package, turn, changes[place // 2 % len(changes)] if changes and place % 2 else None))
    return found


def _changes(package: Package) -> list[tuple[str, int]]:
    return [(kind, day) for kind, days in package.prices.items() for day, _ in days[1:]]


def _lines(rng: Rng, package: Package, turn: Sequence[Component], change: tuple[str, int] | None = None) -> Lines:
    """A line for each component of the turn, with numbers around those at which it changes its behaviour; some lines around a new price."""
    theme, keys = package.theme, {component.key for component in package.components}
    pack = next((component for component in package.components if component.key == "count_of"), None)
    changes, may_repeat, may_comment = _changes(package), "party_of" in keys, "comment" in keys
    people = list(theme.people[: rng.integer(1, 3)])
    base = rng.integer(1, 330)
    lines, party = Lines(), ""
    integer, choice, chance = rng.integer, rng.choice, rng.chance
    for place, rule in enumerate(turn):
        kind = choice(rule.kinds or theme.kinds)
        day = choice((base, base, base + 1, base + integer(2, 9), base + integer(0, 25)))
        if change and place < 2:
            kind, day = change[0], change[1] - place
        elif rule.days and chance(0.6):
            day = choice(rule.days)
        elif changes and chance(0.12):
            day = choice(changes)[1] - integer(0, 1)
        number = choice(rule.counts) if rule.counts and chance(0.7) else choice((1, 1, 2, 3, 5, 7))
        tags = [choice(rule.tags or theme.tags)] if chance(0.7 if rule.tags else 0.2) else []
        if tags and chance(0.3):
            tags.append(choice(theme.tags))
        previous, party = party, choice(people)
        shown = "-" if may_repeat and party == previous else party
        line = f"{day};{shown};{_kind(rng, keys, package, kind)};{_count(rng, pack, number)};{_tags(rng, keys, tags)}"
        lines.append(f"{line} # paid" if may_comment and chance(0.1) else line)
    return lines


def _kind(rng: Rng, keys: set[str], package: Package, kind: str) -> str:
    if "kind_of" not in keys or rng.chance(0.7):
        return kind
    return rng.choice((kind.upper(), kind[:3] if kind in package.theme.kinds[:3] else kind.capitalize()))


def _count(rng: Rng, pack: Component | None, number: int) -> str:
    if pack is None or rng.chance(0.85):
        return str(number)
    name = pack.code.split("'")[1]
    return rng.choice((name, f"1{name}", f"2{name}"))


def _tags(rng: Rng, keys: set[str], tags: Sequence[str]) -> str:
    return (", " if "tags_of" in keys and rng.chance(0.7) else ",").join(tags)


def sample_inputs(rng: Rng, package: Package, count: int, lines: int, about: Sequence[Component] = ()) -> list[Lines]:
    """`count` inputs of up to `lines` lines; every second one concerns the components `about`."""
    return [sample_lines(rng, package, rng.integer(max(1, lines // 2), lines), about if place % 2 else ()) for place in range(count)]
