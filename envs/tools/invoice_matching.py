"""Check invoices against the orders they name and the deliveries that came, and pay, pay in part, hold or reject each.

What came may have come in several deliveries, accounts are changed by swindlers, and the same sum is asked for twice.
Judged by what was paid, to the coin, and by what was held or rejected for which rule.
"""

from collections.abc import Callable

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.invoices import BOOK, judge, line, office, part
from rlgym.generators.services.office import Service, outages
from rlgym.generators.services.policy import DEFAULT, Policy, Rule, Seen, clauses, deciding, listed, policy
from rlgym.generators.services.records import AMOUNT, CODE, FIRST_PAGE, Browse, Change, Eyes, Fact, Finish, Office, Read, Record


class GetInvoice(Read):
    """Reads an invoice, with its lines: pieces, product, and the price of a piece."""

    kind = "invoice"
    code: str = CODE


class GetOrder(Read):
    """Reads an order, with its lines."""

    kind = "order"
    code: str = CODE


class ListDeliveries(Browse):
    """Lists what was delivered for an order."""

    kind, by, shows = "delivery", ("order",), ("goods",)
    order: str = CODE
    page: int = FIRST_PAGE


class ListPayments(Browse):
    """Lists what was paid before for an order."""

    kind, by, shows = "payment", ("order",), ("sum",)
    order: str = CODE
    page: int = FIRST_PAGE


class GetSupplier(Read):
    """Reads a supplier."""

    kind = "supplier"
    code: str = CODE


class Pay(Change):
    """Pays this many coins on an invoice."""

    touches = {"invoice": "invoice"}
    invoice: str = CODE
    coins: int = AMOUNT


class Hold(Change):
    """Holds an invoice, by the rule with this number."""

    touches = {"invoice": "invoice"}
    invoice: str = CODE
    rule: int


class Reject(Change):
    """Rejects an invoice, by the rule with this number."""

    touches = {"invoice": "invoice"}
    invoice: str = CODE
    rule: int


TOOLS = ToolCalls((GetInvoice, GetOrder, ListDeliveries, ListPayments, GetSupplier, Pay, Hold, Reject, Finish))


class Knobs(Config):
    invoices: int = knob(4, easy=1, hard=7, doc="invoices to be settled")
    lines: int = knob(3, easy=1, hard=5, doc="most lines of an order")
    deliveries: int = knob(2, easy=1, hard=4, doc="most deliveries for an order")
    rules: int = knob(5, easy=3, hard=9, doc="rules besides the general one")
    outages: int = knob(1, easy=0, hard=3, doc="tools that do not answer the first time")


class State(Office):
    invoices: tuple[str, ...]
    policy: Policy


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, last=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Later rules overrule earlier ones."""
    return _state(rng, knobs, last=True)


def _state(rng: Rng, knobs: Knobs, last: bool) -> State:
    rules = policy(rng, BOOK, knobs.rules, last, always=("more", "price"))
    world = office(rng, rules, knobs.invoices, knobs.lines, knobs.deliveries)
    briefing = (
        f"You settle invoices: {', '.join(world.invoices)}.\n\n"
        "All sums are in coins. What was delivered of a product is the sum over all deliveries for the order that the invoice names. To pay in full "
        "means the invoice's sum; to pay what was delivered means, for each line, the pieces invoiced or the pieces delivered, whichever are "
        "fewer, times the price on the invoice. A line whose product the order does not have has no price there. Where nothing is found for an "
        f"order, nothing was delivered or paid. An order that does not exist has no lines, and its supplier is not another one than the invoice's. Look "
        f"an invoice's order up before you settle it.\n\n{listed(BOOK, rules)}"
    )
    state = State(
        stalls=outages(rng, TOOLS, knobs.outages),
        briefing=briefing,
        records=world.records,
        cases=len(world.invoices),
        invoices=world.invoices,
        policy=rules,
    )
    return desk.begun(state) if knobs.invoices == 1 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    invoice = eyes.read(GetInvoice(code=state.invoices[case]))
    rows = [line(text) for text in invoice.names("lines")]
    named = invoice.word("order")
    eyes.find(GetOrder(code=named))

    def ordered() -> Record | None:
        return eyes.find(GetOrder(code=named))

    def lines() -> dict[str, Fact]:
        order = ordered()
        return judge(rows, [line(text) for text in order.names("lines")] if order else [], {}, 0)

    def come() -> dict[str, int]:
        pieces: dict[str, int] = {}
        for note in eyes.all(ListDeliveries(order=named))[: 1 if slip == "one_delivery" else None]:
            for goods in note.names("goods"):
                number, _, product = goods.partition(" ")
                pieces[product] = pieces.get(product, 0) + int(number)
        return pieces

    supplier = GetSupplier(code=invoice.word("supplier"))
    where: dict[str, Read | Callable[[], Fact]] = {
        "ordered": lambda: "yes" if ordered() else "no",
        "order supplier": lambda: order.word("supplier") if (order := ordered()) else invoice.word("supplier"),
        "supplier state": lambda: eyes.read(supplier).word("state"),
        "supplier account": lambda: eyes.read(supplier).word("account"),
        "paid before": lambda: (
            "yes" if any(one.facts["sum"] == invoice.facts["sum"] for one in eyes.all(ListPayments(order=named))) else "no"
        ),
        "adds up": lambda: judge(rows, [], {}, invoice.number("sum"))["adds up"],
        "unordered": lambda: lines()["unordered"],
        "overprice": lambda: lines()["overprice"],
        "undelivered": lambda: judge(rows, [], come(), 0)["undelivered"],
        "delivered": lambda: "yes" if come() else "no",
    }
    facts = Seen(eyes, where, {"supplier": invoice.facts["supplier"], "account": invoice.facts["account"], "sum": invoice.facts["sum"]})
    rule: Rule = deciding(BOOK, state.policy, facts, slip)
    verdict = BOOK[DEFAULT if slip == "pays" else rule.kind].verdict
    if verdict in ("hold", "reject"):
        does = Hold if verdict == "hold" else Reject
        return [does(invoice=invoice.code, rule=state.policy.rules.index(rule) + 1)]
    return [Pay(invoice=invoice.code, coins=part(rows, come()) if verdict == "part" else invoice.number("sum"))]


def _needs(state: State, change: Tool) -> list[str]:
    """The invoice's order must have been read, where there is one."""
    assert isinstance(change, Pay | Hold | Reject)
    named = [record.word("order") for record in state.records if record.code == change.invoice]
    return [record.code for record in state.records if record.kind == "order" and record.code in named]


desk = Service(TOOLS, decide, slips=("hasty", "pays", "one_delivery"), needs=_needs, stated=clauses)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Lay the invoice beside its order and all its deliveries, and take the rule that decides; pay no more than that rule says.",
    version=7,
    rules=desk.rules,
    milestones=desk.milestones,
)  # fmt: skip
