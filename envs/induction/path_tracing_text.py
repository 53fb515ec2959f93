"""Follow lines down a drawing of posts and rungs, as in a ladder lottery, and say where each comes out, perhaps after many times.

On the upper levels the ends are given, and the one rung is to be found that must be taken out of the drawing so that the lines end there.
In the shifted family there are long rungs too, which pass over a post and join its two neighbours.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

Rung = tuple[int, int]  # the posts that it joins, from 0, the left one first
ROW = Step("Row {row}: {joins}; now post by post from the left: {order}")
CIRCLE = Step(
    "From {start}, time after time, the starts are {circle} and then {first} again; {times} leaves {rest} on division by {length}: {end}"
)
TAKEN = Step(
    "In row {row} the rung {a}-{b} joins the posts where the lines from {first} and {second} are. Without it these two change places below: {order}"
)
ANSWER = Numbers("the numbers asked for, in order, separated by commas", max_items=20)
CONCEPT = "Go down line by line and keep which start is on which post; after many times only the place in a circle of starts counts."


class Knobs(Config):
    posts: int = knob(8, easy=7, hard=10, doc="how many posts there are")
    rows: int = knob(16, easy=4, hard=36, doc="lines with rungs; half as many where a rung is to be found")
    queries: int = knob(3, easy=2, hard=5, doc="number of starting points to trace")
    times: int = knob(20, easy=1, hard=900, scale="log", doc="how often a line goes through the drawing, starting from where it came out")
    question: str = knob("ends", easy="ends", hard="rung", order=("ends", "rung"), doc="whether to find the ends, or a rung to take out")


class Data(TaskData):
    posts: int
    rows: tuple[tuple[Rung, ...], ...]
    asked: str
    times: int
    goals: tuple[int, ...]
    """The ends that are given where a rung is to be found."""
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rungs between neighbours only."""
    return _sample_task(rng, knobs, longest=1)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rungs that pass over a post too."""
    return _sample_task(rng, knobs, longest=2)


def _sample_task(rng: Rng, knobs: Knobs, longest: int) -> Task[Data]:
    if knobs.question == "rung":
        return _sample_inverse(rng, knobs, longest)
    while True:
        data = _sample_drawing(rng, knobs, knobs.rows, longest)
        right = _ends(data)
        once = _ends(data.model_copy(update={"times": 1}))
        if data.times == 1 or all(a != b for a, b in zip(right, once, strict=True)):
            # Else the number of times would not matter.
            return Task(_render_prompt(data), data.model_copy(update={"right": right}))


def _sample_inverse(rng: Rng, knobs: Knobs, longest: int) -> Task[Data]:
    """A drawing with too many rungs by one: no other rung leads to the same ends."""
    while True:
        data = _sample_drawing(rng, knobs, max(2, knobs.rows // 2), longest)
        ends = {(row + 1, rung[0] + 1): _ends(_without(data, row, rung)) for row, rungs in enumerate(data.rows) for rung in rungs}
        alone = [place for place, goals in ends.items() if list(ends.values()).count(goals) == 1 and goals != _ends(data)]
        if alone:
            right = rng.choice(alone)
            data = data.model_copy(update={"goals": ends[right], "right": right})
            return Task(_render_prompt(data), data)


def _sample_drawing(rng: Rng, knobs: Knobs, row_count: int, longest: int) -> Data:
    rows = []
    for _ in range(row_count):
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
    times = rng.integer((2 * knobs.times + 2) // 3, knobs.times)
    return Data(posts=knobs.posts, rows=tuple(rows), asked=queries, times=times, goals=(), right=())


def _without(data: Data, row: int, rung: Rung) -> Data:
    """The drawing without one rung."""
    shorter = tuple(other for other in data.rows[row] if other != rung)
    return data.model_copy(update={"rows": (*data.rows[:row], shorter, *data.rows[row + 1 :])})


def _ends(data: Data) -> tuple[int, ...]:
    """Where the traced lines come out after all times."""
    final, starts = _orders(data)[-1], _starts(data.posts)
    out = []
    for start in data.asked:
        circle = _cycle_in(final, starts, start)
        out.append(starts.index(circle[data.times % len(circle)]) + 1)
    return tuple(out)


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
    return _cycle_in(_orders(data)[-1], _starts(data.posts), start)


def _cycle_in(ends: str, starts: str, start: str) -> str:
    circle = start
    while (following := starts[ends.index(circle[-1])]) != start:
        circle += following
    return circle


def _render_prompt(data: Data) -> str:
    drawing = ["   ".join(_starts(data.posts))]
    for number, row in enumerate(data.rows, 1):
        line = list("   ".join("|" * data.posts))
        for a, b in row:
            line[4 * a : 4 * b + 1] = ["+", *"-" * (4 * (b - a) - 1), "+"]
            for over in range(a + 1, b):
                line[4 * over] = "|"
        drawing.append("".join(line) + (f"   ({number})" if data.goals else ""))
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
    if data.goals:
        joined = f"lines from {', '.join(data.asked)} come out at the numbers {', '.join(map(str, data.goals))}, in this order"
        question = (
            f"The rows of the drawing are numbered at the right. One rung is to be taken out so that the {joined}{last}. Exactly one rung of the "
            "drawing does this. Give two numbers: the row that this rung is in, and the number of the post at its left end, as "
            "written below the drawing."
        )
        return _introduction(passing) + "\n".join(drawing) + f"\n\n{restart}{question}"
    question = (
        f"numbers do the lines from {', '.join(data.asked)} come out, in this order"
        if data.asked[1:]
        else f"number does {data.asked} come out"
    )
    return _introduction(passing) + "\n".join(drawing) + f"\n\n{restart}At which {question}{last}?"


def _introduction(passing: str) -> str:
    return (
        "Lines start at the letters and run down the posts. Wherever a post has the end of a rung, a +, the line on it goes along the rung to the "
        f"post at its other end and from there further down.{passing}\n\n"
    )


def solve(task: Task[Data]) -> tuple[int, ...]:
    """One line after the other, by the drawing alone; to find a rung, without each rung in turn."""
    data = task.data
    _, *drawing, _ = task.prompt.partition("\n\n")[2].partition("\n\n")[0].split("\n")
    drawing = [line.partition("(")[0] for line in drawing]
    if not data.goals:
        return _follow(data, drawing)
    for row, line in enumerate(drawing):
        left = -1
        for place, sign in enumerate(line):
            if sign != "+":
                continue
            if left < 0:
                left = place
                continue
            shorter = f"{line[:left]}|{' ' * (place - left - 1)}|{line[place + 1 :]}"
            if _follow(data, [*drawing[:row], shorter, *drawing[row + 1 :]]) == data.goals:
                return row + 1, left // 4 + 1
            left = -1
    raise ValueError("no rung leads to these ends")


def _follow(data: Data, drawing: Sequence[str]) -> tuple[int, ...]:
    ends = []
    for start in range(data.posts):
        place = 4 * start
        for line in drawing:
            if line[place] == "+":
                step = 1 if line[place + 1 : place + 2] == "-" else -1
                place += step
                while line[place] != "+":
                    place += step
        ends.append(place // 4)
    positions = [_starts(data.posts).index(start) for start in data.asked]
    for _ in range(data.times):
        positions = [ends[place] for place in positions]
    return tuple(place + 1 for place in positions)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    return Score.exact(answer == task.data.right, "a line ends elsewhere")  # where a rung is to be found, no other one leads to the ends


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Straight down, the last row or the first forgotten, and one post too far."""
    data, orders = task.data, _orders(task.data)
    if data.goals:
        row, post = right
        once = data.model_copy(update={"times": 1})
        rungs = [(number, rung) for number, row_rungs in enumerate(data.rows) for rung in row_rungs]
        first_time = [(number + 1, rung[0] + 1) for number, rung in rungs if _ends(_without(once, number, rung)) == data.goals]
        return [*first_time[:1], (row, post + 1), (row + 1, post), (row - 1, post), (post, row), _ends(data), data.goals]
    straight = tuple(_starts(data.posts).index(start) + 1 for start in data.asked)
    full_run, late = (tuple(order.index(start) + 1 for start in data.asked) for order in (orders[-1], orders[-2]))
    return [straight, full_run, late, right[::-1], (right[0] % data.posts + 1, *right[1:]), tuple(data.posts + 1 - end for end in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    tracing = float(len(data.rows) * data.posts * len(data.asked) + data.times)
    return tracing + sum(map(len, data.rows)) * data.posts * len(data.asked) if data.goals else tracing


def derive(task: Task[Data]) -> Derivation:
    data, orders = task.data, _orders(task.data)
    for number, row in enumerate(data.rows, 1):
        yield ROW(row=number, joins=_joins(row), order=" ".join(orders[number]))
    if data.goals:
        at, left = data.right[0] - 1, data.right[1] - 1
        rung = next(rung for rung in data.rows[at] if rung[0] == left)
        first, second = (orders[at][post] for post in rung)
        data = _without(data, at, rung)
        order = " ".join(_orders(data)[-1])
        yield TAKEN(row=at + 1, a=rung[0] + 1, b=rung[1] + 1, first=first, second=second, order=order)
    for start in data.asked if data.times > 1 else ():
        yield CIRCLE(start=start, **_cycle_gaps(data, _cycle_of(data, start)))


def _joins(row: Sequence[Rung]) -> str:
    return f"rungs {', '.join(f'{a + 1}-{b + 1}' for a, b in row)}" if row else "no rung"


def _cycle_gaps(data: Data, circle: str) -> dict[str, str]:
    length, rest = str(len(circle)), data.times % len(circle)
    facts = {"circle": " ".join(circle), "first": circle[0], "times": str(data.times), "rest": str(rest), "length": length}
    return facts | {"end": f"it comes out under {circle[rest]}, at {_starts(data.posts).index(circle[rest]) + 1}"}


SOLUTION = Solution(derive, "This answers the question: {answer}")
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, concept=CONCEPT, version=5
)
