"""Affine ciphers whose multiplier has no inverse: different characters become the same one, and a list of words must decide.

The shift may grow by a secret number, from character to character or from word to word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise, permutations, product
from math import gcd
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Step

FIRST = Step("If the first words are {words}, the keys (m, s, growth of s) without an inverse that fit them: {keys}")
READ = Step("With the key {key}, the listed words that can be word {place:int}: {words}")
FIXED, BY_CHARACTER, BY_WORD = "", "character", "word"


class LossyKey(NamedTuple):
    """The multiplier, the first shift, and by how much the shift grows."""

    factor: int
    shift: int
    growth: int


class Sampled(NamedTuple):
    """A text, its cipher text, the key, and the words of which each word of the text is one."""

    plain: str
    shown: str
    key: LossyKey
    listed: tuple[str, ...]


def encode(alphabet: str, words: Sequence[str], key: LossyKey, unit: str) -> str:
    """The words with m * x + s for each character, where s grows with each character or word."""
    number, coded, count = {sign: i for i, sign in enumerate(alphabet)}, list[str](), 0
    for place, word in enumerate(words):
        signs = ""
        for sign in word:
            grown = key.growth * (count if unit == BY_CHARACTER else place if unit == BY_WORD else 0)
            signs += alphabet[(key.factor * number[sign] + key.shift + grown) % len(alphabet)]
            count += 1
        coded.append(signs)
    return " ".join(coded)


def sample(rng: Rng, alphabet: str, words: int, unit: str) -> Sampled:
    """A text that is the only one of listed words for any key without an inverse."""
    size = len(alphabet)
    while True:
        length = rng.choice((5, 6))
        listed = tuple(dict.fromkeys(rng.sample([word for word in WORDS if len(word) == length], 5 * words)))
        chosen = [rng.choice(listed) for _ in range(words)]
        key = LossyKey(
            rng.choice([m for m in range(2, size) if gcd(m, size) in (2, 3, 4)]),
            rng.integer(1, size - 1),
            rng.integer(1, size - 1) if unit else 0,
        )
        shown = encode(alphabet, chosen, key, unit)
        if len(set(chosen)) == words and texts(alphabet, shown, listed, unit) == {" ".join(chosen)}:
            return Sampled(" ".join(chosen), shown, key, listed)


def texts(alphabet: str, shown: str, listed: Sequence[str], unit: str) -> set[str]:
    """Every text of listed words that some key without an inverse turns into the cipher text."""
    coded, found = shown.split(), set[str]()
    numbers = {word: [alphabet.index(sign) for sign in word] for word in (*listed, *coded)}
    for factor in _factors(len(alphabet)):
        words_of_shifts = [_shifts(numbers, factor, one, listed, len(alphabet), unit == BY_CHARACTER) for one in coded]
        if not all(words_of_shifts):
            continue
        for shifts in _consistent_shifts(words_of_shifts, list(map(len, coded)), len(alphabet), unit):
            found |= {" ".join(words) for words in product(*(one[shift] for one, shift in zip(words_of_shifts, shifts, strict=True)))}
    return found


def _factors(size: int) -> list[int]:
    return [m for m in range(1, size) if gcd(m, size) > 1]


def _shifts(
    numbers: dict[str, list[int]], factor: int, coded: str, listed: Sequence[str], size: int, grows: bool
) -> dict[tuple[int, int], list[str]]:
    """The listed words that the coded word can be, by its first shift and the growth from character to character that they need."""
    found: dict[tuple[int, int], list[str]] = {}
    for word in listed:
        if len(word) != len(coded):
            continue
        shifts = [(y - factor * x) % size for x, y in zip(numbers[word], numbers[coded], strict=True)]
        growth = (shifts[1] - shifts[0]) % size
        if (grows or growth == 0) and all((after - before - growth) % size == 0 for before, after in pairwise(shifts)):
            found.setdefault((shifts[0], growth), []).append(word)
    return found


def _consistent_shifts(
    words_of_shifts: list[dict[tuple[int, int], list[str]]], lengths: list[int], size: int, unit: str
) -> Iterator[list[tuple[int, int]]]:
    """For each key, the first shift of every word and its growth within the word."""
    if unit == BY_WORD:
        starts = product(words_of_shifts[0], words_of_shifts[1])
        keys = {(first, 0, (second - first) % size) for (first, _), (second, _) in starts}
    else:
        keys = {(first, growth, 0) for first, growth in words_of_shifts[0]}
    before = reduce(lambda sums, length: [*sums, sums[-1] + length], lengths, [0])
    for first, growth, by_word in sorted(keys):
        shifts = [((first + growth * before[k] + by_word * k) % size, growth) for k in range(len(lengths))]
        if all(shift in one for shift, one in zip(shifts, words_of_shifts, strict=True)):
            yield shifts


def keys_of_first_words(alphabet: str, coded: Sequence[str], first: Sequence[str], unit: str) -> list[LossyKey]:
    """The keys for which the coded words begin with these plain words."""
    size, count, found = len(alphabet), 0, list[LossyKey]()
    equations = list[tuple[int, int, int]]()  # x, y and the count with which the growth is multiplied
    for place, (plain, cipher) in enumerate(zip(first, coded, strict=False)):
        if len(plain) != len(cipher):
            return []
        for a, b in zip(plain, cipher, strict=True):
            equations.append((alphabet.index(a), alphabet.index(b), count if unit == BY_CHARACTER else place if unit == BY_WORD else 0))
            count += 1
    (x, y, _), *rest = equations
    step = next(((u, v, n) for u, v, n in rest if n == 1), None)
    for factor in _factors(size):
        growth = 0 if step is None else ((step[1] - y) - factor * (step[0] - x)) % size
        shift = (y - factor * x) % size
        if all((factor * u + shift + growth * n - v) % size == 0 for u, v, n in equations):
            found.append(LossyKey(factor, shift, growth))
    return found


def decode_words(alphabet: str, coded: Sequence[str], listed: Sequence[str], key: LossyKey, unit: str) -> list[list[str]]:
    """For each coded word, the listed words that the key turns into it."""
    found, before = list[list[str]](), 0
    for place, cipher in enumerate(coded):
        grown = key.growth * (before if unit == BY_CHARACTER else place if unit == BY_WORD else 0)
        here = LossyKey(key.factor, key.shift + grown, key.growth)
        found.append([word for word in listed if encode(alphabet, [word], here, unit) == cipher])
        before += len(cipher)
    return found


def _trials(
    alphabet: str, shown: str, listed: Sequence[str], unit: str
) -> Iterator[tuple[tuple[str, ...], list[LossyKey], list[list[str]]]]:
    """Tries every listed word at the first place, or pairs at the first two, until a key reads all words.

    The key that does stands first of the last keys, with the words that it reads; pairs that no key fits are left out.
    """
    coded = shown.split()
    for first in permutations(listed, 2) if unit == BY_WORD else product(listed):
        keys = keys_of_first_words(alphabet, coded, first, unit)
        for key in keys:
            words = decode_words(alphabet, coded, listed, key, unit)
            if all(words):
                yield first, [key, *(other for other in keys if other != key)], words
                return
        if keys or unit != BY_WORD:
            yield first, keys, []


def solve(alphabet: str, shown: str, listed: Sequence[str], unit: str) -> str:
    """The text, by way of the keys that each first word would need."""
    *_, (_, _, words) = _trials(alphabet, shown, listed, unit)
    return " ".join(one for (one,) in words)


def derive(alphabet: str, shown: str, listed: Sequence[str], unit: str) -> Derivation:
    """The keys that each first word would need, and what the key that fits reads."""
    for first, keys, words in _trials(alphabet, shown, listed, unit):
        yield FIRST(words=" ".join(first), keys=", ".join(map(str, map(tuple, keys))) or "none")
        for place, readings in enumerate(words, 1):
            yield READ(key=str(tuple(keys[0])), place=place, words=", ".join(readings))
