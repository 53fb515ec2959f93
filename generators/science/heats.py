"""Water as ice, liquid and steam, together with metals: its heat, and the state that a heat belongs to. Heat is in J, 0 for water at 0 degrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rlgym.generators.science.quantities import Working

OPENINGS = (
    "Into an insulated vessel, which takes up no heat itself, go",
    "A closed thermos flask (of no heat capacity) contains",
    "A perfectly insulating box without heat capacity of its own is filled with",
    "These are brought together in a closed insulated vessel that takes up no heat:",
)
ASKED = (
    "What is there in the end?",
    "Find the final state.",
    "What is the final state?",
    "Describe what is there after all temperatures have become equal.",
)
HEATER = (
    "An electric heater of {watts} W runs in it for {time}, and all its heat stays inside.",
    "For {time} a heating coil gives it {watts} W, of which nothing is lost.",
    "A coil inside heats with {watts} W during {time}; no heat gets out.",
    "It is heated with {watts} W for {time} without any loss.",
)
RULES = (
    "The pressure stays such that water melts at 0 and boils at 100 degrees Celsius. {constants}{metals} Give t, the final temperature in degrees "
    "Celsius, ice, the grams of ice, and steam, the grams of steam, each of them 0 if there is none."
)

ICE, WATER, STEAM, MELT, BOIL = Fraction(21, 10), Fraction(42, 10), Fraction(2), Fraction(334), Fraction(2260)  # J/(g K), and J/g
CONSTANTS = "Ice takes 2.1 J per gram and degree, water 4.2, steam 2; melting takes 334 J per gram at 0 degrees, boiling 2260 J per gram at 100 degrees."
METALS = {
    "copper": "0.39",
    "iron": "0.45",
    "aluminium": "0.9",
    "lead": "0.13",
    "silver": "0.24",
    "brass": "0.38",
    "zinc": "0.39",
    "tin": "0.23",
}


@dataclass(frozen=True)
class State:
    """Degrees Celsius, and grams of ice and of steam."""

    degrees: Fraction
    ice: Fraction
    steam: Fraction


def state(heat: Fraction, water: Fraction, metal: Fraction) -> State:
    """What becomes of so many grams of water, and metal of such a heat capacity, with this heat: found phase by phase from the cold end."""
    frozen = water * MELT
    if heat < -frozen:
        return State((heat + frozen) / (water * ICE + metal), water, Fraction(0))
    if heat < 0:
        return State(Fraction(0), -heat / MELT, Fraction(0))
    warm = 100 * (water * WATER + metal)
    if heat <= warm:
        return State(heat / (water * WATER + metal), Fraction(0), Fraction(0))
    if heat <= warm + water * BOIL:
        return State(Fraction(100), Fraction(0), (heat - warm) / BOIL)
    return State(100 + (heat - warm - water * BOIL) / (water * STEAM + metal), Fraction(0), water)


def heat_of(kind: str, grams: Fraction, degrees: Fraction) -> tuple[str, list[Fraction]]:
    """The formula of the heat of a body, and the numbers for its gaps."""
    if kind == "ice":
        return "{} * ({} * {} - {})", [grams, ICE, degrees, MELT]
    if kind == "steam":
        return "{} * ({} * 100 + {} + {} * ({} - 100))", [grams, WATER, BOIL, STEAM, degrees]
    return "{} * {} * {}", [grams, WATER if kind == "water" else Fraction(METALS[kind]), degrees]


def finish(work: Working, heats: Sequence[Fraction], waters: Sequence[Fraction], metals: Sequence[tuple[Fraction, Fraction]]) -> State:
    """The end of a working: all heat against the heats at which phases change, then the state."""
    heat, water = work.total("all heat", "J", heats), work.total("all water, ice and steam", "g", waters)
    pairs = [number for metal in metals for number in metal]
    metal = work.add("heat capacity of the metals", "J/K", " + ".join(["{} * {}"] * len(metals)) or "0", *pairs)
    melted = work.add("heat when all is ice at 0 degrees", "J", "0 - {} * {}", water, MELT)
    warm = work.add("heat when all is water at 100 degrees", "J", "100 * ({} * {} + {})", water, WATER, metal)
    boiling_heat = work.add("heat when all is steam at 100 degrees", "J", "{} + {} * {}", warm, water, BOIL)
    final_state = state(heat, water, metal)
    if heat < melted:
        work.add("degrees, all being ice", "", "({} - {}) / ({} * {} + {})", heat, melted, water, ICE, metal)
    elif heat < 0:
        work.add("ice that is left at 0 degrees", "g", "(0 - {}) / {}", heat, MELT)
    elif heat <= warm:
        work.add("degrees, all being water", "", "{} / ({} * {} + {})", heat, water, WATER, metal)
    elif heat <= boiling_heat:
        work.add("steam at 100 degrees", "g", "({} - {}) / {}", heat, warm, BOIL)
    else:
        work.add("degrees, all being steam", "", "100 + ({} - {}) / ({} * {} + {})", heat, boiling_heat, water, STEAM, metal)
    return final_state


def settle(bodies: Sequence[tuple[str, Fraction, Fraction]], extra: Fraction) -> State:
    """The same by another route: from all frozen at -300 degrees, heat is taken in phase by phase until what there is is used up."""
    water = sum((grams for kind, grams, _ in bodies if kind in ("ice", "water", "steam")), Fraction(0))
    metal = sum((grams * Fraction(METALS[kind]) for kind, grams, _ in bodies if kind in METALS), Fraction(0))
    heat_left = extra
    for kind, grams, degrees in bodies:
        if kind in METALS:
            heat_left += grams * Fraction(METALS[kind]) * (degrees + 300)
            continue
        heat_left += grams * ICE * ((degrees if kind == "ice" else 0) + 300)
        if kind != "ice":
            heat_left += grams * (MELT + WATER * (degrees if kind == "water" else 100))
        if kind == "steam":
            heat_left += grams * (BOIL + STEAM * (degrees - 100))
    cold = 300 * (water * ICE + metal)
    if heat_left < cold:
        return State(heat_left / (water * ICE + metal) - 300, water, Fraction(0))
    heat_left -= cold
    if heat_left < water * MELT:
        return State(Fraction(0), water - heat_left / MELT, Fraction(0))
    heat_left -= water * MELT
    if heat_left <= 100 * (water * WATER + metal):
        return State(heat_left / (water * WATER + metal), Fraction(0), Fraction(0))
    heat_left -= 100 * (water * WATER + metal)
    if heat_left <= water * BOIL:
        return State(Fraction(100), Fraction(0), heat_left / BOIL)
    return State(100 + (heat_left - water * BOIL) / (water * STEAM + metal), Fraction(0), water)
