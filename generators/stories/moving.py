"""Steady paces with late starts and breaks: sentences about roads, jobs and tanks, and when the amount is done."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.stories.phrasing import people, phrase

SCENES: Mapping[str, tuple[str, ...]] = {
    "meeting": (
        "{a} and {b} move towards each other on the same road, from towns that are {n} apart.",
        "From {p} to {q} it is {n}; {a} comes from one end and {b} from the other.",
        "A road of {n} joins {p} and {q}. {a} sets out from {p} to {q}, {b} the other way.",
        "{n} lie between {p} and {q}; {a} starts from {p}, {b} from {q}, and they go to meet each other.",
    ),
    "chase": (
        "{b} is {n} ahead of {a} on the same road, and both go the same way.",
        "{a} follows {b} on a long road; at first {n} lie between them.",
        "{a} wants to catch up with {b}, who has a lead of {n}.",
        "On the road from {p} to {q}, {b} is {n} in front of {a}.",
    ),
    "work": (
        "{all} share one job.",
        "There is one job to do, and {all} do it together.",
        "{all} work on the same job, each at a steady pace.",
        "A job in {p} is given to {all}.",
    ),
    "pipes": (
        "An empty tank in {p} holds {n} when it is full.",
        "A tank with room for {n} is empty at first.",
        "In {p} there is an empty tank that holds {n}.",
        "It takes {n} to fill a tank, in which there is nothing yet.",
    ),
}
PACES: Mapping[str, tuple[str, ...]] = {
    "road": (
        "{who} covers {n} metres in each minute of moving.",
        "The pace of {who} is {n} metres per minute.",
        "{who} makes {n} metres a minute.",
        "In one minute, {who} gets {n} metres further.",
    ),
    "work": (
        "Alone, {who} would need {n} minutes for the whole job.",
        "{who} can do all of it alone in {n} minutes.",
        "If {who} worked alone without a break, the job would take {n} minutes.",
        "{n} minutes are what {who} would take without help.",
    ),
    "in": (
        "{who} lets in {n} litres per minute.",
        "Through {who}, {n} litres flow into the tank each minute.",
        "{who} adds {n} litres to the tank in a minute.",
        "{n} litres a minute come out of {who} into the tank.",
    ),
    "out": (
        "{who} lets out {n} litres per minute.",
        "Through {who}, {n} litres flow out of the tank each minute.",
        "{who} takes {n} litres from the tank in a minute.",
        "{n} litres a minute leave the tank through {who}.",
    ),
}
BREAKS: Mapping[str, tuple[str, ...]] = {
    "late": (
        "{who} does not start before minute {t}.",
        "{who} starts at minute {t}.",
        "Until minute {t}, {who} does nothing.",
        "{who} does not begin until minute {t}.",
    ),
    "break": (
        "From minute {s} to minute {t}, {who} does nothing.",
        "{who} pauses between minute {s} and minute {t}.",
        "{who} has a break that begins at minute {s} and ends at minute {t}.",
        "{who} stops at minute {s} and starts again at minute {t}.",
    ),
}
CLOCKS = (
    "Minutes count from minute 0; everything starts then, unless it is said to start later.",
    "Everything starts at minute 0, unless stated otherwise.",
    "The clock shows minute 0 at the beginning, and everything that is not said to be late starts then.",
    "All times are in minutes after the beginning, minute 0, at which everything starts, unless stated otherwise.",
)
ENDS: Mapping[str, tuple[str, ...]] = {
    "meeting": ("they meet", "{a} meets {b}", "they are at the same place", "{a} and {b} come together"),
    "chase": (
        "{a} catches up with {b} for the first time",
        "{a} first draws level with {b}",
        "{b} is first caught up with by {a}",
        "{a} first reaches {b}",
    ),
    "work": ("the job is done", "the whole job is finished", "nothing is left to do", "they are through with it"),
    "pipes": (
        "the tank is full",
        "the tank is full for the first time",
        "the tank is filled to the brim",
        "there is no more room in the tank",
    ),
}
ASKS = (
    "How many minutes pass from minute 0 until {end}?",
    "What is the exact minute at which {end}?",
    "Find the exact time, in minutes from minute 0, at which {end}.",
    "Work out after how many minutes, counted from minute 0, {end}.",
    "Give the exact number of minutes from minute 0 to the moment at which {end}.",
)
TOLD_ENDS = (
    "At minute {t}, and not before, {end}.",
    "It is minute {t} when {end}.",
    "After {t} minutes, counted from minute 0, {end}.",
    "Minute {t} is when {end}.",
)
UNKNOWN: Mapping[str, tuple[str, ...]] = {
    "road": (
        "How many metres per minute does {who} cover?",
        "Find the pace of {who} in metres per minute.",
        "What is {who}'s pace, in metres per minute?",
    ),
    "work": (
        "How many minutes would {who} need for the whole job alone?",
        "In how many minutes could {who} do all of it alone?",
        "Find the number of minutes that {who} would take without help.",
    ),
    "in": (
        "How many litres per minute does {who} let in?",
        "Find how many litres flow into the tank through {who} each minute.",
        "What does {who} add per minute, in litres?",
    ),
    "out": (
        "How many litres per minute does {who} let out?",
        "Find how many litres flow out of the tank through {who} each minute.",
        "What does {who} take per minute, in litres?",
    ),
}
ASIDES = (
    "{who} has done this {n} times before.",
    "It is {n} degrees warm.",
    "{who} is {n} years old.",
    "Somebody watches for {n} minutes.",
    "Last year it took {n} minutes, under other conditions.",
    "A clock nearby is {n} minutes wrong, but nobody looks at it.",
)
PIPES = tuple(
    f"{colour} {part}"
    for colour in ("the red", "the blue", "the green", "the old", "the new", "the wide")
    for part in ("pipe", "hose", "tap")
)


class Runner(TaskData):
    """A person or a pipe with a steady pace (a fraction; negative for a drain), a late start and breaks."""

    name: str
    pace: tuple[int, int]
    start: int
    breaks: tuple[tuple[int, int], ...]

    def rests(self) -> tuple[tuple[int, int], ...]:
        return ((0, self.start), *self.breaks) if self.start else self.breaks


def constant_stretches(runners: Sequence[Runner]) -> Iterator[tuple[int, int | None, Fraction]]:
    """Start, end (None for no end) and total pace of each stretch of time in which the pace is constant."""
    times = sorted({0, *(time for runner in runners for rest in runner.rests() for time in rest)})
    for start, end in zip(times, [*times[1:], None], strict=True):
        active = [runner for runner in runners if not any(s <= start < t for s, t in runner.rests())]
        yield start, end, sum((Fraction(*runner.pace) for runner in active), Fraction(0))


def finish_time(runners: Sequence[Runner], amount: Fraction) -> Fraction | None:
    """The time at which the amount is first done; None if never, or if the amount done would become negative."""
    done = Fraction(0)
    for start, end, pace in constant_stretches(runners):
        if pace > 0 and (end is None or done + pace * (end - start) >= amount):
            return start + (amount - done) / pace
        done += pace * ((end or start) - start)
        if done < 0:
            return None
    return None


def active_time(runner: Runner, end: Fraction) -> Fraction:
    """The time for which a runner has been active by then."""
    return end - sum((max(Fraction(0), min(end, Fraction(t)) - s) for s, t in runner.rests()), Fraction(0))


def sample_runners(rng: Rng, kind: str, most: int, stops: int) -> tuple[tuple[Runner, ...], int]:
    """Runners with their paces and breaks, and the amount there is to do."""
    count = 2 if kind in ("meeting", "chase") else most
    names = rng.sample(PIPES, count) if kind == "pipes" else people(rng, count)
    long = rng.integer(15, 40) + 3 * stops
    if kind == "work":
        paces, amount = [(1, rng.integer(long * count // 2, 2 * long * count)) for _ in names], 1
    else:
        paces = [(5 * rng.integer(8, 70), 1) for _ in names]
        drains = kind == "chase" or (kind == "pipes" and count > 2)
        paces = sorted(paces, reverse=True) if drains else paces
        paces = [*paces[:-1], (-paces[-1][0], 1)] if drains else paces
        amount = max(0, sum(pace for pace, _ in paces)) * long
    late: dict[int, int] = {}
    breaks: dict[int, list[tuple[int, int]]] = {i: [] for i in range(count)}
    for _ in range(stops):
        i = rng.integer(0, count - 1)
        after = max([late.get(i, 0), *(t for _, t in breaks[i])]) + 1
        start = rng.integer(after, after + max(1, long // (stops + 1)))
        if after == 1 and rng.chance(0.5):
            late[i] = start
        else:
            breaks[i].append((start, start + rng.integer(2, max(2, long // 4))))
    return tuple(
        Runner(name=name, pace=pace, start=late.get(i, 0), breaks=tuple(breaks[i]))
        for i, (name, pace) in enumerate(zip(names, paces, strict=True))
    ), amount


def pace_sentences(rng: Rng, kind: str, runner: Runner, is_question: bool) -> list[str]:
    """The sentences about a runner; without its pace if that is asked for."""
    form, (n, d) = pace_form(kind, runner), runner.pace
    sentences = [] if is_question else [phrase(rng, PACES[form], who=runner.name, n=d if kind == "work" else abs(n))]
    sentences += [phrase(rng, BREAKS["late"], who=runner.name, t=runner.start)] if runner.start else []
    return sentences + [phrase(rng, BREAKS["break"], who=runner.name, s=s, t=t) for s, t in runner.breaks]


def pace_form(kind: str, runner: Runner) -> str:
    """The bank of phrasings for a runner's pace."""
    return ("out" if runner.pace[0] < 0 else "in") if kind == "pipes" else "work" if kind == "work" else "road"
