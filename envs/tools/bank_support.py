"""Answer a bank's telephone: check who calls before anything else, and do, hold or refuse what is wanted by the bank's rules.

Callers are simulated people who understand ordinary English. Some are not who they say they are, and press for haste. Who fails all
questions has the client locked, and a locked client gets nothing more. Judged by the changes made; one made before the caller had answered is a guess.
"""

from collections.abc import Callable

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool
from rlgym.generators.services.bank import ASKED, BOOK, account_of, bank
from rlgym.generators.services.bank_tools import (
    TOOLS,
    FindClients,
    GetAccount,
    GetClient,
    Hold,
    ListAccounts,
    ListHolds,
    LockClient,
    Refuse,
    SayToCaller,
    SetLimit,
    SetPhone,
    Transfer,
    UnblockCard,
)  # fmt: skip
from rlgym.generators.services.office import Service
from rlgym.generators.services.policy import Policy, Rule, Seen, clauses, deciding, listed, policy
from rlgym.generators.services.records import Eyes, Fact, Record
from rlgym.generators.users.desk import Conversations, find_line, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded


class Knobs(Config):
    calls: int = knob(4, easy=1, hard=6, doc="callers, one after the other")
    rules: int = knob(4, easy=2, hard=5, doc="rules besides the general one")
    holds: int = knob(4, easy=0, hard=9, doc="most holds on an account")
    callers: str = knob(
        "some",
        easy="identified",
        hard="again",
        order=("identified", "some", "again"),
        doc="identified already, some not who they say they are, or two for one client as well",
    )
    language: str = LANGUAGE


class State(Conversations):
    calls: tuple[str, ...]
    policy: Policy
    identified: tuple[str, ...] = ()  # the codes of the callers' accounts, where they are identified already


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, last=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Later rules overrule earlier ones."""
    return _state(rng, knobs, last=True)


def _state(rng: Rng, knobs: Knobs, last: bool) -> State:
    rules = policy(rng, BOOK, knobs.rules, last, always=("not_blocked", "funds"))
    world = bank(rng, rules, knobs.calls, knobs.holds, knobs.callers != "identified", knobs.callers == "again")
    calls = tuple(person.code for person in world.people)
    again = " Once you have locked a client, refuse every later call in that client's name with rule 0, whatever is answered."
    again = again if knobs.callers == "again" else ""
    checks = (
        "No two clients have the same name. Before anything is done the caller must answer security questions: the first question in the client's "
        "record for unblocking a card, the first two for a new limit or phone number, the first three for a transfer. Every answer must be that of "
        f"the record. If one is wrong, refuse with rule 0; if all the answers asked for are wrong (also where only one is asked for), lock the "
        f"client as well.{again}"
    )
    identified = tuple(account_of(world, code) for code in calls) if knobs.callers == "identified" else ()
    known = " ".join(
        f"The caller of {code} has been identified; it is about account {account}." for code, account in zip(calls, identified)
    )
    briefing = (
        f"You answer the telephone of a bank. Settle {'these calls, in this order' if len(calls) > 1 else 'this call'}: {', '.join(calls)}.\n\n"
        "Callers are people: speak to them in plain English. They hang up when too many messages are not understood. "
        f"{known or checks}\nWhat an identified caller wants is decided by these rules, whatever else the caller says. {listed(BOOK, rules)}"
    )
    records = (*world.records, *(Record("call", code, {}) for code in calls))
    state = State(
        briefing=briefing, records=records, cases=1, people=speaking(knobs.language, world.people),
        chats=(Chat(),) * len(calls), calls=calls, policy=rules,
        identified=identified,
    )  # fmt: skip
    return desk.begun(state) if knobs.calls == 1 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    calls = [
        record._replace(code=code)
        for code, record in zip(state.calls, eyes.reads([SayToCaller.asking("wish", code) for code in state.calls]))
    ]
    if state.identified:
        return [_close_request(state, eyes, call, code, slip) for call, code in zip(calls, state.identified)]
    found = eyes.each([lambda one=call: eyes.all(FindClients(name=one.word("caller")))[0] for call in calls])  # type: ignore[misc]
    clients = eyes.reads([GetClient(code=client.code) for client in found])
    wrong = eyes.each([lambda one=call, who=client: _count_wrong_answers(eyes, one, who) for call, client in zip(calls, clients)])  # type: ignore[misc]
    locked: list[str] = []
    asks: list[Callable[[], list[Tool]]] = []
    for call, client, failed in zip(calls, clients, wrong):
        if slip != "credulous" and (failed or (client.code in locked and slip != "forgets_lock")):
            turned: list[Tool] = [Refuse(call=call.code, rule=0)]
            if failed == ASKED[call.word("request")] and client.code not in locked and slip != "never_locks":
                turned.append(LockClient(client=client.code))
                locked.append(client.code)
            asks.append(lambda deeds=turned: deeds)  # type: ignore[misc]
        else:
            asks.append(lambda one=call, who=client: [_close_request(state, eyes, one, _account(eyes, one, who), slip)])  # type: ignore[misc]
    return [deed for deeds in eyes.each(asks) for deed in deeds]


def _count_wrong_answers(eyes: Eyes, call: Record, client: Record) -> int:
    """How many of the answers that must be given are wrong."""
    questions = client.names("questions")[: ASKED[call.word("request")]]
    answers = eyes.reads([SayToCaller.asking(question, call.code) for question in questions])
    return sum(answer.word("answer") != client.word(f"{question} (secret)") for answer, question in zip(answers, questions))


def _account(eyes: Eyes, call: Record, client: Record) -> str:
    return next(one.code for one in eyes.all(ListAccounts(client=client.code)) if one.facts["kind"] == call.facts["kind"])


def _close_request(state: State, eyes: Eyes, call: Record, code: str, slip: str) -> Tool:
    account = eyes.read(GetAccount(code=code))
    owner = GetClient(code=account.word("client"))
    client = dict.fromkeys(("tier", "months as a client", "days since change of phone", "note"), owner)

    def free() -> int:
        held = 0 if slip == "ignores_holds" else sum(one.number("amount") for one in eyes.all(ListHolds(account=account.code)))
        return account.number("balance") - held

    facts = Seen(eyes, {"free": free, **client}, {**account.facts, **_write_question(call)})
    rule: Rule = deciding(BOOK, state.policy, facts, slip)
    match BOOK[rule.kind].verdict, call.word("request"):
        case "refuse", _:
            return Refuse(call=call.code, rule=state.policy.rules.index(rule) + 1)
        case "hold", _:
            return Hold(call=call.code)
        case _, "transfer":
            return Transfer(call=call.code, account=account.code, payee=call.word("payee"), amount=call.number("amount"))
        case _, "limit":
            return SetLimit(call=call.code, account=account.code, amount=call.number("amount"))
        case _, "unblock":
            return UnblockCard(call=call.code, account=account.code)
    return SetPhone(call=call.code, client=eyes.read(owner).code, phone=call.word("new phone"))


def _write_question(call: Record) -> dict[str, Fact]:
    return {name: call.facts[name] for name in ("request", "amount", "payee")}


def _needs(state: State, change: Tool) -> list[str]:
    """The answers that must have been heard before anything is decided for a caller."""
    if isinstance(change, LockClient) or (isinstance(change, Refuse) and change.rule == 0):
        return []
    assert isinstance(change, Transfer | SetLimit | UnblockCard | SetPhone | Hold | Refuse)
    call = find_line(state.records, change.call, "wish")
    if call is None or state.identified:
        return []
    client = next(record for record in state.records if record.kind == "client" and record.facts["name"] == call.facts["caller"])
    return [client.code, *(f"{change.call} {question}".lower() for question in client.names("questions")[: ASKED[call.word("request")]])]


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What a caller says to something that none of the lines answers."""
    return Line("", "Is that a yes? Then do it.") if meaning.intent == "go_ahead" else None


def _talk(state: State, call: Tool) -> tuple[State, str] | None:
    return talk(state, call, TOOLS, _react)


def _stated_clauses(state: State) -> tuple[str, ...]:
    return (*clauses(state), "forgets_lock") if "later call" in state.briefing else clauses(state)


desk = Service(
    TOOLS,
    decide,
    slips=("credulous", "never_locks", "hasty", "ignores_holds"),
    needs=_needs,
    stated=_stated_clauses,
    talk=_talk,
    heard=hear,
    voices=("answer",),
)

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Hear the call, compare the caller's answers with the record, and only then find the rule that decides, with the holds taken off.",
    version=11,
    rules=desk.rules,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
)  # fmt: skip
