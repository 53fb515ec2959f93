"""Changes of sounds in made-up words: of consonants, and of vowels."""

from __future__ import annotations

import re

from rlgym.generators.rules.chains import Operation

NOTES = (
    ("vowel|consonant", "The vowels are a, e, i, o and u; all other letters are consonants."),
    ("", "An operation changes all places that meet its condition at once, judged by the word as it was just before the operation."),
)
V, C = "[aeiou]", "[^aeiou]"


def _change(text: str, pattern: str, put: str) -> Operation[str]:
    regex = re.compile(pattern)
    return Operation(text, lambda word: regex.sub(put, word))


CONSONANTS: tuple[Operation[str], ...] = (
    _change("p becomes b between two vowels.", f"(?<={V})p(?={V})", "b"),
    _change("s becomes h at the beginning of the word.", "^s", "h"),
    _change("t becomes d between two vowels.", f"(?<={V})t(?={V})", "d"),
    _change("n is lost at the end of the word.", "n$", ""),
    _change("h is lost everywhere.", "h", ""),
    _change("k becomes s before i or e.", "k(?=[ie])", "s"),
    _change("d becomes t at the end of the word.", "d$", "t"),
    _change("b becomes v between two vowels.", f"(?<={V})b(?={V})", "v"),
    _change("t becomes s before i.", "t(?=i)", "s"),
    _change("s becomes z between two vowels.", f"(?<={V})s(?={V})", "z"),
    _change("k becomes g between two vowels.", f"(?<={V})k(?={V})", "g"),
    _change("z becomes r everywhere.", "z", "r"),
    _change("p becomes f at the beginning of the word.", "^p", "f"),
    _change("d is lost between two vowels.", f"(?<={V})d(?={V})", ""),
    _change("k is lost at the end of the word.", "k$", ""),
    _change("l becomes r between two vowels.", f"(?<={V})l(?={V})", "r"),
    _change("g becomes h everywhere.", "g", "h"),
    _change("b becomes p at the end of the word.", "b$", "p"),
    _change("t becomes d after a vowel at the end of the word.", f"(?<={V})t$", "d"),
    _change("r becomes l at the beginning of the word.", "^r", "l"),
)
VOWELS: tuple[Operation[str], ...] = (
    _change("A vowel at the end of the word is lost.", f"{V}$", ""),
    _change("o becomes u everywhere.", "o", "u"),
    _change("a becomes e if the next vowel of the word is i.", f"a(?={C}*i)", "e"),
    _change("e becomes i at the end of the word.", "e$", "i"),
    _change("A word that begins with s gets an e in front of it.", "^s", "es"),
    _change("u becomes i if the next vowel of the word is i.", f"u(?={C}*i)", "i"),
    _change("i becomes e everywhere.", "i", "e"),
    _change("A word that ends in a consonant gets an a at its end.", f"(?<={C})$", "a"),
    _change("a becomes o before l, m, n or r.", "a(?=[lmnr])", "o"),
    _change("u becomes o at the end of the word.", "u$", "o"),
    _change("e is lost between two consonants.", f"(?<={C})e(?={C})", ""),
    _change("Of two adjacent vowels, the second one is lost.", f"({V}){V}", r"\1"),
    _change("a becomes i at the end of the word.", "a$", "i"),
    _change("The first vowel of the word is doubled.", f"^({C}*)({V})", r"\1\2\2"),
    _change("o becomes e if the next vowel of the word is e.", f"o(?={C}*e)", "e"),
    _change("e becomes a before k, p or t.", "e(?=[kpt])", "a"),
    _change("i is lost before a vowel.", f"i(?={V})", ""),
    _change("A vowel at the beginning of the word is lost.", f"^{V}", ""),
    _change("u becomes a everywhere.", "u", "a"),
    _change("An i is inserted between two adjacent consonants.", f"(?<={C})(?={C})", "i"),
)
