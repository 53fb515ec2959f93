"""What a reader finds in a prompt without understanding it: numbers, names, lists, options, grids, edges, quoted texts, lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:[./]\d+)?(?![\w/])")
_NAME = re.compile(r"(?<![.?!\n] )(?<!^)(?<!\n)\b(?:[A-Z]\w*|[a-z]+\d+|\w+-\w+)\b")
_ITEM = r"[\w.+/'-]+"
_RUN = re.compile(rf"{_ITEM}(?:, {_ITEM})+(?:,? and {_ITEM})?|{_ITEM} and {_ITEM}(?=[,.:;?\n])")
_BRACKETS = re.compile(r"[\[({]([^\[\](){}]{1,200})[\])}]")
_EDGE = re.compile(r"\b(\w+) ?(?:->|→|--|-|>|<->|to) ?(\w+)\b")
_QUOTED = re.compile(r"[\"'`“]([^\"'`“”\n]{1,80})[\"'`”]")
_LABEL = re.compile(r"^\s*(?:[-*] )?\(?([\w-]{1,12})\)?[:.)]\s+(.*)$", re.MULTILINE)
_BULLET = re.compile(r"^\s*[-*] (.+)$", re.MULTILINE)
_LETTER = re.compile(r"\b([b-zA-HJ-Z])\b")
_RANGE = re.compile(r"\b(?:from|between) (-?\d{1,6}) (?:to|and) (-?\d{1,6})\b|\[(-?\d{1,6}), (-?\d{1,6})\]")
_COUNT = re.compile(r"\b(?:at most|exactly|into|up to|are|with) (\d+)\b|\b(\d+) (?:pieces|integers|numbers|letters|values|rounds|moves)\b")
_SPLIT = re.compile(r"[\s,|]+")
MOST = 400  # items of one kind


@dataclass(frozen=True)
class PromptParts:
    """A prompt cut into the parts that can be copied."""

    text: str

    @cached_property
    def sequences(self) -> dict[str, list[str]]:
        """Every kind of part, in the order of the prompt."""
        lists = sorted(self.lists, key=len)
        row: str = max(self.text.split() or [""], key=_symbol_length)
        location = {
            "numbers": _NUMBER.findall(self.text),
            "last numbers": _NUMBER.findall(self.paragraphs[-1]),
            "names": _distinct(_NAME.findall(self.text)),
            "letters": _distinct(_LETTER.findall(self.text)),
            "quoted": _QUOTED.findall(self.text),
            "labels": [label for label, _ in _LABEL.findall(self.text)],
            "options": [body for _, body in _LABEL.findall(self.text)] or _BULLET.findall(self.text),
            "first words": [row[0] for row in self.rows],
            "last words": [row[-1] for row in self.rows],
            "edges": _distinct(f"{a}-{b}" for a, b in self.edges),
            "lines": self.block,
            "symbols": list(row),
            "first list": self.lists[0] if self.lists else [],
            "second list": self.lists[1] if len(self.lists) > 1 else [],
            "last list": self.lists[-1] if self.lists else [],
            "longest list": lists[-1] if lists else [],
            "shortest list": lists[0] if lists else [],
        }
        return {kind: items[:MOST] for kind, items in location.items() if items}

    @cached_property
    def paragraphs(self) -> list[str]:
        return [part for part in self.text.split("\n\n") if part.strip()] or [""]

    @cached_property
    def lists(self) -> list[list[str]]:
        """Runs such as `3, 4 and 5`, and what stands between brackets."""
        runs = [(match.start(), re.split(r",? and |, ", match[0])) for match in _RUN.finditer(self.text)]
        runs += [(match.start(), re.split(r", ?| ", match[1])) for match in _BRACKETS.finditer(self.text) if re.search("[, ]", match[1])]
        return [items for _, items in sorted(runs)]

    @cached_property
    def block(self) -> list[str]:
        """The longest run of lines that are short or look like a table, a grid or code."""
        runs: list[list[str]] = [[]]
        for line in self.text.split("\n"):
            if line.strip() and not line.rstrip().endswith((".", "?")):
                runs[-1].append(line)
            else:
                runs.append([])
        return max(runs, key=len)

    @cached_property
    def rows(self) -> list[list[str]]:
        return [cells for line in self.block if (cells := [cell for cell in _SPLIT.split(line.strip()) if cell])]

    @cached_property
    def grid(self) -> list[list[str]]:
        """The last rectangle of single symbols or numbers; empty where there is none."""
        for part in reversed(self.text.split("\n\n")):
            runs: list[list[list[str]]] = [[]]
            for line in part.split("\n"):
                cells = line.split() if " " in line.strip() else list(line.strip())
                if not (cells and all(len(cell) <= 3 for cell in cells)):
                    cells = []
                if not cells or (runs[-1] and len(runs[-1][-1]) != len(cells)):
                    runs.append([])
                if cells:
                    runs[-1].append(cells)
            best = max(runs, key=len)
            if len(best) > 1 and len(best[0]) > 1:
                return best
        return []

    @cached_property
    def edges(self) -> list[tuple[str, str]]:
        return [(a, b) for a, b in _EDGE.findall(self.text) if a != b and max(len(a), len(b)) < 8]

    @cached_property
    def ranges(self) -> list[tuple[int, int]]:
        """Ranges that are written out: `from 0 to 9`, `between 0 and 9`, `[0, 9]`."""
        found = [(int(a or c), int(b or d)) for a, b, c, d in _RANGE.findall(self.text)]
        return [(low, high) for low, high in found if low < high]

    @cached_property
    def counts(self) -> list[int]:
        """Numbers that say how many: `at most 5`, `exactly 5`, `5 pieces`."""
        found = (match[1] or match[2] for match in _COUNT.finditer(self.text))
        return [int(number) for number in dict.fromkeys(found) if len(number) < 3]

    @cached_property
    def points(self) -> list[tuple[int, int]]:
        """Pairs of integers between brackets."""
        found = re.findall(r"\((-?\d{1,6}), ?(-?\d{1,6})\)", self.text)
        return [(int(x), int(y)) for x, y in found]

    @cached_property
    def integers(self) -> list[int]:
        return [int(number) for number in self.sequences.get("numbers", []) if number.lstrip("-").isdigit() and len(number) < 8]


def _distinct(items: object) -> list[str]:
    return list(dict.fromkeys(items))  # type: ignore[call-overload]


def _symbol_length(token: str) -> int:
    """The length of a token that is no word: a row of symbols, bits or letters that stands for itself."""
    core = token.strip(".,:;?!\"'`")
    plain = core.isalpha() and set(core.lower()) & set("bcdfghjklmnpqrstvwxz") != set() and len(set(core)) > 4
    return 0 if plain else len(core)
