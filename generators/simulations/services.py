"""Services that call one another, faults in some of them, and the logs in which the faults and what they pull down are seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rlgym.core.rng import Rng

Action = Literal["restart", "rollback", "clear_disk", "renew_certificate", "failover"]
PAGE = 6
NAMES = tuple(
    "gateway checkout cart pricing stock search login profile mail billing ledger shipping maps images reviews coupons audit quota tokens feed".split()
)
NOTHING = ("served 200 requests", "cache refreshed", "health check passed", "slow request")
SIGNS = {
    "memory": "worker killed, out of memory",
    "release": "unhandled exception in release {number}",
    "disk": "write failed, no space left on disk",
    "certificate": "handshake refused, own certificate has expired",
    "lock": "request waits for the lock that {other} holds",
}
RUNBOOK = {
    "memory": "out of memory: restart the service.",
    "release": "unhandled exceptions in a release: rollback the service.",
    "disk": "no space left on disk: clear_disk of the service.",
    "certificate": "an expired certificate of its own: renew_certificate of the service.",
    "lock": "waiting for a lock: restart the service that holds the lock, and leave the one that waits.",
}
STORES = "A service whose name ends in -db is never restarted: where the rules say restart, failover is done instead."
KINDS = tuple(SIGNS)
RESTARTED = ("memory", "lock")


class Service(NamedTuple):
    """`needs` are the services without which it fails, `asks` those whose failures it only reports."""

    name: str
    needs: tuple[int, ...]
    asks: tuple[int, ...]
    log: tuple[str, ...] = ()
    busy: bool = False  # the log store does not answer the first time


class Fault(NamedTuple):
    """What is wrong with a service; `at` is the service that something must be done to."""

    service: int
    kind: str
    at: int


class Site(NamedTuple):
    services: tuple[Service, ...]
    faults: tuple[Fault, ...]
    entries: tuple[int, ...]  # failing services that are reported


def site(rng: Rng, services: int, faults: int, kinds: int, noise: int, busy: bool, reach: int = 4) -> Site:
    """Services in layers, each calling some of the next `reach`, of which faults pull down others up to those reported."""
    places = sorted(rng.sample(range(services // 2, services), faults))
    broken: list[Fault] = []
    for place, kind in zip(places, _kinds(rng, faults, kinds)):
        holders = [k for k in range(services // 3, services) if k not in places and all(k != fault.at for fault in broken)]
        kind = "memory" if kind == "lock" and not holders else kind
        broken.append(Fault(place, kind, rng.choice(holders) if kind == "lock" else place))
    restarted = {fault.at for fault in broken if fault.kind in RESTARTED}
    stores = [k > services // 2 and rng.chance(0.8 if k in restarted else 0.4) for k in range(services)]
    names = [name + ("-db" if store else "") for name, store in zip(rng.sample(NAMES, services), stores)]
    plain: list[Service] = []
    for k, name in enumerate(names):
        below = list(range(k + 1, min(services, k + reach + 1)))
        needs = tuple(sorted(rng.sample(below, min(len(below), rng.integer(1, 2)))))
        asks = tuple(sorted(rng.sample([other for other in below if other not in needs], min(1, len(below) - len(needs)))))
        plain.append(Service(name, needs, asks, busy=busy and rng.chance(0.3)))
    failing = down(plain, broken)
    called = {other for k in failing for other in plain[k].needs}
    entries = tuple(k for k in sorted(failing) if k not in called)
    begun = 600 + rng.integer(0, 200)
    logged = [service._replace(log=_log(rng, plain, broken, failing, k, begun, noise)) for k, service in enumerate(plain)]
    return Site(tuple(logged), tuple(broken), entries)


def _kinds(rng: Rng, faults: int, kinds: int) -> list[str]:
    """Different kinds of faults as far as there are any, most often one that a restart is for among them."""
    drawn = rng.shuffled(KINDS[:kinds])
    if rng.chance(0.5):
        first = next(kind for kind in drawn if kind in RESTARTED)
        drawn = [first, *(kind for kind in drawn if kind != first)]
    return rng.shuffled((drawn * faults)[:faults])


def down(services: Sequence[Service], faults: Sequence[Fault]) -> frozenset[int]:
    """Which services fail: those with a fault, and those that need one that fails."""
    failing = {fault.service for fault in faults}
    for k in reversed(range(len(services))):
        if failing.intersection(services[k].needs):
            failing.add(k)
    return frozenset(failing)


def action(site: Site, fault: Fault) -> Action:
    """What the rules say is to be done at `fault.at`."""
    plain: dict[str, Action] = {"release": "rollback", "disk": "clear_disk", "certificate": "renew_certificate"}
    store = site.services[fault.at].name.endswith("-db")
    return plain.get(fault.kind, "failover" if store else "restart")


def pages(service: Service) -> int:
    return -(-len(service.log) // PAGE)


def _log(
    rng: Rng, services: Sequence[Service], faults: Sequence[Fault], failing: frozenset[int], place: int, begun: int, noise: int
) -> tuple[str, ...]:
    count = rng.integer(noise // 2 + 1, noise + 1)
    lines = [(rng.integer(300, begun - 1), rng.choice(NOTHING)) for _ in range(count)]
    if rng.chance(0.5):  # an older trouble that is over
        since = rng.integer(320, begun - 60)
        sign = SIGNS[rng.choice(KINDS[:4])].format(number=f"r{rng.integer(10, 39)}")
        lines += [(since, sign), (since + rng.integer(3, 20), "recovered, all requests served")]
    for fault in faults:
        if fault.service == place:
            sign = SIGNS[fault.kind].format(number=f"r{rng.integer(40, 70)}", other=services[fault.at].name)
            lines += [(begun + k * rng.integer(2, 9), sign) for k in range(rng.integer(1, 3))]
        if fault.kind == "lock" and fault.at == place:
            lines.append((begun - rng.integer(1, 9), "long transaction begun"))
    for other in (*services[place].needs, *services[place].asks):
        if other in failing:
            word = "request failed" if other in services[place].needs else "went on without an answer"
            lines.append((begun + rng.integer(1, 60), f"call to {services[other].name} timed out, {word}"))
    return tuple(f"{clock // 60:02}:{clock % 60:02} {text}" for clock, text in sorted(lines))
