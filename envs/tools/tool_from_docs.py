"""Bring the gauge of an unknown machine to a reading, with levers of which only the handbook says what they do.

The handbook must be read page by page, corrections included, before a lever is touched: a lever pulled on a guess, a gauge
driven past its end and a pull too many all ruin the machine.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.toolbox.levers import Machine, Spot, handbook, machine, pull, shortest


class Read(Tool):
    """Shows a page of the handbook; pages are counted from 1."""

    page: int = Field(ge=1, le=99)


class Pull(Tool):
    """Pulls a lever."""

    lever: str = Field(max_length=30)


class Finish(Tool):
    """Declares that the gauge is where it should be, and ends the task."""


TOOLS = ToolCalls((Read, Pull, Finish))


class Knobs(Config):
    levers: int = knob(5, easy=3, hard=7, beyond=11, doc="levers")
    pulls: int = knob(5, easy=3, hard=7, beyond=11, doc="pulls that the reading takes")
    top: int = knob(120, easy=60, hard=240, beyond=500, doc="the end of the gauge")
    kinds: str = knob(
        "cases",
        easy="plain",
        hard="lamp",
        order=("plain", "cases", "lamp"),
        doc="levers do one thing, or what the reading, a lamp and the last pull say",
    )
    misprints: int = knob(1, easy=0, hard=3, beyond=6, doc="numbers that the handbook corrects elsewhere")


class State(TaskData):
    machine: Machine
    spot: Spot
    read: tuple[int, ...] = ()  # pages
    pulls: int = 0
    guessed: bool = False
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    sampled = machine(rng, knobs.levers, knobs.pulls, knobs.top, knobs.kinds, knobs.misprints)
    return State(machine=sampled, spot=sampled.start)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Twice the levers on a short gauge, so that ways are many and most of them end."""
    sampled = machine(rng, 2 * knobs.levers, max(3, knobs.pulls - 2), max(40, knobs.top // 2), knobs.kinds, knobs.misprints)
    return State(machine=sampled, spot=sampled.start)


def show(state: State) -> str:
    if state.told:
        return state.told
    machine = state.machine
    pages = "\n".join(f"{number}. {title}" for number, (title, _) in enumerate(handbook(machine), 1))
    return (
        f"A machine has the levers {', '.join(lever.name for lever in machine.levers)}, a lamp, which is off, and a gauge from 0 to {machine.top}, which "
        f"stands at {machine.start.gauge}. Bring it to exactly {machine.target} with at most {machine.pulls} pulls, and finish.\n\n"
        f"The handbook says what the levers do. Its pages are:\n{pages}\n{TOOLS.manual()}\n\n"
        "Pull a lever only in a later turn than the one in which its page was read, and the page of corrections too where there is one: what is pulled "
        "before is a guess, and ruins the machine. So does a pull that would take the gauge below 0 or past its end. What a lever does "
        "depends on the state before the pull."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.read)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: bool(outcome(now)))


def outcome(state: State) -> Score | None:
    machine = state.machine
    if state.guessed:
        return Score.wrong("a lever was pulled on a guess, before its page or the corrections had been read")
    if not 0 <= state.spot.gauge <= machine.top:
        return Score.wrong("the gauge was driven past its end")
    if state.pulls > machine.pulls:
        return Score.wrong("there were too many pulls")
    return Score.exact(state.spot.gauge == machine.target, "the gauge stands elsewhere") if state.finished else None


def best(state: State) -> Calls:
    machine = state.machine
    if unread := [number for number in range(1, len(handbook(machine)) + 1) if number not in state.read]:
        return tuple(Read(page=number) for number in unread)[: TOOLS.max_calls]
    way = shortest(machine, state.spot)
    return tuple(Pull(lever=machine.levers[k].name) for k in way)[: TOOLS.max_calls] if way else (Finish(),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    pages = len(handbook(first.machine))
    corrections = {"corrections": partial(_unread, pages - 1)} if pages > len(first.machine.levers) else {}
    return {"read_first": partial(_unread, 0), **corrections}


def _unread(pages: int, state: State) -> Calls:
    """The oracle, but for the pages after the first ones."""
    if pages > len(state.read):
        return tuple(Read(page=number) for number in range(1, pages + 1) if number not in state.read)[: TOOLS.max_calls]
    every = tuple(range(1, len(handbook(state.machine)) + 1))
    return best(state.model_copy(update={"read": every}))


def mistakes(state: State) -> list[Calls]:
    # Finishes at once; pulls unread; one pull short; the same lever again and again; two pulls and done.
    machine, calls = state.machine, best(state)
    reading = isinstance(calls[0], Read)
    one = (Pull(lever=machine.levers[0].name),)
    short = calls if reading or len(calls) == 1 else (*calls[:-1], Finish())
    mad = calls if reading else (Pull(lever=machine.levers[-1].name),) * TOOLS.max_calls
    twice = calls if reading else (*one, *one, Finish()) if _final_gauge(machine, (0, 0)) != machine.target else (*one, Finish())
    return [
        (Finish(),),
        one,
        short if short != calls or reading else (Finish(),),
        mad if reading or not _is_guessable(machine) else (Finish(),),
        twice,
    ]


def cost(state: State) -> float:
    machine = state.machine
    return len(handbook(machine)) + len(machine.levers) * machine.pulls


def turns(state: State) -> int:
    return len(handbook(state.machine)) + state.machine.pulls + 4


def explain(state: State) -> list[str]:
    machine, calls = state.machine, best(state)
    if isinstance(calls[0], Read):
        return ["No lever may be pulled before its page was read.", TOOLS.render(calls)]
    steps, position = [], state.spot
    for k in shortest(machine, state.spot) or ():
        after = pull(machine.levers, position, k)
        steps.append(f"At {position.gauge}, {machine.levers[k].name} leads to {after.gauge}.")
        position = after
    return [*steps, f"The gauge then stands at {position.gauge}.", TOOLS.render(calls)]


def _run(state: State, call: Tool, known: frozenset[int]) -> tuple[State, str]:
    machine = state.machine
    pages = handbook(machine)
    match call:
        case Read(page=page):
            if page > len(pages):
                return state, f"the handbook has {len(pages)} pages"
            return state.model_copy(update={"read": (*state.read, page)}), f"{page}. {': '.join(pages[page - 1])}"
        case Pull(lever=name):
            k = next((k for k, lever in enumerate(machine.levers) if lever.name == name.strip().lower()), None)
            if k is None:
                return state, f"there is no lever {name!r}"
            guessed = not known.issuperset({k + 1, *range(len(machine.levers) + 1, len(pages) + 1)})
            position = pull(machine.levers, state.spot, k)
            after = {"spot": position, "pulls": state.pulls + 1, "guessed": state.guessed or guessed}
            lamp = "on" if position.lamp else "off"
            return state.model_copy(
                update=after
            ), f"the gauge stands at {position.gauge}, the lamp is {lamp}, {machine.pulls - state.pulls - 1} pulls are left"
        case Finish():
            return state.model_copy(update={"finished": True}), ""
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _final_gauge(machine: Machine, ways: tuple[int, ...]) -> int:
    position = machine.start
    for k in ways:
        position = pull(machine.levers, position, k)
    return position.gauge


def _is_guessable(machine: Machine) -> bool:
    """Whether the last lever alone leads to the target."""
    return any(_final_gauge(machine, (len(machine.levers) - 1,) * count) == machine.target for count in range(1, machine.pulls + 1))


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    rules=rules,
    concept="Read every page and its corrections first, then search forwards from the reading for the shortest way, and only then pull.",
    version=2,
)  # fmt: skip
