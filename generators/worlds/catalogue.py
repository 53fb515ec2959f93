"""A catalogue of products that refer to one another, orders from it, and lists in pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng

SIZES = ("tiny", "small", "large", "giant", "folding", "double")
COLOURS = ("black", "blue", "brown", "green", "grey", "orange", "pink", "purple", "red", "white", "yellow", "golden")
MATERIALS = ("bamboo", "brass", "canvas", "clay", "copper", "cork", "glass", "iron", "leather", "marble", "oak", "paper", "pine", "steel")
KINDS = tuple(
    "basket bench bowl box bucket chair clock cup desk fan frame jug kettle ladder lamp mirror mug pan shelf stool tray vase".split()
)
LINKS = ("partner", "successor")
PAGE = 5


class Entry(NamedTuple):
    """A product: price in coins, weight in grams, and the positions of the entries that LINKS names."""

    code: str
    name: str
    price: int
    grams: int
    links: tuple[int, ...]


class Line(NamedTuple):
    """A product ordered: found by words, then by following links from it."""

    pieces: int
    words: str
    cheapest: bool  # of all products whose name holds the words; else the one of exactly this name
    links: tuple[int, ...]  # positions in LINKS, in the order of following
    hits: tuple[int, ...] = ()  # the entries whose names hold the words


Catalogue = tuple[Entry, ...]


def order(rng: Rng, lines: int, links: int, entries: int, cheapest: bool) -> tuple[Catalogue, tuple[Line, ...]]:
    """A catalogue of at least `entries` products and an order from it.

    The search for a product asked for by its name shows others too, but no more than one page of them; what is asked
    for as the cheapest is one of 5 to 16. No two prices are the same.
    """
    pairs = rng.sample([(material, kind) for material in MATERIALS for kind in KINDS], lines)
    names: dict[str, None] = {}
    asked = []
    for material, kind in pairs:
        colour = rng.choice(COLOURS)
        shades = rng.sample(COLOURS, rng.integer(4, 12)) if cheapest else [colour]
        names |= dict.fromkeys(f"{rng.choice(SIZES)} {shade} {material} {kind}" for shade in shades)
        names |= dict.fromkeys(f"{size} {colour} {material} {kind}" for size in rng.sample(SIZES, rng.integer(1, PAGE - 2)))
        names |= {} if cheapest else {f"{colour} {material} {kind}": None}
        words = f"{material} {kind}" if cheapest else f"{colour} {material} {kind}"
        followed = tuple(rng.integer(0, 1) for _ in range(links - rng.integer(0, links // 2)))
        asked.append(Line(rng.integer(2, 29), words, cheapest, followed))
    while len(names) < entries:
        material, kind = rng.choice(MATERIALS), rng.choice(KINDS)
        if (material, kind) not in pairs:
            names[f"{rng.choice(SIZES)} {rng.choice(COLOURS)} {material} {kind}"] = None
    catalogue = _entries(rng, rng.shuffled(list(names)))
    return catalogue, tuple(line._replace(hits=tuple(hits(catalogue, line.words))) for line in asked)


def hits(catalogue: Catalogue, words: str) -> list[int]:
    """The entries whose names hold all the words, in the catalogue's order."""
    padded_words = [f" {word} " for word in words.split()]
    return [i for i, entry in enumerate(catalogue) if all(word in f" {entry.name} " for word in padded_words)]


def compare(catalogue: Catalogue, line: Line) -> list[int]:
    """The entries that a line is about before any link is followed, the chosen one first."""
    if line.cheapest:
        return sorted(line.hits, key=lambda i: catalogue[i].price)
    return [i for i in line.hits if catalogue[i].name == line.words]


def resolve_order(catalogue: Catalogue, line: Line) -> list[int]:
    """From the product that a line names to the one it orders."""
    passed = [compare(catalogue, line)[0]]
    for link in line.links:
        passed.append(catalogue[passed[-1]].links[link])
    return passed


def describe_product(line: Line) -> str:
    """The product of a line, in words."""
    words = line.words.split()
    named = (
        f"the cheapest of all products whose name contains both of the words {words[0]} and {words[1]}"
        if line.cheapest
        else f"the product named exactly {line.words!r}"
    )
    return "".join(f"the {LINKS[link]} of " for link in reversed(line.links)) + named


def codes(rng: Rng, count: int, letter: str) -> list[str]:
    """`count` different codes such as K48213; one says nothing about the others."""
    distinct: dict[str, None] = {}
    while len(distinct) < count:
        distinct[f"{letter}{rng.integer(10_000, 99_999)}"] = None
    return list(distinct)


def page(lines: Sequence[str], number: int) -> str:
    """The lines of one page, counted from 1, with how many pages there are."""
    pages = max(1, -(-len(lines) // PAGE))
    if number > pages:
        return f"There is no page {number}; the last is page {pages}."
    return "\n".join([f"{len(lines)} found, page {number} of {pages}.", *lines[(number - 1) * PAGE : number * PAGE]])


def _entries(rng: Rng, names: list[str]) -> Catalogue:
    size = len(names)
    prices = rng.sample(range(11, 11 + 3 * size), size)
    links = [tuple((i + rng.integer(1, size - 1)) % size for _ in LINKS) for i in range(size)]
    rows = zip(codes(rng, size, "K"), names, prices, links, strict=True)
    return tuple(Entry(code, name, price, rng.integer(20, 3000), link) for code, name, price, link in rows)
