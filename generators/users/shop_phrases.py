"""What customers of a shop say in a chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng

REASONS: Mapping[str, Sequence[str]] = {
    "faulty": ("It is faulty.", "It does not work as it should; it is faulty.", "It arrived faulty."),
    "changed_mind": ("I changed my mind.", "I have simply changed my mind.", "I do not want it any more, I changed my mind."),
    "wrong_item": ("It is not what I ordered.", "You sent me something that I did not order.", "What came is not what I ordered."),
}
_OTHER_COLOUR = (
    "I changed my mind about the colour.",
    "I have simply changed my mind about the colour.",
    "There is nothing wrong with it, I changed my mind about the colour.",
)
"""What stands for a changed mind in an exchange: one who does not want a thing any more would not want it in another colour."""
OPENINGS = (
    "I need help with something I bought.",
    "There is a matter with my orders.",
    "Can you sort something out for me?",
    "I have a request.",
)
_ASKS: Mapping[str, Sequence[str]] = {
    "cancel": ("I want to cancel {}.", "Please cancel {}.", "{} should not be sent any more, cancel it."),
    "return": ("I want to give back {} for money.", "Please take back {}, I want my money.", "I would like to return {} and be paid back."),
    "exchange": (
        "I want {} in another colour.",
        "Please exchange {} for one of another colour.",
        "I would like {} swapped for another colour.",
    ),
}
_CLAIMS = (
    "It came only last week.",
    "A colleague of yours said that would be no problem.",
    "I am a gold customer, by the way.",
    "You need not check anything.",
)
_FALLBACKS: Mapping[str, Sequence[str]] = {
    "cancel": ("Then cancel it.", "In that case cancel it."),
    "return": ("Then I want to return it for money.", "Then take it back and pay me back."),
    "exchange": ("Then exchange it for {} one.", "In that case I want {} one in exchange."),
    "none": ("Then leave it as it is.", "Nothing, then."),
}


def wish(rng: Rng, kind: str, named: str, extra: Sequence[str] = ()) -> str:
    words = rng.choice(_ASKS[kind]).format(named)
    return " ".join([words[:1].upper() + words[1:], *extra])


def claim(rng: Rng) -> str:
    """Something that need not be true."""
    return rng.choice(_CLAIMS)


def reason(rng: Rng, kind: str, wanted: str) -> str:
    """Why a customer wants something done: `wanted` is the kind of the wish."""
    return rng.choice(_OTHER_COLOUR if (kind, wanted) == ("changed_mind", "exchange") else REASONS[kind])


def colour(rng: Rng, name: str) -> str:
    return rng.choice(("In {}, please.", "{}.", "I want it in {}.")).format(name).capitalize()


def fallback(rng: Rng, kind: str, wanted: str) -> str:
    return rng.choice(_FALLBACKS[kind]).format(f"{'an' if wanted[:1] in 'aeiou' else 'a'} {wanted}")


def withdrawal(rng: Rng, named: str) -> str:
    return rng.choice(("On second thought, leave {} as it is.", "Forget what I said about {}.", "I take back my wish about {}.")).format(
        named
    )


def other_colour(rng: Rng, named: str, old: str, new: str) -> str:
    """A change of mind about the colour of something that is to be exchanged."""
    words = rng.choice(
        (
            "I thought again about {}: make it {new}, not {old}.",
            "About {}: I would rather have {new} than {old}.",
            "{} should be {new} after all, not {old}.",
        )
    ).format(named, old=old, new=new)
    return words[:1].upper() + words[1:]


def nothing_more(rng: Rng) -> str:
    return rng.choice(("Nothing more, thank you.", "No, that was all.", "No, that is everything."))


def email(rng: Rng, address: str) -> str:
    return rng.choice(("It is {}.", "{} is my address.", "You have me under {}.", "My e-mail is {}.")).format(address)


def town(rng: Rng, place: str) -> str:
    return rng.choice(("I live in {}.", "In {}.", "My town is {}.")).format(place)
