"""What can be done with a text, step by step: clean it, cut it into pieces, rewrite, keep, merge, order and take them, and tell something of them."""

from __future__ import annotations

from functools import partial
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import suites
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.textual import plain, swift

CHARACTERS = "aabbcdeeioABE12  ,,#()"
PARTS: dict[str, dict[str, str]] = {
    "clean": {
        "": "",
        "backspace": "Go through the text from left to right: each # removes itself and the last remaining character before it, if there is one.",
        "brackets": "Remove everything in round brackets, which may be nested, together with the brackets. A closing bracket without an opening one is "
        "removed alone; an opening bracket that is never closed is removed together with everything after it.",
        "pairs": "As long as two adjacent characters are equal (a and A are different), remove the leftmost such pair.",
    },
    "cut": {
        "letters": "Split the text into pieces: the maximal runs of letters (A to Z and a to z). All other characters are dropped.",
        "spaces": "Split the text into pieces at each space; spaces and empty pieces are dropped.",
        "commas": "Split the text into pieces at each comma; commas are dropped, but empty pieces are kept, so that a "
        "text without commas, even an empty one, is one piece.",
        "runs": "Split the text into pieces: the maximal runs of one character.",
        "blocks": "Split the text into pieces of three characters each, from the left; the last piece may be shorter. An empty text has no pieces.",
        "classes": "Split the text into pieces: the maximal runs of letters, of digits, and of other characters.",
    },
    "rewrite": {
        "": "",
        "reverse": "Write each piece backwards.",
        "lower": "Convert all letters to lower case.",
        "rotate": "Move the first character of each piece to its end.",
        "squeeze": "In each piece, replace each run of equal characters with one such character.",
        "vowels": "Remove the vowels from each piece; a piece that becomes empty is kept.",
        "ends": "In each piece of two characters or more, swap the first character with the last.",
        "counted": "In each piece, replace each maximal run of two or more equal characters with the character and the length of the run, so "
        "that aab becomes a2b.",
    },
    "keep": {
        "": "",
        "long": "Keep only pieces of at least two characters.",
        "short": "Keep only pieces of at most two characters.",
        "upper": "Keep only pieces that contain no upper-case letter.",
        "vowel": "Keep only pieces that contain a vowel.",
        "twice": "Keep only pieces in which no character occurs more than once.",
        "palindrome": "Remove all pieces that read the same backwards, including those of one character or none.",
        "rising": "Keep only pieces whose characters are in non-decreasing order of their character codes.",
    },
    "merge": {
        "": "",
        "first": "Of equal pieces, keep only the first.",
        "last": "Of equal pieces, keep only the last, in its position.",
        "once": "Keep only pieces that occur exactly once.",
        "neighbours": "Of equal pieces next to each other, keep only one.",
    },
    "order": {
        "": "",
        "length": "Sort the pieces by length, longest first",
        "alphabet": "Sort the pieces in ascending order, as Python compares strings",
        "vowels": "Sort the pieces by their number of vowels, most first",
        "ending": "Sort the pieces by their last characters in ascending order, as Python compares strings; empty pieces come first",
        "distinct": "Sort the pieces by their number of different characters, fewest first",
    },
    "take": {
        "": "",
        "three": "Keep only the first three pieces (all, if there are fewer).",
        "second": "Keep only every second piece, starting with the first.",
        "inner": "Remove the first and the last piece; with fewer than three pieces, none is left.",
        "half": "Keep only the first half of the pieces, including the middle one if their number is odd.",
    },
    "tell": {
        "joined": "Return the pieces joined by -, as one string; an empty string if there are none.",
        "list": "Return the list of the pieces.",
        "initials": "Return the string of the first characters of the pieces; an empty piece contributes nothing.",
        "lengths": "Return the list of the lengths of the pieces.",
        "counts": "Return a list of tuples (piece, count), one for each different piece in order of first occurrence; count is the "
        "number of its occurrences.",
        "steps": "Return how many pieces are larger than the piece just before them, as Python compares strings.",
        "weight": "Return the sum of the lengths of the pieces, each multiplied by the position of the piece, counted from 1; 0 if there are no pieces.",
        "longest": "Return the longest piece (the last one, if there are several); None if there are no pieces.",
    },
}
TIES = {
    "stay": "Pieces that tie keep their order.",
    "back": "Pieces that tie are put in reverse order.",
    "letters": "Pieces that tie are sorted in ascending order, as Python compares strings.",
}
OPTIONAL = ("rewrite", "keep", "merge", "order", "take", "clean")
VOWELS = {("rewrite", "vowels"), ("keep", "vowel"), ("order", "vowels")}


def sample(rng: Rng, steps: int, kinds: int) -> Specification:
    """`steps` of the optional parts, each of them of use, and `kinds` ways to do each, plain ones first."""
    drawn_inputs = inputs(rng.child("inputs"), 160)
    while True:
        on = rng.sample(OPTIONAL, min(steps, len(OPTIONAL)))
        rules: dict[str, Any] = {}
        for part, ways in PARTS.items():
            plainest = tuple(way for way in ways if way)
            rules[part] = rng.choice(plainest[: kinds + 1]) if part in on or "" not in ways else ""
        rules["tie"] = rng.choice(tuple(TIES)[: 1 + kinds // 2]) if rules["order"] else "stay"
        right = partial(swift, **rules)
        # Each step is seen in what is returned.
        without = [partial(swift, **{**rules, part: ""}) for part in on]
        if rules["tie"] != "stay":
            without.append(partial(swift, **{**rules, "tie": "stay"}))
        different = len({repr(right(*arguments)) for arguments in drawn_inputs})
        if different >= 12 and all(suites.differs(right, other, drawn_inputs, times=6) for other in without):
            break
    weight = sum(4 + list(PARTS[part]).index(way) / 2 for part, way in rules.items() if part in PARTS and way)
    return Specification(_words(rules), plain, swift, rules, _near_misses(rng.child("near"), rules), drawn_inputs, weight)


def _words(rules: Rules) -> str:
    lines = [PARTS[part][rules[part]] for part in PARTS]
    if rules["order"]:
        tie = "" if rules["order"] == "alphabet" else f" {TIES[rules['tie']]}"
        lines[5] = f"{lines[5]}.{tie}"
    numbered = [line for line in lines if line]
    vowels = " Vowels are a, e, i, o and u, in lower and upper case." if VOWELS & set(rules.items()) else ""
    steps_text = "\n".join(f"{i + 1}. {line}" for i, line in enumerate(numbered))
    return (
        "Write a Python function solve(text). text is a string of at most 40 characters: letters, digits, spaces, commas, # and round brackets; it may be "
        f"empty. The function performs these steps in order, each on the result of the previous step:\n{steps_text}{vowels and chr(10) + vowels.strip()}"
    )


def _near_misses(rng: Rng, rules: Rules) -> list[Rules]:
    near: list[Rules] = []
    for part, ways in {**PARTS, "tie": TIES}.items():
        others = [option for option in ways if option != rules[part]]
        if rules[part] and (part != "tie" or rules["order"]):
            near += [{**rules, part: option} for option in rng.sample(others, min(2, len(others)))]
    return near


def inputs(rng: Rng, count: int, kind: str = "") -> list[tuple[Any, ...]]:
    """Texts, from the empty one to such as have much to clean and to merge."""
    texts = ["", "a", " ", ",", "#a", "(", "a,b", "Ab Ab", "aa"]
    while len(texts) < count:
        # Few different characters make more pieces equal.
        some = rng.sample(CHARACTERS, rng.integer(4, 8)) if rng.chance(0.4) else CHARACTERS
        letters = rng.choice(("ab", "abeE", "aAbBcdei"))
        size = rng.integer(3, 40)
        texts.append("".join(rng.choice(some) if rng.chance(0.5) else rng.choice(letters) for _ in range(size)))
    return [(text,) for text in texts]
