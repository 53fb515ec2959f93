"""Games and worlds of tools that violate a law, one each, and sound ones."""

from dataclasses import replace

from planted.faulty import Knobs
from pydantic import Field

from rlgym import Game, Rng, Score, TaskData
from rlgym.answers import Calls, Choice, Integer, Tool, ToolCalls


# --- games
class State(TaskData):
    hidden: int
    said: tuple[int, ...] = ()


def _start(rng: Rng, knobs: Knobs) -> State:
    return State(hidden=rng.integer(1, knobs.bound))


sound_game = Game(
    Knobs,
    Integer(),
    _start,
    lambda state: f"Say {state.hidden} and then the next number." if not state.said else "Go on.",
    lambda state, answer: state.model_copy(update={"said": (*state.said, answer)}),
    lambda state: None if len(state.said) < 2 else Score.exact(state.said == (state.hidden, state.hidden + 1), "not as asked"),
    lambda state: state.hidden + len(state.said),
    lambda state: [state.hidden, state.hidden - 1],
    lambda state: state.hidden,
    lambda state: 2,
    concept="Do as you are told.",
)
game_with_a_wrong_oracle = replace(sound_game, best=lambda state: state.hidden)
game_that_pays_everybody = replace(sound_game, outcome=lambda state: Score.exact(True) if len(state.said) == 2 else None)
game_that_raises = replace(sound_game, act=lambda state, answer: state.model_copy(update={"said": (*state.said, 10 // answer)}))


_moves: list[int] = []


def _act_in_memory(state: State, answer: int) -> State:
    _moves.append(answer)
    return state.model_copy(update={"said": (*state.said, answer)})


game_that_remembers = replace(
    sound_game,
    act=_act_in_memory,
    show=lambda state: f"Say {state.hidden} and then {state.hidden + 1}." if not state.said else f"{len(_moves)} moves.",
)


# --- worlds
class Put(Tool):
    """Puts a number down."""

    number: int = Field(ge=0, le=10**6)


class Finish(Tool):
    """Ends the work."""


class World(TaskData):
    asked: int
    put: tuple[int, ...] = ()
    finished: bool = False


def _in_world(world: World, calls: Calls) -> World:
    put = tuple(call.number for call in calls if isinstance(call, Put))
    return world.model_copy(update={"put": (*world.put, *put), "finished": world.finished or Finish() in calls})


sound_world = Game(
    Knobs,
    ToolCalls((Put, Finish)),
    lambda rng, knobs: World(asked=rng.integer(2, knobs.bound)),
    lambda world: f"Put down {world.asked}, then half of it, rounded down, nothing else, and finish.",
    _in_world,
    lambda world: Score.exact(world.put == (world.asked, world.asked // 2), "other numbers") if world.finished else None,
    lambda world: (Put(number=world.asked), Put(number=world.asked // 2), Finish()),
    lambda world: [(Put(number=world.asked), Finish())],
    lambda world: world.asked,
    lambda world: 3,
    concept="Do as you are told.",
    no_rules="The goal is all that the task states.",
)
sound_world.start.__annotations__["return"] = World
world_won_by_doing_nothing = replace(sound_world, outcome=lambda world: Score.exact(world.finished) if world.finished else None)
world_won_by_random_calls = replace(sound_world, outcome=lambda world: Score.exact(True) if world.put else None)


def _skip_half(world: World) -> Calls:
    return (Put(number=world.asked), Finish())


def _skip_end(world: World) -> Calls:
    return sound_world.best(world)[:-1]


world_with_rules = replace(sound_world, rules=lambda world: {"half": _skip_half, "end": _skip_end}, no_rules="")
world_that_checks_one_rule = replace(
    world_with_rules, outcome=lambda world: Score.exact(world.asked in world.put, "other numbers") if world.finished else None
)
world_with_an_idle_rule = replace(
    sound_world,
    show=lambda world: f"{sound_world.show(world)} If the number is above {10**6}, put down 7 too.",
    rules=lambda world: {"half": _skip_half, "seven": sound_world.best},
    no_rules="",
)
world_without_rules_or_a_reason = replace(sound_world, no_rules="")
world_with_rules_and_a_reason = replace(world_with_rules, no_rules="The goal is all that the task states.")
world_that_declares_no_rules = replace(sound_world, show=lambda world: f"{sound_world.show(world)}\n\nRules, all of which hold:\n1. No 7.")


class GetNumber(Tool):
    """Shows the number."""


world_won_by_looking_up = replace(
    sound_world,
    answer=ToolCalls((Put, GetNumber, Finish)),
    act=lambda world, calls: world.model_copy(
        update={"put": (*world.put, *(7 for call in calls if call == GetNumber())), "finished": world.finished or Finish() in calls}
    ),
    outcome=lambda world: Score.exact(bool(world.put)) if world.finished else None,
)


class Walk(TaskData):
    doors: tuple[str, ...]
    opened: tuple[str, ...] = ()


def _doors_ahead(rng: Rng, knobs: Knobs) -> Walk:
    return Walk(doors=tuple(rng.choice(("left", "right")) for _ in range(3)))


game_won_by_cycling = Game(
    Knobs,
    Choice(("left", "right")),
    _doors_ahead,
    lambda walk: f"Three doors lie behind one another, left or right. {len(walk.opened)} are open.",
    lambda walk, side: walk.model_copy(update={"opened": (*walk.opened, side)}) if side == walk.doors[len(walk.opened)] else walk,
    lambda walk: Score.exact(True) if len(walk.opened) == 3 else None,
    lambda walk: walk.doors[len(walk.opened)],
    lambda walk: ["left" if walk.doors[len(walk.opened)] == "right" else "right"],
    lambda walk: 3,
    lambda walk: 6,
)


class Plan(TaskData):
    offset: int
    said: tuple[str, ...] = ()


def _sides_open(plan: Plan) -> int:
    """How many of the doors left, left, right, left are open; a wrong side ends the walk."""
    return sum(said == side for said, side in zip(plan.said, ("left", "left", "right", "left"), strict=False))


game_won_by_a_fixed_plan = Game(
    Knobs,
    Choice(("left", "right")),
    lambda rng, knobs: Plan(offset=rng.integer(0, knobs.bound)),
    lambda plan: (
        f"In house {plan.offset}, four doors lie behind one another, left or right. {len(plan.said)} are open. A wrong one is a trap."
    ),
    lambda plan, side: plan.model_copy(update={"said": (*plan.said, side)}),
    lambda plan: None if _sides_open(plan) == len(plan.said) < 4 else Score.exact(_sides_open(plan) == 4, "a trap"),
    lambda plan: ("left", "left", "right", "left")[len(plan.said)],
    lambda plan: [("right", "right", "left", "right")[len(plan.said)]],
    lambda plan: 4,
    lambda plan: 4,
)
