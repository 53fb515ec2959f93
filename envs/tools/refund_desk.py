"""Work a shop's refund desk: read the records through tools, decide every ticket by the shop's rules, and touch nothing else.

Judged by the decisions that stand in the shop's books at the end, never by what was said. A decision about an order
whose record had not been read before is a guess, and loses like a wrong one.
"""

from collections.abc import Callable, Mapping
from functools import partial

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.worlds.catalogue import PAGE, page
from rlgym.generators.worlds.desk import RULES, Decision, Shop, Ticket, deciding_rule, right_decision, shop
from rlgym.generators.worlds.desk_tools import (
    TOOLS,
    CheckStock,
    Escalate,
    Exchange,
    FindCustomer,
    Finish,
    GetCustomer,
    GetOrder,
    ListOrders,
    Refund,
    Refuse,
)
from rlgym.generators.worlds.records import customer_record, order_record, orders_of, write_question

CLUES = {"code": ("code",), "product": ("product",), "clue": ("product", "latest", "dearest")}


class Knobs(Config):
    tickets: int = knob(4, easy=1, hard=7, doc="customers who ask for something")
    rules: int = knob(5, easy=3, hard=9, doc="rules besides the last one")
    history: int = knob(4, easy=1, hard=12, doc="most other orders of a customer")
    named: str = knob("product", easy="code", hard="clue", order=("code", "product", "clue"), doc="how the customers name their orders")


class State(TaskData):
    shop: Shop
    seen: tuple[str, ...] = ()  # look-ups that found something
    decided: tuple[tuple[int, Decision], ...] = ()  # orders and what was decided on them
    blind: bool = False
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return State(shop=shop(rng, knobs.tickets, knobs.rules, knobs.history, CLUES[knobs.named]))


def show(state: State) -> str:
    if state.told:
        return state.told
    shop = state.shop
    tickets = "\n".join(f"{k}. {write_question(shop, ticket)}" for k, ticket in enumerate(shop.tickets, 1))
    rules = "\n".join(f"{k}. {RULES[rule.kind].format(number=rule.number, word=rule.word)}" for k, rule in enumerate(shop.rules, 1))
    return (
        f"You work at the refund desk of a shop. Today is day {shop.today}. Decide {'these tickets' if chr(10) in tickets else 'this ticket'}:\n{tickets}\n\n"
        f"The first of these rules that applies decides (check them from the top):\n{rules}\n"
        f"The records are decisive, whatever a customer says about the facts. What was delivered on day {shop.today - 9} was delivered 9 days ago.\n\n"
        f"{TOOLS.manual()}\n\n"
        "Decide once on the order of each ticket and on no other order; a decision cannot be taken back. Read an order's record in an earlier "
        "turn than you decide on it, or the decision counts as a guess, and the work is lost. Finish when all tickets are decided."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.seen)
    return run_turn(
        state,
        calls,
        lambda now, call: _decide(now, call, known) if isinstance(call, Refund | Exchange | Refuse | Escalate) else _look(now, call),
        lambda now: now.finished,
    )


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    if state.blind:
        return Score.wrong("an order was decided on before its record had been read")
    decisions = {ticket.order: right_decision(state.shop, ticket) for ticket in state.shop.tickets}
    decided = dict(state.decided)
    if extra := len(decided.keys() - decisions.keys()):
        return Score.wrong(f"{extra} orders were decided on that no ticket is about")
    wrong = sum(decided.get(order) != right for order, right in decisions.items())
    return Score.exact(wrong == 0, f"{wrong} of {len(decisions)} tickets were left open or decided against the rules")


def milestones(state: State) -> dict[str, float]:
    """The shares of the necessary records read and of the tickets decided rightly; 0 once the work is lost."""
    shop = state.shop
    needed = {TOOLS.render((call,)) for ticket in shop.tickets for calls in _look_ups(shop, ticket) for call in calls}
    decisions = {ticket.order: right_decision(shop, ticket) for ticket in shop.tickets}
    lost = state.blind or any(decisions.get(order) != decision for order, decision in dict(state.decided).items())
    read, decided = len(needed.intersection(state.seen)) / len(needed), len(dict(state.decided)) / len(decisions)
    return {"records_read": 0.0 if lost else read, "tickets_decided": 0.0 if lost else decided}


def best(state: State) -> Calls:
    plans = [_look_ups(state.shop, ticket) for ticket in state.shop.tickets]
    look_ups = dict.fromkeys(call for plan in plans for call in _missing(state, plan))
    if look_ups:
        return tuple(look_ups)[: TOOLS.max_calls]
    done = dict(state.decided)
    left = [
        _call(state.shop, ticket.order, right_decision(state.shop, ticket)) for ticket in state.shop.tickets if ticket.order not in done
    ]
    return tuple(left)[: TOOLS.max_calls] or (Finish(),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    stated = [rule.kind for rule in first.shop.rules if rule.kind != "default"]
    return {"read_first": _unread} | {kind: partial(_without, kind) for kind in stated}


def _unread(state: State) -> Calls:
    left = [ticket for ticket in state.shop.tickets if ticket.order not in dict(state.decided)]
    return tuple(_call(state.shop, one.order, right_decision(state.shop, one)) for one in left)[: TOOLS.max_calls] or (Finish(),)


def _without(kind: str, state: State) -> Calls:
    others = tuple(rule for rule in state.shop.rules if rule.kind != kind)
    return best(state.model_copy(update={"shop": state.shop._replace(rules=others)}))


def mistakes(state: State) -> list[Calls]:
    # Approves, refuses, or takes the neighbouring order, whatever the rules say; does more than requested; guesses; stops at once.
    shop, ticket, calls = state.shop, state.shop.tickets[0], best(state)
    order, right = shop.orders[ticket.order], right_decision(shop, ticket)
    other = next(i for i in range(len(shop.orders)) if all(i != one.order for one in shop.tickets))
    blind = tuple(_call(shop, one.order, right_decision(shop, one)) for one in shop.tickets)
    if not isinstance(calls[0], Refund | Exchange | Refuse | Escalate):
        return [
            (Finish(),) if isinstance(calls[0], Finish) and not state.blind else (*blind, Finish()),
            calls,
            calls,
            calls,
            calls,
            (Finish(),),
        ]
    approved, refused = Decision("refund", order.price), Decision("refuse", 0, "too_late")
    approved = approved if right != approved else Decision("refund", order.price + order.shipping)
    refused = refused if right != refused else Decision("refuse", 0, "damaged")
    first = [_call(shop, ticket.order, approved), _call(shop, ticket.order, refused), _call(shop, other, right)]
    return [(Finish(),), *((wrong, *calls[1:]) for wrong in first), (*calls[:7], _call(shop, other, Decision("escalate"))), (Finish(),)]


def cost(state: State) -> float:
    return turns(state) + len(state.shop.tickets) * len(state.shop.rules)


def turns(state: State) -> int:
    # Enough for one call a turn, with the customer and the stock looked up for every ticket though no rule may need them.
    return (
        4
        + len({call for ticket in state.shop.tickets for plan in _look_ups(state.shop, ticket) for call in plan})
        + 3 * len(state.shop.tickets)
    )


def explain(state: State) -> list[str]:
    shop, calls, steps = state.shop, best(state), []
    if isinstance(calls[0], Refund | Exchange | Refuse | Escalate):
        for ticket in shop.tickets:
            order, rule = shop.orders[ticket.order], deciding_rule(shop, ticket)
            steps.append(f"Order {order.code}: rule {shop.rules.index(rule) + 1} is the first that applies ({RULES[rule.kind][:60]}...).")
    elif not isinstance(calls[0], Finish):
        steps.append(f"{len(state.seen)} look-ups were made; a rule cannot be checked before the records that it is about are read.")
    else:
        steps.append("Every ticket is decided and no other order was touched.")
    return [*steps, TOOLS.render(calls)]


def _look(state: State, call: Tool) -> tuple[State, str]:
    shop = state.shop
    found = ""
    match call:
        case FindCustomer(name=name):
            found = "\n".join(
                f"{who.code} {who.name} from {who.town}" for who in shop.customers if who.name.lower() == name.strip().lower()
            )
        case GetCustomer(customer=code):
            found = "\n".join(customer_record(who) for who in shop.customers if who.code == code)
        case ListOrders(customer=code, page=number):
            rows = [f"{order.code} {order.product}, ordered on day {order.ordered}" for order in orders_of(shop, code)]
            found = page(rows, number) if rows else ""
        case GetOrder(order=code):
            found = "\n".join(order_record(shop, order) for order in shop.orders if order.code == code)
        case CheckStock(product=product):
            found = "\n".join(
                f"{order.product}: {order.stock} in stock" for order in shop.orders if order.product == product.strip().lower()
            )
        case Finish():
            return state.model_copy(update={"finished": True}), ""
    if not found:
        return state, "nothing of that name or code was found"
    return state.model_copy(update={"seen": (*state.seen, TOOLS.render((call,)))}), found


def _decide(state: State, call: Refund | Exchange | Refuse | Escalate, known: frozenset[str]) -> tuple[State, str]:
    place = next((i for i, order in enumerate(state.shop.orders) if order.code == call.order), None)
    if place is None:
        return state, f"nothing was decided: there is no order {call.order!r}"
    if place in dict(state.decided):
        return state, f"nothing was changed: order {call.order} is decided already"
    match call:
        case Refund(amount=amount):
            decision = Decision("refund", amount)
        case Refuse(reason=reason):
            decision = Decision("refuse", 0, reason)
        case _:
            decision = Decision("exchange" if isinstance(call, Exchange) else "escalate")
    blind = TOOLS.render((GetOrder(order=call.order),)) not in known
    decided = (*state.decided, (place, decision))
    return state.model_copy(update={"decided": decided, "blind": state.blind or blind}), f"decided on order {call.order}: {decision.action}"


def _look_ups(shop: Shop, ticket: Ticket) -> list[list[Call]]:
    """What must be looked up for a ticket: each list needs only what those before it have shown."""
    order = shop.orders[ticket.order]
    customer, kinds = shop.customers[order.customer], {rule.kind for rule in shop.rules}
    plan: list[list[Call]] = []
    if ticket.clue != "code":
        mine = orders_of(shop, customer.code)
        pages: list[Call] = [ListOrders(customer=customer.code, page=number) for number in range(1, -(-len(mine) // PAGE) + 1)]
        plan += [[FindCustomer(name=customer.name)], pages[:1], pages[1:]]
        plan += [[GetOrder(order=one.code) for one in mine]] if ticket.clue == "dearest" else []
    plan.append([GetOrder(order=order.code)])
    plan.append([GetCustomer(customer=customer.code)] if kinds & {"gold", "serial", "late_standard"} else [])
    plan.append([CheckStock(product=order.product)] if ticket.exchange and "exchange" in kinds else [])
    return plan


def _missing(state: State, plan: list[list[Call]]) -> list[Call]:
    """The first look-ups of a plan that were not made yet."""
    for calls in plan:
        if missing := [call for call in calls if TOOLS.render((call,)) not in state.seen]:
            return missing
    return []


def _call(shop: Shop, order: int, decision: Decision) -> Call:
    code = shop.orders[order].code
    match decision.action:
        case "refund":
            return Refund(order=code, amount=decision.amount)
        case "refuse":
            return Refuse.model_validate({"order": code, "reason": decision.reason})
        case "exchange":
            return Exchange(order=code)
    return Escalate(order=code)


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Identify the order, read every record that a rule asks about, take the first rule that applies, and do only what it says.",
    rules=rules,
    version=6,
    milestones=milestones,
)  # fmt: skip
