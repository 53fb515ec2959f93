"""A small Python shop whose branches change the same functions, and what the merged functions must compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng

STAGES = ("pieces", "member", "surcharge", "tax", "limit")
STAGE_NAMES = ("discounts by the number of pieces", "discounts of members", "surcharges", "taxes", "limits")
GOODS = tuple(
    "apple bolt candle drum easel flute globe hammer inkwell jar kettle lamp mirror needle oar paint quilt rope saddle tile".split()
)
KINDS = ("steps", "line", "renamed")
"""Kinds of what two branches do to one function, plain ones first: both add a step; both change one line; one renames, the other uses the old name."""


class Step(NamedTuple):
    """A step of a function: at most two numbers say what it does."""

    stage: str
    first: int
    second: int = 0


class Function(NamedTuple):
    """A function that computes a price from an amount, a count and whether the buyer is a member."""

    name: str
    base: int
    more: int  # pieces that are counted besides those bought
    member: str  # the name of the third parameter
    steps: tuple[Step, ...]  # in the order in which they are written


class Pair(NamedTuple):
    """What main and a branch make of one function, and what it must be when both are merged."""

    kind: str
    before: Function
    ours: Function
    theirs: Function
    merged: Function
    ours_says: str
    theirs_says: str


def sample_step(rng: Rng, stage: str) -> Step:
    match stage:
        case "pieces":
            return Step(stage, rng.integer(3, 9), rng.integer(5, 30))
        case "member":
            return Step(stage, rng.integer(4, 12))
        case "surcharge":
            return Step(stage, rng.integer(60, 300), rng.integer(5, 40))
        case "tax":
            return Step(stage, rng.integer(3, 25))
    return Step(stage, rng.integer(150, 500))


def describe(step: Step) -> str:
    match step.stage:
        case "pieces":
            return f"orders of {step.first} pieces or more cost {step.second} less"
        case "member":
            return f"members pay less by their price divided by {step.first}, rounded down"
        case "surcharge":
            return f"prices below {step.first} go up by {step.second}"
        case "tax":
            return f"a tax of {step.first} percent, rounded down, is added"
    return f"no price is above {step.first}"


def _lines(step: Step, member: str) -> list[str]:
    match step.stage:
        case "pieces":
            return [f"if count >= {step.first}:", f"    price -= {step.second}"]
        case "member":
            return [f"if {member}:", f"    price -= price // {step.first}"]
        case "surcharge":
            return [f"if price < {step.first}:", f"    price += {step.second}"]
        case "tax":
            return [f"price += price * {step.first} // 100"]
    return [f"price = min(price, {step.first})"]


def render(function: Function) -> str:
    """The module of a function."""
    count = f"(count + {function.more})" if function.more else "count"
    head = [f"def {function.name}(amount, count, {function.member}):", f'    """The price of an order of {function.name}s."""']
    body = [f"price = amount * {count} + {function.base}", *(line for step in function.steps for line in _lines(step, function.member))]
    return "\n".join([*head, *(f"    {line}" for line in body), "    return price", ""])


def price(function: Function, amount: int, count: int, member: bool) -> int:
    """What a function must compute."""
    value = amount * (count + function.more) + function.base
    for step in function.steps:
        match step.stage:
            case "pieces":
                value -= step.second if count >= step.first else 0
            case "member":
                value -= value // step.first if member else 0
            case "surcharge":
                value += step.second if value < step.first else 0
            case "tax":
                value += value * step.first // 100
            case "limit":
                value = min(value, step.first)
    return value


def in_order(steps: Sequence[Step]) -> tuple[Step, ...]:
    return tuple(sorted(steps, key=lambda step: STAGES.index(step.stage)))


def pair(rng: Rng, name: str, kind: str) -> Pair:
    """What two branches do to one function. In nearly all pairs the order of the steps matters."""
    plain = Function(name, rng.integer(2, 40), 0, "member", ())
    if kind == "line":
        step = sample_step(rng, rng.choice(STAGES))
        before = plain._replace(steps=(step,))
        base, more = before.base + rng.integer(3, 20), rng.integer(1, 3)
        says = f"{name}: the fixed part of the price is {base}", f"{name}: {more} more {'piece is' if more == 1 else 'pieces are'} charged"
        return Pair(kind, before, before._replace(base=base), before._replace(more=more), before._replace(base=base, more=more), *says)
    if kind == "renamed":
        before = plain._replace(steps=(sample_step(rng, "pieces"), sample_step(rng, "tax")))
        word, step = rng.choice(("regular", "subscriber", "insider")), sample_step(rng, "member")
        theirs = before._replace(steps=in_order((*before.steps, step)))
        ours = before._replace(member=word)
        return Pair(
            kind, before, ours, theirs, theirs._replace(member=word), f"{name}: the parameter is called {word}", f"{name}: {describe(step)}"
        )
    first, second = sorted(rng.sample(range(len(STAGES)), 2))
    late, early = sample_step(rng, STAGES[second]), sample_step(rng, STAGES[first])
    mine, other = (late, early) if rng.chance(0.8) else (early, late)
    ours, theirs = plain._replace(steps=(mine,)), plain._replace(steps=(other,))
    return Pair(
        "steps", plain, ours, theirs, plain._replace(steps=(early, late)), f"{name}: {describe(mine)}", f"{name}: {describe(other)}"
    )


def cases(rng: Rng, one: Pair, count: int) -> list[tuple[int, int, bool]]:
    """Orders on which the merged function differs from what only one side did, and from both in the wrong order."""
    wrong = [one.ours, one.theirs, one.merged._replace(steps=one.merged.steps[::-1])]
    chosen: list[tuple[int, int, bool]] = []
    for _ in range(200):
        order = (rng.integer(2, 60), rng.integer(1, 12), rng.chance(0.5))
        differs = [price(other, *order) != price(one.merged, *order) for other in wrong]
        if len(chosen) < count and (any(differs) or len(chosen) < count // 2):
            chosen.append(order)
    return chosen


def changelog(entries: Sequence[str]) -> str:
    return "# Changes\n\n" + "".join(f"- {entry}\n" for entry in sorted(entries))


def contributing(records: int) -> str:
    """The rules of the shop."""
    stages = "".join(f"{number}. {stage}\n" for number, stage in enumerate(STAGE_NAMES, 1))
    notes = "\nCHANGES.md names every change once, on a line of its own. The lines are in alphabetical order.\n" if records else ""
    version = "\nVERSION holds the version. Of two versions the higher one counts, compared number by number.\n" if records > 1 else ""
    return (
        "# Rules\n\nEvery file of shop/ holds one function. The steps of a function stand in this order, regardless of who wrote them:\n\n"
        f"{stages}\nThe names of parameters are those on main.\n{notes}{version}"
    )


def package(functions: Mapping[str, Function]) -> dict[str, str]:
    """The modules of the shop, by path."""
    return {"shop/__init__.py": "", **{f"shop/{name}.py": render(function) for name, function in functions.items()}}
