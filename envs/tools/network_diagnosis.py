"""Find why hosts of a network cannot reach one another, by tracing packets and inspecting routers, and put right exactly what is wrong.

Judged by the settings that were changed: every wrong one and no other, and every reported host is reached.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.simulations.network import Network, Setting, faults, meant, neighbours, network, router_name, trace
from rlgym.generators.text.names import PEOPLE

KINDS = {"port": ("port",), "drop": ("port", "drop"), "route": ("port", "drop", "route", "route")}


class Trace(Tool):
    """Sends a packet from one host to another and lists the routers that it passes through."""

    source: str = Field(max_length=20)
    target: str = Field(max_length=20)


class Inspect(Tool):
    """Shows a router's settings: its ports to other routers, its routes, and the hosts whose packets it drops."""

    router: str = Field(max_length=20)


class SetPort(Tool):
    """Takes a router's port to a neighbour up or down."""

    router: str = Field(max_length=20)
    neighbour: str = Field(max_length=20)
    value: Literal["up", "down"]


class SetRoute(Tool):
    """Makes a router send packets for a host to this neighbour."""

    router: str = Field(max_length=20)
    host: str = Field(max_length=20)
    neighbour: str = Field(max_length=20)


class SetDrop(Tool):
    """Makes a router drop packets for a host or pass them on."""

    router: str = Field(max_length=20)
    host: str = Field(max_length=20)
    value: Literal["dropped", "passed"]


class Finish(Tool):
    """Ends the work; the changes are then judged."""


TOOLS = ToolCalls((Trace, Inspect, SetPort, SetRoute, SetDrop, Finish))


class Knobs(Config):
    routers: int = knob(8, easy=5, hard=13, doc="routers")
    faults: int = knob(2, easy=1, hard=3, doc="wrong settings, each of which parts a pair of hosts")
    extra: int = knob(2, easy=0, hard=4, doc="links beyond those of a tree; half as many are in maintenance")
    kinds: str = knob(
        "drop", easy="port", hard="route", order=("port", "drop", "route"), doc="ports alone, also dropped packets, or also routes"
    )


class State(TaskData):
    net: Network
    wrong: tuple[tuple[Setting, str], ...]  # settings that are not as meant
    reports: tuple[tuple[str, str], ...]
    changed: tuple[tuple[Setting, str], ...] = ()
    inspected: tuple[int, ...] = ()
    traced: tuple[tuple[str, str, int], ...] = ()  # hosts, and how many changes had been made
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _sample_faulty_network(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Routers in a ring, so that every packet could go round the other way."""
    return _sample_faulty_network(rng, knobs, True)


def _sample_faulty_network(rng: Rng, knobs: Knobs, ring: bool) -> State:
    while True:
        names = [name.lower() for name in rng.sample(PEOPLE, min(knobs.routers - 1, 3 + knobs.faults))]
        net = network(rng, names, knobs.routers, knobs.extra, ring)
        if found := faults(rng, net, knobs.faults, KINDS[knobs.kinds]):
            return State(net=net, wrong=tuple(sorted(found[0].items())), reports=found[1])


def show(state: State) -> str:
    if state.told:
        return state.told
    net = state.net
    links = ", ".join(f"{router_name(a)}-{router_name(b)}" for a, b in net.links)
    hosts = ", ".join(f"{host} at {router_name(router)}" for host, router in net.hosts)
    down = ", ".join(f"{router_name(a)}-{router_name(b)}" for a, b in net.maintenance)
    more = f" Further links, in maintenance, whose ports are down and stay down: {down}." if down else ""
    policy = ", ".join(f"{router_name(router)} drops packets for {host}" for router, host in net.policy) or "none"
    reports = "; ".join(f"{source} does not reach {target}" for source, target in state.reports)
    return (
        f"A network has the routers {router_name(0)} to {router_name(net.routers - 1)} with these links{' in use' if down else ''}: {links}.{more} Hosts: "
        f"{hosts}. Packets dropped by policy, which stays so: {policy}.\n\nA packet starts at the "
        f"router of its source. A router that drops packets "
        "for the target drops it; the target's own router hands it over; any other sends it to the neighbour that its route for the target names, if "
        "its own port to that neighbour is up, and loses it otherwise. All routers are meant to have routes along a path with the fewest links"
        f"{', none of them in maintenance' if down else ''}; where there are several such paths, any will do.\n\n"
        f"Reported: {reports}. The reports are about packets in this direction only, and several single settings may be wrong.\n\n{TOOLS.manual()}\n\n"
        "Correct every setting that keeps a reported source from its target, once, and set nothing that is as it is meant to be, or the work is lost. "
        "Finish when every reported source reaches its target."
    )


def act(state: State, calls: Calls) -> State:
    return run_turn(state, calls, _step, lambda now: now.finished)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    keys = [setting for setting, _ in state.changed]
    if sorted(keys) != [setting for setting, _ in state.wrong]:
        return Score.wrong(f"{len(keys)} settings were set; not just those that were wrong, each of them once")
    unreached = sum(not trace(state.net, _values(state), *pair)[1] for pair in state.reports)
    return Score.exact(unreached == 0, f"{unreached} of the reported targets are not reached")


def milestones(state: State) -> dict[str, float]:
    keys, wrong = [setting for setting, _ in state.changed], [setting for setting, _ in state.wrong]
    lost = len(set(keys)) < len(keys) or not set(keys) <= set(wrong)
    reached = sum(trace(state.net, _values(state), *pair)[1] for pair in state.reports)
    return {"targets_reached": 0.0 if lost else reached / len(state.reports)}


def best(state: State) -> Calls:
    for source, target in state.reports:
        if (source, target, len(state.changed)) not in state.traced:
            return (Trace(source=source, target=target),)
        path, arrives = trace(state.net, _values(state), source, target)
        if arrives:
            continue
        unseen = [router for router in dict.fromkeys(path) if router not in state.inspected]
        if unseen:
            return tuple(Inspect(router=router_name(router)) for router in unseen[: TOOLS.max_calls])
        return (_repair(state, path, target), Trace(source=source, target=target))
    return (Finish(),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    net = first.net
    _, router, host = next(setting for setting in meant(net) if setting[0] == "drop" and setting not in dict(first.wrong))
    harmless = SetDrop.model_validate({"router": router_name(router), "host": host, "value": meant(net)["drop", router, host]})
    extra: dict[str, Tool] = {"nothing_else": harmless}
    for a, b in net.maintenance[:1]:
        extra["maintenance"] = SetPort(router=router_name(a), neighbour=router_name(b), value="up")
    for router, host in net.policy[:1]:
        extra["policy"] = SetDrop(router=router_name(router), host=host, value="passed")
    return {"once": _repeats, **{rule: partial(_add_call, call) for rule, call in extra.items()}}


def _add_call(call: Tool, state: State) -> Calls:
    calls = best(state)
    return (call, *calls) if isinstance(calls[0], Finish) else calls


def _repeats(state: State) -> Calls:
    calls = best(state)
    return calls * 2 if isinstance(calls[0], SetPort | SetDrop | SetRoute) else calls


def mistakes(state: State) -> list[Calls]:
    # Stops at once; sets what is right; opens what is closed by policy or in maintenance; repairs a loop at its other end.
    net, calls = state.net, best(state)
    host, home = net.hosts[0]
    other = next(router for router in range(net.routers) if router != home and ("drop", router, host) not in dict(state.wrong))
    harmless = SetDrop(router=router_name(other), host=host, value="passed")
    port = next(key for key, _ in sorted(meant(net).items()) if key[0] == "port" and key not in dict(state.wrong))
    opened = SetPort(router=router_name(port[1]), neighbour=port[2], value="up")
    if isinstance(calls[0], SetPort | SetDrop | SetRoute):
        return [(Finish(),), (harmless, *calls), (opened, *calls), (calls[0], calls[0]), (Finish(),)]
    return [(Finish(),), (harmless, *calls), (opened, *calls), (harmless,) if isinstance(calls[0], Finish) else calls, (Finish(),)]


def cost(state: State) -> float:
    return state.net.routers * len(state.wrong) * (1 + len(state.net.links) - state.net.routers + 1) + 3 * len(
        {key[0] for key, _ in state.wrong}
    )


def turns(state: State) -> int:
    return 2 * state.net.routers + 6 * len(state.wrong) + 4


def explain(state: State) -> list[str]:
    calls = best(state)
    match calls[0]:
        case Trace():
            step = "A trace shows how far packets of this report come now."
        case Inspect():
            step = "The packet is lost or goes round on this way, so the settings of the routers on it are read."
        case Finish():
            step = "Every reported source reaches its target."
        case _:
            step = "On the way of the packet this one setting is neither as meant nor by policy or maintenance; then the trace shows what is left."
    return [step, TOOLS.render(calls)]


def _values(state: State) -> dict[Setting, str]:
    return {**meant(state.net), **dict(state.wrong), **dict(state.changed)}


def _repair(state: State, path: list[int], target: str) -> Tool:
    """The first setting on the path that is wrong, by the inspected routers and what the links say."""
    right, now = meant(state.net), _values(state)
    for router in path:
        after = right.get(("route", router, target), "")
        if now["drop", router, target] != right["drop", router, target]:
            return SetDrop(router=router_name(router), host=target, value="passed")
        if after and now["route", router, target] != after:
            return SetRoute(router=router_name(router), host=target, neighbour=after)
        if after and now["port", router, after] != right["port", router, after]:
            return SetPort(router=router_name(router), neighbour=after, value="up")
    return Finish()


def _step(state: State, call: Tool) -> tuple[State, str]:
    homes = dict(state.net.hosts)
    match call:
        case Trace(source=source, target=target):
            if source not in homes or target not in homes or source == target:
                return state, "source and target must be two hosts"
            path, arrives = trace(state.net, _values(state), source, target)
            answer = f"{' '.join(map(router_name, path))}: {f'{target} is reached' if arrives else 'no answer after that'}"
            return state.model_copy(update={"traced": (*state.traced, (source, target, len(state.changed)))}), answer
        case Inspect(router=router):
            place = next((k for k in range(state.net.routers) if router_name(k) == router), None)
            if place is None:
                return state, f"there is no router {router!r}"
            return state.model_copy(update={"inspected": (*state.inspected, place)}), _settings(state, place)
        case SetPort(router=router, neighbour=neighbour, value=value):
            return _set(state, ("port", _number(router), neighbour), value)
        case SetDrop(router=router, host=host, value=value):
            return _set(state, ("drop", _number(router), host), value)
        case SetRoute(router=router, host=host, neighbour=neighbour):
            if _number(neighbour) not in neighbours(state.net, _number(router)):
                return state, f"nothing was set: {router!r} has no link to {neighbour!r}"
            return _set(state, ("route", _number(router), host), neighbour)
    return state.model_copy(update={"finished": True}), ""


def _number(router: str) -> int:
    digits = router[1:3]
    return int(digits) - 1 if router[:1] == "r" and digits.isascii() and digits.isdigit() and router == f"r{int(digits)}" else -1


def _set(state: State, setting: Setting, value: str) -> tuple[State, str]:
    if setting not in meant(state.net):
        return state, "nothing was set: there is no such setting"
    return state.model_copy(update={"changed": (*state.changed, (setting, value))}), "set"


def _settings(state: State, router: int) -> str:
    values = {key: value for key, value in _values(state).items() if key[1] == router}
    ports = ", ".join(f"{key[2]} {value}" for key, value in sorted(values.items()) if key[0] == "port")
    routes = ", ".join(f"{key[2]} by {value}" for key, value in sorted(values.items()) if key[0] == "route")
    drops = ", ".join(key[2] for key, value in sorted(values.items()) if key[0] == "drop" and value == "dropped")
    return f"{router_name(router)}: ports to {ports}. Routes: {routes}. Drops packets for: {drops or 'nobody'}."


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    shift=shift,
    concept="Trace each report, read the routers on the packet's way, and change the one setting there that neither map, policy nor maintenance explains.",
    version=4,
    milestones=milestones,
    rules=rules,
)  # fmt: skip
