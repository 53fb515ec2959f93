"""A shop's tickets and records as text."""

from __future__ import annotations

from rlgym.generators.worlds.desk import Customer, Order, Shop, Ticket


def write_question(shop: Shop, ticket: Ticket) -> str:
    """What a customer writes to the desk."""
    order = shop.orders[ticket.order]
    customer = shop.customers[order.customer]
    which = {
        "code": f"the order {order.code}",
        "product": f"the {order.product}",
        "latest": "the order that was placed last of all orders of this customer",
        "dearest": "the order with the highest price of all orders of this customer",
    }[ticket.clue]
    claim = f' "{ticket.claim}"' if ticket.claim else ""
    return f"{customer.name} from {customer.town} asks for {'an exchange' if ticket.exchange else 'a refund'} of {which}.{claim}"


def customer_record(who: Customer) -> str:
    return f"{who.code} {who.name} from {who.town}: {'a gold' if who.gold else 'no gold'} customer, refunds this year: {who.refunds}"


def order_record(shop: Shop, order: Order) -> str:
    arrived = "not delivered yet" if order.delivered is None else f"delivered on day {order.delivered}, condition `{order.condition}`"
    return (
        f"{order.code} of customer {shop.customers[order.customer].code}: {order.product}, price {order.price} coins, shipping "
        f"{order.shipping} coins, ordered on day {order.ordered}, {arrived}, {'clearance sale' if order.clearance else 'no clearance sale'}, "
        f"{'settled before' if order.settled else 'not settled before'}"
    )


def orders_of(shop: Shop, code: str) -> list[Order]:
    """The orders of the customer with this code, sorted by their own codes, which say nothing."""
    return sorted(order for order in shop.orders if shop.customers[order.customer].code == code)
