"""Pair up students and mentors so that no two of them would both rather have each other.

Any stable pairing is accepted; at the harder levels the one that is best for all mentors at once is wanted. On the upper levels there are fewer people, but
many stable pairings, and the one with the smallest sum of places on the lists is wanted, which is best for neither side.
"""

from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import draw_against
from rlgym.generators.graphs import stable_pairings
from rlgym.generators.graphs.stable_pairings import Lists
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
ALONE, KEEPS = Step("{one} has asked everyone and stays alone"), Step("{one} asks {other}, who would rather keep {before}")
AGREES, LEAVES = Step("{one} asks {other}, who agrees"), Step("{one} asks {other}, who agrees and leaves {before}")

STABLE = Step("This pairing is stable: {pairs:words}; the sum of places is {total:int}")


class Knobs(Config):
    students: int = knob(7, easy=5, hard=24, doc="students, and as many mentors")
    refused: int = knob(10, easy=0, hard=30, doc="percent of possible pairs that are refused")
    objective: str = knob(
        "any", easy="any", hard="best", order=("any", "best"), doc="any stable matching, or the one that is best for the mentors"
    )
    fairness: str = knob(
        "one side",
        easy="one side",
        hard="both",
        order=("one side", "both"),
        doc="as the objective says, or best for both sides together (nearly half as many people)",
    )


class Data(TaskData):
    students: Lists
    mentors: Lists
    """For each, the others from the most to the least wanted, from 0."""
    best: tuple[tuple[int, int], ...]
    """The pairing that is asked for, student first; empty where any stable one will do."""
    fair: bool = False
    """Whether `best` is the stable pairing with the smallest sum of places."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_fair(rng, knobs, agreed=False) if knobs.fairness == "both" else _sample_task(rng, knobs, agreed=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Similar preference lists, since all have much the same opinion of the others."""
    return _sample_fair(rng, knobs, agreed=True) if knobs.fairness == "both" else _sample_task(rng, knobs, agreed=True)


def solve(task: Task[Data]) -> Pairs:
    """Gale-Shapley from the students' side; rotations then lead to the pairing that is best for the mentors."""
    data = task.data
    if data.fair:
        found = stable_pairings.all_by_backtracking(data.students, data.mentors)
        return _pair_names(min(found, key=lambda each: stable_pairings.sum_of_places(data.students, data.mentors, each)))
    matching = stable_pairings.gale_shapley(data.students, data.mentors)
    while data.best and (better := next(stable_pairings.rotations(data.students, data.mentors, matching), None)):
        matching = better
    return _pair_names(matching)


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    count = len(data.students)
    students, mentors = ({f"{letter}{i + 1}": i for i in range(count)} for letter in "sm")
    matching: dict[int, int] = {}
    for first, second in answer:
        student, mentor = (first, second) if first in students else (second, first)
        if student not in students or mentor not in mentors or students[student] in matching:
            return Score.wrong("every pair must be a student and a mentor, and nobody may be in two pairs")
        matching[students[student]] = mentors[mentor]
    by_mentor = {j: i for i, j in matching.items()}
    if len(by_mentor) < len(matching):
        return Score.wrong("a mentor is in two pairs")
    if any(j not in data.students[i] for i, j in matching.items()):
        return Score.wrong("a pair does not accept each other")
    for i, preferences in enumerate(data.students):
        for j in preferences:
            if matching.get(i) == j:
                break
            ranks = data.mentors[j]
            if j not in by_mentor or ranks.index(i) < ranks.index(by_mentor[j]):
                return Score.wrong(f"S{i + 1} and M{j + 1} would both rather have each other")
    return Score.exact(not data.best or tuple(sorted(matching.items())) == data.best, "this pairing is stable, but another one is better")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    in_order = tuple(sorted((f"s{i}", f"m{i}") for i in range(1, len(data.students) + 1)))
    rotated = tuple((name, right[i - 1][1]) for i, (name, _) in enumerate(right))
    firsts = tuple(sorted((f"s{i + 1}", f"m{preferences[0] + 1}") for i, preferences in enumerate(data.students)))
    if data.fair:
        others = [_pair_names(each) for each in stable_pairings.all_by_rotations(data.students, data.mentors)]
        return [each for each in [*others, in_order, rotated, right[1:]] if each != right]
    return [_pair_names(stable_pairings.gale_shapley(data.students, data.mentors)), in_order, rotated, firsts, right[1:]]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.fair:
        return float(sum(map(len, data.students)) * (3 + len(stable_pairings.all_by_rotations(data.students, data.mentors))))
    return float(sum(map(len, data.students)) * (2 if data.best else 1))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.fair:
        for matching in stable_pairings.all_by_rotations(data.students, data.mentors):
            total = stable_pairings.sum_of_places(data.students, data.mentors, matching)
            yield STABLE(pairs=[f"S{i + 1}-M{j + 1}" for i, j in sorted(matching.items())], total=total)
        return
    askers, answerers, letters = (data.mentors, data.students, "MS") if data.best else (data.students, data.mentors, "SM")
    holds, waiting, place = dict[int, int](), list(range(len(askers))), [0] * len(askers)
    while waiting:
        first = waiting.pop(0)
        name = f"{letters[0]}{first + 1}"
        if place[first] == len(askers[first]):
            yield ALONE(one=name)
            continue
        second = askers[first][place[first]]
        other_name, before = f"{letters[1]}{second + 1}", holds.get(second)
        place[first] += 1
        if before is None:
            yield AGREES(one=name, other=other_name)
            holds[second] = first
        elif answerers[second].index(before) < answerers[second].index(first):
            yield KEEPS(one=name, other=other_name, before=f"{letters[0]}{before + 1}")
            waiting.insert(0, first)
        else:
            yield LEAVES(one=name, other=other_name, before=f"{letters[0]}{before + 1}")
            holds[second] = first
            waiting.insert(0, before)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    askers, answerers, letters = (data.mentors, data.students, "MS") if data.best else (data.students, data.mentors, "SM")
    holds, place = dict[int, int](), [0] * len(askers)

    def number(name: str, letter: str) -> int:
        if not name.startswith(letter) or not 0 < int(name[1:]) <= len(askers):
            raise ValueError(f"nobody is called {name!r}")
        return int(name[1:]) - 1

    def stays_alone(one: str) -> bool:
        asker = number(one, letters[0])
        return asker not in holds.values() and place[asker] == len(askers[asker])

    def asks(one: str, other: str, before: str | None, keeps: bool) -> bool:
        asker, asked_person = number(one, letters[0]), number(other, letters[1])
        if asker in holds.values() or askers[asker][place[asker]] != asked_person:
            return False
        place[asker] += 1
        holder = holds.get(asked_person)
        if not keeps:
            holds[asked_person] = asker
        if before is None or holder is None:
            return before is None and holder is None
        ranks = answerers[asked_person]
        return holder == number(before, letters[0]) and (ranks.index(holder) < ranks.index(asker)) == keeps

    listed = iter(derive(task)) if data.fair else iter(())

    def is_next(pairs: tuple[str, ...], total: int) -> bool:
        return next(listed, None) == STABLE(pairs=list(pairs), total=total)

    return {
        STABLE: is_next,
        ALONE: stays_alone,
        KEEPS: lambda one, other, before: asks(one, other, before, keeps=True),
        LEAVES: lambda one, other, before: asks(one, other, before, keeps=False),
        AGREES: lambda one, other: asks(one, other, None, keeps=False),
    }


def picture(task: Task[Data]) -> str:
    data = task.data
    rows = [[f"M{j + 1}" for j in preferences] for preferences in data.students] + [
        [f"S{i + 1}" for i in preferences] for preferences in data.mentors
    ]
    names = [f"{letter}{i + 1}" for letter, side in (("S", data.students), ("M", data.mentors)) for i in range(len(side))]
    return pictures.board(rows, left=names)


def _sample_task(rng: Rng, knobs: Knobs, agreed: bool) -> Task[Data]:
    count = knobs.students
    refused = {(i, j): rng.chance(knobs.refused / 100) and i != j for i in range(count) for j in range(count)}
    order = _much_the_same if agreed else _any_order
    liked_mentors, liked_students = rng.shuffled(range(count)), rng.shuffled(range(count))  # by common opinion
    students = tuple(tuple(j for k in order(rng, count) if not refused[i, j := liked_mentors[k]]) for i in range(count))
    mentors = tuple(tuple(i for k in order(rng, count) if not refused[i := liked_students[k], j]) for j in range(count))
    best = tuple(sorted((i, j) for j, i in stable_pairings.gale_shapley(mentors, students).items())) if knobs.objective == "best" else ()
    rows = [f"S{i}: {' '.join(f'M{j + 1}' for j in preferences)}" for i, preferences in enumerate(students, 1)]
    rows += [f"M{j}: {' '.join(f'S{i + 1}' for i in preferences)}" for j, preferences in enumerate(mentors, 1)]
    answerers = (
        "Give the mentor-optimal stable pairing: the one in which every mentor has the best partner that this mentor has in any stable pairing."
        if best
        else "Give any one stable pairing."
    )
    full = knobs.refused == 0
    pairing = (
        "Everybody is in exactly one pair."
        if full
        else "Everybody is in at most one pair, and both partners of a pair must accept each other."
    )
    alone = "" if full else "; everybody prefers any person on their list to staying alone, and staying alone to anybody else"
    accept = "" if full else "accept each other and "
    stay = "with their partners" if full else "stay as they are"
    leave = "" if full else " Leave out those who stay alone."
    prompt = (
        f"Students S1 to S{count} and mentors M1 to M{count} are to be paired. "
        f"Each has a {'preference list' if full else 'list of those they accept'}, the most preferred first{alone}:\n"
        + "\n".join(rows)
        + f"\n\n{pairing} A pairing is stable if there is no student and mentor who {accept}"
        f"would both rather be paired with each other than {stay}. {answerers}{leave}"
    )
    return Task(prompt, Data(students=students, mentors=mentors, best=best))


def _sample_fair(rng: Rng, knobs: Knobs, agreed: bool) -> Task[Data]:
    """Lists with several stable pairings, of which one has the smallest sum and is best for neither side, if there are such among the draws."""
    count = max(4, knobs.students * 11 // 24)

    def draw() -> tuple[Data, int]:
        while True:
            students = tuple(tuple(rng.shuffled(range(count))) for _ in range(count))
            mentors = tuple(tuple(rng.shuffled(range(count))) for _ in range(count))
            if agreed:
                # Those who are wanted most want others least, as in contests for partners: many pairings are stable.
                mentors = tuple(tuple(sorted(range(count), key=lambda i: -students[i].index(j) + rng.integer(0, 2))) for j in range(count))
            found = stable_pairings.all_by_rotations(students, mentors)
            found.sort(key=lambda each: stable_pairings.sum_of_places(students, mentors, each))
            sums = [stable_pairings.sum_of_places(students, mentors, each) for each in found]
            if len(found) > 1 and sums[0] < sums[1]:
                best = found[0]
                sides = [
                    stable_pairings.gale_shapley(students, mentors),
                    {i: j for j, i in stable_pairings.gale_shapley(mentors, students).items()},
                ]
                data = Data(students=students, mentors=mentors, best=tuple(sorted(best.items())), fair=True)
                return data, 0 if best in sides else len(found)

    data, _ = draw_against(draw, lambda drawn: not count * 2 // 3 <= drawn[1] <= 3 * count, 40)
    rows = [f"S{i}: {' '.join(f'M{j + 1}' for j in preferences)}" for i, preferences in enumerate(data.students, 1)]
    rows += [f"M{j}: {' '.join(f'S{i + 1}' for i in preferences)}" for j, preferences in enumerate(data.mentors, 1)]
    listing = "\n".join(rows)
    prompt = (
        f"Students S1 to S{count} and mentors M1 to M{count} are to be paired. Each has a preference list, the most preferred first:\n{listing}\n\n"
        "Everybody is in exactly one pair. A pairing is stable if there is no student and mentor who would both rather be paired with each other than with "
        "their partners. A partner at the first place of a list counts 1, at the second place 2, and so on. Of all stable pairings, give the one with the "
        "smallest sum over all students and all mentors."
    )
    return Task(prompt, data)


def _any_order(rng: Rng, count: int) -> list[int]:
    return rng.shuffled(range(count))


def _much_the_same(rng: Rng, count: int) -> list[int]:
    """The order of numbers, with everyone moved down by up to half the list."""
    return sorted(range(count), key=lambda i: i + rng.integer(0, 1 + count // 2))


def _pair_names(matching: dict[int, int]) -> Pairs:
    return tuple(sorted((f"s{i + 1}", f"m{j + 1}") for i, j in matching.items()))


def _other_answers(task: Task[Data]) -> Iterator[Pairs]:
    """From the mentors' side, and every pairing on the way there."""
    data = task.data
    if data.fair:
        yield solve(task)
        return
    yield _pair_names({i: j for j, i in stable_pairings.gale_shapley(data.mentors, data.students).items()})
    matching: dict[int, int] | None = None if data.best else stable_pairings.gale_shapley(data.students, data.mentors)
    while matching:
        yield _pair_names(matching)
        matching = next(stable_pairings.rotations(data.students, data.mentors, matching), None)


environment = Environment(
    Knobs, Mapping("one line `student: mentor` for each pair"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The pairs are:\n{answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="One side asks in the order of its lists, the other keeps the best offer so far; the side that asks gets its best stable pairing.",
    version=6,
)  # fmt: skip
