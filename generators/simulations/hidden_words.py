"""A hidden word of a known list, found by guessing words or letters: replies, the next guess, and what it takes at worst."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Literal

from rlgym.core.rng import Rng
from rlgym.generators.text.words import WORDS

Listed = tuple[str, ...]
Report = Literal["marks", "counts"]


def word_list(rng: Rng, words: int, length: int) -> Listed:
    """Different words of one length in alphabetical order, no two of them of the same letters."""
    return tuple(sorted(rng.sample(list({"".join(sorted(word)): word for word in WORDS if len(word) == length}.values()), words)))


@lru_cache(50_000)
def marks(guess: str, word: str) -> str:
    """A mark per letter: + in its place, ? elsewhere in the word, - not there; a letter of the word counts for one of the guess."""
    unmatched = [hidden for hidden, letter in zip(word, guess, strict=True) if hidden != letter]
    out = ""
    for hidden, letter in zip(word, guess, strict=True):
        if hidden == letter:
            out += "+"
        elif letter in unmatched:
            unmatched.remove(letter)
            out += "?"
        else:
            out += "-"
    return out


def reply(guess: str, word: str, report: Report) -> str:
    """The marks, or only how many of each kind there are."""
    feedback = marks(guess, word)
    return feedback if report == "marks" else f"{feedback.count('+')} in place, {feedback.count('?')} elsewhere"


@lru_cache(2_000)
def next_word(left: Listed, report: Report) -> str:
    """The word of those left whose reply leaves the fewest of them at worst."""
    feedback_of = marks if report == "marks" else _count
    return min(left, key=lambda guess: (max(Counter(feedback_of(guess, word) for word in left).values()), guess))


@lru_cache(2_000)
def guesses(left: Listed, report: Report) -> int:
    """How many guesses `next_word` takes at worst."""
    guess = next_word(left, report)
    parts: dict[str, list[str]] = {}
    for word in left:
        if word != guess:
            parts.setdefault(reply(guess, word, report), []).append(word)
    return 1 + max((guesses(tuple(part), report) for part in parts.values()), default=0)


@lru_cache(50_000)
def _count(guess: str, word: str) -> str:
    return "".join(sorted(marks(guess, word)))


def places(letter: str, word: str, report: Report) -> tuple[int, ...]:
    """Where a letter stands in a word, from 1; or only how often, as so many zeros."""
    positions = tuple(place for place, other in enumerate(word, 1) if other == letter)
    return positions if report == "marks" else (0,) * len(positions)


@lru_cache(5_000)
def next_letter(left: Listed, report: Report) -> str:
    """The letter that most of the words left have, of those that tell them apart; nothing where one word is left."""
    letters = {letter: _parts(left, letter, report) for letter in sorted(set("".join(left)))} if len(left) > 1 else {}
    splits = {letter: parts for letter, parts in letters.items() if len(parts) > 1}
    return min(splits, key=lambda letter: (len(splits[letter].get((), ())), -len(splits[letter]), letter), default="")


@lru_cache(5_000)
def misses(left: Listed, report: Report) -> int:
    """How many letters that the word has not `next_letter` names at worst."""
    letter = next_letter(left, report)
    if not letter:
        return 0
    return max((part == ()) + misses(tuple(words), report) for part, words in _parts(left, letter, report).items())


def _parts(left: Listed, letter: str, report: Report) -> dict[tuple[int, ...], list[str]]:
    parts: dict[tuple[int, ...], list[str]] = {}
    for word in left:
        parts.setdefault(places(letter, word, report), []).append(word)
    return parts
