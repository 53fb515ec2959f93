"""Affine ciphers without an inverse: the text is the only one of the listed words that any key gives."""

from itertools import permutations, product
from math import gcd

import pytest

from rlgym import Rng
from rlgym.generators.text import lossy_affine
from rlgym.generators.text.lossy_affine import BY_CHARACTER, BY_WORD, FIXED, LossyKey


def test_different_characters_become_the_same_and_the_shift_grows() -> None:
    assert lossy_affine.encode("abcdef", ["ad", "b"], LossyKey(2, 1, 1), FIXED) == "bb d"
    assert lossy_affine.encode("abcdef", ["ad", "b"], LossyKey(2, 1, 1), BY_CHARACTER) == "bc f"
    assert lossy_affine.encode("abcdef", ["ad", "b"], LossyKey(2, 1, 1), BY_WORD) == "bb e"


@pytest.mark.parametrize("unit", [FIXED, BY_CHARACTER, BY_WORD])
def test_every_text_of_every_key_is_found(unit: str) -> None:
    alphabet, listed = "abcdefghij", ("cab", "jig", "fad", "bee", "hid")
    for seed in range(3):
        rng = Rng("lossy", unit, seed)
        key = LossyKey(rng.choice((2, 4, 5, 6, 8)), rng.integer(0, 9), rng.integer(0, 9) if unit else 0)
        shown = lossy_affine.encode(alphabet, rng.sample(listed, 3), key, unit)
        factors = [m for m in range(1, 10) if gcd(m, 10) > 1]
        keys = [LossyKey(*one) for one in product(factors, range(10), range(10) if unit else (0,))]
        every = {
            " ".join(words)
            for words in {*permutations(listed, 3), *product(listed, repeat=3)}
            if any(lossy_affine.encode(alphabet, words, one, unit) == shown for one in keys)
        }
        assert lossy_affine.texts(alphabet, shown, listed, unit) == every
