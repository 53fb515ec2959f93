"""A small trading firm: its events, and what they do to cash, stock and profit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlgym.core.task import TaskData
from rlgym.generators.science.quantities import Working

SAID = {
    "capital": (
        "{who} puts {a} dollars of private money into the firm.",
        "{who} starts the firm with {a} dollars of private money in cash.",
    ),
    "bought": (
        "{a} {what} are bought at {b} dollars each; {c}% of this is paid at once, the rest is owed to the supplier.",
        "The firm buys {a} {what} for {b} dollars apiece, pays {c}% in cash and owes the rest.",
        "A supplier delivers {a} {what} at {b} dollars each, {c}% of the price paid on delivery and the rest on credit.",
    ),
    "sold": (
        "{a} {what} are sold at {b} dollars each; {c}% of this is paid at once, the rest is owed by the customers.",
        "Customers buy {a} {what} for {b} dollars apiece, pay {c}% in cash and owe the rest.",
        "The firm delivers {a} {what} to customers at {b} dollars each, {c}% of the price paid on delivery and the rest on credit.",
    ),
    "bought for cash": ("{a} {what} are bought for cash at {b} dollars each.", "The firm buys {a} {what} for {b} dollars apiece in cash."),
    "sold for cash": (
        "{a} {what} are sold for cash at {b} dollars each.",
        "Customers buy {a} {what} for {b} dollars apiece and pay in cash.",
    ),
    "paid": (
        "{a}% of what the firm owes its suppliers at that time is paid.",
        "The firm pays its suppliers {a}% of what it owes them at that time.",
    ),
    "collected": ("Customers pay {a}% of what they owe at that time.", "{a}% of what customers owe at that time comes in as cash."),
    "wages": (
        "Wages of {a} dollars are paid.",
        "Rent of {a} dollars is paid.",
        "{a} dollars are paid for electricity.",
        "Advertising costs {a} dollars in cash.",
    ),
    "loan": (
        "A loan of {a} dollars is taken out; interest of {b}% of it is paid at once and is a cost of this period.",
        "The bank lends {a} dollars and keeps {b}% of it back at once as interest for this period.",
    ),
    "machine": (
        "A machine is bought for {a} dollars in cash; it lasts {b} years, and 1/{b} of its price is written off at once as a cost of this period.",
        "For {a} dollars in cash a van is bought, of which 1/{b} is written off straight away as a cost of this period.",
    ),
    "lost": ("{a} {what} are stolen.", "{a} {what} are spoiled and thrown away.", "A fire destroys {a} {what}."),
    "written": (
        "{a}% of what customers owe at that time is given up as lost.",
        "The firm writes off {a}% of what customers owe it at that time as lost.",
    ),
}
ASKED = (
    "What are cash, stock (the goods in the store, at cost) and profit after all this?",
    "Find cash, stock (the goods in the store, valued at cost) and profit at the end.",
    "Give cash, stock (the goods that are left, at cost) and profit after the last event.",
    "How much are cash, stock (the goods on hand, at cost) and profit at the end?",
)

METHODS = {
    "fifo": "Goods that leave the store are taken to be the oldest ones there (first in, first out).",
    "lifo": "Goods that leave the store are taken to be the newest ones there (last in, first out).",
    "average": "Goods that leave the store are reckoned at the average cost of what is there at that time.",
}


class Event(TaskData):
    """What happens, with its numbers.

    capital DOLLARS, bought UNITS PRICE PERCENT (paid at once, the rest is owed), sold UNITS PRICE PERCENT, paid PERCENT (of what is owed to suppliers),
    collected PERCENT (of what customers owe), wages DOLLARS, loan DOLLARS PERCENT (with the interest of a year, paid at once), machine DOLLARS YEARS
    (bought, with a year's share written off), lost UNITS, written PERCENT (of what customers owe, given up)
    """

    kind: str
    numbers: tuple[int, ...]


class Books:
    """Cash, stock, profit and what is owed, carried along; every change is a line of the working."""

    def __init__(self, method: str, work: Working) -> None:
        self.method, self.work = method, work
        self.cash = self.profit = self.owed = self.due = Fraction(0)
        self.layers: list[tuple[Fraction, Fraction]] = []  # units and their cost each
        self.stock = self.units = Fraction(0)

    def book(self, at: int, event: Event) -> None:
        numbers = event.numbers
        if event.kind == "capital":
            self._move(at, "cash", "{}", numbers[0])
        elif event.kind == "bought":
            units, price, percent = numbers
            cost = self.work.add(f"cost of purchase {at}", "dollars", "{} * {}", units, price)
            self._move(at, "stock", "{}", cost)
            self._move(at, "cash", "0 - {} * {} / 100", cost, percent)
            self._move(at, "owed", "{} * (100 - {}) / 100", cost, percent)
            self.layers.append((Fraction(units), Fraction(price)))
            self._move(at, "units", "{}", units)
        elif event.kind == "sold":
            units, price, percent = numbers
            takings = self.work.add(f"takings of sale {at}", "dollars", "{} * {}", units, price)
            gone = self._cost_of_goods_taken(at, units)
            self._move(at, "stock", "0 - {}", gone)
            self._move(at, "cash", "{} * {} / 100", takings, percent)
            self._move(at, "due", "{} * (100 - {}) / 100", takings, percent)
            self._move(at, "profit", "{} - {}", takings, gone)
        elif event.kind == "lost":
            gone = self._cost_of_goods_taken(at, numbers[0])
            self._move(at, "stock", "0 - {}", gone)
            self._move(at, "profit", "0 - {}", gone)
        elif event.kind == "paid":
            amount = self.work.add(f"payment {at}", "dollars", "{} * {} / 100", self.owed, numbers[0])
            self._move(at, "cash", "0 - {}", amount)
            self._move(at, "owed", "0 - {}", amount)
        elif event.kind in ("collected", "written"):
            amount = self.work.add(f"amount in event {at}", "dollars", "{} * {} / 100", self.due, numbers[0])
            self._move(at, "due", "0 - {}", amount)
            self._move(at, "cash" if event.kind == "collected" else "profit", "{}" if event.kind == "collected" else "0 - {}", amount)
        elif event.kind == "wages":
            self._move(at, "cash", "0 - {}", numbers[0])
            self._move(at, "profit", "0 - {}", numbers[0])
        elif event.kind == "loan":
            self._move(at, "cash", "{} - {} * {} / 100", numbers[0], *numbers)
            self._move(at, "profit", "0 - {} * {} / 100", *numbers)
        else:
            self._move(at, "cash", "0 - {}", numbers[0])
            self._move(at, "profit", "0 - {} / {}", *numbers)

    def _move(self, at: int, account: str, formula: str, *numbers: Fraction | int) -> None:
        """One account becomes larger or smaller."""
        before = getattr(self, account)
        formula = formula.removeprefix("0 ") if formula.startswith("0 - ") else f"+ {formula}"
        unit = "" if account == "units" else "dollars"
        setattr(self, account, self.work.add(f"{account} after {at}", unit, "{} " + formula, before, *numbers))

    def _cost_of_goods_taken(self, at: int, units: int) -> Fraction:
        """The cost of goods that leave the store."""
        if self.method == "average":
            cost = self.work.add(f"cost of the goods that leave in event {at}", "dollars", "{} * {} / {}", self.stock, units, self.units)
            self._move(at, "units", "0 - {}", units)
            return cost
        units_open, used = Fraction(units), list[Fraction]()
        while units_open:
            k = 0 if self.method == "fifo" else -1
            there, price = self.layers.pop(k)
            taken = min(units_open, there)
            used += [taken, price]
            units_open -= taken
            if there > taken:
                self.layers.insert(0 if k == 0 else len(self.layers), (there - taken, price))
        return self.work.add(f"cost of the goods that leave in event {at}", "dollars", " + ".join(["{} * {}"] * (len(used) // 2)), *used)


def by_totals(method: str, events: Sequence[Event]) -> tuple[Fraction, Fraction, Fraction]:
    """Cash, stock and profit by another route: stock unit by unit, and profit from the balance of what is owned and owed at the end."""
    store: list[Fraction] = []
    cash = due = owed = capital = loans = machines = Fraction(0)
    for event in events:
        first, *rest = event.numbers
        if event.kind == "capital":
            cash, capital = cash + first, capital + first
        elif event.kind == "bought":
            store += [Fraction(rest[0])] * first
            cash, owed = cash - Fraction(first * rest[0] * rest[1], 100), owed + Fraction(first * rest[0] * (100 - rest[1]), 100)
        elif event.kind in ("sold", "lost"):
            if method == "average":
                store = [sum(store, Fraction(0)) / len(store)] * (len(store) - first)
            else:
                store = store[first:] if method == "fifo" else store[: len(store) - first]
            if event.kind == "sold":
                cash, due = cash + Fraction(first * rest[0] * rest[1], 100), due + Fraction(first * rest[0] * (100 - rest[1]), 100)
        elif event.kind == "paid":
            cash, owed = cash - owed * first / 100, owed * (100 - first) / 100
        elif event.kind in ("collected", "written"):
            cash, due = cash + (due * first / 100 if event.kind == "collected" else 0), due * (100 - first) / 100
        elif event.kind == "wages":
            cash -= first
        elif event.kind == "loan":
            cash, loans = cash + first - Fraction(first * rest[0], 100), loans + first
        else:
            cash, machines = cash - first, machines + first - Fraction(first, rest[0])
    stock = sum(store, Fraction(0))
    return cash, stock, cash + stock + due + machines - owed - loans - capital
