"""Say whether a sentence with alternating quantifiers holds in a finite structure, and how the winning side chooses.

Who is for the sentence picks the values behind `for some`, who is against it those behind `for every`. Any winning way of choosing is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count as naturals
from itertools import product
from math import prod

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.logic import formulas
from rlgym.generators.logic.joined_formulas import CONNECTIVES, sample_formula, two
from rlgym.solutions import Derivation, Due, Solution, Step

Pairs = tuple[tuple[str, str], ...]
VARIABLES = "xyzvw"
END = Step("The other side can choose nothing else, so this wins:\n{answer}")
PLAY = Step("Play {play}: {atoms}, so the formula is {value}")


class Knobs(Config):
    size: int = knob(3, easy=3, hard=4, doc="things to choose among")
    depth: int = knob(3, easy=2, hard=4, beyond=5, doc="quantifiers")
    atoms: int = knob(3, easy=2, hard=5, doc="letters in the formula")
    connectives: str = knob("basic", easy="basic", hard="all", order=tuple(CONNECTIVES), doc="which connectives occur")


class Data(TaskData):
    size: int
    prefix: tuple[str, ...]
    formula: str
    letters: tuple[str, ...]  # for each letter of the formula, its value for every choice of all variables, the last one fastest
    holds: bool


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, numbers: bool) -> Task[Data]:
    size, depth = knobs.size, knobs.depth
    count = min(knobs.atoms, depth * depth)
    names = VARIABLES[:depth]
    plays = list(product(range(1, size + 1), repeat=depth))
    for tries in naturals():
        first = rng.choice(("some", "every"))
        prefix = tuple(first if k % 2 == 0 else {"some": "every", "every": "some"}[first] for k in range(depth))
        arrows = [pair for pair in product(range(1, size + 1), repeat=2) if rng.chance(0.45)]
        carried = rng.sample(range(2, 31), size)
        clauses, letters = [], []
        for k in range(count):
            one, other = (names[k % depth], names[(k + 1) % depth]) if k < depth else two(rng, names, numbers)
            at, to = names.index(one), names.index(other)
            if numbers:
                by, factor = rng.integer(3, size + 3), rng.integer(1, 2)
                remainder = rng.integer(0, by - 1)
                clauses.append(f"{'2 * ' * (factor - 1)}N({one}) + N({other}) leaves the remainder {remainder} when divided by {by}")
                letters.append(_bits((factor * carried[play[at] - 1] + carried[play[to] - 1]) % by == remainder for play in plays))
            else:
                clauses.append(f"an arrow goes from {one} to {other}")
                letters.append(_bits((play[at], play[to]) in arrows for play in plays))
        formula = sample_formula(rng, count, CONNECTIVES[knobs.connectives])
        text = formulas.write(formula)
        values = [
            formulas.value(formula, {name: row[i] == "1" for name, row in zip(formulas.NAMES, letters, strict=False)})
            for i in range(len(plays))
        ]
        holds = values
        for quantifier in reversed(prefix):
            groups = [holds[i : i + size] for i in range(0, len(holds), size)]
            holds = [any(group) if quantifier == "some" else all(group) for group in groups]
        winner = "some" if holds[0] else "every"
        share = (values if holds[0] else [not value for value in values]).count(True) / len(values)
        plain = share > 0.55 or winner not in prefix
        # Winning by values that do not answer the other side's, or by many ways of choosing, is left to small games.
        if not plain and depth > 2 and tries < 400:
            values = [value == holds[0] for value in values]
            mine = [k for k in range(depth) if prefix[k] == winner]
            lost = {tuple(play[k] for k in mine) for play, value in zip(plays, values, strict=True) if not value}
            plain = len(lost) < size ** len(mine) or 30 * _count_winning_plays(values, prefix, size, winner) > _count_winning_plays(
                [True] * len(values), prefix, size, winner
            )
        if not plain and len(set(clauses)) == len(clauses):
            break
    meanings = "\n".join(f"{name}: {what}" for name, what in zip(formulas.NAMES, clauses, strict=False))
    drawn = (
        f" N gives a number to each of them: {', '.join(f'N({thing}) = {number}' for thing, number in enumerate(carried, 1))}."
        if numbers
        else f" These arrows go between them: {', '.join(f'{a}-{b}' for a, b in arrows) or 'none'} (a-b goes from a to b)."
    )
    sentence = ", ".join(f"for {quantifier} {name}" for quantifier, name in zip(prefix, names, strict=True))
    meant = {
        " -> ": "P -> Q is false only when P is true and Q is false",
        " <-> ": "P <-> Q is true when both are equal",
        " xor ": "P xor Q is true when they differ",
    }
    notes = [*(["not binds most tightly"] if "not " in text else []), *(what for sign, what in meant.items() if sign in text)]
    last = prefix[:-1].count("every" if prefix[-1] == "some" else "some")
    before = " and then ".join("13"[:last])
    named = f"{names[-1]}({' '.join('13'[:last])}) is the value of {names[-1]} where the other side has chosen {before} before"
    prompt = (
        f"The things are the numbers 1 to {size}.{drawn}\nThis sentence is about them: {sentence}: {text}\nThe letters in the formula mean:\n{meanings}\n\n"
        "Two sides choose values for the variables in the order of the sentence, each seeing what was chosen before. One side is for the sentence and chooses "
        "the values of the variables that come after the words 'for some'; the other side is against it and chooses the values of those that come after "
        "'for every'. The side for the sentence wins if the formula is true for the chosen values, the other side if it is false."
        f"{' In the formula, ' + '; '.join(notes) + '.' if notes else ''} Say whether the sentence is true or false, and how the winning side chooses: a value "
        "for each of its variables, for every way the other side may have chosen before. The values that the other side has chosen before are written in "
        f"brackets after the variable, in order: {named}, and {names[0]}() is the value of {names[0]}, before which nothing was chosen."
    )
    return Task(prompt, Data(size=size, prefix=prefix, formula=text, letters=tuple(letters), holds=holds[0]))


def solve(task: Task[Data]) -> Pairs:
    # Plays the game through from the first move; `generate` folds the whole table of the formula from the last quantifier.
    return next(_strategies(task.data, 1))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data, given = task.data, dict(answer)
    if given.pop("sentence", "") != ("true" if data.holds else "false"):
        return Score.wrong("it is not said, or not rightly, whether the sentence is true")
    expected_keys = _keys(data)
    if set(given) != set(expected_keys) or any(value not in map(str, range(1, data.size + 1)) for value in given.values()):
        return Score.wrong(
            "there must be one value among the things for each variable of the winning side and each way the other side may choose before"
        )
    values = _values(data)
    if any(values[_index(play, data.size)] != data.holds for play in _plays(data, given)):
        return Score.wrong("the other side can win against these choices")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    turned = "false" if data.holds else "true"
    fixed = [tuple((name, value if name == "sentence" else str(thing)) for name, value in right) for thing in range(1, data.size + 1)]
    return [
        (("sentence", turned), *(pair for pair in right if pair[0] != "sentence")),
        (("sentence", "true" if data.holds else "false"),),
        *fixed,
        tuple((name, "0" if name != "sentence" else value) for name, value in right),
    ]


def cost(task: Task[Data]) -> float:
    return float(task.data.size ** len(task.data.prefix) * len(task.data.formula.split()))


def derive(task: Task[Data]) -> Derivation:
    data, seen = task.data, list[tuple[int, ...]]()
    right = solve(task)
    for play in _plays(data, dict(right)):
        taken = yield _play_step(data, play).accepting(partial(_is_won_play, data, seen))
        seen.append(_values_of(taken["play"]))
    end = END(answer=environment.answer.render(right))
    yield end.accepting(lambda answer: seen == _plays(data, dict(environment.answer.parse(answer))))


def _is_won_play(data: Data, seen: Sequence[tuple[int, ...]], /, play: str, atoms: str, value: str) -> bool:
    """Whether a play that comes after those seen is won, by the formula itself."""
    values = _values_of(play)
    names = [part.split("=")[0] for part in play.split(", ")]
    if names != list(VARIABLES[: len(data.prefix)]) or max(values) > data.size or (seen and values <= seen[-1]):
        return False
    true = {name: row[_index(values, data.size)] == "1" for name, row in zip(formulas.NAMES, data.letters, strict=False)}
    listed = ", ".join(f"{name} is {_word(is_true)}" for name, is_true in true.items())
    return atoms == listed and value == _word(formulas.value(formulas.read(data.formula), true)) == _word(data.holds)


def _values_of(play: str) -> tuple[int, ...]:
    return tuple(int(part.split("=")[1]) for part in play.split(", "))


def _play_step(data: Data, play: tuple[int, ...]) -> Due:
    at = _index(play, data.size)
    atoms_text = ", ".join(f"{name} is {_word(row[at] == '1')}" for name, row in zip(formulas.NAMES, data.letters, strict=False))
    chosen = ", ".join(f"{name}={value}" for name, value in zip(VARIABLES, play, strict=False))
    return PLAY(play=chosen, atoms=atoms_text, value=_word(_values(data)[at]))


def _values(data: Data) -> list[bool]:
    formula = formulas.read(data.formula)
    rows = zip(*data.letters, strict=True)
    return [formulas.value(formula, {name: bit == "1" for name, bit in zip(formulas.NAMES, row, strict=False)}) for row in rows]


def _index(play: Sequence[int], size: int) -> int:
    at = 0
    for value in play:
        at = at * size + value - 1
    return at


def _keys(data: Data) -> list[str]:
    """The names of the winning side's values."""
    winner, out = "some" if data.holds else "every", list[str]()
    for k, quantifier in enumerate(data.prefix):
        if quantifier == winner:
            before = sum(other != winner for other in data.prefix[:k])
            out += [_key(k, chosen) for chosen in product(range(1, data.size + 1), repeat=before)]
    return out


def _key(k: int, chosen: Sequence[int]) -> str:
    return f"{VARIABLES[k]}({' '.join(map(str, chosen))})"


def _plays(data: Data, given: dict[str, str]) -> list[tuple[int, ...]]:
    """The plays that can come about when the winning side chooses so."""
    winner = "some" if data.holds else "every"
    plays: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    for k, quantifier in enumerate(data.prefix):
        if quantifier == winner:
            plays = [((*play, int(given[_key(k, chosen)])), chosen) for play, chosen in plays]
        else:
            plays = [((*play, thing), (*chosen, thing)) for play, chosen in plays for thing in range(1, data.size + 1)]
    return sorted(play for play, _ in plays)


def _strategies(data: Data, step: int) -> Iterator[Pairs]:
    """A winning way of choosing that takes the first thing that wins, in rising or falling order."""
    values, winner = _values(data), "some" if data.holds else "every"
    things = range(1, data.size + 1)[::step]

    def wins(play: tuple[int, ...]) -> bool:
        if len(play) == len(data.prefix):
            return values[_index(play, data.size)] == data.holds
        results = (wins((*play, thing)) for thing in things)
        return any(results) if data.prefix[len(play)] == winner else all(results)

    given: dict[str, str] = {}

    def choose(play: tuple[int, ...], chosen: tuple[int, ...]) -> None:
        if len(play) == len(data.prefix):
            return
        if data.prefix[len(play)] == winner:
            thing = next(thing for thing in things if wins((*play, thing)))
            given[_key(len(play), chosen)] = str(thing)
            choose((*play, thing), chosen)
        else:
            for thing in things:
                choose((*play, thing), (*chosen, thing))

    choose((), ())
    yield tuple(sorted([("sentence", "true" if data.holds else "false"), *given.items()]))


def _bits(values: Iterable[bool]) -> str:
    return "".join("1" if value else "0" for value in values)


def _word(value: bool) -> str:
    return "true" if value else "false"


def _solutions(task: Task[Data]) -> Iterator[Pairs]:
    yield from _strategies(task.data, 1)
    yield from _strategies(task.data, -1)


def _count_winning_plays(wins: list[bool], prefix: Sequence[str], size: int, winner: str) -> int:
    """How many ways of choosing win for the side of one quantifier."""
    counts = [int(win) for win in wins]
    for quantifier in reversed(prefix):
        groups = [counts[i : i + size] for i in range(0, len(counts), size)]
        counts = [sum(group) if quantifier == winner else prod(group) for group in groups]
    return counts[0]


environment = Environment(
    Knobs,
    Mapping(
        "one line `sentence: true` or `sentence: false`, and one line such as `x(): 2` for each value that the winning side chooses",
        max_items=120,
    ),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, END), answers="many", solutions=_solutions,
    concept="Work from the last quantifier back: mark which choices before it leave its side a winning value, and choose among these.",
    version=7,
)  # fmt: skip
