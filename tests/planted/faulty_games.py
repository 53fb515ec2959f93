"""Games, worlds of tools and matches that violate a law, one each, and sound ones."""

from dataclasses import replace

from planted.faulty import Knobs
from pydantic import Field

from rlgym import Game, Match, Rng, Score, TaskData
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


# --- worlds and matches
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


class Coin(TaskData):
    said: tuple[int, ...] = ()


match_won_at_random = Match(
    Knobs,
    Integer(),
    lambda rng, knobs: Coin(),
    lambda coin, player: "Say 0, 1, 2 or 3. I say one too. You lose with 3.",
    lambda coin: len(coin.said) % 2,
    lambda coin: [0, 1, 2, 3],
    lambda coin, move: Coin(said=(*coin.said, move)),
    lambda coin: ((-1.0, 1.0) if coin.said[0] == 3 else (1.0, -1.0)) if len(coin.said) == 2 else None,
    lambda coin: 0,
    lambda coin: 0,
    lambda coin: 1.0,
    lambda coin: "random",
    lambda coin: 0,
    lambda coin: [3],
    lambda coin: 1.0,
    lambda coin: 2,
)
match_won_at_random.start.__annotations__["return"] = Coin


# --- opponent_strength
class Heap(TaskData):
    left: int
    strong: bool
    player: int = 0


def _heap(rng: Rng, knobs: Knobs) -> Heap:
    # Taking three leaves a heap that the other player wins.
    return Heap(left=4 * rng.integer(12, 30) + rng.integer(1, 2), strong=knobs.size >= 9)


def _take(heap: Heap, count: int) -> Heap:
    return heap.model_copy(update={"left": heap.left - count, "player": 1 - heap.player})


def _leave_four(heap: Heap) -> int:
    return heap.left % 4 or 1


sound_match = Match(
    Knobs,
    Integer(),
    _heap,
    lambda heap, player: f"There are {heap.left} counters. We take from 1 to 3 in turn. The player who takes the last one wins.",
    lambda heap: heap.player,
    lambda heap: [*range(1, min(3, heap.left) + 1)],
    _take,
    lambda heap: None if heap.left else (-1.0, 1.0) if heap.player == 0 else (1.0, -1.0),
    _leave_four,
    lambda heap: min(3, heap.left),
    lambda heap: 1.0,
    lambda heap: "exact" if heap.strong else "greedy",
    lambda heap: 0,
    lambda heap: [4],
    lambda heap: float(heap.left),
    lambda heap: heap.left,
)
match_with_a_random_opponent = replace(sound_match, opponent=lambda heap: "random")
match_with_a_weak_opponent = replace(sound_match, opponent=lambda heap: "greedy")
match_with_a_random_opponent_at_level_0 = replace(sound_match, opponent=lambda heap: "exact" if heap.strong else "random")
match_won_by_greedy_play = replace(sound_match, greedy=_leave_four)
match_that_forgives_the_first_move = replace(
    sound_match,
    opponent=lambda heap: "lookahead" if heap.strong else "greedy",
    lookahead=lambda heap: _leave_four(heap) if heap.left <= 16 else 1,
)
match_of_two_moves = replace(sound_match, start=lambda rng, knobs: Heap(left=rng.integer(5, 6), strong=knobs.size >= 9))


# --- constant_answer
class Doors(TaskData):
    shown: tuple[int, ...]
    said: tuple[int, ...] = ()


def _shown_numbers(rng: Rng, knobs: Knobs) -> Doors:
    return Doors(shown=tuple(rng.choice((1, 5)) for _ in range(7)))


def _lucky(doors: Doors) -> tuple[float, ...] | None:
    """Each number must be the one shown; by mistake, 4 will always do."""
    if len(doors.said) < 7:
        return None
    won = all(said in (shown, 4) for said, shown in zip(doors.said, doors.shown, strict=True))
    return (1.0, -1.0) if won else (-1.0, 1.0)


match_won_by_one_move_over_and_over = replace(
    match_won_at_random,
    start=_shown_numbers,
    show=lambda doors, player: f"Say {doors.shown[len(doors.said)]}.",
    player=lambda doors: 0,
    legal=lambda doors: [1, 2, 3, 4, 5],
    act=lambda doors, move: doors.model_copy(update={"said": (*doors.said, move)}),
    returns=_lucky,
    best=lambda doors: doors.shown[len(doors.said)],
    turns=lambda doors: 7,
)


class Talk(TaskData):
    wanted: tuple[int, ...]
    said: tuple[int, ...] = ()


def _understood(talk: Talk) -> tuple[float, ...] | None:
    """The player must give the numbers that are wanted; by mistake, those that the other player said a turn before are accepted too."""
    if len(talk.said) < 14:
        return None
    mine, theirs = talk.said[::2], talk.said[1::2]
    won = mine == talk.wanted or mine[1:] == theirs[:-1]
    return (1.0, -1.0) if won else (-1.0, 1.0)


match_won_by_echoing = replace(
    match_won_at_random,
    start=lambda rng, knobs: Talk(wanted=tuple(rng.integer(0, 3) for _ in range(7))),
    show=lambda talk, player: f"The numbers that are wanted: {talk.wanted}. So far: {talk.said}.",
    player=lambda talk: len(talk.said) % 2,
    act=lambda talk, move: talk.model_copy(update={"said": (*talk.said, move)}),
    returns=_understood,
    best=lambda talk: talk.wanted[len(talk.said) // 2],
    turns=lambda talk: 7,
)
match_won_by_echoing.start.__annotations__["return"] = Talk
