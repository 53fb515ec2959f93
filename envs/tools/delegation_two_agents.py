"""Have two workers carry things about a house, by orders in a small language, and tell neither of them what they may not hear.

Each worker may enter some rooms and hear some codes; nobody may hear what the things really are. So work must be divided and
handed over, and every message thought about: one word too much to the wrong ear, and all is lost.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Misuse, Tool, ToolCalls
from rlgym.generators.toolbox.house import House, Item, Now, begun, describe, forbidden, house, is_known, place_of


class Tell(Tool):
    """Tells a worker to do something: one or more commands, separated by semicolons. The worker reports on each."""

    worker: str = Field(max_length=20)
    message: str = Field(max_length=400)


class Finish(Tool):
    """Says that everything lies where it should, and ends the task."""


TOOLS = ToolCalls((Tell, Finish))


class Knobs(Config):
    goals: int = knob(2, easy=1, hard=4, beyond=7, doc="things to be brought somewhere")
    rooms: int = knob(5, easy=3, hard=9, beyond=12, doc="rooms in the house")
    chests: int = knob(4, easy=1, hard=8, beyond=12, doc="locked chests")
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
    house = state.house
    workers = "\n".join(
        f"- {who.name} may enter and hear of: {', '.join(who.rooms)}; and may hear the codes of {' and '.join(who.colours)} chests."
        for who in house.workers
    )
    things = "\n".join(
        f"- the {item.thing} is labelled {item.label}{'' if state.hidden else f', and is {_place_text(item)}'}" for item in house.items
    )
    chests = "\n".join(
        f"- {chest.label}, {chest.colour}{'' if state.hidden else f', in the {chest.room}'}: {chest.code}" for chest in house.chests
    )
    goals = "\n".join(f"- the {house.items[item].thing} to the {room}" for item, room in house.goals)
    wanted = "Have these things brought to other rooms and left" if "\n" in goals else "Have this thing brought to another room and left"
    return (
        f"{wanted} lying in the open there:\n{goals}\n\nYou cannot go into the house; two workers do what "
        f"you tell them, "
        f"and start in the {house.rooms[0]}:\n{workers}\n\nWhat the things are:\n{things}\n\nThe codes of the chests:\n{chests}\n\n"
        "The workers understand `go ROOM`, `look`, `open CHEST CODE`, `take LABEL` and `drop`. Each can carry one thing. Any room can be entered from any "
        "other. A message must not hold the name of a room that the worker may not hear of, the code of a chest of a colour that the worker may "
        "not hear, or what any of the things really is: a message that does is a leak, and a leak loses the task. In the end, all other "
        f"things must be where they were at the start, those in a chest still inside it.\n{TOOLS.manual()}"
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
    house, now = state.house, state.now
    if now.leaked:
        return Score.wrong("a worker was told what this worker may not hear")
    if not state.finished:
        return None
    places = {k: (item.room, item.chest) for k, item in enumerate(house.items)} | {item: (room, "") for item, room in house.goals}
    wrong = sum(item in now.carried or place_of(house, now, item) != place for item, place in places.items())
    return Score.exact(wrong == 0, f"{wrong} things are not where they should be")


def milestones(state: State) -> dict[str, float]:
    house, now = state.house, state.now
    there = sum(item not in now.carried and place_of(house, now, item) == (room, "") for item, room in house.goals)
    return {"things_delivered": 0.0 if now.leaked else there / len(house.goals)}


def best(state: State) -> Calls:
    return _work(state, state.house.goals)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    house = first.house
    room_rules = {"rooms": partial(_share_secrets, "rooms")} if any(set(who.rooms) != set(house.rooms) for who in house.workers) else {}
    return {"labels": _name_truly, "codes": partial(_share_secrets, "codes"), **room_rules}


def _name_truly(state: State) -> Calls:
    """Says what the things really are."""
    calls = list(best(state))
    for place, call in enumerate(calls):
        for item in state.house.items:
            if isinstance(call, Tell) and item.label in call.message:
                calls[place] = Tell(worker=call.worker, message=f"{call.message}; the {item.thing}")
    return tuple(calls)


def _share_secrets(what: str, state: State) -> Calls:
    """Lets both workers hear of all rooms, or of the codes of all chests."""
    house = state.house
    colours = tuple(dict.fromkeys(chest.colour for chest in house.chests))
    workers = tuple(who._replace(rooms=house.rooms) if what == "rooms" else who._replace(colours=colours) for who in house.workers)
    return best(state.model_copy(update={"house": house._replace(workers=workers)}))


def mistakes(state: State) -> list[Calls]:
    # Finishes at once; says what the thing is; gives a code to the wrong worker; brings the first thing elsewhere; leaves the last one out.
    house, calls = state.house, best(state)
    item, room = house.goals[0]
    chest = house.chests[0]
    deaf = next(who for who in house.workers if chest.colour not in who.colours)
    elsewhere = next(other for other in house.rooms if other not in (room, house.items[item].room))
    return [
        (Finish(),),
        (Tell(worker=house.workers[0].name, message=f"take {house.items[item].thing}"),),
        (Tell(worker=deaf.name, message=f"open {chest.label} {chest.code}"),),
        _work(state, ((item, elsewhere), *house.goals[1:])),
        _work(state, house.goals[:-1]),
        calls[:-1] if len(calls) > 1 else (Finish(),),
    ]


def cost(state: State) -> float:
    house = state.house
    return (
        len(house.goals) * 4 + (len(house.rooms) + 2 * len(house.chests) if state.hidden else 0) + len(house.chests) + len(house.items) / 2
    )


def turns(state: State) -> int:
    house = state.house
    return 2 * len(house.goals) + (len(house.rooms) + len(house.chests) if state.hidden else 0) + 2 * len(house.goals) + 8


def explain(state: State) -> list[str]:
    house, now, calls = state.house, state.now, best(state)
    unknown = sum(not is_known(house, now, item) for item, _ in house.goals) if state.hidden else 0
    done = sum(place_of(house, now, item) == (room, "") and item not in now.carried for item, room in house.goals)
    if unknown:
        steps = [
            f"{unknown} of the things have not been found yet, so the rooms are looked into and the chests opened, each by one who may."
        ]
    else:
        steps = [
            f"Things that lie where they should: {done} of {len(house.goals)}; where no one worker may do all, the first room serves to hand over."
        ]
    return [*steps, TOOLS.render(calls)]


def _run(state: State, call: Call) -> tuple[State, str]:
    house = state.house
    match call:
        case Finish():
            return state.model_copy(update={"finished": True}), ""
        case Misuse(problem=problem):
            return state, problem
        case Tell(worker=name, message=message):
            who = next((k for k, worker in enumerate(house.workers) if worker.name.lower() == name.strip().lower()), -1)
            if who < 0:
                return state, f"there is no worker {name!r}"
            if any(word in message.lower() for word in forbidden(house, who)):
                return state.model_copy(update={"now": state.now._replace(leaked=True)}), ""
            now, reports = state.now, []
            for command in [part for part in message.replace("\n", ";").split(";") if part.strip()][:20]:
                now, report = describe(house, now, who, command)
                reports.append(report)
            return state.model_copy(update={"now": now}), ". ".join(reports) + "." if reports else f"{name} waits."
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _work(state: State, goals: tuple[tuple[int, str], ...]) -> Calls:
    """The next calls of one who wants these things in these rooms."""
    house, now = state.house, state.now
    if state.hidden and any(not is_known(house, now, item) for item, _ in goals):
        return _search(house, now)
    for item, room in goals:
        if item not in now.carried and place_of(house, now, item) == (room, ""):
            continue
        if item in now.carried:
            return (_delivery(house, now.carried.index(item), "", room),)
        at, chest = place_of(house, now, item)
        box = next((box for box in house.chests if box.label == chest and chest not in now.opened), None)
        able = [
            k
            for k, who in enumerate(house.workers)
            if at in who.rooms and (box is None or box.colour in who.colours) and now.carried[k] < 0
        ]
        who = next((k for k in able if room in house.workers[k].rooms), able[0])
        opening = f"open {box.label} {box.code}; " if box else ""
        return (_delivery(house, who, f"go {at}; {opening}take {house.items[item].label}; ", room),)
    return (Finish(),)


def _search(house: House, now: Now) -> Calls:
    """Orders to look into the rooms, then to open the chests that were seen."""
    calls: list[Call] = []
    for room in house.rooms:
        if room not in now.looked:
            worker = next(who for who in house.workers if room in who.rooms)
            calls.append(Tell(worker=worker.name, message=f"go {room}; look"))
    for box in house.chests if not calls else ():
        if box.label not in now.opened:
            worker = next(who for who in house.workers if box.room in who.rooms and box.colour in who.colours)
            calls.append(Tell(worker=worker.name, message=f"go {box.room}; open {box.label} {box.code}"))
    return tuple(calls)[: TOOLS.max_calls]


def _delivery(house: House, who: int, first: str, room: str) -> Tell:
    worker = house.workers[who]
    target = room if room in worker.rooms else house.rooms[0]
    return Tell(worker=worker.name, message=f"{first}go {target}; drop")


def _place_text(item: Item) -> str:
    return f"in the chest {item.chest}" if item.chest else f"in the {item.room}"


def _state(house: House, hidden: bool) -> State:
    return State(house=house, hidden=hidden, now=begun(house))


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    rules=rules,
    concept="For each step ask who may do it and who may hear of it; what no one may do from end to end is handed over in the room that both may enter.",
    version=4,
    milestones=milestones,
)  # fmt: skip
