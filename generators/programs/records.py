"""Invented formats of settings, a line each: nesting, quotes, comments, lists, and what is done with repeated, empty and malformed ones."""

from __future__ import annotations

import json
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Inputs

MARKS = ("#", ";", "//", "--")
SIGNS = ("=", ":", "->", ":=", "~")
NESTED = ("", "sections", "blocks")
REPEATED = {
    "last": "the last one counts",
    "first": "the first one counts",
    "all": "the value is the list of all of them in their order",
    "bad": "every line that sets it again is malformed",
}
EMPTY = {"text": "sets the empty string, which counts as a value", "none": "sets None, which counts as a value", "bad": "is malformed"}
NAMES = tuple("port name size mode host key".split())
ODD_NAMES = ("max_size", "n2", "A9_", "p__q", "x", "_x", "2y", "a-b", "a.b", "x$", "a b", "q_", "_", "-z", "z-")
ODD_NUMBERS = ("+3", "007", "--5", "1_000", "5-", "-0", "0x1F", "1e3", "- 4")


def specification(rng: Rng, nesting: int, quoting: int, values: int, policies: int) -> Specification:
    """`nesting` from 0 to 2, `quoting` from 0 to 2, `values` from 0 to 2, `policies` from 0 to 3: how much there may be of each."""
    nested = NESTED[rng.integer(1, 2)] if nesting else ""
    listed = values > 1 and rng.chance(0.6)
    rules: dict[str, Any] = {
        "sign": rng.choice(SIGNS),
        "mark": rng.choice(MARKS),
        "trailing": quoting > 0 and rng.chance(0.6),
        "quote": rng.choice(('"', "'")) if quoting else "",
        "escape": rng.choice(("none", "backslash", "double")[: quoting + 1]) if quoting else "none",
        "numbers": values > 0,
        "truths": rng.choice((("yes", "no"), ("on", "off"), ("true", "false"))) if values > 0 and rng.chance(0.7) else (),
        "comma": rng.choice((",", "|")) if listed else "",
        "nested": nested,
        "common": rng.choice(("", "kept", "dropped")) if nesting > 1 else "",
        "repeated": rng.choice([name for name in tuple(REPEATED)[: 2 + policies] if not (listed and name == "all")]),
        "empty": rng.choice(tuple(EMPTY)[: 1 + policies]),
        "flag": policies > 1 and rng.chance(0.6),
        "folded": policies > 0 and rng.chance(0.5),
        "skips": rng.chance(0.6),
    }
    kind = json.dumps(rules)
    drawn = inputs(rng.child("inputs"), 130, kind)
    sign = rules["sign"]
    plainest = [
        (text,) for text in ("", f"4a{sign}1\nsize{sign}2", f"a.b{sign}1\nsize{sign}2", f"{sign}3", f"size{sign}2\nhost {sign} x y")
    ]
    plainest += [(f"port{sign}1\n{name}{sign}7\nsize {sign} 2",) for name in ODD_NAMES]
    plainest += [("\n".join(f"n{i}{sign}{number}" for i, number in enumerate(ODD_NUMBERS)),)]
    if nested:
        opened = "[{}]" if nested == "sections" else "{} ("
        plainest += [(f"port{sign}1\n{opened.format(name)}\nsize{sign}2",) for name in (*ODD_NAMES, ".a", "a..b", "a_1.b2")]
    fit = [arguments for arguments in drawn[20:] if 20 <= len(arguments[0]) <= 90 and isinstance(gathered(*arguments, **rules), dict)]
    weight = 1 + 3.0 * nesting + 3 * quoting + 3 * values + 3 * policies
    return Specification(
        _words(rules),
        gathered,
        read,
        rules,
        _near(rules),
        [*plainest, *drawn],
        weight,
        shown=fit[:30],
        kind=kind,
        always=len(plainest) + 24,
    )


def _near(rules: Rules) -> list[Rules]:
    variants: list[Rules] = [{**rules, name: not rules[name]} for name in ("flag", "folded", "skips", "numbers")]
    variants += [{**rules, "repeated": repeated} for repeated in REPEATED if not (rules["comma"] and repeated == "all")]
    variants += [{**rules, "empty": empty} for empty in EMPTY]
    if rules["quote"]:
        variants += [{**rules, "escape": escape} for escape in ("none", "backslash", "double")]
        variants.append({**rules, "trailing": not rules["trailing"]})
    variants += [{**rules, "comma": ""}, {**rules, "truths": ()}, {**rules, "quote": "", "escape": "none"}]
    if rules["nested"]:
        variants += [{**rules, "common": common} for common in ("", "kept", "dropped")]
        variants += [{**rules, "nested": nested} for nested in NESTED]
    return [other for other in variants if other != rules]


def _words(rules: Rules) -> str:
    sign, mark, quote = rules["sign"], rules["mark"], rules["quote"]
    skipped = "; one with a backslash right before it, within quotes, does not end them" if rules["escape"] == "backslash" else ""
    anywhere = (
        f"From {mark} to the end of a line is a comment"
        + (f", unless it stands between quotes ({quote}), of which the second may be missing{skipped}" if quote else "")
        if rules["trailing"]
        else f"A line that begins with {mark}, perhaps after spaces, is a comment; elsewhere {mark} has no special meaning"
    )
    lines = [
        f"{anywhere}. Comments, spaces at both ends of a line, and lines on which nothing else is left are ignored.",
        f"NAME {sign} VALUE sets a value; the first {sign} of the line ends the name, and the value is the rest of the line. Spaces around both are not "
        "part of them. A name is a letter (a to z, A to Z), followed by any number of letters, digits and _; anything else before "
        f"{sign} makes the line malformed."
        + (" Names are converted to lower case everywhere." if rules["folded"] else " Capital and small letters are different in names."),
    ]
    if rules["flag"]:
        lines.append("A name alone sets True.")
    lines.append(f"NAME {sign} with nothing after it {EMPTY[rules['empty']]}.")
    item = "an item" if rules["comma"] else "a value"
    if rules["comma"]:
        but = " outside of quotes" if quote else ""
        lines.append(
            f"A value that contains {rules['comma']}{but} is a list of the items between these signs, without the spaces at their ends; an empty item "
            f"makes the line malformed."
        )
        lines.append("Any other value is a single item, not a list.")
    if quote:
        escape = {
            "none": f"the string between them, which cannot contain {quote}",
            "backslash": "the string between them, in which a backslash is left out and the character after it, whatever it is, belongs to the string",
            "double": f"the string between them, in which {quote}{quote} stands for one {quote}",
        }[rules["escape"]]
        quote_rule = f"If {item} begins with {quote}, it must end with another {quote} and is {escape}. The line is malformed if a quote is not closed"
        lines.append(f"{quote_rule}, if anything follows the closing quote, or if {item} contains {quote} but does not begin with it.")
    kinds = []
    if rules["numbers"]:
        kinds.append("one of digits only, perhaps with one - before them, is an integer")
    if rules["truths"]:
        kinds.append(f"{rules['truths'][0]} is True and {rules['truths'][1]} is False (in exactly this spelling)")
    other = f"{item[:1].upper()}{item[1:]}{' without quotes' if quote else ''}"
    lines.append(f"{other} is always a string." if not kinds else f"{other}: {'; '.join(kinds)}; any other is a string.")
    if rules["nested"] == "sections":
        lines.append(
            "[NAME] begins a section: the values after it go into a dict of that name, up to the next section. [NAME.NAME] is a section in a "
            "section, and so on; no spaces are allowed within. Sections that do not exist are made, and one that exists is continued. "
            "Before the first section, values go into the dict returned."
        )
    if rules["nested"] == "blocks":
        lines.append(
            "NAME ( begins a block: the values after it go into a dict of that name, up to a line ), which goes back to where the block began; "
            "there may be spaces before ( or none. Blocks may hold blocks. One that exists is continued. A ) with no block open is "
            "malformed; a block still open at the end of the text ends there."
        )
    if rules["nested"]:
        word = "section" if rules["nested"] == "sections" else "block"
        lines.append(
            f"To set a value for a name that stands for a {word} in the same dict, or to begin a {word} with a name that has a value there, is malformed."
        )
    lines.append(f"If a name gets values several times{' in one dict' if rules['nested'] else ''}, {REPEATED[rules['repeated']]}.")
    if rules["common"]:
        kept = "stays" if rules["common"] == "kept" else "is then taken out of the dict returned"
        lines.append(
            "At the end, if the dict returned has a dict common, every other dict right in the dict returned gets those names of common, with what they "
            f"have there, that it lacks itself. The dict common {kept}."
        )
    lines.append(
        "Any other line is malformed. Malformed lines are passed over and change nothing."
        if rules["skips"]
        else "Any other line is malformed. If any is, the function returns the number of the first, counted from 1, in place of a dict."
    )
    text = "\n".join(f"- {line}" for line in lines)
    return (
        f"Write a Python function solve(text) that reads settings and returns them as a dict, by these rules for the lines of the text, "
        f"which are separated by \\n:\n{text}\n"
        "Texts have at most 12 lines and consist of visible ASCII characters, spaces and line breaks."
    )


def gathered(
    text: str,
    *,
    sign: str,
    mark: str,
    trailing: bool,
    quote: str,
    escape: str,
    numbers: bool,
    truths: tuple[str, ...],
    comma: str,
    nested: str,
    common: str,
    repeated: str,
    empty: str,
    flag: bool,
    folded: bool,
    skips: bool,
) -> Any:
    """The settings: regular expressions make lines into paths and values, which are gathered by path and put together in the end."""
    import re

    name = "[A-Za-z][A-Za-z0-9_]*"
    around = re.escape(quote)
    inside = (
        rf"(?:[^{around}\\]|\\.)*"
        if escape == "backslash"
        else f"(?:[^{around}]|{around}{around})*"
        if escape == "double"
        else f"[^{around}]*"
    )
    quoted = f"{around}{inside}{around}" + (f"(?!{around})" if escape == "double" else "")
    unclosed = rf"{around}(?:[^\\]|\\.|\\$)*" if escape == "backslash" else f"{around}.*"
    piece = f"{quoted}|{unclosed}|." if quote != "" else "."
    values: dict[tuple[str, ...], Any] = {}
    blocks: list[tuple[str, ...]] = [()]
    failed: list[int] = []
    here: tuple[str, ...] = ()

    def one(said: str) -> Any:
        if quote != "" and quote in said:
            if not re.fullmatch(quoted, said):
                raise ValueError
            said = said[1:-1]
            if escape == "backslash":
                return re.sub(r"\\(.)", r"\1", said)
            return said.replace(quote + quote, quote) if escape == "double" else said
        if numbers and re.fullmatch("-?[0-9]+", said):
            return int(said)
        return said == truths[0] if said in truths else said

    def put(key: str, value: Any) -> None:
        path = (*here, key)
        if path in blocks or (path in values and repeated == "bad"):
            raise ValueError
        if path not in values:
            values[path] = [value] if repeated == "all" else value
        elif repeated == "all":
            values[path] = [*values[path], value]
        elif repeated == "last":
            values[path] = value

    def handle(line: str) -> tuple[str, ...]:
        small = line.lower() if folded else line
        if nested == "sections" and re.fullmatch(rf"\[{name}(\.{name})*\]", line):
            path = tuple(small[1:-1].split("."))
            if any(path[: i + 1] in values for i in range(len(path))):
                raise ValueError
            blocks.extend(path[: i + 1] for i in range(len(path)) if path[: i + 1] not in blocks)
            return path
        if nested == "blocks" and re.fullmatch(name + r" *\(", line):
            path = (*here, small[:-1].strip())
            if path in values:
                raise ValueError
            blocks.extend([path] if path not in blocks else [])
            return path
        if nested == "blocks" and line == ")" and here:
            return here[:-1]
        match = re.fullmatch("(" + name + ") *(?:" + re.escape(sign) + "(.*))?", line)
        if not match or (match[2] is None and not flag):
            raise ValueError
        key = match[1].lower() if folded else match[1]
        if match[2] is None:
            put(key, True)
        elif match[2].strip() == "":
            if empty == "bad":
                raise ValueError
            put(key, "" if empty == "text" else None)
        else:
            pieces = re.findall(piece, match[2])
            items = "".join("\n" if part == comma else part for part in pieces).split("\n")
            if len(items) > 1 and "" in [item.strip() for item in items]:
                raise ValueError
            found = [one(item.strip()) for item in items]
            put(key, found[0] if len(items) == 1 else found)
        return here

    for number, line in enumerate(text.split("\n"), 1):
        if trailing:
            pieces = re.findall(re.escape(mark) + ".*|" + piece, line)
            line = "".join("" if part.startswith(mark) else part for part in pieces)
        line = line.strip(" ")
        if line == "" or line.startswith(mark):
            continue
        try:
            here = handle(line)
        except ValueError:
            failed.append(number)
    if failed and not skips:
        return failed[0]
    result: dict[str, Any] = {}
    for path in [*blocks[1:], *values]:
        inner = result
        for step in path[:-1]:
            inner = inner[step]
        if path in blocks:
            inner[path[-1]] = {}
        else:
            inner[path[-1]] = values[path][0] if repeated == "all" and len(values[path]) == 1 else values[path]
    if common != "" and ("common",) in blocks:
        for key in list(result):
            if (key,) in blocks and key != "common":
                result[key] = {**result["common"], **result[key]}
        if common == "dropped":
            del result["common"]
    return result


def read(
    text: str,
    *,
    sign: str,
    mark: str,
    trailing: bool,
    quote: str,
    escape: str,
    numbers: bool,
    truths: tuple[str, ...],
    comma: str,
    nested: str,
    common: str,
    repeated: str,
    empty: str,
    flag: bool,
    folded: bool,
    skips: bool,
) -> Any:
    """The settings: line by line into dicts that are open, and character by character where there may be quotes."""
    result: dict[str, Any] = {}
    stack: list[dict[str, Any]] = [result]
    several: list[tuple[int, str]] = []

    def named(said: str) -> bool:
        return said[:1].isalpha() and said.replace("_", "a").isalnum()

    def cut(line: str, sought: str, first: bool) -> list[str]:
        """The line's parts between what is sought outside of quotes; the first one or all."""
        parts, start, at, within = [], 0, 0, False
        while at < len(line):
            if within and escape == "backslash" and line[at] == "\\":
                at += 2
            elif quote != "" and line[at] == quote:
                within = not within
                at += 1
            elif not within and line.startswith(sought, at):
                parts.append(line[start:at])
                if first:
                    return parts
                at += len(sought)
                start = at
            else:
                at += 1
        return [*parts, line[start:]]

    def item(said: str) -> tuple[bool, Any]:
        """Whether it is well formed, and its value."""
        if quote != "" and quote in said:
            if said[0] != quote:
                return False, None
            letters, at = "", 1
            while at < len(said):
                if escape == "backslash" and said[at] == "\\":
                    at += 1
                    if at == len(said):
                        return False, None
                elif said[at] == quote:
                    if escape == "double" and said[at + 1 : at + 2] == quote:
                        at += 1
                    else:
                        return at == len(said) - 1, letters
                letters += said[at]
                at += 1
            return False, None
        digits = said[1:] if said[0] == "-" else said
        if numbers and digits.isdigit():
            return True, int(said)
        if said in truths:
            return True, said == truths[0]
        return True, said

    def put(key: str, value: Any) -> bool:
        inner = stack[-1]
        if key not in inner:
            inner[key] = value
            return True
        if isinstance(inner[key], dict) or repeated == "bad":
            return False
        if repeated == "last":
            inner[key] = value
        elif repeated == "all":
            if (id(inner), key) in several:
                inner[key].append(value)
            else:
                inner[key] = [inner[key], value]
                several.append((id(inner), key))
        return True

    def handle(line: str) -> bool:
        nonlocal stack
        if nested == "sections" and line[0] == "[":
            names = line[1:-1].lower().split(".") if folded else line[1:-1].split(".")
            if line[-1] != "]" or not all(map(named, names)):
                return False
            inner = result
            for name in names:
                if not isinstance(inner.get(name, {}), dict):
                    return False
                inner = inner.get(name, {})
            stack = [result]
            for name in names:
                stack.append(stack[-1].setdefault(name, {}))
            return True
        if nested == "blocks" and line == ")":
            if len(stack) == 1:
                return False
            stack.pop()
            return True
        if nested == "blocks" and line[-1] == "(" and named(line[:-1].strip()):
            name = line[:-1].strip().lower() if folded else line[:-1].strip()
            if not isinstance(stack[-1].get(name, {}), dict):
                return False
            stack.append(stack[-1].setdefault(name, {}))
            return True
        key, found, said = line.partition(sign)
        key, said = key.strip(), said.strip()
        if not named(key):
            return False
        if folded:
            key = key.lower()
        if found == "":
            return flag and put(key, True)
        if said == "":
            return empty != "bad" and put(key, "" if empty == "text" else None)
        parts = cut(said, comma, False) if comma != "" else [said]
        values = []
        for part in parts:
            if part.strip() == "":
                return False
            good, value = item(part.strip())
            if not good:
                return False
            values.append(value)
        return put(key, values if len(parts) > 1 else values[0])

    number = 0
    for line in text.split("\n"):
        number += 1
        if trailing:
            line = cut(line, mark, True)[0]
        line = line.strip()
        if line == "" or line.startswith(mark):
            continue
        if not handle(line) and not skips:
            return number
    if common != "" and isinstance(result.get("common"), dict):
        for key in result:
            if key != "common" and isinstance(result[key], dict):
                for name in result["common"]:
                    if name not in result[key]:
                        result[key][name] = result["common"][name]
        if common == "dropped":
            del result["common"]
    return result


def inputs(rng: Rng, count: int, kind: str) -> Inputs:
    """Texts of lines that the rules are about."""
    rules = json.loads(kind)
    return [("\n".join(_line(rng, rules) for _ in range(rng.integer(1, 12 if number % 2 else 5))),) for number in range(count)]


def _line(rng: Rng, rules: dict[str, Any]) -> str:
    name = rng.choice(NAMES[: rng.choice((2, 6))])
    name = rng.choice(ODD_NAMES) if rng.chance(0.12) else name.upper() if rng.chance(0.1) else name
    gap = " " * rng.integer(0, 1)
    mark, nested = rules["mark"], rules["nested"]
    if nested and rng.chance(0.3):
        block = rng.choice(("common", "common", "web", "db", "Web", name))
        if nested == "sections":
            return rng.choice((f"[{block}]", f"[{block}]", f"[web.{block}]", f"[db.{name}]", f"[{block}.]", f"[{block}"))
        return rng.choice((f"{block} (", f"{gap}{block}(", ")", ")", "  )"))
    if rng.chance(0.16):
        return rng.choice(
            (
                f"{mark} {name}",
                f"  {mark}",
                "",
                " ",
                name,
                f"{name} 5",
                f"4{name}{rules['sign']}2",
                f"{rules['sign']}3",
                f"{name}_2{rules['sign']} 6",
            )
        )
    end = rng.choice(("", "", "", " ", f" {mark} so", f"{mark}x"))
    return f"{gap}{name}{gap}{rules['sign']}{gap}{_value(rng, rules)}{end}"


def _value(rng: Rng, rules: dict[str, Any]) -> str:
    quote, mark = rules["quote"], rules["mark"]
    comma = rules["comma"] or ","
    plain: str = rng.choice(
        (
            "a b",
            "x",
            str(rng.integer(0, 99)),
            str(-rng.integer(1, 9)),
            "-",
            "1.5",
            *ODD_NUMBERS,
            "yes",
            "no",
            *(rules["truths"] or ("on",)),
            "Yes",
            f"u{rules['sign']}v",
        )
    )
    if quote and rng.chance(0.4):
        plain = rng.choice(("a", "7", f"b {mark} c", f"d{comma} e", "", f"f{quote}{quote}g", f"h\\{quote}i", "j\\k", "yes"))
        plain = (
            f"{quote}{plain}{quote}" if rng.chance(0.85) else rng.choice((f"{quote}{plain}", f"{plain}{quote}", f"{quote}{plain}{quote} x"))
        )
    if rng.chance(0.1):
        return ""
    if rng.chance(0.3 if rules["comma"] else 0.05):
        return f"{plain}{comma}{rng.choice((' ', ''))}{rng.choice(('z', '3', 'no', '', f'{quote}w{quote}'))}"
    return plain
