"""Sentences and tokens of a text, with their places; numbers are tokens in one spelling, whether written in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

_TOKEN = re.compile(
    r"(?P<number>(?<![A-Za-z0-9.,])[-\u2212\u2013]?[0-9]+(?:[,\u00a0\u202f\u2009'][0-9]{3})*(?:\.[0-9]+)?(?:st|nd|rd|th)?(?![A-Za-z0-9]))"
    r"|(?P<word>[^\W\d_]+(?:['\u2019-][^\W\d_]+)*)|(?P<sign>[%\u20ac$\u00a3])|(?P<odd>\w+)"
)
_END = re.compile(r"[.!?]+[\"'\u201d\u2019)\]]*(?=\s|$)|\n+")
_SIGNS = {"\u20ac": "euros", "$": "dollars", "\u00a3": "pounds"}
_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {word: 10 * value for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_NOT_THE_END = ("mr", "mrs", "ms", "dr", "no", "nos", "st", "e.g", "i.e")


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lower case, or a number in its shortest decimal spelling, and its place in the text."""

    text: str
    start: int
    end: int
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, its place in the text, and its tokens. A line break ends a sentence."""

    text: str
    start: int
    tokens: tuple[Token, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens)


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> tuple[str, ...]:
    """The token texts of a phrase: `("12", "may")` for "twelve May"."""
    return tuple(token.text for token in _tokens(text, 0))


@lru_cache(maxsize=32)
def split_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order; those without a token are left out."""
    found, start = list[Sentence](), 0
    for end in _ends(text):
        piece = text[start:end]
        plain = piece.strip()
        if plain:
            at = start + piece.index(plain)
            tokens = tuple(_tokens(plain, at))
            if tokens:
                found.append(Sentence(plain, at, tokens))
        start = end
    return tuple(found)


def longest_shared_run(text: str, source: str) -> int:
    """The length in tokens of the longest run that both texts contain."""
    first, second = tokens_of(text), tokens_of(source)
    places: dict[str, list[int]] = {}
    for at, word in enumerate(second):
        places.setdefault(word, []).append(at)
    longest, before = 0, dict[int, int]()
    for word in first:
        runs = {at: before.get(at - 1, 0) + 1 for at in places.get(word, ())}
        longest, before = max(longest, max(runs.values(), default=0)), runs
    return longest


def phrase_places(words: Sequence[str], phrase: Sequence[str]) -> Iterator[int]:
    """The places at which a phrase stands among words."""
    size = len(phrase)
    for at in range(len(words) - size + 1) if size else ():
        if words[at] == phrase[0] and tuple(words[at : at + size]) == tuple(phrase):
            yield at


def _ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        before = text[: match.start()].rpartition(" ")[2].rpartition("\n")[2].lower()
        if match[0][0] != "." or before not in _NOT_THE_END:
            yield match.end()
    yield len(text)


def _tokens(text: str, offset: int) -> list[Token]:
    plain = list[Token]()
    for match in _TOKEN.finditer(text):
        start, end = match.start() + offset, match.end() + offset
        if number := match["number"]:
            plain.append(Token(_decimal(number), start, end, is_number=True))
        elif sign := match["sign"]:
            plain.append(Token(_SIGNS.get(sign, sign), start, end))
        else:
            plain += _word_tokens((match["word"] or match["odd"]).lower().replace("\u2019", "'"), start, end)
    return _with_percent(_with_number_words(plain))


def _word_tokens(word: str, start: int, end: int) -> list[Token]:
    """A word without its possessive ending; a number word such as forty-two is two tokens."""
    parts = word.split("-")
    if len(parts) == 2 and parts[0] in _TENS and parts[1] in _SMALL:
        return [Token(part, start, end) for part in parts]
    return [Token(word.removesuffix("'s").removesuffix("'"), start, end)]


def _with_number_words(tokens: list[Token]) -> list[Token]:
    """Runs of number words as one number: "four hundred and twelve" is 412. A lone "one" stays a word, since it is a pronoun too."""
    found, at = list[Token](), 0
    while at < len(tokens):
        value, length = _read_number(tokens, at)
        if length == 0 or (length == 1 and tokens[at].text == "one"):
            found.append(tokens[at])
            at += 1
        else:
            found.append(Token(str(value), tokens[at].start, tokens[at + length - 1].end, is_number=True))
            at += length
    return found


def _read_number(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """The value of the number words from a place on, and how many tokens they are."""
    total, current, length, last = 0, 0, 0, ""
    while at + length < len(tokens):
        word = tokens[at + length].text
        if word in _SMALL and last in ("", "tens", "scale", "and"):
            current, last = current + _SMALL[word], "small"
        elif word in _TENS and last in ("", "scale", "and"):
            current, last = current + _TENS[word], "tens"
        elif word == "hundred" and last in ("small",) and current < 100:
            current, last = current * 100, "scale"
        elif word == "thousand" and last in ("small", "tens", "scale") and not total:
            total, current, last = current * 1000, 0, "scale"
        elif word == "and" and last == "scale" and at + length + 1 < len(tokens) and tokens[at + length + 1].text in (*_SMALL, *_TENS):
            last = "and"
        else:
            break
        length += 1
    return total + current, length


def _with_percent(tokens: list[Token]) -> list[Token]:
    found = list[Token]()
    for token in tokens:
        if token.text == "cent" and found and found[-1].text == "per":
            found[-1] = Token("%", found[-1].start, token.end)
        else:
            found.append(Token("%", token.start, token.end) if token.text in ("percent", "pct") else token)
    return found


def _decimal(text: str) -> str:
    plain = re.sub(r"[,\u00a0\u202f\u2009']", "", text.rstrip("stndrh")).replace("\u2212", "-").replace("\u2013", "-")
    value = Decimal(plain)
    return f"{value.normalize():f}" if value else "0"
