"""Answer a clinic's telephone: talk to callers in your own words, and book, move, cancel or refuse by the clinic's rules.

The callers are simulated people with a persona, a mood and limited patience, who understand ordinary English, tell only what they
are asked, forget, take wishes back and turn down times that seemed to suit them. Judged by the changes made; each must rest on what was heard.
"""

from functools import partial

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool
from rlgym.generators.services.clinic import BOOK, FEE, HOURS, book, clinic
from rlgym.generators.services.clinic_tools import (
    TOOLS,
    Book,
    Cancel,
    FindPatients,
    GetAppointment,
    GetPatient,
    Keep,
    ListAppointments,
    ListFreeSlots,
    Move,
    PutThrough,
    Refuse,
    SayToCaller,
)  # fmt: skip
from rlgym.generators.services.office import Service
from rlgym.generators.services.policy import HASTY, Policy, Rule, Seen, deciding, listed, policy
from rlgym.generators.services.records import Eyes, Record
from rlgym.generators.users.clinic_phrases import instructions
from rlgym.generators.users.desk import Conversations, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.slots import WEEKDAYS
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded


class Knobs(Config):
    calls: int = knob(4, easy=1, hard=6, doc="callers, one after the other")
    rules: int = knob(4, easy=2, hard=7, doc="rules besides the general one")
    wishes: str = knob(
        "book", easy="cancel", hard="book", order=("cancel", "move", "book"), doc="what callers may want: cancel, also move, also book"
    )
    slots: int = knob(8, easy=6, hard=14, doc="free slots of a department")
    refusals: int = knob(1, easy=0, hard=2, doc="most slots that a caller turns down though they seemed to suit")
    checks: str = knob(
        "all", easy="none", hard="all", order=("none", "all"), doc="whether callers are identified and asked for further wishes"
    )
    language: str = LANGUAGE


class State(Conversations):
    calls: tuple[str, ...]
    policy: Policy
    checked: bool


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, last=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Later rules overrule earlier ones."""
    return _state(rng, knobs, last=True)


def _state(rng: Rng, knobs: Knobs, last: bool) -> State:
    rules, checked = policy(rng, book(knobs.wishes), knobs.rules, last), knobs.checks == "all"
    world = clinic(rng, rules, knobs.wishes, knobs.calls, knobs.slots, knobs.refusals, checked, checked)
    calls = tuple(person.code for person in world.people)
    records = (*world.records, *(Record("call", code, {}) for code in calls))
    briefing = instructions(world.people, checked, knobs.wishes != "cancel") + listed(book(knobs.wishes), rules)
    return State(
        briefing=briefing,
        records=records,
        cases=len(calls),
        people=speaking(knobs.language, world.people),
        chats=(Chat(),) * len(calls),
        calls=calls,
        policy=rules,
        checked=checked,
    )


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    call, born = state.calls[case], "1900-01-01"
    wish, patient = _hear(eyes, call, "wish"), ""
    if state.checked:
        found = eyes.all(FindPatients(name=state.people[case].name))
        patients = eyes.reads([GetPatient(code=one.code) for one in found])
        born = patients[0].word("birth date") if slip == "credulous" else _hear(eyes, call, "birth_date").word("birth date")
        same = [one.code for one in patients if one.facts["birth date"] == born]
        if not same:
            return [Refuse(call=call, wish=1, rule=0)]
        patient = same[0]
    wishes = [wish]
    while state.checked and slip != "never_asks_more" and wishes[-1].facts["wish"] != "none":
        wishes.append(_hear(eyes, call, f"more {len(wishes)}"))
    if any(one.facts["wish"] == "withdrawn" for one in wishes):
        return [Keep(call=call, wish=1)]
    real = [one for one in wishes if one.facts["wish"] != "none"]
    asks = [partial(_settle, state, eyes, call, patient, number, one, slip) for number, one in enumerate(real, 1)]
    return eyes.each(asks)


def _settle(state: State, eyes: Eyes, call: str, patient: str, number: int, wish: Record, slip: str) -> Tool:
    """What is to be done about one wish. Callers who are not checked have names of their own."""
    appointment = wish.word("appointment")
    if not patient and wish.facts["wish"] != "cancel":
        patient = eyes.all(FindPatients(name=next(one.name for one in state.people if one.code == call)))[0].code
    if not appointment and wish.facts["wish"] != "book":
        own = [one.code for one in eyes.all(ListAppointments(patient=patient)) if one.facts["department"] == wish.facts["department"]]
        if not own:  # only where the caller was taken for somebody else
            return Refuse(call=call, wish=number, rule=0)
        appointment = own[0]
    get = GetAppointment(code=appointment)
    facts = Seen(
        eyes,
        {
            **dict.fromkeys(("kind", "booked by", "days ahead", "times moved"), get),
            **dict.fromkeys(("missed this year", "referrals"), GetPatient(code=patient)),
            "urgent": SayToCaller.asking("reason", call),
            "insurer": SayToCaller.asking("insurance", call),
        },
        {"wish": wish.facts["wish"], "department": wish.facts["department"]},
    )
    rule: Rule = deciding(BOOK, state.policy, facts, slip)
    match BOOK[rule.kind].verdict, wish.facts["wish"]:
        case "refuse", _:
            return Refuse(call=call, wish=number, rule=state.policy.rules.index(rule) + 1)
        case "nurse", _:
            return PutThrough(call=call, wish=number)
        case "fee", _:
            eyes.read(get)
            agrees = slip == "no_consent" or _hear(eyes, call, f"charge {FEE}").facts["pays"] == "yes"
            return Cancel(call=call, appointment=appointment, fee=True) if agrees else Keep(call=call, wish=number)
        case _, "cancel":
            eyes.read(get)
            return Cancel(call=call, appointment=appointment, fee=False)
        case _, "move":
            department = eyes.read(get).word("department")
            return Move(call=call, appointment=appointment, slot=_slot(eyes, call, department, slip))
    return Book(call=call, slot=_slot(eyes, call, wish.word("department"), slip))


def _slot(eyes: Eyes, call: str, department: str, slip: str) -> str:
    """The earliest free slot that the caller accepts."""
    rows = sorted(eyes.all(ListFreeSlots(department=department)), key=_place)
    suits = _hear(eyes, call, "times")
    days, opens, closes = suits.names("days"), suits.number("opens"), suits.number("closes")
    for row in (row for row in rows if row.facts["day"] in days and opens <= HOURS.index(row.word("time")) < closes):
        if slip == "offers_nothing" or _hear(eyes, call, f"offer {row.facts['day']} at {row.facts['time']}").facts["accepts"] == "yes":
            return row.code
    raise AssertionError(f"no slot suits {call}")


def _place(slot: Record) -> tuple[int, int]:
    return WEEKDAYS.index(slot.word("day")), HOURS.index(slot.word("time"))


def _hear(eyes: Eyes, call: str, name: str) -> Record:
    return eyes.read(SayToCaller.asking(name, call))


def _needs(state: State, change: Tool) -> list[str]:
    """What must have been heard before a change."""
    call = str(getattr(change, "call", ""))
    if call not in state.calls:
        return []
    codes = {record.code: record for record in state.records if record.code.startswith(f"{call} ".lower())}
    needed = [f"{call} birth_date"] if state.checked else []
    if state.checked and not (isinstance(change, Refuse) and change.rule == 0):
        needed.append(max(code for code in codes if " more " in code))
    if isinstance(change, Book | Move):
        slot = next((record for record in state.records if record.kind == "slot" and record.code == change.slot), None)
        needed += [f"{call} offer {slot.facts['day']} at {slot.facts['time']}"] if slot else []
    if isinstance(change, Cancel) and change.fee:
        needed.append(f"{call} charge {FEE}")
    return [code.lower() if " " in code else code for code in needed]


def _refuses(state: State, change: Tool) -> str:
    slot = getattr(change, "slot", None)
    known = slot is None or any(record.kind == "slot" and record.code == slot for record in state.records)
    return "" if known else f"there is no slot {slot!r}"


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What a caller says to an offer or a question that none of the lines answers."""
    match meaning.intent:
        case "offer":
            return Line("", "No, I cannot come then.")
        case "go_ahead":
            return Line(
                "", "If it costs nothing, go ahead; if it does, tell me how much." if meaning.amount is None else "No, I will not pay that."
            )
        case "ask:name":
            return Line("", f"My name is {person.name}.")
        case "ask:phone":
            return Line("", "It should be the number from which I am calling.")
        case "ask:cancel_which":
            line = next(record for record in state.records if record.code == f"{person.code} wish".lower())
            return Line(line.code, line.word("says"))
    return None


def _talk(state: State, call: Tool) -> tuple[State, str] | None:
    return talk(state, call, TOOLS, _react)


def _stated(state: State) -> tuple[str, ...]:
    kinds = tuple(rule.kind for rule in state.policy.rules if rule.kind != "default")
    return (
        *kinds,
        *(("no_consent",) if "late" in kinds else ()),
        *((HASTY,) if len(kinds) > 1 else ()),
        *(("credulous", "never_asks_more") if state.checked else ()),
    )


desk = Service(
    TOOLS, decide, slips=("offers_nothing",), needs=_needs, refuses=_refuses, stated=_stated,
    talk=_talk, heard=hear, voices=("answer",),
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Hear all that a caller wants before you act, look up what decides it, and agree on a slot or a fee before you write it down.",
    rules=desk.rules,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
    version=8,
)  # fmt: skip
