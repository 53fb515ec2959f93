"""What people say about a bag that did not arrive, and the words for how bags look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng

KINDS = ("suitcase", "backpack", "duffel bag", "trunk", "garment bag")
COLOURS = ("black", "dark blue", "grey", "green", "brown", "purple", "beige")
BRANDS = ("Nordo", "Velta", "Karro", "Osmin", "Tramo", "Lindal")
MARKS = (
    "a red ribbon on the handle",
    "a sticker of a whale",
    "a yellow strap around it",
    "a torn side pocket",
    "a wooden tag without a name",
    "a white stripe",
)
LOOKS: Mapping[str, Sequence[str]] = {"kind": KINDS, "colour": COLOURS, "brand": BRANDS, "mark": MARKS}
_OPENINGS = ("My bag has not arrived.", "I have lost my bag at your airport.", "My bag was not on the belt.", "You have lost my luggage!")
_SAID: Mapping[str, Sequence[str]] = {
    "kind": ("It is a {}.", "A {}.", "I had a {}."),
    "colour": ("It is {}.", "{}.", "I would call it {}."),
    "brand": ("The brand is {}.", "It says {} on it.", "{}."),
    "mark": ("It has {}.", "You will know it by this: {}.", "Yes, {}."),
    "passport": ("It is {}.", "{}.", "The number is {}."),
}


def opening(rng: Rng, name: str, described: str) -> str:
    return " ".join(filter(None, (f"This is {name}.", rng.choice(_OPENINGS), described)))


def described(looks: Mapping[str, str], flight: str) -> str:
    """All looks of a bag in one go."""
    return f"I came with {flight}. It is a {looks['colour']} {looks['kind']} by {looks['brand']} with {looks['mark']}."


def look(rng: Rng, name: str, value: str) -> str:
    words = rng.choice(_SAID[name]).format(value)
    return words[:1].upper() + words[1:]


def journey(rng: Rng, town: str, day: str) -> str:
    return rng.choice(("I came from {} on {}.", "I flew in from {} on {}.", "My flight was from {}, on {}.")).format(town, day)


def contents(rng: Rng, items: Sequence[str]) -> str:
    listed = f"{', '.join(items[:-1])} and {items[-1]}"
    return rng.choice(("There was {}.", "Among other things {}.", "I remember {}.", "I packed {}, and clothes.")).format(listed)


def objection(rng: Rng, amount: int) -> str:
    """What is said to a fee that is not due."""
    return rng.choice(
        (
            "{} coins? I do not think that I owe you that. What should it be for?",
            "No. {} coins cannot be right; please check it.",
            "I agree to nothing of {} coins. Look up again what it is.",
        )
    ).format(amount)


def sure(rng: Rng, name: str) -> str:
    return rng.choice(("Yes, I am quite sure.", "Of course I am sure.", f"I am certain about the {name}."))


def corrected(rng: Rng, value: str) -> str:
    return rng.choice(
        ("Now that you ask: no. It is {}.", "Wait, I mixed it up with my other one. It is {}.", "You are right, I was wrong. It is {}.")
    ).format(value)
