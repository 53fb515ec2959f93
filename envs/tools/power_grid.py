"""Run power plants hour by hour so that supply meets demand, no line is overloaded, and no plant changes its output too fast.

Judged by the hours that went by: the first that goes wrong ends the work, and the next hours must be thought of in time.
"""

from collections.abc import Callable, Mapping

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.simulations.grid import UNIT, Grid, grid, schedule, trouble

TOWNS = ("Berga", "Colmo", "Dunwick", "Elster", "Fenmoor")


class Lines(Tool):
    """Lists the lines between nodes and the most that each can carry, in either direction."""


class Forecast(Tool):
    """Says what the towns will need in an hour, the first being 1; the forecast is right."""

    hour: int = Field(ge=1, le=100)


class SetOutput(Tool):
    """Sets a plant's output for the coming hour, in MW."""

    plant: str = Field(max_length=20)
    output: int = Field(ge=0, le=100000)


class NextHour(Tool):
    """Lets the coming hour go by with the outputs as they are set."""


TOOLS = ToolCalls((Lines, Forecast, SetOutput, NextHour))


class Knobs(Config):
    hours: int = knob(5, easy=3, hard=7, beyond=9, doc="hours to go through")
    plants: int = knob(3, easy=2, hard=4, beyond=5, doc="plants")
    nodes: int = knob(5, easy=3, hard=7, beyond=8, doc="nodes of the grid")
    slack: int = knob(2, easy=4, hard=0, doc="units by which lines may be wider than they must be")


class State(TaskData):
    grid: Grid
    hour: int = 0
    last: tuple[int, ...]  # outputs of the hour before
    now: tuple[int, ...]
    looked: tuple[int, ...] = ()  # hours, -1 for the lines
    failed: str = ""
    guessed: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _sample_grid(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """All lines meet in one node, so that each carries what its own end has too much or too little."""
    return _sample_grid(rng, knobs, True)


def _sample_grid(rng: Rng, knobs: Knobs, star: bool) -> State:
    towns = rng.sample(TOWNS, min(knobs.nodes - 1, 4))
    network = grid(rng, towns, knobs.plants, knobs.nodes, knobs.hours, knobs.slack, star)
    first = tuple(plant.first for plant in network.plants)
    return State(grid=network, last=first, now=first)


def show(state: State) -> str:
    if state.told:
        return state.told
    grid = state.grid
    plants = "\n".join(
        f"- {plant.name} at n{plant.at + 1}: at most {plant.most} MW, changes by at most {plant.ramp} MW, in the hour before the first {plant.first} MW"
        for plant in grid.plants
    )
    return (
        f"You run the plants of a power grid for {len(grid.demands)} hours:\n{plants}\n\nThe nodes of the grid are n1 to n{grid.nodes}, "
        f"and its lines form a tree. The towns: {', '.join(f'{name} at n{node + 1}' for name, node in grid.towns)}.\n\nIn every hour the "
        "outputs of all plants together must be exactly what the towns need together. Then the power that a line carries is the surplus of the side "
        "with more supply than demand, and no line may carry more than its limit. From one hour to the next, the hour before the first included, a "
        "plant's output may change by at most its largest change; a larger change is refused. If an hour goes wrong there is a blackout and the work is "
        f"lost. All numbers in the grid are multiples of {UNIT} MW.\n\n{TOOLS.manual()}\n\nGet through all hours. An hour that passes "
        "before the lines and its forecast were read in an earlier turn is a guess, and loses the work."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.looked)
    return run_turn(
        state,
        calls,
        lambda now, call: _step(now, call, known),
        lambda now: bool(now.failed) or now.guessed or now.hour == len(now.grid.demands),
    )


def outcome(state: State) -> Score | None:
    if state.guessed:
        return Score.wrong(f"hour {state.hour + 1} went by before its forecast and the lines had been looked up")
    if state.failed:
        return Score.wrong(f"blackout in hour {state.hour + 1}: {state.failed}")
    return Score.exact(True) if state.hour == len(state.grid.demands) else None


def milestones(state: State) -> dict[str, float]:
    return {"hours_supplied": 0.0 if state.guessed or state.failed else state.hour / len(state.grid.demands)}


def best(state: State) -> Calls:
    look_ups: list[tuple[int, Tool]] = [(-1, Lines())]
    look_ups += [(hour, Forecast(hour=hour)) for hour in range(1, len(state.grid.demands) + 1)]
    if missing := [call for number, call in look_ups if number not in state.looked]:
        return tuple(missing[: TOOLS.max_calls])
    plan = _plan(state)
    if not plan:
        return (NextHour(),)
    settings = [
        SetOutput(plant=plant.name, output=output)
        for plant, output, now in zip(state.grid.plants, plan[0], state.now, strict=True)
        if output != now
    ]
    return (*settings, NextHour())


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {"read_first": _unread, "line_limits": _overloads}


def _unread(state: State) -> Calls:
    return best(state.model_copy(update={"looked": (-1, *range(1, len(state.grid.demands) + 1))}))


def _overloads(state: State) -> Calls:
    lines = tuple(line._replace(limit=10**6) for line in state.grid.lines)
    return best(state.model_copy(update={"grid": state.grid._replace(lines=lines)}))


def mistakes(state: State) -> list[Calls]:
    # Lets the hours go by; sets all to nothing; is one unit short; looks on for ever.
    calls = best(state)
    if not isinstance(calls[-1], NextHour):
        return [(NextHour(),), calls, calls, (Lines(),)]
    nothing = tuple(
        SetOutput(plant=plant.name, output=max(0, last - plant.ramp)) for plant, last in zip(state.grid.plants, state.last, strict=True)
    )
    plant, last = state.grid.plants[0], state.last[0]
    near = last + UNIT if last < plant.most else last - UNIT
    short = SetOutput(plant=plant.name, output=near if (SetOutput(plant=plant.name, output=near)) not in calls else last)
    low = (*nothing, NextHour()) if sum(call.output for call in nothing) != sum(state.grid.demands[state.hour]) else (NextHour(),)
    return [(NextHour(),), low if low != calls else (NextHour(),), (*calls[:-1], short, NextHour()), (Lines(),)]


def cost(state: State) -> float:
    grid = state.grid
    return len(grid.demands) * len(grid.plants) ** 2 * len(grid.lines)


def turns(state: State) -> int:
    grid = state.grid
    return min(60, 2 * len(grid.demands) + 4 + len(grid.demands) * len(grid.plants))


def explain(state: State) -> list[str]:
    calls = best(state)
    if not isinstance(calls[-1], NextHour):
        return ["Later hours decide what the first ones may be, so everything is looked up first.", TOOLS.render(calls)]
    plan = _plan(state)
    rows = [f"Hour {state.hour + k}: {', '.join(f'{output} MW' for output in row)}." for k, row in enumerate(plan, 1)]
    return [*rows, TOOLS.render(calls)]


def _plan(state: State) -> tuple[tuple[int, ...], ...]:
    """Outputs for the hours that are left: the first plan's, as long as it was followed."""
    first = tuple(plant.first for plant in state.grid.plants)
    planned = schedule(state.grid, 0, first) or ()
    if state.last == (first, *planned)[state.hour]:
        return planned[state.hour :]
    return schedule(state.grid, state.hour, state.last) or ()


def _step(state: State, call: Tool, known: frozenset[int]) -> tuple[State, str]:
    grid = state.grid
    match call:
        case Lines():
            rows = [f"n{line.node + 1}-n{line.above + 1}: at most {line.limit} MW" for line in grid.lines]
            return state.model_copy(update={"looked": (*state.looked, -1)}), "\n".join(rows)
        case Forecast(hour=hour):
            if hour > len(grid.demands):
                return state, "there is no forecast so far ahead"
            shown = ", ".join(f"{name} {need} MW" for (name, _), need in zip(grid.towns, grid.demands[hour - 1], strict=True))
            return state.model_copy(update={"looked": (*state.looked, hour)}), f"hour {hour}: {shown}"
        case SetOutput(plant=name, output=output):
            k = next((k for k, plant in enumerate(grid.plants) if plant.name == name), None)
            if k is None or output > grid.plants[k].most or abs(output - state.last[k]) > grid.plants[k].ramp:
                return state, "refused: there is no such plant, or it cannot give so much, or not so soon"
            return state.model_copy(update={"now": (*state.now[:k], output, *state.now[k + 1 :])}), f"{name} is set to {output} MW"
    if not {-1, state.hour + 1} <= known:
        return state.model_copy(update={"guessed": True}), ""
    if failed := trouble(grid, state.hour, state.now):
        return state.model_copy(update={"failed": failed}), ""
    return state.model_copy(update={"hour": state.hour + 1, "last": state.now}), f"hour {state.hour + 1} went well"


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    shift=shift, version=3, rules=rules,
    concept="List the outputs that balance an hour and overload no line, and chain the hours so that each is within reach of the one before.",
    milestones=milestones,
)  # fmt: skip
