"""Tenants who report faults in their flats: what is true of each fault, how its call must end under the landlord's rules, and the firms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.clinic import HOURS
from rlgym.generators.services.people import codes, full_names
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS
from rlgym.generators.users.slots import WEEKDAYS

RULES = ("identify", "danger", "cause", "old", "warranty")
KINDS: Mapping[str, str] = {
    "window": "glazier",
    "lock": "locksmith",
    "leak": "plumber",
    "socket": "electrician",
    "heating": "heating engineer",
}
LOW_PRESSURE = 10
"""Tenths of a bar below which a plumber refills the heating."""


class Fault(NamedTuple):
    """A fault as it is; `danger` is gas, sparks, water or empty."""

    kind: str
    tripped: bool
    tenths: int
    danger: str
    by_tenant: bool
    days: int


class Tenant(NamedTuple):
    """A caller with the flat they name, the days and quarters of an hour at which they are in, the visits they turn down, and whether they pay."""

    person: Person
    flat: str
    days: tuple[int, ...]
    opens: int
    closes: int
    refuses: tuple[str, ...]
    pays: bool


class Flat(NamedTuple):
    """What the landlord's files say of a flat."""

    flat: str
    tenant: str
    warranty: str
    warranty_trade: str


class Visit(NamedTuple):
    code: str
    day: str
    time: str


class Firm(NamedTuple):
    firm: str
    trade: str
    price: int
    visits: tuple[Visit, ...]


class Ending(NamedTuple):
    """How a call must end: by book, alarm, solved or refuse, with what a booking says."""

    how: str
    firm: str = ""
    visit: str = ""
    payer: str = ""
    reported: bool = False
    reason: str = ""


class Policy(NamedTuple):
    rules: tuple[str, ...]
    old_days: int


class House(NamedTuple):
    """The calls of a task, with the files and the firms."""

    tenants: tuple[Tenant, ...]
    faults: tuple[Fault, ...]
    flats: tuple[Flat, ...]
    firms: tuple[Firm, ...]


def trade(fault: Fault) -> str:
    """Whose work a fault is."""
    return "plumber" if fault.kind == "heating" and fault.tenths < LOW_PRESSURE else KINDS[fault.kind]


def comes(tenant: Tenant, visit: Visit) -> bool:
    """Whether a tenant accepts a visit when it is offered."""
    return f"{visit.day} at {visit.time}" not in tenant.refuses and suits(tenant, visit)


def suits(tenant: Tenant, visit: Visit) -> bool:
    """Whether a visit is at a time that the tenant names."""
    return WEEKDAYS.index(visit.day) in tenant.days and tenant.opens <= HOURS.index(visit.time) < tenant.closes


def chosen_firm(house_firms: tuple[Firm, ...], flat: Flat, work: str, policy: Policy) -> Firm:
    """The firm under warranty, where the rule is stated and holds, or else the cheapest of the trade."""
    if "warranty" in policy.rules and flat.warranty_trade == work:
        return next(firm for firm in house_firms if firm.firm == flat.warranty)
    return min((firm for firm in house_firms if firm.trade == work), key=lambda firm: firm.price)


def ending(tenant: Tenant, fault: Fault, flat: Flat, firms: tuple[Firm, ...], policy: Policy) -> Ending:
    """How the call must end, from everything that is true."""
    if "identify" in policy.rules and flat.tenant != tenant.person.name:
        return Ending("refuse", reason="not_the_tenant")
    if "danger" in policy.rules and fault.danger in ("gas", "sparks"):
        return Ending("alarm")
    if fault.kind == "socket" and fault.tripped:
        return Ending("solved")
    work = trade(fault)
    firm = chosen_firm(firms, flat, work, policy)
    payer = "landlord"
    if "cause" in policy.rules and fault.by_tenant:
        payer = "tenant"
        if not tenant.pays:
            return Ending("refuse", reason="not_paid")
    visit = next(visit for visit in firm.visits if comes(tenant, visit))
    return Ending("book", firm.firm, visit.code, payer, "old" in policy.rules and fault.days > policy.old_days)


def house(rng: Rng, policy: Policy, count: int, kinds: int, visits: int, refusals: int, patience: int, language: str = "english") -> House:
    """Calls, each about one fault, in which the stated rules decide something."""
    names, flat_codes = full_names(rng, 2 * count + 2), codes(rng, count + 3, "F")
    firms = _firms(rng, visits)
    tenants, faults, flats = list[Tenant](), list[Fault](), list[Flat]()
    turns = rng.shuffled([rule for rule in policy.rules if rule not in ("old",)])
    stranger = rng.integer(0, count - 1) if "identify" in policy.rules and count > 1 else -1
    for number, code in enumerate(codes(rng, count, "C")):
        about = {rule for place, rule in enumerate(turns) if place % count == number or rng.chance(0.25)}
        kind = rng.choice(tuple(KINDS)[:kinds])
        danger = ""
        if "danger" in about:
            kind = rng.choice(("socket", "leak", "heating"))
            danger = {"socket": "sparks", "leak": "water", "heating": "gas"}[kind]
        elif "danger" in policy.rules and kind == "leak" and rng.chance(0.5):
            danger = "water"
        fault = Fault(
            kind, kind == "socket" and not danger and rng.chance(0.4), rng.choice((4, 6, 8, 13, 15, 18)), danger,
            "cause" in about and danger in ("", "water"), policy.old_days + rng.choice((-9, -5, -2, 3, 6, 12)),
        )  # fmt: skip
        work, flat_code = trade(fault), flat_codes[number]
        some = [firm for firm in firms if firm.trade == work]
        dear = max(some, key=lambda firm: firm.price)
        other = rng.choice([firm for firm in firms if firm.trade != work])
        under = dear if "warranty" in about else other if "warranty" in policy.rules and rng.chance(0.5) else None
        owner = names[count + number] if number == stranger else names[number]
        flats.append(Flat(flat_code, owner, under.firm if under else "none", under.trade if under else "none"))
        days, opens, closes, refuses = _availability(rng, some, refusals)
        person = Person(code, names[number], rng.choice(PERSONAS), "tenant", patience).speaking(language)
        pays = not (fault.by_tenant and rng.chance(0.4))
        tenants.append(Tenant(person, flat_code, days, opens, closes, refuses, pays))
        faults.append(fault)
    others = [Flat(code, name, "none", "none") for code, name in zip(flat_codes[count:], names[2 * count :])]
    return House(tuple(tenants), tuple(faults), tuple(rng.shuffled([*flats, *others])), firms)


def _firms(rng: Rng, visits: int) -> tuple[Firm, ...]:
    """Two firms of each trade, with their free visits of the week in the order of time."""
    names = rng.sample("Adler Brook Crane Dale Ember Frost Grove Heath Inlet Jolly Knoll Larch".split(), 10)
    trades = [work for work in KINDS.values() for _ in range(2)]
    visit_codes = iter(codes(rng, 10 * visits, "V"))
    firms: list[Firm] = []
    for name, work in zip(names, trades):
        places = sorted(rng.sample(range(5 * len(HOURS)), visits))
        free = tuple(Visit(next(visit_codes), WEEKDAYS[place // len(HOURS)], HOURS[place % len(HOURS)]) for place in places)
        firms.append(Firm(name, work, 5 * rng.integer(6, 30) + (len(firms) % 2), free))
    return tuple(firms)


def _availability(rng: Rng, firms: list[Firm], refusals: int) -> tuple[tuple[int, ...], int, int, tuple[str, ...]]:
    """Days and hours at which every one of the firms has visits that suit, and the first of them that the tenant turns down."""
    for _ in range(200):
        days = tuple(sorted(rng.sample(range(5), rng.integer(2, 4))))
        opens, closes = rng.choice(((0, 36), (8, 36), (14, 36), (0, 20), (0, 14)))
        fitting = [
            [
                f"{visit.day} at {visit.time}"
                for visit in firm.visits
                if WEEKDAYS.index(visit.day) in days and opens <= HOURS.index(visit.time) < closes
            ]
            for firm in firms
        ]
        count = rng.integer(0, refusals)
        turned_down = {when for each in fitting for when in each[:count]}
        if all(set(each) - turned_down for each in fitting):
            return days, opens, closes, tuple(sorted(turned_down))
    return tuple(range(5)), 0, len(HOURS), ()
