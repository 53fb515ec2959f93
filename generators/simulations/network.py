"""A network of routers and hosts with routing tables, and faults in single settings of single routers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rlgym.core.rng import Rng

Setting = tuple[str, int, str]  # "port", a router and a neighbour; "route" or "drop", a router and a host


class Network(NamedTuple):
    """Links between routers, each as a pair of numbers; the router of each host; what is meant to be down and to be dropped."""

    links: tuple[tuple[int, int], ...]
    routers: int
    hosts: tuple[tuple[str, int], ...]
    maintenance: tuple[tuple[int, int], ...]
    policy: tuple[tuple[int, str], ...]


Values = Mapping[Setting, str]  # a port is up or down, a route names a router, packets for a host are dropped or passed


@lru_cache(256)
def meant(net: Network) -> Values:
    """The settings as they are meant: every router sends along a way of fewest links, the lowest neighbour first."""
    out: dict[Setting, str] = {}
    for a, b in (*net.links, *net.maintenance):
        for source, there in ((a, b), (b, a)):
            out["port", source, router_name(there)] = "down" if (a, b) in net.maintenance else "up"
    for host, home in net.hosts:
        distance = distances(net, home)
        for router in range(net.routers):
            out["drop", router, host] = "dropped" if (router, host) in net.policy else "passed"
            if router != home:
                out["route", router, host] = router_name(min(near for near in neighbours(net, router) if distance[near] < distance[router]))
    return out


@lru_cache(2_000)
def distances(net: Network, home: int) -> Mapping[int, int]:
    distance, queue = {home: 0}, [home]
    for router in queue:
        for near in neighbours(net, router):
            if near not in distance:
                distance[near] = distance[router] + 1
                queue.append(near)
    return distance


@lru_cache(4_000)
def neighbours(net: Network, router: int) -> tuple[int, ...]:
    return tuple(sorted(b if a == router else a for a, b in net.links if router in (a, b)))


def router_name(router: int) -> str:
    return f"r{router + 1}"


def trace(net: Network, values: Values, source: str, target: str) -> tuple[list[int], bool]:
    """The routers that a packet comes through, and whether it arrives."""
    homes = dict(net.hosts)
    router, path = homes[source], [homes[source]]
    while len(path) <= net.routers + 2:
        if values["drop", router, target] == "dropped":
            return path, False
        if router == homes[target]:
            return path, True
        after = values["route", router, target]
        if values["port", router, after] == "down":
            return path, False
        router = int(after[1:]) - 1
        path.append(router)
    return path, False


def network(rng: Rng, names: list[str], routers: int, extra: int, ring: bool = False) -> Network:
    """A random tree of routers (or a ring of them) with some more links, a host at each of several, some links in maintenance and some drops by policy."""
    order = rng.shuffled(range(routers))
    links = {tuple(sorted((order[k], order[rng.integer(max(0, k - 3), k - 1)]))) for k in range(1, routers)}
    links = {tuple(sorted((order[k], order[k - 1]))) for k in range(routers)} if ring else links
    others = rng.shuffled([(a, b) for b in range(routers) for a in range(b) if (a, b) not in links])
    hosts = tuple(sorted(zip(names, rng.sample(range(routers), len(names)), strict=True)))
    maintenance = tuple(sorted(others[extra : extra + (extra + 1) // 2]))
    net = Network(tuple(sorted((a, b) for a, b in [*links, *others[:extra]])), routers, hosts, maintenance, ())
    policy = {(rng.integer(0, routers - 1), rng.choice(names)) for _ in range((extra + 1) // 2)}
    return net._replace(policy=tuple(sorted((router, host) for router, host in policy if dict(hosts)[host] != router)))


def faults(rng: Rng, net: Network, count: int, kinds: tuple[str, ...]) -> tuple[dict[Setting, str], tuple[tuple[str, str], ...]] | None:
    """Settings that are wrong, and for each a pair of hosts that it parts; None where the draws have no room for so many."""
    right, wrong = meant(net), dict[Setting, str]()
    reports: list[tuple[str, str]] = []
    names = [host for host, _ in net.hosts]
    for _ in range(30 * count):
        if len(reports) == count:
            break
        source, target = rng.sample(names, 2)
        path, arrives = trace(net, {**right, **wrong}, source, target)
        if not arrives or len(path) < 2 or (source, target) in reports:
            continue
        router, kind = rng.choice(path[:-1]), rng.choice(kinds)
        after = right["route", router, target]
        setting, value = ("port", router, after), "down"
        if kind == "drop":
            setting, value = ("drop", router, target), "dropped"
        elif kind == "route":
            away = [
                router_name(near)
                for near in neighbours(net, router)
                if distances(net, dict(net.hosts)[target])[near] > path[::-1].index(router)
            ]
            setting, value = ("route", router, target), rng.choice(away) if away else after
        if setting not in wrong and value != right[setting] and not trace(net, {**right, **wrong, setting: value}, source, target)[1]:
            wrong[setting] = value
            reports.append((source, target))
    needed = all(any(not trace(net, {**right, key: value}, *pair)[1] for pair in reports) for key, value in wrong.items())
    return (wrong, tuple(reports)) if len(reports) == count and needed else None
