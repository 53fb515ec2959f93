"""Find the root causes of an outage in the logs of services that call one another, and do to them exactly what the rules say.

Judged by what was done to which service. Anything done to a service that needed nothing, or before the log that calls for it was
read, loses the work.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.simulations.services import (
    KINDS,
    PAGE,
    RESTARTED,
    RUNBOOK,
    SIGNS,
    STORES,
    Action,
    Fault,
    Service,
    Site,
    action,
    down,
    pages,
    site,
)


class Status(Tool):
    """Says whether a service is healthy or failing."""

    service: str = Field(max_length=40)


class Dependencies(Tool):
    """Lists the services that a service calls."""

    service: str = Field(max_length=40)


class Logs(Tool):
    """Shows a page of today's log of a service, oldest lines first; says how many pages there are."""

    service: str = Field(max_length=40)
    page: int = Field(1, ge=1, le=1000)


class Repair(Tool):
    """Does something to a service; it cannot be taken back."""

    service: str = Field(max_length=40)
    action: Action


class Finish(Tool):
    """Ends the work; what was done is then judged."""


TOOLS = ToolCalls((Status, Dependencies, Logs, Repair, Finish))


class Knobs(Config):
    services: int = knob(10, easy=3, hard=16, doc="services")
    faults: int = knob(2, easy=1, hard=3, doc="root causes, where the site has room for so many")
    kinds: int = knob(4, easy=2, hard=5, doc="kinds of faults, the last of which is repaired at another service")
    noise: int = knob(6, easy=0, hard=10, doc="most log lines of a service that mean nothing")
    store: str = knob("busy", easy="steady", hard="busy", order=("steady", "busy"), doc="whether some logs are not there at the first call")


class State(TaskData):
    site: Site
    kinds: int
    tried: tuple[int, ...] = ()  # services whose log was asked for
    read: tuple[tuple[int, int], ...] = ()  # services and pages of their logs
    done: tuple[tuple[int, Action], ...] = ()
    blind: bool = False
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _outage(rng, knobs, 4)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Services in a long chain: what is reported is far from what is wrong."""
    return _outage(rng, knobs, 2)


def _outage(rng: Rng, knobs: Knobs, reach: int) -> State:
    faults = min(knobs.faults, max(1, knobs.services // 4))
    return State(site=site(rng, knobs.services, faults, knobs.kinds, knobs.noise, knobs.store == "busy", reach), kinds=knobs.kinds)


def show(state: State) -> str:
    if state.told:
        return state.told
    site = state.site
    rules = "\n".join(f"- {RUNBOOK[kind]}" for kind in KINDS[: state.kinds])
    return (
        f"There is an outage. These services are reported to fail: {', '.join(site.services[k].name for k in site.entries)}. Look into them and "
        f"into the services that they call, directly or indirectly. All services: {', '.join(sorted(service.name for service in site.services))}.\n\n"
        "A service fails if it has a fault of its own, or if a service that it needs fails; its log then says that the call to it timed out and the "
        "request failed. Some calls are optional: a service that goes on without the answer does not fail for that. A problem in the log that is followed by "
        "`recovered` is over. Repairs of the faults that a log may show:\n"
        f"{rules}\n{STORES}\n\n{TOOLS.manual()}\n\n"
        "Repair every fault that makes the reported services fail, once, and do nothing else to any service: any repair of a service that does "
        "not need it takes the service down. Before you repair a fault, read all pages of the log that shows it in an earlier turn, or the work is lost. "
        "A service's failing status does not change before you finish. Finish when all faults are repaired."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.read)
    return run_turn(state, calls, lambda now, call: _step(now, call, known), lambda now: now.finished)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    if state.blind:
        return Score.wrong("something was done to a service before the log that calls for it had been read")
    repairs = sorted((fault.at, action(state.site, fault)) for fault in state.site.faults)
    return Score.exact(sorted(state.done) == repairs, f"{len(state.done)} things were done, not those that {len(repairs)} faults call for")


def milestones(state: State) -> dict[str, float]:
    repairs = {(fault.at, action(state.site, fault)) for fault in state.site.faults}
    lost = state.blind or len(set(state.done)) < len(state.done) or not repairs.issuperset(state.done)
    return {"faults_mended": 0.0 if lost else len(state.done) / len(repairs)}


def best(state: State) -> Calls:
    site, queue = state.site, list(state.site.entries)
    failing, look_ups = down(site.services, site.faults), list[tuple[int, int]]()
    for k in queue:
        missing = [(k, page) for page in range(1, pages(site.services[k]) + 1) if (k, page) not in state.read]
        look_ups += missing[:1] if (k, 1) in missing else missing
        # What a service calls is known to fail once its log is read.
        queue += [] if missing else [other for other in site.services[k].needs if other in failing and other not in queue]
    if look_ups:
        return tuple(Logs(service=site.services[k].name, page=page) for k, page in look_ups[: TOOLS.max_calls])
    left = [fault for fault in site.faults if (fault.at, action(site, fault)) not in state.done]
    return (*(Repair(service=site.services[fault.at].name, action=action(site, fault)) for fault in left), Finish())


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    false: dict[str, Callable[[Site, Fault], Repair]] = {
        kind: partial(_restarted, kind) for kind in KINDS[: first.kinds] if kind not in RESTARTED
    }
    false |= {"lock": _repair_waiting_service} if "lock" in KINDS[: first.kinds] else {}
    false["stores"] = _never_failover
    return {"read_first": _unread, "over": _repairs_all, **{rule: partial(_with_repairs, repair) for rule, repair in false.items()}}


def _with_repairs(repair: Callable[[Site, Fault], Repair], state: State) -> Calls:
    """The oracle's calls, but for the repairs, which a false rule gives."""
    calls = best(state)
    if isinstance(calls[0], Logs):
        return calls
    repairs = [repair(state.site, fault) for fault in state.site.faults]
    done = [(state.site.services[k].name, what) for k, what in state.done]
    return tuple(one for one in repairs if (one.service, one.action) not in done)[: TOOLS.max_calls] or (Finish(),)


def _restarted(kind: str, site: Site, fault: Fault) -> Repair:
    return Repair(service=site.services[fault.at].name, action="restart" if fault.kind == kind else action(site, fault))


def _repair_waiting_service(site: Site, fault: Fault) -> Repair:
    return Repair(service=site.services[fault.service].name, action=action(site, fault._replace(at=fault.service)))


def _never_failover(site: Site, fault: Fault) -> Repair:
    right = action(site, fault)
    return Repair(service=site.services[fault.at].name, action="restart" if right == "failover" else right)


def _unread(state: State) -> Calls:
    repairs = tuple(Repair(service=state.site.services[fault.at].name, action=action(state.site, fault)) for fault in state.site.faults)
    return repairs if not state.done else (Finish(),)


def _repairs_all(state: State) -> Calls:
    """Repairs what has recovered, too."""
    calls, read = best(state), {k for k, _ in state.read}
    signs = {kind: sign.partition("{")[0] for kind, sign in SIGNS.items() if kind != "lock"}
    over = [
        Fault(k, kind, k)
        for k in sorted(read)
        for kind, sign in signs.items()
        if any(sign in line for line in state.site.services[k].log) and all(fault.at != k for fault in state.site.faults)
    ]
    extra = [fault for fault in over if (fault.at, action(state.site, fault)) not in state.done]
    if not isinstance(calls[0], Logs) and extra:
        more = tuple(Repair(service=state.site.services[one.at].name, action=action(state.site, one)) for one in extra)
        return (*more, *calls)[: TOOLS.max_calls]
    return calls


def mistakes(state: State) -> list[Calls]:
    # Stops at once; repairs what is reported; always restarts; repairs too much; repairs without reading.
    site, calls = state.site, best(state)
    blind = tuple(Repair(service=site.services[fault.at].name, action=action(site, fault)) for fault in site.faults)
    fault = site.faults[0]
    wrong: Action = "clear_disk" if action(site, fault) != "clear_disk" else "restart"
    other = next(one.name for k, one in enumerate(site.services) if all(k != one.at for one in site.faults))
    extra = Repair(service=other, action="restart")
    if isinstance(calls[0], Repair):
        return [(Finish(),), (extra, *calls), (Repair(service=site.services[fault.at].name, action=wrong), *calls[1:]), (Finish(),)]
    return [(Finish(),), calls, calls, (*blind, Finish()) if not state.read else (extra, Finish())]


def cost(state: State) -> float:
    return sum(pages(service) for service in state.site.services) * (2 + state.kinds)


def turns(state: State) -> int:
    return min(60, sum(pages(service) for service in state.site.services) + len(state.site.services) + 2 * len(state.site.faults) + 2)


def explain(state: State) -> list[str]:
    calls = best(state)
    match calls[0]:
        case Logs():
            step = "A failing service whose log is not read yet may have a fault, or name the service whose failure pulls it down."
        case Repair():
            step = "All logs on the way down are read; these faults are not over, and the rules say what is done about them and where."
        case _:
            step = "Every fault is repaired, and nothing else was touched."
    return [step, TOOLS.render(calls)]


def _step(state: State, call: Tool, known: frozenset[tuple[int, int]]) -> tuple[State, str]:
    if isinstance(call, Finish):
        return state.model_copy(update={"finished": True}), ""
    assert isinstance(call, Status | Dependencies | Logs | Repair)
    site = state.site
    k = next((k for k, one in enumerate(site.services) if one.name == call.service), None)
    if k is None:
        return state, f"there is no service {call.service!r}"
    service = site.services[k]
    match call:
        case Status():
            return state, f"{service.name} is {'failing' if k in down(site.services, site.faults) else 'healthy'}"
        case Dependencies():
            return (
                state,
                f"{service.name} calls: {', '.join(site.services[other].name for other in sorted((*service.needs, *service.asks))) or 'nothing'}",
            )
        case Logs(page=page):
            return _logs(state, k, service, page)
    # A fault is known once the whole log of the service that shows it has been read, wherever it is repaired.
    showing = [fault.service for fault in site.faults if fault.at == k]
    seen = all((other, page) in known for other in showing for page in range(1, pages(site.services[other]) + 1))
    update = {"done": (*state.done, (k, call.action)), "blind": state.blind or not seen}
    return state.model_copy(update=update), f"{call.action} of {service.name}: done"


def _logs(state: State, k: int, service: Service, page: int) -> tuple[State, str]:
    if service.busy and k not in state.tried:
        return state.model_copy(update={"tried": (*state.tried, k)}), "the log store is busy, nothing was read; call again"
    lines = service.log[(page - 1) * PAGE : page * PAGE]
    if not lines:
        return state, f"the log of {service.name} has {pages(service)} pages"
    output = "\n".join([f"log of {service.name}, page {page} of {pages(service)}:", *lines])
    return state.model_copy(update={"read": (*state.read, (k, page))}), output


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    shift=shift,
    concept="Follow failed calls down to services with a fault of their own that is not over, and apply the rule for it, at the place it names.",
    rules=rules,
    version=5,
    milestones=milestones,
)  # fmt: skip
