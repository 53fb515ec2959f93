"""Find a time at which everybody can meet, or show for each possible time who cannot.

Calendars may be stated in other time zones. Any time that suits all is accepted; if there is none, any busy person for each time is.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.text.english import count_noun
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Solution, Step

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri")
FIRST_HOUR, LAST_HOUR = 8, 18
ANSWER = Lines("the answer in the form asked for above", max_items=80)
CLOCK = Step("{name}, on our clock, is busy {times}")
DAY = Step("{day}: ruled out are {ruled}; left are {left}")
END = Step("The answer is\n{answer}")


class Knobs(Config):
    people: int = knob(4, easy=2, hard=12, doc="how many people must meet")
    days: int = knob(4, easy=3, hard=5, doc="how many days are open for it")
    hours: int = knob(2, easy=1, hard=3, doc="how long the meeting is")
    zones: str = knob("same", easy="same", hard="own", order=("same", "own"), doc="whether each calendar is on a clock of its own")
    certain: str = knob("open", easy="possible", hard="open", order=("possible", "open"), doc="whether it is sure that there is a time")


class Data(TaskData):
    people: tuple[str, ...]
    ahead: tuple[int, ...]  # hours that each one's clock is ahead of ours
    days: int
    hours: int
    told: tuple[tuple[tuple[int, int, int], ...], ...]  # day, from, to on each one's own clock
    free: bool  # whether free times are given instead of busy ones
    busy: tuple[tuple[int, ...], ...]  # for each one and day the busy hours on our clock, as bits


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Calendars with a few busy times."""
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Calendars with a few free times."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, free: bool) -> Task[Data]:
    doomed = knobs.certain == "open" and rng.chance(0.3)
    starts = [(day, hour) for day in range(knobs.days) for hour in range(FIRST_HOUR, LAST_HOUR - knobs.hours + 1)]
    safe = None if doomed else rng.choice(starts)
    busy = [[0] * knobs.days for _ in range(knobs.people)]
    most = 0 if doomed else 1
    while len(open_starts := [start for start in starts if _blocker(busy, knobs.hours, *start) is None]) > most:
        day, hour = rng.choice([start for start in open_starts if start != safe])
        begin = hour + rng.integer(0, knobs.hours - 1)
        block = _bits(begin, min(LAST_HOUR, begin + rng.integer(1, 5 if free else 3)))
        block |= _bits(max(FIRST_HOUR, begin - rng.integer(0, 4)), begin) if free else 0
        if safe is not None and safe[0] == day:
            block &= ~_bits(safe[1], safe[1] + knobs.hours)
        who = rng.integer(0, knobs.people - 1)
        busy[who][day] |= block
    for rows in busy:
        # More that is in nobody's way, so that nobody's calendar is bare.
        day, begin = rng.integer(0, knobs.days - 1), rng.integer(FIRST_HOUR, LAST_HOUR - 1)
        block = _bits(begin, min(LAST_HOUR, begin + rng.integer(1, 3)))
        if not any(other_day == day and block & _bits(hour, hour + knobs.hours) for other_day, hour in open_starts):
            rows[day] |= block
    ahead = tuple(rng.integer(-5, 5) if knobs.zones == "own" else 0 for _ in range(knobs.people))
    shown_times = tuple(
        tuple((day, a + ahead[i], b + ahead[i]) for day, bits in enumerate(rows) for a, b in _runs(~bits if free else bits))
        for i, rows in enumerate(busy)
    )
    data = Data(
        people=tuple(rng.sample(PEOPLE, knobs.people)),
        ahead=ahead,
        days=knobs.days,
        hours=knobs.hours,
        told=shown_times,
        free=free,
        busy=tuple(map(tuple, busy)),
    )
    return Task(_render_prompt(data, knobs.certain == "open"), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return next(_answers(task.data, 1))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    given = [line[:60].replace(":", " ").replace(",", " ").split() for line in answer[:80]]
    names = {name.lower(): i for i, name in enumerate(data.people)}
    starts = {(DAYS[day].lower(), str(hour)): (day, hour) for day, hour in _starts(data)}
    if any(len(words) < 2 or (words[0].lower(), words[1]) not in starts for words in given):
        return Score.wrong("every line must open with a day and an hour at which the meeting can start")
    times = [starts[words[0].lower(), words[1]] for words in given]
    if len(given) == 1 and len(given[0]) == 2:
        return Score.exact(_blocker(data.busy, data.hours, *times[0]) is None, "somebody is busy then")
    if any(len(words) != 3 or words[2].lower() not in names for words in given):
        return Score.wrong("every line must have a start and the name of one person who is busy")
    for (day, hour), words in zip(times, given, strict=True):
        if not data.busy[names[words[2].lower()]][day] & _bits(hour, hour + data.hours):
            return Score.wrong(f"{words[2]} is free for a meeting on {DAYS[day]} at {hour}")
    return Score.exact(len(times) == len(set(times)) == len(starts) == len(answer), "not every start is there once")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    bare = [f"{DAYS[day]} {hour}" for day, hour in _starts(data)]
    taken = next((f"{DAYS[day]} {hour}" for day, hour in _starts(data) if _blocker(data.busy, data.hours, day, hour) is not None), bare[0])
    # As if each calendar were on our clock.
    naive = [[0] * data.days for _ in data.people]
    for i, rows in enumerate(data.told):
        for day, a, b in rows:
            naive[i][day] |= _bits(max(0, a), b)
        naive[i] = [~bits & _bits(FIRST_HOUR, LAST_HOUR) if data.free else bits for bits in naive[i]]
    local = [f"{DAYS[day]} {hour}" for day, hour in _starts(data) if _blocker(naive, data.hours, day, hour) is None]
    first = tuple(f"{start}: {data.people[0]}" for start in bare)
    return [(taken,), tuple(local[:1]) or (taken,), first, tuple(bare), right[:-1] or first[:1], (f"{DAYS[0]} {LAST_HOUR}",)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return sum(map(len, data.told)) * data.hours * len(_starts(data)) * (2 if any(data.ahead) else 1) * (1.5 if data.free else 1)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    for name, rows in zip(data.people, data.busy, strict=True):
        yield CLOCK(name=name, times=_busy_times(rows))
    for day in range(data.days):
        blockers = {hour: _blocker(data.busy, data.hours, day, hour) for start_day, hour in _starts(data) if start_day == day}
        ruled = ", ".join(f"{hour} by {data.people[who]}" for hour, who in blockers.items() if who is not None)
        free_hours = " ".join(str(hour) for hour, who in blockers.items() if who is None)
        yield DAY(day=DAYS[day], ruled=ruled or "none", left=free_hours or "none")
    yield END(answer=ANSWER.render(solve(task)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    people, days = list[str](), list[str]()
    busy = {name: _busy_on_our_clock(data, i) for i, name in enumerate(data.people)}

    def clock(name: str, times: str) -> bool:
        if len(people) == len(data.people) or name != data.people[len(people)] or times != _busy_times(busy[name]):
            return False
        people.append(name)
        return True

    def day_ruled(day: str, ruled: str, left: str) -> bool:
        number = len(days)
        free = [] if left == "none" else [int(hour) for hour in left.split()]
        blocked = [] if ruled == "none" else [(int(hour), name) for hour, _, name in (part.partition(" by ") for part in ruled.split(", "))]
        meetings = {hour: _bits(hour, hour + data.hours) for hour in (*free, *(hour for hour, _ in blocked))}
        if len(people) < len(data.people) or day != DAYS[number]:
            return False
        if any(rows[number] & meetings[hour] for rows in busy.values() for hour in free):
            return False
        if not all(busy[name][number] & meetings[hour] for hour, name in blocked):
            return False
        if sorted([*free, *(hour for hour, _ in blocked)]) != [hour for start_day, hour in _starts(data) if start_day == number]:
            return False
        days.append(day)
        return True

    return {CLOCK: clock, DAY: day_ruled, END: lambda answer: len(days) == data.days}


def _bits(start: int, end: int) -> int:
    return (1 << max(end, 0)) - (1 << start) if end > start else 0


def _runs(bits: int) -> list[tuple[int, int]]:
    """The stretches of the working day that are set."""
    inside = [hour for hour in range(FIRST_HOUR, LAST_HOUR) if bits >> hour & 1]
    begins = [hour for hour in inside if hour - 1 not in inside]
    return [(begin, next(hour for hour in range(begin, LAST_HOUR + 1) if hour not in inside)) for begin in begins]


def _starts(data: Data) -> list[tuple[int, int]]:
    return [(day, hour) for day in range(data.days) for hour in range(FIRST_HOUR, LAST_HOUR - data.hours + 1)]


def _blocker(busy: Sequence[Sequence[int]], hours: int, day: int, hour: int) -> int | None:
    """The first person who is busy at some time of a meeting."""
    return next((i for i, rows in enumerate(busy) if rows[day] & _bits(hour, hour + hours)), None)


def _busy_on_our_clock(data: Data, who: int) -> list[int]:
    """A person's busy hours on our clock, computed from the prompt's times."""
    rows = [0] * data.days
    for day, a, b in data.told[who]:
        rows[day] |= _bits(a - data.ahead[who], b - data.ahead[who])
    return [~bits & _bits(FIRST_HOUR, LAST_HOUR) if data.free else bits for bits in rows]


def _busy_times(rows: Sequence[int]) -> str:
    return ", ".join(f"{DAYS[day]} {a}-{b}" for day, bits in enumerate(rows) for a, b in _runs(bits)) or "never"


def _render_prompt(data: Data, open_: bool) -> str:
    shown_times = []
    for name, ahead, rows in zip(data.people, data.ahead, data.told, strict=True):
        clock = f" (clock {count_noun(abs(ahead), 'hour')} {'ahead of' if ahead > 0 else 'behind'} ours)" if ahead else ""
        times = ", ".join(f"{DAYS[day]} {a}-{b}" for day, a, b in rows)
        shown_times.append(f"{name}{clock} is {'free' if data.free else 'busy'}: {times or 'never'}")
    listing = "\n".join(shown_times)
    ours = " on our clock" if any(data.ahead) else ""
    other = f"At all other times between 8 and 18 o'clock{ours} each is " + ("busy" if data.free else "free")
    zones = " Each calendar is on its owner's clock; on ours, its times fall on the same days." if any(data.ahead) else ""
    last = LAST_HOUR - data.hours
    length = f"{data.hours} hour{'s' if data.hours > 1 else ''}"
    request = (
        f"Find a start at a full hour{ours} at which all are free for the whole meeting, and answer with one line such as {DAYS[0]} {last}."
    )
    if open_:
        request += (
            f" If there is none, answer with one line for each start (every day, every hour from 8 to {last}) that names one person who is busy then "
            f"at some time of the meeting, such as {DAYS[0]} {last}: {data.people[-1]}."
        )
    rules = (
        f"A meeting takes {length} without a break, on one of the days from {DAYS[0]} to {DAYS[data.days - 1]}, between 8 and 18 o'clock{ours}. 9-12 means "
        "from 9 to 12 o'clock; a meeting may begin when something ends and end when something begins."
    )
    return f"{rules}\n{listing}\n{other}.{zones}\n\n{request}"


def _answers(data: Data, direction: int) -> Iterator[tuple[str, ...]]:
    """All right starts; where there are none, two lists of busy people."""
    shown = [_busy_on_our_clock(data, i) for i in range(len(data.people))]
    order = list(range(len(shown)))[::direction]
    blockers = {
        start: next((i for i in order if shown[i][start[0]] & _bits(start[1], start[1] + data.hours)), None)
        for start in _starts(data)[::direction]
    }
    fits = [(f"{DAYS[day]} {hour}",) for (day, hour), who in blockers.items() if who is None]
    yield from fits
    if not fits:
        lines = tuple(f"{DAYS[day]} {hour}: {data.people[who]}" for (day, hour), who in blockers.items() if who is not None)
        yield from (lines, lines[::-1])


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=lambda task: _answers(task.data, -1),
    concept="Bring all calendars onto one clock, then strike out, day by day, every start whose meeting would touch a busy time.",
    version=6,
)  # fmt: skip
