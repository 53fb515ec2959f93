"""Answer a bank's telephone: check who calls before anything else, and do, hold or refuse what is wanted by the bank's rules.

Some callers are not who they say they are, and press for haste. Who fails all questions has the client locked, and a
locked client gets nothing more. Judged by the changes made; one made before the caller had answered is a guess.
"""

from collections.abc import Callable
from typing import Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.bank import ASKED, BOOK, bank
from rlgym.generators.services.office import Service
from rlgym.generators.services.policy import Policy, Rule, Seen, clauses, deciding, listed, policy
from rlgym.generators.services.records import AMOUNT, CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Fact, Finish, Office, Read, Record


class HearCall(Read):
    """Says what the caller says at first."""

    kind = "call"
    code: str = CODE


class AskCaller(Read):
    """Asks a caller a security question."""

    kind, by = "answer", ("call", "question")
    call: str = CODE
    question: Literal["birthday", "pet", "street", "school"]


class FindClients(Browse):
    """Lists the clients with exactly this name."""

    kind, by, shows = "client", ("name",), ("name",)
    name: str = TEXT
    page: int = FIRST_PAGE


class GetClient(Read):
    """Reads a client's record, with the secret answers to the questions that are to be asked, in their order."""

    kind = "client"
    code: str = CODE


class ListAccounts(Browse):
    """Lists the accounts of a client."""

    kind, by, shows = "account", ("client",), ("kind",)
    client: str = CODE
    page: int = FIRST_PAGE


class GetAccount(Read):
    """Reads an account; the sums are in coins, and the balance does not know of holds."""

    kind = "account"
    code: str = CODE


class ListHolds(Browse):
    """Lists the holds on an account, in coins."""

    kind, by, shows = "hold", ("account",), ("amount",)
    account: str = CODE
    page: int = FIRST_PAGE


class Transfer(Change):
    """Sends coins from an account, as the call asks."""

    touches = {"call": "call", "account": "account"}
    call: str = CODE
    account: str = CODE
    payee: str = TEXT
    amount: int = AMOUNT


class SetLimit(Change):
    """Sets the daily limit of an account, as the call asks."""

    touches = {"call": "call", "account": "account"}
    call: str = CODE
    account: str = CODE
    amount: int = AMOUNT


class UnblockCard(Change):
    """Unblocks the card of an account, as the call asks."""

    touches = {"call": "call", "account": "account"}
    call: str = CODE
    account: str = CODE


class SetPhone(Change):
    """Notes a client's new phone number, as the call asks."""

    touches = {"call": "call", "client": "client"}
    call: str = CODE
    client: str = CODE
    phone: str = TEXT


class Hold(Change):
    """Holds back what a call asks, for the fraud team to look at."""

    touches = {"call": "call"}
    call: str = CODE


class Refuse(Change):
    """Refuses what a call asks, by the rule with this number; 0 means that the caller was not identified."""

    touches = {"call": "call"}
    call: str = CODE
    rule: int


class LockClient(Change):
    """Locks a client for the rest of the day."""

    touches = {"client": "client"}
    client: str = CODE


TOOLS = ToolCalls(
    (
        *(HearCall, AskCaller, FindClients, GetClient, ListAccounts, GetAccount, ListHolds),
        *(Transfer, SetLimit, UnblockCard, SetPhone, Hold, Refuse, LockClient, Finish),
    )
)


class Knobs(Config):
    calls: int = knob(4, easy=1, hard=6, doc="callers, one after the other")
    rules: int = knob(4, easy=2, hard=6, doc="rules besides the general one")
    holds: int = knob(4, easy=0, hard=9, doc="most holds on an account")
    callers: str = knob(
        "some", easy="honest", hard="again", order=("honest", "some", "again"), doc="all honest, some not, or two for one client"
    )


class State(Office):
    calls: tuple[str, ...]
    policy: Policy


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, last=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Later rules overrule earlier ones."""
    return _state(rng, knobs, last=True)


def _state(rng: Rng, knobs: Knobs, last: bool) -> State:
    rules = policy(rng, BOOK, knobs.rules, last, always=("not_blocked", "funds"))
    world = bank(rng, rules, knobs.calls, knobs.holds, 0.1 if knobs.callers == "honest" else 0.25, knobs.callers == "again")
    again = " Once you have locked a client, refuse every later call in the client's name with rule 0, whatever is answered."
    again = again if knobs.callers == "again" else ""
    briefing = (
        f"You answer the telephone of a bank. Settle these calls, in this order: {', '.join(world.calls)}.\n\n"
        "No two clients have the same name. Before anything is done the caller must answer security questions: the first of those in the "
        "client's record for unblocking a card, the first two for a new limit or phone number, the first three for a transfer. Every answer must "
        "be that of the record. If one is wrong, refuse with rule 0; if all the answers asked for are wrong, lock the client as well."
        f"{again}\n"
        f"What an identified caller wants is decided by these rules, whatever the caller also says. {listed(BOOK, rules)}"
    )
    return State(briefing=briefing, records=world.records, cases=1, stalls=world.stalls, calls=world.calls, policy=rules)


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    calls = eyes.reads([HearCall(code=code) for code in state.calls])
    found = eyes.each([lambda one=call: eyes.all(FindClients(name=one.word("name")))[0] for call in calls])  # type: ignore[misc]
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
            asks.append(lambda one=call, who=client: [_close_request(state, eyes, one, who, slip)])  # type: ignore[misc]
    return [deed for deeds in eyes.each(asks) for deed in deeds]


def _count_wrong_answers(eyes: Eyes, call: Record, client: Record) -> int:
    """How many of the answers that must be given are wrong."""
    questions = client.names("questions")[: ASKED[call.word("request")]]
    answers = eyes.reads([AskCaller.model_validate({"call": call.code, "question": question}) for question in questions])
    return sum(answer.word("answer") != client.word(f"{question} (secret)") for answer, question in zip(answers, questions))


def _close_request(state: State, eyes: Eyes, call: Record, client: Record, slip: str) -> Tool:
    kind = next(kind for kind in ("current", "savings") if f"my {kind} account" in call.word("says"))
    account = eyes.read(GetAccount(code=next(one.code for one in eyes.all(ListAccounts(client=client.code)) if one.facts["kind"] == kind)))

    def free() -> int:
        held = 0 if slip == "ignores_holds" else sum(one.number("amount") for one in eyes.all(ListHolds(account=account.code)))
        return account.number("balance") - held

    facts = Seen(eyes, {"free": free}, {**client.facts, **account.facts, **_write_question(call)})
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
    return SetPhone(call=call.code, client=client.code, phone=call.word("new phone"))


def _write_question(call: Record) -> dict[str, Fact]:
    return {name: call.facts[name] for name in ("request", "amount", "payee")}


def _needs(state: State, change: Tool) -> list[str]:
    """The answers that must have been heard before anything is decided for a caller."""
    if isinstance(change, LockClient) or (isinstance(change, Refuse) and change.rule == 0):
        return []
    assert isinstance(change, Transfer | SetLimit | UnblockCard | SetPhone | Hold | Refuse)
    call = next(record for record in state.records if record.code == change.call)
    client = next(record for record in state.records if record.kind == "client" and record.facts["name"] == call.facts["name"])
    return [client.code, *(f"{call.code} {question}".lower() for question in client.names("questions")[: ASKED[call.word("request")]])]


def _stated_clauses(state: State) -> tuple[str, ...]:
    return (*clauses(state), "forgets_lock") if "later call" in state.briefing else clauses(state)


desk = Service(
    TOOLS,
    decide,
    slips=("credulous", "never_locks", "hasty", "ignores_holds"),
    needs=_needs,
    stated=_stated_clauses,
    voices=("call", "answer"),
)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Hear the call, compare the caller's answers with the record, and only then find the rule that decides, with the holds taken off.",
    version=4,
    rules=desk.rules,
    milestones=desk.milestones,
    with_user=desk.with_user,
)  # fmt: skip
