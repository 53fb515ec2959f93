"""Turn the faces of a cube of two by two by two, shown as a net, until each face has one colour.

Any turns within the allowed number are accepted. The number is the proved fewest, or the fewest and a few to spare.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import cubes, moves, pictures
from rlgym.generators.moves import Moves, Plan

SPARE = {"loose": 4, "near": 2, "tight": 0}
WORK = 10**5


class Knobs(Config):
    turns: int = knob(5, easy=1, hard=11, doc="the fewest turns that are needed; 9 at most where half turns are allowed")
    kind: str = knob("any", easy="any", hard="quarter", order=("any", "quarter"), doc="whether half turns are allowed too")
    limit: str = knob("near", easy="loose", hard="tight", order=("loose", "near", "tight"), doc="turns to spare: 4, 2 or none")


class Data(TaskData):
    start: str  # the stickers of the faces U L F R B D, each row by row
    end: str
    quarter: bool
    most: int
    fewest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The cube is to be brought from one mixed position into another."""
    return _made(rng, knobs, True)


def _made(rng: Rng, knobs: Knobs, mixed: bool) -> Task[Data]:
    quarter = knobs.kind == "quarter"
    names = _names(quarter)
    wanted = knobs.turns if quarter else min(knobs.turns, 9)
    while True:
        end = "".join(letter * 4 for letter in rng.shuffled("WYROGB"))
        if mixed:
            end = _walked(rng, end, names, 12)
        start = _walked(rng, end, names, wanted)
        plan = cubes.way(start, end, names, WORK)
        if plan and len(plan) == wanted:
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
    return cubes.way(task.data.start, task.data.end, _names(task.data.quarter), 10**6) or ()


def verify(task: Task[Data], answer: Plan) -> Score:
    return moves.judged(_puzzle(task.data), answer, task.data.most, "the stickers are not as asked")


def mistakes(task: Task[Data], right: Plan) -> list[Plan]:
    return [tuple(map(cubes.undone, right)), tuple(map(cubes.undone, right[::-1])), *moves.mistaken(right)]


def cost(task: Task[Data]) -> float:
    spare = task.data.most - task.data.fewest
    return (4 if task.data.quarter else 6) ** (task.data.fewest / 2) * (1 if spare > 3 else 2 if spare else 3)


def explain(task: Task[Data]) -> list[str]:
    plan = solve(task)
    return moves.told(_puzzle(task.data), plan, environment.answer.render(plan))


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    return moves.replayed(_puzzle(task.data), steps, environment.answer.parse, task.data.most)


def picture(task: Task[Data]) -> str:
    nets = [cubes.net(task.data.start)]
    if len(set(task.data.end[:4])) > 1:
        nets.append(cubes.net(task.data.end))
    rows = [list(f"{row:15}"[::2]) for one in nets for row in (*one, "")]
    tints = ["WYROGB".find(cell) for row in rows for cell in row]
    return pictures.board(rows, regions=tints)


def _net(state: str) -> str:
    return "\n".join(cubes.net(state))


def _names(quarter: bool) -> tuple[str, ...]:
    return tuple(name for name in cubes.TURNS if not (quarter and name.endswith("2")))


def _walked(rng: Rng, state: str, names: Sequence[str], count: int) -> str:
    """The stickers after some random turns, none of which undoes the one before."""
    last = ""
    for _ in range(count):
        name = rng.choice([name for name in names if not last or name[0] != last[0] or (name == last and len(names) == 6)])
        state, last = cubes.turned(state, name), name
    return state


def _puzzle(data: Data) -> Moves[str]:
    def said(state: str) -> str:
        return ", ".join(f"{face} {letters}" for face, letters in cubes.faces(state))

    return Moves(data.start, cubes.turns(_names(data.quarter)), lambda state: state == data.end, said)


def _others(task: Task[Data]) -> Iterator[Plan]:
    data, plan = task.data, solve(task)
    if other := cubes.way(data.start, data.end, _names(data.quarter)[::-1], 10**6):
        yield other
    if len(plan) + 2 <= data.most:
        yield from (("u1", "u3", *plan), (*plan, "f1", "f3"))
    yield plan


environment = Environment(
    Knobs,
    Words("the turns in order, separated by spaces", most=100, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    picture,
    answers="many",
    solutions=_others,
    concept="Only seven corners move, so think of the corners and not of the stickers, and join turns from both ends.",
)
