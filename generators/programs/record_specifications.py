"""The task of parsing an invented file format, in words and with formats that are near but different."""

from __future__ import annotations

import json
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.record_inputs import ODD_NAMES, ODD_NUMBERS, inputs
from rlgym.generators.programs.records import EMPTY, gathered, read
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification

MARKS = ("#", ";", "//", "--")

SIGNS = ("=", ":", "->", ":=", "~")

NESTED = ("", "sections", "blocks")

REPEATED = {
    "last": "the last one counts",
    "first": "the first one counts",
    "all": "the value is the list of all of them in their order",
    "bad": "every line that sets it again is malformed",
}


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
        _near_misses(rules),
        [*plainest, *drawn],
        weight,
        shown=fit[:30],
        kind=kind,
        always=len(plainest) + 24,
    )


def _near_misses(rules: Rules) -> list[Rules]:
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
    anywhere = (
        f"From {mark} to the end of a line is a comment"
        + (f", unless {mark} is inside quotes ({quote}). A quote without a closing {quote} extends to the end of the line" if quote else "")
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
            f"A value that contains {rules['comma']}{but} is a list: each {rules['comma']} there separates two items, which lose the spaces at their "
            "ends; an empty item "
            f"makes the line malformed."
        )
        lines.append("Any other value is a single item, not a list.")
    if quote:
        escape = {
            "none": f"the string between them, which cannot contain {quote}",
            "backslash": "the string between them",
            "double": f"the string between them, in which {quote}{quote} stands for one {quote}",
        }[rules["escape"]]
        quote_rule = f"If {item} begins with {quote}, it must end with another {quote} and is {escape}. The line is malformed if a quote is not closed"
        lines.append(f"{quote_rule}, if anything follows the closing quote, or if {item} contains {quote} but does not begin with it.")
        if rules["escape"] == "backslash":
            lines.append(
                "Inside quotes, a backslash is left out, and the character after it, whatever it is, belongs to the string and has no special "
                f"meaning: \\{quote} does not close the quotes, and \\\\ stands for one backslash."
            )
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
            "At the end, if the dict returned has a dict common, every other dict directly in the dict returned gets those names of common that it lacks "
            f"itself, with their values there. The dict common {kept}."
        )
    skipped = (
        f"; after an ignored line that would begin a {rules['nested'][:-1]}, values go into the same dict as before it"
        if rules["nested"]
        else ""
    )
    lines.append(
        f"Any other line is malformed. Malformed lines are ignored{skipped}."
        if rules["skips"]
        else "Any other line is malformed. If any is, the function returns the number of the first, counted from 1, in place of a dict."
    )
    text = "\n".join(f"- {line}" for line in lines)
    return (
        f"Write a Python function solve(text) that reads settings and returns them as a dict, by these rules for the lines of the text, "
        f"which are separated by \\n:\n{text}\n"
        "Texts have at most 12 lines and consist of visible ASCII characters, spaces and line breaks."
    )
