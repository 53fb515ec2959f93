"""Turn the faces of a cube of two by two by two, shown as a net, until each face has one colour.

Any turns within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.puzzles import move_puzzles, pocket_cube
from rlgym.generators.puzzles.move_puzzles import Moves, Plan

SPARE = {"loose": 4, "near": 2, "tight": 0}
WORK = 10**5
ANSWER = Words("the turns in order, separated by spaces", max_items=100, ignore_case=True)


class Knobs(Config):
    turns: int = knob(5, easy=1, hard=11, beyond=13, doc="the fewest turns that are needed; 9 at most where half turns are allowed")
    kind: str = knob("any", easy="any", hard="quarter", order=("any", "quarter"), doc="whether half turns are allowed too")
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="turns to spare: 4, 2 or none")


class Data(TaskData):
    start: str  # the stickers of the faces U L F R B D, each row by row
    end: str
    quarter: bool
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The cube is to be brought from one mixed position into another."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, mixed: bool) -> Task[Data]:
    quarter = knobs.kind == "quarter"
    names = _names(quarter)
    turn_count = knobs.turns if quarter else min(knobs.turns, 9)
    while True:
        end = "".join(letter * 4 for letter in rng.shuffled("WYROGB"))
        if mixed:
            end = _scramble(rng, end, names, 12)
        start = _scramble(rng, end, names, turn_count)
        plan = pocket_cube.bidirectional_search(start, end, names, WORK)
        if plan and len(plan) == turn_count:
            break
    data = Data(start=start, end=end, quarter=quarter, most=len(plan) + SPARE[knobs.limit], fewest=len(plan))
    aim = f"the net looks like this:\n{_net(end)}" if mixed else "each face has one colour on all four stickers."
    turns = "R1 is a quarter turn clockwise and R3 a quarter turn anticlockwise"
    if not quarter:
        turns = "R1 is a quarter turn clockwise, R2 a half turn and R3 a quarter turn anticlockwise"
    prompt = (
        f"A cube of 2 by 2 by 2 small cubes is unfolded into a net; a letter is the colour of a sticker:\n{_net(start)}\n\nThe "
        "upper two rows are the top face U, the middle rows from left to right the left face L, the front face F, the right face R and the "
        "back face B, and the lower two rows are the bottom face D. The net is folded back along its lines with the stickers outside: U and "
        "D touch F, and B touches L too.\n\nA turn moves one layer, that is one face with its four small cubes. The layers of U, R and F may "
        f"be turned: {turns}, each as seen by someone who looks at that face from outside, and likewise for U and F. Each of them counts as "
        f"one turn. Find at most {data.most} turns after which {aim}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> Plan:
    return pocket_cube.bidirectional_search(task.data.start, task.data.end, _names(task.data.quarter), 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    return move_puzzles.verify_plan(_puzzle(task.data), answer, task.data.most, "the stickers are not as asked")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    return [
        tuple(map(pocket_cube.inverse_turn, right)),
        tuple(map(pocket_cube.inverse_turn, right[::-1])),
        *move_puzzles.near_misses(right),
    ]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return (4 if task.data.quarter else 6) ** (task.data.fewest / 2) * (1 if spare > 3 else 2 if spare else 3)


def picture(task: Task[Data]) -> str:
    nets = [pocket_cube.net(task.data.start)]
    if len(set(task.data.end[:4])) > 1:
        nets.append(pocket_cube.net(task.data.end))
    rows = [list(f"{row:15}"[::2]) for net in nets for row in (*net, "")]
    tints = ["WYROGB".find(cell) for row in rows for cell in row]
    return pictures.board(rows, regions=tints)


def _net(state: str) -> str:
    return "\n".join(pocket_cube.net(state))


def _names(quarter: bool) -> tuple[str, ...]:
    return tuple(name for name in pocket_cube.TURNS if not (quarter and name.endswith("2")))


def _scramble(rng: Rng, state: str, names: Sequence[str], count: int) -> str:
    """The stickers after some random turns, none of which undoes the one before."""
    last = ""
    for _ in range(count):
        name = rng.choice([name for name in names if not last or name[0] != last[0] or (name == last and len(names) == 6)])
        state, last = pocket_cube.apply_turn(state, name), name
    return state


def _puzzle(data: Data) -> Moves[str]:
    def describe(state: str) -> str:
        return ", ".join(f"{face} {letters}" for face, letters in pocket_cube.faces(state))

    return Moves(data.start, pocket_cube.turns(_names(data.quarter)), lambda state: state == data.end, describe)


def solutions(task: Task[Data]) -> Iterator[Plan]:
    data, plan = task.data, solve(task)
    if other := pocket_cube.bidirectional_search(data.start, data.end, _names(data.quarter)[::-1], 10**6):
        yield other
    if len(plan) + 2 <= data.most:
        yield from (("u1", "u3", *plan), (*plan, "f1", "f3"))
    yield plan


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=move_puzzles.solution(_puzzle, solve, ANSWER), shift=shift, picture=picture, answers="many", solutions=solutions,
    guessable="at level 0 one turn is enough, and there are nine of them",
    concept="Only seven corners move, so think of the corners and not of the stickers, and join turns from both ends.",
)  # fmt: skip
