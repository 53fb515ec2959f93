"""Find when two meet, one catches up, a job is done or a tank is full.

Everybody has a steady pace, and there may be late starts, breaks and drains. In the shift the time at the end is told and one pace is asked
for, distances are in kilometres, and some sentences do not matter.
"""

from collections.abc import Sequence
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators.steps import first_wrong
from rlgym.generators.stories import listed, moving, people, places, told
from rlgym.generators.stories.moving import Runner, cast, ended, form_of, going, lines, stretches
from rlgym.generators.worked import Facts, Sheet, added, decimal, inside, last, line, shown

KINDS = {"road": ("meeting",), "many": ("meeting", "chase", "work"), "all": ("chase", "work", "pipes", "pipes")}


class Knobs(Config):
    runners: int = knob(4, easy=2, hard=9, doc="how many work or flow at once")
    breaks: int = knob(3, easy=0, hard=10, doc="how many late starts and breaks")
    kinds: str = knob("many", easy="road", hard="all", order=tuple(KINDS), doc="roads, also chases and jobs, or also tanks with drains")


class Data(TaskData):
    kind: str
    runners: tuple[Runner, ...]
    amount: int
    end: tuple[int, int]
    asked: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, twin=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, twin=True)


def solve(task: Task[Data]) -> Fraction:
    data = task.data
    if data.asked < 0:
        end = ended(data.runners, Fraction(data.amount))
        assert end is not None
        return end
    end, runner = Fraction(*data.end), data.runners[data.asked]
    others = sum(Fraction(*other.pace) * going(other, end) for i, other in enumerate(data.runners) if i != data.asked)
    pace = abs((data.amount - others) / going(runner, end))
    return 1 / pace if data.kind == "work" else pace


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == _right(task.data), "with that number it does not come out")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    rested = sum(t - s for runner in data.runners for s, t in runner.rests()) or 2
    paces = [abs(Fraction(*runner.pace)) for runner in data.runners]
    return [data.amount / sum(paces, Fraction(0)), right + rested, right * 2, right + 1, data.amount / paces[0]]


def cost(task: Task[Data]) -> float:
    data = task.data
    rests = sum(len(runner.rests()) for runner in data.runners)
    return len(data.runners) + 3 * rests + (3 if data.kind in ("work", "pipes") else 0) + (2 if data.asked >= 0 else 0)


def explain(task: Task[Data]) -> list[str]:
    data, steps, done = task.data, [], Fraction(0)
    if data.asked >= 0:
        end, total = inside(Fraction(*data.end)), []
        for i, runner in enumerate(data.runners):
            rests = [(s, min(Fraction(t), Fraction(*data.end))) for s, t in runner.rests() if s < Fraction(*data.end)]
            steps.append(line(f"minutes of {runner.name}", end + "".join(f" - ({shown(t)} - {s})" for s, t in rests)))
            if i != data.asked:
                part = f"{inside(Fraction(*runner.pace))} * {inside(going(runner, Fraction(*data.end)))}"
                steps.append(line(f"part of {runner.name}", part))
                total.append(Fraction(*runner.pace) * going(runner, Fraction(*data.end)))
        mine, asked = inside(going(data.runners[data.asked], Fraction(*data.end))), data.runners[data.asked]
        left = f"({data.amount} - ({added(total)}))"
        if asked.pace[0] < 0:
            left = f"({added(total)} - {data.amount})"
        return [*steps, last("the number asked for", f"{mine} / {left}" if data.kind == "work" else f"{left} / {mine}")]
    for start, end_at, pace in stretches(data.runners):
        paces = [Fraction(*runner.pace) for runner in data.runners if not any(s <= start < t for s, t in runner.rests())]
        steps.append(line(f"pace from minute {start}", added(paces)))
        if pace > 0 and (end_at is None or done + pace * (end_at - start) >= data.amount):
            return [*steps, last("the number asked for", f"{start} + ({data.amount} - {inside(done)}) / {inside(pace)}")]
        assert end_at is not None
        steps.append(line(f"done by minute {end_at}", f"{inside(done)} + {inside(pace)} * ({end_at} - {start})"))
        done += pace * (end_at - start)
    raise AssertionError("unreachable: it ends some time")


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    sheet = Sheet(task.prompt, _facts(data), "0 1 2")
    sheet.known.add(str(data.amount))
    return first_wrong(steps, sheet.follows, sheet.ends(task, environment.answer, verify))


def _facts(data: Data) -> Facts:
    facts, done, end = {"the number asked for": _right(data)}, Fraction(0), Fraction(*data.end)
    for start, end_at, pace in stretches(data.runners):
        facts[f"pace from minute {start}"] = pace
        if end_at is not None:
            done += pace * (end_at - start)
            facts[f"done by minute {end_at}"] = done
    for runner in data.runners if data.asked >= 0 else ():
        facts[f"minutes of {runner.name}"] = going(runner, end)
        facts[f"part of {runner.name}"] = Fraction(*runner.pace) * going(runner, end)
    return {name: (value, "") for name, value in facts.items()}


def _right(data: Data) -> Fraction:
    pace = abs(Fraction(*data.runners[data.asked].pace))
    return Fraction(*data.end) if data.asked < 0 else 1 / pace if data.kind == "work" else pace


def _made(rng: Rng, knobs: Knobs, twin: bool) -> Task[Data]:
    while True:
        kind = rng.choice(KINDS[knobs.kinds])
        runners, amount = cast(rng, kind, knobs.runners, knobs.breaks)
        end = ended(runners, Fraction(amount))
        if end and end.denominator < 10**6 and all(going(runner, end) > 0 for runner in runners):
            break
    asked = rng.integer(0, len(runners) - 1) if twin else -1
    measure = "litres" if kind == "pipes" else "metres"
    size = f"{decimal(Fraction(amount, 1000))} kilometres" if twin and kind in ("meeting", "chase") else f"{amount} {measure}"
    names = [runner.name for runner in runners]
    (p, q), ends = places(rng, 2), told(rng, moving.ENDS[kind], a=names[0], b=names[-1])
    scene = told(rng, moving.SCENES[kind], a=names[0], b=names[-1], p=p, q=q, n=size, all=listed(names))
    said = [_start(line_) for i, runner in enumerate(runners) for line_ in lines(rng, kind, runner, i == asked)]
    if twin:
        said += [told(rng, moving.ASIDES, who=rng.choice(people(rng, 3)), n=rng.integer(3, 70)) for _ in range(1 + knobs.breaks // 4)]
        form = form_of(kind, runners[asked])
        question = f"{told(rng, moving.TOLD_ENDS, t=shown(end), end=ends)} {told(rng, moving.UNKNOWN[form], who=names[asked])}"
    else:
        question = told(rng, moving.ASKS, end=ends)
    data = Data(kind=kind, runners=runners, amount=amount, end=(end.numerator, end.denominator), asked=asked)
    return Task(" ".join([scene, told(rng, moving.CLOCKS), *rng.shuffled(said), question]), data)


def _start(text: str) -> str:
    return text[0].upper() + text[1:]


environment = Environment(
    Knobs,
    Rational("one exact number, as an integer, a fraction or a decimal, without the unit"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Between two moments at which somebody starts or stops, the paces add up; keep account of what is done from moment to moment.",
)
