"""Invented rules of how a text falls into tokens: words, numbers, strings, operators, comments and what is done with the rest."""

from __future__ import annotations

import json
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Inputs

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
KEYS = tuple("if do end let not fun use loop".split())
BASES = tuple("<=>!&|+*/:")
QUOTES = ('"', "'", "$")
LINES = ("", "#", "//", "--", ";")
BLOCKS = (("", ""), ("(*", "*)"), ("/*", "*/"), ("[[", "]]"))
ESCAPES = ("none", "backslash", "double")
ERRORS = ("token", "skip", "stop")
BREAKS = ("none", "each", "one")


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
        _words(rules), longest_first, scanned, rules, _near(rules), [("",), *drawn], weight, shown=drawn[-80:-20], kind=kind
    )


def _near(rules: Rules) -> list[Rules]:
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
        spread = "It may hold line breaks." if rules["spread"] else "It must end before the next line break; if not, it is not closed."
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
            "Such comments may hold others, each closed in turn."
            if rules["nested"]
            else "Such comments do not nest: the first closing mark ends them."
        )
        comments.append(f"A comment also goes from {rules['open']} to {rules['close']}, over lines if need be. {nested}")
    if comments:
        comments.append("Comments give no token. Where one token has ended and a comment can begin, nothing else does.")
    unclosed = [name for name, there in (("a string", rules["quote"]), (f"a comment begun by {rules['open']}", rules["open"])) if there]
    at = "A character at which none of these begins"
    if unclosed:
        at += f", and the first one of {' or '.join(unclosed)} that is not closed,"
    error = {
        "token": "is a token of its own, of the kind bad",
        "skip": "is left out",
        "stop": "ends the list with a token of the kind bad, whose text is that character; nothing after it is read",
    }[rules["error"]]
    spaces = "Spaces" if rules["breaks"] != "none" else "Spaces and line breaks"
    return (
        f"Write a Python function solve(text) that returns the list of the tokens of a text, in their order. A token is {pair}: first its kind, second its text"
        f"{third}, kind and text as strings. Reading goes from left to right; the next token begins right where the one before ended, and is one of:\n"
        + "\n".join(f"- {line}" for line in lines)
        + f"\n{' '.join([*comments, ''])}{spaces} outside of strings{' and comments' if comments else ''} give no token but end whatever is before them. "
        f"{at} {error}. Texts have at most 80 characters: letters, digits, spaces, line breaks (\\n) and signs."
    )


def longest_first(
    text: str,
    *,
    operators: tuple[str, ...],
    longest: bool,
    keys: tuple[str, ...],
    folded: bool,
    inner: str,
    grouped: bool,
    fraction: bool,
    hexed: bool,
    quote: str,
    escape: str,
    spread: bool,
    line: str,
    open: str,
    close: str,
    nested: bool,
    breaks: str,
    error: str,
    places: bool,
) -> list[tuple[Any, ...]]:
    """The tokens, each found by regular expressions tried one after the other."""
    import re

    digits = "[0-9]+(?:_[0-9]+)*" if grouped else "[0-9]+"
    number = digits + (rf"(?:\.{digits})?" if fraction else "")
    if hexed:
        number = "0x[0-9a-f]+|" + number
    word = "[A-Za-z][A-Za-z0-9]*" + ("(?:" + re.escape(inner) + "[A-Za-z0-9]+)*" if inner != "" else "")
    shown = sorted(operators, key=lambda operator: -len(operator)) if longest else list(operators)
    operator = "|".join(re.escape(operator) for operator in shown)
    mark = re.escape(quote)
    plain = f"[^{mark}\\\\]" if escape == "backslash" else f"[^{mark}]"
    special = r"|\\[\s\S]" if escape == "backslash" else f"|{mark}{mark}" if escape == "double" else ""
    string = f"{mark}((?:{plain}{special})*){mark}" + (f"(?!{mark})" if escape == "double" else "")
    found: list[tuple[Any, ...]] = []
    place = 0
    while place < len(text):
        rest = text[place:]
        token: tuple[str, str] | None = None
        size = 1
        if line != "" and rest.startswith(line):
            size = len(rest.split("\n")[0])
        elif open != "" and rest.startswith(open):
            depth, size = 1, len(open)
            while depth and size < len(rest):
                if rest[size:].startswith(close):
                    depth, size = depth - 1, size + len(close)
                elif nested and rest[size:].startswith(open):
                    depth, size = depth + 1, size + len(open)
                else:
                    size += 1
            if depth:
                token, size = ("bad", rest[0]), 1
        elif quote != "" and rest[0] == quote:
            match = re.match(string, rest)
            if match and (spread or "\n" not in match[0]):
                inside = match[1]
                if escape == "backslash":
                    inside = re.sub(r"\\([\s\S])", r"\1", inside)
                if escape == "double":
                    inside = inside.replace(quote + quote, quote)
                token, size = ("string", inside), len(match[0])
            else:
                token = ("bad", quote)
        elif match := re.match(word, rest):
            known = match[0].lower() if folded else match[0]
            token, size = ("key" if known in keys else "word", match[0]), len(match[0])
        elif match := re.match(number, rest):
            token, size = ("number", match[0].replace("_", "")), len(match[0])
        elif match := re.match(operator, rest):
            token, size = ("operator", match[0]), len(match[0])
        elif rest[0] == "\n":
            if breaks == "each" or (breaks == "one" and found and found[-1][0] != "break"):
                token = ("break", "")
        elif rest[0] != " ":
            token = ("bad", rest[0])
        if token and not (token[0] == "bad" and error == "skip"):
            found.append((*token, place) if places else token)
            if token[0] == "bad" and error == "stop":
                break
        place += size
    return found


def scanned(
    text: str,
    *,
    operators: tuple[str, ...],
    longest: bool,
    keys: tuple[str, ...],
    folded: bool,
    inner: str,
    grouped: bool,
    fraction: bool,
    hexed: bool,
    quote: str,
    escape: str,
    spread: bool,
    line: str,
    open: str,
    close: str,
    nested: bool,
    breaks: str,
    error: str,
    places: bool,
) -> list[tuple[Any, ...]]:
    """The tokens, found character by character."""
    digits = "0123456789"
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    found: list[tuple[Any, ...]] = []
    end = len(text)
    text += "   "  # so that there is something to look at behind the end

    def run(at: int, allowed: str, joint: str) -> int:
        while at < end and (
            text[at] in allowed or (joint != "" and text[at] == joint and text[at - 1] in allowed and text[at + 1] in allowed)
        ):
            at += 1
        return at

    def add(kind: str, said: str, at: int) -> None:
        found.append((kind, said, at) if places else (kind, said))

    def closing(at: int) -> int:
        depth = 0
        while at < end:
            if text.startswith(close, at):
                depth -= 1
                at += len(close)
                if depth == 0:
                    return at
            elif text.startswith(open, at) and (nested or depth == 0):
                depth += 1
                at += len(open)
            else:
                at += 1
        return 0

    place = 0
    while place < end:
        letter, start = text[place], place
        bad = False
        if line != "" and text.startswith(line, place):
            while place < end and text[place] != "\n":
                place += 1
        elif open != "" and text.startswith(open, place):
            place = closing(place)
            bad = place == 0
        elif quote != "" and letter == quote:
            said = ""
            place += 1
            while place < end and (spread or text[place] != "\n"):
                if escape == "backslash" and text[place] == "\\":
                    place += 1
                    if place == end or (not spread and text[place] == "\n"):
                        break
                elif escape == "double" and text[place] == quote and text[place + 1] == quote:
                    place += 1
                elif text[place] == quote:
                    break
                said += text[place]
                place += 1
            bad = place >= end or text[place] != quote
            if not bad:
                place += 1
                add("string", said, start)
        elif letter in letters:
            place = run(place, letters + digits, inner)
            said = text[start:place]
            known = said.lower() if folded else said
            add("key" if known in keys else "word", said, start)
        elif letter in digits:
            if hexed and letter == "0" and text[place + 1] == "x" and text[place + 2] in "0123456789abcdef":
                place = run(place + 2, "0123456789abcdef", "")
            else:
                place = run(place, digits, "_" if grouped else "")
                if fraction and text[place] == "." and text[place + 1] in digits:
                    place = run(place + 1, digits, "_" if grouped else "")
            add("number", text[start:place].replace("_", ""), start)
        else:
            fitting = [one for one in operators if text.startswith(one, place)]
            if fitting:
                one = max(fitting, key=len) if longest else fitting[0]
                add("operator", one, start)
                place += len(one)
            elif letter == "\n":
                place += 1
                if breaks == "each" or (breaks == "one" and found and found[-1][0] != "break"):
                    add("break", "", start)
            elif letter == " ":
                place += 1
            else:
                bad = True
        if bad:
            place = start + 1
            if error != "skip":
                add("bad", letter, start)
            if error == "stop":
                break
    return found


def inputs(rng: Rng, count: int, kind: str) -> Inputs:
    """Texts of pieces that the rules are about, with and without spaces between them."""
    rules = json.loads(kind)
    return [("".join(_piece(rng, rules) for _ in range(rng.integer(2, 9)))[:80],) for _ in range(count)]


def _piece(rng: Rng, rules: dict[str, Any]) -> str:
    key, quote, joint = rng.choice(rules["keys"]), rules["quote"], rules["inner"] or rng.choice("_-")
    pieces: list[str] = [
        *(rng.choice(("a", "x1", "up", "Bo2")), key, key.upper(), key + rng.choice("s1"), f"up{joint}to", f"b{joint}", f"c{joint}{joint}d"),
        *(str(rng.integer(0, 40)), "1_000", "2__5", "3.5", "7.", "4.5.6", "0x1f", "0xg", "1.2_5", "9z"),
        *(rng.choice(rules["operators"]) for _ in range(5)),
        "".join(rng.choice(rules["operators"]) for _ in range(3)),
        *("@", "~", " ", " ", "\n", "\n\n", " \n "),
    ]
    if quote:
        pieces += [
            f"{quote}a {rng.choice(('b', '#', '1'))}{quote}",
            f"{quote}{quote}",
            f"{quote}a{quote}{quote}b{quote}",
            f"{quote}a\\{quote}b{quote}",
        ]
        pieces += [f"{quote}a\nb{quote}", quote, f"{quote}c\\\\d\\n{quote}"]
    if rules["line"]:
        pieces += [f"{rules['line']} no", f"{rules['line']} x\n", f"{rules['line']}{quote}\n", rules["line"][0]]
    if rules["open"]:
        pieces += [
            f"{rules['open']} no {rules['close']}",
            f"{rules['open']}a{rules['open']}b{rules['close']}c{rules['close']}",
            rules["open"],
        ]
        pieces += [rules["close"], f"{rules['open']}\n{rules['close']}"]
    return rng.choice(pieces) + " " * rng.chance(0.35)
