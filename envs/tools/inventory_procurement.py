"""Order for a store what has run low: the right units of the right supplier, the most urgent first, within a budget.

Packs, minimum orders, fees, delivery times, blocked suppliers and products that are critical or discontinued all have
a say. Judged by the orders placed, to the unit.
"""

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service, outages
from rlgym.generators.services.records import AMOUNT, CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Office, Read, Record
from rlgym.generators.services.stores import choice, offer, store, terms, units


class ListProducts(Browse):
    """Lists the products."""

    kind, by, shows = "product", (), ("name", "in stock", "on order", "reorder point")
    page: int = FIRST_PAGE


class GetProduct(Read):
    """Reads a product."""

    kind = "product"
    code: str = CODE


class ListOffers(Browse):
    """Lists what suppliers offer a product for: coins a unit, units in a pack, the fewest units they send, and days until they come."""

    kind, by, shows = "offer", ("product",), ("supplier", "price", "pack", "minimum", "days")
    product: str = CODE
    page: int = FIRST_PAGE


class GetSupplier(Read):
    """Reads a supplier: its state, the fee in coins, the sum from which there is none, and the percent off."""

    kind = "supplier"
    code: str = CODE


class Order(Change):
    """Orders units of a product from a supplier."""

    touches = {"product": "product", "supplier": "supplier"}
    product: str = CODE
    supplier: str = CODE
    units: int = AMOUNT


TOOLS = ToolCalls((ListProducts, GetProduct, ListOffers, GetSupplier, Order, Finish))


class Knobs(Config):
    products: int = knob(5, easy=2, hard=9, beyond=16, doc="products in the store")
    suppliers: int = knob(3, easy=2, hard=5, beyond=8, doc="suppliers")
    budget: float = knob(0.8, easy=1.0, hard=0.6, doc="share of what all the orders would cost that may be spent")
    outages: int = knob(1, easy=0, hard=3, doc="tools that do not answer the first time")


class State(Office):
    products: tuple[str, ...]
    budget: int


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, rebates=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Suppliers that take percents off, so that fees and free limits are met otherwise."""
    return _state(rng, knobs, rebates=True)


def _state(rng: Rng, knobs: Knobs, rebates: bool) -> State:
    while True:
        records, products = store(rng, knobs.products, knobs.suppliers, rebates)
        state = State(briefing="", records=records, cases=1, products=products, budget=10**9)
        orders = _orders(state, Eyes(records, TOOLS, None), "")
        if orders:
            break
    costs = [cost for _, cost in orders]
    budget = max(round(sum(costs) * knobs.budget), min(costs)) + rng.integer(0, 9)
    off = (
        "the price of the units less the supplier's percent off (rounded down to whole coins off)" if rebates else "the price of the units"
    )
    firms = ", ".join(sorted(record.code for record in records if record.kind == "supplier"))
    briefing = (
        f"You order for a store with {len(products)} products and the suppliers {firms}, and may spend {budget} coins.\n\n"
        "- A product is low if what is in stock and on order together is less than its reorder point. Discontinued products are never ordered.\n"
        "- What is short of a low product is its target less what is in stock and on order. Order the fewest units in whole packs that are at "
        "least what is short and at least the supplier's minimum.\n"
        f"- An order costs {off}, and the supplier's fee on top unless that is at least the sum from which there is no fee.\n"
        "- The days until a supplier comes may not be more than the days that the stock lasts (what is in stock divided by what is used a day, "
        "rounded down; what is on order does not count). Blocked suppliers get no order.\n"
        "- Of the suppliers left take the one where the order costs least, but for a critical product the one that comes soonest, and of several "
        "such the one where the order costs least. What is still equal goes to the supplier with the smaller code.\n"
        "- Go through the low products from the one whose stock lasts for the fewest days (no two are alike in this) to the most. Order if what "
        "is left of the budget is enough, else leave that product out and go on."
    )
    state = state.model_copy(update={"briefing": briefing, "budget": budget, "stalls": outages(rng, TOOLS, knobs.outages)})
    return desk.begun(state) if knobs.products == 2 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    left, deeds = state.budget, list[Tool]()
    for order, cost in _orders(state, eyes, slip):
        if cost <= left or slip == "spends":
            left -= cost
            deeds.append(order)
    return deeds


def _orders(state: State, eyes: Eyes, slip: str) -> list[tuple[Order, int]]:
    """The orders that are due and what they cost, the most urgent first."""
    low = [row for row in eyes.all(ListProducts()) if row.number("in stock") + row.number("on order") < row.number("reorder point")]
    products = [one for one in eyes.reads([GetProduct(code=row.code) for row in low]) if one.facts["state"] != "discontinued"]
    placed = eyes.each([lambda one=product: _order(one, eyes, slip) for product in products])  # type: ignore[misc]
    rows = [(_days_of_stock(product), *order) for product, order in zip(products, placed) if order]
    return [(order, cost) for _, order, cost in sorted(rows, key=lambda row: row[0])]


def _order(product: Record, eyes: Eyes, slip: str) -> tuple[Order, int] | None:
    short = product.number("target") - product.number("in stock") - (0 if slip == "orders_again" else product.number("on order"))
    offers = [offer(one) for one in eyes.all(ListOffers(product=product.code))]
    held = [terms(one) for one in eyes.reads([GetSupplier(code=one.supplier) for one in offers])]
    in_time = 999 if slip == "waits" else _days_of_stock(product)
    found = choice(short, list(zip(offers, held)), in_time, product.facts["state"] == "critical")
    return found and (Order(product=product.code, supplier=found[0].supplier, units=units(short, found[0])), found[1])


def _days_of_stock(product: Record) -> int:
    return product.number("in stock") // product.number("used a day")


desk = Service(TOOLS, decide, slips=("spends", "waits", "orders_again"))

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Find what is low, work out units and whole cost with every supplier that is in time, and spend the budget on the most urgent first.",
    rules=desk.rules,
    version=5,
    milestones=desk.milestones,
)  # fmt: skip
