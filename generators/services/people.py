"""People who write to a desk and answer it: how each sort of them puts things."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.worlds.catalogue import codes
from rlgym.generators.worlds.desk import SURNAMES, TOWNS

__all__ = ["PERSONAS", "TOWNS", "codes", "full_names", "greeting", "later", "spoken"]

PERSONAS = ("brief", "chatty", "cross", "formal", "forgetful")
_AROUND = {
    "brief": (("", "Sure: ", "OK: "), ("", "", " That is all.")),
    "chatty": (
        ("Oh, good that you ask, my sister wondered too: ", "Ha, where do I begin: ", "You would not believe my week, but well: "),
        (" And how is the weather with you?", " I told my neighbour the same.", " Anyway!"),
    ),
    "cross": (
        ("I have said so before: ", "Must I say it again? ", "For the third time: "),
        (" And be quick.", " This is ridiculous.", " I want this settled now."),
    ),
    "formal": (("Certainly. ", "I am glad to answer: ", "With pleasure: "), (" Yours faithfully.", " Kind regards.", "")),
    "forgetful": (("Let me see... ", "If I remember right, yes: ", "Now I have it: "), ("", " I think.", " Yes, so it was.")),
}
_LATER = (
    "One moment, I must look for it. Please ask me again.",
    "It was on my tongue. Ask me once more, please.",
    "Wait, someone is at the door.",
)


def full_names(rng: Rng, count: int) -> list[str]:
    """`count` different names."""
    return [f"{rng.choice(PEOPLE)} {last}" for last in rng.sample(SURNAMES, count)] if count <= len(SURNAMES) else _pairs(rng, count)


def spoken(rng: Rng, persona: str, words: str) -> str:
    """Something said in the manner of a persona."""
    before, after = _AROUND[persona]
    return rng.choice(before) + words + rng.choice(after)


def greeting(rng: Rng, name: str) -> str:
    return rng.choice(("Hello, this is {}.", "Good day, {} here.", "Hi! I am {}.", "My name is {}.")).format(name)


def later(rng: Rng, options: Sequence[str] = _LATER) -> str:
    """What a person says who cannot answer at once."""
    return rng.choice(options)


def _pairs(rng: Rng, count: int) -> list[str]:
    return [f"{first} {last}" for first, last in rng.sample([(first, last) for first in PEOPLE for last in SURNAMES], count)]
