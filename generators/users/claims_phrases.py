"""What people say who claim for what was stolen or damaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng

PLACES = (
    "the main station",
    "the harbour",
    "the market square",
    "the library",
    "the old bridge",
    "the car park",
    "the city park",
    "the tennis club",
)
THINGS = ("bicycle", "camera", "laptop", "watch", "tablet", "ring", "guitar", "drone", "telescope", "leather jacket")
_OPENINGS: Mapping[str, Sequence[str]] = {
    "theft": ("Somebody has stolen things of mine.", "I have been robbed!", "I want to report a theft."),
    "vandalism": ("Somebody has smashed things of mine.", "My things were wrecked by vandals.", "I want to report vandalism."),
    "fire": ("Things of mine burnt in a fire.", "There was a fire, and I lost some things.", "I want to report a damage by fire."),
}
_ADMITS = (
    "Oh. Then the police are right, I got that wrong.",
    "I must have mixed it up. Take what the report says.",
    "Then the report is right. I was upset when I called.",
)
_INSISTS = (
    "No. It was as I say, and the police got it wrong.",
    "I know better than any report. It is as I told you.",
    "The police must have written it down wrongly. I stay with what I said.",
)
_AGREES = ("Yes, I agree.", "That is fine with me.", "All right, send it.")
_OBJECTS = (
    "That cannot be right: by my reckoning it is not {} coins. Please work it out again.",
    "{} coins? That is not what my policy comes to. I agree to nothing before the sum is right.",
    "I make it another sum than {} coins. Please go through it again.",
)
_DECLINES = ("No, that is far too little.", "I do not accept that.", "No. I will not settle for that.")


def opening(rng: Rng, name: str, kind: str) -> str:
    return f"This is {name}. {rng.choice(_OPENINGS[kind])}"


def listed(things: Sequence[str]) -> str:
    named = [f"a {thing}" for thing in things]
    return f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]


def things(rng: Rng, named: Sequence[str]) -> str:
    words = rng.choice(("It was {}.", "I lost {}.", "It is about {}.")).format(listed(named))
    return words[:1].upper() + words[1:]


def date(rng: Rng, day: str) -> str:
    return rng.choice(("It was on {}.", "That happened on {}.", "On {}.")).format(day)


def place(rng: Rng, where: str) -> str:
    return rng.choice(("It was at {}.", "At {}.", "It happened at {}.")).format(where)


def number(rng: Rng, value: str) -> str:
    return rng.choice(("It is {}.", "{}.", "I have it here: {}.")).format(value)


def locked(rng: Rng, is_locked: bool) -> str:
    if is_locked:
        return rng.choice(("Yes, everything was locked.", "Of course it was locked.", "Locked, yes."))
    return rng.choice(("Well, no. It was only for a minute.", "I forgot to lock it, to be honest.", "No, it was open."))


def confronted(rng: Rng, insists: bool) -> str:
    return rng.choice(_INSISTS if insists else _ADMITS)


def objection(rng: Rng, amount: int) -> str:
    """What is said to a sum that is not due."""
    return rng.choice(_OBJECTS).format(amount)


def offered(rng: Rng, agrees: bool) -> str:
    return rng.choice(_AGREES if agrees else _DECLINES)
