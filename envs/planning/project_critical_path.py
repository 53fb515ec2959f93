"""Work out how long a project takes, what a delay does to it, or how much slack its tasks have."""

from collections.abc import Sequence
from functools import cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Integer
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Checks, Derivation, Due, Solution, Step

Link = tuple[int, int, str, int]  # before, after, "end" or "start" of the one before, days to wait


LATE, LENGTH = Step("{name} now takes {days:int} days"), Step("The project takes {days:int} days")
WAITS = Step("{name} starts on day {start:int} ({waits}) and ends on day {end:int}")
STARTS = Step("{name} starts on day {start:int} and ends on day {end:int}")
SLACK = Step("{name} may start on day {latest:int} at the latest: slack {slack:int}")
ANSWER = Integer("one number of days in decimal digits")
CONCEPT = "Give each task its earliest start, the largest that its rules ask for; going backwards the same way gives the latest starts."


class Knobs(Config):
    tasks: int = knob(8, easy=5, hard=45, doc="tasks of the project")
    links: int = knob(12, easy=5, hard=90, doc="rules on what waits for what")
    waits: str = knob(
        "lags",
        easy="ends",
        hard="starts",
        order=("ends", "lags", "starts"),
        doc="rules: after an end, days after it, or also days after a start",
    )
    question: str = knob(
        "delay",
        easy="length",
        hard="slack",
        order=("length", "delay", "slack"),
        doc="what to compute: the project's length, its length after a delay, or the sum of all slacks",
    )


class Data(TaskData):
    names: tuple[str, ...]
    days: tuple[int, ...]
    links: tuple[Link, ...]
    asks: str
    late: int  # the task that takes longer
    extra: int
    total: int

    @property
    def closing(self) -> str:
        """How the last sentence of the solution begins."""
        return "The slacks add up to " if self.asks == "slack" else "The latest end is the length of the project: "


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, strands=False)


def _sample_task(rng: Rng, knobs: Knobs, strands: bool) -> Task[Data]:
    count = knobs.tasks
    names = tuple(rng.sample(WORDS, count))
    days = tuple(rng.integer(3, 40) for _ in range(count))
    order = rng.shuffled(range(count))
    reach = 4 if strands else count
    most = sum(min(reach, i) for i in range(count))
    pairs = {(order[max(0, i - 2 if strands else i - 1 - rng.integer(0, 3))], order[i]) for i in range(1, count)}
    while len(pairs) < min(max(knobs.links, count - 1), most):
        i, j = sorted(rng.sample(range(count), 2))
        if j - i <= reach:
            pairs.add((order[i], order[j]))
    links: list[Link] = []
    for a, b in rng.shuffled(sorted(pairs)):
        if knobs.waits == "starts" and rng.chance(0.4):
            links.append((a, b, "start", rng.integer(2, 30)))
        else:
            links.append((a, b, "end", rng.integer(2, 15) if knobs.waits != "ends" and rng.chance(0.4) else 0))
    late, extra = rng.integer(0, count - 1), rng.integer(5, 30)
    total = _question(days, links, order, knobs.question, late, extra)
    data = Data(names=names, days=days, links=tuple(links), asks=knobs.question, late=late, extra=extra, total=total)
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two parallel strands of tasks with rules between tasks that come close to each other."""
    return _sample_task(rng, knobs, strands=True)


def solve(task: Task[Data]) -> int:
    # Longest chains: into each task, and out of it.
    data = task.data
    days = list(data.days)
    if data.asks == "delay":
        days[data.late] += data.extra
    into: list[list[tuple[int, int]]] = [[] for _ in days]
    out_of: list[list[tuple[int, int]]] = [[] for _ in days]
    for a, b, kind, wait in data.links:
        gap = wait + (days[a] if kind == "end" else 0)
        into[b].append((a, gap))
        out_of[a].append((b, gap))

    @cache
    def start(task: int) -> int:
        return max((start(a) + gap for a, gap in into[task]), default=0)

    @cache
    def rest(task: int) -> int:
        return max([days[task], *(gap + rest(b) for b, gap in out_of[task])])

    length = max(start(task) + rest(task) for task in range(len(days)))
    return sum(length - start(task) - rest(task) for task in range(len(days))) if data.asks == "slack" else length


def verify(task: Task[Data], answer: int) -> Score:
    return Score.exact(answer == task.data.total, "the number of days is another one")


def mistakes(task: Task[Data], right: int) -> list[int]:
    data = task.data
    plain = _question(
        data.days, [(a, b, "end", 0) for a, b, _, _ in data.links], _topological_order(data), data.asks, data.late, data.extra
    )
    length = _question(data.days, data.links, _topological_order(data), "length", 0, 0)
    return [sum(data.days), length + data.extra, length, plain, max(data.days), right + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    passes = {"length": 1, "delay": 1.5, "slack": 3}[data.asks]
    return (len(data.days) + len(data.links) + sum(bool(wait) for *_, wait in data.links)) * passes


def derive(task: Task[Data]) -> Derivation:
    data, days, order = task.data, _days(task.data), _topological_order(task.data)
    if data.asks == "delay":
        yield LATE(name=data.names[data.late], days=days[data.late])
    starts = _earliest_starts(days, data.links, order)
    for i in order:
        yield _begins(data, days, dict(enumerate(starts)), i)
    if data.asks == "slack":
        length = max(start + day for start, day in zip(starts, days, strict=True))
        latest = _latest_starts(days, data.links, order, length)
        yield LENGTH(days=length)
        for i in reversed(order):
            yield SLACK(name=data.names[i], latest=latest[i], slack=latest[i] - starts[i])


def checks(task: Task[Data]) -> Checks:
    data, days = task.data, _days(task.data)
    number = {name: i for i, name in enumerate(data.names)}
    starts, latest = dict[int, int](), dict[int, int]()

    def length() -> int:
        return max(start + days[i] for i, start in starts.items())

    def begins(name: str, **gaps: object) -> bool:
        due = _begins(data, days, starts, number[name])
        if {"name": name, **gaps} != due.fields:
            return False
        starts[number[name]] = int(str(due.fields["start"]))
        return True

    def has_slack(name: str, latest_day: int, slack: int) -> bool:
        index = number[name]
        after = [latest[b] - wait - (days[index] if kind == "end" else 0) for a, b, kind, wait in data.links if a == index]
        last = min([length() - days[index], *after])
        if (latest_day, slack) != (last, last - starts[index]):
            return False
        latest[index] = last
        return True

    return {
        LATE: lambda name, days: data.asks == "delay" and (number[name], days) == (data.late, _days(data)[data.late]),
        LENGTH: lambda days: len(starts) == len(data.days) and days == length(),
        SLACK: lambda name, latest, slack: has_slack(name, latest, slack),
        WAITS: begins,
        STARTS: begins,
    }


def _days(data: Data) -> list[int]:
    """The days of each task, with the delay."""
    return [day + data.extra * (data.asks == "delay" and i == data.late) for i, day in enumerate(data.days)]


def _begins(data: Data, days: Sequence[int], starts: dict[int, int], i: int) -> Due:
    """The step that says when a task starts, once those that it waits for have started."""
    allowed = [(data.names[a], starts[a] + wait + (days[a] if kind == "end" else 0)) for a, b, kind, wait in data.links if b == i]
    start = max((day for _, day in allowed), default=0)
    if not allowed:
        return STARTS(name=data.names[i], start=start, end=start + days[i])
    waits = ", ".join(f"{name} allows day {day}" for name, day in allowed)
    return WAITS(name=data.names[i], start=start, waits=waits, end=start + days[i])


def _render_prompt(data: Data) -> str:
    lines = []
    for a, b, kind, wait in data.links:
        when = f"{wait} days after {data.names[a]} has {'ended' if kind == 'end' else 'started'}" if wait else f"{data.names[a]} has ended"
        lines.append(f"{data.names[b]} cannot start until {when}.")
    question = {
        "length": "How many days does the whole project take, from the first start to the last end?",
        "delay": (
            f"Now it turns out that {data.names[data.late]} takes {data.extra} days longer than listed. How many days does the whole project take then, from "
            "the first start to the last end?"
        ),
        "slack": (
            "The slack of a task is the largest number of days by which its start can be put off without making the whole project take longer (the others "
            "then start as early as the rules still allow). What is the sum of the slacks of all tasks?"
        ),
    }[data.asks]
    listing = "\n".join(f"{name}: {day} days" for name, day in zip(data.names, data.days, strict=True))
    rules = "\n".join(lines)
    return (
        f"A project has these tasks:\n{listing}\n\n{rules}\n\nAny number of tasks can be worked on at the same time, a task is not interrupted, and every task "
        f"starts as early as the rules allow. {question}"
    )


def _topological_order(data: Data) -> list[int]:
    """Tasks after those that they wait for."""
    pending, order = list(range(len(data.days))), list[int]()
    while pending:
        ready = [task for task in pending if not any(b == task and a in pending for a, b, _, _ in data.links)]
        order += ready
        pending = [task for task in pending if task not in ready]
    return order


def _earliest_starts(days: list[int], links: tuple[Link, ...] | list[Link], order: list[int]) -> list[int]:
    into: list[list[Link]] = [[] for _ in days]
    for link in links:
        into[link[1]].append(link)
    starts = [0] * len(days)
    for task in order:
        starts[task] = max((starts[a] + wait + (days[a] if kind == "end" else 0) for a, _, kind, wait in into[task]), default=0)
    return starts


def _latest_starts(days: list[int], links: tuple[Link, ...] | list[Link], order: list[int], length: int) -> list[int]:
    out_of: list[list[Link]] = [[] for _ in days]
    for link in links:
        out_of[link[0]].append(link)
    latest = [length - day for day in days]
    for task in reversed(order):
        for _, b, kind, wait in out_of[task]:
            latest[task] = min(latest[task], latest[b] - wait - (days[task] if kind == "end" else 0))
    return latest


def _question(days: tuple[int, ...], links: tuple[Link, ...] | list[Link], order: list[int], asks: str, late: int, extra: int) -> int:
    """Forward through the tasks, and for slacks backward too."""
    now = [day + (extra if asks == "delay" and i == late else 0) for i, day in enumerate(days)]
    starts = _earliest_starts(now, links, order)
    length = max(start + day for start, day in zip(starts, now, strict=True))
    return sum(_latest_starts(now, links, order, length)) - sum(starts) if asks == "slack" else length


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, "{closing}{answer}", checks),
    shift=shift,
    concept=CONCEPT,
    version=3,
)
