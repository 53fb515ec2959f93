"""Settle claims by telephone: hear the account, confront it with the police report, and pay, refuse or refer by the insurer's rules.

The claimants are simulated people who understand ordinary English. Some are mistaken and give in, some lie and insist. Judged by how each claim
is settled and by the sum; all of it must rest on what was heard and read.
"""

from collections.abc import Mapping
from typing import ClassVar

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.claims import MOST_PLAIN, RULES, Policy, insurer, payment, rules_in_words
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import AMOUNT, CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Finish, Read, Record
from rlgym.generators.users import claims_phrases
from rlgym.generators.users.desk import Conversations, SayTo, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.grounds import needs_of
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded

ACCOUNT = ("date", "place", "report")


class SayToCaller(SayTo):
    """Says something to the caller with this code, in plain English, and gives the reply. Ask for at most three things in one message."""

    grammar: ClassVar[str] = "claims"
    questions: ClassVar[Mapping[str, str]] = {
        "name": "What is your name?",
        "policy": "What is your policy number?",
        "report": "What is the number of the police report?",
        "date": "When did it happen?",
        "place": "Where did it happen?",
        "items": "What was stolen or damaged? Please list all items.",
        "lock": "Was it locked?",
        "phone": "What is your phone number?",
        "differs_date": "The police report gives another date. Which date is correct?",
        "differs_place": "The police report names another place. Which place is correct?",
        "differs_items": "Something that you listed is not in the list of items in the police report. Can you explain that?",
    }


class GetPolicy(Read):
    """Reads a policy: since when it holds, what it covers, and its deductible and limit in coins."""

    kind = "policy"
    code: str = CODE


class GetReport(Read):
    """Reads a police report."""

    kind = "report"
    code: str = CODE


class ListReceipts(Browse):
    """Lists a policy holder's receipts, with the prices in coins."""

    kind, by, shows = "receipt", ("holder",), ("thing", "price")
    holder: str = TEXT
    page: int = FIRST_PAGE


class Pay(Change):
    """Settles a claim: pays this many coins."""

    touches = {"call": "call"}
    call: str = CODE
    amount: int = AMOUNT


class Refuse(Change):
    """Settles a claim: nothing is paid. The reason is not_covered, waiting or late."""

    touches = {"call": "call"}
    call: str = CODE
    reason: str = CODE


class Refer(Change):
    """Settles a claim: the investigators look into it."""

    touches = {"call": "call"}
    call: str = CODE


class Arbitrate(Change):
    """Settles a claim: somebody else decides what is paid."""

    touches = {"call": "call"}
    call: str = CODE


TOOLS = ToolCalls((SayToCaller, GetPolicy, GetReport, ListReceipts, Pay, Refuse, Refer, Arbitrate, Finish))


class Knobs(Config):
    claims: int = knob(2, easy=1, hard=5, doc="callers with a claim")
    rules: int = knob(3, easy=0, hard=5, doc="rules besides the general ones")
    things: int = knob(3, easy=2, hard=5, doc="most things of a claim")
    patience: int = knob(7, easy=9, hard=5, doc="needless messages that a caller puts up with")
    opening: str = knob(
        "short", easy="full", hard="short", order=("full", "short"), doc="whether callers name the policy and the things at once"
    )
    language: str = LANGUAGE


class State(Conversations):
    calls: tuple[str, ...]
    policy: Policy
    full: bool


def start(rng: Rng, knobs: Knobs) -> State:
    policy = Policy(_rules(rng, knobs.rules, knobs.claims), rng.integer(3, 6), rng.integer(2, 4))
    full = knobs.opening == "full" and knobs.rules == 0
    world = insurer(rng, policy, knobs.claims, knobs.things, full, knobs.patience)
    calls = tuple(person.code for person in world.people)
    named = ", ".join(f"{person.code} ({person.name})" for person in world.people)
    some = f"these claims, each by exactly one change: {named}" if len(calls) > 1 else f"this claim by exactly one change: {named}"
    halved = ", half of that if the lock rule says so" if "lock" in policy.rules else ""
    lines = "".join(f"\n- {text}" for text in rules_in_words(policy))
    briefing = (
        f"You settle claims on an insurance by telephone. Settle {some}.\n\nCallers are people: speak to them in plain English. A caller hangs up after "
        f"more than {knobs.patience} messages that are not understood, or that ask again for what was said.\n\nLet the caller say what happened"
        + ("" if full else ", and ask for the number of the policy")
        + ". If the policy does not cover what happened (theft, vandalism or fire), refuse with not_covered; nothing more need be asked. "
        + ("" if full else "Otherwise ask for the things. ")
        + f"What is paid is the sum of the prices of the things that were stolen or damaged{halved}, less the deductible, and at most the limit."
        + (f" These rules hold; the first that settles the claim counts:{lines}\n" if lines else " ")
        + ("Whatever no rule settles otherwise is paid." if lines else "Pay it.")
    )
    records = (*world.records, *(Record("call", code, {}) for code in calls))
    state = State(
        briefing=briefing, records=records, cases=len(calls), people=speaking(knobs.language, world.people),
        chats=(Chat(),) * len(calls), calls=calls, policy=policy,
        full=full,
    )  # fmt: skip
    return desk.begun(state) if knobs.claims == 1 else state


def _rules(rng: Rng, count: int, claims: int) -> tuple[str, ...]:
    """Rules such that a claim is left to be paid."""
    while True:
        drawn = rng.sample(RULES, count)
        if claims == 1 or len({"waiting", "late"}.intersection(drawn)) < claims:
            return tuple(sorted(drawn, key=RULES.index))


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    call, rules = state.calls[case], {rule for rule in state.policy.rules if rule != slip}
    wish = _hear(eyes, call, "wish")
    number = wish.word("number") if state.full else _hear(eyes, call, "policy").word("number")
    policy = eyes.read(GetPolicy(code=number))
    if slip != "not_covered" and wish.word("kind") not in policy.names("covers"):
        return [Refuse(call=call, reason="not_covered")]
    asks: tuple[str, ...] = (
        ACCOUNT if "consistent" in rules else ("date", "report") if "late" in rules else ("date",) if "waiting" in rules else ()
    )
    asks = asks if state.full else (*asks, "items")
    heard = dict(zip(asks, eyes.reads([SayToCaller.asking(topic, call) for topic in asks])))
    things = (wish if state.full else heard["items"]).names("things")
    report = eyes.read(GetReport(code=heard["report"].word("number"))) if "report" in heard else None
    day = heard["date"].word("day") if "date" in heard else ""
    if "consistent" in rules and report:
        differing = {
            "date": day != report.facts["day"],
            "place": heard["place"].facts["place"] != report.facts["place"],
            "items": set(things) != set(report.names("things")),
        }
        for topic in (topic for topic, differs in differing.items() if differs):
            if _hear(eyes, call, f"differs_{topic}").number("insists"):
                return [Refer(call=call)]
        day, things = report.word("day"), report.names("things")
    if "waiting" in rules and _days(day) - _days(policy.word("since")) <= state.policy.waiting:
        return [Refuse(call=call, reason="waiting")]
    if "late" in rules and report and _days(report.word("reported")) - _days(day) > state.policy.late:
        return [Refuse(call=call, reason="late")]
    halved = "lock" in rules and wish.facts["kind"] == "theft" and not _hear(eyes, call, "lock").number("locked")
    receipts = eyes.all(ListReceipts(holder=state.people[case].name))
    amount = payment(receipts, things, policy.number("deductible"), policy.number("limit"), halved)
    if "agree" in rules and not _hear(eyes, call, f"charge {amount}").number("agrees"):
        return [Arbitrate(call=call)]
    return [Pay(call=call, amount=amount)]


def _days(date: str) -> int:
    """The day of a date; all dates of a claim are in one month."""
    return int(date.rpartition(" ")[2])


def _hear(eyes: Eyes, call: str, name: str) -> Record:
    return eyes.read(SayToCaller.asking(name, call))


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What a caller says to a sum that is not what they are to get: they object."""
    if meaning.intent != "go_ahead":
        return None
    if meaning.amount is None:
        return Line("", "How much is it, then?")
    return Line("", claims_phrases.objection(Rng("objection", person.code, meaning.amount), meaning.amount), objects=True)


desk = Service(
    TOOLS, decide, needs=needs_of(TOOLS, decide, (Read,)),
    stated=lambda state: (*state.policy.rules, *(("not_covered",) if state.cases > MOST_PLAIN else ())),
    talk=lambda state, call: talk(state, call, TOOLS, _react), heard=hear,
    voices=("answer",),
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Hear the whole account, compare it with the report, let the caller explain what differs, and only then work out the sum.",
    rules=desk.rules,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
    version=8,
)  # fmt: skip
