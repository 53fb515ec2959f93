"""Run errands in a town: fetch things and bring them where they belong while places are open, with few hands, and be home in time.

Judged by where the things are and what time it is when one is home again.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.simulations.search import going_on
from rlgym.generators.simulations.town_errands import CARRIED, THERE, WAITING, Here, Step, Town, adjacency, clock, is_open, soonest, town


class Phone(Tool):
    """Asks a place when it opens and closes. Takes no time."""

    place: str = Field(max_length=40)


class Walk(Tool):
    """Walks along the street to a place next to this one."""

    place: str = Field(max_length=40)


class Wait(Tool):
    """Waits for some minutes."""

    minutes: int = Field(ge=1, le=600)


class Take(Tool):
    """Takes a thing that is to be fetched here, while the place is open."""

    thing: str = Field(max_length=40)


class Bring(Tool):
    """Hands over a thing here where it belongs, while the place is open."""

    thing: str = Field(max_length=40)


class Finish(Tool):
    """Ends the day; the errands are then judged."""


TOOLS = ToolCalls((Phone, Walk, Wait, Take, Bring, Finish))


class Knobs(Config):
    places: int = knob(6, easy=4, hard=9, beyond=11, doc="places in the town, home included")
    errands: int = knob(2, easy=1, hard=4, beyond=5, doc="things to fetch and bring")
    hands: int = knob(1, easy=2, hard=1, doc="things that can be carried at a time")
    open_minutes: int = knob(180, easy=420, hard=90, doc="minutes for which a place is open at least")
    spare: int = knob(20, easy=45, hard=0, doc="minutes beyond the soonest time of being home")
    urgent: int = knob(1, easy=0, hard=2, beyond=3, doc="things that must be there by some time")


class State(TaskData):
    town: Town
    until: int
    here: Here
    now: int
    done: tuple[Step, ...] = ()
    phoned: tuple[int, ...] = ()
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    sampled, home = town(rng, knobs.places, knobs.errands, knobs.hands, knobs.open_minutes, knobs.urgent)
    return State(town=sampled, until=home + knobs.spare, here=Here(0, (WAITING,) * len(sampled.errands)), now=sampled.begin)


def show(state: State) -> str:
    if state.told:
        return state.told
    town = state.town
    streets = "\n".join(f"- {town.places[a]} - {town.places[b]}: {minutes} minutes" for a, b, minutes in town.streets)
    errands = "\n".join(
        f"- Fetch the {errand.thing} from the {town.places[errand.source]} and bring it "
        f"{'home' if errand.target == 0 else f'to the {town.places[errand.target]}'}"
        f"{f', where it must be by {clock(errand.until)}' if errand.until else ''}."
        for errand in town.errands
    )
    hands = "one thing" if town.hands == 1 else f"{town.hands} things"
    return (
        f"It is {clock(state.now)} and you are at home, which is always open. "
        f"{'Run these errands' if chr(10) in errands else 'Run this errand'}:\n{errands}\n\nThe streets of the town, which can be walked "
        f"both ways:\n{streets}\n\nYou can carry {hands} at a time. Taking and bringing take no time, but the place must be open: from "
        "its opening time on, but no longer at its closing time. Today's opening hours can be asked for by phone only. A thing that was taken can only be "
        "put down where it "
        f"belongs. Be home with all errands run by {clock(state.until)}, and finish there. An impossible action takes no time.\n\n"
        f"{TOOLS.manual()}"
    )


def act(state: State, calls: Calls) -> State:
    return run_turn(state, calls, _step, lambda now: now.finished)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    left = sum(thing != THERE for thing in state.here.things)
    if left or state.here.at != 0:
        return Score.wrong(f"{left} things are not where they belong" if left else "you are not at home")
    return Score.exact(state.now <= state.until, "you came home too late")


def milestones(state: State) -> dict[str, float]:
    return {"things_delivered": 0.0 if state.now > state.until else state.here.things.count(THERE) / len(state.here.things)}


def best(state: State) -> Calls:
    if unknown := [place for place in range(1, len(state.town.places)) if place not in state.phoned and _matters(state, place)]:
        return tuple(Phone(place=state.town.places[place]) for place in unknown[: TOOLS.max_calls])
    planned = soonest(state.town, Here(0, (WAITING,) * len(state.town.errands)), state.town.begin)
    again = soonest(state.town, state.here, state.now)
    left = going_on(planned[1] if planned else (), state.done, lambda: again[1] if again else None)
    return tuple(_call(state, step) for step in left[: TOOLS.max_calls]) or (Finish(),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    errand_town = first.town
    always = tuple((0, 24 * 60) for _ in errand_town.hours)
    ignored = {"hours": errand_town._replace(hours=always)}
    if errand_town.hands < len(errand_town.errands):
        ignored["hands"] = errand_town._replace(hands=len(errand_town.errands))
    if any(errand.until for errand in errand_town.errands):
        ignored["times"] = errand_town._replace(errands=tuple(errand._replace(until=0) for errand in errand_town.errands))
    return {rule: partial(_follows, town) for rule, town in ignored.items()} | {"home_in_time": _run_sequentially}


def _follows(town: Town, state: State) -> Calls:
    """Goes the soonest way through a town in which a limit does not hold, and does what is possible of it."""
    planned = soonest(town, Here(0, (WAITING,) * len(town.errands)), town.begin)
    left = planned[1][len(state.done) :] if planned else ()
    return (_call(state, left[0]),) if left else (Finish(),)


def _run_sequentially(state: State) -> Calls:
    """Runs the errands in the order of the list, each by its soonest way."""
    k = next((k for k, thing in enumerate(state.here.things) if thing != THERE), None)
    ready = tuple(THERE if i != k else thing for i, thing in enumerate(state.here.things))
    way = soonest(state.town, state.here._replace(things=ready), state.now) if k is not None or state.here.at else None
    return (_call(state, way[1][0]),) if way and way[1] else (Finish(),)


def mistakes(state: State) -> list[Calls]:
    # Stops at once; waits for a long time; walks to and fro; goes for the things in the order of the list, without asking when places open.
    near = state.town.places[adjacency(state.town)[state.here.at][0][0]]
    early = Take(thing=state.town.errands[0].thing)
    return [(Finish(),), (Wait(minutes=600), *best(state)[:7]), (Walk(place=near),), (early, Finish()), (Wait(minutes=1),)]


def cost(state: State) -> float:
    town = state.town
    return len(town.places) * 3.0 ** len(town.errands) * (1 + sum(bool(errand.until) for errand in town.errands)) / town.hands


def turns(state: State) -> int:
    return 10 + len(state.town.places) + 11 * len(state.town.errands)


def explain(state: State) -> list[str]:
    calls = best(state)
    if isinstance(calls[0], Phone):
        return ["The opening hours of the places where something is fetched or brought decide the order.", TOOLS.render(calls)]
    now, at, steps = state.now, state.here.at, []
    for call in calls:
        if isinstance(call, Walk):
            place = state.town.places.index(call.place)
            now += dict(adjacency(state.town)[at])[place]
            at = place
            steps.append(f"It is {clock(now)} at the {call.place}.")
        elif isinstance(call, Wait):
            now += call.minutes
            steps.append(f"After waiting it is {clock(now)}.")
    return [*steps, TOOLS.render(calls)]


def _matters(state: State, place: int) -> bool:
    return any(place in (errand.source, errand.target) for errand in state.town.errands)


def _call(state: State, step: Step) -> Tool:
    what, value = step
    match what:
        case "walk":
            return Walk(place=state.town.places[value])
        case "wait":
            return Wait(minutes=value)
        case "take":
            return Take(thing=state.town.errands[value].thing)
    return Bring(thing=state.town.errands[value].thing)


def _step(state: State, call: Tool) -> tuple[State, str]:
    town, at = state.town, state.here.at
    match call:
        case Finish():
            return state.model_copy(update={"finished": True}), ""
        case Wait(minutes=minutes):
            return _move(state, ("wait", minutes), minutes)
        case Phone(place=name) | Walk(place=name):
            place = town.places.index(name) if name in town.places else -1
            if isinstance(call, Phone) and place > 0:
                opens, closes = town.hours[place]
                return state.model_copy(
                    update={"phoned": (*state.phoned, place)}
                ), f"the {name} is open from {clock(opens)} to {clock(closes)}"
            if isinstance(call, Walk) and place in dict(adjacency(town)[at]):
                return _move(state, ("walk", place), dict(adjacency(town)[at])[place])
            return state, f"not possible: {name!r}"
    assert isinstance(call, Take | Bring)
    k = next((k for k, one in enumerate(town.errands) if one.thing == call.thing), -1)
    if k < 0 or not is_open(town, at, state.now):
        return state, "not possible: there is no such thing, or the place is shut"
    errand, where, what = town.errands[k], state.here.things[k], "take" if isinstance(call, Take) else "bring"
    if what == "take" and (where != WAITING or errand.source != at or state.here.things.count(CARRIED) >= town.hands):
        return state, "not possible: it is not to be fetched here, or your hands are full"
    if what == "bring" and (where != CARRIED or errand.target != at or (errand.until and state.now > errand.until)):
        return state, "not possible: you do not carry it, it does not belong here, or it is too late for it"
    things = (*state.here.things[:k], CARRIED if what == "take" else THERE, *state.here.things[k + 1 :])
    return _move(state.model_copy(update={"here": Here(at, things)}), (what, k), 0)


def _move(state: State, step: Step, minutes: int) -> tuple[State, str]:
    here = state.here._replace(at=step[1]) if step[0] == "walk" else state.here
    now = min(state.now + minutes, 20_000)
    after = state.model_copy(update={"here": here, "now": now, "done": (*state.done, step)})
    return after, f"it is {clock(now)}{' of a later day' if now >= 1440 else ''}, you are at: {state.town.places[here.at]}"


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Ask for the opening hours first, then search over orders of fetching and bringing for the one that is home soonest.",
    milestones=milestones,
    version=5,
    rules=rules,
)  # fmt: skip
