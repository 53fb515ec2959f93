"""A step of a worked solution: a sentence with gaps, written and read back by one template."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

_GAP = re.compile(r"\{(\w+)(?::(\w+))?\}")
_PLURAL = re.compile(r"(\{(\w+)(?::\w+)?\}(?: [\w-]+){1,3}?)\((e?s)\)")
"""A gap with a number, up to three words, and the ending that the last one has unless the number is 1."""
_MOST_DIGITS = 400  # of a number in a step; Python refuses to convert much longer ones


def _integer(text: str) -> int:
    if not re.fullmatch(rf"-?[0-9]{{1,{_MOST_DIGITS}}}", text):
        raise ValueError(f"{text[:40]!r} is not an integer")
    return int(text)


def _fraction(text: str) -> Fraction:
    if not re.fullmatch(rf"-?[0-9]{{1,{_MOST_DIGITS}}}(?:/[0-9]{{1,{_MOST_DIGITS}}})?", text):
        raise ValueError(f"{text[:40]!r} is not a fraction")
    return Fraction(text)


def _items(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


READERS: Mapping[str, Callable[[str], Any]] = {
    "str": str,
    "int": _integer,
    "fraction": _fraction,
    "words": _items,
    "ints": lambda text: tuple(map(_integer, _items(text))),
    "fractions": lambda text: tuple(map(_fraction, _items(text))),
}


def _agreeing(template: str, texts: Mapping[str, str]) -> str:
    """A template whose nouns agree with the numbers in these gaps."""
    return _PLURAL.sub(lambda noun: noun[1] + ("" if texts[noun[2]] == "1" else noun[3]) if noun[2] in texts else noun[0], template)


def _literal_pattern(text: str) -> str:
    """The pattern of a template's text between two gaps, with plural endings that may be missing."""
    return re.sub(r"\\\((e?s)\\\)", r"(?:\1)?", re.escape(text))


def _render_value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


class Step:
    """The template of a step, such as Step("After {count:int} roads these towns are reached: {towns:words}").

    A gap holds text, or one of the types in `READERS`: `int`, `fraction`, and the lists `words`, `ints` and `fractions`, whose items are
    separated by a comma and a space. A gap that occurs twice must hold the same text in both places. A noun after a number is written
    with its plural ending in brackets, as in Step("{count:int} road(s) lead there"), and agrees with the number.
    """

    def __init__(self, template: str) -> None:
        self.template = template
        self.types = {gap: kind or "str" for gap, kind in _GAP.findall(template)}
        self._form = "" if _PLURAL.search(template) else _GAP.sub(r"{\1}", template)
        self.literal = _GAP.sub("", _PLURAL.sub(r"\1\3", template))
        pieces, end, seen = list[str](), 0, set[str]()
        for match in _GAP.finditer(template):
            gap = match[1]
            pieces += [_literal_pattern(template[end : match.start()]), f"(?P={gap})" if gap in seen else f"(?P<{gap}>.+?)"]
            seen.add(gap)
            end = match.end()
        self._pattern = re.compile("".join([*pieces, _literal_pattern(template[end:])]), re.DOTALL)

    def __repr__(self) -> str:
        return f"Step({self.template!r})"

    def __call__(self, **values: object) -> Due:
        """This step with its gaps filled."""
        return Due(self, values)

    def write(self, **values: object) -> str:
        """The sentence with its gaps filled; a tuple or a list is written with commas."""
        texts = {gap: _render_value(value) for gap, value in values.items()}
        return (self._form or _GAP.sub(r"{\1}", _agreeing(self.template, texts))).format(**texts)

    def read(self, text: str) -> dict[str, str] | None:
        """The text in each gap of a sentence of this form; None for another form."""
        match = self._pattern.fullmatch(text)
        return match and match.groupdict()

    def fits(self, text: str) -> bool:
        """Whether a sentence has this form, each gap filled with text of its type."""
        read = self.read(text)
        try:
            return read is not None and self.values(read) is not None
        except ValueError:
            return False

    def filled(self, **values: object) -> Step:
        """The template with some of its gaps filled for good, so that only the others are left to read."""
        if not values:
            return self
        texts = {gap: _render_value(value) for gap, value in values.items()}
        return Step(_GAP.sub(lambda gap: texts.get(gap[1], gap[0]), _agreeing(self.template, texts)))

    def values(self, gaps: Mapping[str, str]) -> dict[str, Any]:
        """The values of what `read` returned, in the gaps' types; ValueError where a text is not of its gap's type."""
        return {gap: READERS[self.types[gap]](text) for gap, text in gaps.items()}


@dataclass(frozen=True)
class Due:
    """A step that is due at a point of a solution. Another wording of the gaps is right too where `check` accepts their values."""

    step: Step
    fields: Mapping[str, object]
    check: Callable[..., bool] | None = None

    @property
    def text(self) -> str:
        return self.step.write(**self.fields)

    def accepting(self, check: Callable[..., bool]) -> Due:
        """The same step, right with all values for which `check`, called with the gaps by name, is true."""
        return replace(self, check=check)

    def __or__(self, other: Due | OneOf) -> OneOf:
        return OneOf((self,)) | other


TEXT = Step("{text}")


def sentence(text: str) -> Due:
    """A step without a template of its own: only this very sentence is right."""
    return Due(TEXT, {"text": text})


@dataclass(frozen=True)
class OneOf:
    """Several steps, any of which may come next. A worked solution writes the first."""

    choices: tuple[Due, ...]

    def __or__(self, other: Due | OneOf) -> OneOf:
        return OneOf((*self.choices, *(other.choices if isinstance(other, OneOf) else (other,))))

    def __iter__(self) -> Iterator[Due]:
        return iter(self.choices)


@dataclass(frozen=True)
class Taken:
    """The step that was taken: its template and, by name, the values of its gaps. Its place in the solution is `position`, from 0."""

    step: Step
    fields: Mapping[str, Any]
    due: Due

    def __getitem__(self, gap: str) -> Any:
        return self.fields[gap]
