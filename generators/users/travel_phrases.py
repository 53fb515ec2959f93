"""What two people say who want to travel together, and where to."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.core.rng import Rng

TOWNS = (
    *("Berga", "Colmo", "Dunwick", "Elster", "Fenmoor", "Garda", "Holm", "Istria", "Jorvik", "Kelmar", "Lindau", "Mareno"),
    *("Norvik", "Ostrava", "Pellworm", "Quedo", "Rovigo", "Solden", "Tarvo", "Ulmen", "Varda", "Wexmoor", "Ystad", "Zelmo"),
)
LANDSCAPES = ("sea", "mountains", "city", "lake")
WAYS = ("train", "plane", "bus", "ferry")
FEATURES = ("pool", "garden", "kitchen", "sauna", "lift")


def either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def opening(rng: Rng, told: str) -> str:
    return (
        f"{rng.choice(('We want to get away together.', 'It is our first trip as a couple.', 'We need a holiday, the two of us.'))}{told}"
    )


def landscape(rng: Rng, liked: Sequence[str]) -> str:
    places = either([f"the {word}" if word in ("sea", "mountains") else f"a {word}" for word in liked])
    return rng.choice(("I want to go to {}.", "It must be {}.", "For me only {} will do.")).format(places)


def budget(rng: Rng, most: int) -> str:
    return rng.choice(("At most {} coins.", "Not more than {} coins.", "My limit is {} coins.")).format(most)


def travel(rng: Rng, refused: Sequence[str]) -> str:
    if not refused:
        return rng.choice(("I do not mind at all.", "Any way will do."))
    return rng.choice(("Anything but by {}.", "I will not go by {}.", "Not by {}, please.")).format(either(refused))


def hotel(rng: Rng, needed: Sequence[str]) -> str:
    if not needed:
        return rng.choice(("A bed is enough for me.", "I need nothing special."))
    return rng.choice(("It must have a {}.", "I need a {}.", "A {}, that is a must.")).format(" and a ".join(needed))


def weeks(rng: Rng, free: Sequence[int]) -> str:
    return rng.choice(("I am free in week {}.", "Week {} is possible.", "I can go in week {}.")).format(
        either([str(week) for week in free])
    )


def concession(rng: Rng, what: str) -> str:
    words = {
        "landscape": "If need be, I go anywhere. Forget what I said about the place.",
        "travel": "All right, then I travel any way you like.",
        "hotel": "I can do without what I said about the hotel.",
        "budget": "Then I pay more. Forget my limit.",
    }
    return rng.choice(("{}", "Well. {}")).format(words[what])


def second_thoughts(rng: Rng, way: str) -> str:
    return rng.choice(("Yes: after all, I do not want to go by {}, either.", "One thing. By {} I will not go, it comes to me now.")).format(
        way
    )


def accepts(rng: Rng) -> str:
    return rng.choice(("Yes, that sounds lovely.", "I would like that.", "Yes, let us go there."))


def declines(rng: Rng, been: bool) -> str:
    if been:
        return rng.choice(("No, I was there with somebody else once. Not there, please.", "Not there, I have bad memories of it."))
    return rng.choice(("No, that does not suit me.", "That is not what I told you, so no."))
