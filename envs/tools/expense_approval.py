"""Work out what travel claims are worth, and have each approved by the first superior who may approve so much.

Receipts are in several currencies whose rates change, have caps by category and town, and some count for nothing; who
is away approves nothing. Judged by sums and approvers, to the coin.
"""

from typing import Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.expenses import RULES, Limit, Rate, count, exchange, ledger, sum_up
from rlgym.generators.services.office import Service, outages
from rlgym.generators.services.records import AMOUNT, CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Office, Read, Record


class GetClaim(Read):
    """Reads a claim."""

    kind = "claim"
    code: str = CODE


class GetReceipt(Read):
    """Reads a receipt."""

    kind = "receipt"
    code: str = CODE


class GetPerson(Read):
    """Reads a person: the manager, the most coins of a claim that the person may approve, and whether the person is here."""

    kind = "person"
    code: str = CODE


class GetCap(Read):
    """Says how many coins a receipt of a category in a town counts for at most; without an entry there is no cap."""

    kind, by = "cap", ("category", "town")
    category: Literal["hotel", "meal", "taxi", "train", "bar"]
    town: str = CODE


class ListRates(Browse):
    """Lists how many coins a hundred of a currency were worth, and since which day."""

    kind, by, shows = "rate", ("currency",), ("since day", "coins for 100")
    currency: str = CODE
    page: int = FIRST_PAGE


class FindPaid(Read):
    """Says whether a receipt with this number was paid before; without an entry it was not."""

    kind, by = "payment", ("number",)
    number: str = CODE


class Approve(Change):
    """Approves a claim with a sum in coins, in the name of a person."""

    touches = {"claim": "claim", "approver": "person"}
    claim: str = CODE
    coins: int = AMOUNT
    approver: str = CODE


class Reject(Change):
    """Rejects a claim that is worth nothing."""

    touches = {"claim": "claim"}
    claim: str = CODE


TOOLS = ToolCalls((GetClaim, GetReceipt, GetPerson, GetCap, ListRates, FindPaid, Approve, Reject, Finish))


class Knobs(Config):
    claims: int = knob(2, easy=1, hard=3, doc="claims to be settled")
    receipts: int = knob(3, easy=1, hard=4, doc="most receipts of a claim")
    currencies: int = knob(1, easy=0, hard=3, doc="currencies besides coins")
    rules: int = knob(2, easy=0, hard=5, doc="rules by which receipts count for nothing")
    chain: int = knob(1, easy=0, hard=3, doc="superiors between the first ones and the one who may approve everything")
    outages: int = knob(1, easy=0, hard=3, doc="tools that do not answer the first time")


class State(Office):
    claims: tuple[str, ...]
    limits: tuple[Limit, ...]
    approvers: int


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, approvers=1)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Two superiors must approve each claim."""
    return _state(rng, knobs, approvers=2)


def _state(rng: Rng, knobs: Knobs, approvers: int) -> State:
    world = ledger(rng, knobs.claims, knobs.receipts, knobs.currencies, knobs.rules, knobs.chain)
    rules = "".join(f"\n- {RULES[limit.kind].format(number=limit.number)}" for limit in world.limits)
    last = (
        "Approve a claim once with its whole sum, in the name of the first person who is here and may approve so much."
        if approvers == 1
        else "Each claim is approved twice with its whole sum: in the name of the first person who is here, whatever that one may approve, and "
        "in the name of the first of those above that one who is here and may approve so much."
    )
    briefing = (
        f"You settle travel claims: {', '.join(world.claims)}.\n\n"
        "- A receipt in another currency is converted at the last rate that held on the receipt's day, rounded down to whole coins. "
        f"It counts for that, but for no more than the cap of its category and town.{rules}\n"
        "- What a claim is worth is the sum of what its receipts count for; a claim worth nothing is rejected.\n"
        f"- Go up from the claim's person to the manager, the manager's manager and so on; nobody approves their own claim. {last}"
    )
    state = State(
        stalls=outages(rng, TOOLS, knobs.outages),
        briefing=briefing,
        records=world.records,
        cases=len(world.claims),
        claims=world.claims,
        limits=world.limits,
        approvers=approvers,
    )
    return desk.begun(state) if knobs.receipts == 1 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    claim = eyes.read(GetClaim(code=state.claims[case]))
    receipts = eyes.reads([GetReceipt(code=code) for code in claim.names("receipts")])
    worth = eyes.each([lambda one=receipt: _worth_in_coins(state, eyes, claim, one, slip) for receipt in receipts])  # type: ignore[misc]
    coins = sum_up(state.limits, [(receipt.word("category"), value) for receipt, value in zip(receipts, worth)])
    if coins == 0:
        return [Reject(claim=claim.code)]
    approvers: list[str] = []
    above = eyes.read(GetPerson(code=claim.word("person"))).word("manager")
    while len(approvers) < state.approvers:
        boss = eyes.read(GetPerson(code=above))
        free = state.approvers - len(approvers) > 1
        if (boss.facts["here"] == "yes" or slip == "asks_the_absent") and (free or boss.number("may approve up to") >= coins):
            approvers.append(boss.code)
        above = boss.word("manager")
    return [Approve(claim=claim.code, coins=coins, approver=who) for who in approvers]


def _worth_in_coins(state: State, eyes: Eyes, claim: Record, receipt: Record, slip: str) -> int:
    coins = receipt.number("amount")
    if receipt.facts["currency"] != "coins":
        rates = [
            Rate(row.number("since day"), row.number("coins for 100")) for row in eyes.all(ListRates(currency=receipt.word("currency")))
        ]
        coins = exchange(coins, rates, 10**6 if slip == "newest_rate" else receipt.number("day"))
    cap = eyes.find(GetCap.model_validate({"category": receipt.word("category"), "town": receipt.word("town")}))
    asks = any(limit.kind == "twice" for limit in state.limits)
    paid = asks and eyes.find(FindPaid(number=receipt.word("number"))) is not None
    held = cap.number("cap") if cap and slip != "no_caps" else None
    return count(state.limits, receipt, claim.number("day"), coins, held, paid)


def weight(state: State) -> float:
    return float(len(state.limits) * sum(record.kind == "receipt" for record in state.records))


desk = Service(TOOLS, decide, slips=("no_caps", "newest_rate", "asks_the_absent"), weight=weight)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Bring each receipt to coins by the rate of its day, apply caps and rules, add up, and climb to the first who may approve the sum.",
    rules=desk.rules,
    version=5,
    milestones=desk.milestones,
)  # fmt: skip
