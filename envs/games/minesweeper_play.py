"""Open all cells of a mine field that have no mine; every field is proved to need no guess."""

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.simulations.boards import cell_name, cell_of, sample
from rlgym.generators.simulations.mines import cells_opened, field, numbers, rounds, surely

MOST_CELLS = 20  # opened in one turn


class Knobs(Config):
    width: int = knob(7, easy=6, hard=9, beyond=14, doc="columns")
    height: int = knob(6, easy=5, hard=9, beyond=14, doc="rows")
    mines: int = knob(15, easy=12, hard=18, doc="percent of the cells that are mined")
    reasoning: str = knob(
        "pairs", easy="single", hard="pairs", order=("single", "pairs"), doc="whether clues must be compared with one another"
    )


class State(TaskData):
    width: int
    height: int
    mines: tuple[int, ...]
    open: tuple[int, ...]
    pairs: bool
    blown: str = ""
    moves: int = 0
    most: int
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    width, height = knobs.width, knobs.height
    mines, first = field(rng, width, height, max(2, width * height * knobs.mines // 100), knobs.reasoning == "pairs")
    pairs = not rounds(mines, first, width, height, False)
    return State(
        width=width,
        height=height,
        mines=tuple(sorted(mines)),
        open=tuple(sorted(cells_opened(first, mines, width, height))),
        pairs=pairs,
        most=2 * rounds(mines, first, width, height, True) + 10,
    )


def show(state: State) -> str:
    board = sample(_signs(state), state.width)
    if state.moves:
        return f"{state.told}{board}"
    return (
        f"This is a minefield of {state.width} columns and {state.height} rows. {len(state.mines)} of its cells are mined. Cells are named by column "
        f"letter and row number, a1 is in the top left corner. A # is a closed cell. A number is an open cell: it says how many of its up to eight "
        f"neighbours are mined.\n\n{board}\n\nOpen all cells without a mine; you lose if you open a mined one. In each turn open 1 to {MOST_CELLS} closed "
        f"cells. They are "
        "opened in order; where a cell has the number 0 its neighbours are opened too, and so on. Opening an open cell does nothing. No guess is ever needed."
    )


def act(state: State, names: tuple[str, ...]) -> State:
    cells = [cell_of(name, state.width, state.height) for name in names]
    unknown = next((name for name, cell in zip(names, cells, strict=True) if cell is None), None)
    if unknown is not None:
        return state.model_copy(update={"moves": state.moves + 1, "told": f"Nothing was opened: there is no cell {unknown[:10]!r}.\n"})
    mines, shown, blown = frozenset(state.mines), set(state.open), ""
    for cell in cells:
        assert cell is not None
        if cell in mines:
            blown = cell_name(cell, state.width)
            break
        if cell not in shown:
            shown.update(cells_opened(cell, mines, state.width, state.height))
    return state.model_copy(update={"open": tuple(sorted(shown)), "blown": blown, "moves": state.moves + 1, "told": ""})


def outcome(state: State) -> Score | None:
    if state.blown:
        return Score.wrong(f"the cell {state.blown} is mined")
    return Score.exact(True) if len(state.open) + len(state.mines) == state.width * state.height else None


def milestones(state: State) -> dict[str, float]:
    return {"cells_open": 0.0 if state.blown else len(state.open) / (state.width * state.height - len(state.mines))}


def best(state: State) -> tuple[str, ...]:
    safe, _ = surely(_show(state), state.width, state.height, True)
    return tuple(cell_name(cell, state.width) for cell in sorted(safe)[:MOST_CELLS])


def mistakes(state: State) -> list[tuple[str, ...]]:
    # A mined cell next to open ones; one safe cell for ever; no cell; one of those opened.
    mine, shown = cell_name(state.mines[0], state.width), cell_name(state.open[0], state.width)
    return [(mine,), (*best(state)[: MOST_CELLS - 1], mine), (shown,), ("z9",), ("all",)]


def cost(state: State) -> float:
    return (state.width * state.height - len(state.open)) * (2 if state.pairs else 1) * len(state.mines)


def turns(state: State) -> int:
    return state.most


def explain(state: State) -> list[str]:
    safe, mined = surely(_show(state), state.width, state.height, True)
    mine_names = ", ".join(cell_name(cell, state.width) for cell in sorted(mined)) or "none"
    return [
        f"By the numbers these cells are surely mined: {mine_names}. Cells that are surely free: {len(safe)}.",
        f"Those are opened: {' '.join(best(state))}",
    ]


def picture(state: State) -> str:
    signs = _signs(state)
    rows = [signs[k : k + state.width] for k in range(0, len(signs), state.width)]
    return pictures.board(
        [[sign.replace("#", "") for sign in row] for row in rows], shaded=[k for k, sign in enumerate(signs) if sign == "#"]
    )


def _show(state: State) -> dict[int, int]:
    return numbers(frozenset(state.open), frozenset(state.mines), state.width, state.height)


def _signs(state: State) -> list[str]:
    shown = _show(state)
    return [str(shown[cell]) if cell in shown else "#" for cell in range(state.width * state.height)]


environment = Game(
    Knobs, Words(f"1 to {MOST_CELLS} names of cells, separated by spaces", max_items=MOST_CELLS, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain,
    picture=picture,
    concept="A number equal to its closed neighbours makes all of them mines; one number's cells inside another's settle what is left over.",
    version=5,
    milestones=milestones,
)  # fmt: skip
