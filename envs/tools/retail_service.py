"""Serve a shop's customer by chat: check who it is, find out by asking what is wanted, and do what the shop's rules allow.

The customer is a rule-based person with hidden wishes, reasons and second choices, who answers what is asked in a manner
of their own and may be wrong about the facts. Judged by the changes that stand in the shop's books at the end.
"""

from collections.abc import Callable
from typing import Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service
from rlgym.generators.services.policy import DEFAULT, Policy, Rule, Seen, clauses, deciding, listed, policy
from rlgym.generators.services.records import CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Fact, Finish, Office, Read
from rlgym.generators.services.retail import BOOK, shop


class AskWho(Read):
    """Asks the person who they are: their e-mail address or their town."""

    kind, by = "answer", ("about",)
    about: Literal["email", "town"]


class AskUser(Read):
    """Asks the person about one of their wishes, counted from 1: what it is, the colour wanted, the reason, or what they want if it is refused."""

    kind, by = "answer", ("about", "wish")
    about: Literal["wish", "colour", "reason", "fallback"]
    wish: int


class FindCustomers(Browse):
    """Lists the customers with exactly this name, with their towns."""

    kind, by, shows = "customer", ("name",), ("name", "town")
    name: str = TEXT
    page: int = FIRST_PAGE


class GetCustomer(Read):
    """Reads a customer's record."""

    kind = "customer"
    code: str = CODE


class ListOrders(Browse):
    """Lists the orders of a customer, with the product and the day of ordering (days are counted upwards)."""

    kind, by, shows = "order", ("customer",), ("product", "ordered on day")
    customer: str = CODE
    page: int = FIRST_PAGE


class GetOrder(Read):
    """Reads an order's record."""

    kind = "order"
    code: str = CODE


class CheckVariant(Read):
    """Says what a product costs now in a colour, and how many pieces are in stock."""

    kind, by = "variant", ("product", "colour")
    product: str = TEXT
    colour: str = CODE


class CancelOrder(Change):
    """Cancels an order."""

    touches = {"order": "order"}
    order: str = CODE


class ReturnOrder(Change):
    """Takes an order back and pays it back to the card or as a voucher."""

    touches = {"order": "order"}
    order: str = CODE
    paid: Literal["card", "voucher"]


class ExchangeOrder(Change):
    """Exchanges an order for the same product in another colour."""

    touches = {"order": "order"}
    order: str = CODE
    colour: str = CODE


class HandToManager(Change):
    """Hands an order to the manager, instead of doing anything else about the wish."""

    touches = {"order": "order"}
    order: str = CODE


class Refuse(Change):
    """Tells the person that a wish (or a fallback) about an order is refused, by the rule with this number."""

    touches = {"order": "order"}
    order: str = CODE
    wish: Literal["cancel", "return", "exchange"]
    rule: int


class TurnAway(Change):
    """Ends the chat with someone who is not the customer with this code."""

    touches = {"customer": "customer"}
    customer: str = CODE


TOOLS = ToolCalls(
    (
        *(AskWho, AskUser, FindCustomers, GetCustomer, ListOrders, GetOrder, CheckVariant),
        *(CancelOrder, ReturnOrder, ExchangeOrder, HandToManager, Refuse, TurnAway, Finish),
    )
)


class Knobs(Config):
    wishes: int = knob(4, easy=1, hard=6, doc="what the person wants, one thing after the other")
    rules: int = knob(4, easy=2, hard=7, doc="rules besides the general one")
    history: int = knob(3, easy=1, hard=9, doc="other orders of the customer")
    disclosure: str = knob(
        "some", easy="all", hard="little", order=("all", "some", "little"), doc="how much a wish states before the customer is asked"
    )


class State(Office):
    policy: Policy
    name: str


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, last=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Later rules overrule earlier ones."""
    return _state(rng, knobs, last=True)


def _state(rng: Rng, knobs: Knobs, last: bool) -> State:
    # What cannot be done at all is always ruled out, or the rules would allow it.
    rules = policy(rng, BOOK, knobs.rules, last, always=("sent", "unsent"))
    world = shop(rng, rules, knobs.wishes, knobs.history, knobs.disclosure)
    briefing = (
        f'You serve a shop\'s customers by chat. A chat begins: "{world.said}"\n\n'
        "First the person must name the e-mail address of the customer's record, exactly; turn away anyone who does not, and do nothing else. "
        "Then ask for wish 1, wish 2 and so on until there is none. A later wish may take an earlier one back, and then nothing is done about "
        "that one, so hear all wishes before you act. Decide each by the rules. Where a wish is refused, refuse it with the number of the rule, "
        "ask for its fallback, and decide that by the same rules as a wish about the same order, for the same reason; if it is refused too, "
        "refuse it and leave it there. What is wanted and why, only the person knows; for everything else the records count, whatever the "
        f"person says.\n\n{listed(BOOK, rules)}"
    )
    return State(briefing=briefing, records=world.records, cases=1, stalls=world.stalls, policy=rules, name=world.name)


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    found, town = eyes.all(FindCustomers(name=state.name)), eyes.read(AskWho(about="town")).word("town")
    customer = next(one.code for one in found if one.facts["town"] == town)
    if slip != "credulous" and eyes.read(AskWho(about="email")).word("email") != eyes.read(GetCustomer(code=customer)).word("e-mail"):
        return [TurnAway(customer=customer)]
    wishes = [eyes.read(AskUser(about="wish", wish=1))]
    while wishes[-1].facts.get("back") != "0":
        wishes.append(eyes.read(AskUser(about="wish", wish=len(wishes) + 1)))
    back = [wish.word("back") for wish in wishes if "back" in wish.facts and slip != "forgets_withdrawal"]
    left = [number for number, wish in enumerate(wishes, 1) if "back" not in wish.facts and str(number) not in back]
    return [deed for number in left for deed in _settle_wish(state, eyes, customer, number, slip)]


def _settle_wish(state: State, eyes: Eyes, customer: str, number: int, slip: str) -> list[Tool]:
    """What is to be done about a wish, and about its fallback if it is refused."""
    request, deeds = eyes.read(AskUser(about="wish", wish=number)), list[Tool]()
    order, wish = request.word("order") or _order(eyes, customer, request.word("product")), request.word("wish")
    product = eyes.read(GetOrder(code=order)).word("product")
    while wish != "none":
        colour = ""
        if wish == "exchange":
            colour = str(request.facts.get("colour") or eyes.read(AskUser(about="colour", wish=number)).word("colour"))
        where: dict[str, Read | Callable[[], Fact]] = {
            **dict.fromkeys(("state", "days since delivery", "price", "clearance", "paid"), GetOrder(code=order)),
            **dict.fromkeys(("tier", "sent back this year"), GetCustomer(code=customer)),
            **dict.fromkeys(("stock", "price now"), CheckVariant(product=product, colour=colour)),
            "reason": AskUser(about="reason", wish=number),
        }
        facts = Seen(eyes, where, {"wish": wish} | {key: request.facts[key] for key in ("reason",) if key in request.facts})
        rule = deciding(BOOK, state.policy, facts, slip)
        deeds.append(_deed(state, Rule(DEFAULT) if slip == "obliging" else rule, facts, order, wish, colour))
        refused = isinstance(deeds[-1], Refuse) and wish == request.word("wish") and slip != "no_fallback"
        wish = eyes.read(AskUser(about="fallback", wish=number)).word("wish") if refused else "none"
    return deeds


def _order(eyes: Eyes, customer: str, product: str) -> str:
    orders = eyes.all(ListOrders(customer=customer))
    if product:
        return next(order.code for order in orders if order.facts["product"] == product)
    return max(orders, key=lambda one: one.number("ordered on day")).code


def _deed(state: State, rule: Rule, facts: Seen, order: str, wish: str, colour: str) -> Tool:
    verdict = BOOK[rule.kind].verdict
    if verdict == "refuse":
        return Refuse.model_validate({"order": order, "wish": wish, "rule": state.policy.rules.index(rule) + 1})
    if verdict == "manager":
        return HandToManager(order=order)
    if wish == "cancel":
        return CancelOrder(order=order)
    if wish == "exchange":
        return ExchangeOrder(order=order, colour=colour)
    return ReturnOrder.model_validate({"order": order, "paid": verdict if verdict != "do" else facts["paid"]})


def _needs(state: State, change: Tool) -> list[str]:
    return ["email"]


desk = Service(
    TOOLS,
    decide,
    slips=("credulous", "hasty", "obliging", "no_fallback", "forgets_withdrawal"),
    needs=_needs,
    stated=clauses,
    voices=("answer",),
)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Check who asks, ask for what only they know and look up the rest, take the rule that decides, and ask for the fallback of what is refused.",
    version=4,
    rules=desk.rules,
    milestones=desk.milestones,
    with_user=desk.with_user,
)  # fmt: skip
