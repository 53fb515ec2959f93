"""Substances, their formulas and molar masses, and reactions with small whole coefficients."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from rlgym.core.rng import Rng
from rlgym.generators.algebra.linear import null_space

# Molar masses in g/mol, rounded as school books round them; a task says those that it needs.
MASSES = {
    "H": "1", "C": "12", "N": "14", "O": "16", "F": "19", "Na": "23", "Mg": "24", "Al": "27", "Si": "28", "P": "31", "S": "32", "Cl": "35.5",
    "K": "39", "Ca": "40", "Cr": "52", "Mn": "55", "Fe": "56", "Ni": "59", "Cu": "63.5", "Zn": "65", "Br": "80", "Ag": "108", "Sn": "119",
    "I": "127", "Ba": "137", "Pb": "207", "Li": "7", "Sr": "88", "Co": "59", "Ti": "48", "V": "51",
}  # fmt: skip
CATIONS = tuple(tuple(word.split()) for word in
    "Na 1,K 1,Li 1,Ag 1,NH4 1,Mg 2,Ca 2,Ba 2,Sr 2,Zn 2,Cu 2,Pb 2,Ni 2,Fe 2,Co 2,Mn 2,Al 3,Fe 3,Cr 3,Sn 4".split(","))  # fmt: skip
ANIONS = tuple(tuple(word.split()) for word in
    "Cl 1,Br 1,I 1,F 1,NO3 1,ClO3 1,C2H3O2 1,MnO4 1,SO4 2,CO3 2,CrO4 2,Cr2O7 2,S 2,C2O4 2,SO3 2,PO4 3,P2O7 4".split(","))  # fmt: skip
METALS = tuple(
    tuple(word.split()) for word in "Na 1,K 1,Li 1,Mg 2,Ca 2,Ba 2,Zn 2,Fe 3,Al 3,Cr 3,Cu 2,Pb 2,Ni 2,Sn 4,Ti 4,V 5,Mn 2".split(",")
)

_PART = re.compile(r"([A-Z][a-z]?|\(|\))([0-9]*)")
Reaction = tuple[tuple[str, ...], tuple[str, ...]]  # reactants, products


def atoms(formula: str) -> dict[str, int]:
    """How many atoms of each element a formula holds; the charge, after ^ as in SO4^2-, stands under `charge`."""
    body, _, charged = formula.partition("^")
    stack: list[dict[str, int]] = [{}]
    at = 0
    while at < len(body):
        match = _PART.match(body, at)
        if not match:
            raise ValueError(f"{formula!r} is no formula")
        at, times = match.end(), int(match[2] or 1)
        if match[1] == "(":
            stack.append({})
            continue
        inner = stack.pop() if match[1] == ")" else {match[1]: 1}
        for element, count in inner.items():
            stack[-1][element] = stack[-1].get(element, 0) + times * count
    if charged:
        stack[0]["charge"] = int(charged[:-1] or 1) * (-1 if charged[-1] == "-" else 1)
    return stack[0]


def table(reaction: Reaction) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """The elements (and charge, where there is any) and for each a row: its count in every substance, products negative."""
    counts = [atoms(formula) for side in reaction for formula in side]
    elements = tuple(dict.fromkeys(element for count in counts for element in count))
    reactants = len(reaction[0])
    return elements, tuple(
        tuple((1 if j < reactants else -1) * count.get(element, 0) for j, count in enumerate(counts)) for element in elements
    )


def balance(reaction: Reaction) -> tuple[int, ...] | None:
    """The smallest whole coefficients, where the balance fixes them up to a common factor and all are positive."""
    basis = null_space(table(reaction)[1])
    if len(basis) != 1:
        return None
    scale = lcm(*(value.denominator for value in basis[0]))
    integers = [int(value * scale) for value in basis[0]]
    common = gcd(*integers) * (-1 if integers[0] < 0 else 1)
    return tuple(value // common for value in integers) if all(value // common > 0 for value in integers) else None


def salt(cation: Sequence[str], anion: Sequence[str]) -> str:
    """The neutral compound of two ions, each a name and a charge: Ca and PO4 make Ca3(PO4)2."""
    common = lcm(int(cation[1]), int(anion[1]))
    return _times(cation[0], common // int(cation[1])) + _times(anion[0], common // int(anion[1]))


def hydrocarbon(rng: Rng, most: int, others: str = "") -> str:
    """A molecule of C and H, with O and the letters of `others` in some."""
    carbon = rng.integer(1, most)
    hydrogen = rng.integer(max(1, carbon // 2), carbon + 1) * 2 if carbon > 1 else 4
    parts = [("C", carbon), ("H", hydrogen), *((letter, rng.integer(1, 3)) for letter in others)]
    return "".join(f"{letter}{count if count > 1 else ''}" for letter, count in parts)


def write(reaction: Reaction) -> str:
    """Reactants -> products."""
    return " -> ".join(" + ".join(side) for side in reaction)


def _times(ion: str, count: int) -> str:
    if count == 1:
        return ion
    return f"({ion}){count}" if len(re.findall(r"[A-Z]", ion)) > 1 or ion[-1].isdigit() else f"{ion}{count}"


def sample_combustion(rng: Rng, most: int, others: str = "") -> Reaction:
    """A molecule burns."""
    fuel = hydrocarbon(rng, most, others)
    ashes = {"N": "NO2", "S": "SO2", "P": "P4O10", "Cl": "HCl"}
    return (fuel, "O2"), ("CO2", "H2O", *(ashes[letter] for letter in others if letter in ashes))


def exchange(rng: Rng) -> Reaction:
    """Two salts change partners."""
    cation_a, two = rng.sample(CATIONS, 2)
    first, second = rng.sample(ANIONS, 2)
    return (salt(cation_a, first), salt(two, second)), (salt(cation_a, second), salt(two, first))


def acid_and_base(rng: Rng) -> Reaction:
    """An acid and a hydroxide or carbonate."""
    metal = rng.choice([cation for cation in CATIONS if cation[0] != "NH4"])
    acid = rng.choice([anion for anion in ANIONS if anion[0] not in ("CO3", "SO3", "S")])
    gas = rng.chance(0.4)
    base = salt(metal, ("CO3", "2")) if gas else salt(metal, ("OH", "1"))
    return (salt(("H", "1"), acid), base), (salt(metal, acid), "H2O", *(["CO2"] if gas else []))


def metal_and_oxide(rng: Rng) -> Reaction:
    """An oxide gives its oxygen to another element or compound."""
    metal_a, two = rng.sample(METALS, 2)
    taker, taken = rng.choice(
        ((two[0], salt(two, ("O", "2"))), ("CO", "CO2"), ("C", "CO"), ("C", "CO2"), ("H2", "H2O"), ("NH3", "N2 H2O"), ("CH4", "CO2 H2O"))
    )
    return (salt(metal_a, ("O", "2")), taker), (metal_a[0], *taken.split())


def formation(rng: Rng) -> Reaction:
    """An element takes up another, or an acid."""
    metal = rng.choice(METALS)
    other, form = rng.choice(
        (("O2", ("O", "2")), ("Cl2", ("Cl", "1")), ("Br2", ("Br", "1")), ("N2", ("N", "3")), ("P4", ("P", "3")), ("S8", ("S", "2")))
    )
    if rng.chance(0.5):
        return (metal[0], other), (salt(metal, form),)
    acid = rng.choice(ANIONS)
    return (metal[0], salt(("H", "1"), acid)), (salt(metal, acid), "H2")


def ashes(rng: Rng, elements: int, most: int) -> Reaction:
    """A compound of several elements is oxidised in acid until each element has its own product."""
    becomes = {
        "C": "CO2",
        "N": "NO3^-",
        "S": "SO4^2-",
        "P": "H3PO4",
        "K": "K^+",
        "Fe": "Fe^3+",
        "Cl": "Cl2",
        "Ni": "Ni^2+",
        "As": "H3AsO4",
        "I": "IO3^-",
    }
    while True:
        chosen = sorted(rng.sample(sorted(becomes), elements))
        counts = [(element, rng.integer(1, most)) for element in chosen] + [("H", rng.integer(1, 2 * most))]
        compound = "".join(f"{element}{count if count > 1 else ''}" for element, count in counts)
        before, after = rng.choice((("MnO4^-", "Mn^2+"), ("Cr2O7^2-", "Cr^3+"), ("VO2^+", "V^3+"), ("BiO3^-", "Bi^3+"), ("MnO4^-", "MnO2")))
        products = (*rng.shuffled([becomes[element] for element in chosen]), after)
        for reaction in (
            ((compound, before, "H^+"), (*products, "H2O")),
            ((compound, before), (*products, "H^+", "H2O")),
            ((compound, before, "H2O"), (*products, "H^+")),
        ):
            if balance(reaction):
                return reaction


def invent(rng: Rng, substances: int, most: int) -> Reaction:
    """Substances of made-up elements, the last one with what the others leave over."""
    while True:
        elements = "ADEGJLMQRTXZ"[: substances - 1]
        reactants = rng.integer(2, substances - 2) if substances > 3 else 2
        counts = [[rng.integer(1, most) if rng.chance(0.45) else 0 for _ in elements] for _ in range(substances - 1)]
        weights = [rng.integer(1, most) for _ in range(substances - 1)]
        rest = [sum((w if j < reactants else -w) * row[k] for j, (w, row) in enumerate(zip(weights, counts))) for k in range(len(elements))]
        scale = rng.choice([k for k in range(1, 10) if all(count % k == 0 for count in rest)])
        counts.append([count // scale for count in rest])
        if min(counts[-1]) < 0 or not all(map(any, counts)) or max(counts[-1]) > 9 * most or not all(map(any, zip(*counts))):
            continue
        names = ["".join(f"{element}{count if count > 1 else ''}" for element, count in zip(elements, row) if count) for row in counts]
        reaction = tuple(names[:reactants]), tuple(names[reactants:])
        if len(set(names)) == substances and balance(reaction):
            return reaction


def exchanges(rng: Rng, count: int) -> list[Reaction]:
    """Reactions in which a salt of one metal goes over into another salt of it again and again; the first product is the next reactant."""
    metal, *others = rng.sample(CATIONS, count + 1)
    anions = rng.sample(ANIONS, count + 1)
    out: list[Reaction] = []
    for other, old, new in zip(others, anions, anions[1:]):
        out.append(((salt(metal, old), salt(other, new)), (salt(metal, new), salt(other, old))))
    return out


def molar_mass(formula: str) -> Fraction:
    """In g/mol, from the rounded masses."""
    return sum((count * Fraction(MASSES[element]) for element, count in atoms(formula).items()), Fraction(0))


def with_coefficients(reaction: Reaction, coefficients: Sequence[int]) -> str:
    """2 H2 + O2 -> 2 H2O."""
    numbers = iter(coefficients)
    return " -> ".join(" + ".join(f"{k} {name}" if (k := next(numbers)) > 1 else name for name in side) for side in reaction)


def soluble(formula: str) -> bool:
    """Whether a salt is surely one that dissolves well."""
    return re.match(r"(Na|K|Li|\(?NH4)", formula) is not None or any(anion in formula for anion in ("NO3", "C2H3O2", "ClO3"))
