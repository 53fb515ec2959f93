"""Have two workers carry things about a house, by orders in a small language, and tell neither of them what they may not hear.

Each worker may enter some rooms and hear some codes; nobody may hear what the things really are. So work must be divided and
handed over, and every message thought about: one word too much to the wrong ear, and all is lost.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Misuse, Tool, ToolCalls
from rlgym.generators.toolbox.house import House, Item, Now, begun, describe, forbidden, house, known, place_of


class Tell(Tool):
    """Tells a worker to do something: one or more commands, separated by semicolons. The worker reports on each."""

    worker: str = Field(max_length=20)
    message: str = Field(max_length=400)


class Finish(Tool):
    """Says that everything lies where it should, and ends the task."""


TOOLS = ToolCalls((Tell, Finish))


class Knobs(Config):
    goals: int = knob(2, easy=1, hard=4, doc="things to be brought somewhere")
    rooms: int = knob(5, easy=3, hard=9, doc="rooms in the house")
    chests: int = knob(4, easy=1, hard=8, doc="locked chests")
    others: int = knob(3, easy=1, hard=7, doc="things that must stay where they are")
    doors: str = knob("apart", easy="open", hard="apart", order=("open", "apart"), doc="whether the workers share one room only, or all")
    places: str = knob("hidden", easy="told", hard="hidden", order=("told", "hidden"), doc="whether the prompt states where the things are")


class State(TaskData):
    house: House
    hidden: bool
    now: Now
    finished: bool = False
    said: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(house(rng, knobs.rooms, knobs.goals, knobs.others, knobs.chests, knobs.doors == "apart"), knobs.places == "hidden")


def shift(rng: Rng, knobs: Knobs) -> State:
    """A house with more chests than rooms, where every way leads through the one room that both may enter."""
    return _state(house(rng, 3, knobs.goals, knobs.others, knobs.chests + 3, True), knobs.places == "hidden")


def show(state: State) -> str:
    if state.said:
        return state.said
    here = state.house
    workers = "\n".join(
        f"- {who.name} may enter and hear of: {', '.join(who.rooms)}; and may hear the codes of {' and '.join(who.colours)} chests."
        for who in here.workers
    )
    things = "\n".join(
        f"- the {item.thing} is labelled {item.label}{'' if state.hidden else f', and is {_where(item)}'}" for item in here.items
    )
    chests = "\n".join(
        f"- {chest.label}, {chest.colour}{'' if state.hidden else f', in the {chest.room}'}: {chest.code}" for chest in here.chests
    )
    goals = "\n".join(f"- the {here.items[item].thing} to the {room}" for item, room in here.goals)
    return (
        f"Have these things brought to other rooms, to lie there openly:\n{goals}\n\nYou cannot go into the house; two workers do what you tell them, "
        f"and start in the {here.rooms[0]}:\n{workers}\n\nWhat the things are:\n{things}\n\nThe codes of the chests:\n{chests}\n\n"
        "The workers understand `go ROOM`, `look`, `open CHEST CODE`, `take LABEL` and `drop`. Each can carry one thing. Any room can be entered from any "
        "other. A message must not hold the name of a room that the worker may not hear of, the code of a chest of a colour that the worker may "
        "not hear, or what any of the things really is: a message that does is a leak, and a leak loses the task. All other things must "
        f"be where they were in the end, those in a chest still inside it.\n{TOOLS.manual()}"
    )


def act(state: State, calls: Calls) -> State:
    said: list[str] = []
    for number, call in enumerate(calls, 1):
        state, result = _run(state, call)
        said.append(f"[{number}] {result}" if len(calls) > 1 else result)
        if state.finished or state.now.leaked:
            break
    return state.model_copy(update={"said": "\n".join(said)})


def outcome(state: State) -> Score | None:
    here, now = state.house, state.now
    if now.leaked:
        return Score.wrong("a worker was told what this worker may not hear")
    if not state.finished:
        return None
    wanted = {k: (item.room, item.chest) for k, item in enumerate(here.items)} | {item: (room, "") for item, room in here.goals}
    wrong = sum(item in now.carried or place_of(here, now, item) != place for item, place in wanted.items())
    return Score.exact(wrong == 0, f"{wrong} things are not where they should be")


def milestones(state: State) -> dict[str, float]:
    here, now = state.house, state.now
    there = sum(item not in now.carried and place_of(here, now, item) == (room, "") for item, room in here.goals)
    return {"things_delivered": 0.0 if now.leaked else there / len(here.goals)}


def best(state: State) -> Calls:
    return _work(state, state.house.goals)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    here = first.house
    apart = {"rooms": partial(_trusting, "rooms")} if any(set(who.rooms) != set(here.rooms) for who in here.workers) else {}
    return {"labels": _naming, "codes": partial(_trusting, "codes"), **apart}


def _naming(state: State) -> Calls:
    """Says what the things really are."""
    said = list(best(state))
    for place, call in enumerate(said):
        for item in state.house.items:
            if isinstance(call, Tell) and item.label in call.message:
                said[place] = Tell(worker=call.worker, message=f"{call.message}; the {item.thing}")
    return tuple(said)


def _trusting(what: str, state: State) -> Calls:
    """Lets both workers hear of all rooms, or of the codes of all chests."""
    here = state.house
    colours = tuple(dict.fromkeys(chest.colour for chest in here.chests))
    workers = tuple(who._replace(rooms=here.rooms) if what == "rooms" else who._replace(colours=colours) for who in here.workers)
    return best(state.model_copy(update={"house": here._replace(workers=workers)}))


def mistakes(state: State) -> list[Calls]:
    # Finishes at once; says what the thing is; gives a code to the wrong worker; brings the first thing elsewhere; leaves the last one out.
    here, said = state.house, best(state)
    item, room = here.goals[0]
    chest = here.chests[0]
    deaf = next(who for who in here.workers if chest.colour not in who.colours)
    elsewhere = next(other for other in here.rooms if other not in (room, here.items[item].room))
    return [
        (Finish(),),
        (Tell(worker=here.workers[0].name, message=f"take {here.items[item].thing}"),),
        (Tell(worker=deaf.name, message=f"open {chest.label} {chest.code}"),),
        _work(state, ((item, elsewhere), *here.goals[1:])),
        _work(state, here.goals[:-1]),
        said[:-1] if len(said) > 1 else (Finish(),),
    ]


def cost(state: State) -> float:
    here = state.house
    return len(here.goals) * 4 + (len(here.rooms) + 2 * len(here.chests) if state.hidden else 0) + len(here.chests) + len(here.items) / 2


def turns(state: State) -> int:
    here = state.house
    return 2 * len(here.goals) + (len(here.rooms) + len(here.chests) if state.hidden else 0) + 2 * len(here.goals) + 8


def explain(state: State) -> list[str]:
    here, now, said = state.house, state.now, best(state)
    unknown = sum(not known(here, now, item) for item, _ in here.goals) if state.hidden else 0
    done = sum(place_of(here, now, item) == (room, "") and item not in now.carried for item, room in here.goals)
    if unknown:
        steps = [
            f"{unknown} of the things have not been found yet, so the rooms are looked into and the chests opened, each by one who may."
        ]
    else:
        steps = [
            f"{done} of {len(here.goals)} things lie where they should; where no one worker may do all, the first room serves to hand over."
        ]
    return [*steps, TOOLS.render(said)]


def _run(state: State, call: Call) -> tuple[State, str]:
    here = state.house
    match call:
        case Finish():
            return state.model_copy(update={"finished": True}), ""
        case Misuse(problem=problem):
            return state, problem
        case Tell(worker=name, message=message):
            who = next((k for k, worker in enumerate(here.workers) if worker.name.lower() == name.strip().lower()), -1)
            if who < 0:
                return state, f"there is no worker {name!r}"
            if any(word in message.lower() for word in forbidden(here, who)):
                return state.model_copy(update={"now": state.now._replace(leaked=True)}), ""
            now, reports = state.now, []
            for command in [part for part in message.replace("\n", ";").split(";") if part.strip()][:20]:
                now, report = describe(here, now, who, command)
                reports.append(report)
            return state.model_copy(update={"now": now}), ". ".join(reports) + "." if reports else f"{name} waits."
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _work(state: State, goals: tuple[tuple[int, str], ...]) -> Calls:
    """The next calls of one who wants these things in these rooms."""
    here, now = state.house, state.now
    if state.hidden and any(not known(here, now, item) for item, _ in goals):
        return _search(here, now)
    for item, room in goals:
        if item not in now.carried and place_of(here, now, item) == (room, ""):
            continue
        if item in now.carried:
            return (_delivery(here, now.carried.index(item), "", room),)
        at, chest = place_of(here, now, item)
        box = next((box for box in here.chests if box.label == chest and chest not in now.opened), None)
        able = [
            k for k, who in enumerate(here.workers) if at in who.rooms and (box is None or box.colour in who.colours) and now.carried[k] < 0
        ]
        who = next((k for k in able if room in here.workers[k].rooms), able[0])
        opening = f"open {box.label} {box.code}; " if box else ""
        return (_delivery(here, who, f"go {at}; {opening}take {here.items[item].label}; ", room),)
    return (Finish(),)


def _search(here: House, now: Now) -> Calls:
    """Orders to look into the rooms, then to open the chests that were seen."""
    calls: list[Call] = []
    for room in here.rooms:
        if room not in now.looked:
            worker = next(who for who in here.workers if room in who.rooms)
            calls.append(Tell(worker=worker.name, message=f"go {room}; look"))
    for box in here.chests if not calls else ():
        if box.label not in now.opened:
            worker = next(who for who in here.workers if box.room in who.rooms and box.colour in who.colours)
            calls.append(Tell(worker=worker.name, message=f"go {box.room}; open {box.label} {box.code}"))
    return tuple(calls)[: TOOLS.max_calls]


def _delivery(here: House, who: int, first: str, room: str) -> Tell:
    worker = here.workers[who]
    target = room if room in worker.rooms else here.rooms[0]
    return Tell(worker=worker.name, message=f"{first}go {target}; drop")


def _where(item: Item) -> str:
    return f"in the chest {item.chest}" if item.chest else f"in the {item.room}"


def _state(here: House, hidden: bool) -> State:
    return State(house=here, hidden=hidden, now=begun(here))


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    rules=rules,
    concept="For each step ask who may do it and who may hear of it; what no one may do from end to end is handed over in the room that both may enter.",
    version=2,
    milestones=milestones,
)  # fmt: skip
