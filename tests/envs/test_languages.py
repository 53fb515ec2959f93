"""Automata against the plain meaning of their conditions, and regular expressions against Python's own."""

import re
from itertools import product

import pytest

from rlgym.answers import Regex, Unreadable
from rlgym.core.rng import Rng
from rlgym.generators.languages import automata


def _strings(alphabet, longest):
    return ("".join(letters) for size in range(longest + 1) for letters in product(alphabet, repeat=size))


def _accepts(automaton, alphabet, text):
    state = 0
    for letter in text:
        state = automaton.steps[state][alphabet.index(letter)]
    return automaton.accepting[state]


@pytest.mark.parametrize("kinds", list(automata.KINDS))
def test_automata_mean_what_is_said(kinds):
    for seed in range(25):
        rng = Rng("automata", seed)
        conditions, some, least = automata.sample_language(rng, "ab", 1 + seed % 3, kinds, 3, 3, 30)
        twice = automata.minimise_by_reversal(
            automata.product_automaton([automata.condition_automaton(condition, "ab") for condition in conditions], some)
        )
        assert len(twice.steps) == len(least.steps)
        assert automata.distinguishing_string(twice, least, "ab") is None
        for text in _strings("ab", 7):
            meant = [automata.holds(condition, text) for condition in conditions]
            assert _accepts(least, "ab", text) == (any(meant) if some else all(meant)), (conditions, some, text)


def _matches(pattern, text):
    positions = -1
    for letter in text:
        positions = pattern.after(positions, letter)
    return pattern.accepts(positions)


@pytest.mark.parametrize(
    "text",
    [
        *("a*", "(a|b)*abb", "a{2,3}b?", "(ab){0,2}a+", "((a|b){2})*", "[ab]*a.", "()|ab", "a{3}", "(a{2}){2}b", "a{1,}b", "(a?b?){3}"),
        *("a|", "(a*)*", "(a|)(b|)", "^(a|b)$", "b+(ab*)?", "((a*b*)+a)?", "a{0}b", "(?:ab|a)(?:b|)"),
    ],
)
def test_expressions_match_as_pythons_do(text):
    ours, theirs = Regex().parse(text), re.compile(text.removeprefix("^").removesuffix("$"))
    for word in _strings("ab", 7):
        assert _matches(ours, word) == bool(theirs.fullmatch(word)), (text, word)


@pytest.mark.parametrize(
    "text",
    [
        *("(a", "a)", "*a", "a{2", "a{3,2}", "a{99}", "[^a]", "[a", "a\\d", "(?=a)", "(" * 100 + ")" * 100, "a" * 4000),
        *("((((((a{50}){50}){50}){50}){50}){50})", "(((((((){50}){50}){50}){50}){50}){50})", "é", "a{,3}"),
    ],
)
def test_other_expressions_are_refused(text):
    with pytest.raises(Unreadable):
        Regex().parse(text)
