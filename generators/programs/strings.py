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
        "backspace": "Go through the text from left to right: each # removes itself and the character that now stands before it, if there is one.",
        "brackets": "Remove everything in round brackets, with the brackets, which may be nested. A closing bracket that closes none is removed "
        "alone; an opening bracket that is never closed is removed with everything after it.",
        "pairs": "As long as two equal characters (of any kind, a and A are different) stand side by side, remove the leftmost two such.",
    },
    "cut": {
        "letters": "Cut it into pieces: the longest possible runs of letters (A to Z and a to z). Everything else is left out.",
        "spaces": "Cut it into pieces at each space; spaces are left out, and so are empty pieces.",
        "commas": "Cut it into pieces at each comma; commas are left out, empty pieces stay, so that a text without a comma is one piece, an empty text too.",
        "runs": "Cut it into pieces: the longest possible runs of one and the same character.",
        "blocks": "Cut it into pieces of three characters each, from the left; the last one may be shorter. An empty text has no pieces.",
        "classes": "Cut it into pieces: the longest possible runs of letters only, of digits only, or of characters that are neither.",
    },
    "rewrite": {
        "": "",
        "reverse": "Write each piece backwards.",
        "lower": "Make all letters lower case.",
        "rotate": "Move the first character of each piece to its end.",
        "squeeze": "In each piece, put one character for each run of equal characters.",
        "vowels": "Leave the vowels out of each piece; a piece may become empty, and stays.",
        "ends": "In each piece of two characters or more, swap the first character with the last.",
        "counted": "In each piece, write each longest run of two or more equal characters as the character and the length of the run, as aab becomes a2b.",
    },
    "keep": {
        "": "",
        "long": "Keep only pieces of at least two characters.",
        "short": "Keep only pieces of at most two characters.",
        "upper": "Keep only pieces that hold no upper-case letter.",
        "vowel": "Keep only pieces that contain a vowel.",
        "twice": "Keep only pieces in which no character occurs more than once.",
        "palindrome": "Keep only pieces that do not read the same backwards (so that pieces of one character or none go).",
        "rising": "Keep only pieces in which no character comes after a larger one, by character code.",
    },
    "merge": {
        "": "",
        "first": "Of pieces that are equal keep only the first.",
        "last": "Of pieces that are equal keep only the last, where it stands.",
        "once": "Keep only pieces that are equal to no other.",
        "neighbours": "Of equal pieces that stand next to each other keep only one.",
    },
    "order": {
        "": "",
        "length": "Order the pieces by length, the longest first",
        "alphabet": "Order the pieces as Python orders strings, the smallest first",
        "vowels": "Order the pieces by how many vowels they hold, the most first",
        "ending": "Order the pieces by their last characters as Python orders strings, the smallest first; an empty piece comes before all others",
        "distinct": "Order the pieces by how many different characters they hold, the fewest first",
    },
    "take": {
        "": "",
        "three": "Keep only the first three pieces, or all if there are fewer.",
        "second": "Keep only every second piece, beginning with the first.",
        "inner": "Leave out the first piece and the last; of fewer than three pieces none stays.",
        "half": "Keep only the first half of the pieces, the middle one too if their number is odd.",
    },
    "tell": {
        "joined": "Return the pieces as one string, with - between neighbouring ones; an empty string if there are none.",
        "list": "Return the list of the pieces.",
        "initials": "Return the string of the first characters of the pieces; an empty piece adds nothing.",
        "lengths": "Return the list of the lengths of the pieces.",
        "counts": "Return a list of tuples (piece, count), one for each different piece in the order in which they first stand here, with "
        "how often it is there.",
        "steps": "Return how many pieces are larger than the piece just before them, as Python compares strings; 0 if there are none.",
        "weight": "Return the sum of the lengths of the pieces, each times its position, the first position being 1; 0 if there are none.",
        "longest": "Return the longest piece, of several the one that stands last; None if there are no pieces.",
    },
}
TIES = {
    "stay": "Equal ones stay in the order they have.",
    "back": "Of equal ones, one that stood later now comes first.",
    "letters": "Of equal ones, the smaller one as Python orders strings comes first.",
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
    return Specification(_words(rules), plain, swift, rules, _near(rng.child("near"), rules), drawn_inputs, weight)


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
        f"empty. The following is done one after the other, each on the result of the one before:\n{steps_text}{vowels and chr(10) + vowels.strip()}"
    )


def _near(rng: Rng, rules: Rules) -> list[Rules]:
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
