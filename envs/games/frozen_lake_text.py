"""Cross a frozen lake to the goal: one slides over ice, some moves are turned, and thin ice breaks behind one."""

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.simulations.boards import cell_name, sample
from rlgym.generators.simulations.ice import GOAL, HOLE, ROCK, WAYS, Here, Lake, lake, lost, shortest_path, slide
from rlgym.generators.simulations.search import going_on

MOST_MOVES = 6  # in one turn


class Knobs(Config):
    size: int = knob(7, easy=5, hard=9, beyond=13, doc="rows and columns")
    moves: int = knob(6, easy=3, hard=11, beyond=22, doc="moves to the goal at least, where such a lake is soon found")
    spare: int = knob(2, easy=4, hard=0, doc="moves beyond the fewest")
    rules: str = knob(
        "turned", easy="slide", hard="thin", order=("slide", "turned", "thin"), doc="sliding alone, turned moves, or also thin ice"
    )


class State(TaskData):
    lake: Lake
    fewest: int
    most: int
    here: Here
    done: tuple[str, ...] = ()
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    every = 0 if knobs.rules == "slide" else rng.integer(3, 5)
    drawn_lake, fewest = lake(rng, knobs.size, every, knobs.rules == "thin", knobs.moves)
    return State(lake=drawn_lake, fewest=fewest, most=fewest + knobs.spare, here=Here(drawn_lake.first))


def show(state: State) -> str:
    if state.told:
        return f"{state.told}\n{state.most - len(state.done)} moves are left.\n{_map(state)}"
    state_lake, every = state.lake, state.lake.every
    turned = (
        f" On each move whose number in the whole game is a multiple of {every}, the wind turns you: you go to the right of the direction you name (east for "
        "north, south for east, west for south, north for west)."
        if every
        else ""
    )
    thin = " % is thin ice: you stop on it as on snow, but once you leave it, it is a hole." if "%" in state_lake.signs else ""
    return (
        f"Cross this frozen lake from @ to G:\n{_map(state)}\n\nColumns have letters, rows have numbers, and north is up. . is snow, ~ is ice, # a rock, "
        f"O a hole.{thin} A move takes you one cell north, east, south or west; if that cell is ice you slide on in the same direction, until you come to "
        "a cell that is not ice, where you stop, or are stopped by a rock or the edge of the map. You do not stop on ice otherwise. A move straight "
        f"against a rock or the edge leaves you where you are but counts.{turned} You lose if you enter a hole. You win by reaching G; you "
        f"never slide past it. Name 1 to {MOST_MOVES} "
        f"moves in each turn; they are made in order. In all you have {state.most} moves; a word that is not a direction counts as a "
        f"move that leaves you where you are{', without wind' if every else ''}."
    )


def act(state: State, moves: tuple[str, ...]) -> State:
    position, done, feedback = state.here, list(state.done), []
    for move in moves[: min(MOST_MOVES, state.most - len(done))]:
        done.append(move if move in WAYS else "none")
        if move in WAYS:
            position = slide(state.lake, position, move)
        elif state.lake.every:
            position = position._replace(moves=(position.moves + 1) % state.lake.every)
        feedback.append(f"{done[-1]}: you are on {cell_name(position.cell, state.lake.width)}.")
        if lost(state.lake, position) or state.lake.signs[position.cell] == GOAL:
            break
    return state.model_copy(update={"here": position, "done": tuple(done), "told": " ".join(feedback)})


def outcome(state: State) -> Score | None:
    if lost(state.lake, state.here):
        return Score.wrong("you fell into a hole")
    if state.lake.signs[state.here.cell] == GOAL:
        return Score.exact(True)
    return Score.wrong("all moves are used up") if len(state.done) >= state.most else None


def best(state: State) -> tuple[str, ...]:
    planned = shortest_path(state.lake, Here(state.lake.first)) or ()
    return tuple(going_on(planned, state.done, lambda: shortest_path(state.lake, state.here)))[:MOST_MOVES] or ("none",)


def mistakes(state: State) -> list[tuple[str, ...]]:
    # One direction for ever, words that are none, and the moves that lead into a hole.
    hole = next((direction for direction in WAYS if lost(state.lake, slide(state.lake, state.here, direction))), "none")
    return [*((direction,) * MOST_MOVES for direction in WAYS), ("goal",), (hole,)]


def cost(state: State) -> float:
    return state.fewest * state.lake.width**2 * (1 + (state.lake.every > 0) + ("%" in state.lake.signs))


def turns(state: State) -> int:
    return state.most


def explain(state: State) -> list[str]:
    position, steps = state.here, []
    for move in best(state):
        position = slide(state.lake, position, move) if move in WAYS else position
        steps.append(f"{move} leads to {cell_name(position.cell, state.lake.width)}.")
    return [*steps, " ".join(best(state))]


def picture(state: State) -> str:
    rows, width = _signs(state), state.lake.width
    return pictures.board(
        [rows[k : k + width] for k in range(0, len(rows), width)], shaded=[k for k, sign in enumerate(rows) if sign in ROCK + HOLE]
    )


def _map(state: State) -> str:
    return sample(_signs(state), state.lake.width)


def _signs(state: State) -> list[str]:
    return ["@" if cell == state.here.cell else HOLE if cell in state.here.broken else sign for cell, sign in enumerate(state.lake.signs)]


environment = Game(
    Knobs, Words(f"1 to {MOST_MOVES} moves, each north, east, south or west, separated by spaces", max_items=MOST_MOVES, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain,
    picture=picture,
    concept="Only cells where a move can stop matter: search over those, with the count of moves and the broken ice as part of where one is.",
    version=4,
)  # fmt: skip
