"""Mobile lines and the phones at their other end: what keeps a phone offline, how that shows, and what the provider's rules say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.services.people import codes
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.users.person import Person
from rlgym.generators.users.phrases import PERSONAS

CAUSES: Mapping[str, str] = {
    "airplane_mode": "Airplane mode is on. The status bar shows a small plane and nothing else.",
    "loose_sim": "The SIM card is loose. The status bar says that there is no SIM, until the card has been taken out and put back.",
    "outage": "There is an outage at the place where the phone is. The status bar says that there is no service.",
    "suspended": "The line is suspended. The status bar says that there is no service.",
    "no_roaming": "The phone is abroad, and roaming is not booked for the line. The status bar says that there is no service.",
    "data_off": "Mobile data is off on the phone. The status bar shows bars, but no sign of a data connection.",
    "roaming_off": "The phone is abroad, and data roaming is off on the phone. The status bar shows bars, but no sign of a data connection.",
    "vpn": "A VPN is on. The status bar shows a key beside the sign of the data connection.",
    "data_used_up": "This month's data is used up. A speed test is slow.",
    "data_saver": "A data saver is on. A speed test is slow.",
}
HARMLESS = ("airplane_mode", "loose_sim", "data_off", "vpn", "data_saver")
TOWNS = ("Berga", "Colmo", "Dunwick", "Elster", "Fenmoor", "Garda")
COUNTRIES = ("Norway", "Chile", "Japan", "Kenya", "Peru", "Iceland", "Vietnam", "Canada")
TOP_UP, ROAMING = 8, 12


class Phone(NamedTuple):
    """A phone as it is now; `served` is what the network offered when it last connected."""

    airplane_mode: bool = False
    loose_sim: bool = False
    data_off: bool = False
    roaming_off: bool = False
    vpn: bool = False
    data_saver: bool = False
    served: bool = True


class Account(NamedTuple):
    """What the provider knows of a line."""

    number: str
    pin: str
    contract: str
    suspended: bool
    debt: int
    roaming: bool
    data_used_up: bool


class Caller(NamedTuple):
    """A caller with what they know and accept, and the place where the phone is; `abroad` names a country.

    needless  how many needless requests the caller puts up with
    """

    person: Person
    needless: int
    claim: str
    stated_pin: str
    place: str
    abroad: bool
    accepts: bool


class Policy(NamedTuple):
    """The rules that a task states, and their numbers."""

    rules: tuple[str, ...]
    most_debt: int
    excluded: tuple[str, ...]


class Settled(NamedTuple):
    """How a call must end: the causes, whether the phone is online, and what the provider does."""

    causes: tuple[str, ...]
    solved: bool
    deeds: tuple[str, ...]


def status_bar(phone: Phone, caller: Caller) -> str:
    """What the status bar shows: plane, no_sim, no_service, no_data, key or data."""
    if phone.airplane_mode:
        return "plane"
    if phone.loose_sim:
        return "no_sim"
    if not phone.served:
        return "no_service"
    if phone.data_off or (caller.abroad and phone.roaming_off):
        return "no_data"
    return "key" if phone.vpn else "data"


def speed(phone: Phone, account: Account, caller: Caller) -> str:
    """What a speed test says: none, slow or fast."""
    if status_bar(phone, caller) != "data":
        return "none"
    return "slow" if account.data_used_up or phone.data_saver else "fast"


def served(account: Account, caller: Caller, outage: bool) -> bool:
    """Whether the network would serve the phone if it connected now."""
    return not (outage or account.suspended or (caller.abroad and not account.roaming))


def settled(phone: Phone, account: Account, caller: Caller, outage: bool, policy: Policy) -> Settled:
    """How the call must end under the rules, from everything that is true at its start."""
    if "identify" in policy.rules and caller.stated_pin != account.pin:
        return Settled(("not_identified",), False, ())
    causes = {cause for cause in ("airplane_mode", "loose_sim") if getattr(phone, cause)}
    deeds: set[str] = set()
    if outage:
        return Settled(tuple(sorted({*causes, "outage"})), False, ())
    if account.suspended:
        causes.add("suspended")
        if account.debt > policy.most_debt or not caller.accepts:
            return Settled(tuple(sorted(causes)), False, ())
        deeds.add("lift_suspension")
    if caller.abroad and not account.roaming:
        causes.add("no_roaming")
        if caller.place in policy.excluded or not (account.contract == "world" or caller.accepts):
            return Settled(tuple(sorted(causes)), False, tuple(sorted(deeds)))
        deeds.add("book_roaming")
    causes |= {cause for cause in ("data_off", "vpn") if getattr(phone, cause)}
    causes |= {"roaming_off"} if caller.abroad and phone.roaming_off else set()
    if account.data_used_up:
        causes.add("data_used_up")
        if not (account.contract == "flex" or caller.accepts):
            return Settled(tuple(sorted(causes)), False, tuple(sorted(deeds)))
        deeds.add("top_up")
    causes |= {"data_saver"} if phone.data_saver else set()
    return Settled(tuple(sorted(causes)), True, tuple(sorted(deeds)))


class Calls(NamedTuple):
    """The calls of a task, one after the other, and the places with an outage."""

    callers: tuple[Caller, ...]
    phones: tuple[Phone, ...]
    accounts: tuple[Account, ...]
    outages: tuple[str, ...]


RULES = ("identify", "debt", "roaming", "top_up", "outage")
_CAUSE_OF = {"debt": "suspended", "roaming": "no_roaming", "top_up": "data_used_up", "outage": "outage"}


def calls(rng: Rng, policy: Policy, count: int, faults: int, patience: int, refusals: float) -> Calls:
    """Calls in which every stated rule decides something, each with up to `faults` causes.

    refusals: the chance that a call that one rule is about ends unsolved, and that one of several callers is not who they say they are
    """
    at_provider: list[list[str]] = [[] for _ in range(count)]
    for number, cause in enumerate(rng.shuffled([_CAUSE_OF[rule] for rule in policy.rules if rule in _CAUSE_OF])):
        at_provider[number % count].append(cause)
    at_provider = [["outage"] if "outage" in causes else causes for causes in at_provider]
    down, *towns = rng.shuffled(TOWNS)  # the outage has a town of its own, so that it concerns no other caller
    countries = iter([country for country in rng.shuffled(COUNTRIES) if country not in policy.excluded])
    stranger = rng.integer(0, count - 1) if "identify" in policy.rules and count > 1 and rng.chance(refusals) else -1
    drawn = []
    for number, (code, name) in enumerate(zip(codes(rng, count, "C"), rng.sample(PEOPLE, count))):
        causes = at_provider[number]
        stops = len(causes) == 1 and causes != ["outage"] and rng.chance(refusals)
        abroad = "no_roaming" in causes or (bool(policy.excluded) and causes != ["outage"] and rng.chance(0.3))
        excluded = stops and "no_roaming" in causes and rng.chance(0.5)
        place = (
            down if causes == ["outage"] else rng.choice(policy.excluded) if excluded else next(countries) if abroad else rng.choice(towns)
        )
        pool = HARMLESS[:2] if stops or causes == ["outage"] else (*HARMLESS, "roaming_off") if abroad else HARMLESS
        causes = [*causes, *rng.sample(pool, min(max(0, faults - len(causes)), len(pool)))]
        account = _account(rng, causes, policy, stops, abroad)
        stated = f"{int(account.pin) % 9000 + 1000}" if number == stranger else account.pin
        person = Person(code, name, rng.choice(PERSONAS), "telecom", 2 * patience + 2)
        caller = Caller(person, patience, _claim(rng, causes), stated, place, abroad, not stops)
        phone = Phone(
            **{cause: cause in causes for cause in (*HARMLESS, "roaming_off")}, served=served(account, caller, "outage" in causes)
        )
        drawn.append((caller, phone, account))
    lived_in = {caller.place for caller, _, _ in drawn}
    over = [town for town in towns if town not in lived_in][:1]
    callers, phones, accounts = zip(*drawn, strict=True)
    return Calls(callers, phones, accounts, tuple(rng.shuffled([*over, *([down] if "outage" in policy.rules else [])])))


def _account(rng: Rng, causes: Sequence[str], policy: Policy, stops: bool, abroad: bool) -> Account:
    suspended, debt = "suspended" in causes, 0
    if suspended:
        over = stops and rng.chance(0.5)
        debt = rng.integer(policy.most_debt + 1, policy.most_debt + 40) if over else rng.integer(10, policy.most_debt)
    return Account(
        number=f"07{rng.integer(10_000_000, 99_999_999)}",
        pin=f"{rng.integer(1000, 9999)}",
        contract="basic" if stops else rng.choice(("basic", "flex", "world")),
        suspended=suspended,
        debt=debt,
        roaming=abroad and "no_roaming" not in causes,
        data_used_up="data_used_up" in causes,
    )


_WRONG_CLAIMS = (
    "I have restarted it twice already.",
    "Airplane mode is off, I have looked.",
    "The SIM card sits tight, I am sure.",
    "I have changed nothing in the settings.",
    "It must be your network.",
    "My neighbour has the same trouble.",
    "I have paid everything.",
)


def _claim(rng: Rng, causes: Sequence[str]) -> str:
    opening = rng.choice(
        (
            "My phone has no internet.",
            "Nothing loads on my phone.",
            "I cannot get online with my phone.",
            "The internet on my phone is gone.",
        )
        if set(causes) - {"data_used_up", "data_saver"}
        else ("The internet on my phone is awfully slow.", "Pages take minutes to load.", "My phone is slow as a snail online.")
    )
    return f"{opening} {rng.choice(_WRONG_CLAIMS)}" if rng.chance(0.7) else opening
