"""Pair up students and mentors so that no two of them would both rather have each other.

Any stable pairing is accepted; at the harder levels the one that is best for all mentors at once is wanted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators import pictures
from rlgym.generators.steps import Line, ended, first_wrong

Lists = tuple[tuple[int, ...], ...]
Pairs = tuple[tuple[str, str], ...]
ALONE, KEEPS = Line("{one} has asked everyone and stays alone"), Line("{one} asks {other}, who would rather keep {before}")
AGREES, LEAVES = Line("{one} asks {other}, who agrees"), Line("{one} asks {other}, who agrees and leaves {before}")


class Knobs(Config):
    students: int = knob(7, easy=3, hard=24, doc="students, and as many mentors")
    refused: int = knob(10, easy=0, hard=30, doc="percent of possible pairs that are refused")
    asked: str = knob("any", easy="any", hard="best", order=("any", "best"), doc="any stable pairing, or the one best for the mentors")


class Data(TaskData):
    students: Lists
    mentors: Lists
    """For each, the others from the most to the least wanted, from 0."""
    best: tuple[tuple[int, int], ...]
    """The pairing that is asked for, student first; empty where any stable one will do."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, agreed=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Lists that differ little, since all think much the same of the others."""
    return _made(rng, knobs, agreed=True)


def solve(task: Task[Data]) -> Pairs:
    """Students ask first; from their pairing rotations lead on to the one that is best for mentors."""
    data = task.data
    held = _proposed(data.students, data.mentors)
    while data.best and (better := _rotated(data, held)):
        held = better
    return _named(held)


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    count = len(data.students)
    students, mentors = ({f"{letter}{i + 1}": i for i in range(count)} for letter in "sm")
    held: dict[int, int] = {}
    for one, other in answer:
        student, mentor = (one, other) if one in students else (other, one)
        if student not in students or mentor not in mentors or students[student] in held:
            return Score.wrong("every pair must be a student and a mentor, and nobody may be in two pairs")
        held[students[student]] = mentors[mentor]
    by_mentor = {j: i for i, j in held.items()}
    if len(by_mentor) < len(held):
        return Score.wrong("a mentor is in two pairs")
    if any(j not in data.students[i] for i, j in held.items()):
        return Score.wrong("a pair does not accept each other")
    for i, wanted in enumerate(data.students):
        for j in wanted:
            if held.get(i) == j:
                break
            ranks = data.mentors[j]
            if j not in by_mentor or ranks.index(i) < ranks.index(by_mentor[j]):
                return Score.wrong(f"S{i + 1} and M{j + 1} would both rather have each other")
    return Score.exact(
        not data.best or tuple(sorted(held.items())) == data.best, "this pairing is stable, but another one is better for the mentors"
    )


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    in_order = tuple(sorted((f"s{i}", f"m{i}") for i in range(1, len(data.students) + 1)))
    turned = tuple((name, right[i - 1][1]) for i, (name, _) in enumerate(right))
    firsts = tuple(sorted((f"s{i + 1}", f"m{wanted[0] + 1}") for i, wanted in enumerate(data.students)))
    return [_named(_proposed(data.students, data.mentors)), in_order, turned, firsts, right[1:]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(map(len, data.students)) * (2 if data.best else 1))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    askers, asked, letters = (data.mentors, data.students, "MS") if data.best else (data.students, data.mentors, "SM")
    steps, holds, waiting, place = [], dict[int, int](), list(range(len(askers))), [0] * len(askers)
    while waiting:
        one = waiting.pop(0)
        if place[one] == len(askers[one]):
            steps.append(ALONE.write(one=f"{letters[0]}{one + 1}"))
            continue
        other = askers[one][place[one]]
        place[one] += 1
        before = holds.get(other)
        names = {"one": f"{letters[0]}{one + 1}", "other": f"{letters[1]}{other + 1}", "before": f"{letters[0]}{(before or 0) + 1}"}
        if before is not None and asked[other].index(before) < asked[other].index(one):
            steps.append(KEEPS.write(**names))
            waiting.insert(0, one)
            continue
        holds[other] = one
        steps.append((AGREES if before is None else LEAVES).write(**names))
        if before is not None:
            waiting.insert(0, before)
    return [*steps, "The pairs are:\n" + environment.answer.render(right)]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    askers, asked, letters = (data.mentors, data.students, "MS") if data.best else (data.students, data.mentors, "SM")
    holds, place = dict[int, int](), [0] * len(askers)

    def number(name: str, letter: str) -> int:
        if not name.startswith(letter) or not 0 < int(name[1:]) <= len(askers):
            raise ValueError(f"nobody is called {name!r}")
        return int(name[1:]) - 1

    def follows(step: str) -> bool:
        if read := ALONE.read(step):
            one = number(read["one"], letters[0])
            return one not in holds.values() and place[one] == len(askers[one])
        found = [(line, read) for line in (KEEPS, LEAVES, AGREES) if (read := line.read(step))]
        if not found:
            return False
        line, read = found[0]
        one, other = number(read["one"], letters[0]), number(read["other"], letters[1])
        if one in holds.values() or askers[one][place[one]] != other:
            return False
        place[one] += 1
        before = holds.get(other)
        if line is AGREES:
            true = before is None
        else:
            ranks = asked[other]
            true = before == number(read["before"], letters[0]) and (ranks.index(before) < ranks.index(one)) == (line is KEEPS)
        holds[other] = holds[other] if line is KEEPS else one
        return true

    return first_wrong(steps, follows, ended("The pairs are:\n", task, environment.answer, verify))


def picture(task: Task[Data]) -> str:
    data = task.data
    rows = [[f"M{j + 1}" for j in wanted] for wanted in data.students] + [[f"S{i + 1}" for i in wanted] for wanted in data.mentors]
    names = [f"{letter}{i + 1}" for letter, side in (("S", data.students), ("M", data.mentors)) for i in range(len(side))]
    return pictures.board(rows, left=names)


def _made(rng: Rng, knobs: Knobs, agreed: bool) -> Task[Data]:
    count = knobs.students
    refused = {(i, j): rng.chance(knobs.refused / 100) and i != j for i in range(count) for j in range(count)}
    order = _much_the_same if agreed else _any_order
    students = tuple(tuple(j for j in order(rng, count) if not refused[i, j]) for i in range(count))
    mentors = tuple(tuple(i for i in order(rng, count) if not refused[i, j]) for j in range(count))
    best = tuple(sorted((i, j) for j, i in _proposed(mentors, students).items())) if knobs.asked == "best" else ()
    rows = [f"S{i}: {' '.join(f'M{j + 1}' for j in wanted)}" for i, wanted in enumerate(students, 1)]
    rows += [f"M{j}: {' '.join(f'S{i + 1}' for i in wanted)}" for j, wanted in enumerate(mentors, 1)]
    asked = (
        "Of all stable pairings give the one in which every mentor has, of the students whom this mentor has in any stable one, the most wanted."
        if best
        else "Give any stable pairing."
    )
    prompt = (
        f"Students S1 to S{count} and mentors M1 to M{count} are to be paired. Each has a list of those they accept, the most wanted first; they would rather "
        "stay alone than be paired with anyone else, and rather be paired with anyone on their list than stay alone:\n"
        + "\n".join(rows)
        + "\n\nNobody is in more than one pair. A pairing is stable if all pairs accept each other and there are no student and mentor, accepting each other "
        f"and not paired with each other, who would both rather have each other than what they have. {asked} Leave out who stays alone."
    )
    return Task(prompt, Data(students=students, mentors=mentors, best=best))


def _any_order(rng: Rng, count: int) -> list[int]:
    return rng.shuffled(range(count))


def _much_the_same(rng: Rng, count: int) -> list[int]:
    """The order of numbers, with everyone moved down by up to half the list."""
    return sorted(range(count), key=lambda i: i + rng.integer(0, 1 + count // 2))


def _named(held: dict[int, int]) -> Pairs:
    return tuple(sorted((f"s{i + 1}", f"m{j + 1}") for i, j in held.items()))


def _proposed(askers: Lists, asked: Lists) -> dict[int, int]:
    """Whom each asker ends with when all ask in the order of their lists and those asked keep the best so far (Gale and Shapley)."""
    holds: dict[int, int] = {}
    waiting, place = list(range(len(askers)))[::-1], [0] * len(askers)
    while waiting:
        one = waiting.pop()
        if place[one] == len(askers[one]):
            continue
        other = askers[one][place[one]]
        place[one] += 1
        if other not in holds or asked[other].index(one) < asked[other].index(holds[other]):
            if other in holds:
                waiting.append(holds[other])
            holds[other] = one
        else:
            waiting.append(one)
    return {one: other for other, one in holds.items()}


def _rotated(data: Data, held: dict[int, int]) -> dict[int, int] | None:
    """The pairing after one rotation: a ring of students each of whom goes on to the next mentor that would rather have this student."""
    by_mentor = {j: i for i, j in held.items()}
    goes: dict[int, int] = {}
    for i, j in held.items():
        later = data.students[i][data.students[i].index(j) + 1 :]
        # A mentor who stays alone in one stable pairing does so in all: nobody may go on past such a one.
        better = (k for k in later if k not in by_mentor or data.mentors[k].index(i) < data.mentors[k].index(by_mentor[k]))
        following = next(better, None)
        if following in by_mentor:
            goes[i] = following
    for start in sorted(goes):
        walk = [start]
        while walk[-1] in goes and len(set(walk)) == len(walk):
            walk.append(by_mentor[goes[walk[-1]]])
        if len(set(walk)) < len(walk):
            ring = walk[walk.index(walk[-1]) : -1]
            return {**held, **{i: goes[i] for i in ring}}
    return None


def _others(task: Task[Data]) -> Iterator[Pairs]:
    """From the mentors' side, and every pairing on the way there."""
    data = task.data
    yield _named({i: j for j, i in _proposed(data.mentors, data.students).items()})
    held: dict[int, int] | None = None if data.best else _proposed(data.students, data.mentors)
    while held:
        yield _named(held)
        held = _rotated(data, held)


environment = Environment(
    Knobs,
    Mapping("one line `student: mentor` for each pair"),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    picture=picture,
    answers="many",
    solutions=_others,
    concept="One side asks in the order of its lists, the other keeps the best offer so far; the side that asks gets its best stable pairing.",
)
