"""Answer formats around another one: with a confidence, several guesses, the length counted, asked for in another language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, ClassVar

from rlgym.core.answer import Answer, Style, Unreadable, wrap

_SAID = re.compile(r"<confidence>([^<>]{0,40})</confidence>", re.IGNORECASE)
_SHARE = re.compile(r"(0?\.[0-9]{1,6}|[01](?:\.0{0,6})?)|([0-9]{1,2}(?:\.[0-9]{1,4})?|100)\s?%", re.ASCII)
_PARTED = "\n---\n"


@dataclass(frozen=True)
class Around(Answer[Any]):
    """A format that leaves all to another one."""

    inner: Answer[Any]
    format: ClassVar[str] = "around"

    @property
    def asks(self) -> str:
        return self.inner.asks

    def parse(self, text: str) -> Any:
        return self.inner.parse(text)

    def render(self, value: Any) -> str:
        return self.inner.render(value)

    def variants(self, value: Any) -> Iterator[str]:
        """Whole responses, since the marks are the inner format's."""
        yield from self._spoken(value)

    def nearby(self, value: Any) -> Iterator[Any]:
        yield from self.inner.nearby(value)

    def closing(self, style: Style) -> str:
        return self.inner.closing(style)

    def find(self, response: str, style: Style) -> list[str]:
        return self.inner.find(response, style)

    def write(self, value: Any, style: Style) -> str:
        return self.inner.write(value, style)

    def _spoken(self, value: Any) -> Iterator[str]:
        """Whole responses that give a value in other spellings."""
        plain = type(self.inner).find is Answer.find
        yield from (wrap(text, "tag") if plain else text for text in self.inner.variants(value))


@dataclass(frozen=True)
class Sure(Around):
    """An answer and the stated chance that it is right: `<confidence>0.8</confidence>` beside the answer's marks. Values are (answer, chance)."""

    format: ClassVar[str] = "sure"

    def parse(self, text: str) -> tuple[Any, Fraction]:
        said = list(_SAID.finditer(text))
        if not said:
            raise Unreadable("the response states no <confidence>...</confidence>")
        if len({one[1].strip() for one in said}) > 1:
            raise Unreadable("the response states several confidences")
        return self.inner.parse(_SAID.sub("", text).strip()), _share(said[-1][1])

    def render(self, value: tuple[Any, Fraction]) -> str:
        return f"{self.inner.render(value[0])}\n{_stated(value[1])}"

    def variants(self, value: tuple[Any, Fraction]) -> Iterator[str]:
        for response in self._spoken(value[0]):
            yield f"{response}\n{_stated(value[1])}"
            yield f"<confidence> {float(100 * value[1]):g}% </confidence>\n{response}"

    def nearby(self, value: tuple[Any, Fraction]) -> Iterator[tuple[Any, Fraction]]:
        yield from ((other, value[1]) for other in self.inner.nearby(value[0]))

    def closing(self, style: Style) -> str:
        return f"{self.inner.closing(style)} Below it, state the probability that your answer is right, as a number from 0 to 1: <confidence>...</confidence>."

    def find(self, response: str, style: Style) -> list[str]:
        said = [found[0] for found in _SAID.finditer(response)]
        return [f"{text}\n{''.join(said)}" for text in self.inner.find(_SAID.sub("", response), style)]

    def write(self, value: tuple[Any, Fraction], style: Style) -> str:
        return f"{self.inner.write(value[0], style)}\n{_stated(value[1])}"


@dataclass(frozen=True)
class Guesses(Around):
    """Several different answers in order, each in marks of its own. Values are tuples."""

    most: int = 3
    format: ClassVar[str] = "guesses"

    def parse(self, text: str) -> tuple[Any, ...]:
        pieces = text.split(_PARTED)
        if len(pieces) > self.most:
            raise Unreadable(f"expected {self.most} answers, got {len(pieces)}")
        return tuple(map(self.inner.parse, pieces))

    def render(self, value: tuple[Any, ...]) -> str:
        return _PARTED.join(map(self.inner.render, value))

    def variants(self, value: tuple[Any, ...]) -> Iterator[str]:
        spoken = [list(islice(self._spoken(one), 4)) for one in value]
        for responses in zip(*spoken):
            yield "\n".join(responses)

    def nearby(self, value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if len(value) > 1:
            yield value[:-1]

    def closing(self, style: Style) -> str:
        once = self.inner.closing(style)
        return f"{once} Do so {self.most} times with different answers, the likeliest first, each in marks of its own."

    def read(self, response: str, style: Style) -> tuple[Any, ...]:
        found = list(dict.fromkeys(self.inner.find(response, style)))
        if not found:
            raise Unreadable("the response gives no answer in the asked-for marks")
        return self.parse(_PARTED.join(found))

    def find(self, response: str, style: Style) -> list[str]:
        found = list(dict.fromkeys(self.inner.find(response, style)))
        return [_PARTED.join(found)] if found else []

    def write(self, value: tuple[Any, ...], style: Style) -> str:
        return "\n".join(self.inner.write(one, style) for one in value)


@dataclass(frozen=True)
class Counted(Around):
    """An answer, and how many words of the response are beside it. Values are (answer or None, words): what cannot be read is no answer, not an error."""

    format: ClassVar[str] = "counted"

    def parse(self, text: str) -> tuple[Any, int]:
        return self.inner.parse(text), 0

    def read(self, response: str, style: Style) -> tuple[Any, int]:
        found = self.inner.find(response, style)
        words = len(response.split()) - (len(found[-1].split()) if found else 0)
        try:
            return self.inner.read(response, style), words
        except Unreadable:
            return None, words

    def render(self, value: tuple[Any, int]) -> str:
        return "" if value[0] is None else self.inner.render(value[0])

    def variants(self, value: tuple[Any, int]) -> Iterator[str]:
        return iter(())

    def nearby(self, value: tuple[Any, int]) -> Iterator[tuple[Any, int]]:
        yield from ((other, value[1]) for other in self.inner.nearby(value[0]))

    def write(self, value: tuple[Any, int], style: Style) -> str:
        return self.inner.write(value[0], style)


@dataclass(frozen=True)
class Asked(Around):
    """The same format, its closing line in another language; `line` has gaps {marks} and {asks}."""

    line: str = ""
    format: ClassVar[str] = "asked"

    def closing(self, style: Style) -> str:
        marks = {"tag": "<answer>...</answer>", "boxed": "\\boxed{...}", "fence": "```answer ... ```"}[style]
        return self.line.format(marks=marks, asks=self.inner.asks)


def _share(text: str) -> Fraction:
    found = _SHARE.fullmatch(text.strip())
    if not found:
        raise Unreadable("the confidence must be a number from 0 to 1")
    return Fraction(found[1]) if found[1] else Fraction(found[2]) / 100


def _stated(share: Fraction) -> str:
    return f"<confidence>{float(share):g}</confidence>"
