"""Find when two meet, one catches up, a job is done or a tank is full.

Everybody has a steady pace, and there may be late starts, breaks and drains. In the shifted family the finish time is given, one pace is
asked for, distances are in kilometres, and some sentences are irrelevant.
"""

from collections.abc import Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import calculations
from rlgym.generators.calculations import Facts, answer_line, calculation_line, format_decimal, format_fraction, operand, sum_formula
from rlgym.generators.stories import moving, people, phrase, places
from rlgym.generators.stories.moving import Runner, active_time, constant_stretches, finish_time, pace_form, pace_sentences, sample_runners
from rlgym.generators.text.english import join_words

ASKED = "the number asked for"
KINDS = {"road": ("meeting",), "many": ("meeting", "chase", "work"), "all": ("chase", "work", "pipes", "pipes")}
ANSWER = Rational("one exact number, as an integer, a fraction or a decimal, without the unit", as_decimal=True)
CONCEPT = "Between two moments at which somebody starts or stops, the paces add up; keep account of what is done from moment to moment."


class Knobs(Config):
    runners: int = knob(4, easy=2, hard=9, doc="people or pipes at work")
    breaks: int = knob(3, easy=0, hard=10, doc="how many late starts and breaks")
    kinds: str = knob("many", easy="road", hard="all", order=tuple(KINDS), doc="roads, also chases and jobs, or also tanks with drains")


class Data(TaskData):
    kind: str
    runners: tuple[Runner, ...]
    amount: int
    end: tuple[int, int]
    asked: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, shifted=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, shifted=True)


def solve(task: Task[Data]) -> Fraction:
    data = task.data
    if data.asked < 0:
        end = finish_time(data.runners, Fraction(data.amount))
        assert end is not None
        return end
    end, runner = Fraction(*data.end), data.runners[data.asked]
    others = sum(Fraction(*other.pace) * active_time(other, end) for i, other in enumerate(data.runners) if i != data.asked)
    pace = abs((data.amount - others) / active_time(runner, end))
    return 1 / pace if data.kind == "work" else pace


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == _right_value(task.data), "that number does not fit the story")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    rested = sum(t - s for runner in data.runners for s, t in runner.rests()) or 2
    paces = [abs(Fraction(*runner.pace)) for runner in data.runners]
    return [data.amount / sum(paces, Fraction(0)), right + rested, right * 2, right + 1, data.amount / paces[0]]


def cost(task: Task[Data]) -> float:
    data = task.data
    rests = sum(len(runner.rests()) for runner in data.runners)
    return len(data.runners) + 3 * rests + (3 if data.kind in ("work", "pipes") else 0) + (2 if data.asked >= 0 else 0)


def _lines(task: Task[Data]) -> Iterator[str]:
    return _pace_lines(task.data) if task.data.asked >= 0 else _time_lines(task.data)


def _pace_lines(data: Data) -> Iterator[str]:
    """The pace of one runner, from the time at the end and the parts of all others."""
    end, total = Fraction(*data.end), []
    for i, runner in enumerate(data.runners):
        rests = [(s, min(Fraction(t), end)) for s, t in runner.rests() if s < end]
        pauses = "".join(f" - ({format_fraction(t)} - {s})" for s, t in rests)
        yield calculation_line(f"minutes of {runner.name}", operand(end) + pauses)
        if i != data.asked:
            pace, minutes = Fraction(*runner.pace), active_time(runner, end)
            yield calculation_line(f"part of {runner.name}", f"{operand(pace)} * {operand(minutes)}")
            total.append(pace * minutes)
    asked = data.runners[data.asked]
    minutes_asked, rest = operand(active_time(asked, end)), f"({data.amount} - ({sum_formula(total)}))"
    if asked.pace[0] < 0:
        rest = f"({sum_formula(total)} - {data.amount})"
    yield answer_line(ASKED, f"{minutes_asked} / {rest}" if data.kind == "work" else f"{rest} / {minutes_asked}")


def _time_lines(data: Data) -> Iterator[str]:
    """The time at the end, stretch by stretch."""
    done = Fraction(0)
    for start, end, pace in constant_stretches(data.runners):
        paces = [Fraction(*runner.pace) for runner in data.runners if not any(s <= start < t for s, t in runner.rests())]
        yield calculation_line(f"pace from minute {start}", sum_formula(paces))
        if pace > 0 and (end is None or done + pace * (end - start) >= data.amount):
            yield answer_line(ASKED, f"{start} + ({data.amount} - {operand(done)}) / {operand(pace)}")
            return
        assert end is not None
        yield calculation_line(f"done by minute {end}", f"{operand(done)} + {operand(pace)} * ({end} - {start})")
        done += pace * (end - start)


def _facts(data: Data) -> Facts:
    facts, done, end = {ASKED: _right_value(data)}, Fraction(0), Fraction(*data.end)
    for start, end_at, pace in constant_stretches(data.runners):
        facts[f"pace from minute {start}"] = pace
        if end_at is not None:
            done += pace * (end_at - start)
            facts[f"done by minute {end_at}"] = done
    for runner in data.runners if data.asked >= 0 else ():
        facts[f"minutes of {runner.name}"] = active_time(runner, end)
        facts[f"part of {runner.name}"] = Fraction(*runner.pace) * active_time(runner, end)
    return {name: (value, "") for name, value in facts.items()}


def _right_value(data: Data) -> Fraction:
    pace = abs(Fraction(*data.runners[data.asked].pace))
    return Fraction(*data.end) if data.asked < 0 else 1 / pace if data.kind == "work" else pace


def _sample_task(rng: Rng, knobs: Knobs, shifted: bool) -> Task[Data]:
    while True:
        kind = rng.choice(KINDS[knobs.kinds])
        runners, amount = sample_runners(rng, kind, knobs.runners, knobs.breaks)
        end = finish_time(runners, Fraction(amount))
        if end and end.denominator < 10**6 and all(active_time(runner, end) > 0 for runner in runners):
            break
    target_runner = rng.integer(0, len(runners) - 1) if shifted else -1
    measure = "litres" if kind == "pipes" else "metres"
    size = f"{format_decimal(Fraction(amount, 1000))} kilometres" if shifted and kind in ("meeting", "chase") else f"{amount} {measure}"
    names = [runner.name for runner in runners]
    (p, q), ends = places(rng, 2), phrase(rng, moving.ENDS[kind], a=names[0], b=names[-1])
    scene = phrase(rng, moving.SCENES[kind], a=names[0], b=names[-1], p=p, q=q, n=size, all=join_words(names))
    sentences = [
        _capitalize(sentence) for i, runner in enumerate(runners) for sentence in pace_sentences(rng, kind, runner, i == target_runner)
    ]
    if shifted:
        sentences += [
            phrase(rng, moving.ASIDES, who=rng.choice(people(rng, 3)), n=rng.integer(3, 70)) for _ in range(1 + knobs.breaks // 4)
        ]
        form = pace_form(kind, runners[target_runner])
        question = f"{phrase(rng, moving.TOLD_ENDS, t=format_fraction(end), end=ends)} {phrase(rng, moving.UNKNOWN[form], who=names[target_runner])}"
    else:
        question = phrase(rng, moving.ASKS, end=ends)
    data = Data(kind=kind, runners=runners, amount=amount, end=(end.numerator, end.denominator), asked=target_runner)
    return Task(" ".join([scene, phrase(rng, moving.CLOCKS), *rng.shuffled(sentences), question]), data)


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]


solution = calculations.solution(_lines, lambda task: _facts(task.data), "0 1 2", known=lambda task: [task.data.amount])

environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=solution, shift=shift, concept=CONCEPT, version=6
)
