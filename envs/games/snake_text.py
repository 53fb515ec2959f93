"""Steer a snake that grows with all it eats, until it has eaten enough, without running into rocks, the edge or itself."""

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.simulations.boards import cell_name, sample
from rlgym.generators.simulations.snakes import WAYS, Ground, Snake, food_cell, move, path_to_food

MOST_MOVES = 20  # in one turn


class Knobs(Config):
    width: int = knob(6, easy=5, hard=8, doc="columns")
    height: int = knob(6, easy=4, hard=7, doc="rows")
    rocks: int = knob(2, easy=1, hard=6, doc="rocks")
    food: int = knob(8, easy=3, hard=16, doc="how much must be eaten")


class State(TaskData):
    ground: Ground
    draws: tuple[int, ...]  # the order of cells in which food may lie
    wanted: int
    most: int  # moves
    snake: Snake
    eaten: int = 0
    moves: int = 0
    dead: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _sample_state(rng, knobs, walls=False)


def _sample_state(rng: Rng, knobs: Knobs, walls: bool) -> State:
    cells = range(knobs.width * knobs.height)
    while True:
        first, *rocks = rng.sample(cells, 1 + knobs.rocks)
        if walls:
            row, left = rng.integer(0, knobs.height - 1), rng.integer(0, max(0, knobs.width - knobs.rocks))
            rocks = [row * knobs.width + left + i for i in range(min(knobs.rocks, knobs.width))]
            if first in rocks:
                continue
        ground = Ground(knobs.width, knobs.height, tuple(sorted(rocks)))
        draws = tuple(rng.shuffled([cell for cell in cells if cell not in rocks]))
        state = State(ground=ground, draws=draws, wanted=knobs.food, most=10**6, snake=Snake((first,)))
        limit = knobs.food * (knobs.width + knobs.height)
        while state.eaten < state.wanted and not state.dead and state.moves < limit:
            state = act(state, best(state))
        if state.eaten == state.wanted and state.moves <= limit:
            return State(ground=ground, draws=draws, wanted=knobs.food, most=limit, snake=Snake((first,)))


def shift(rng: Rng, knobs: Knobs) -> State:
    """Rocks that stand in rows, as walls, instead of anywhere."""
    return _sample_state(rng, knobs, walls=True)


def show(state: State) -> str:
    lines = f"{sample(_signs(state), state.ground.width)}\nEaten: {state.eaten} of {state.wanted}."
    if state.moves:
        return f"{state.told}\n{lines} {state.most - state.moves} moves are left."
    return (
        f"Steer a snake on a board with column letters and row numbers; north is up:\n{lines}\n\n@ is its head, o the rest of its body "
        "(initially it is only a head), * food, # a rock. In a move the head goes one cell north, east, south or west, and the body follows: the "
        "last cell of the tail is left, unless the snake eats in this move, when it grows by one instead. It may enter the cell that its tail leaves "
        "in the same move. The game is lost if the head goes off the board, onto a rock or into the body. When food is eaten new food appears. Eat "
        f"{state.wanted} times in at most {state.most} moves. Name 1 to {MOST_MOVES} moves in each turn; they are made in order up to the first that "
        f"eats. A word that is not a direction loses the game."
    )


def act(state: State, moves: tuple[str, ...]) -> State:
    food = food_cell(state.ground, state.snake, state.draws, state.eaten)
    snake, moves_made = state.snake, 0
    for direction in moves[: min(MOST_MOVES, state.most - state.moves)]:
        after = move(state.ground, snake, direction, food) if direction in WAYS else None
        moves_made += 1
        if after is None:
            return state.model_copy(update={"dead": True, "moves": state.moves + moves_made})
        snake = after
        if snake.cells[0] == food:
            break
    ate = snake.cells[0] == food
    summary = f"{moves_made} moves were made{', the last of which ate' if ate else ''}; the body, from the head on: {' '.join(_name(state, snake))}"
    return state.model_copy(update={"snake": snake, "eaten": state.eaten + ate, "moves": state.moves + moves_made, "told": summary})


def outcome(state: State) -> Score | None:
    if state.dead:
        return Score.wrong("the snake ran into something")
    if state.eaten >= state.wanted:
        return Score.exact(True)
    return Score.wrong("all moves are used up") if state.moves >= state.most else None


def milestones(state: State) -> dict[str, float]:
    return {"food_eaten": 0.0 if state.dead else min(state.eaten / state.wanted, 1.0)}


def best(state: State) -> tuple[str, ...]:
    return path_to_food(state.ground, state.snake, food_cell(state.ground, state.snake, state.draws, state.eaten))[:MOST_MOVES]


def mistakes(state: State) -> list[tuple[str, ...]]:
    # Straight on for ever; round and round; no direction; into whatever is next to the head.
    food = food_cell(state.ground, state.snake, state.draws, state.eaten)
    closed = [direction for direction in WAYS if move(state.ground, state.snake, direction, food) is None]
    return [("north",) * MOST_MOVES, WAYS, ("eat",), (closed[0],) if closed else ("west",) * MOST_MOVES]


def cost(state: State) -> float:
    return state.wanted**2 * state.ground.width * state.ground.height


def turns(state: State) -> int:
    return 3 * state.wanted + 12


def explain(state: State) -> list[str]:
    food = food_cell(state.ground, state.snake, state.draws, state.eaten)
    free = state.ground.width * state.ground.height - len(state.ground.rocks) - len(state.snake.cells)
    return [
        f"The food is at {cell_name(food, state.ground.width)} and the head at {cell_name(state.snake.cells[0], state.ground.width)}, with {free} free cells.",
        f"These moves leave a way from the head to the tail: {' '.join(best(state))}",
    ]


def picture(state: State) -> str:
    signs, width = _signs(state), state.ground.width
    return pictures.board(
        [[sign.replace("#", "") for sign in signs[k : k + width]] for k in range(0, len(signs), width)], shaded=state.ground.rocks
    )


def _name(state: State, snake: Snake) -> list[str]:
    return [cell_name(cell, state.ground.width) for cell in snake.cells]


def _signs(state: State) -> list[str]:
    signs = ["." for _ in range(state.ground.width * state.ground.height)]
    for cell in state.ground.rocks:
        signs[cell] = "#"
    if state.eaten < state.wanted:
        signs[food_cell(state.ground, state.snake, state.draws, state.eaten)] = "*"
    for cell in state.snake.cells[::-1]:
        signs[cell] = "@" if cell == state.snake.cells[0] else "o"
    return signs


environment = Game(
    Knobs, Words(f"1 to {MOST_MOVES} moves, each north, east, south or west, separated by spaces", max_items=MOST_MOVES, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain, shift=shift,
    picture=picture,
    concept="Go to the food only by a way after which the head can still reach the tail; where there is none, follow the tail until there is.",
    version=2,
    milestones=milestones,
)  # fmt: skip
