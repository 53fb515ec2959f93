"""Work out in which round each child first knows whether its own forehead is muddy, from what all of them hear and see.

A parent says one thing about all the children at once; then, round after round, all who know say so at the same time. Who sees whom
differs from task to task, and so does what the parent says.
"""

from collections.abc import Callable, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
SAYS = {"least": ("least",), "counts": ("least", "most", "among"), "any": ("among", "odd", "not", "either")}
ROUND = Step("Round {round}: {cases} case(s) still possible; each child compares those that agree with what it sees")
KNOWS = Step("Round {round}, {name}: {fit} of the cases agree with what {name} sees, and in {muddy} of these {name} is muddy: {verdict}")
VERDICTS = {True: "the child knows", False: "the child does not know"}
STOP = Step("Round {round} leaves {left} of the cases, so nothing new is learned after it")


class Knobs(Config):
    children: int = knob(5, easy=3, hard=9, doc="how many children there are")
    sight: str = knob(
        "most", easy="all", hard="some", order=("all", "most", "some"), doc="whether each child sees all others, most, or some"
    )
    rounds: int = knob(3, easy=2, hard=5, doc="in which round the last child comes to know, where that can be had")
    announcements: str = knob("counts", easy="least", hard="any", order=tuple(SAYS), doc="kinds of announcements by the parent")


class Said(TaskData):
    kind: str
    group: tuple[int, ...]
    numbers: tuple[int, ...]


class Data(TaskData):
    names: tuple[str, ...]
    muddy: tuple[int, ...]
    sees: tuple[tuple[int, ...], ...]
    said: Said
    last: int  # the last round that is played
    rounds: tuple[int, ...]  # for each child the round in which it first knows, 0 for never


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, _sample_sight)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The children stand in a circle or in a row, and see those next to them or in front of them."""
    return _sample_task(rng, knobs, _sample_positions)


def solve(task: Task[Data]) -> Pairs:
    # By what a child can tell apart: for each child and round the smallest and largest state of it in the cases that look alike to it.
    data = task.data
    count = len(data.names)
    cases = [case for case in range(1 << count) if _holds(data.said, case)]
    actual = sum(1 << i for i in data.muddy)
    masks = [sum(1 << j for j in seen) for seen in data.sees]
    rounds_found = [0] * count
    for now in range(1, data.last + 1):
        looks: list[dict[int, set[int]]] = [{} for _ in range(count)]
        for case in cases:
            for i in range(count):
                looks[i].setdefault(case & masks[i], set()).add(case >> i & 1)
        says = {case: tuple(len(looks[i][case & masks[i]]) == 1 for i in range(count)) for case in cases}
        rounds_found = [first or now * says[actual][i] for i, first in enumerate(rounds_found)]
        cases = [case for case in cases if says[case] == says[actual]]
    return _answer(data, rounds_found)


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    given = dict(answer)
    if set(given) != {name.lower() for name in data.names}:
        return Score.wrong("exactly the children named must each have a round or the word never")
    wrong = [name for name, now in zip(data.names, data.rounds, strict=True) if given[name.lower()] != (str(now) if now else "never")]
    return Score.exact(not wrong, "a child does not first know in the round that is said")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    count = str(len(data.muddy))
    later = {"never": "1"} | {str(i): str(i + 1) for i in range(data.last)} | {str(data.last): "never"}
    (first, now), *rest = right
    return [
        ((first, later[now]), *rest),
        tuple((name, later[now]) for name, now in right),
        tuple((name, count) for name, _ in right),
        tuple((name, "never") for name, _ in right),
        tuple((name, "1") for name, _ in right),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(2 ** len(data.names) * len(data.names) * (1 + max(data.rounds)))


def derive(task: Task[Data]) -> Derivation:
    data, cases, actual = task.data, _cases_after_statement(task.data), _actual(task.data)
    for now in range(1, data.last + 1):
        yield ROUND(round=now, cases=len(cases))
        for i, name in enumerate(data.names):
            fit, muddy = _same_view(data, cases, i, actual)
            yield KNOWS(round=now, name=name, fit=fit, muddy=muddy, verdict=VERDICTS[muddy in (0, fit)])
        after = _cases_after_round(data, cases)
        if len(after) == len(cases) or now == data.last:
            yield STOP(round=now, left=len(after))
            return
        cases = after


def _sample_task(rng: Rng, knobs: Knobs, placed: Callable[[Rng, Knobs], tuple[str, list[tuple[int, ...]]]]) -> Task[Data]:
    count = knobs.children
    names = tuple(rng.sample(PEOPLE, count))
    best: tuple[int, int] = (-1, -1)
    tries = 0
    # The wanted depth may be out of reach for these children and what may be said: then the deepest of some tasks is taken.
    while tries < 25 and best < (knobs.rounds, 2):
        position_text, sees = placed(rng, knobs)
        statement = _sample_statement(rng, knobs, count)
        cases = [case for case in range(1 << count) if _holds(statement, case)]
        if not 2 <= len(cases) < 1 << count:
            continue
        tries += 1
        actual = rng.choice(cases)
        muddy = tuple(i for i in range(count) if actual >> i & 1)
        draft = Data(names=names, muddy=muddy, sees=tuple(sees), said=statement, last=count + 1, rounds=())
        rounds = _rounds(draft)
        if (max(rounds), len(set(rounds))) > best:
            best, data, shown = (max(rounds), len(set(rounds))), draft.model_copy(update={"rounds": rounds}), position_text
    muddy, sees, statement = data.muddy, list(data.sees), data.said
    dirty = _join_names([names[i] for i in muddy]) + (" is" if len(muddy) == 1 else " are") if muddy else "Nobody is"
    looks = (
        shown.format(*names) if shown else "\n".join(f"{names[i]} sees {_join_names([names[j] for j in sees[i]])}." for i in range(count))
    )
    return Task(
        f"The children {_join_names(names)} have been playing, and each may have a muddy forehead. Nobody sees their own forehead.\n{looks}\n"
        f"All of them know who sees whom, and all of them reason perfectly and know this of each other.\n"
        f'A parent says aloud: "{_render_statement(statement, names)}" Everybody knows that the parent says only what is true.\n'
        f"Then there are {data.last} rounds. In each round all children who know whether they are muddy themselves say at the same time that they know "
        f"(not what they know), and the others say that they do not know; all of them hear it.\n"
        f"In fact {dirty} muddy, and nobody else is.\n\nIn which round, counted from 1, does each child first say that it knows? "
        f"Give the word never for a child that does not know in any of the {data.last} rounds.",
        data,
    )


def _sample_sight(rng: Rng, knobs: Knobs) -> tuple[str, list[tuple[int, ...]]]:
    count = knobs.children
    if knobs.sight == "all":
        return "Each child sees all the others.", [tuple(j for j in range(count) if j != i) for i in range(count)]
    sees = []
    for i in range(count):
        others = [j for j in range(count) if j != i]
        least = max(1, count - 3) if knobs.sight == "most" else max(1, count // 3)
        size = rng.integer(least, count - 1 if knobs.sight == "most" else max(least, count - 3))
        sees.append(tuple(sorted(rng.sample(others, size))))
    return "", sees


def _sample_positions(rng: Rng, knobs: Knobs) -> tuple[str, list[tuple[int, ...]]]:
    count = knobs.children
    order = rng.shuffled(range(count))
    at = {child: k for k, child in enumerate(order)}
    stand = _join_names([f"{{{child}}}" for child in order])
    if rng.chance(0.5):
        text = f"They stand in a row, from the back to the front: {stand}. Each child sees all who stand in front of it, and no others."
        return text, [tuple(sorted(order[at[i] + 1 :])) for i in range(count)]
    sight = {"all": count - 1, "most": max(1, count - 2), "some": max(1, count // 2)}[knobs.sight]
    some = "the next child" if sight == 1 else f"the next {sight} children"
    text = f"They stand in a circle, in this order clockwise: {stand}. Each child sees {some} clockwise, and no others."
    return text, [tuple(sorted(order[(at[i] + step) % count] for step in range(1, sight + 1))) for i in range(count)]


def _sample_statement(rng: Rng, knobs: Knobs, count: int) -> Said:
    kind = rng.choice(SAYS[knobs.announcements])
    group = tuple(sorted(rng.sample(range(count), rng.integer(2, count)))) if kind in ("among", "odd") else tuple(range(count))
    numbers: tuple[int, ...]
    match kind:
        case "least":
            numbers = (rng.integer(1, max(1, count // 2)),)
        case "most":
            numbers = (rng.integer(count // 2, count - 1),)
        case "not":
            numbers = (rng.integer(1, count - 1),)
        case "either":
            numbers = tuple(sorted(rng.sample(range(count + 1), 2)))
        case "odd":
            numbers = (rng.integer(0, 1),)
        case _:
            numbers = (rng.integer(1, len(group) - 1),)
    return Said(kind=kind, group=group, numbers=numbers)


def _render_statement(statement: Said, names: Sequence[str]) -> str:
    number = statement.numbers[0]
    group = _join_names([names[i] for i in statement.group]) if len(statement.group) < len(names) else "you"
    verb = "is" if number == 1 else "are"
    match statement.kind:
        case "least":
            return f"At least {number} of you {verb} muddy."
        case "most":
            return f"At most {number} of you {verb} muddy."
        case "not":
            return f"The number of you who are muddy is not {number}."
        case "either":
            return f"The number of you who are muddy is either {number} or {statement.numbers[1]}."
        case "odd":
            return (
                f"Of {group}, an {'odd' if number else 'even'} number are muddy."
                if group != "you"
                else f"The number of you who are muddy is {'odd' if number else 'even'}."
            )
        case _:
            return f"Of {group}, at least {number} {verb} muddy." if group != "you" else f"At least {number} of you {verb} muddy."


def _holds(statement: Said, case: int) -> bool:
    dirty, number = sum(case >> i & 1 for i in statement.group), statement.numbers[0]
    match statement.kind:
        case "most":
            return dirty <= number
        case "not":
            return dirty != number
        case "either":
            return dirty in statement.numbers
        case "odd":
            return dirty % 2 == number
        case _:
            return dirty >= number


def _join_names(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nobody"


def _cases_after_statement(data: Data) -> list[int]:
    return [case for case in range(1 << len(data.names)) if _holds(data.said, case)]


def _actual(data: Data) -> int:
    return sum(1 << i for i in data.muddy)


def _same_view(data: Data, cases: Sequence[int], child: int, actual: int) -> tuple[int, int]:
    """How many cases agree with what the child sees, and in how many of them it is muddy."""
    mask = sum(1 << j for j in data.sees[child])
    fit = [case for case in cases if case & mask == actual & mask]
    return len(fit), sum(case >> child & 1 for case in fit)


def _cases_after_round(data: Data, cases: Sequence[int]) -> list[int]:
    """The cases in which the children would have said what they said."""
    masks = [sum(1 << j for j in seen) for seen in data.sees]
    says = dict.fromkeys(cases, 0)
    for i, mask in enumerate(masks):
        both: dict[int, int] = {}
        for case in cases:
            both[case & mask] = both.get(case & mask, 0) | 1 << (case >> i & 1)
        for case in cases:
            says[case] |= (both[case & mask] != 3) << i
    return [case for case in cases if says[case] == says[_actual(data)]]


def _rounds(data: Data) -> tuple[int, ...]:
    cases, round_of, actual = _cases_after_statement(data), [0] * len(data.names), _actual(data)
    for now in range(1, data.last + 1):
        for i in range(len(round_of)):
            fit, muddy = _same_view(data, cases, i, actual)
            round_of[i] = round_of[i] or now * (muddy in (0, fit))
        before, cases = len(cases), _cases_after_round(data, cases)
        if len(cases) == before:
            break
    return tuple(round_of)


def _answer(data: Data, round_of: Sequence[int]) -> Pairs:
    return tuple(sorted((name.lower(), str(now) if now else "never") for name, now in zip(data.names, round_of, strict=True)))


environment = Environment(
    Knobs, Mapping("one line `name: round` for each child, where round is a number or the word never", max_items=40),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The rounds are\n{answer}", whole=True),
    concept="Keep a list of the cases that are possible for everybody; after each round strike out those in which somebody would have spoken otherwise.",
    version=3,
)  # fmt: skip
