"""Answer formats that wrap another one: with a confidence, with several guesses, with a word count, or in another language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, ClassVar

from rlgym.core.answer import Answer, Style, Unreadable, wrap

_CONFIDENCE = re.compile(r"<confidence>([^<>]{0,40})</confidence>", re.IGNORECASE)
_PROBABILITY = re.compile(r"(0?\.[0-9]{1,6}|[01](?:\.0{0,6})?)|([0-9]{1,2}(?:\.[0-9]{1,4})?|100)\s?%", re.ASCII)
_SEPARATOR = "\n---\n"


@dataclass(frozen=True)
class WrappedFormat(Answer[Any]):
    """A format that delegates everything to an inner format."""

    inner: Answer[Any]
    format: ClassVar[str] = "wrapped"

    @property
    def instructions(self) -> str:
        return self.inner.instructions

    def parse(self, text: str) -> Any:
        return self.inner.parse(text)

    def render(self, value: Any) -> str:
        return self.inner.render(value)

    def variants(self, value: Any) -> Iterator[str]:
        """Whole responses, since the marks are the inner format's."""
        yield from self._responses(value)

    def near_misses(self, value: Any) -> Iterator[Any]:
        yield from self.inner.near_misses(value)

    def closing_line(self, style: Style) -> str:
        return self.inner.closing_line(style)

    def extract(self, response: str, style: Style) -> list[str]:
        return self.inner.extract(response, style)

    def read(self, text: str, prompt: str = "") -> list[Any]:
        return self.inner.read(text, prompt)

    def unknown_layout(self, response: str, style: Style) -> str:
        return self.inner.unknown_layout(response, style)

    def render_response(self, value: Any, style: Style, prompt: str = "") -> str:
        return self.inner.render_response(value, style, prompt)

    def _responses(self, value: Any) -> Iterator[str]:
        """Whole responses with other spellings of a value."""
        plain = type(self.inner).extract is Answer.extract
        yield from (wrap(text, "tag") if plain else text for text in self.inner.variants(value))


@dataclass(frozen=True)
class WithConfidence(WrappedFormat):
    """An answer and the probability that it is right: `<confidence>0.8</confidence>` outside the answer's marks. Values are (answer, probability)."""

    format: ClassVar[str] = "with_confidence"

    def parse(self, text: str) -> tuple[Any, Fraction]:
        return self.inner.parse(_CONFIDENCE.sub("", text).strip()), _confidence(text)

    def read(self, text: str, prompt: str = "") -> list[tuple[Any, Fraction]]:
        confidence = _confidence(text)
        return [(answer, confidence) for answer in self.inner.read(_CONFIDENCE.sub("", text).strip(), prompt)]

    def render(self, value: tuple[Any, Fraction]) -> str:
        return f"{self.inner.render(value[0])}\n{_confidence_text(value[1])}"

    def variants(self, value: tuple[Any, Fraction]) -> Iterator[str]:
        for response in self._responses(value[0]):
            yield f"{response}\n{_confidence_text(value[1])}"
            yield f"<confidence> {float(100 * value[1]):g}% </confidence>\n{response}"

    def near_misses(self, value: tuple[Any, Fraction]) -> Iterator[tuple[Any, Fraction]]:
        yield from ((other, value[1]) for other in self.inner.near_misses(value[0]))

    def closing_line(self, style: Style) -> str:
        question = "Below it, state the probability that your answer is right, as a number from 0 to 1"
        return f"{self.inner.closing_line(style)} {question}: <confidence>...</confidence>."

    def extract(self, response: str, style: Style) -> list[str]:
        stated = [match[0] for match in _CONFIDENCE.finditer(response)]
        return [f"{text}\n{''.join(stated)}" for text in self.inner.extract(_CONFIDENCE.sub("", response), style)]

    def render_response(self, value: tuple[Any, Fraction], style: Style, prompt: str = "") -> str:
        return f"{self.inner.render_response(value[0], style, prompt)}\n{_confidence_text(value[1])}"


@dataclass(frozen=True)
class Guesses(WrappedFormat):
    """Several different answers in order, each in marks of its own. Values are tuples."""

    max_guesses: int = 3
    format: ClassVar[str] = "guesses"

    def parse(self, text: str) -> tuple[Any, ...]:
        pieces = text.split(_SEPARATOR)
        if len(pieces) > self.max_guesses:
            raise Unreadable(f"expected {self.max_guesses} answers, got {len(pieces)}")
        return tuple(map(self.inner.parse, pieces))

    def render(self, value: tuple[Any, ...]) -> str:
        return _SEPARATOR.join(map(self.inner.render, value))

    def variants(self, value: tuple[Any, ...]) -> Iterator[str]:
        spoken = [list(islice(self._responses(guess), 4)) for guess in value]
        for responses in zip(*spoken):
            yield "\n".join(responses)

    def near_misses(self, value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if len(value) > 1:
            yield value[:-1]

    def closing_line(self, style: Style) -> str:
        line = self.inner.closing_line(style)
        return f"{line} Do so {self.max_guesses} times with different answers, the likeliest first, each in marks of its own."

    def read(self, text: str, prompt: str = "") -> list[tuple[Any, ...]]:
        pieces = text.split(_SEPARATOR)
        if len(pieces) > self.max_guesses:
            raise Unreadable(f"expected {self.max_guesses} answers, got {len(pieces)}")
        return [tuple(self.inner.read(piece, prompt)[0] for piece in pieces)]

    def extract(self, response: str, style: Style) -> list[str]:
        guesses = list(dict.fromkeys(self.inner.extract(response, style)))
        return [_SEPARATOR.join(guesses)] if guesses else []

    def render_response(self, value: tuple[Any, ...], style: Style, prompt: str = "") -> str:
        return "\n".join(self.inner.render_response(guess, style, prompt) for guess in value)


@dataclass(frozen=True)
class Candidates(Guesses):
    """One or more different answers in order, as many as the model likes up to `max_guesses`."""

    format: ClassVar[str] = "candidates"

    def near_misses(self, value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        """None: fewer candidates are another answer, and may be a better one."""
        return iter(())

    def closing_line(self, style: Style) -> str:
        return (
            f"{self.inner.closing_line(style)} You may give up to {self.max_guesses} different answers, the likeliest first, each in marks of its own. "
            "Of N answers, of which number k is the first right one, the reward is 1 / sqrt(N k)."
        )


@dataclass(frozen=True)
class WordCounted(WrappedFormat):
    """An answer and the number of other words in the response. Values are (answer or None, words); an unreadable answer is None, not an error."""

    format: ClassVar[str] = "word_counted"

    def parse(self, text: str) -> tuple[Any, int]:
        return self.inner.parse(text), 0

    def readings(self, response: str, style: Style, prompt: str = "") -> list[tuple[Any, int]]:
        blocks = self.inner.extract(response, style)
        words = len(response.split()) - (len(blocks[-1].split()) if blocks else 0)
        try:
            return [(answer, words) for answer in self.inner.readings(response, style, prompt)]
        except Unreadable:
            return [(None, words)]

    def render(self, value: tuple[Any, int]) -> str:
        return "" if value[0] is None else self.inner.render(value[0])

    def variants(self, value: tuple[Any, int]) -> Iterator[str]:
        return iter(())

    def near_misses(self, value: tuple[Any, int]) -> Iterator[tuple[Any, int]]:
        yield from ((other, value[1]) for other in self.inner.near_misses(value[0]))

    def render_response(self, value: tuple[Any, int], style: Style, prompt: str = "") -> str:
        return self.inner.render_response(value[0], style, prompt)


@dataclass(frozen=True)
class Translated(WrappedFormat):
    """The same format with its closing line in another language; `line` has the gaps {marks} and {instructions}."""

    line: str = ""
    format: ClassVar[str] = "translated"

    def closing_line(self, style: Style) -> str:
        marks = {"tag": "<answer>...</answer>", "boxed": "\\boxed{...}", "fence": "```answer ... ```"}[style]
        return self.line.format(marks=marks, instructions=self.inner.instructions)


def _confidence(text: str) -> Fraction:
    """The one confidence that a text states."""
    stated = list(_CONFIDENCE.finditer(text))
    if not stated:
        raise Unreadable("the response states no <confidence>...</confidence>")
    if len({match[1].strip() for match in stated}) > 1:
        raise Unreadable("the response states several confidences")
    return _probability(stated[-1][1])


def _probability(text: str) -> Fraction:
    match = _PROBABILITY.fullmatch(text.strip())
    if not match:
        raise Unreadable("the confidence must be a number from 0 to 1")
    return Fraction(match[1]) if match[1] else Fraction(match[2]) / 100


def _confidence_text(share: Fraction) -> str:
    return f"<confidence>{float(share):g}</confidence>"
