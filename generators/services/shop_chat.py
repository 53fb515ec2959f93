"""What a customer of a shop can say: wishes about orders, reasons, second choices and changes of mind."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.records import Record
from rlgym.generators.users import shop_phrases as phrases
from rlgym.generators.users.desk import line
from rlgym.generators.users.matters import Matter
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.worlds.catalogue import COLOURS

_CODE = re.compile(r"\br\d+\b")
WISHES = ("cancel", "return", "exchange")
PATIENCE = 8
LATEST = "last order"
_LATEST_NAMES = (LATEST, "latest order", "most recent order", "newest order", "last of all", "last one you placed")
Wanted = dict[str, Any]  # an order's facts, and what its customer wants of it


class Request(NamedTuple):
    """A wish about an order; `key` is how the person names it: by its code, its product or as the last one."""

    wanted: Wanted
    order: str
    product: str
    key: str


def line_name(number: int) -> str:
    """The name of the line of a wish, by its place."""
    return "wish" if number == 1 else f"more {number - 1}"


def customer(rng: Rng, name: str, requests: Sequence[Request], answers: Sequence[Record], told: str) -> Person:
    """A person who may answer a few questions only when asked twice, and may give a reason unasked."""
    persona = rng.choice(PERSONAS)
    kinds = [one.product.split()[-1] for one in requests]
    matters = []
    for one, kind in zip(requests, kinds, strict=True):
        own = (kind,) if kinds.count(kind) == 1 and kind not in ("box", "frame", "desk") else ()
        material = one.product.split()[0]
        alone = [other.product.split()[0] for other in requests].count(material) == 1 and material != "paper"
        own = (*own, *((material,) if alone else ()))
        latest = _LATEST_NAMES if one.key == LATEST else ()
        matters.append(Matter(one.key, (one.product, one.order.lower(), *own, *latest)))
    asked = [answer.code for answer in answers if answer.code.split()[0] in ("email", "town", "wish", "reason", "fallback")]
    forgets = rng.sample(asked, min(len(asked), rng.integer(1, 3) if persona == "forgetful" else int(rng.chance(0.3))))
    reasons = [answer.code for answer in answers if answer.code.startswith("reason ") and answer.code not in forgets]
    volunteers = ((len(requests) + 3, rng.choice(reasons)),) if reasons and told == "some" and rng.chance(0.4) else ()
    return Person("", name, persona, "shop", PATIENCE, tuple(forgets), volunteers, tuple(matters))


def changes_of_mind(
    rng: Rng, requests: Sequence[Request], taken_back: int, answers: list[Record], records: list[Record], made: Callable[[Wanted], bool]
) -> list[Record]:
    """What the person says after the last wish: one is taken back, or an exchange is to have another colour than was said before.

    The colour is that of an exchange that is made, where there is one, so that it matters; what is wanted and how it stands decides that.
    """
    further, count = list[Record](), len(requests)
    swapped = [number for number, one in enumerate(requests, 1) if one.wanted["wish"] == "exchange" and number != taken_back]
    swapped = [number for number in swapped if made(requests[number - 1].wanted)] or swapped
    if swapped and rng.chance(0.9):
        number = rng.choice(swapped)
        one, name = requests[number - 1], line_name(count + 1)
        old = rng.choice([colour for colour in COLOURS if colour not in (one.wanted["colour"], one.wanted["wanted"])])
        place = next(place for place, answer in enumerate(answers) if answer.code == f"colour {one.key}")
        answers[place] = line("", f"colour {one.key}", phrases.colour(rng, old), colour=old, until=name)
        records.append(
            Record(
                "variant", f"{one.product} {old}", {"stock": rng.integer(0, 9), "price now": one.wanted["price"] + 10 * rng.integer(-3, 3)}
            )
        )
        first = next(place for place, answer in enumerate(answers) if answer.code == line_name(number))
        said = answers[first].facts
        answers[first] = answers[first]._replace(facts={**said, "colour": old, "says": f"{said['says']} In {old}, please."})
        words = phrases.other_colour(rng, _named(one.key), old, str(one.wanted["wanted"]))
        further.append(line("", name, words, wish="colour", about=one.key, colour=one.wanted["wanted"], brings_up=one.key))
    if taken_back:
        key = requests[taken_back - 1].key
        further.append(line("", line_name(count + len(further) + 1), phrases.withdrawal(rng, _named(key)), wish="back", about=key))
    return further


def _named(key: str) -> str:
    return "the order that I placed last of all" if key == LATEST else f"the {_CODE.sub(lambda code: code[0].upper(), key)}"


def answers_about(rng: Rng, number: int, one: Request, told: str) -> list[Record]:
    """What the person says about one order."""
    wanted, key = one.wanted, one.key
    colour, reason = phrases.colour(rng, wanted["wanted"]), phrases.reason(rng, wanted["reason"], wanted["wish"])
    extra = [f"In {wanted['wanted']}, please."] if wanted["wish"] == "exchange" and told == "all" else []
    extra += [reason] if told == "all" else [phrases.claim(rng)] if rng.chance(0.4) else []
    named = f"my order {one.order}" if told == "all" else _named(key)
    known = {"colour": wanted["wanted"], "reason": wanted["reason"]} if told == "all" else {}
    rest = rng.choice([wish for wish in WISHES if wish != wanted["wish"]] + ["none"])
    whose = {"order": one.order, "product": ""} if told == "all" else {"order": "", "product": "" if key == LATEST else one.product}
    words = phrases.wish(rng, wanted["wish"], named, extra)
    return [
        line("", line_name(number), words, wish=wanted["wish"], about=key, brings_up=key, **whose, **known),
        line("", f"colour {key}", colour, colour=wanted["wanted"]),
        line(
            "",
            f"reason {key}",
            f"{_named(key)[:1].upper()}{_named(key)[1:]}: {reason[:1].lower()}{reason[1:]}".replace(": i ", ": I "),
            reason=wanted["reason"],
        ),
        line("", f"fallback {key}", phrases.fallback(rng, rest, wanted["wanted"]), wish=rest),
    ]
