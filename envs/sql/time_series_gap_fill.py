"""Fill the gaps of a series of readings by stated rules: short gaps between their ends, long ones from the period before or after.

In the shifted family faulty readings, which jump away from both neighbours, are gaps as well and must be found first.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Checks, Derivation, Due, Solution, Step, in_order

FAULT = Step("Place {at} reads {value}, more than {jump} away from {before} and from {after}: a fault")
BETWEEN = Step("Place {at} lies in a gap of {length} between {low} at place {left} and {high} at place {right}: {value}")
EARLIER = Step("Place {at} lies in a gap of {length}, and place {other}, a period {side}, reads {reading}: {value}")
CARRIED = Step(
    "Place {at} lies in a gap of {length}, a period before and after nothing was read, and the last reading before it is {low} at place {other}: {value}"
)
FIRST = Step("Place {at} has no reading before it; the first of all is {high} at place {other}: {value}")


class Knobs(Config):
    places: int = knob(18, easy=8, hard=60, doc="how many readings there should be")
    gaps: int = knob(3, easy=1, hard=9, doc="how many gaps are cut")
    longest: int = knob(4, easy=2, hard=9, doc="longest gap")
    short: int = knob(2, easy=2, hard=3, doc="up to what length a gap is filled between its ends")
    period: int = knob(6, easy=4, hard=12, doc="length of a period")


class Data(TaskData):
    readings: tuple[int | None, ...]
    short: int
    period: int
    jump: int  # how far a faulty reading is away from both neighbours; 0: none is faulty


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    return tuple(value for value, _ in _fill(task.data))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    return Score.exact(answer == solve(task), "these are not the values that the rules give for the missing places, in order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    others = [
        data.model_copy(update={"short": 0}),
        data.model_copy(update={"short": 99}),
        data.model_copy(update={"jump": 0}),
        data.model_copy(update={"period": data.period + 1}),
    ]
    return [*(tuple(value for value, _ in _fill(other)) for other in others), (*right[:-1], right[-1] + 1), right[:-1] or (0,)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.readings) * (2 if data.jump else 1) + sum(4 if step.step is BETWEEN else 8 for _, step in _fill(data))


def derive(task: Task[Data]) -> Derivation:
    yield from in_order([*_faults(task.data)[1], *(step for _, step in _fill(task.data))])


def checks(task: Task[Data]) -> Checks:
    right = {due.text for due in solution.steps(task)}
    return lambda step: step in right


solution = Solution(derive, "The answer is {answer}", checks)


def _sample_task(rng: Rng, knobs: Knobs, faulty: bool) -> Task[Data]:
    while True:
        wave = [rng.integer(-12, 12) for _ in range(knobs.period)]
        base, slope = rng.integer(40, 160), rng.integer(-1, 2)
        readings: list[int | None] = [base + slope * i + wave[i % knobs.period] + rng.integer(-3, 3) for i in range(knobs.places)]
        jump = 50 if faulty else 0
        if faulty:
            for at in rng.sample(range(1, knobs.places - 1), 1 + knobs.places // 15):
                readings[at] = (readings[at] or 0) + rng.choice((-1, 1)) * rng.integer(85, 140)
        for _ in range(knobs.gaps):
            length = rng.integer(1, min(knobs.longest, knobs.places // 3))
            at = rng.integer(0, knobs.places - length)
            readings[at : at + length] = [None] * length
        data = Data(readings=tuple(readings), short=knobs.short, period=knobs.period, jump=jump)
        sound, steps = _faults(data)
        if sum(value is not None for value in sound) > knobs.places // 3 and bool(steps) == faulty and None in sound:
            return Task(_render_prompt(data), data)


def _render_prompt(data: Data) -> str:
    shown = ", ".join("-" if value is None else str(value) for value in data.readings)
    faults = (
        f" A reading is faulty if both neighbouring positions have readings and it differs from each of them by more than {data.jump} (judged by the series "
        "as given). Faulty readings are removed first and count as missing."
        if data.jump
        else ""
    )
    missing = "missing places, those of faulty readings included," if data.jump else "missing places"
    return (
        f"A meter should give one reading at each of {len(data.readings)} positions, counted from 1. "
        f"In this series, a dash stands for a missing reading:\n{shown}\n\n"
        f"The series has a period of {data.period} positions.{faults} Fill in the missing readings by these rules:\n"
        f"1. A gap is a maximal run of missing readings. A gap of at most {data.short} readings with a reading on both sides is filled by linear "
        "interpolation between those two readings, rounded down to integers.\n"
        "2. In any other gap, each position gets the original reading one period before it; if that is missing, the original reading one period after it.\n"
        "3. If both are missing, it gets the last original reading before the gap; if there is none, the first original reading of the series.\n"
        f"Values that were filled in are never used to fill in others. Give the filled-in values of the {missing} from left to right."
    )


def _faults(data: Data) -> tuple[list[int | None], list[Due]]:
    """The readings without the faulty ones, and the steps that find these."""
    sound, steps, given = list(data.readings), list[Due](), data.readings
    for at in range(1, len(given) - 1) if data.jump else ():
        before, value, after = given[at - 1 : at + 2]
        if before is not None and value is not None and after is not None and min(abs(value - before), abs(value - after)) > data.jump:
            sound[at] = None
            steps.append(FAULT(at=at + 1, value=value, jump=data.jump, before=before, after=after))
    return sound, steps


def _fill(data: Data) -> list[tuple[int, Due]]:
    """The value of each missing place, with the step that gives it."""
    sound = _faults(data)[0]
    return [_fill_gap(data, sound, at) for at, value in enumerate(sound) if value is None]


def _fill_gap(data: Data, sound: Sequence[int | None], at: int) -> tuple[int, Due]:
    left = next((i for i in range(at, -1, -1) if sound[i] is not None), -1)
    right = next((i for i in range(at, len(sound)) if sound[i] is not None), len(sound))
    length = right - left - 1
    low, high = (sound[left] if left >= 0 else None), (sound[right] if right < len(sound) else None)
    if length <= data.short and low is not None and high is not None:
        value = low + (high - low) * (at - left) // (right - left)
        return value, BETWEEN(at=at + 1, length=length, low=low, left=left + 1, high=high, right=right + 1, value=value)
    for other, side in ((at - data.period, "before"), (at + data.period, "after")):
        if 0 <= other < len(sound) and (reading := sound[other]) is not None:
            return reading, EARLIER(at=at + 1, length=length, other=other + 1, side=side, reading=reading, value=reading)
    if low is not None:
        return low, CARRIED(at=at + 1, length=length, low=low, value=low, other=left + 1)
    assert high is not None
    return high, FIRST(at=at + 1, high=high, value=high, other=right + 1)


environment = Environment(
    Knobs, Numbers("the values in order, separated by commas"), generate, solve, verify, mistakes, cost,
    solution=solution, shift=shift,
    shared_helpers="The helper lists the rules that a filled series breaks, as the prompt states them.",
    concept="Take out what is faulty first, then measure each gap: a short one is filled on the line between its ends, a long one from a period away.",
    version=3,
)  # fmt: skip
