"""Serve a shop's customer by chat: check who it is, find out in your own words what is wanted, and do what the shop's rules allow.

The customer is a simulated person who understands ordinary English, or speaks another `language`, with hidden wishes, reasons and second choices, who tells
only what is asked, takes wishes back, changes their mind, forgets, and may be wrong about the facts. Judged by the changes that stand in the shop's books
at the end.
"""

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service
from rlgym.generators.services.policy import DEFAULT, Policy, Rule, Seen, clauses, deciding, listed, policy
from rlgym.generators.services.records import CODE, FIRST_PAGE, TEXT, Browse, Change, Eyes, Fact, Finish, Read, Record
from rlgym.generators.services.retail import BOOK, shop
from rlgym.generators.services.shop_chat import WISHES
from rlgym.generators.users.desk import Conversations, Say, find_line, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, speaking, worded
from rlgym.generators.users.translation.speech import translated


class SayToCustomer(Say):
    """Says something to the customer, in plain English; the answer is what they reply. Ask for at most three things in one message."""

    grammar: ClassVar[str] = "shop"
    questions: ClassVar[dict[str, str]] = {
        "email": "What is your e-mail address?",
        "town": "Which town do you live in?",
        "colour": "Which colour would you like?",
        "reason": "Why do you want that?",
        "fallback": "That cannot be done. What would you like instead?",
    }


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
        *(SayToCustomer, FindCustomers, GetCustomer, ListOrders, GetOrder, CheckVariant),
        *(CancelOrder, ReturnOrder, ExchangeOrder, HandToManager, Refuse, TurnAway, Finish),
    )
)


class Knobs(Config):
    wishes: int = knob(4, easy=1, hard=6, doc="what the person wants, one thing after the other")
    rules: int = knob(4, easy=2, hard=7, doc="rules besides the general one")
    history: int = knob(3, easy=1, hard=9, doc="other orders of the customer")
    language: str = LANGUAGE
    disclosure: str = knob(
        "some", easy="all", hard="little", order=("all", "some", "little"), doc="how much a wish states before the customer is asked"
    )


class State(Conversations):
    policy: Policy


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, last=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Later rules overrule earlier ones."""
    return _state(rng, knobs, last=True)


def _state(rng: Rng, knobs: Knobs, last: bool) -> State:
    # What cannot be done at all is always ruled out, or the rules would allow it.
    rules = policy(rng, BOOK, knobs.rules, last, always=("sent", "unsent"))
    world = shop(rng, rules, knobs.wishes, knobs.history, knobs.disclosure)
    stock = "" if any(rule.kind == "stock" for rule in rules.rules) else " How many pieces are in stock plays no part."
    briefing = (
        f'You serve a shop\'s customers by chat. The chat begins: "{translated(knobs.language, "shop", world.said)}"\n\n'
        "The customer is a person: speak to them in plain English. They answer what they are asked, may need to be asked twice, and leave when their "
        "patience ends.\n"
        "First the person must name the e-mail address of the customer's record, exactly; turn away anyone who does not, and do nothing else. "
        "Then hear what the person wants, and ask whether there is anything else until there is nothing more"
        f"{_LATER if knobs.disclosure != 'all' else ', before you act.'} Decide each wish by the rules. Where a wish is refused, refuse it with the "
        "number of the rule and ask what the person wants instead. Decide that by the same rules, as a wish about the same order for the same "
        "reason; if it is to be refused too, refuse it and ask no further. What is wanted and why, only the person knows; for everything else the "
        f"records count, whatever the person says.{stock}\n\n{listed(BOOK, rules)}"
    )
    state = State(
        briefing=briefing, records=world.records, cases=1, people=speaking(knobs.language, (world.person,)), chats=(Chat(),), policy=rules
    )
    return desk.begun(state) if knobs.wishes == 1 else state


_LATER = ", before you act: later words may take a wish back, and then nothing is done about it, or change the colour wanted, and then the later one counts."


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    found, town = eyes.all(FindCustomers(name=state.people[0].name)), _hear(eyes, "town").word("town")
    customer = next(one.code for one in found if one.facts["town"] == town)
    if slip != "credulous" and _hear(eyes, "email").word("email") != eyes.read(GetCustomer(code=customer)).word("e-mail"):
        return [TurnAway(customer=customer)]
    said = [_hear(eyes, "wish")]
    while said[-1].facts["wish"] != "none":
        said.append(_hear(eyes, f"more {len(said)}"))
    back = [one.word("about") for one in said if one.facts["wish"] == "back" and slip != "forgets_withdrawal"]
    colours = {one.word("about"): one.word("colour") for one in said if one.facts["wish"] == "colour" and slip != "first_colour"}
    left = [one for one in said if one.facts["wish"] in WISHES and one.facts["about"] not in back]
    asks = [partial(_settle_wish, state, eyes, customer, one, colours.get(one.word("about"), ""), slip) for one in left]
    return [deed for deeds in eyes.each(asks) for deed in deeds]


def _settle_wish(state: State, eyes: Eyes, customer: str, request: Record, colour: str, slip: str) -> list[Tool]:
    """What is to be done about a wish, and about its fallback if it is refused; `colour` is one that was named later."""
    deeds, about = list[Tool](), request.word("about")
    order, wish = request.word("order") or _order(eyes, customer, request.word("product")), request.word("wish")
    product = eyes.read(GetOrder(code=order)).word("product")
    while wish != "none":
        if wish == "exchange":
            colour = colour or str(request.facts.get("colour") or _hear(eyes, f"colour {about}").word("colour"))
        where: dict[str, Read | Callable[[], Fact]] = {
            **dict.fromkeys(("state", "days since delivery", "price", "clearance", "paid"), GetOrder(code=order)),
            **dict.fromkeys(("tier", "sent back this year"), GetCustomer(code=customer)),
            **dict.fromkeys(("stock", "price now"), CheckVariant(product=product, colour=colour)),
            "reason": SayToCustomer.asking(f"reason {about}"),
        }
        facts = Seen(eyes, where, {"wish": wish} | {key: request.facts[key] for key in ("reason",) if key in request.facts})
        rule = deciding(BOOK, state.policy, facts, slip)
        deeds.append(_deed(state, Rule(DEFAULT) if slip == "obliging" else rule, facts, order, wish, colour))
        refused = isinstance(deeds[-1], Refuse) and wish == request.word("wish") and slip != "no_fallback"
        wish = _hear(eyes, f"fallback {about}").word("wish") if refused else "none"
    return deeds


def _hear(eyes: Eyes, name: str) -> Record:
    return eyes.read(SayToCustomer.asking(name))


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
    """All that the person wants must have been heard before anything is done about it."""
    wishes = [] if isinstance(change, TurnAway) else [record.code for record in state.records if record.code.startswith("more ")]
    return ["email", *wishes]


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What a customer says to something that none of the lines answers."""
    match meaning.intent:
        case "go_ahead":
            return Line("", "What do you mean? If it is about what I asked for, do what your rules allow.")
        case "ask:name":
            return Line("", f"My name is {person.name}.")
        case "ask:order":
            return Line("", "I do not have the numbers of my orders; can you not look them up?")
        case "ask:records":
            return Line("", "That should be in your records; I do not have it at hand.")
        case "ask:paid":
            return Line("", "As your rules say.")
        case "ask:condition":
            return Line("", "It is complete, if that is what you mean.")
        case "ask:want":
            chat = state.chats[0]
            about = meaning.about or next(iter(chat.spoken[-1:]), "")
            wish = next(
                (one for one in state.records if one.kind == "answer" and one.facts.get("brings_up") == about and one.code in chat.stated),
                None,
            )
            wish = wish or find_line(state.records, "", "wish")
            return Line(wish.code, wish.word("says"), str(wish.facts.get("brings_up", ""))) if wish else None
    return None


def _talk(state: State, call: Tool) -> tuple[State, str] | None:
    return talk(state, call, TOOLS, _react)


desk = Service(
    TOOLS, decide, slips=("credulous", "hasty", "obliging", "no_fallback", "forgets_withdrawal", "first_colour"), needs=_needs, stated=clauses,
    talk=_talk, heard=hear, voices=("answer",),
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Check who asks, ask for what only they know and look up the rest, take the rule that decides, and ask for the fallback of what is refused.",
    version=11,
    rules=desk.rules,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
)  # fmt: skip
