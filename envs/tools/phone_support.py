"""Get callers' phones online: ask what they see, have them do things on the phone, and change what the operator's rules allow on the line.

Callers are simulated people who understand ordinary English and act on the same world: they read the status bar, flip switches and restart the
phone on request. Faults hide one another. Judged by the phones and lines at the end, and by the causes that are named.
"""

from collections.abc import Callable, Mapping
from functools import partial

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls as Turn
from rlgym.answers import Tool
from rlgym.generators.services.mobile_line import COUNTRIES, RULES, Account, Caller, Phone, Policy, Settled, calls, settled, speed
from rlgym.generators.services.phone_calls import CAUSE_OF_CHANGE, Notes, briefing, changed, consent, reason_was_found, reply
from rlgym.generators.services.phone_tools import (
    CHANGES,
    TOOLS,
    BookRoaming,
    Close,
    GetAccount,
    LiftSuspension,
    ListOutages,
    OrderSim,
    Say,
    TopUp,
)
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.users import phone_phrases
from rlgym.generators.users.calls import NO_CALL, Step, calls_settled, count_turns, hung_up, of_call, open_call, with_call, with_people
from rlgym.generators.users.calls import settled as score_calls
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat
from rlgym.generators.users.translation.prompts import LANGUAGE, worded

PIN, WHERE, LOOK, TEST = "What is your PIN?", "Where are you now?", "What does your status bar show?", "Please run a speed test."
SHOWN = {
    "plane": "Please switch off airplane mode.",
    "no_sim": "Please take the SIM card out and put it back in.",
    "key": "Please switch off the VPN.",
}
RESTART, DATA_ON, ROAMING_ON = "Please restart your phone.", "Please switch on mobile data.", "Please switch on data roaming on your phone."
IS_DATA_ON, SAVER_OFF, COSTS = "Is mobile data on?", "Please switch off the data saver.", "That costs {} coins. Shall I go ahead?"
PLAINEST = ("How can I help you?", PIN, WHERE, LOOK, TEST, *SHOWN.values(), RESTART, DATA_ON, ROAMING_ON, IS_DATA_ON, SAVER_OFF)


class Knobs(Config):
    callers: int = knob(2, easy=1, hard=4, doc="callers, one after the other")
    faults: int = knob(2, easy=1, hard=4, doc="most causes of a call")
    rules: int = knob(3, easy=0, hard=5, doc="rules of the operator")
    refusals: float = knob(0.3, easy=0.0, hard=0.5, doc="chance that a call that one rule is about ends unsolved")
    patience: int = knob(3, easy=3, hard=2, doc="needless requests that a caller puts up with")
    language: str = LANGUAGE


class State(TaskData):
    policy: Policy
    callers: tuple[Caller, ...]
    outages: tuple[str, ...]
    goals: tuple[Settled, ...]
    phones: tuple[Phone, ...]
    accounts: tuple[Account, ...]
    chats: tuple[Chat, ...]
    notes: tuple[Notes, ...]
    deeds: tuple[tuple[str, ...], ...]
    closed: tuple[int, ...] = ()
    spoiled: str = ""
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    rules = tuple(sorted(rng.sample(RULES, knobs.rules), key=RULES.index))
    excluded = tuple(rng.sample(COUNTRIES, 2)) if "roaming" in rules else ()
    policy = Policy(rules, rng.integer(30, 60), excluded)
    drawn = calls(rng, policy, knobs.callers, knobs.faults, knobs.patience, knobs.refusals)
    callers = tuple(caller._replace(person=caller.person.speaking(knobs.language)) for caller in drawn.callers)
    lines = list(zip(drawn.phones, drawn.accounts, callers, strict=True))
    goals = tuple(settled(phone, account, caller, caller.place in drawn.outages, policy) for phone, account, caller in lines)
    return State(
        policy=policy, callers=callers, outages=drawn.outages, goals=goals, phones=drawn.phones, accounts=drawn.accounts,
        chats=(Chat(),) * len(lines), notes=(Notes(),) * len(lines), deeds=((),) * len(lines),
    )  # fmt: skip


def show(state: State) -> str:
    return state.told or f"{briefing(state.policy, state.callers)}\n\n{TOOLS.manual()}"


def act(state: State, turn: Turn, step: Step[State] | None = None) -> State:
    return run_turn(state, turn, step or _step, lambda now: bool(now.spoiled) or len(now.closed) == len(now.callers))


def outcome(state: State) -> Score | None:
    return score_calls(state, state.callers, state.closed)


def milestones(state: State) -> Mapping[str, float]:
    return calls_settled(state, state.callers, state.closed, "calls_closed")


def _step(state: State, call: Tool) -> tuple[State, str]:
    if isinstance(call, ListOutages):
        notes = tuple(note._replace(outages=True) for note in state.notes)
        return state.model_copy(update={"notes": notes}), f"outages now: {', '.join(state.outages) or 'none'}"
    place = open_call([caller.person for caller in state.callers], state.closed, str(getattr(call, "call", "")))
    if place is None:
        return state, NO_CALL
    account, notes_now = state.accounts[place], state.notes[place]
    match call:
        case Say(text=text):
            caller = state.callers[place]
            heard = reply(caller, state.phones[place], account, caller.place in state.outages, state.chats[place], notes_now, text)
            spoiled = hung_up(caller.person, heard.chat)
            return with_call(state, place, spoiled, phones=heard.phone, chats=heard.chat, notes=heard.notes), heard.words
        case GetAccount():
            facts = account._asdict() | {"debt": f"{account.debt} coins"}
            words = {True: "yes", False: "no"}
            shown = ", ".join(
                f"{name.replace('_', ' ')}: {words.get(value, value) if isinstance(value, bool) else value}"
                for name, value in facts.items()
            )
            return with_call(state, place, notes=notes_now._replace(account=True)), shown
        case Close(causes=causes, solved=solved):
            problem = _end_problem(state, place, {cause.strip().lower() for cause in causes}, solved)
            return state.model_copy(
                update={"closed": (*state.closed, place), "spoiled": of_call(problem, state.callers[place].person)}
            ), "closed"
        case OrderSim():
            return state.model_copy(
                update={"spoiled": of_call("a new SIM card was ordered, which no caller needs", state.callers[place].person)}
            ), "done"
    change = CHANGES[type(call)]
    update = {"accounts": changed(account, change), "deeds": (*state.deeds[place], change), "notes": notes_now.after_a_change()}
    return with_call(state, place, of_call(_change_problem(state, place, change), state.callers[place].person), **update), "done"


def _change_problem(state: State, place: int, change: str) -> str:
    """Why a change of the line may not be made now, or nothing."""
    if "identify" in state.policy.rules and not state.notes[place].pin:
        return "a line was changed before its caller had been asked for the PIN"
    if change not in state.goals[place].deeds or change in state.deeds[place]:
        return "a line was changed that should not have been"
    amount = consent(change, state.accounts[place])
    return (
        f"a line was changed before its caller had agreed to {amount} coins" if amount and amount not in state.notes[place].agreed else ""
    )


def _end_problem(state: State, place: int, causes: set[str], solved: bool) -> str:
    """Why a call may not be closed so, or nothing."""
    goal, notes, account, caller = state.goals[place], state.notes[place], state.accounts[place], state.callers[place]
    if "identify" in state.policy.rules and not notes.pin:
        return "a call was closed before its caller had been asked for the PIN"
    if causes != set(goal.causes):
        return "a call was closed with wrong causes"
    if solved != goal.solved or set(state.deeds[place]) != set(goal.deeds):
        return "a call was closed with a wrong end"
    if solved:
        return "" if speed(state.phones[place], account, caller) == "fast" else "a call was closed as solved while the phone was not online"
    return "" if reason_was_found(notes, goal, state.policy, account, caller) else "a call was closed unsolved before the reason was found"


def best(state: State, skips: str = "") -> Turn:
    """The next call for the first open caller; `skips` names a rule that is ignored."""
    place = next(place for place in range(len(state.callers)) if place not in state.closed)
    caller, notes, account = state.callers[place], state.notes[place], state.accounts[place]
    call, checked = caller.person.code, "identify" in state.policy.rules and skips != "identify"
    say = partial(Say, call=call)
    if checked and not notes.pin:
        return (say(text=PIN),)
    if checked and not notes.account:
        return (GetAccount(call=call),)
    if checked and caller.stated_pin != account.pin:
        return (Close(call=call, causes=("not_identified",), solved=False),)
    if not notes.bar:
        return (say(text=LOOK),)
    if notes.bar in SHOWN:
        return (say(text=_tried(state, place, SHOWN[notes.bar])),)
    if notes.bar == "no_service":
        return _without_service(state, place, skips)
    if notes.bar == "no_data":
        return _without_data(state, place)
    if not notes.speed:
        return (say(text=TEST),)
    if notes.speed == "fast":
        return (_close(state, place, True),)
    if "top_up" in state.policy.rules and not notes.account:
        return (GetAccount(call=call),)
    return (_changing(state, place, TopUp, skips == "top_up") if account.data_used_up else say(text=_tried(state, place, SAVER_OFF)),)


def _tried(state: State, place: int, request: str) -> str:
    """A request for a change on the phone; where nothing else is wrong, the caller looks and tests in the same breath."""
    return f"{request} {LOOK} {TEST}" if len(state.goals[place].causes) == 1 and not state.goals[place].deeds else request


def _without_service(state: State, place: int, skips: str) -> Turn:
    caller, notes, account, rules = state.callers[place], state.notes[place], state.accounts[place], state.policy.rules
    call = caller.person.code
    if not notes.account:
        return (GetAccount(call=call),)
    if not notes.place:
        return (Say(call=call, text=WHERE),)
    if "outage" in rules and skips != "outage":
        if not notes.outages:
            return (ListOutages(),)
        if caller.place in state.outages:
            return (_close(state, place, False, "outage"),)
    if account.suspended:
        if account.debt > state.policy.most_debt and skips != "debt":
            return (_close(state, place, False, "suspended"),)
        return (_changing(state, place, LiftSuspension, skips == "debt"),)
    if caller.abroad and not account.roaming:
        if caller.place in state.policy.excluded and skips != "roaming":
            return (_close(state, place, False, "no_roaming"),)
        return (_changing(state, place, BookRoaming, skips == "roaming"),)
    return (_close(state, place, True) if skips == "restart" else Say(call=call, text=RESTART),)


def _without_data(state: State, place: int) -> Turn:
    caller, notes = state.callers[place], state.notes[place]
    call = caller.person.code
    if "roaming" in state.policy.rules and not notes.place:
        return (Say(call=call, text=WHERE),)
    if caller.abroad and not notes.data:
        return (Say(call=call, text=IS_DATA_ON),)
    request = ROAMING_ON if caller.abroad and (notes.data == "on" or "data_off" in notes.found) else DATA_ON
    return (Say(call=call, text=_tried(state, place, request)),)


def _changing(state: State, place: int, tool: type[Tool], hasty: bool) -> Tool:
    """A change of the line, the question for consent before it, or the end of the call where the caller does not agree."""
    notes, call = state.notes[place], state.callers[place].person.code
    amount = consent(CHANGES[tool], state.accounts[place])
    if not amount or hasty or amount in notes.agreed:
        return tool(call=call)  # type: ignore[call-arg]
    return (
        _close(state, place, False, CAUSE_OF_CHANGE[CHANGES[tool]])
        if amount in notes.declined
        else Say(call=call, text=COSTS.format(amount))
    )


def _close(state: State, place: int, solved: bool, *last: str) -> Close:
    causes = {*state.notes[place].found, *(CAUSE_OF_CHANGE[change] for change in state.deeds[place]), *last}
    return Close(call=state.callers[place].person.code, causes=tuple(sorted(causes)), solved=solved)


def rules(first: State) -> Mapping[str, Callable[[State], Turn]]:
    stated = [*first.policy.rules, *(["restart"] if {"debt", "roaming"} & set(first.policy.rules) else [])]
    return {rule: partial(best, skips=rule) for rule in stated}


def mistakes(state: State) -> list[Turn]:
    # Closes at once, with no cause or with the one that is hidden; orders a new card; repeats the usual advice.
    place = next(place for place in range(len(state.callers)) if place not in state.closed)
    call, goal = state.callers[place].person.code, state.goals[place]
    return [
        (Close(call=call, causes=(), solved=True),),
        (Close(call=call, causes=goal.causes, solved=not goal.solved),),
        (OrderSim(call=call),),
        (Say(call=call, text=RESTART),),
    ]


def cost(first: State) -> float:
    return float(count_turns(first, act, best, outcome) * (1 + len(first.policy.rules)))


def turns(first: State) -> int:
    return 4 + 3 * count_turns(first, act, best, outcome) // 2


def explain(state: State) -> list[str]:
    place = next(place for place in range(len(state.callers)) if place not in state.closed)
    notes, name = state.notes[place], state.callers[place].person.name
    known = [f"status bar {notes.bar}"] if notes.bar else []
    known += [f"speed {notes.speed}"] if notes.speed else []
    known += [f"found {', '.join(notes.found)}"] if notes.found else []
    return [f"{name}'s phone: {'; '.join(known) or 'nothing is known yet'}.", TOOLS.render(best(state))]


environment = Game(
    Knobs, TOOLS, start, worded(show, lambda state: [caller.person for caller in state.callers]), act, outcome, best, mistakes, cost, turns, explain,
    concept="Look at the status bar again after every change, work from the first fault that it shows to the next, and ask before anything costs.",
    rules=rules,
    milestones=milestones, moods=moods, with_user=with_people(act, _step, "telecom", PLAINEST, phone_phrases.TABLES),
    version=5,
)  # fmt: skip
