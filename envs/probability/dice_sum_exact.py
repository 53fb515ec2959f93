"""Find the exact probability of a sum of dice, perhaps knowing something about what the dice show.

Dice may have different numbers of sides; in the shifted family they have odd faces, some of them several times.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Rational
from rlgym.generators import stories
from rlgym.generators.probability import probabilities
from rlgym.generators.text.english import join_words

ANSWER = Rational("the exact probability as a fraction a/b, which need not be in lowest terms")
WAYS = "ways to reach {total} with dice 1 to {dice} among {which}"
COUNT = "rolls whose sum {event} among {which}"
ALL = "{which}"
WHICH = ("all rolls", "rolls under the limit", "rolls without that number")
CONDITIONS = ("none", "limit", "some")


class Knobs(Config):
    dice: int = knob(3, easy=2, hard=5, doc="how many dice")
    sides: int = knob(7, easy=6, hard=10, doc="most sides of a die")
    condition: str = knob(
        "limit", easy="none", hard="some", order=CONDITIONS, doc="what is known: nothing, a limit for every die, or what at least one shows"
    )


class Data(TaskData):
    faces: tuple[tuple[int, ...], ...]
    event: str  # exactly, at least, or multiple of
    target: int
    condition: str
    face: int
    value: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, [tuple(range(1, rng.integer(4, knobs.sides) + 1)) for _ in range(knobs.dice)], False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    odd_faces = [tuple(sorted(rng.integer(0, 2 * knobs.sides) for _ in range(rng.integer(4, knobs.sides)))) for _ in range(knobs.dice)]
    return _sample_task(rng, knobs, odd_faces, True)


def solve(task: Task[Data]) -> Fraction:
    # From the last die backwards; `generate` adds die to die.
    data = task.data

    @cache
    def hits(dice: int, total: int, limited: bool) -> int:
        if not dice:
            return int(_is_hit(data.event, data.target, total))
        die = data.faces[dice - 1]
        if dice == 1 and not limited:
            return sum([_is_hit(data.event, data.target, total + face) for face in die])
        return sum([hits(dice - 1, total + face, limited) for face in die if not limited or _is_allowed(data, face)])

    count, size = len(data.faces), prod(map(len, data.faces))
    if data.condition == "none":
        return Fraction(hits(count, 0, False), size)
    total_outcomes = prod(sum(_is_allowed(data, face) for face in die) for die in data.faces)
    if data.condition == "limit":
        return Fraction(hits(count, 0, True), total_outcomes)
    return Fraction(hits(count, 0, False) - hits(count, 0, True), size - total_outcomes)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.value), "the probability is different")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    ways = _sums(data, WHICH[0])
    plain = Fraction(sum(count for total, count in ways.items() if _is_hit(data.event, data.target, total)), sum(ways.values()))
    return probabilities.near_misses(right, plain, Fraction(1, len(ways)))


def cost(task: Task[Data]) -> float:
    return sum(len(die) for die in task.data.faces) * len(task.data.faces) * (1 + CONDITIONS.index(task.data.condition))


def calculation(task: Task[Data]) -> list[str]:
    data, working = task.data, probabilities.Working()
    which = WHICH[CONDITIONS.index(data.condition)]
    hits = _count_favourable(data, working, which)
    size = working.let(which, "*".join(str(sum(_fits(data, which, face) for face in die)) for die in data.faces))
    if data.condition != "some":
        return working.last("probability", f"{hits}/{size}")
    all_favourable, rolls = _count_favourable(data, working, WHICH[0]), working.let(WHICH[0], "*".join(str(len(die)) for die in data.faces))
    return working.last("probability", f"({all_favourable} - {hits})/({rolls} - {size})")


def quantities(task: Task[Data]) -> probabilities.QuantityTemplates:
    data = task.data

    def ways(total: str, dice: str, which: str) -> int:
        return _sums(data, which, int(dice))[int(total)]

    def count(event: str, which: str) -> int:
        if event != _event(data.event, data.target):
            raise ValueError("another event")
        return sum(ways for total, ways in _sums(data, which).items() if _is_hit(data.event, data.target, total))

    return {WAYS: ways, COUNT: count, "probability": lambda: Fraction(data.value), ALL: lambda which: sum(_sums(data, which).values())}


def _sample_task(rng: Rng, knobs: Knobs, faces: list[tuple[int, ...]], odd_faces: bool) -> Task[Data]:
    faces.sort(key=lambda die: (len(die), die))
    for _ in range(60):
        rolled = [rng.choice(die) for die in faces]
        event = rng.choice(("exactly", "at least", "multiple of") if knobs.dice > 2 else ("exactly", "at least"))
        target = rng.integer(3, 7) if event == "multiple of" else max(1, sum(rolled))
        face = max(rolled) if knobs.condition == "limit" else rng.choice(rolled)
        probability_found = solve(
            Task("", Data(faces=tuple(faces), event=event, target=target, condition=knobs.condition, face=face, value=""))
        )
        # One in five sums is a multiple of 5, which would be too good a guess.
        if 0 < probability_found < 1 and (event != "multiple of" or probability_found != Fraction(1, target)):
            break
    data = Data(faces=tuple(faces), event=event, target=target, condition=knobs.condition, face=face, value="")
    ways = _sums(data, WHICH[CONDITIONS.index(knobs.condition)])
    if knobs.condition == "some":
        ways = _sums(data, WHICH[0]) - ways
    hits = sum(count for total, count in ways.items() if _is_hit(event, target, total))
    known = {"none": "", "limit": f"no die shows more than {face}", "some": f"at least one die shows a {face}"}[knobs.condition]
    who = rng.choice(stories.PEOPLE)
    if odd_faces:
        face_list = "; ".join(f"die {i}: {', '.join(map(str, die))}" for i, die in enumerate(faces, 1))
        opening = f"{who} rolls {knobs.dice} dice once. All the sides of a die are equally likely; they show these numbers: {face_list}."
    else:
        sides = Counter(map(len, faces))
        dice = join_words([f"{count} {'die' if count == 1 else 'dice'} with {size} sides" for size, count in sides.items()])
        opening = f"{who} rolls {dice}, all at once. The sides of each die are numbered consecutively from 1; all are equally likely."
    prompt = f"{opening} {probabilities.render_question(rng, f'the sum {_event(event, target)}', known)}"
    return Task(prompt, data.model_copy(update={"value": str(Fraction(hits, sum(ways.values())))}))


def _event(event: str, target: int) -> str:
    return {"exactly": f"is exactly {target}", "at least": f"is at least {target}", "multiple of": f"is a multiple of {target}"}[event]


def _is_hit(event: str, target: int, total: int) -> bool:
    return total == target if event == "exactly" else total >= target if event == "at least" else total % target == 0


def _is_allowed(data: Data, face: int) -> bool:
    return face <= data.face if data.condition == "limit" else face != data.face


def _fits(data: Data, which: str, face: int) -> bool:
    if which not in (WHICH[0], WHICH[CONDITIONS.index(data.condition)]):
        raise ValueError("the prompt names no such rolls")
    return which == WHICH[0] or _is_allowed(data, face)


def _sums(data: Data, which: str, dice: int | None = None) -> Counter[int]:
    ways = Counter({0: 1})
    for die in data.faces[:dice]:
        further: Counter[int] = Counter()
        for face in die:
            if _fits(data, which, face):
                for total, count in ways.items():
                    further[total + face] += count
        ways = further
    return ways


def _count_favourable(data: Data, working: probabilities.Working, which: str) -> Fraction:
    """Works out, die by die, in how many ways each sum comes about, and at the last die how many rolls are favourable."""
    faces = [[face for face in die if _fits(data, which, face)] for die in data.faces]
    for dice in range(1, len(faces)):
        before = _sums(data, which, dice - 1)
        for total in sorted(_sums(data, which, dice)):
            terms = " + ".join(str(before[total - face]) for face in faces[dice - 1] if before[total - face])
            working.let(WAYS.format(total=total, dice=dice, which=which), terms)
    before = _sums(data, which, len(faces) - 1)
    hits = {total: sum(_is_hit(data.event, data.target, total + face) for face in faces[-1]) for total in sorted(before)}
    return working.let(
        COUNT.format(event=_event(data.event, data.target), which=which),
        probabilities.sum_of_products([(before[total], hits[total]) for total in hits]),
    )


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=probabilities.solution(calculation, quantities), shift=shift,
    concept="Count in how many ways each sum comes about, die by die; knowing something means counting only the rolls that fit it.",
    version=5,
)  # fmt: skip
