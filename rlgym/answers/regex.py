"""Regular expressions of the textbook kind, read within bounds and run as sets of positions. Python's `re` never sees one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rlgym.core.answer import Answer, Unreadable
from rlgym.core.layout import PATTERN
from rlgym.core.layout.layers import Layers

MOST_POSITIONS = 1500  # letters of an expression, repetitions written out
MOST_DEPTH = 60
MOST_REPEATS = 50
MOST_ATOMS = 20_000  # read in all, repetitions read again


@dataclass(frozen=True)
class Pattern:
    """An expression as its text and its automaton of positions (Glushkov): sets of positions are integers, a bit each.

    `letters[i]` is what position i reads, `first` where a match may begin, `follow[i]` what may come after i, `last` where it
    may end, `empty` whether the empty string matches.
    """

    text: str
    letters: tuple[str, ...]
    first: int
    follow: tuple[int, ...]
    last: int
    empty: bool

    def after(self, positions: int, letter: str) -> int:
        """The positions that reading one more letter can lead to; -1 stands for the beginning."""
        if positions < 0:
            reached = self.first
        else:
            reached = 0
            while positions:
                reached |= self.follow[(positions & -positions).bit_length() - 1]
                positions &= positions - 1
        out, remaining = 0, reached
        while remaining:
            low = remaining & -remaining
            if letter in self.letters[low.bit_length() - 1]:
                out |= low
            remaining ^= low
        return out

    def accepts(self, positions: int) -> bool:
        return self.empty if positions < 0 else bool(positions & self.last)


@dataclass(frozen=True)
class Regex(Answer[Pattern]):
    """One regular expression over an alphabet of single letters or digits.

    Letters, `|`, `*`, `+`, `?`, `{m}`, `{m,n}`, brackets, classes such as `[ab]`, `.` for any letter and `()` for the empty string.
    Spaces, and `^` and `$` around the whole, do not count. Which letters belong to the alphabet is for the verifier.
    """

    instructions: str = "a regular expression of letters, |, *, +, ?, {m}, {m,n}, round brackets, [classes] and the dot"
    max_characters: int = 3000
    layers: ClassVar[Layers] = PATTERN
    format: ClassVar[str] = "regex"

    def parse(self, text: str) -> Pattern:
        plain = text.strip()
        if len(plain) > self.max_characters:
            raise Unreadable(f"expected an expression of at most {self.max_characters} characters, got {len(plain)}")
        plain = "".join(plain.strip("`").split())
        return _Reader(plain.removeprefix("^").removesuffix("$"), plain).whole()

    def render(self, value: Pattern) -> str:
        return value.text

    def variants(self, value: Pattern) -> Iterator[str]:
        yield from (f"  {value.text}\n", f"({value.text})", f"^({value.text})$", f"`{value.text}`")
        yield value.text.replace("|", " | ")

    def near_misses(self, value: Pattern) -> Iterator[Pattern]:
        for text in (f"({value.text})*", f"({value.text})?", f"({value.text})({value.text})"):
            if len(value.text) < 400:
                yield self.parse(text)


@dataclass(frozen=True)
class _Piece:
    """A part of the expression: where it may begin and end, and whether it matches the empty string."""

    first: int = 0
    last: int = 0
    empty: bool = True


class _Reader:
    def __init__(self, text: str, shown: str) -> None:
        self.text, self.shown, self.place, self.depth, self.atoms = text, shown, 0, 0, 0
        self.letters: list[str] = []
        self.follow: list[int] = []

    def whole(self) -> Pattern:
        piece = self._choice()
        if self.place < len(self.text):
            raise Unreadable(f"a closing bracket without an opening one, at character {self.place + 1}")
        return Pattern(self.shown, tuple(self.letters), piece.first, tuple(self.follow), piece.last, piece.empty)

    def _choice(self) -> _Piece:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise Unreadable(f"brackets are nested more than {MOST_DEPTH} deep")
        piece = self._run()
        while self._next() == "|":
            self.place += 1
            other = self._run()
            piece = _Piece(piece.first | other.first, piece.last | other.last, piece.empty or other.empty)
        self.depth -= 1
        return piece

    def _run(self) -> _Piece:
        piece = _Piece()
        while self._next() not in ("", "|", ")"):
            piece = self._concatenate(piece, self._parse_repetition())
        return piece

    def _parse_repetition(self) -> _Piece:
        begun, before = self.place, len(self.letters)
        piece = self._atom()
        while self._next() in ("*", "+", "?", "{"):
            sign = self._next()
            if sign == "{":
                low, high = self._bounds()
                piece = self._copies(begun, before, low, high)
                continue
            self.place += 1
            if sign != "?":
                self._loop(piece)
            piece = _Piece(piece.first, piece.last, piece.empty or sign != "+")
        return piece

    def _copies(self, begun: int, before: int, low: int, high: int | None) -> _Piece:
        """The atom that began there, written out as often as the braces say."""
        end, text = self.place, self.text
        inner = text[begun : text.rindex("{", begun, end)]
        del self.letters[before:], self.follow[before:]
        repeated = _Piece()
        for i in range(low if high is None else high):
            self.text, self.place = inner, 0
            piece = self._choice()
            self.text, self.place = text, end
            repeated = self._concatenate(repeated, _Piece(piece.first, piece.last, piece.empty or i >= low))
        if high is None:
            self.text, self.place = inner, 0
            piece = self._choice()
            self.text, self.place = text, end
            self._loop(piece)
            repeated = self._concatenate(repeated, _Piece(piece.first, piece.last, True))
        return repeated

    def _bounds(self) -> tuple[int, int | None]:
        end = self.text.find("}", self.place)
        low, comma, high = self.text[self.place + 1 : end].partition(",")
        if end < 0 or not all(part.isascii() and part.isdigit() and len(part) < 3 for part in (low, *([high] if high else []))):
            raise Unreadable("expected {m}, {m,} or {m,n} with small numbers")
        self.place = end + 1
        least, most = int(low), int(high) if high else None if comma else int(low)
        if least > MOST_REPEATS or (most is not None and not least <= most <= MOST_REPEATS):
            raise Unreadable(f"repetitions must be from 0 to {MOST_REPEATS}, the smaller number first")
        return least, most

    def _atom(self) -> _Piece:
        sign = self._next()
        self.place += 1
        self.atoms += 1
        if self.atoms > MOST_ATOMS:
            raise Unreadable("the repetitions are too many to expand")
        if sign == "(":
            if self.text.startswith("?:", self.place):
                self.place += 2
            piece = self._choice()
            if self._next() != ")":
                raise Unreadable("an opening bracket is never closed")
            self.place += 1
            return piece
        if sign == "[":
            end = self.text.find("]", self.place)
            inside = self.text[self.place : end]
            if end < 0 or not inside or not inside.isascii() or not inside.isalnum():
                raise Unreadable("expected a class of letters such as [ab]")
            self.place = end + 1
            return self._position(inside)
        if sign == ".":
            return self._position(_ANY)
        if sign in ("ε", "λ"):
            return _Piece()
        if sign.isascii() and sign.isalnum():
            return self._position(sign)
        raise Unreadable(f"{sign!r} is not allowed at character {self.place}")

    def _position(self, letters: str) -> _Piece:
        if len(self.letters) >= MOST_POSITIONS:
            raise Unreadable(f"when expanded, the expression has more than {MOST_POSITIONS} letters")
        self.letters.append(letters)
        self.follow.append(0)
        bit = 1 << len(self.letters) - 1
        return _Piece(bit, bit, False)

    def _concatenate(self, one: _Piece, other: _Piece) -> _Piece:
        self._lead(one.last, other.first)
        first = one.first | other.first if one.empty else one.first
        last = one.last | other.last if other.empty else other.last
        return _Piece(first, last, one.empty and other.empty)

    def _loop(self, piece: _Piece) -> None:
        self._lead(piece.last, piece.first)

    def _lead(self, ends: int, starts: int) -> None:
        while ends:
            self.follow[(ends & -ends).bit_length() - 1] |= starts
            ends &= ends - 1

    def _next(self) -> str:
        return self.text[self.place] if self.place < len(self.text) else ""


_ANY = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
