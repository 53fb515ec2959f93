"""Fold a net into a cube, hold it as described, rotate it, and say where the faces are."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.geometry import cube_nets
from rlgym.generators.geometry.cube_nets import SIDES, STEPS, Cell
from rlgym.solutions import Derivation, Solution, Step, any_order

LETTERS = "ABCDEF"
FOLD = Step("With {first} in front as drawn, {letter} comes to the {side}")
HELD = Step("Held as described: {faces}")
TURN = Step("After turn {number}: {faces}")
END = "At the end: {answer}"


class Knobs(Config):
    turns: int = knob(4, easy=0, hard=30, doc="turns of the cube")
    presentation: str = knob(
        "drawn", easy="drawn", hard="told", order=("drawn", "told"), doc="whether the net is drawn or described in words"
    )


class Data(TaskData):
    cells: tuple[Cell, ...]
    letters: str
    front: str
    top: str
    turns: tuple[str, ...]
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Nets with four cells in a line."""
    return _sample_task(rng, knobs, row_of_four=True)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Nets without four cells in a line."""
    return _sample_task(rng, knobs, row_of_four=False)


def _sample_task(rng: Rng, knobs: Knobs, row_of_four: bool) -> Task[Data]:
    cells = rng.choice(cube_nets.nets(row_of_four))
    letters = "".join(rng.shuffled(LETTERS))
    cube = {side: letters[cells.index(cell)] for cell, side in cube_nets.fold(cells).items()}
    front, top = rng.choice([(cube[a], cube[b]) for a in SIDES for b in SIDES if a != b and SIDES.index(a) + SIDES.index(b) != 5])
    turns = tuple(rng.choice(tuple(cube_nets.TURNS)) for _ in range(knobs.turns))
    data = Data(cells=cells, letters=letters, front=front, top=top, turns=turns, right=())
    end = _stages(data)[-1]
    return Task(
        _description(rng, data, knobs.presentation == "told"), data.model_copy(update={"right": tuple(end[side] for side in SIDES[2:])})
    )


def _stages(data: Data) -> list[dict[str, str]]:
    """The faces by their sides, first as the cube is held, then after each turn."""
    cube = {side: data.letters[data.cells.index(cell)] for cell, side in cube_nets.fold(data.cells).items()}
    stages = [cube_nets.reorient(cube, data.front, data.top)]
    for turn in data.turns:
        stages.append(cube_nets.turn_cube(stages[-1], turn))
    return stages


def _description(rng: Rng, data: Data, words: bool) -> str:
    spots = dict(zip(data.cells, data.letters))
    rows = [
        [spots.get((r, c), ".") for c in range(max(cell[1] for cell in data.cells) + 1)]
        for r in range(max(cell[0] for cell in data.cells) + 1)
    ]
    net = "of six squares, each with a letter on it (a dot is not a square):\n" + "\n".join(" ".join(row) for row in rows)
    if words:
        joints = [
            f"{spots[(r + dr, c + dc)]} is {direction if direction in ('above', 'below') else f'to the {direction} of'} {letter}"
            for (r, c), letter in spots.items()
            for direction, (dr, dc) in STEPS.items()
            if (r + dr, c + dc) in spots and rng.chance(0.5) == (direction in ("right", "below"))
        ]
        joints = _enough(data, joints)
        relations = ", ".join(rng.shuffled(joints))
        net = (
            f"of six squares, each with a letter on it. Squares that are said to lie beside each other have a side in common: {relations}."
        )
    turns = "".join(f"\n{k}. {turn}" for k, turn in enumerate(data.turns, 1))
    first = f" Then it is turned:{turns}\n" if turns else " "
    return (
        f"A sheet of paper, seen with its lettered side facing you, has the shape {net}\nIt is folded into a cube so that the letters are on the outside. "
        f"The cube is held with the face {data.front} in front, towards you, and the face {data.top} on top.{first}Which faces are then on the right, "
        "on the left, at the bottom and at the back, seen by you?"
    )


def _enough(data: Data, joints: Sequence[str]) -> list[str]:
    """One sentence for each two squares with a side in common: those given, and the missing ones."""
    spots = dict(zip(data.cells, data.letters))
    stated = {frozenset((words[0], words[-1])): words for words in joints}
    for (r, c), letter in spots.items():
        for direction, words in (("right", "to the right of"), ("below", "below")):
            other = spots.get((r + STEPS[direction][0], c + STEPS[direction][1]))
            if other:
                stated.setdefault(frozenset((other, letter)), f"{other} is {words} {letter}")
    return list(stated.values())


def solve(task: Task[Data]) -> tuple[str, ...]:
    """A cube rolled over the net takes the letters up; so the paper's letters are inside, and the mirror image is the answer."""
    data = task.data
    spots = dict(zip(data.cells, data.letters))
    start = ("bottom", "top", "right", "left", "front", "back")  # what lies below, above, east, west, south, north
    faces: dict[str, str] = {}
    waiting = [(data.cells[0], start)]
    for (r, c), (low, high, east, west, south, north) in waiting:
        faces[low] = spots[(r, c)]
        rolls = {
            (r, c + 1): (east, west, high, low, south, north),
            (r, c - 1): (west, east, low, high, south, north),
            (r + 1, c): (south, north, east, west, high, low),
            (r - 1, c): (north, south, east, west, low, high),
        }
        waiting += [
            (cell, roll)
            for cell, roll in rolls.items()
            if cell in spots and spots[cell] not in faces.values() and cell not in dict(waiting)
        ]
    faces["left"], faces["right"] = faces["right"], faces["left"]
    cube = cube_nets.reorient(faces, data.front, data.top)
    for turn in data.turns:
        cube = cube_nets.turn_cube(cube, turn)
    return tuple(cube[side] for side in SIDES[2:])


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(tuple(word.upper() for word in answer) == task.data.right, "some face is on another side")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    a, b, c, d = right
    return [(b, a, c, d), (a, b, d, c), (c, d, a, b), tuple(LETTERS[:4]) if right != tuple(LETTERS[:4]) else (d, c, b, a), (a, b, c)]


def cost(task: Task[Data]) -> float:
    return 6.0 + len(task.data.turns) + 3 * ("said to lie" in task.prompt)


def derive(task: Task[Data]) -> Derivation:
    data, letters = task.data, task.data.letters
    sides = list(cube_nets.fold(data.cells).items())[1:]
    yield from any_order(FOLD(first=letters[0], letter=letters[data.cells.index(cell)], side=side) for cell, side in sides)
    for number, stage in enumerate(_stages(data)):
        yield TURN(number=number, faces=_faces(stage)) if number else HELD(faces=_faces(stage))


def _faces(stage: dict[str, str]) -> str:
    return ", ".join(f"{stage[side]} {side}" for side in SIDES)


def picture(task: Task[Data]) -> str:
    spots = dict(zip(task.data.cells, task.data.letters))
    rows, columns = (max(cell[axis] for cell in task.data.cells) + 1 for axis in (0, 1))
    cells = [[spots.get((r, c), "") for c in range(columns)] for r in range(rows)]
    note = f"{task.data.front} front, {task.data.top} top, {len(task.data.turns)} turns"
    return pictures.board(
        cells, shaded=[k for k in range(rows * columns) if not cells[k // columns][k % columns]], right=[note, *[""] * (rows - 1)]
    )


environment = Environment(
    Knobs, Words("the four letters in that order, separated by spaces", max_items=10), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, whole=True), shift=shift, picture=picture,
    concept="Fold the squares one by one around a fixed one; two steps in one direction of the net lead to the opposite face.",
    version=4,
)  # fmt: skip
