"""Answer an emergency line: calm callers, ask in the order of the protocol, tell them what to do, and send units that are too few.

The callers are simulated people who understand ordinary English, German or Spanish. Judged by the units sent, which need all calls to be heard before the
scarce ones are given away, and by what callers were asked and told.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.services.rescue import (
    DISTRICTS,
    INSTRUCTIONS,
    RULES,
    UNITS,
    Caller,
    Heard,
    Unit,
    briefing,
    emergency,
    instruction,
    needed_topics,
    plan,
    reply,
    units_needed,
)
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.users import rescue_phrases
from rlgym.generators.users.calls import NO_CALL, Step, count_turns, hung_up, of_call, open_call, with_call, with_people
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat
from rlgym.generators.users.translation.prompts import LANGUAGE, worded

CODE = Field(max_length=40)
CALM = "Stay calm, I am here with you."
WORDS = {
    "where": "Where are you?",
    "open": "What has happened?",
    "breathing": "Is the person breathing?",
    "bleeding": "Is there a lot of blood?",
    "inside": "Is anybody still inside?",
    "hurt": "Is anybody hurt?",
    "intruder": "Is the burglar still there?",
    "floor": "Which floor is it, and what is the door code?",
    "phone": "What is your phone number?",
    "cpr": "Start chest compressions.",
    "side": "Turn the person on their side.",
    "press": "Press a clean cloth on the wound.",
    "leave": "Leave the building now.",
    "hide": "Hide and lock the door.",
}


class Say(Tool):
    """Says something to the caller with this code, in plain English, and gives the reply. Ask for at most three things in one message."""

    call: str = CODE
    text: str = Field(max_length=4000)


class Locate(Tool):
    """Says in which district a place is."""

    place: str = Field(max_length=80)


class ListUnits(Tool):
    """Lists the free units with the minutes that each needs to a district."""

    district: str = CODE


class Send(Tool):
    """Sends a unit to a call."""

    call: str = CODE
    unit: str = CODE


class Queue(Tool):
    """Puts a call on the list of those that wait for a unit of a kind: ambulance, fire engine or police car."""

    call: str = CODE
    kind: str = CODE


class Transfer(Tool):
    """Transfers a call to the service line."""

    call: str = CODE


class Finish(Tool):
    """Ends the task; what was done is then judged."""


TOOLS = ToolCalls((Say, Locate, ListUnits, Send, Queue, Transfer, Finish))


class Knobs(Config):
    calls: int = knob(3, easy=1, hard=5, doc="calls of the shift")
    rules: int = knob(3, easy=0, hard=5, doc="rules of the protocol")
    kinds: int = knob(4, easy=2, hard=6, doc="kinds of events")
    panic: int = knob(1, easy=0, hard=2, doc="how often a caller must be calmed, at most")
    patience: int = knob(4, easy=6, hard=3, doc="needless messages that a caller puts up with")
    place: str = knob("asked", easy="known", hard="asked", order=("known", "asked"), doc="whether the places of the calls are known")
    language: str = LANGUAGE


class State(TaskData):
    rules: tuple[str, ...]
    callers: tuple[Caller, ...]
    units: tuple[Unit, ...]
    noted: bool
    briefing: str
    goal: tuple[tuple[str, ...], ...]
    chats: tuple[Chat, ...]
    heard: tuple[Heard, ...]
    located: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    deeds: tuple[tuple[str, ...], ...] = ()
    finished: bool = False
    spoiled: str = ""
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    rules = tuple(sorted(rng.sample(RULES, knobs.rules), key=RULES.index))
    noted = knobs.place == "known" and not rules
    drawn = emergency(rng, rules, knobs.calls, knobs.kinds, knobs.panic, knobs.patience, knobs.language)
    return State(
        rules=rules, callers=drawn.callers, units=drawn.units, noted=noted,
        briefing=briefing(rules, drawn.callers, knobs.kinds, noted, knobs.panic),
        goal=plan(drawn.callers, drawn.units, "critical" in rules),
        chats=(Chat(),) * len(drawn.callers), heard=tuple(Heard(panic=caller.panic) for caller in drawn.callers),
        deeds=((),) * len(drawn.callers),
    )  # fmt: skip


def show(state: State) -> str:
    return state.told or f"{state.briefing}\n\n{TOOLS.manual()}"


def act(state: State, turn: Calls, step: Step[State] | None = None) -> State:
    return run_turn(state, turn, step or _step, lambda now: bool(now.spoiled) or now.finished)


def outcome(state: State) -> Score | None:
    if state.spoiled:
        return Score.wrong(state.spoiled)
    if not state.finished:
        return None
    for caller, goal, deeds, heard in zip(state.callers, state.goal, state.deeds, state.heard):
        if tuple(sorted(deeds)) != goal:
            return Score.wrong("a call was decided wrongly")
        due = instruction(caller)
        if "aid" in state.rules and set(heard.done) != ({due} if due else set()):
            return Score.wrong("a caller was not told what to do, or was told something else")
    return Score.exact(True, "every call was decided rightly")


def milestones(state: State) -> dict[str, float]:
    right = sum(tuple(sorted(deeds)) == goal for deeds, goal in zip(state.deeds, state.goal))
    return {"calls_decided": 0.0 if state.spoiled else right / len(state.callers)}


def _step(state: State, call: Tool) -> tuple[State, str]:
    match call:
        case Finish():
            return state.model_copy(update={"finished": True}), ""
        case Locate(place=asked):
            low = asked.strip().lower()
            found = next((caller for caller in state.callers if caller.place.lower() == low), None)
            if found is None:
                return state, f"there is no place {asked!r}"
            return state.model_copy(update={"located": (*state.located, found.place)}), f"{found.place} is in the district {found.district}"
        case ListUnits(district=name):
            district = name.strip().capitalize()
            if district not in DISTRICTS:
                return state, f"there is no district {name!r}"
            column = DISTRICTS.index(district)
            lines = [f"{unit.code}: {unit.kind}, {unit.minutes[column]} minutes" for unit in _free(state)]
            return state.model_copy(update={"listed": (*state.listed, district)}), "\n".join(lines) or "no unit is free"
    place = open_call([caller.person for caller in state.callers], (), str(getattr(call, "call", "")))
    if place is None:
        return state, NO_CALL
    if isinstance(call, Say):
        person = state.callers[place].person
        heard, said = reply(state.callers[place], state.rules, state.chats[place], state.heard[place], call.text)
        return with_call(
            state, place, of_call(heard.broken, person) or hung_up(person, said.chat), chats=said.chat, heard=heard
        ), said.words
    return _decide(state, place, call)


def _free(state: State) -> list[Unit]:
    sent = {deed.removeprefix("send ") for deeds in state.deeds for deed in deeds}
    return [unit for unit in state.units if unit.code not in sent]


def _decide(state: State, place: int, call: Tool) -> tuple[State, str]:
    """The state after a decision about a call. One that rests on what was not heard or looked up loses the task."""
    caller, deed = state.callers[place], "transfer"
    if isinstance(call, Send):
        unit = next((unit for unit in _free(state) if unit.code.lower() == call.unit.strip().lower()), None)
        if unit is None:
            return state, f"there is no free unit {call.unit!r}"
        deed = f"send {unit.code}"
    elif isinstance(call, Queue):
        if call.kind.strip().lower() not in UNITS:
            return state, f"there is no kind of unit {call.kind!r}"
        deed = f"queue {call.kind.strip().lower()}"
    heard = set(needed_topics(caller, state.rules, state.noted)) <= set(state.heard[place].topics)
    looked = isinstance(call, Transfer) or (caller.district in state.listed and (state.noted or caller.place in state.located))
    spoiled = "" if heard and looked else "a call was decided before what it rests on had been heard and looked up"
    return with_call(state, place, of_call(spoiled, caller.person), deeds=(*state.deeds[place], deed)), "done"


def best(state: State, skips: str = "") -> Calls:
    """The next call; `skips` names a rule that is ignored."""
    rules = tuple(rule for rule in state.rules if rule != skips)
    for place, caller in enumerate(state.callers):
        if text := _next_words(state, place, caller, rules, skips):
            return (Say(call=caller.person.code, text=text),)
    for caller in (caller for caller in state.callers if units_needed(caller)):
        if not state.noted and caller.place not in state.located:
            return (Locate(place=caller.place),)
        if caller.district not in state.listed:
            return (ListUnits(district=caller.district),)
    right = plan(state.callers, state.units, "critical" in rules, skips != "nearest")
    for caller, goal, deeds in zip(state.callers, right, state.deeds):
        for deed in (deed for deed in goal if deed not in deeds):
            call, (verb, _, what) = caller.person.code, deed.partition(" ")
            return (
                {"send": Send(call=call, unit=what or "x"), "queue": Queue(call=call, kind=what or "x")}.get(verb, Transfer(call=call)),
            )
    return (Finish(),)


def _next_words(state: State, place: int, caller: Caller, rules: tuple[str, ...], skips: str) -> str:
    """What is said next to a caller, or nothing."""
    heard = state.heard[place]
    if heard.panic:
        return CALM
    topics = needed_topics(caller, rules, state.noted)
    if skips == "order":
        topics = ("open", *(topic for topic in topics if topic != "open"))
    for topic in topics:
        if topic not in heard.topics:
            return WORDS[topic]
    due = instruction(caller)
    return WORDS[due] if "aid" in rules and due and due not in heard.done else ""


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: partial(best, skips=rule) for rule in (*first.rules, *(("nearest",) if len(first.callers) > 1 else ()))}


def mistakes(state: State) -> list[Calls]:
    # Finishes at once; sends the first unit unheard; transfers everybody; gives an instruction that does not fit.
    call, due = state.callers[0].person.code, instruction(state.callers[0])
    other = next(name for name in INSTRUCTIONS if name != due)
    wrong: list[Calls] = [(Finish(),), (Transfer(call=call), Finish()), (Say(call=call, text=WORDS[other]), Finish())]
    right = state.goal[0]
    return wrong if right == ("transfer",) else [*wrong, (Send(call=call, unit=state.units[0].code), Finish())]


def cost(first: State) -> float:
    return float(count_turns(first, act, best, outcome) * (1 + len(first.rules)))


def turns(first: State) -> int:
    return 6 + 3 * count_turns(first, act, best, outcome) // 2


def explain(state: State) -> list[str]:
    known = [f"{caller.person.code}: {', '.join(heard.topics) or 'nothing heard yet'}" for caller, heard in zip(state.callers, state.heard)]
    return ["; ".join(known) + ".", TOOLS.render(best(state))]


environment = Game(
    Knobs, TOOLS, start, worded(show, lambda state: [caller.person for caller in state.callers]), act, outcome, best, mistakes, cost, turns, explain,
    concept="Calm the caller, ask where and what before anything else, and hear all calls before you give the scarce units away.",
    rules=rules,
    milestones=milestones, moods=moods, with_user=with_people(act, _step, "rescue", (CALM, *WORDS.values()), rescue_phrases.TABLES),
    version=5,
)  # fmt: skip
