"""Routines that read a prompt and answer without solving: they copy, sort, count, space evenly, or follow the first column."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.rng import Rng
from rlgym.laws.prompt_parts import PromptParts
from rlgym.laws.shape_routines import shaped_answers

Items = Sequence[str]


@lru_cache(maxsize=4096)
def _order(item: str) -> tuple[bool, int, str]:
    """Numbers by their value before words in alphabetical order."""
    plain = item.lstrip("-")
    return (False, int(item), "") if plain.isdigit() and len(plain) < 30 and plain.isascii() else (True, 0, item)


TRANSFORMS: dict[str, Callable[[Items], Items]] = {
    "all": lambda items: items,
    "all, each once": lambda items: list(dict.fromkeys(items)),
    "reversed": lambda items: items[::-1],
    "sorted": lambda items: sorted(items, key=_order),
    "sorted downwards": lambda items: sorted(items, key=_order, reverse=True),
    "sorted, each once": lambda items: sorted(set(items), key=_order),
    "downwards, each once": lambda items: sorted(set(items), key=_order, reverse=True),
    "first": lambda items: items[:1],
    "second": lambda items: items[1:2],
    "last": lambda items: items[-1:],
    "last but one": lambda items: items[-2:-1],
    "first two": lambda items: items[:2],
    "last two": lambda items: items[-2:],
    "first half": lambda items: items[: len(items) // 2],
    "all but the first": lambda items: items[1:],
    "all but the last": lambda items: items[:-1],
    "every other": lambda items: items[::2],
    "longest": lambda items: [max(items, key=len)],
    "shortest": lambda items: [min(items, key=len)],
    "greatest": lambda items: [max(items, key=_order)],
    "least": lambda items: [min(items, key=_order)],
    "most frequent": lambda items: [Counter(items).most_common(1)[0][0]],
    "how many": lambda items: [str(len(items))],
    "how many different": lambda items: [str(len(set(items)))],
    "places in order": lambda items: [str(place) for place in range(1, len(items) + 1)],
    "yes with all": lambda items: ["yes", *items],
    "no with all": lambda items: ["no", *items],
}

BRACKETS = ("[, ]", "(, )")
SEPARATORS = (", ", " ", "\n", "", *BRACKETS)
BLANKS = "._?*-0"
FILLINGS = (".", "#", "1", "0", "a")
MOST_PIECES = 24
JOINED = " joined by "
RECENT = 6
MOST_STEPS = 40


def copied_answers(prompt: str, answer: Answer[Any], only: Collection[str] | None = None) -> Iterator[tuple[str, str]]:
    """(routine, text) for every routine that finds something to answer with. Texts that the format cannot read are left out.

    only: yield at least the routines of these names, and no routine that does not share its items with one of them.
    """
    parts, readable = PromptParts(prompt), dict[str, bool]()  # routines often find the same text
    chosen = None if only is None else {name.partition(JOINED)[0] for name in only}
    for routine, items in _routines(parts, chosen):
        for separator in SEPARATORS if len(items) > 1 else ("", *BRACKETS):
            text = _join(items, separator)
            if text not in readable:
                readable[text] = 0 < len(text) < 20_000 and _is_readable(answer, text)
            if readable[text]:
                yield f"{routine}{'' if len(items) < 2 else f'{JOINED}{separator!r}'}", text
                break


def _routines(parts: PromptParts, chosen: Collection[str] | None) -> Iterator[tuple[str, Items]]:
    """Every routine with its items, or the chosen ones."""
    transforms = {f"{kind}, {name}": (kind, transform) for kind in parts.sequences for name, transform in TRANSFORMS.items()}
    for routine, (kind, transform) in transforms.items():
        if chosen is None or routine in chosen:
            yield routine, transform(parts.sequences[kind])
    if chosen is not None and all(name in transforms for name in chosen):
        return  # the families have other names
    for family in (_verbatim, _grids, _spacings, _cycles, _columns, _graphs, _mappings, _spellings, shaped_answers):
        yield from (each for each in family(parts) if chosen is None or each[0] in chosen)


def _verbatim(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    yield "the longest block of lines", ["\n".join(parts.block)]
    yield "the first paragraph", [parts.paragraphs[0]]
    yield "the last paragraph", [parts.paragraphs[-1]]
    for place, paragraph in enumerate(parts.paragraphs[1:5], 2):
        yield f"paragraph {place}", [paragraph]
        yield f"paragraph {place} without its first line", [paragraph.partition("\n")[2]]
    for paragraph in parts.paragraphs[1:]:
        code = paragraph[paragraph.find("def ") :] if "def " in paragraph else ""
        yield "a program of the prompt", [code]


def _grids(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """The last grid as it stands, turned, and with its blanks filled by one symbol or one word."""
    if not (grid := parts.grid):
        return
    turned = {
        "as it stands": grid,
        "mirrored": [row[::-1] for row in grid],
        "upside down": grid[::-1],
        "transposed": [list(column) for column in zip(*grid, strict=True)],
        "its first row repeated": [grid[0]] * len(grid),
        "without its last row": grid[:-1],
    }
    symbols = [symbol for symbol, _ in Counter(cell for row in grid for cell in row).most_common(6)]
    named = {**{f"symbol {rank} by frequency": symbol for rank, symbol in enumerate(symbols)}, **{symbol: symbol for symbol in FILLINGS}}
    blanks = [symbol for symbol in symbols if symbol in BLANKS]
    for (name, symbol), blank in product(named.items(), blanks):
        turned[f"with {name} in each {blank}"] = [[symbol if cell == blank else cell for cell in row] for row in grid]
    for name, symbol in named.items():
        turned[f"of {name} alone"] = [[symbol] * len(row) for row in grid]
    for (name, kept), rest in product([*named.items()][:6], FILLINGS):
        turned[f"with {name} kept and {rest} elsewhere"] = [[cell if cell == kept else rest for cell in row] for row in grid]
    for name, rows in turned.items():
        yield f"the grid {name}", ["\n".join(" ".join(row) for row in rows)]


def _spacings(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """Evenly spaced values over a range that the prompt names, in as many pieces as a number of the prompt says."""
    numbers = parts.integers[-RECENT:]
    ranges = [(low, high) for low, high in pairwise(numbers) if low < high]
    for place, (low, high) in enumerate(ranges[::-1][:3]):
        for at, pieces in enumerate(numbers[::-1]):
            for fewer in (0, 1):
                if 0 < pieces - fewer <= MOST_PIECES:
                    points = [low + Fraction((high - low) * step, pieces - fewer) for step in range(pieces - fewer + 1)]
                    how = f"range {place} from the end, in as many pieces as number {at} from the end{' less one' * fewer}"
                    yield f"evenly spaced, {how}", [str(point) for point in points]
                    yield f"evenly spaced integers, {how}", [str(int(point)) for point in points]


def _cycles(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """The symbols of the grid, the letters or the shortest list over and over, as often as a number of the prompt says."""
    alphabets = {
        "the grid's symbols": list(dict.fromkeys(cell for row in parts.grid for cell in row)),
        "the letters": parts.sequences.get("letters", []),
        "the first list": parts.sequences.get("first list", []),
        "the last list": parts.sequences.get("last list", []),
    }
    for name, alphabet in alphabets.items():
        if 1 < len(alphabet) <= 12:
            for at, length in enumerate(parts.integers[: -RECENT - 1 : -1]):
                for skipped in range(min(len(alphabet), 3) if 0 < length <= MOST_STEPS else 0):
                    how = f"{name} over and over from place {skipped}, as often as number {at} from the end says"
                    yield how, [alphabet[(k + skipped) % len(alphabet)] for k in range(length)]
            rng = Rng("copying", name, len(alphabet))
            for length in (3, 5, 8, 12):
                yield f"{length} random ones of {name}", [rng.choice(alphabet) for _ in range(length)]


def _columns(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """The names of the table's rows in the order of a column, all of them and the best few: greedy by one column."""
    rows = [row for row in parts.rows if len(row) > 1]
    for column in range(1, min(4, max((len(row) for row in rows), default=0))):
        fit = [row for row in rows if len(row) > column and row[column].lstrip("-").isdigit()]
        for direction, reverse in (("rising", False), ("falling", True)):
            names = [row[0].rstrip(":") for row in sorted(fit, key=lambda row: int(row[column]), reverse=reverse)]
            for much, count in {"one": 1, "two": 2, "three": 3, "half": len(names) // 2, "all": len(names)}.items():
                yield f"{much} of the rows by column {column}, {direction}", names[:count]


def _graphs(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """The edges at one end, the neighbours of an end, and a shortest path between the last two nodes that the prompt names."""
    edges = parts.edges
    nodes = {node for edge in edges for node in edge}
    mentioned = [word for word in parts.paragraphs[-1].replace(",", " ").replace(".", " ").replace("?", " ").split() if word in nodes]
    ends = list(dict.fromkeys((*mentioned[:2], *mentioned[-2:]))) if mentioned else []
    for place, end in enumerate(ends):
        at_end = [(a, b) for a, b in edges if end in (a, b)]
        yield f"the edges at end {place}", [f"{a}-{b}" for a, b in at_end]
        yield f"the neighbours of end {place}", [b if a == end else a for a, b in at_end]
    for first, last in ((ends[:1], ends[1:2]), (ends[-2:-1], ends[-1:])):
        if first and last:
            for name, pairs in (("directed", edges), ("undirected", [*edges, *((b, a) for a, b in edges)])):
                path = _shortest_path(pairs, first[0], last[0])
                yield f"a shortest {name} path", path
                yield f"the edges of a shortest {name} path", [f"{a}-{b}" for a, b in pairwise(path)]


def _shortest_path(edges: Sequence[tuple[str, str]], first: str, last: str) -> list[str]:
    paths, waiting = {first: [first]}, deque([first])
    while waiting:
        node = waiting.popleft()
        for a, b in edges:
            if a == node and b not in paths:
                paths[b] = [*paths[a], b]
                waiting.append(b)
    return paths.get(last, [])


def _mappings(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """Every name with the same value, with its place, or with what follows it in its line."""
    values = ["1", "0", "true", "false", *parts.sequences.get("last list", [])[:4], *parts.sequences.get("quoted", [])[:2]]
    for kind in ("labels", "letters", "names", "first words", "first list", "second list", "longest list"):
        names = [name.rstrip(":") for name in dict.fromkeys(parts.sequences.get(kind, []))]
        if not 1 < len(names) <= 40:
            continue
        for at, value in enumerate(values):
            yield f"each of the {kind} with value {at}", ["\n".join(f"{name}: {value}" for name in names)]
        for first in (0, 1):
            yield f"each of the {kind} with its place from {first}", ["\n".join(f"{name}: {at}" for at, name in enumerate(names, first))]
        for other in ("last list", "second list", "labels", "options", "last words"):
            values_in_turn = parts.sequences.get(other, [])
            if len(values_in_turn) >= len(names):
                yield f"each of the {kind} with one of the {other} in turn", ["\n".join(map("{}: {}".format, names, values_in_turn))]


def _spellings(parts: PromptParts) -> Iterator[tuple[str, Items]]:
    """Rows of the query's own numbers, and lists with a number of the prompt in them."""
    numbers = list(dict.fromkeys(parts.integers))[-12:]
    near = list(dict.fromkeys(value + step for value in numbers for step in (0, 1, -1)))
    for length in (1, 2, 3, 5, 8):
        yield f"{length} of the numbers and their neighbours", [str(each) for each in near[:length]]
        yield f"the last number {length} times", [str(each) for each in numbers[-1:] * length]


def _join(items: Items, separator: str) -> str:
    """The items with a separator between them; a separator of brackets encloses them too."""
    if len(separator) > 2:
        return separator[0] + ", ".join(items) + separator[-1]
    return separator.join(items)


def _is_readable(answer: Answer[Any], text: str) -> bool:
    try:
        answer.parse(text)
    except Unreadable:
        return False
    return True
