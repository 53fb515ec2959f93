"""Invented rules of how a text falls into tokens: words, numbers, strings, operators, comments and what is done with the rest."""

from __future__ import annotations

import json
from typing import Any

from rlgym.core.rng import Rng
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
