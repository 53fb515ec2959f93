"""Follow lines down a drawing of posts and rungs, as in a ladder lottery, and say where each comes out, perhaps after many times.

In the shifted family there are long rungs too, which pass over a post and join its two neighbours.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

Rung = tuple[int, int]  # the posts that it joins, from 0, the left one first
ROW = Step("Line {row}: {joins}; now post by post from the left: {order}")
CIRCLE = Step(
    "From {start}, time after time, the starts are {circle} and then {first} again; {times} leaves {rest} on division by {length}: {end}"
)
ANSWER = Numbers("the number or numbers in order, separated by commas", max_items=20)
CONCEPT = "Go down line by line and keep which start is on which post; after many times only the place in a circle of starts counts."


class Knobs(Config):
    posts: int = knob(7, easy=5, hard=12, doc="how many posts there are")
    rows: int = knob(16, easy=4, hard=50, doc="lines with rungs")
    queries: int = knob(3, easy=2, hard=6, doc="number of starting points to trace")
    times: int = knob(20, easy=1, hard=900, scale="log", doc="how often a line goes through the drawing, starting from where it came out")


class Data(TaskData):
    posts: int
    rows: tuple[tuple[Rung, ...], ...]
    asked: str
    times: int
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rungs between neighbours only."""
    return _sample_task(rng, knobs, longest=1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rungs that pass over a post too."""
    return _sample_task(rng, knobs, longest=2)


def _sample_task(rng: Rng, knobs: Knobs, longest: int) -> Task[Data]:
    rows = []
    for _ in range(knobs.rows):
        row, free = list[Rung](), rng.integer(0, 1)
        while free < knobs.posts - 1:
            end = min(free + rng.integer(1, longest), knobs.posts - 1)
            if rng.chance(0.6):
                row.append((free, end))
                free = end
            free += 1
        rows.append(tuple(row))
    if longest > 1 and not any(b - a > 1 for row in rows for a, b in row):
        rows[rng.integer(0, len(rows) - 1)] = ((0, 2),)
    queries = "".join(sorted(rng.sample(_starts(knobs.posts), min(knobs.queries, knobs.posts - 1))))
    data = Data(posts=knobs.posts, rows=tuple(rows), asked=queries, times=rng.integer((2 * knobs.times + 2) // 3, knobs.times), right=())
    circles = [_cycle_of(data, start) for start in queries]
    right = tuple(_starts(data.posts).index(circle[data.times % len(circle)]) + 1 for circle in circles)
    return Task(_render_prompt(data), data.model_copy(update={"right": right}))


def _starts(posts: int) -> str:
    return "ABCDEFGHIJKL"[:posts]


def _orders(data: Data) -> list[str]:
    """Which line is on each post, before the first row and after each."""
    orders = [_starts(data.posts)]
    for row in data.rows:
        now = list(orders[-1])
        for a, b in row:
            now[a], now[b] = now[b], now[a]
        orders.append("".join(now))
    return orders


def _cycle_of(data: Data, start: str) -> str:
    """The starts of a line, time after time, until it is back at the first."""
    ends, starts, circle = _orders(data)[-1], _starts(data.posts), start
    while (following := starts[ends.index(circle[-1])]) != start:
        circle += following
    return circle


def _render_prompt(data: Data) -> str:
    drawing = ["   ".join(_starts(data.posts))]
    for row in data.rows:
        line = list("   ".join("|" * data.posts))
        for a, b in row:
            line[4 * a : 4 * b + 1] = ["+", *"-" * (4 * (b - a) - 1), "+"]
            for over in range(a + 1, b):
                line[4 * over] = "|"
        drawing.append("".join(line))
    drawing.append("".join(str(k + 1).ljust(4) for k in range(data.posts)).rstrip())
    over = any(b - a > 1 for row in data.rows for a, b in row)
    passing = " A rung drawn as +---|---+ passes over the post in its middle, which is not joined to it." if over else ""
    restart = last = ""
    if data.times > 1:
        restart = "Whenever a line has come out at a number, it starts once more at the top of the same post: from 1 at A, from 2 at B, and so on. "
        last = (
            f", when they have gone through the whole drawing {data.times} times in all"
            if data.asked[1:]
            else f" after {data.times} times in all"
        )
    question = (
        f"numbers do the lines from {', '.join(data.asked)} come out, in this order"
        if data.asked[1:]
        else f"number does {data.asked} come out"
    )
    return (
        "Lines start at the letters and run down the posts. Wherever a post has the end of a rung, a +, the line on it goes along the rung to the "
        f"post at its other end and from there further down.{passing}\n\n" + "\n".join(drawing) + f"\n\n{restart}At which {question}{last}?"
    )


def solve(task: Task[Data]) -> tuple[int, ...]:
    """One line after the other, by the drawing alone."""
    _, *drawing, _ = task.prompt.partition("\n\n")[2].partition("\n\n")[0].split("\n")
    ends = []
    for start in range(task.data.posts):
        place = 4 * start
        for line in drawing:
            if line[place] == "+":
                step = 1 if line[place + 1 : place + 2] == "-" else -1
                place += step
                while line[place] != "+":
                    place += step
        ends.append(place // 4)
    positions = [_starts(task.data.posts).index(start) for start in task.data.asked]
    for _ in range(task.data.times):
        positions = [ends[place] for place in positions]
    return tuple(place + 1 for place in positions)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    return Score.exact(answer == task.data.right, "a line ends elsewhere")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Straight down, the last row or the first forgotten, and one post too far."""
    data, orders = task.data, _orders(task.data)
    straight = tuple(_starts(data.posts).index(start) + 1 for start in data.asked)
    full_run, late = (tuple(order.index(start) + 1 for start in data.asked) for order in (orders[-1], orders[-2]))
    return [straight, full_run, late, right[::-1], (right[0] % data.posts + 1, *right[1:]), tuple(data.posts + 1 - end for end in right)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.rows) * task.data.posts * len(task.data.asked) + task.data.times)


def derive(task: Task[Data]) -> Derivation:
    data, orders = task.data, _orders(task.data)
    for number, row in enumerate(data.rows, 1):
        yield ROW(row=number, joins=_joins(row), order=" ".join(orders[number]))
    for start in data.asked if data.times > 1 else ():
        yield CIRCLE(start=start, **_cycle_gaps(data, _cycle_of(data, start)))


def _joins(row: Sequence[Rung]) -> str:
    return f"rungs {', '.join(f'{a + 1}-{b + 1}' for a, b in row)}" if row else "no rung"


def _cycle_gaps(data: Data, circle: str) -> dict[str, str]:
    length, rest = str(len(circle)), data.times % len(circle)
    facts = {"circle": " ".join(circle), "first": circle[0], "times": str(data.times), "rest": str(rest), "length": length}
    return facts | {"end": f"it comes out under {circle[rest]}, at {_starts(data.posts).index(circle[rest]) + 1}"}


SOLUTION = Solution(derive, "From the starts asked for to the ends: {answer}")
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, concept=CONCEPT, version=2
)
