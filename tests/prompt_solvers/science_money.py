"""Accounts, bonds and markets, in exact fractions."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise, product

from prompt_solvers.registry import prompt_solver
from prompt_solvers.science_mechanics import NUMBER, amounts
from prompt_solvers.templates import group, listed


class Firm:
    """Cash, goods in the order in which they came, what is owed, and profit."""

    def __init__(self) -> None:
        self.cash = self.profit = self.owed_by_customers = self.owed_to_suppliers = Fraction(0)
        self.goods: list[Fraction] = []

    def remove(self, count: int) -> None:
        """Takes the oldest goods out of the store; their cost lowers the profit."""
        assert len(self.goods) >= count
        self.profit -= sum(self.goods[:count])
        self.goods = self.goods[count:]

    def pay(self, dollars: Fraction) -> None:
        """A cost that is paid at once."""
        self.cash -= dollars
        self.profit -= dollars

    def event(self, line: str) -> None:
        """Books one event."""
        share = [Fraction(number) / 100 for number in re.findall(rf"({NUMBER})%", line)]
        dollars = amounts(line, "dollars?")
        bought = re.search(rf"buys ({NUMBER}) |^({NUMBER}) \w+ (?:are|is) bought|supplier delivers ({NUMBER}) ", line)
        sold = re.search(rf"Customers buy ({NUMBER}) |^({NUMBER}) \w+ (?:are|is) sold|firm delivers ({NUMBER}) ", line)
        lost = re.search(rf"destroys ({NUMBER}) |^({NUMBER}) \w+ (?:are|is) (?:stolen|spoiled)", line)
        if bought or sold:
            count = int(next(filter(None, (bought or sold).groups())))  # type: ignore[union-attr]
            value, paid = count * dollars[0], share[0] if share else Fraction(1)
            assert share or "cash" in line, line
            if bought:
                self.cash -= paid * value
                self.owed_to_suppliers += (1 - paid) * value
                self.goods += [dollars[0]] * count
            else:
                self.cash += paid * value
                self.owed_by_customers += (1 - paid) * value
                self.profit += value
                self.remove(count)
        elif lost:
            self.remove(int(next(filter(None, lost.groups()))))
        elif "private money" in line:
            self.cash += dollars[0]
        elif re.search("given up|writes off", line):
            self.profit -= share[0] * self.owed_by_customers
            self.owed_by_customers *= 1 - share[0]
        elif re.search("customers owe|Customers pay", line):
            self.cash += share[0] * self.owed_by_customers
            self.owed_by_customers *= 1 - share[0]
        elif "suppliers" in line:
            self.cash -= share[0] * self.owed_to_suppliers
            self.owed_to_suppliers *= 1 - share[0]
        elif re.search("lends|loan", line):
            self.cash += dollars[0]
            self.pay(share[0] * dollars[0])
        elif re.search("van|machine", line):
            self.cash -= dollars[0]
            self.profit -= dollars[0] * Fraction(group(r"(?<!\d)(\d+/\d+) (?:of|is)", line))
        else:
            assert re.search("Advertising|electricity|Wages|Rent", line), line
            self.pay(dollars[0])


@prompt_solver("accounting_entries")
def solve_accounting_entries(prompt: str) -> str:
    firm = Firm()
    for line in listed(prompt).values():
        firm.event(line)
    return f"cash = {firm.cash}, stock = {sum(firm.goods)}, profit = {firm.profit}"


@prompt_solver("bond_pricing")
def solve_bond_pricing(prompt: str) -> str:
    found = re.search(r"(\d+) (half-year|year)", prompt)
    assert found
    periods, half = int(found[1]), found[2] == "half-year"
    face = Fraction(group(rf"(?:face value of|lends|bond of) ({NUMBER}) dollar", prompt))
    coupon_line = group(
        r"([^.]*(?:\.\d[^.]*)*[Cc]oupon[^.]*(?:\.\d[^.]*)*)\.", prompt.split("\n")[0].replace("together with the last coupon", "")
    )
    coupon = amounts(coupon_line, "dollars?")[-1]
    text = prompt.split("End your")[0]
    payments = [coupon] * periods
    step = re.search(rf"From the end of (?:half-)?year (\d+) on, each coupon is ({NUMBER}) dollars? more", text)
    if step:
        payments = [coupon + (Fraction(step[2]) if n + 1 >= int(step[1]) else 0) for n in range(periods)]
    paid_before = text.split("paid back earlier:")[1].split(". ")[0] if "paid back earlier:" in text else ""
    early = re.findall(rf"({NUMBER}) dollars? at the end of (?:half-)?year (\d+)", paid_before)
    for amount, when in early:
        payments[int(when) - 1] += Fraction(amount)
    payments[-1] += face - sum(Fraction(amount) for amount, _ in early)
    rates = {int(n): Fraction(rate) / 100 for rate, n in re.findall(rf"({NUMBER})% in (?:half-)?year (\d+)", text)}
    every = re.search(rf"({NUMBER})% in every", text)
    price, factor = Fraction(0), Fraction(1)
    for n, payment in enumerate(payments, 1):
        rate = Fraction(every[1]) / 100 if every else rates[n]
        factor *= 1 + (rate / 2 if half and "half of each is the rate" in text else rate)
        price += payment / factor
    return f"{price} dollar"


def best_revenue(buyers: list[tuple[Fraction, Fraction]], sellers: list[tuple[Fraction, Fraction]]) -> str:
    """For each part of the buyers and of the sellers, the vertex of the revenue, where nobody trades the wrong way round."""
    best = (Fraction(0), Fraction(0), Fraction(0))
    for buying, selling in product(product((0, 1), repeat=len(buyers)), product((0, 1), repeat=len(sellers))):
        if not any(buying) or not any(selling):
            continue
        a, b = (sum(x * group[i] for x, group in zip(buying, buyers, strict=True)) for i in (0, 1))
        c, d = (
            sum(x * s * low for x, (s, low) in zip(selling, sellers, strict=True)),
            sum(x * s for x, (s, _) in zip(selling, sellers, strict=True)),
        )
        # The revenue is q * ((a - q) / b - (q + c) / d).
        q = (a / b - c / d) / (2 * (1 / b + 1 / d))
        price, kept = (a - q) / b, (q + c) / d
        buyers_fit = all((n - m * price > 0) == bool(x) for x, (n, m) in zip(buying, buyers, strict=True))
        if q > 0 and buyers_fit and all((kept > low) == bool(x) for x, (_, low) in zip(selling, sellers, strict=True)):
            best = max(best, (q * (price - kept), price, q))
    return f"p = {best[1]}, q = {best[2]}, r = {best[0]}"


@prompt_solver("economics_equilibrium")
def solve_economics_equilibrium(prompt: str) -> str:
    buyers = [
        (Fraction(a), Fraction(b)) for a, b in re.findall(rf"({NUMBER}) - ({NUMBER}|)P units", prompt.replace("- P units", "- 1P units"))
    ]
    sellers = [(Fraction(c or 1), Fraction(d)) for c, d in re.findall(rf"({NUMBER}|)\(P - ({NUMBER})\) units", prompt)]
    if "The state chooses t" in prompt:
        return best_revenue(buyers, sellers)
    unit_tax = Fraction((re.search(rf"sellers pay a tax of ({NUMBER}) dollar", prompt) or [0, "0"])[1])
    sales_tax = Fraction((re.search(rf"sales tax of ({NUMBER})%", prompt) or [0, "0"])[1]) / 100

    def kept(price: Fraction) -> Fraction:
        return price / (1 + sales_tax) - unit_tax

    def demand(price: Fraction) -> Fraction:
        return sum((max(Fraction(0), a - b * price) for a, b in buyers), Fraction(0))

    def supply(price: Fraction) -> Fraction:
        return sum((max(Fraction(0), c * (kept(price) - d)) for c, d in sellers), Fraction(0))

    kinks = sorted({Fraction(0), *(a / b for a, b in buyers), *((d + unit_tax) * (1 + sales_tax) for _, d in sellers)})
    for low, high in pairwise(kinks):
        excess, later = demand(low) - supply(low), demand(high) - supply(high)
        if excess >= 0 > later:
            price = low + (high - low) * excess / (excess - later)
            break
    quantity = demand(price)
    assert quantity > 0
    return f"p = {price}, q = {quantity}, r = {quantity * (price - kept(price))}"
