"""Reactions one after another: how much comes out, or must be put in."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.core.task import TaskData
from rlgym.generators.science import chemistry
from rlgym.generators.science.quantities import Working

STEP = (
    "Reaction {k}: {equation}. {amount}",
    "Reaction {k} is {equation}. {amount}",
    "The equation of reaction {k} is {equation}. {amount}",
    "Reaction {k} follows the equation {equation}. {amount}",
)
TAKEN = (
    "{amount} of {what} are available for it.",
    "{amount} of {what} are added.",
    "{amount} of {what} are provided.",
    "The amount of {what} used is {amount}.",
)
YIELD = ("The yield of {what} is {percent}% of the theoretical yield.", "Its percent yield of {what} is {percent}%.")
ASKED = (
    "How many grams of {product} are obtained at the end?",
    "Find the mass of {product} that the last reaction yields.",
    "What mass of {product} is produced?",
    "What mass of {product} is obtained at the end?",
)
BACK = (
    "The available {start} is only {pure}% pure by mass. How many grams of this impure {start} are needed to obtain {mass} g of {product}?",
    "The available {start} is impure: it contains {pure}% {start} by mass. What mass of it is needed to obtain {mass} g of {product}?",
)


class Step(TaskData):
    formulas: tuple[str, str, str, str]  # the substance that is followed, a reagent, the product that is followed, another product
    coefficients: tuple[int, int, int, int]
    reagent: tuple[str, ...]  # grams; or millilitres and moles per litre; nothing where there is enough of it
    percent: int


def by_masses(steps: Sequence[Step], grams: Fraction, pure: int) -> Fraction:
    """Grams of the last product from grams of the first substance; where `pure` percent are given, grams of that substance backwards."""
    for step in steps[:: -1 if pure else 1]:
        first, second, product, _ = (k * chemistry.molar_mass(formula) for k, formula in zip(step.coefficients, step.formulas))
        if pure:
            grams *= first / product * 100 / step.percent
            continue
        masses = [grams * product / first]
        if len(step.reagent) == 2:
            volume, molar = map(Fraction, step.reagent)
            masses.append(volume * molar / 1000 / step.coefficients[1] * product)
        elif step.reagent:
            masses.append(Fraction(step.reagent[0]) * product / second)
        grams = min(masses) * step.percent / 100
    return grams * 100 / pure if pure else grams


def working(steps: Sequence[Step], grams: Fraction, pure: int) -> Working:
    """The same through moles: forwards to the mass of the last product, or backwards to that of the impure starting material."""
    work = Working(f"{' '.join(map(str, range(101)))} 1000")
    molar: dict[str, Fraction] = {}

    def mass(formula: str) -> Fraction:
        if formula not in molar:
            parts = [(count, Fraction(chemistry.MASSES[element])) for element, count in chemistry.atoms(formula).items()]
            numbers = [number for pair in parts for number in pair]
            molar[formula] = work.add(f"molar mass of {formula}", "g/mol", " + ".join(["{} * {}"] * len(parts)), *numbers)
        return molar[formula]

    numbered = list(enumerate(steps, 1))
    start = steps[-1].formulas[2] if pure else steps[0].formulas[0]
    moles = work.add(f"moles of {start}", "mol", "{} / {}", grams, mass(start))
    for k, step in numbered[:: -1 if pure else 1]:
        (first, second, product, _), (a, b, c, _) = step.formulas, step.coefficients
        if pure:
            moles = work.add(f"moles of {first} for reaction {k}", "mol", "{} * 100 / {} / {} * {}", moles, step.percent, c, a)
            continue
        runs = [work.add(f"moles of reaction {k} that {first} allows", "mol", "{} / {}", moles, a)]
        if len(step.reagent) == 2:
            there = work.add(f"moles of {second} in reaction {k}", "mol", "{} / 1000 * {}", *map(Fraction, step.reagent))
            runs.append(work.add(f"moles of reaction {k} that {second} allows", "mol", "{} / {}", there, b))
        elif step.reagent:
            there = work.add(f"moles of {second} in reaction {k}", "mol", "{} / {}", Fraction(step.reagent[0]), mass(second))
            runs.append(work.add(f"moles of reaction {k} that {second} allows", "mol", "{} / {}", there, b))
        ended = first if runs[0] == min(runs) else second
        moles = work.add(f"moles of {product} until {ended} is used up", "mol", "{} * {} * {} / 100", min(runs), c, step.percent)
    if pure:
        weight = work.add(f"mass of pure {first}", "g", "{} * {}", moles, mass(first))
        work.add(f"mass of impure {first}", "g", "{} * 100 / {}", weight, pure)
    else:
        work.add(f"mass of {product}", "g", "{} * {}", moles, mass(product))
    return work
