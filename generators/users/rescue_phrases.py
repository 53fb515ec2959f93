"""What callers of an emergency line say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng

_EVENTS: Mapping[str, Sequence[str]] = {
    "collapse": ("My husband has collapsed! He lies on the kitchen floor.", "My neighbour fell down and does not get up.", "An old man has collapsed here."),
    "wound": ("My sister has cut herself with a saw.", "My son fell through a glass door and has cut his arm.", "A man here has a deep cut in his leg."),
    "fire": ("The house is on fire!", "There are flames in the kitchen, the smoke is everywhere.", "Our building burns!"),
    "burglary": ("Somebody has broken into our house.", "A window is smashed, there were burglars.", "Somebody broke in through the back door."),
    "crash": ("Two cars have crashed into each other.", "There was an accident, a lorry hit a car.", "A car ran into a tree here."),
    "nuisance": ("My neighbour's music is too loud.", "My cat sits on the roof and does not come down.", "I have lost my key and cannot get in."),
}  # fmt: skip
_CRIES = (
    "Oh God, please, just come! Quick!",
    "I... I do not know what to do! Help!",
    "Why are you asking? Come, come!",
    "No, no, no... please, somebody!",
)
_DONE: Mapping[str, Sequence[str]] = {
    "cpr": ("I am pushing... one, two, three, four.", "Yes. I am doing it."),
    "side": ("He lies on his side now.", "Done, on the side."),
    "press": ("I am pressing a towel on it.", "Yes, I press as hard as I can."),
    "leave": ("We are going out now.", "OK, I am outside."),
    "hide": ("I have locked myself in the bathroom.", "I am in the bedroom, the door is locked."),
}

TABLES: tuple[Mapping[str, Sequence[str]], ...] = (_EVENTS,)
"""Phrases by what they mean."""


def event(rng: Rng, kind: str) -> str:
    return rng.choice(_EVENTS[kind])


def cry(rng: Rng) -> str:
    return rng.choice(_CRIES)


def calmed(rng: Rng, left: int) -> str:
    return rng.choice(
        ("I try... I try. Oh God.", "How can I be calm!")
        if left
        else ("OK. OK. I am breathing. Ask me.", "Yes. All right. What do you need?")
    )


def done(rng: Rng, what: str) -> str:
    return rng.choice(_DONE[what])


def where(rng: Rng, place: str) -> str:
    return rng.choice(("{}.", "It is {}.", "We are here: {}.")).format(place)


def breathing(rng: Rng, breathes: bool) -> str:
    return rng.choice(
        ("Yes, I see the chest move.", "Yes, there is breath.") if breathes else ("No! No breath at all!", "I see nothing move. No.")
    )


def bleeding(rng: Rng, heavily: bool) -> str:
    return rng.choice(
        ("It pours out, everything is red!", "Yes, a lot, it does not stop!")
        if heavily
        else ("Only a little.", "No, it has nearly stopped.")
    )


def inside(rng: Rng, someone: bool) -> str:
    return rng.choice(
        ("My grandmother is still in there!", "Yes, somebody shouts upstairs!")
        if someone
        else ("No, all of us are out.", "Nobody is in there.")
    )


def hurt(rng: Rng, count: int) -> str:
    return (
        rng.choice(("Yes, {}.", "I see {} hurt.")).format(("one person", "two people", "three people")[count - 1])
        if count
        else "No, nobody is hurt."
    )


def intruder(rng: Rng, there: bool) -> str:
    return rng.choice(
        ("Yes, I hear steps downstairs.", "I think so, there is light moving.")
        if there
        else ("No, they are gone.", "No, I saw them run away.")
    )


def floor(rng: Rng, number: int, code: int) -> str:
    return rng.choice(("Floor {}, the code is {}.", "On floor {}. You need the code {}.")).format(number, code)
