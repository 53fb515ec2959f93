"""The task of splitting a text into the tokens of an invented language, in words and with languages that are near but different."""

from __future__ import annotations

import json
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.lexers import BASES, BLOCKS, BREAKS, ERRORS, ESCAPES, KEYS, LINES, QUOTES, inputs, longest_first, scanned
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification


def specification(rng: Rng, operators: int, strings: int, comments: int, extras: int) -> Specification:
    """`strings`, `comments` and `extras` say how many of the stranger rules may hold: 0 to 2, 0 to 2 and 0 to 3."""
    bases = rng.sample(BASES, 3)
    found = list(bases)
    while len(found) < operators:
        longer = rng.choice(found) + rng.choice(bases)
        if longer not in found and len(longer) <= 3 and not longer.startswith("//"):
            found.append(longer)
    block = rng.choice(BLOCKS[1:]) if comments > 1 else BLOCKS[0]
    rules: dict[str, Any] = {
        "operators": tuple(rng.shuffled(found)),
        "longest": operators < 4 or rng.chance(0.6),
        "keys": tuple(rng.sample(KEYS, 2)),
        "folded": extras > 0 and rng.chance(0.5),
        "inner": rng.choice(("", "_", "-", "'")[: 2 + extras]) if extras else "",
        "grouped": extras > 1 and rng.chance(0.6),
        "fraction": extras > 0 and rng.chance(0.6),
        "hexed": extras > 2 and rng.chance(0.6),
        "quote": rng.choice(QUOTES[:1] if extras == 0 else QUOTES) if strings else "",
        "escape": rng.choice(ESCAPES[: strings + 1]) if strings else "none",
        "spread": strings > 1 and rng.chance(0.5),
        "line": rng.choice(LINES[1:]) if comments else "",
        "open": block[0],
        "close": block[1],
        "nested": comments > 1 and rng.chance(0.6),
        "breaks": rng.choice(BREAKS[: 1 + extras]),
        "error": rng.choice(ERRORS),
        "places": extras > 2,
    }
    if rules["quote"] == "'" and rules["inner"] == "'":
        rules["inner"] = ""
    kind = json.dumps(rules)
    weight = operators + 3.0 * strings + 3 * comments + 3 * extras
    drawn = inputs(rng.child("inputs"), 240, kind)
    return Specification(
        _words(rules), longest_first, scanned, rules, _near_misses(rules), [("",), *drawn], weight, shown=drawn[-80:-20], kind=kind
    )


def _near_misses(rules: Rules) -> list[Rules]:
    variants: list[Rules] = [{**rules, "longest": not rules["longest"]}, {**rules, "folded": not rules["folded"]}]
    variants += [{**rules, "inner": inner} for inner in ("", "_", "-")]
    variants += [{**rules, name: not rules[name]} for name in ("grouped", "fraction", "hexed", "places")]
    variants += [{**rules, "error": error} for error in ERRORS]
    variants += [{**rules, "breaks": breaks} for breaks in BREAKS]
    if rules["quote"]:
        variants += [{**rules, "escape": escape} for escape in ESCAPES]
        variants.append({**rules, "spread": not rules["spread"]})
    if rules["open"]:
        variants.append({**rules, "nested": not rules["nested"]})
    return [other for other in variants if other != rules]


def _words(rules: Rules) -> str:
    third = ", third the position in the text, from 0, at which it begins" if rules["places"] else ""
    third += f" (a string at its first {rules['quote']})" if rules["places"] and rules["quote"] else ""
    pair = "a tuple of three" if rules["places"] else "a pair"
    listed = ", ".join(rules["operators"])
    which = (
        "the longest of these that fits is taken"
        if rules["longest"]
        else "of these the first in this order that fits is taken, even if another is longer"
    )
    inner = (
        f" A single {rules['inner']} belongs to the word too where a letter or digit of the word is right before it and a letter or digit right after it."
        if rules["inner"]
        else ""
    )
    small = ", in small or capital letters or both," if rules["folded"] else ""
    number = "a digit and all digits after it"
    if rules["grouped"]:
        number += "; a single _ between two digits belongs to it, but is left out of the text given"
    if rules["fraction"]:
        number += "; a point with a digit right after it belongs to it once, with all digits after the point"
        number += " (and a single _ between two of those, left out too)" if rules["grouped"] else ""
    if rules["hexed"]:
        number += ". But 0x with a digit or one of the letters a to f right after it begins a number of which all following digits and letters a to f are part"
        number += " (with no _ in it)" if rules["grouped"] else ""
    lines = [
        f"word: a letter (a to z, A to Z) and all letters and digits after it.{inner} A word that is {' or '.join(rules['keys'])}{small} is a key "
        "instead; its text stays as it is written.",
        f"number: {number}.",
        f"operator: one of {listed}; {which}.",
    ]
    if rules["quote"]:
        escape = {
            "none": f"there is no way to write a {rules['quote']} in it",
            "backslash": "a backslash in it is left out and the character right after it belongs to the string, whatever it is",
            "double": f"two {rules['quote']} right after each other in it stand for one and do not end it",
        }[rules["escape"]]
        even = " (even one after a backslash)" if rules["escape"] == "backslash" else ""
        closed = f"A string that does not end before the next line break{even} is not closed."
        spread = "A string may hold line breaks." if rules["spread"] else closed
        lines.append(f"string: from a {rules['quote']} to the next; the text given is what is between them; {escape}. {spread}")
    if rules["breaks"] != "none":
        each = (
            "every line break"
            if rules["breaks"] == "each"
            else "a line break, but none where the token before is a break, or where there is no token before"
        )
        lines.append(f"break: {each}; its text is empty.")
    comments = []
    if rules["line"]:
        comments.append(f"A comment goes from {rules['line']} to the line break, which is not part of it, or to the end of the text.")
    if rules["open"]:
        nested = (
            f"Such comments may hold others from {rules['open']} to {rules['close']}, each closed in turn; nothing else "
            "counts in them, and no character is part of two of these marks."
            if rules["nested"]
            else f"Such comments do not nest: the first {rules['close']} that begins after the {rules['open']} ends them."
        )
        comments.append(f"A comment also goes from {rules['open']} to {rules['close']}, over lines if need be. {nested}")
    if comments:
        comments.append("Comments give no token. Where one token has ended and a comment can begin, no other token begins.")
    unclosed = [name for name, there in (("a string", rules["quote"]), (f"a comment from {rules['open']}", rules["open"])) if there]
    at = "A character at which none of these begins"
    if unclosed:
        at += f", or at which {' or '.join(unclosed)} begins that is not closed,"
    error = {
        "token": "is a token of its own, of the kind bad",
        "skip": "is left out",
        "stop": "ends the list with a token of the kind bad, whose text is that character; nothing after it is read",
    }[rules["error"]]
    if unclosed and rules["error"] != "stop":
        error += "; reading goes on right after it"
    spaces = "Spaces" if rules["breaks"] != "none" else "Spaces and line breaks"
    inside = [*(["strings"] if rules["quote"] else []), *(["comments"] if comments else [])]
    outside = f" outside of {' and '.join(inside)}" if inside else ""
    return (
        f"Write a Python function solve(text) that returns the list of the tokens of a text, in their order. A token is {pair}: first its kind, second its text"
        f"{third}, kind and text as strings. Reading goes from left to right; the next token begins right where the one before ended, and is one of:\n"
        + "\n".join(f"- {line}" for line in lines)
        + f"\n{' '.join([*comments, ''])}{spaces}{outside} give no token but end whatever is before them. "
        f"{at} {error}. Texts have at most 80 characters: letters, digits, spaces, line breaks (\\n) and signs."
    )
