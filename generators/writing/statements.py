"""Short statements of everyday English, and sets of them as bit masks with rules of the form "if these hold, that holds"."""

from collections.abc import Iterable, Sequence

from rlgym.core.rng import Rng
from rlgym.generators.text.english import join_words

STATEMENTS: tuple[str, ...] = (
    "the gate is shut", "the pump is running", "the river is high", "the bridge is closed", "the bell is broken", "the mill is idle",
    "the road is wet", "the cellar is flooded", "the lamp is lit", "the stove is cold", "the market is open", "the ferry is late",
    "the barn is full", "the well is dry", "the guard is asleep", "the harbour is frozen", "the cook is ill", "the mail is delayed",
    "the roof is leaking", "the train is crowded", "the wind is strong", "the tower is locked", "the school is empty", "the clock is slow",
    "the bread is stale", "the dog is loose", "the fuse is blown", "the tank is full", "the valve is stuck", "the hall is dark",
)  # fmt: skip
"""No statement says anything of another one."""
CLAIM_STATEMENTS: tuple[str, ...] = (
    "the policy had lapsed", "the car was parked outside", "the driver was a guest", "the key was copied", "the report came late",
    "the damage is old", "the alarm was off", "the invoice is a copy", "the lock was open", "the tenant had moved out", "the premium is unpaid",
    "the water came from outside", "the bicycle was borrowed", "the camera was switched off", "the witness is a relative", "the value is overstated",
    "the photo is older than the damage", "the garage was rented out", "the ring was a gift", "the storm was weak", "the trip was for business",
    "the form is unsigned", "the flat was empty", "the repair was done before",
)  # fmt: skip
"""What the file of an insurance claim may show."""


def sample_statements(rng: Rng, count: int, bank: Sequence[str] = STATEMENTS) -> tuple[str, ...]:
    """So many different statements."""
    return tuple(rng.sample(bank, count))


Rule = tuple[int, int]
"""Premises and conclusions, as bit masks over the statements."""


def closure(known: int, rules: Sequence[Rule]) -> int:
    """Everything that follows from what is known, as a bit mask."""
    grown = True
    while grown:
        grown = False
        for premises, conclusions in rules:
            if premises & known == premises and conclusions & ~known:
                known |= conclusions
                grown = True
    return known


def mask_of(names: Iterable[str], statements: Sequence[str]) -> int:
    """Statements as a bit mask."""
    return sum(1 << statements.index(name) for name in set(names))


def names_of(mask: int, statements: Sequence[str]) -> tuple[str, ...]:
    """The statements of a bit mask."""
    return tuple(name for i, name in enumerate(statements) if mask >> i & 1)


def describe_rules(rules: Sequence[Rule], statements: Sequence[str]) -> str:
    """Rules as a numbered list."""
    return "\n".join(
        f"{i}. If {join_words(names_of(premises, statements))}, then {join_words(names_of(conclusions, statements))}."
        for i, (premises, conclusions) in enumerate(rules, 1)
    )
