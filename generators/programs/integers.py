"""Questions about integers: those of a range that meet conditions, those whose digits keep to rules, and sequences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import figures, suites
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Meaning

# Each condition in words, and the numbers it may be about.
CONDITIONS: dict[str, tuple[str, tuple[int, ...]]] = {
    "multiple": ("the integer is divisible by {}", (2, 3, 4, 5, 6, 7)),
    "sum": ("the sum of the decimal digits is divisible by {}", (2, 4, 5, 7)),
    "has": ("the decimal digits include {}", (1, 2, 3, 5, 7)),
    "ones": ("the number of ones in the binary representation is divisible by {}", (2, 3)),
    "prime": ("the integer is prime", (0,)),
    "rising": ("the decimal digits never decrease from left to right", (0,)),
    "coprime": ("the greatest common divisor of the integer and {} is 1", (6, 10, 12, 15, 30)),
    "divisors": ("the number of positive divisors (including 1 and the integer itself) is divisible by {}", (3, 4, 6)),
    "mirror": ("the digits in base {} read the same backwards", (2, 3, 4, 10)),
    "factors": ("the number of different prime divisors is exactly {}", (1, 2)),
    "free": ("the integer is not divisible by the square of any integer above 1", (0,)),
    "squares": ("the integer is the sum of two squares of integers, one of which may be 0", (0,)),
    "happy": ("repeatedly replacing the integer with the sum of the squares of its decimal digits eventually leads to 1", (0,)),
}
TOLD = {
    "count": "the number of such integers",
    "total": "their sum, 0 if there are none",
    "largest": "the largest of them, None if there are none",
    "kth": "number {} of them in ascending order, counted from 1, None if there are fewer",
    "gap": "the largest difference between two consecutive ones in ascending order, 0 if there are fewer than two",
    "run": "the length of the longest run of consecutive integers that are all among them, 0 if there are none",
    "twins": "the number of integers n such that both n and n + {} are among them",
    "signed": "their alternating sum in ascending order (the first minus the second plus the third, and so on), 0 if there are none",
}
DIGITS = {
    "count": TOLD["count"],
    "largest": TOLD["largest"],
    "total": TOLD["total"],
    "smallest": "the smallest of them, None if there are none",
}
STEPS = {
    "last": "the last value, x{}",
    "different": "the number of different values among x0 to x{}",
    "total": "the sum of x0 to x{}",
    "above": "how many of x0 to x{} are larger than {k}",
    "again": "how many of x0 to x{} are equal to the last one, x{} itself included",
    "divided": "how many of x0 to x{} are divisible by {k} (0 counts as divisible)",
}
JOINS = {
    "and": "both of these hold: {}; and {}",
    "or": "at least one of these holds: {}; or {}",
    "but": "the first of these holds, but the second does not: {}; {}",
    "one": "exactly one of these holds: {}; {}",
}
Shaped = tuple[str, dict[str, Any], list[Rules], list[Rules]]  # words, rules, each condition left out, rules near


def sample(rng: Rng, shapes: int, extra: int, kinds: int, large: bool) -> Specification:
    """A question of which every condition matters, about large numbers where it can be."""
    for attempt in count():
        name = rng.choice(tuple(SHAPES)[:shapes])
        plain, swift, shape, phrases = SHAPES[name]
        drawn_inputs = inputs(rng.child("inputs", name), 70 if name == "members" else 90, name)
        big = large and name != "members"
        tell = rng.choice(tuple(phrases)[: max(3, kinds // 2)])
        words, rules, off, near = shape(rng, max(1, extra - attempt // 10), kinds, tell, big)
        right = partial(swift, **rules)
        different = len({repr(right(*arguments)) for arguments in drawn_inputs})
        if different >= 8 and all(suites.differs(right, partial(swift, **{**rules, **other}), drawn_inputs, times=4) for other in off):
            break
    many = (_large(rng.child("large"), name),) if big else ()
    slow = " Checking all of them one by one is too slow: the time limit for all tests together is one second." if big else ""
    weight = 8.0 + 4 * len(off) + list(phrases).index(tell) + 8 * big + 2 * list(SHAPES).index(name)
    return Specification(
        words + slow, plain, swift, rules, [{**rules, **other} for other in [*off, *near]], drawn_inputs, weight, large=many, kind=name
    )


def members(rng: Rng, extra: int, kinds: int, tell: str, large: bool) -> Shaped:
    names = rng.sample(tuple(CONDITIONS)[:kinds], 3)
    a, b, c = (rng.choice(CONDITIONS[name][1]) for name in names)
    conditions = [CONDITIONS[name][0].format(number) for name, number in zip(names, (a, b, c), strict=True)]
    join, then = rng.choice(tuple(JOINS)) if extra > 1 else "", rng.choice(tuple(JOINS)) if extra > 2 else ""
    k = rng.integer(3, 6) if tell == "kth" else rng.integer(1, 6) if tell == "twins" else 0
    rules: dict[str, Any] = {
        "first": names[0],
        "a": a,
        "join": join,
        "second": names[1],
        "b": b,
        "and_then": then,
        "third": names[2],
        "c": c,
        "tell": tell,
        "k": k,
    }
    if not join:
        rules |= {"second": "multiple", "b": 1}
    if not then:
        rules |= {"third": "multiple", "c": 1}
    words = f"Condition A: {conditions[0]}."
    if join:
        words = f"Condition A: {JOINS[join].format(conditions[0], conditions[1])}."
    if then:
        words += f"\nCondition B: {conditions[2]}."
    meets = {
        "and": "condition A and condition B hold",
        "or": "condition A or condition B holds, or both",
        "but": "condition A holds and condition B does not",
        "one": "exactly one of condition A and condition B holds",
    }.get(then, "condition A holds")
    result_text = TOLD[tell].format(k)
    lines = [
        "Write a Python function solve(low, high). low and high are integers from 1 to 400, at most 40 apart; if low is larger than high, there are no "
        "integers from low to high.",
        words,
        f"Consider the integers from low to high (inclusive) for which {meets}.",
        f"Return {result_text}.",
    ]
    off: list[Rules] = []
    if join:
        off.append({"join": ""})
    if then:
        off.append({"and_then": ""})
    near: list[Rules] = [{"k": k + 1}, {"k": k - 1}]
    near += [{"join": other} for other in JOINS if join and other != join][:2]
    near += [{"and_then": other} for other in JOINS if then and other != then][:2]
    for letter, name in (("a", names[0]), ("b", names[1]), ("c", names[2])):
        others = [number for number in CONDITIONS[name][1] if number != rules[letter]]
        if others and rules[letter] > 1:
            near.append({letter: others[0]})
    near.append({"tell": {"gap": "run", "signed": "total", "total": "signed"}.get(tell, "count")})
    return "\n".join(lines), rules, off, near


def digits(rng: Rng, extra: int, kinds: int, tell: str, large: bool) -> Shaped:
    names = rng.sample(("modulus", "banned", "least", "most", "even", "divisor"), min(extra + 1, 4))
    if "least" in names and "most" in names:
        names.remove("least")
    modulus = rng.integer(2, 7) if "modulus" in names else 0
    rules: dict[str, Any] = {
        "modulus": modulus,
        "rest": rng.integer(0, modulus - 1) if modulus else 0,
        "banned": rng.integer(0, 9) if "banned" in names else -1,
        "least": rng.integer(1, 3) if "least" in names else 0,
        "most": rng.integer(2, 5) if "most" in names else 9,
        "even": "even" in names,
        "divisor": rng.integer(2, 9) if "divisor" in names else 0,
        "tell": tell,
    }
    kept = [
        f"the sum of the digits leaves the remainder {rules['rest']} when divided by {modulus}" if modulus else "",
        f"no digit is {rules['banned']}" if rules["banned"] >= 0 else "",
        f"any two neighbouring digits differ by at least {rules['least']}" if rules["least"] else "",
        f"any two neighbouring digits differ by at most {rules['most']}" if rules["most"] < 9 else "",
        "the number of digits is even" if rules["even"] else "",
        f"the integer is divisible by {rules['divisor']} (0 counts as divisible)" if rules["divisor"] else "",
    ]
    listed = "\n".join(f"- {line}" for line in kept if line)
    reach = "10 ** 12" if large else "9999, at most 1000 apart"
    words = (
        f"Write a Python function solve(low, high). low and high are integers from 0 to {reach}; if low is larger than high, there are no integers from "
        f"low to high. Consider the integers from low to high (inclusive) that meet all of these conditions. Digits are decimal digits without "
        f"leading zeros; 0 has the single digit 0, and an integer of one digit has no neighbouring digits.\n{listed}\nReturn {DIGITS[tell]}."
    )
    plainest = {"modulus": 0, "banned": -1, "least": 0, "most": 9, "even": False, "divisor": 0}
    off: list[Rules] = [{name: plainest[name]} for name in names]
    near: list[Rules] = [{"least": rules["least"] + 1}, {"most": rules["most"] - 1}, {"even": not rules["even"]}]
    near += [{"rest": (rules["rest"] + 1) % modulus}, {"modulus": modulus + 1}] if modulus else []
    near += [{"divisor": rules["divisor"] + 1}] if rules["divisor"] else [{"banned": 0}]
    return words, rules, off, near


def steps(rng: Rng, extra: int, kinds: int, tell: str, large: bool) -> Shaped:
    modulus = rng.integer(300, 999) if large else rng.integer(20, 99)
    rules: dict[str, Any] = {
        "by": rng.integer(2, 4),
        "down": rng.choice(("part", "add", "back") if extra > 1 else ("part", "add")),
        "times": rng.integer(2, 7),
        "plus": rng.integer(1, 9),
        "modulus": modulus,
        "other": rng.integer(3, 5) if extra > 1 else 0,
        "tell": tell,
        "k": rng.integer(modulus // 4, modulus // 2) if tell == "above" else rng.integer(2, 5),
    }
    first = {
        "part": f"x // {rules['by']}",
        "add": f"(x + {rules['plus']}) % {modulus}",
        "back": f"x with its decimal digits backwards, leading zeros dropped, and of that the remainder on division by {modulus}",
    }[rules["down"]]
    lines = [
        f"if x leaves the remainder 1 when divided by {rules['other']} (x % {rules['other']} == 1), the next value is (x * x + {rules['plus']}) % {modulus}"
        if rules["other"]
        else "",
        f"{'else ' if rules['other'] else ''}if x is divisible by {rules['by']} (as 0 is), the next value is {first}",
        f"else the next value is (x * {rules['times']} + {rules['plus']}) % {modulus}",
    ]
    listed = "\n".join(f"- {line}" for line in lines if line)
    words = (
        f"Write a Python function solve(start, steps). start is an integer from 0 to {modulus - 1}, steps an integer from 0 to "
        f"{'10 ** 12' if large else '60'}. Let "
        f"x0 be start, and let each value lead to the next one, by the first of these rules that fits, where x is the value before:\n{listed}\n"
        f"After the given number of steps there are steps + 1 values, from x0 to the last one, all of which count even where they are equal."
        f"\nReturn {_describe(rules)}."
    )
    off: list[Rules] = [{"other": 0}] * (rules["other"] > 0)
    near: list[Rules] = [{"by": rules["by"] + 1}, {"times": rules["times"] + 1}, {"plus": rules["plus"] + 1}, {"k": rules["k"] + 1}]
    near += [{"down": other} for other in ("part", "add", "back")] + [{"tell": "divided" if tell == "above" else "last"}]
    return words, rules, off, near


def _describe(rules: Rules) -> str:
    text = STEPS[rules["tell"]].replace(", x{} itself included", ", the last one itself included")
    return text.replace(", x{}", "").replace("x0 to x{}", "the values").replace("{k}", str(rules["k"]))


Shape = tuple[Meaning, Meaning, Callable[[Rng, int, int, str, bool], Shaped], dict[str, str]]
SHAPES: dict[str, Shape] = {
    "members": (figures.members_plain, figures.members_swift, members, TOLD),
    "digits": (figures.digits_plain, figures.digits_swift, digits, DIGITS),
    "steps": (figures.steps_plain, figures.steps_swift, steps, STEPS),
}


def inputs(rng: Rng, amount: int, kind: str) -> list[tuple[Any, ...]]:
    """Small inputs, empty and one-number ranges first."""
    match kind:
        case "members":
            found = [(1, 1), (2, 1), (1, 2), (1, 10), (90, 110)]
            lows = [rng.integer(1, rng.choice((30, 120, 370))) for _ in range(amount - len(found))]
            return [*found, *((low, low + rng.integer(8, 30)) for low in lows)]
        case "digits":
            found = [(0, 0), (1, 0), (0, 9), (9, 12), (99, 101)]
            lows = [rng.integer(0, rng.choice((20, 200, 3000))) for _ in range(amount - len(found))]
            return [*found, *((low, low + rng.integer(5, rng.choice((30, 120)))) for low in lows)]
    found = [(0, 0), (1, 1), (0, 5), (1, 20), (19, 3)]
    return [*found, *((rng.integer(0, 19), rng.integer(1, rng.choice((6, 20, 60)))) for _ in range(amount - len(found)))]


def _large(rng: Rng, kind: str) -> tuple[int, int]:
    if kind == "steps":
        return rng.integer(0, 299), rng.integer(10**11, 10**12)
    return rng.integer(0, 10**9), rng.integer(10**11, 10**12)
