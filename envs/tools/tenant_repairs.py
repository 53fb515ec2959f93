"""Answer a landlord's telephone: hear what is broken, have callers look and shut valves, and book, refuse or raise the alarm by the rules.

Callers are simulated people who understand ordinary English, and turn down times that seemed to suit them. Judged by how every call ends, and
by what was asked before.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.services.repair_calls import Heard, briefing, gap, reply, trade_of
from rlgym.generators.services.repairs import RULES, Ending, Fault, Firm, Flat, Policy, Tenant, chosen_firm, ending, house, suits
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.users import tenant_phrases
from rlgym.generators.users.calls import (
    NO_CALL,
    Step,
    calls_settled,
    count_turns,
    hung_up,
    of_call,
    open_call,
    settled,
    with_call,
    with_people,
)
from rlgym.generators.users.desk import CHARGE, OFFER
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat
from rlgym.generators.users.translation.prompts import LANGUAGE, worded

CODE = Field(max_length=20)
QUESTIONS = {
    "open": "How can I help you?",
    "flat": "Which flat do you live in?",
    "danger": "Is there any danger, such as gas, sparks or running water?",
    "since": "Since when has it been like this?",
    "cause": "Do you know what caused it?",
    "times": "Which days and times suit you?",
    "breaker": "Please look into the fuse box.",
    "valve": "Please close the valve.",
    "gauge": "Please read the pressure gauge.",
}


class Say(Tool):
    """Says something to the caller with this code, in plain English, and gives the reply. Ask for at most three things in one message."""

    call: str = CODE
    text: str = Field(max_length=4000)


class GetFlat(Tool):
    """Reads the files of a flat."""

    flat: str = CODE


class ListFirms(Tool):
    """Lists the firms of a trade with their prices and free visits of the coming week."""

    trade: str = CODE


class Book(Tool):
    """Ends a call with a visit of a firm. The payer is landlord or tenant."""

    call: str = CODE
    firm: str = CODE
    visit: str = CODE
    payer: str = CODE
    reported: bool = False


class Alarm(Tool):
    """Ends a call with an alarm of the emergency service."""

    call: str = CODE


class Solved(Tool):
    """Ends a call in which nothing is left to be repaired."""

    call: str = CODE


class Refuse(Tool):
    """Ends a call without a visit, for a reason that the rules name."""

    call: str = CODE
    reason: str = CODE


TOOLS = ToolCalls((Say, GetFlat, ListFirms, Book, Alarm, Solved, Refuse))


class Knobs(Config):
    callers: int = knob(2, easy=1, hard=4, doc="callers, one after the other")
    rules: int = knob(3, easy=0, hard=5, doc="rules of the landlord")
    kinds: int = knob(4, easy=2, hard=5, doc="kinds of faults: windows, locks, leaks, sockets, heating")
    visits: int = knob(6, easy=4, hard=9, doc="free visits of a firm")
    refusals: int = knob(1, easy=0, hard=2, doc="most visits that a caller turns down though they seemed to suit")
    noted: str = knob(
        "no", easy="yes", hard="no", order=("yes", "no"), doc="whether it is known already what is broken and when the caller is in"
    )
    language: str = LANGUAGE


class State(TaskData):
    policy: Policy
    tenants: tuple[Tenant, ...]
    faults: tuple[Fault, ...]
    flats: tuple[Flat, ...]
    firms: tuple[Firm, ...]
    goals: tuple[Ending, ...]
    briefing: str
    noted: bool
    chats: tuple[Chat, ...]
    heard: tuple[Heard, ...]
    files: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    ended: tuple[int, ...] = ()
    spoiled: str = ""
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    policy = Policy(tuple(sorted(rng.sample(RULES, knobs.rules), key=RULES.index)), rng.integer(10, 20))
    drawn, noted = house(rng, policy, knobs.callers, knobs.kinds, knobs.visits, knobs.refusals, 3, knobs.language), knobs.noted == "yes"
    goals = tuple(
        ending(tenant, fault, next(flat for flat in drawn.flats if flat.flat == tenant.flat), drawn.firms, policy)
        for tenant, fault in zip(drawn.tenants, drawn.faults, strict=True)
    )
    heard = Heard(("open", "times")) if noted else Heard()
    return State(
        policy=policy, tenants=drawn.tenants, faults=drawn.faults, flats=drawn.flats, firms=drawn.firms, goals=goals, noted=noted,
        briefing=briefing(policy, drawn.tenants, drawn.faults, knobs.kinds, noted), chats=(Chat(),) * len(goals), heard=(heard,) * len(goals),
    )  # fmt: skip


def show(state: State) -> str:
    return state.told or f"{state.briefing}\n{TOOLS.manual()}"


def act(state: State, turn: Calls, step: Step[State] | None = None) -> State:
    return run_turn(state, turn, step or _step, lambda now: bool(now.spoiled) or len(now.ended) == len(now.tenants))


def outcome(state: State) -> Score | None:
    return settled(state, state.tenants, state.ended)


def milestones(state: State) -> Mapping[str, float]:
    return calls_settled(state, state.tenants, state.ended, "calls_ended")


def _step(state: State, call: Tool) -> tuple[State, str]:
    match call:
        case GetFlat(flat=code):
            flat = next((flat for flat in state.flats if flat.flat.lower() == code.strip().lower()), None)
            if flat is None:
                return state, f"there is no flat {code!r}"
            trade = f" ({flat.warranty_trade})" if flat.warranty != "none" else ""
            shown = f"flat {flat.flat}, tenant: {flat.tenant}, warranty: {flat.warranty}{trade}"
            return state.model_copy(update={"files": (*state.files, flat.flat)}), shown
        case ListFirms(trade=work):
            firms = [firm for firm in state.firms if firm.trade == work.strip().lower()]
            lines = [
                f"{firm.firm}: {firm.price} coins; {', '.join(f'{visit.code} {visit.day} at {visit.time}' for visit in firm.visits)}"
                for firm in firms
            ]
            listed = state.model_copy(update={"listed": (*state.listed, work.strip().lower())})
            return listed, "\n".join(lines) or "there is no firm of this trade"
    place = open_call([tenant.person for tenant in state.tenants], state.ended, str(getattr(call, "call", "")))
    if place is None:
        return state, NO_CALL
    if isinstance(call, Say):
        prices = [firm.price for firm in state.firms]
        chat, heard, words = reply(state.tenants[place], state.faults[place], prices, state.chats[place], state.heard[place], call.text)
        return with_call(state, place, hung_up(state.tenants[place].person, chat), chats=chat, heard=heard), words
    end, goal = _ending(call), state.goals[place]
    firm = next((firm for firm in state.firms if firm.firm == end.firm), None)
    problem = "" if end == goal else "a call ended wrongly"
    problem = problem or gap(
        goal, state.faults[place], state.tenants[place], firm, state.heard[place], state.tenants[place].flat in state.files, state.policy
    )
    ended = state.model_copy(update={"ended": (*state.ended, place), "spoiled": of_call(problem, state.tenants[place].person)})
    return ended, "done: this call is settled"


def _ending(call: Tool) -> Ending:
    match call:
        case Book(firm=firm, visit=visit, payer=payer, reported=reported):
            return Ending("book", firm.strip().title(), visit.strip().upper(), payer.strip().lower(), reported)
        case Refuse(reason=reason):
            return Ending("refuse", reason=reason.strip().lower())
    return Ending("alarm" if isinstance(call, Alarm) else "solved")


def best(state: State, skips: str = "") -> Calls:
    """The next call for the first open caller; `skips` names a rule that is ignored."""
    place = next(place for place in range(len(state.tenants)) if place not in state.ended)
    tenant, fault, heard = state.tenants[place], state.faults[place], state.heard[place]
    call, rules = tenant.person.code, {rule for rule in state.policy.rules if rule != skips}
    ask = next((topic for topic in _topics(fault, heard, rules) if not heard.knows(topic)), "")
    if "identify" in rules and heard.knows("flat"):
        if tenant.flat not in state.files:
            return (GetFlat(flat=tenant.flat),)
        if _flat(state, place).tenant != tenant.person.name:
            return (Refuse(call=call, reason="not_the_tenant"),)
    if "danger" in rules and heard.knows("danger") and fault.danger in ("gas", "sparks"):
        return (Alarm(call=call),)
    if fault.tripped and heard.knows("breaker"):
        return (Solved(call=call),)
    if ask:
        return (Say(call=call, text=QUESTIONS[ask]),)
    if "warranty" in rules and tenant.flat not in state.files:
        return (GetFlat(flat=tenant.flat),)
    return _booking(state, place, rules)


def _topics(fault: Fault, heard: Heard, rules: set[str]) -> list[str]:
    """What is to be asked of a caller, in order."""
    first = ["flat"] if rules & {"identify", "warranty"} else []
    danger = ["danger"] if "danger" in rules else []
    look = {"socket": ["breaker"], "heating": ["gauge"], "leak": ["valve"] if danger and fault.danger == "water" else []}.get(
        fault.kind, []
    )
    return [*first, "open", *danger, *look, *(["cause"] if "cause" in rules else []), *(["since"] if "old" in rules else []), "times"]


def _flat(state: State, place: int) -> Flat:
    return next(flat for flat in state.flats if flat.flat == state.tenants[place].flat)


def _booking(state: State, place: int, rules: set[str]) -> Calls:
    tenant, fault, heard = state.tenants[place], state.faults[place], state.heard[place]
    call, work = tenant.person.code, trade_of(fault, heard)
    if work not in state.listed:
        return (ListFirms(trade=work),)
    policy = state.policy._replace(rules=tuple(rules))
    firm = chosen_firm(state.firms, _flat(state, place), work, policy)
    payer = "tenant" if "cause" in rules and fault.by_tenant else "landlord"
    if payer == "tenant" and firm.price not in (*heard.agreed, *heard.refused):
        return (Say(call=call, text=CHARGE.format(amount=firm.price)),)
    if payer == "tenant" and firm.price in heard.refused:
        return (Refuse(call=call, reason="not_paid"),)
    for visit in firm.visits:
        when = f"{visit.day} at {visit.time}"
        if when in heard.accepted:
            old = "old" in rules and fault.days > state.policy.old_days
            return (Book(call=call, firm=firm.firm, visit=visit.code, payer=payer, reported=old),)
        if suits(tenant, visit) and when not in heard.turned_down:
            return (Say(call=call, text=OFFER.format(when=when)),)
    raise AssertionError(f"no visit suits {call}")


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: partial(best, skips=rule) for rule in first.policy.rules}


def mistakes(state: State) -> list[Calls]:
    # Ends the call at once in each way; books what is right without having asked; asks for ever.
    place = next(place for place in range(len(state.tenants)) if place not in state.ended)
    call, goal = state.tenants[place].person.code, state.goals[place]
    right = Book(call=call, firm=goal.firm, visit=goal.visit, payer=goal.payer, reported=goal.reported)
    return [
        (Solved(call=call),) if goal.how != "solved" else (Alarm(call=call),),
        (right,) if goal.how == "book" and not state.heard[place].accepted else (Refuse(call=call, reason="busy"),),
        (Say(call=call, text=QUESTIONS["cause"]),),
    ]


def cost(first: State) -> float:
    return float(count_turns(first, act, best, outcome) * (1 + len(first.policy.rules)))


def turns(first: State) -> int:
    return 4 + 3 * count_turns(first, act, best, outcome) // 2


def explain(state: State) -> list[str]:
    place = next(place for place in range(len(state.tenants)) if place not in state.ended)
    heard, name = state.heard[place], state.tenants[place].person.name
    known = ", ".join(
        [*heard.topics, *(f"accepts {when}" for when in heard.accepted), *(f"cannot on {when}" for when in heard.turned_down)]
    )
    return [f"{name}: {f'heard so far: {known}' if known else 'nothing was heard yet'}.", TOOLS.render(best(state))]


environment = Game(
    Knobs, TOOLS, start, worded(show, lambda state: [tenant.person for tenant in state.tenants]), act, outcome, best, mistakes, cost, turns, explain,
    concept="Ask in the order in which the answers can end the call: who calls, danger, what the caller can do, who pays, and only then the visit.",
    rules=rules,
    milestones=milestones, moods=moods, with_user=with_people(act, _step, "tenant", tuple(QUESTIONS.values()), tenant_phrases.TABLES),
    version=6,
)  # fmt: skip
