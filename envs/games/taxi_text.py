"""Drive a taxi through a town and bring every passenger home within a number of actions, minding one-way streets and who may ride when."""

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.simulations.boards import LETTERS, cell_name
from rlgym.generators.simulations.search import going_on
from rlgym.generators.simulations.streets import BACK, RIDING, THERE, WAITING, WAYS, Taxi, Town, options, shift_plan, town
from rlgym.generators.text.names import PEOPLE

MOST_ACTIONS = 10  # in one turn
ACTIONS = (*WAYS, "pickup", "dropoff")


class Knobs(Config):
    size: int = knob(5, easy=4, hard=7, beyond=9, doc="crossings along each side")
    passengers: int = knob(2, easy=1, hard=4, beyond=6, doc="passengers")
    one_way: int = knob(15, easy=0, hard=25, doc="percent of streets that can be driven one way only")
    spare: int = knob(2, easy=3, hard=0, doc="actions beyond the fewest")
    rules: int = knob(2, easy=0, hard=4, beyond=7, doc="rules about who may ride when, where there are so many pairs of passengers")


class State(TaskData):
    town: Town
    first: Taxi
    taxi: Taxi
    most: int
    done: tuple[str, ...] = ()
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _sample_shift_state(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """A town without any way round: there is just one way from each crossing to each other."""
    return _sample_shift_state(rng, knobs, True)


def _sample_shift_state(rng: Rng, knobs: Knobs, tree: bool) -> State:
    drawn_town, taxi = town(rng, rng.sample(PEOPLE, knobs.passengers), knobs.size, 20, knobs.one_way, knobs.rules, tree)
    return State(town=drawn_town, first=taxi, taxi=taxi, most=len(shift_plan(drawn_town, taxi) or ()) + knobs.spare)


def show(state: State) -> str:
    if state.told:
        return f"{state.told}\n{state.most - len(state.done)} actions are left."
    drawn, size = state.town, state.town.size
    people = "\n".join(
        f"- {who.name} waits at {cell_name(who.at, size)} and wants to go to {cell_name(who.to, size)}." for who in drawn.passengers
    )
    names = [who.name for who in drawn.passengers]
    rules = [f"{names[a]} and {names[b]} must not ride at the same time." for a, b in drawn.enemies]
    rules += [f"{names[b]} must not be picked up before {names[a]} has been dropped off." for a, b in drawn.orders]
    seats = [f"At most {drawn.seats} passengers ride at a time."] if len(names) > drawn.seats else []
    streets = _streets(drawn)
    kinds = ["closed"] * (" closed" in streets) + ["one-way"] * (" only" in streets)
    goal = "the passenger to the destination" if len(names) == 1 else "all passengers where they want to go"
    return (
        f"You drive a taxi in a town of {size} by {size} crossings, with columns a to {LETTERS[size - 1]} from west to east and rows 1 to {size} from "
        "north to south. From each crossing a street leads to the next one north, east, south and west, inside the town. Some streets are "
        f"{' or '.join(kinds)}:\n"
        f"{streets}\nYou are at {cell_name(state.taxi.at, size)}. The {'passenger' if len(names) == 1 else 'passengers'}:\n{people}\nThe actions are "
        f"{', '.join(ACTIONS)}. "
        "pickup picks up the passenger who waits at the crossing where you are; dropoff lets out a passenger who wants to go to the crossing where "
        f"you are. {' '.join([*seats, *rules, ''])}An action that is not possible changes nothing but counts. Name 1 to "
        f"{MOST_ACTIONS} actions in each turn; they are done in order. Take {goal} in at most {state.most} actions."
    )


def act(state: State, actions: tuple[str, ...]) -> State:
    taxi, done, events = state.taxi, list(state.done), []
    for action in actions[: min(MOST_ACTIONS, state.most - len(done))]:
        after = options(state.town, taxi).get(action)
        done.append(action if after else "nothing")
        taxi = after or taxi
        events.append(
            f"{action[:12]}: {'not possible' if after is None else f'at {cell_name(taxi.at, state.town.size)}' if action in WAYS else 'done'}."
        )
    return state.model_copy(update={"taxi": taxi, "done": tuple(done), "told": " ".join(events)})


def outcome(state: State) -> Score | None:
    if all(rider == THERE for rider in state.taxi.riders):
        return Score.exact(True)
    return Score.wrong("all actions are used up") if len(state.done) >= state.most else None


def milestones(state: State) -> dict[str, float]:
    riders = state.taxi.riders
    return {"picked_up": sum(rider != WAITING for rider in riders) / len(riders), "brought": riders.count(THERE) / len(riders)}


def best(state: State) -> tuple[str, ...]:
    planned = shift_plan(state.town, state.first) or ()
    return tuple(going_on(planned, state.done, lambda: shift_plan(state.town, state.taxi)))[:MOST_ACTIONS]


def mistakes(state: State) -> list[tuple[str, ...]]:
    # Dropping nobody, round the block, and back and forth.
    first = best(state)[0]
    return [
        ("dropoff",),
        WAYS,
        ("home",),
        (first, BACK.get(first, "pickup")) if first in BACK else (first, "south", "north", "south", "north"),
    ]


def cost(state: State) -> float:
    drawn = state.town
    return state.most * (1 + len(drawn.passengers)) * (1 + len(drawn.enemies) + len(drawn.orders))


def turns(state: State) -> int:
    return state.most


def explain(state: State) -> list[str]:
    taxi, steps = state.taxi, []
    for action in best(state):
        taxi = options(state.town, taxi).get(action, taxi)
        steps.append(
            f"{action}: at {cell_name(taxi.at, state.town.size)}, with {taxi.riders.count(RIDING)} riding and {taxi.riders.count(WAITING)} waiting."
        )
    return [*steps, " ".join(best(state))]


def picture(state: State) -> str:
    size, signs = state.town.size, {state.taxi.at: "taxi"}
    for who, rider in zip(state.town.passengers, state.taxi.riders, strict=True):
        signs |= {who.at: who.name} if rider == WAITING else {who.to: who.name.lower()} if rider == RIDING else {}
    return pictures.board([[signs.get(r * size + c, "") for c in range(size)] for r in range(size)])


def _streets(drawn: Town) -> str:
    lines = []
    for cell in range(drawn.size**2):
        for direction, there in (("east", cell + 1), ("south", cell + drawn.size)):
            ends = cell_name(cell, drawn.size), cell_name(there, drawn.size) if there < drawn.size**2 else ""
            onward, back = (cell, direction) in drawn.closed, (there, BACK[direction]) in drawn.closed
            if onward and back:
                lines.append(f"{ends[0]} - {ends[1]} closed")
            elif onward or back:
                lines.append(f"{ends[onward]} to {ends[not onward]} only")
    return "; ".join(lines) or "none"


environment = Game(
    Knobs, Words(f"1 to {MOST_ACTIONS} of {', '.join(ACTIONS)}, separated by spaces", max_items=MOST_ACTIONS, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain,
    shift=shift, picture=picture,
    concept="Settle in which order the passengers get in and out, then join the stops by shortest drives that heed the one-way streets.",
    version=5,
    milestones=milestones,
)  # fmt: skip
