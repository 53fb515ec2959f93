"""Tables of orders in a sheet, the values to compute from them, and the right result for any numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.toolbox.sheets import at

HEADINGS = ("due", "owed", "amount", "bill", "to pay")
PRODUCTS = tuple(
    "basket bench bowl box bucket chair clock cup desk fan frame jug kettle ladder lamp mirror mug pan shelf stool tray vase".split()
)
REGIONS = ("north", "south", "east", "west", "coast", "hills", "islands", "lakes", "plains", "valley")
DUES = {
    "plain": "pieces times price",
    "rate": "pieces times price, less the discount in percent that stands in {rate}",
    "cased": "pieces times price, less the discount in percent that stands in {rate} if there are at least as many pieces as {bound} says",
}
SUMS = {
    "total": "the sum of all that is due",
    "region": "the sum of what is due in the region {word}",
    "count": "the number of orders in the region {word}",
    "most": "the largest amount due",
    "least": "the smallest amount due",
    "mean": "the average amount due, rounded to 2 digits after the decimal point",
    "share": "the share of the region {word} in all that is due, as a number between 0 and 1, rounded to 4 digits after the decimal point",
}


class Order(NamedTuple):
    product: str
    region: str
    pieces: int
    price: int


class Goal(NamedTuple):
    kind: str
    cell: str
    word: str


class Ledger(NamedTuple):
    orders: tuple[Order, ...]
    columns: tuple[str, ...]  # what each column holds, from A
    top: int  # the row of the headings
    rate: int
    bound: int
    due: str
    goals: tuple[Goal, ...]
    regions: tuple[str, ...]
    heading: str  # of the column to be filled
    dirty: tuple[int, ...]  # orders whose pieces are written with a word behind


def ledger(rng: Rng, orders: int, goals: int, due: str, dirty: int) -> Ledger:
    """A ledger with so many orders and sums to work out."""
    columns = rng.shuffled(("product", "region", "pieces", "price", "due"))
    top, regions = rng.integer(1, 4), tuple(rng.sample(REGIONS, 4))
    rows = tuple(_order(rng, product, regions) for product in rng.sample(PRODUCTS, orders))
    present = sorted({order.region for order in rows})
    cells = rng.sample([at(column, row) for column in (9, 10) for row in range(top, top + 12)], goals)
    goal_list = tuple(Goal(kind, cell, rng.choice(present)) for kind, cell in zip(rng.sample(tuple(SUMS), goals), cells))
    mixed = tuple(sorted(rng.sample(range(orders), dirty)))
    return Ledger(rows, tuple(columns), top, rng.integer(2, 30), rng.integer(8, 20), due, goal_list, regions, rng.choice(HEADINGS), mixed)


def place(ledger: Ledger, column: str, order: int) -> str:
    """The cell of an order, counted from 0, in a column."""
    return at(ledger.columns.index(column) + 1, ledger.top + 1 + order)


def write(ledger: Ledger, clean: bool = False) -> dict[str, str]:
    """What stands in the cells before anything was done."""
    cells = {at(k + 1, ledger.top): column if column != "due" else ledger.heading for k, column in enumerate(ledger.columns)}
    for k, order in enumerate(ledger.orders):
        pieces = f"{order.pieces} pcs" if k in ledger.dirty and not clean else str(order.pieces)
        for column, text in (("product", order.product), ("region", order.region), ("pieces", pieces), ("price", str(order.price))):
            cells[place(ledger, column, k)] = text
    if ledger.due != "plain":
        cells |= {rate_cell(ledger): str(ledger.rate), at(7, ledger.top): "discount"}
    if ledger.due == "cased":
        cells |= {bound_cell(ledger): str(ledger.bound), at(7, ledger.top + 1): "from pieces"}
    return cells


def rate_cell(ledger: Ledger) -> str:
    return at(8, ledger.top)


def bound_cell(ledger: Ledger) -> str:
    return at(8, ledger.top + 1)


def right_values(ledger: Ledger) -> dict[str, Fraction]:
    """The right value of every cell to fill."""
    due = [_amount_due(ledger, order) for order in ledger.orders]
    out = {place(ledger, "due", k): value for k, value in enumerate(due)}
    for goal in ledger.goals:
        out[goal.cell] = _sum(goal.kind, due, [value for value, order in zip(due, ledger.orders) if order.region == goal.word])
    return out


def formulas(ledger: Ledger) -> dict[str, str]:
    """Formulas that do it: of the column due the first, and every sum."""
    first, last = 0, len(ledger.orders) - 1
    pieces, price = place(ledger, "pieces", 0), place(ledger, "price", 0)
    less = f"*(1-{_absolute_reference(rate_cell(ledger))}/100)"
    due = f"={pieces}*{price}"
    if ledger.due == "rate":
        due += less
    if ledger.due == "cased":
        due = f"=IF({pieces}>={_absolute_reference(bound_cell(ledger))},{pieces}*{price}{less},{pieces}*{price})"
    dues = f"{place(ledger, 'due', first)}:{place(ledger, 'due', last)}"
    regions = f"{place(ledger, 'region', first)}:{place(ledger, 'region', last)}"
    out = {place(ledger, "due", 0): due}
    for goal in ledger.goals:
        mine = f'SUMIF({regions},"{goal.word}",{dues})'
        out[goal.cell] = {
            "total": f"=SUM({dues})",
            "region": f"={mine}",
            "count": f'=COUNTIF({regions},"{goal.word}")',
            "most": f"=MAX({dues})",
            "least": f"=MIN({dues})",
            "mean": f"=ROUND(AVERAGE({dues}),2)",
            "share": f"=ROUND({mine}/SUM({dues}),4)",
        }[goal.kind]
    return out


def versions(rng: Rng, ledger: Ledger) -> list[Ledger]:
    """The ledger with other numbers, so that a formula that leaves out the first row or the last one gives another value."""
    words = [goal.word for goal in ledger.goals] or list(ledger.regions)
    out = []
    for row, pieces, price in ((0, 40, 990), (-1, 40, 990), (0, 1, 1), (-1, 1, 1), (rng.integer(0, len(ledger.orders) - 1), 41, 991)):
        orders = [_order(rng, order.product, ledger.regions) for order in ledger.orders]
        orders[row] = orders[row]._replace(region=rng.choice(words), pieces=pieces, price=price)
        out.append(ledger._replace(orders=tuple(orders), rate=rng.integer(31, 60), bound=rng.integer(3, 25)))
    return out


def round_value(value: Fraction, digits: int) -> Fraction:
    half = value * 10**digits + Fraction(1, 2)
    return Fraction(half.numerator // half.denominator, 10**digits)


def _sum(kind: str, due: list[Fraction], mine: list[Fraction]) -> Fraction:
    match kind:
        case "total":
            return sum(due, Fraction(0))
        case "region":
            return sum(mine, Fraction(0))
        case "count":
            return Fraction(len(mine))
        case "most":
            return max(due)
        case "least":
            return min(due)
        case "mean":
            return round_value(sum(due, Fraction(0)) / len(due), 2)
    return round_value(sum(mine, Fraction(0)) / sum(due, Fraction(0)), 4)


def _absolute_reference(cell: str) -> str:
    return f"{cell[0]}${cell[1:]}"


def _order(rng: Rng, product: str, regions: tuple[str, ...]) -> Order:
    return Order(product, rng.choice(regions), rng.integer(2, 30), rng.integer(3, 90))


def _amount_due(ledger: Ledger, order: Order) -> Fraction:
    due = Fraction(order.pieces * order.price)
    less = ledger.due == "rate" or (ledger.due == "cased" and order.pieces >= ledger.bound)
    return due * (100 - ledger.rate) / 100 if less else due
