"""Machines for rent: what customers want to do, what they accept to pay, and the machines with their free days."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.services.records import Record
from rlgym.generators.users import rental_phrases
from rlgym.generators.users.desk import line
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.users.rental_phrases import JOBS
from rlgym.generators.users.slots import WEEKDAYS

RULES = ("licence", "power", "haggle", "helmet", "insurance")


class Policy(NamedTuple):
    """The rules that a task states, from which weight a licence is needed, and by how much and how often a price is lowered."""

    rules: tuple[str, ...]
    weight: int
    step: int
    steps: int


class Machine(NamedTuple):
    job: str
    reach: int
    drive: str
    weight: int
    price: int
    free: tuple[str, ...]


class Customer(NamedTuple):
    """A customer: the job with its size, the days, and what they have and accept; `most` is the highest total that they pay."""

    job: str
    size: int
    start: int
    days: int
    power: bool
    licence: bool
    helmet: bool
    insurance: bool
    most: int


class Shop(NamedTuple):
    records: tuple[Record, ...]
    people: tuple[Person, ...]


def suits(machine: Machine, customer: Customer, rules: Sequence[str], weight: int) -> bool:
    wanted = WEEKDAYS[customer.start : customer.start + customer.days]
    return (
        machine.job == customer.job
        and machine.reach >= customer.size
        and set(wanted) <= set(machine.free)
        and not ("power" in rules and machine.drive == "electric" and not customer.power)
        and not ("licence" in rules and machine.weight > weight and not customer.licence)
    )


def cheapest(machines: Sequence[Machine], customer: Customer, rules: Sequence[str], weight: int) -> Machine | None:
    return min(
        (machine for machine in machines if suits(machine, customer, rules, weight)), key=lambda machine: machine.price, default=None
    )


def sums(policy: Policy, total: int) -> list[int]:
    """What may be named to a customer, from the full price down."""
    return [total - policy.step * number for number in range(policy.steps + 1)]


def shop(rng: Rng, policy: Policy, customers: int, machines: int, told: bool, patience: int) -> Shop:
    """Calls of customers; each stated rule decides something in one of them. `machines` is the number of machines for a job."""
    jobs = list(JOBS)
    prices = iter(rng.sample(range(20, 20 + 4 * machines * len(jobs)), machines * len(jobs)))
    stock = [_machine(rng, job, next(prices), policy) for job in jobs for _ in range(machines)]
    records = [Record("machine", code, machine._asdict()) for code, machine in zip(codes(rng, len(stock), "M"), stock)]
    people: list[Person] = []
    about: list[list[str]] = [[] for _ in range(customers)]
    for place, rule in enumerate(rng.shuffled(policy.rules)):
        about[place % customers].append(rule)
    for code, name, subjects in zip(codes(rng, customers, "C"), full_names(rng, customers), about):
        customer = _customer(rng, stock, policy, subjects)
        records += _lines(rng, code, name, customer, told)
        machine = cheapest(stock, customer, policy.rules, policy.weight)
        if "haggle" in policy.rules and machine:
            for amount in sums(policy, machine.price * customer.days):
                pays = amount <= customer.most
                records.append(line(code, f"charge {amount}", rental_phrases.answer(rng, pays), pays=pays))
        persona = rng.choice(PERSONAS)
        forgets = (f"{code} {rng.choice(('size', 'start', 'days'))}".lower(),) if persona == "forgetful" and not told else ()
        people.append(Person(code, name, persona, "rental", patience, forgets))
    return Shop(tuple(rng.shuffled(records)), tuple(people))


def _machine(rng: Rng, job: str, price: int, policy: Policy) -> Machine:
    small, large = JOBS[job].sizes
    return Machine(
        job=job,
        reach=rng.integer(small + (large - small) // 3, large + large // 3),
        drive=rng.choice(("electric", "petrol")),
        weight=policy.weight + 10 * rng.integer(1, 30) if rng.chance(0.5) else policy.weight - 10 * rng.integer(0, 4),
        price=5 * price,
        free=tuple(day for day in WEEKDAYS if rng.chance(0.85)),
    )


def _customer(rng: Rng, stock: Sequence[Machine], policy: Policy, about: Sequence[str]) -> Customer:
    """A customer for whom the rules in `about` matter, or who comes close."""
    lacking = [rule for rule in about if rule in ("licence", "power")]
    drawn = _any_customer(rng, about)
    for _ in range(200):
        right = cheapest(stock, drawn, policy.rules, policy.weight)
        others = [cheapest(stock, drawn, [other for other in policy.rules if other != rule], policy.weight) for rule in lacking]
        if right and right not in others:
            break
        drawn = _any_customer(rng, about)
    machine = cheapest(stock, drawn, policy.rules, policy.weight)
    if machine is None:
        return drawn
    total = machine.price * drawn.days
    least = policy.step * rng.integer(1, policy.steps + 1) if "haggle" in about else policy.step * rng.integer(0, 1)
    return drawn._replace(most=total - least + rng.integer(0, policy.step - 1) if least else total + 20)


def _any_customer(rng: Rng, about: Sequence[str]) -> Customer:
    job = rng.choice(list(JOBS))
    small, large = JOBS[job].sizes
    days = rng.integer(1, 3)
    return Customer(
        job=job,
        size=rng.integer(small, large),
        start=rng.integer(0, 5 - days),
        days=days,
        power="power" not in about and rng.chance(0.6),
        licence="licence" not in about and rng.chance(0.6),
        helmet=rng.chance(0.5),
        insurance=rng.chance(0.5),
        most=10**6,
    )


def _lines(rng: Rng, code: str, name: str, customer: Customer, told: bool) -> list[Record]:
    """What a customer says."""
    unit = JOBS[customer.job].unit
    size, days = f"{customer.size} {unit}", f"{customer.days} {'day' if customer.days == 1 else 'days'}"
    words = rental_phrases.opening(rng, name, customer.job)
    facts: dict[str, int | str] = {"job": customer.job}
    if told:
        words += f" {JOBS[customer.job].noun} of {size}, from {WEEKDAYS[customer.start]} on for {days}."
        facts |= {"size": customer.size, "start": customer.start, "days": customer.days}
    return [
        line(code, "wish", words, **facts),
        line(code, "name", f"{name}."),
        line(code, "size", rental_phrases.brief(rng, size), value=customer.size),
        line(code, "start", rental_phrases.brief(rng, f"on {WEEKDAYS[customer.start]}"), value=customer.start),
        line(code, "days", rental_phrases.brief(rng, f"for {days}"), value=customer.days),
        line(code, "power", "Yes, there is a socket." if customer.power else "No, there is no electricity.", value=customer.power),
        line(code, "licence", "Yes, I have one." if customer.licence else "No. Do I need one?", value=customer.licence),
        line(code, "helmet", "I have my own." if customer.helmet else "I have no helmet, so I need one.", value=customer.helmet),
        line(code, "insurance", "Yes, insure it." if customer.insurance else "No insurance, thank you.", value=customer.insurance),
        line(code, "budget", "As little as possible, of course.", most=customer.most),
        line(code, "more 1", "No, that is all."),
    ]


def rules_in_words(policy: Policy) -> list[str]:
    texts = {
        "licence": f"A customer without a licence does not get a machine of more than {policy.weight} kg. Ask for the licence.",
        "power": "Where there is no electricity, an electric machine does not suit. Ask whether there is any.",
        "haggle": f"Name the total and ask whether the customer agrees. If not, name {policy.step} coins less than the last time. After the first total, "
        f"name at most {policy.steps} lower ones. Rent at the first total that the customer accepts; if none is accepted, turn the customer away.",
        "helmet": "Ask whether the customer has a helmet, and add one if not.",
        "insurance": "Ask whether the customer wants insurance, and add it if so.",
    }
    return [text for rule, text in texts.items() if rule in policy.rules]
