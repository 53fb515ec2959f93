"""What callers say about their phones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng

_SHOWN: Mapping[str, Sequence[str]] = {
    "plane": ("There is only a tiny plane up there.", "I see a little plane, nothing else.", "A plane, like at the airport, and no more."),
    "no_sim": ("It says: No SIM.", "There are the words No SIM card.", "A small card with a line through it, and No SIM."),
    "no_service": ("It says: No service.", "Where the bars were it says No service now.", "No service, it says. No bars at all."),
    "no_data": (
        "Four bars, and nothing beside them.",
        "I have bars, but no 4G or the like beside them.",
        "The bars are there. The sign for data is not.",
    ),
    "key": ("Bars, 4G, and a little key next to it.", "There is a key beside the 4G sign.", "Bars, and 4G with a small key."),
    "data": ("Full bars and 4G.", "Bars, and 4G beside them.", "It looks as always: bars and 4G."),
}
_SPEED: Mapping[str, Sequence[str]] = {
    "none": ("The page does not load at all.", "It says that there is no connection.", "Nothing. The test does not even start."),
    "slow": ("It is crawling: almost zero.", "The test says very slow.", "A page opens, but it takes a minute."),
    "fast": ("It is fast!", "The page is there at once.", "The test says that the speed is excellent."),
}
_DONE: Mapping[str, Sequence[str]] = {
    "airplane_mode": ("It was on! I have switched it off.", "Oh, that was on. Off it is now."),
    "loose_sim": ("Done. It did sit loosely, now it clicked.", "Out and in again. It had come loose, I think."),
    "data_off": ("It was off. I have switched it on.", "That was off, indeed. Now it is on."),
    "roaming_off": ("Roaming was off on the phone; it is on now.", "It was switched off. I have put it on."),
    "vpn": ("There was one running. I have ended it.", "Yes, it was connected. It is off now."),
    "data_saver": ("It was on, since my last trip I think. It is off now.", "That was on. I have switched it off."),
    "restart": ("It is up again.", "Off and on again. It is back.", "I have restarted it."),
}
_NOT_NEEDED: Mapping[str, Sequence[str]] = {
    "airplane_mode": ("Airplane mode is off already.", "It is not on at all."),
    "loose_sim": ("I took it out and put it back; it sat tight.", "The card was fine, but I did as you said."),
    "data_off": ("Mobile data is on already.", "It is on, I have just looked."),
    "roaming_off": ("That is on already.", "Data roaming is on here."),
    "vpn": ("There is no VPN running.", "I see no VPN that is on."),
    "data_saver": ("There is no saver on.", "It is off already."),
}
_STATE: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "airplane_mode": (("Yes, it is on.",), ("No, it is off.",)),
    "data_off": (("No, it is off.", "It is off, I see."), ("Yes, it is on.", "It is on.")),
    "roaming_off": (("No, that is off.", "It is off on the phone."), ("Yes, it is on.", "That is on.")),
    "vpn": (("Yes, one is running.",), ("No, none.",)),
    "data_saver": (("Yes, it is on.",), ("No, it is off.",)),
}
"""What a caller says who looks whether something keeps the phone offline: where it does, and where it does not."""

TABLES: tuple[Mapping[str, Sequence[str]], ...] = (_SHOWN, _SPEED, _DONE)
"""Phrases by what they mean."""


def shown(rng: Rng, code: str) -> str:
    return rng.choice(_SHOWN[code])


def tested(rng: Rng, code: str) -> str:
    return rng.choice(_SPEED[code])


def done(rng: Rng, cause: str, needed: bool) -> str:
    return rng.choice((_DONE if needed else _NOT_NEEDED)[cause])


def looked(rng: Rng, cause: str, faulty: bool) -> str:
    return rng.choice(_STATE[cause][0 if faulty else 1])


def where(rng: Rng, place: str, abroad: bool) -> str:
    if abroad:
        return rng.choice(("I am abroad, in {}.", "On holiday in {}.", "In {}, for work.")).format(place)
    return rng.choice(("At home, in {}.", "I am in {}.", "In {}, where I live.")).format(place)


def pin(rng: Rng, stated: str) -> str:
    return rng.choice(("It is {}.", "{}.", "The PIN is {}.", "One moment... {}.")).format(stated)


def agreed(rng: Rng, accepts: bool) -> str:
    if accepts:
        return rng.choice(("Yes, do that.", "Fine, I will pay that.", "I agree.", "If it has to be, yes."))
    return rng.choice(("No, I will not pay that.", "Certainly not. Leave it then.", "No. That is too much for me."))
