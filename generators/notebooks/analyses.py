"""Steps of an analysis of orders: what each is to do in words, code that does it, code that does not, and its figure."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng

COLUMNS = ("order", "customer", "region", "day", "quantity", "cents", "status")
STATES = ("paid", "open", "refunded")


class Order(NamedTuple):
    """An order: its number, who ordered, where, on which day, how many pieces at how many cents each, and its state."""

    order: int
    customer: str
    region: str
    day: str
    quantity: int
    cents: int
    status: str

    @property
    def total(self) -> int:
        """The cents of all pieces."""
        return self.quantity * self.cents


Figure = float | str


class Slip(NamedTuple):
    """Code that does something else than a cell is to do, and the figure that it gives for all orders and the paid ones."""

    code: str
    figure: Callable[[Sequence[Order], Sequence[Order]], Figure]


class Analysis(NamedTuple):
    """A cell that computes a figure from the list of paid orders.

    text    what the cell is to do
    code    code that does it
    figure  the right figure for the paid orders
    slips   codes that do something else
    spoils  code with the right figure that also changes the orders, so that later cells go wrong; empty where there is none
    """

    name: str
    text: str
    code: str
    figure: Callable[[Sequence[Order]], Figure]
    slips: tuple[Slip, ...]
    spoils: str = ""


READ = "import csv\nfrom statistics import median\norders = list(csv.DictReader(open('orders.csv')))\n"
NUMBERS = (
    "for o in orders:\n    o['quantity'], o['cents'] = int(o['quantity']), int(o['cents'])\n    o['total'] = o['quantity'] * o['cents']"
)
PAID = "paid = [o for o in orders if o['status'] == 'paid']"
WRONG_PAID = (
    "paid = [o for o in orders if o['status'] != 'open']",
    "paid = [o for o in orders if o['status'] == 'paid' and o['quantity'] > 1]",
)


def _by(orders: Sequence[Order], name: str) -> dict[str, list[Order]]:
    found: dict[str, list[Order]] = {}
    for order in orders:
        found.setdefault(getattr(order, name), []).append(order)
    return found


def _sum(orders: Sequence[Order]) -> int:
    return sum(order.total for order in orders)


def _best_region(paid: Sequence[Order]) -> str:
    sums = {region: _sum(own) for region, own in _by(paid, "region").items()}
    return min(sums, key=lambda region: (-sums[region], region))


def _most_orders(paid: Sequence[Order]) -> str:
    counts = {region: len(own) for region, own in _by(paid, "region").items()}
    return min(counts, key=lambda region: (-counts[region], region))


def _busiest(paid: Sequence[Order], later: bool = False, pieces: bool = False) -> str:
    counts = {day: sum(order.quantity if pieces else 1 for order in own) for day, own in _by(paid, "day").items()}
    most = max(counts.values())
    days = sorted(day for day in counts if counts[day] == most)
    return days[-1 if later else 0]


def _large(orders: Sequence[Order]) -> list[Order]:
    return [order for order in orders if order.quantity >= 5]


def _returning(orders: Sequence[Order], least: int = 2) -> int:
    return sum(len(own) >= least for own in _by(orders, "customer").values())


SUMS = "sums = {}\nfor o in paid:\n    sums[o['region']] = sums.get(o['region'], 0) + "
SEEN = "seen = {}\nfor o in paid:\n    seen[o['customer']] = seen.get(o['customer'], 0) + 1\n"
DAYS = "days = {}\nfor o in paid:\n    days[o['day']] = days.get(o['day'], 0) + 1\n"
FIRST_REGION, FIRST_DAY = "best_region = min(sums, key=lambda r: (-sums[r], r))", "busiest = min(days, key=lambda d: (-days[d], d))"
ANALYSES = (
    Analysis(
        "revenue",
        "`revenue` is the sum of the totals of the paid orders, in cents.",
        "revenue = sum(o['total'] for o in paid)",
        _sum,
        (
            Slip("revenue = sum(o['total'] for o in orders)", lambda orders, _: _sum(orders)),
            Slip("revenue = sum(o['cents'] for o in paid)", lambda _, paid: sum(order.cents for order in paid)),
        ),
    ),
    Analysis(
        "customers",
        "`customers` is the number of different customers among the paid orders.",
        "customers = len({o['customer'] for o in paid})",
        lambda paid: len(_by(paid, "customer")),
        (
            Slip("customers = len([o['customer'] for o in paid])", lambda _, paid: len(paid)),
            Slip("customers = len({o['customer'] for o in orders})", lambda orders, _: len(_by(orders, "customer"))),
        ),
    ),
    Analysis(
        "median_total",
        "`median_total` is the median of the totals of the paid orders; of an even number of orders, the mean of the two in the middle.",
        "median_total = median(o['total'] for o in paid)",
        lambda paid: float(statistics.median(order.total for order in paid)),
        (
            Slip("median_total = paid[len(paid) // 2]['total']", lambda _, paid: paid[len(paid) // 2].total),
            Slip(
                "median_total = sorted(o['total'] for o in paid)[len(paid) // 2]",
                lambda _, paid: sorted(order.total for order in paid)[len(paid) // 2],
            ),
        ),
        "paid.sort(key=lambda o: o['total'])\nmedian_total = median(o['total'] for o in paid)\ndel paid[0]",
    ),
    Analysis(
        "best_region",
        "`best_region` is the region with the largest sum of totals of paid orders; of equal ones, the first in the alphabet.",
        f"{SUMS}o['total']\n{FIRST_REGION}",
        _best_region,
        (
            Slip(f"{SUMS}1\n{FIRST_REGION}", lambda _, paid: _most_orders(paid)),
            Slip(f"{SUMS}o['total']\nbest_region = max(sums)", lambda _, paid: max(_by(paid, "region"))),
        ),
    ),
    Analysis(
        "large",
        "`large` is the number of paid orders of at least 5 pieces.",
        "large = sum(o['quantity'] >= 5 for o in paid)",
        lambda paid: len(_large(paid)),
        (
            Slip("large = sum(o['quantity'] > 5 for o in paid)", lambda _, paid: sum(order.quantity > 5 for order in paid)),
            Slip(
                "large = sum(o['quantity'] for o in paid if o['quantity'] >= 5)",
                lambda _, paid: sum(order.quantity for order in _large(paid)),
            ),
        ),
    ),
    Analysis(
        "large_share",
        "`large_share` is the percentage of the sum of totals of paid orders that comes from orders of at least 5 pieces.",
        "large_share = 100 * sum(o['total'] for o in paid if o['quantity'] >= 5) / sum(o['total'] for o in paid)",
        lambda paid: 100 * _sum(_large(paid)) / _sum(paid),
        (
            Slip(
                "large_share = 100 * sum(o['quantity'] >= 5 for o in paid) / len(paid)", lambda _, paid: 100 * len(_large(paid)) / len(paid)
            ),
            Slip(
                "large_share = 100 * sum(o['total'] for o in paid if o['quantity'] >= 5) / sum(o['total'] for o in orders)",
                lambda orders, paid: 100 * _sum(_large(paid)) / _sum(orders),
            ),
        ),
    ),
    Analysis(
        "returning",
        "`returning` is the number of customers with at least 2 paid orders.",
        f"{SEEN}returning = sum(n >= 2 for n in seen.values())",
        _returning,
        (
            Slip(f"{SEEN}returning = sum(n > 2 for n in seen.values())", lambda _, paid: _returning(paid, 3)),
            Slip(
                f"{SEEN.replace('in paid', 'in orders')}returning = sum(n >= 2 for n in seen.values())",
                lambda orders, _: _returning(orders),
            ),
        ),
        "seen = [o['customer'] for o in paid]\npaid[:] = [o for o in paid if seen.count(o['customer']) >= 2]\n"
        "returning = len({o['customer'] for o in paid})",
    ),
    Analysis(
        "latest",
        "`latest` is the sum of the totals of the 4 latest paid orders by day; of orders of the same day, the one with the larger number is later.",
        "latest = sum(o['total'] for o in sorted(paid, key=lambda o: (o['day'], int(o['order'])))[-4:])",
        lambda paid: _sum(sorted(paid, key=lambda order: (order.day, order.order))[-4:]),
        (
            Slip("latest = sum(o['total'] for o in paid[-4:])", lambda _, paid: _sum(paid[-4:])),
            Slip(
                "latest = sum(o['total'] for o in sorted(paid, key=lambda o: (o['day'], o['order']))[-4:])",
                lambda _, paid: _sum(sorted(paid, key=lambda order: (order.day, str(order.order)))[-4:]),
            ),
        ),
        "last = paid\nlast.sort(key=lambda o: (o['day'], int(o['order'])))\nlatest = sum(last.pop()['total'] for _ in range(4))",
    ),
    Analysis(
        "per_customer",
        "`per_customer` is the mean over the customers with a paid order of the sum of their totals of paid orders.",
        "per_customer = sum(o['total'] for o in paid) / len({o['customer'] for o in paid})",
        lambda paid: _sum(paid) / len(_by(paid, "customer")),
        (
            Slip("per_customer = sum(o['total'] for o in paid) / len(paid)", lambda _, paid: _sum(paid) / len(paid)),
            Slip(
                "per_customer = sum(o['total'] for o in paid) / len({o['customer'] for o in orders})",
                lambda orders, paid: _sum(paid) / len(_by(orders, "customer")),
            ),
        ),
    ),
    Analysis(
        "busiest",
        "`busiest` is the day with the most paid orders; of equal ones, the earliest.",
        f"{DAYS}{FIRST_DAY}",
        _busiest,
        (
            Slip(f"{DAYS[:-2]}o['quantity']\n{FIRST_DAY}", lambda _, paid: _busiest(paid, pieces=True)),
            Slip(f"{DAYS}busiest = max(days, key=lambda d: (days[d], d))", lambda _, paid: _busiest(paid, later=True)),
        ),
        f"{DAYS}for o in orders:\n    o['quantity'] = days.get(o['day'], 0)\n{FIRST_DAY}",
    ),
)


def sample_orders(rng: Rng, count: int, regions: Sequence[str], days: Sequence[str]) -> list[Order]:
    """Orders in random order, with days that repeat and quantities of which several equal 5."""
    people = [f"c{number}" for number in rng.sample(range(100, 999), max(4, count // 4))]
    numbers = rng.sample(range(90, 90 + 4 * count), count)
    return [
        Order(
            number, rng.choice(people), rng.choice(regions), rng.choice(days), rng.choice((1, 1, 2, 3, 4, 5, 5, 6, 8)),
            rng.integer(199, 4999), rng.weighted(STATES, (6, 2, 2)),
        )
        for number in numbers
    ]  # fmt: skip
