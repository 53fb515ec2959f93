"""Rent out machines: hear what is to be done, find the cheapest machine that suits, and come down with the price step by step.

The customers are simulated people who understand ordinary English, tell only what they are asked and do not say how much they would pay. Judged
by the machine, the total and the extras; all of it must rest on what was heard.
"""

from collections.abc import Mapping
from typing import ClassVar

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import AMOUNT, CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Finish, Read, Record
from rlgym.generators.services.rental import RULES, Customer, Machine, Policy, cheapest, rules_in_words, shop, sums
from rlgym.generators.users import rental_phrases
from rlgym.generators.users.desk import Conversations, SayTo, find_line, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.grounds import needs_of
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded

DUTIES = ("licence", "power", "helmet", "insurance")


class SayToCustomer(SayTo):
    """Says something to the customer with this code, in plain English, and gives the reply. Ask for at most three things in one message."""

    grammar: ClassVar[str] = "rental"
    questions: ClassVar[Mapping[str, str]] = {
        "name": "What is your name?",
        "size": "Which size do you need?",
        "start": "On which day do you want to start?",
        "days": "How many days do you need it?",
        "power": "Is there electricity?",
        "licence": "Do you have a licence?",
        "helmet": "Do you have a helmet?",
        "insurance": "Do you want insurance?",
        "budget": "What is your budget?",
    }


class ListMachines(Browse):
    """Lists the machines for a job: digging, lifting or cutting. The price is in coins for a day."""

    kind, by, shows = "machine", ("job",), ("reach", "price")
    job: str = TEXT
    page: int = FIRST_PAGE


class GetMachine(Read):
    """Reads a machine: what it reaches (cm for digging and cutting, metres for lifting), its drive, its weight in kg, its price and its free days."""

    kind = "machine"
    code: str = CODE


class Rent(Change):
    """Settles a call: the customer rents a machine for a total in coins, with a helmet, insurance, both or neither."""

    touches = {"call": "call", "machine": "machine"}
    call: str = CODE
    machine: str = CODE
    total: int = AMOUNT
    helmet: bool = False
    insurance: bool = False


class TurnAway(Change):
    """Settles a call: the customer rents nothing."""

    touches = {"call": "call"}
    call: str = CODE


TOOLS = ToolCalls((SayToCustomer, ListMachines, GetMachine, Rent, TurnAway, Finish))


class Knobs(Config):
    customers: int = knob(2, easy=1, hard=4, doc="customers, one after the other")
    rules: int = knob(3, easy=0, hard=5, doc="rules on licence, power, price, helmet and insurance")
    machines: int = knob(6, easy=3, hard=9, doc="machines for a job")
    steps: int = knob(3, easy=2, hard=5, doc="how often a price may be lowered")
    patience: int = knob(7, easy=9, hard=5, doc="needless messages that a customer puts up with")
    opening: str = knob("short", easy="full", hard="short", order=("full", "short"), doc="whether customers say all about the job at once")
    language: str = LANGUAGE


class State(Conversations):
    calls: tuple[str, ...]
    policy: Policy
    full: bool


def start(rng: Rng, knobs: Knobs) -> State:
    rules = tuple(sorted(rng.sample(RULES, knobs.rules), key=RULES.index))
    policy = Policy(rules, 50 * rng.integer(2, 6), 5 * rng.integer(1, 3), knobs.steps)
    full = knobs.opening == "full" and not rules
    world = shop(rng, policy, knobs.customers, knobs.machines, full, knobs.patience)
    calls = tuple(person.code for person in world.people)
    named = ", ".join(f"{person.code} ({person.name})" for person in world.people)
    lines = "".join(f"\n- {text}" for text in rules_in_words(policy))
    said = "Let the customer say what is to be done"
    ask = said + (", of what size and on which days" if full else "; ask for the size, the first day and the number of days")
    briefing = (
        f"You rent out machines by telephone. Settle {'these calls, each by exactly one change' if len(calls) > 1 else 'this call by exactly one change'}: "
        f"{named}.\n\nCustomers are people: speak to them in plain English. They hang up after more than {knobs.patience} messages that are not understood, or "
        f"that ask again for what was said.\n\n{ask}. A machine suits if it is for the job, reaches at least that size, and is free on all of these days. "
        f"Rent out the one that suits and costs least; the total is its price for a day times the days. If none suits, turn the customer away."
        + (" A machine that one customer rents is still free for the others." if len(calls) > 1 else "")
        + (f" These rules hold as well; a customer for whom no machine suits need be asked nothing more:{lines}" if lines else "")
    )
    records = (*world.records, *(Record("call", code, {}) for code in calls))
    state = State(
        briefing=briefing, records=records, cases=len(calls), people=speaking(knobs.language, world.people),
        chats=(Chat(),) * len(calls), calls=calls, policy=policy, full=full
    )  # fmt: skip
    return desk.begun(state) if knobs.customers == 1 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    call, rules = state.calls[case], tuple(rule for rule in state.policy.rules if rule != slip)
    wish = _hear(eyes, call, "wish")
    topics = ("size", "start", "days")
    if state.full:
        size, first, days = (wish.number(topic) for topic in topics)
    else:
        size, first, days = (heard.number("value") for heard in eyes.reads([SayToCustomer.asking(topic, call) for topic in topics]))
    asks = [duty for duty in DUTIES[:2] if duty in rules]
    has = dict(zip(asks, (heard.number("value") for heard in eyes.reads([SayToCustomer.asking(duty, call) for duty in asks]))))
    customer = Customer(
        wish.word("job"), size, first, days, power=bool(has.get("power")), licence=bool(has.get("licence")), helmet=True, insurance=False, most=0
    )  # fmt: skip
    listed = [machine for machine in eyes.all(ListMachines(job=customer.job)) if machine.number("reach") >= size]
    machines = {_machine(record): record for record in eyes.reads([GetMachine(code=machine.code) for machine in listed])}
    machine = cheapest(tuple(machines), customer, rules, state.policy.weight)
    if machine is None:
        return [TurnAway(call=call)]
    total = machine.price * days
    if "haggle" in rules:
        offers = (amount for amount in sums(state.policy, total) if _pays(eyes, call, amount))
        if (total := next(offers, -1)) < 0:
            return [TurnAway(call=call)]
    extras = [duty for duty in DUTIES[2:] if duty in rules]
    said = dict(zip(extras, (heard.number("value") for heard in eyes.reads([SayToCustomer.asking(duty, call) for duty in extras]))))
    return [
        Rent(
            call=call, machine=machines[machine].code, total=total, helmet=not said.get("helmet", True), insurance=bool(said.get("insurance"))
        )
    ]  # fmt: skip


def _machine(record: Record) -> Machine:
    return Machine(
        record.word("job"), record.number("reach"), record.word("drive"), record.number("weight"), record.number("price"), record.names("free")
    )  # fmt: skip


def _pays(eyes: Eyes, call: str, amount: int) -> bool:
    """Whether a customer accepts a total; where the machine is not the right one, nobody has said so."""
    found = eyes.find(SayToCustomer.asking(f"charge {amount}", call))
    return found is not None and bool(found.number("pays"))


def _hear(eyes: Eyes, call: str, name: str) -> Record:
    return eyes.read(SayToCustomer.asking(name, call))


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What a customer says to a total that is not due: they cannot tell, and say whether they would pay it."""
    budget = find_line(state.records, person.code, "budget")
    if meaning.intent != "go_ahead" or budget is None:
        return None
    pays = meaning.amount is not None and meaning.amount <= budget.number("most")
    return Line(
        "", rental_phrases.answer(Rng("total", person.code, meaning.amount or 0), pays) if meaning.amount else "How much would that be?"
    )


desk = Service(
    TOOLS, decide, needs=needs_of(TOOLS, decide, (SayToCustomer,)),
    stated=lambda state: state.policy.rules, talk=lambda state, call: talk(state, call, TOOLS, _react), heard=hear,
    voices=("answer",),
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Hear the size, the days and what the place offers, compare all machines, and lower the price only as far as it must be.",
    rules=desk.rules,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
    version=8,
)  # fmt: skip
