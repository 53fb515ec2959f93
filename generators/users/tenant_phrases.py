"""What tenants say about faults in their flats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng

_REPORTS: Mapping[str, Sequence[str]] = {
    "window": (
        "The pane of a window is broken.",
        "There is a crack right through my kitchen window.",
        "My balcony window has no glass any more.",
    ),
    "lock": ("The lock of my door jams.", "My key does not turn in the door any more.", "The front door of my flat does not lock."),
    "leak": ("The pipe under my sink leaks.", "Water drips under the kitchen sink.", "It is wet under the basin in the bathroom."),
    "socket": ("No socket in my kitchen has power.", "Half of my flat has no electricity.", "The lights and sockets in one room are dead."),
    "heating": ("My radiators stay cold.", "The heating in my flat does not get warm.", "It is freezing here: the heating is off."),
}
_DANGER: Mapping[str, Sequence[str]] = {
    "gas": ("There is a smell, like gas.", "Now that you ask: it smells of gas here."),
    "sparks": ("A socket sparks when I touch the switch.", "There were sparks, and it smells burnt."),
    "water": ("The water is still running out.", "It keeps flowing, I have a bucket under it."),
    "": ("No, nothing of the kind.", "No, nobody is in danger.", "No. It is only a nuisance."),
}

TABLES: tuple[Mapping[str, Sequence[str]], ...] = (_REPORTS, _DANGER)
"""Phrases by what they mean."""


def report(rng: Rng, kind: str) -> str:
    return rng.choice(_REPORTS[kind])


def danger(rng: Rng, kind: str) -> str:
    return rng.choice(_DANGER[kind])


def flat(rng: Rng, code: str) -> str:
    return rng.choice(("I live in {}.", "It is flat {}.", "{}.", "Flat {}, for six years now.")).format(code)


def since(rng: Rng, days: int) -> str:
    return rng.choice(("For {} days now.", "It began {} days ago.", "It has been like this for {} days.")).format(days)


def cause(rng: Rng, by_tenant: bool) -> str:
    if by_tenant:
        return rng.choice(
            (
                "Well, my son kicked a ball against it.",
                "I tried to mend it myself, and then it was worse.",
                "A guest of mine broke it, I am afraid.",
            )
        )
    return rng.choice(
        ("It just happened, from old age I suppose.", "Nobody did anything. It simply stopped.", "I found it like that in the morning.")
    )


def breaker(rng: Rng, tripped: bool) -> str:
    if tripped:
        return rng.choice(
            (
                "One switch was down. I pushed it up, and there is power again!",
                "A breaker had tripped. It is up again, and everything works.",
            )
        )
    return rng.choice(("All switches are up.", "Nothing has tripped there."))


def valve(rng: Rng) -> str:
    return rng.choice(("Done, it is closed. No water comes any more.", "I have shut it. The dripping has stopped."))


def gauge(rng: Rng, tenths: int) -> str:
    return rng.choice(("The needle is at {} bar.", "It shows {} bar.", "{} bar, if I read it right.")).format(f"{tenths / 10:.1f}")
