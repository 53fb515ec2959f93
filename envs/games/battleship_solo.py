"""Sink a hidden fleet with a limited number of shots, as many as a searcher surely needs who never shoots where no ship can be."""

from collections.abc import Sequence

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.simulations.boards import around, cell_name, cell_of, fleet, sample

SALVO = 4  # shots in one turn


class Knobs(Config):
    size: int = knob(8, easy=7, hard=10, doc="rows and columns of the sea")
    ships: int = knob(3, easy=2, hard=5, doc="ships of the fleet")
    longest: int = knob(4, easy=3, hard=5, doc="cells of the longest ship; others may have up to two fewer")
    spare: int = knob(1, easy=2, hard=0, doc="shots beyond those that are surely enough")


class State(TaskData):
    size: int
    rocks: tuple[int, ...]
    ships: tuple[tuple[int, ...], ...]
    most: int  # shots
    shots: tuple[int, ...] = ()
    told: tuple[str, ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    lengths = sorted((max(3, knobs.longest - k % 3) for k in range(knobs.ships)), reverse=True)
    rocks = tuple(sorted(rng.sample(range(knobs.size**2), knobs.size)))
    ships = fleet(rng, knobs.size, lengths, rocks)
    return State(size=knobs.size, rocks=rocks, ships=ships, most=_enough(knobs.size, rocks, ships) + knobs.spare)


def show(state: State) -> str:
    if state.told:
        return f"{' '.join(state.told)} {state.most - len(state.shots)} shots are left.\n{sample(_signs(state), state.size)}"
    size, lengths = state.size, ", ".join(str(len(ship)) for ship in state.ships)
    return (
        f"A fleet is hidden on a grid of {size} by {size} cells. Cells are named by column letter and row number, from {cell_name(0, size)} in the top left "
        f"corner to {cell_name(size * size - 1, size)} in the bottom right corner. The ships are straight lines of cells along a row or a column, of these "
        f"lengths: {lengths}. No two ships touch, not even at corners. Sink all of them with at most {state.most} shots. In each turn fire at 1 to {SALVO} "
        "cells; the shots are fired in order, and then I say for each whether it was a miss or a hit, and whether the hit sank a ship, that is, hit the "
        "last of its cells. A shot at a cell already fired at, at a rock, or outside the grid is wasted but counts. The cells with ^ are "
        f"rocks, where no part of a ship is:\n{sample(_signs(state), size)}"
    )


def act(state: State, names: tuple[str, ...]) -> State:
    reports, shots = [], list(state.shots)
    for name in names[: min(SALVO, state.most - len(shots))]:
        cell = cell_of(name, state.size, state.size)
        ship = next((ship for ship in state.ships if cell in ship), ())
        new = cell is not None and cell not in shots and cell not in state.rocks
        shots.append(-1 if cell is None else cell)
        sunk = bool(ship) and new and set(ship) <= set(shots)
        reports.append(f"{name[:6]}: {'wasted' if not new else f'hit, sunk (length {len(ship)})' if sunk else 'hit' if ship else 'miss'}.")
    return state.model_copy(update={"shots": tuple(shots), "told": tuple(reports)})


def outcome(state: State) -> Score | None:
    if all(set(ship) <= set(state.shots) for ship in state.ships):
        return Score.exact(True)
    return Score.wrong("all shots are fired, and a ship is afloat") if len(state.shots) >= state.most else None


def milestones(state: State) -> dict[str, float]:
    parts = {part for ship in state.ships for part in ship}
    return {"parts_hit": len(parts.intersection(state.shots)) / len(parts)}


def best(state: State) -> tuple[str, ...]:
    return (cell_name(_target(state), state.size),)


def mistakes(state: State) -> list[tuple[str, ...]]:
    # One cell for ever; row by row with cells left out; what is not on the sea; the cells around ships.
    cells = [part for ship in state.ships for part in ship]
    water = [cell for cell in range(state.size**2) if cell not in cells]
    return [(cell_name(cells[0], state.size),), (cell_name(water[len(state.shots) % len(water)], state.size),), ("z99",), ("hit", "sunk")]


def cost(state: State) -> float:
    return _enough(state.size, state.rocks, state.ships) * len(state.ships)


def turns(state: State) -> int:
    return state.most


def explain(state: State) -> list[str]:
    afloat, cell = _hits(state), _target(state)
    if afloat:
        return [
            f"A ship was hit at {', '.join(cell_name(part, state.size) for part in afloat)} and is not sunk, so it goes on beside that.",
            cell_name(cell, state.size),
        ]
    step = min(len(ship) for ship in state.ships)
    return [
        f"Every ship has a cell whose row and column add up to a multiple of {step}, and only such cells need be tried.",
        cell_name(cell, state.size),
    ]


def picture(state: State) -> str:
    signs = _signs(state)
    return pictures.board([signs[k : k + state.size] for k in range(0, len(signs), state.size)])


def _enough(size: int, rocks: Sequence[int], ships: Sequence[Sequence[int]]) -> int:
    """Each ship crosses a diagonal of every `shortest`; once hit it is sunk with at most three misses more."""
    diagonals = set(_lattice(size, min(map(len, ships)))) - set(rocks)
    return len(diagonals) + sum(len(ship) + 2 for ship in ships)


def _lattice(size: int, step: int) -> list[int]:
    return [cell for cell in range(size * size) if (cell // size + cell % size) % step == 0]


def _hits(state: State) -> list[int]:
    """The cells of ships that are hit but not sunk, as the replies tell them."""
    shots = set(state.shots)
    return [part for ship in state.ships if not set(ship) <= shots for part in ship if part in shots]


def _target(state: State) -> int:
    size, shots = state.size, set(state.shots)
    sunk = [part for ship in state.ships if set(ship) <= shots for part in ship]
    closed = shots | set(state.rocks) | {other for part in sunk for other in around(part, size, size)}
    if hits := _hits(state):
        first, last = min(hits), max(hits)
        # With two hits the ship's direction is known.
        steps = [1, size] if first == last else [last - first] if last - first < size else [size]
        steps = [1 if step < size else size for step in steps]
        near = [cell for step in steps for cell, edge in ((last + step, last), (first - step, first)) if _next_to(cell, edge, step, size)]
        return next(cell for cell in near if cell not in closed)
    step = min(len(ship) for ship in state.ships)
    return next(cell for cell in _lattice(size, step) if cell not in closed)


def _next_to(cell: int, edge: int, step: int, size: int) -> bool:
    return 0 <= cell < size * size and (step > 1 or cell // size == edge // size)


def _signs(state: State) -> list[str]:
    hit = {part for ship in state.ships for part in ship}
    return [
        "^" if cell in state.rocks else "." if cell not in state.shots else "X" if cell in hit else "o" for cell in range(state.size**2)
    ]


environment = Game(
    Knobs, Words(f"1 to {SALVO} names of cells, separated by spaces", max_items=SALVO, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain,
    picture=picture,
    concept="Search only every k-th diagonal, k being the shortest ship's length, then follow a hit along its line; around a sunk ship there is none.",
    version=3,
    milestones=milestones,
)  # fmt: skip
