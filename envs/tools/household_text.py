"""Keep house: find things in rooms and shut places, wash, heat or cool them, put them where they belong, and leave the rest as it is.

Judged by where every thing is at the end, in which state, and which places are shut.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool
from rlgym.generators.simulations.calls import before_the_end, run_turn
from rlgym.generators.simulations.household import APPLIANCES, HELD, House, Job, describe_job, house, is_done, meant
from rlgym.generators.simulations.household_tools import TOOLS, Cool, Finish, Go, Heat, Open, Put, Shut, Take, Wash

HOWS = {"put": (), "wash": ("wash",), "any": ("wash", "heat", "cool")}
DO: dict[str, Tool] = {"wash": Wash(), "heat": Heat(), "cool": Cool()}


class Knobs(Config):
    rooms: int = knob(4, easy=2, hard=5, doc="rooms")
    places: int = knob(3, easy=2, hard=4, doc="places in each room, besides the appliances")
    things: int = knob(10, easy=5, hard=18, doc="things in the house")
    jobs: int = knob(2, easy=1, hard=3, doc="jobs to do")
    hows: str = knob("wash", easy="put", hard="any", order=("put", "wash", "any"), doc="what may have to be done to a thing")


class State(TaskData):
    house: House
    at: tuple[int, ...]  # the place of each thing, or HELD
    states: tuple[str, ...]
    open: tuple[int, ...] = ()
    room: str = "hall"
    seen: tuple[int, ...] = ()  # places whose things were seen
    finished: bool = False
    begun: bool = False  # the task starts in the middle of the work
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        sampled = house(rng, knobs.rooms, knobs.places, knobs.things, knobs.jobs, HOWS[knobs.hows], False)
        state = State(house=sampled, at=sampled.first, states=("",) * len(sampled.things), room="outside")
        if knobs.things > 5:
            return state
        # At level 0 the search is over; a place that has to be shut is part of what is left.
        begun = before_the_end(state, best, act, lambda now: now.finished, 4)
        shut = any(sampled.places[job.target].shuts for job in sampled.jobs)
        if begun.open or shut:
            return begun.model_copy(update={"begun": True, "told": ""})


def shift(rng: Rng, knobs: Knobs) -> State:
    """Jobs of a kind that is not met otherwise: all things of a kind are to be gathered in one place."""
    sampled = house(rng, knobs.rooms, knobs.places, knobs.things, knobs.jobs, HOWS[knobs.hows], True)
    return State(house=sampled, at=sampled.first, states=("",) * len(sampled.things), room="outside")


def show(state: State) -> str:
    if state.told:
        return state.told
    house = state.house
    jobs = "\n".join(f"- {describe_job(house, job)}" for job in house.jobs)
    states = "Washing makes a thing clean, heating makes it hot and cooling makes it cold; only the last of these counts, and none has been done yet. "
    states = states if any(word in jobs.split() for word in ("clean", "hot", "cold")) else ""
    counts = "Where one thing of a kind is asked for, exactly one of them must be there in that state. " if " one " in jobs else ""
    return (
        f"You keep a house with these rooms: {', '.join(house.rooms)}. Sink, stove and fridge are in the kitchen. "
        f"{'Do these jobs' if chr(10) in jobs else 'Do this job'}:\n{jobs}\n\n"
        f"A thing is named by its colour and kind, such as `red pin`; no two have the same name. {states}{counts}"
        "Every thing that no job needs must be where it was and untouched at the end, every place that was shut must be "
        f"shut again, and you must hold nothing. Drawers, cupboards, chests, boxes, wardrobes and crates are shut at first.\n\n{TOOLS.manual()}\n\n"
        f"{_situation(state) if state.begun else 'You stand outside; go to a room first.'} Finish when all jobs are done."
    )


def _situation(state: State) -> str:
    """Where one is in the middle of the work, what one holds, and what is here."""
    held = [f"You hold the {thing.name}. " for k, thing in enumerate(state.house.things) if state.at[k] == HELD]
    open_places = [state.house.places[k].name for k in state.open]
    opened = f" You have opened the {' and the '.join(open_places)}." if open_places else ""
    return f"The work has begun. {''.join(held)}You are in the {_enter(state, state.room)[1]}.{opened}"


def act(state: State, calls: Calls) -> State:
    return run_turn(state, calls, _step, lambda now: now.finished)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    house = state.house
    if left := sum(not is_done(house, job, state.at, state.states) for job in house.jobs):
        return Score.wrong(f"{left} of {len(house.jobs)} jobs are not done")
    touched = [k for k in range(len(house.things)) if state.at[k] != house.first[k] or state.states[k]]
    required = [k for job in house.jobs for k in meant(house, job) if state.at[k] == job.target]
    if extra := sum(k not in required for k in touched):
        return Score.wrong(f"{extra} things that no job is about are elsewhere or changed")
    return Score.exact(not state.open, f"{len(state.open)} places were left open")


def milestones(state: State) -> dict[str, float]:
    return {"jobs_done": sum(is_done(state.house, job, state.at, state.states) for job in state.house.jobs) / len(state.house.jobs)}


def best(state: State) -> Calls:
    """Looks into every place in turn until what the jobs need was seen; then does the jobs one after the other."""
    house = state.house
    found = [k for k, place in enumerate(state.at) if place == HELD or house.first[k] in state.seen]
    for job in house.jobs:
        if is_done(house, job, state.at, state.states):
            continue
        known = [k for k in meant(house, job) if k in found and (state.at[k] != job.target or job.how)]
        held = next((k for k in known if state.at[k] == HELD), None)
        gathered = sum(state.at[k] == job.target for k in meant(house, job)) if job.wanted > 1 else 0
        if (held is None and not known) or (job.wanted > 1 and len(known) + gathered < job.wanted):
            return (_look(state),)
        return (_next_step(state, job, known[0] if held is None else held),)
    return (Shut(place=house.places[state.open[0]].name),) if state.open else (Finish(),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {"shut_again": _shuts_nothing} | ({"prepare": _prepares_nothing} if any(job.how for job in first.house.jobs) else {})


def _shuts_nothing(state: State) -> Calls:
    calls = best(state)
    return best(state.model_copy(update={"open": ()})) if isinstance(calls[0], Shut) else calls


def _prepares_nothing(state: State) -> Calls:
    states = list(state.states)
    for job in state.house.jobs:
        for k in meant(state.house, job) if job.how else ():
            states[k] = APPLIANCES[job.how][1]
    return best(state.model_copy(update={"states": tuple(states)}))


def mistakes(state: State) -> list[Calls]:
    # Stops at once; leaves places open or takes a thing along; forgets what is to be done to a thing; walks about.
    calls = best(state)[0]
    if isinstance(calls, Finish):
        job = state.house.jobs[0]
        name = state.house.places[job.target].name
        thing = next(state.house.things[k].name for k in meant(state.house, job) if state.at[k] == job.target)
        undo: Calls = (Go(room=state.house.places[job.target].room), Open(place=name), Take(thing=thing), Finish())
        return [(Finish(),), undo, (Go(room=state.house.rooms[0]),), undo]
    skipped = (Finish(),) if isinstance(calls, Shut | Wash | Heat | Cool) else (calls,)
    return [(Finish(),), (calls,), (Go(room=state.house.rooms[0]),), skipped if any(one.how for one in state.house.jobs) else (Finish(),)]


def cost(state: State) -> float:
    house = state.house
    return len(house.places) * sum(2 + bool(job.how) + job.wanted for job in house.jobs)


def turns(state: State) -> int:
    house = state.house
    shut = sum(place.shuts for place in house.places)
    return min(95, len(house.rooms) + 2 * shut + sum(7 + 7 * (job.wanted - 1) + bool(job.how) * 2 for job in house.jobs) + 3)


def explain(state: State) -> list[str]:
    calls = best(state)
    if isinstance(calls[0], Go | Open) and not any(k == HELD for k in state.at):
        step = f"{len(state.seen)} places were looked into so far; a thing must be seen before it can be taken."
    elif isinstance(calls[0], Finish):
        step = "All jobs are done, everything else is where it was, and all places are shut."
    else:
        step = (
            "The next thing that a job needs is known: fetch it, do to it what is asked, bring it to its place, and shut what was opened."
        )
    return [step, TOOLS.render(calls)]


def _look(state: State) -> Tool:
    """Shuts what is open, then opens the next place that was not seen, in this room first."""
    house = state.house
    if state.open:
        return Shut(place=house.places[state.open[0]].name)
    unseen = [k for k in range(len(house.places)) if k not in state.seen]
    near = [k for k in unseen if house.places[k].room == state.room and house.places[k].shuts]
    return Open(place=house.places[near[0]].name) if near else Go(room=next(house.places[k].room for k in unseen))


def _next_step(state: State, job: Job, thing: int) -> Tool:
    """The next step in bringing a thing that was seen to where the job wants it."""
    house = state.house
    ready = not job.how or state.states[thing] == APPLIANCES[job.how][1]
    place = (
        state.at[thing]
        if state.at[thing] != HELD
        else job.target
        if ready
        else next(k for k, one in enumerate(house.places) if one.appliance == job.how)
    )
    if state.open and place not in state.open:
        return Shut(place=house.places[state.open[0]].name)
    if house.places[place].room != state.room:
        return Shut(place=house.places[state.open[0]].name) if state.open else Go(room=house.places[place].room)
    if state.at[thing] == HELD and not ready:
        return DO[job.how]
    if house.places[place].shuts and place not in state.open:
        return Open(place=house.places[place].name)
    return Put(place=house.places[place].name) if state.at[thing] == HELD else Take(thing=house.things[thing].name)


def _step(state: State, call: Tool) -> tuple[State, str]:
    house = state.house
    match call:
        case Finish():
            return state.model_copy(update={"finished": True}), ""
        case Go(room=room):
            return _enter(state, room) if room in house.rooms else (state, f"there is no room {room!r}")
        case Take(thing=name):
            return _take(state, name)
        case Wash() | Heat() | Cool():
            how = next(how for how, tool in DO.items() if tool == call)
            if state.room != "kitchen" or HELD not in state.at:
                return state, "nothing was done: hold a thing, in the kitchen"
            thing = state.at.index(HELD)
            states = (*state.states[:thing], APPLIANCES[how][1], *state.states[thing + 1 :])
            return state.model_copy(update={"states": states}), f"the {house.things[thing].name} is {APPLIANCES[how][1]} now"
    assert isinstance(call, Open | Shut | Put)
    place = next((k for k, one in enumerate(house.places) if one.name == call.place and one.room == state.room), None)
    if place is None:
        return state, f"there is no place {call.place!r} in this room"
    if isinstance(call, Put):
        if HELD not in state.at or not _is_open(state, place):
            return state, "nothing was put: hold a thing, and open the place first"
        thing = state.at.index(HELD)
        return state.model_copy(
            update={"at": (*state.at[:thing], place, *state.at[thing + 1 :])}
        ), f"put the {house.things[thing].name} there"
    if not house.places[place].shuts or (place in state.open) == isinstance(call, Open):
        return state, "nothing was done"
    if isinstance(call, Shut):
        return state.model_copy(update={"open": tuple(k for k in state.open if k != place)}), "shut"
    return state.model_copy(update={"open": (*state.open, place), "seen": (*state.seen, place)}), f"in it: {_list_things(state, place)}"


def _enter(state: State, room: str) -> tuple[State, str]:
    house = state.house
    near = [k for k, place in enumerate(house.places) if place.room == room]
    lines = [f"{house.places[k].name}: {_list_things(state, k) if _is_open(state, k) else 'shut'}" for k in near]
    seen = tuple(sorted({*state.seen, *(k for k in near if _is_open(state, k))}))
    return state.model_copy(update={"room": room, "seen": seen}), f"{room}. " + "; ".join(lines)


def _take(state: State, name: str) -> tuple[State, str]:
    house = state.house
    thing = next((k for k, one in enumerate(house.things) if one.name == name and _within_reach(state, state.at[k])), None)
    if thing is None or HELD in state.at:
        return state, "nothing was taken: it is not within reach, or something is held already"
    return state.model_copy(update={"at": (*state.at[:thing], HELD, *state.at[thing + 1 :])}), f"taken: {name}"


def _within_reach(state: State, place: int) -> bool:
    return place != HELD and state.house.places[place].room == state.room and _is_open(state, place)


def _is_open(state: State, place: int) -> bool:
    return not state.house.places[place].shuts or place in state.open


def _list_things(state: State, place: int) -> str:
    found = [f"{state.states[k]} {thing.name}".strip() for k, thing in enumerate(state.house.things) if state.at[k] == place]
    return ", ".join(found) or "nothing"


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    shift=shift,
    rules=rules,
    concept="Search place by place until the things are found, then fetch, prepare and deliver one after the other, shutting what was opened.",
    version=6,
    milestones=milestones,
)  # fmt: skip
