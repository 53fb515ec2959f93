"""Lines of invented file formats, valid ones and malformed ones."""

from __future__ import annotations

import json
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.suites import Inputs

NAMES = tuple("port name size mode host key".split())

ODD_NAMES = ("max_size", "n2", "A9_", "p__q", "x", "_x", "2y", "a-b", "a.b", "x$", "a b", "q_", "_", "-z", "z-")

ODD_NUMBERS = ("+3", "007", "--5", "1_000", "5-", "-0", "0x1F", "1e3", "- 4")


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
