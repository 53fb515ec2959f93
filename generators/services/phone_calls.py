"""Calls about phones that are not online: what the agent has found out, what the caller does and says, and the operator's rules in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.mobile_line import (
    CAUSES,
    HARMLESS,
    ROAMING,
    TOP_UP,
    Account,
    Caller,
    Phone,
    Policy,
    Settled,
    served,
    speed,
    status_bar,
)
from rlgym.generators.text.english import count_noun
from rlgym.generators.users import phone_phrases as phrases
from rlgym.generators.users.calls import NOTHING_ELSE, Payment, exchange
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.person import Chat, Line
from rlgym.generators.users.phrases import aside

CAUSE_OF_CHANGE: Mapping[str, str] = {"lift_suspension": "suspended", "book_roaming": "no_roaming", "top_up": "data_used_up"}
_DOES = {
    "airplane_off": "airplane_mode",
    "reseat_sim": "loose_sim",
    "data_on": "data_off",
    "roaming_on": "roaming_off",
    "vpn_off": "vpn",
    "saver_off": "data_saver",
}
_LOOKS = {"airplane": "airplane_mode", "data": "data_off", "roaming": "roaming_off", "vpn": "vpn", "saver": "data_saver"}


class Notes(NamedTuple):
    """What has been found out in a call. What the phone shows is forgotten as soon as something changes."""

    account: bool = False
    pin: bool = False
    place: bool = False
    outages: bool = False
    bar: str = ""
    speed: str = ""
    data: str = ""
    agreed: tuple[int, ...] = ()
    declined: tuple[int, ...] = ()
    found: tuple[str, ...] = ()
    needless: int = 0

    def after_a_change(self) -> Notes:
        return self._replace(bar="", speed="")


class Answer(NamedTuple):
    """The phone, the conversation and the notes after a message, and what the caller said."""

    phone: Phone
    chat: Chat
    notes: Notes
    words: str


def consent(change: str, account: Account) -> int:
    """The coins to which a caller must have agreed before a change; 0 where it costs nothing."""
    if change == "lift_suspension":
        return account.debt
    if change == "book_roaming":
        return 0 if account.contract == "world" else ROAMING
    return 0 if account.contract == "flex" else TOP_UP


def changed(account: Account, change: str) -> Account:
    """The account after a change."""
    if change == "lift_suspension":
        return account._replace(suspended=False)
    return account._replace(roaming=True) if change == "book_roaming" else account._replace(data_used_up=False)


def reason_was_found(notes: Notes, goal: Settled, policy: Policy, account: Account, caller: Caller) -> bool:
    """Whether what ends a call unsolved was seen or heard."""
    if goal.causes == ("not_identified",):
        return notes.pin and notes.account
    if "outage" in goal.causes:
        return notes.outages and notes.place
    if account.suspended and account.debt > policy.most_debt:
        return notes.account
    if caller.abroad and not account.roaming and not account.suspended and caller.place in policy.excluded:
        return notes.place and notes.account
    return bool(notes.declined)


class _Held(NamedTuple):
    phone: Phone
    notes: Notes


def reply(caller: Caller, phone: Phone, account: Account, outage: bool, chat: Chat, notes: Notes, text: str) -> Answer:
    """What a caller does and says after a message."""
    rng = Rng("phone", caller.person.code, chat.messages)

    def react(held: _Held, meaning: Meaning) -> tuple[_Held, Line | None]:
        held, words = _react(rng, caller, account, outage, held, meaning)
        return held, Line("", words) if words else None

    held, said = exchange(caller.person, chat, text, _Held(phone, notes), react)
    if said.chat.gone or held.notes.needless <= caller.needless:
        return Answer(held.phone, said.chat, held.notes, said.words)
    return Answer(held.phone, said.chat._replace(gone=True), held.notes, f"{said.words} {aside(rng, 'hang_up')}")


def _react(rng: Rng, caller: Caller, account: Account, outage: bool, held: _Held, meaning: Meaning) -> tuple[_Held, str]:
    """The phone and the notes after one thing that was said, and the caller's words; no words where they know nothing of it."""
    phone, notes = held
    kind, _, about = meaning.intent.partition(":")
    if kind == "do" and about in _DOES:
        cause = _DOES[about]
        needed = bool(getattr(phone, cause))
        if needed:
            after = notes._replace(found=(*notes.found, cause)).after_a_change()
            return _Held(phone._replace(**{cause: False}), after), phrases.done(rng, cause, True)
        return _Held(phone, notes._replace(needless=notes.needless + 1)), phrases.done(rng, cause, False)
    if kind == "ask" and about in _LOOKS:
        faulty = bool(getattr(phone, _LOOKS[about]))
        seen = notes._replace(data="off" if faulty else "on") if about == "data" else notes
        return _Held(phone, seen), phrases.looked(rng, _LOOKS[about], faulty)
    match meaning.intent:
        case "go_ahead":
            return _agreement(rng, caller, account, held, meaning.amount)
        case "open":
            return held, caller.claim
        case "ask:pin":
            return _Held(phone, notes._replace(pin=True)), phrases.pin(rng, caller.stated_pin)
        case "ask:phone":
            return held, "It is the one from which I am calling."
        case "ask:location":
            return _Held(phone, notes._replace(place=True)), phrases.where(rng, caller.place, caller.abroad)
        case "do:status_bar":
            bar = status_bar(phone, caller)
            return _Held(phone, notes._replace(bar=bar)), phrases.shown(rng, bar)
        case "do:speed_test":
            measured = speed(phone, account, caller)
            return _Held(phone, notes._replace(speed=measured)), phrases.tested(rng, measured)
        case "do:restart":
            now = served(account, caller, outage)
            after = notes._replace(needless=notes.needless + (now == phone.served)).after_a_change()
            return _Held(phone._replace(served=now), after), phrases.done(rng, "restart", True)
        case "anything_else":
            return held, NOTHING_ELSE
    return held, ""


def _agreement(rng: Rng, caller: Caller, account: Account, held: _Held, amount: int | None) -> tuple[_Held, str]:
    payment = Payment(
        (ROAMING, TOP_UP, account.debt), caller.accepts, "If it costs nothing, go ahead; if it does, tell me how much.", "No. I do not know what that is for.",
        phrases.agreed(rng, True), phrases.agreed(rng, False),
    )  # fmt: skip
    agrees, words = payment.answer(amount)
    if agrees is None or amount is None:
        return held, words
    notes = held.notes
    notes = notes._replace(agreed=(*notes.agreed, amount)) if agrees else notes._replace(declined=(*notes.declined, amount))
    return held._replace(notes=notes), words


def briefing(policy: Policy, callers: Sequence[Caller]) -> str:
    """The task, without the tools."""
    listed = "; ".join(f"{caller.person.code} ({caller.person.name})" for caller in callers)
    rules = _rules(policy, len(callers) > 1)
    possible = {*HARMLESS, *(cause for rule, causes in _OF_RULE.items() if rule in policy.rules for cause in causes)}
    causes = "\n".join(f"- {name}: {meaning}" for name, meaning in CAUSES.items() if name in possible)
    several = len(callers) > 1
    restart = (
        "After a suspension has been lifted or roaming has been booked, the phone gets service only when it is restarted. "
        if {"debt", "roaming"} & set(policy.rules)
        else ""
    )
    lines = "\n".join(f"- {rule}" for rule in rules)
    return (
        f"You answer the telephone of a mobile operator. Settle {'these calls' if several else 'this call'}: {listed}.\n\n"
        "Callers are people: speak to them in plain English. On request they look at their phone, change its settings, take out the SIM card or restart it. "
        f"A caller hangs up after more than {count_noun(callers[0].needless, 'needless request')}: to change what is right already, or to "
        "restart a phone for which nothing has changed; and sooner or later when messages are not understood. Questions about what the phone "
        "shows, and whether something is on, are never needless. What callers say unasked may be wrong.\n\n"
        "A phone is online when a speed test is fast. These causes may keep it from that. Several may be there at once, and one may hide others:\n"
        f"{causes}\n{restart}Change nothing on a line but what gets the phone online.\n\n"
        + (f"Rules:\n{lines}\n\n" if rules else "")
        + f"Close {'each call' if several else 'the call'} with the names of all causes that there were"
        + (
            ", in any order, and whether the phone is online now. If a rule ends a call unsolved, name the cause that the rule "
            "is about and, of the causes listed before it, those that there were."
            if rules
            else ", in any order, and whether the phone is online now."
        )
    )


_OF_RULE = {"debt": ("suspended",), "roaming": ("no_roaming", "roaming_off"), "top_up": ("data_used_up",), "outage": ("outage",)}


def _rules(policy: Policy, several: bool) -> list[str]:
    texts = {
        "identify": f"Ask {'every' if several else 'the'} caller for the PIN before you change anything on {'a' if several else 'the'} line or close "
        f"{'a' if several else 'the'} call. If it is not the PIN of the account, change nothing, and close the call unsolved with not_identified as the only "
        "cause.",
        "outage": "If there is an outage where the phone is, change nothing on the line, and close the call unsolved.",
        "debt": f"Lift a suspension only if the debt is at most {policy.most_debt} coins and the caller agrees to pay it: name the amount and ask. Otherwise "
        "close the call unsolved.",
        "roaming": f"Roaming costs {ROAMING} coins, and nothing with the contract 'world'. Where it costs something, name the amount and book it only if the "
        f"caller agrees. It cannot be booked in {' and '.join(policy.excluded)}. If it is not booked, close the call unsolved.",
        "top_up": f"More data costs {TOP_UP} coins, and nothing with the contract 'flex'. Where it costs something, name the amount and add it only if the "
        "caller agrees. If it is not added, close the call unsolved.",
    }
    return [text for rule, text in texts.items() if rule in policy.rules]
