"""Make a roster: who does which shift on which day, with rest after nights, wishes, and a fixed number of shifts for each.

Any roster that keeps all rules is accepted. On the upper levels few rosters do, and giving shifts to those who need them most runs into dead ends.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import sample_hard
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
Roster = tuple[str, ...]  # a word of shifts for each nurse
KINDS = {"d": "day", "n": "night", "e": "evening"}
POSITIONS = 3000
TRIES = 16
ANSWER = Mapping("one line `nurse: word` for each nurse")
CHOICE = Step("Day {day:int}, {kind}: {able} can do it, with shifts left {left}; take {nurse}")
END = Step("All shifts are done, and the roster is\n{answer}")


class Knobs(Config):
    nurses: int = knob(4, easy=3, hard=7, beyond=8, doc="how many nurses there are")
    days: int = knob(6, easy=3, hard=12, beyond=14, doc="for how many days the roster is")
    kinds: str = knob("two", easy="one", hard="three", order=("one", "two", "three"), doc="day shifts, nights too, evenings too")
    wishes: int = knob(25, easy=10, hard=70, doc="percent of the days off of a hidden roster that are wished for")
    numbers: str = knob(
        "most", easy="most", hard="exact", order=("most", "exact"), doc="whether shifts are limited or fixed for each nurse"
    )
    positions: int = knob(
        6,
        easy=1,
        hard=150,
        beyond=2000,
        scale="log",
        doc="days that a search looks at before it has a roster, at least, if one of 16 draws takes as many",
    )


class Data(TaskData):
    nurses: tuple[str, ...]
    days: int
    kinds: str
    numbers: tuple[int, ...]
    exact: bool
    off: tuple[tuple[int, int], ...]  # nurse and day
    never: tuple[tuple[int, str], ...]  # nurse and kind


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Nurses are alike, and wish for days off here and there."""
    return _sample_hard(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Some nurses work much and some little, some never do one kind, and days off are wished for in a row."""
    return _sample_hard(rng, knobs, True)


def _sample_hard(rng: Rng, knobs: Knobs, uneven: bool) -> Task[Data]:
    return sample_hard(lambda: _sample_task(rng, knobs, uneven), lambda task: _count_positions(task.data), knobs.positions, TRIES)


def _count_positions(data: Data) -> int:
    """The days that a search looks at before it has a roster, in the better of two orders of nurses."""

    def count(direction: int) -> int:
        budget = [POSITIONS]
        next(_rosters(data, budget, direction), None)
        return POSITIONS - budget[0]

    return min(count(1), count(-1))


def _sample_task(rng: Rng, knobs: Knobs, uneven: bool) -> Task[Data]:
    kinds = {"one": "d", "two": "dn", "three": "dne"}[knobs.kinds]
    count, days = max(knobs.nurses, len(kinds) + 2), knobs.days
    while True:
        weight = [rng.integer(1, 6) if uneven else 1 for _ in range(count)]
        hidden = [""] * count
        for _ in range(days):
            able = [i for i in range(count) if not hidden[i].endswith("n")]
            today = ["o"] * count
            for kind in kinds:
                nurse = rng.weighted(able, [weight[i] for i in able])
                able.remove(nurse)
                today[nurse] = kind
            hidden = [word + sign for word, sign in zip(hidden, today, strict=True)]
        rest = [(i, day) for i, word in enumerate(hidden) for day, sign in enumerate(word) if sign == "o"]
        wished = rng.sample(rest, max(1, len(rest) * knobs.wishes // 100))
        if uneven:
            wished = [(i, day) for i, day in rest if any(i == other_nurse and day - two in (0, 1) for other_nurse, two in wished[::2])]
        lacking = [(i, kind) for i, word in enumerate(hidden) for kind in kinds if kind not in word and len(kinds) > 1]
        never = rng.sample(lacking, len(lacking) // (1 if uneven else 2))
        worked = [days - word.count("o") for word in hidden]
        data = Data(
            nurses=tuple(rng.sample(PEOPLE, count)),
            days=days,
            kinds=kinds,
            numbers=tuple(worked if knobs.numbers == "exact" else [number + 1 for number in worked]),
            exact=knobs.numbers == "exact",
            off=tuple(sorted(wished)),
            never=tuple(sorted(never)),
        )
        if next(_rosters(data, [POSITIONS], 1), None):
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> Pairs:
    return _to_pairs(task.data, next(_rosters(task.data, [10**7], 1)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data, given = task.data, {name: word.replace(" ", "") for name, word in answer}
    if set(given) != {name.lower() for name in data.nurses}:
        return Score.wrong("exactly the nurses must each get a word")
    words = [given[name.lower()] for name in data.nurses]
    if any(len(word) != data.days or not set(word) <= {*data.kinds, "o"} for word in words):
        return Score.wrong(f"each word must have {data.days} letters, each a shift or o")
    for day in range(data.days):
        today = [word[day] for word in words]
        if any(today.count(kind) != 1 for kind in data.kinds):
            return Score.wrong(f"on day {day + 1} not every shift is done by exactly one nurse")
    for i, (name, word) in enumerate(zip(data.nurses, words, strict=True)):
        worked = data.days - word.count("o")
        if worked > data.numbers[i] or (data.exact and worked < data.numbers[i]):
            return Score.wrong(f"the number of shifts of {name} is not as wanted")
        if any(a == "n" and b != "o" for a, b in pairwise(word)):
            return Score.wrong(f"{name} works on the day after a night")
        if any(other_nurse == i and word[day] != "o" for other_nurse, day in data.off) or any(
            other_nurse == i and kind in word for other_nurse, kind in data.never
        ):
            return Score.wrong(f"a wish of {name} is not kept")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    in_turn = ["o" * data.days] * len(data.nurses)
    turn = 0
    for day in range(data.days):
        for kind in data.kinds:
            i = turn % len(in_turn)
            in_turn[i] = in_turn[i][:day] + kind + in_turn[i][day + 1 :]
            turn += 1
    (first, word), (second, other), *rest = right
    swapped = ((first, other), (second, word), *rest)
    idle = tuple((name, "o" * data.days) for name, _ in right)
    greedy = next(_rosters(data.model_copy(update={"off": (), "never": ()}), [3000], -1), tuple(in_turn))
    return [
        _to_pairs(data, tuple(in_turn)),
        swapped,
        idle,
        _to_pairs(data, greedy),
        right[1:],
        tuple((name, word[::-1]) for name, word in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    size = data.days * len(data.kinds) * len(data.nurses) * (2 if data.exact else 1) * (1 + (len(data.off) + len(data.never)) / 20)
    return size * (1 + _count_positions(data) / data.days)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    right = next(_rosters(data, [10**7], 1))
    for day in range(data.days):
        words = [word[:day] for word in right]
        today = {word[day]: i for i, word in enumerate(right) if word[day] != "o"}
        done: list[int] = []
        for kind in data.kinds:
            able = _available_nurses(data, words, done, day, kind)
            left = " ".join(str(_shifts_left(data, words, i)) for i in able)
            nurse = data.nurses[today[kind]]
            yield CHOICE(day=day + 1, kind=KINDS[kind], able=" ".join(data.nurses[i] for i in able), left=left, nurse=nurse)
            done.append(today[kind])
    yield END(answer=ANSWER.render(_to_pairs(data, right)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    words, today = [""] * len(data.nurses), dict[int, str]()

    def chosen(day: int, kind: str, able: str, left: str, nurse: str) -> bool:
        now = len(words[0])
        if now == data.days:
            return False
        shift = data.kinds[len(today)]
        may = _available_nurses(data, words, list(today), now, shift)
        fits = day == now + 1 and kind == KINDS[shift] and able.split() == [data.nurses[i] for i in may]
        who = data.nurses.index(nurse)
        if not fits or list(map(int, left.split())) != [_shifts_left(data, words, i) for i in may] or who not in may:
            return False
        today[who] = shift
        if len(today) == len(data.kinds):
            words[:] = [word + today.get(i, "o") for i, word in enumerate(words)]
            today.clear()
        return True

    return {CHOICE: chosen, END: lambda answer: ANSWER.parse(answer) == _to_pairs(data, tuple(words))}


def picture(task: Task[Data]) -> str:
    data = task.data
    cells = [["" for _ in range(data.days)] for _ in data.nurses]
    shaded = [i * data.days + day for i, day in data.off]
    right = [f"{number}" for number in data.numbers]
    return pictures.board(cells, shaded=shaded, top=[str(day + 1) for day in range(data.days)], left=data.nurses, right=right)


def _render_prompt(data: Data) -> str:
    kinds = ", ".join(f"{sign.upper()} ({KINDS[sign]})" for sign in data.kinds)
    numbers_text = ", ".join(f"{name} {number}" for name, number in zip(data.nurses, data.numbers, strict=True))
    number = (
        f"Each nurse does exactly this number of shifts in all: {numbers_text}."
        if data.exact
        else f"Each nurse does at most this number of shifts in all: {numbers_text}."
    )
    wishes = [f"{data.nurses[i]} does no shift on day {day + 1}" for i, day in data.off]
    wishes += [f"{data.nurses[i]} does no {KINDS[kind]} shift" for i, kind in data.never]
    night = " A nurse who did a night does no shift on the next day." if "n" in data.kinds else ""
    each = f"Every day has these shifts, each done by exactly one nurse: {kinds}."
    listing = "\n".join(wishes)
    return (
        f"The nurses {', '.join(data.nurses)} need a roster for the days 1 to {data.days}. {each} A nurse does at most one shift a day.{night} {number}\n"
        f"{listing}\n\nMake such a roster. Give each nurse a word of {data.days} letters, one for each day in order: the letter of the shift, or O for none."
    )


def _to_pairs(data: Data, roster: Roster) -> Pairs:
    return tuple(sorted((name.lower(), word) for name, word in zip(data.nurses, roster, strict=True)))


def _shifts_left(data: Data, words: Sequence[str], nurse: int) -> int:
    return data.numbers[nurse] - len(words[nurse]) + words[nurse].count("o")


def _available_nurses(data: Data, words: Sequence[str], done: Sequence[int], day: int, kind: str) -> list[int]:
    """Who can do a shift, after what is done so far."""
    return [
        i
        for i, word in enumerate(words)
        if i not in done
        and not word.endswith("n")
        and (i, day) not in data.off
        and (i, kind) not in data.never
        and _shifts_left(data, words, i) > 0
    ]


def _rosters(data: Data, budget: list[int], direction: int) -> Iterator[Roster]:
    """Rosters day by day, those first who have most shifts left for the days left to them; `budget` counts days tried."""
    count = len(data.nurses)
    open_ = [[day for day in range(data.days) if (i, day) not in data.off] for i in range(count)]
    waiting: list[list[str]] = [[""] * count]
    while waiting:
        words = waiting.pop()
        day = len(words[0])
        if day == data.days:
            yield tuple(words)
            continue
        budget[0] -= 1
        if budget[0] < 0:
            return
        if data.exact and any(_shifts_left(data, words, i) > sum(open_day >= day for open_day in open_[i]) for i in range(count)):
            continue
        choices: list[list[int]] = [[]]
        for kind in data.kinds:
            choices = [[*done, i] for done in choices for i in _available_nurses(data, words, done, day, kind)]
        need = [_shifts_left(data, words, i) * 60 // max(1, sum(open_day >= day for open_day in open_[i])) for i in range(count)]
        choices.sort(key=lambda done: (sum(need[i] for i in done), [direction * i for i in done]))
        for done in choices:
            today = dict(zip(done, data.kinds, strict=True))
            waiting.append([word + today.get(i, "o") for i, word in enumerate(words)])


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, picture=picture, answers="many",
    solutions=lambda task: (_to_pairs(task.data, roster) for roster in _rosters(task.data, [20000], -1)),
    concept="Fill the days in order, and give each shift to somebody who can do it and has most shifts left for the days still open to them.",
    version=4,
)  # fmt: skip
