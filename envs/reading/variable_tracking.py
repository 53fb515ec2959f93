"""Follow variables through a text that sets, copies, changes and swaps them, partly in prose and partly in code.

Above the middle level one variable has no known value at the start. The question is then for how many of its values one variable ends greater
than another, and what the largest final value of a third one is: the text has to be read once for every way in which its conditions may turn out.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, permutations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.facts import assignments, numbered_list, sentences
from rlgym.generators.facts.assignments import Move
from rlgym.generators.text import names
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

NOW = Step("Line {at}: {name} is {value}.")
BOTH = Step("Line {at}: {name} is {value}, and {other} is {second}.")
PIECE = Step("For {unknown} from {low:int} to {high:int}: {finals}.")
SKIPPED = Step("Line {at}: {left} is {value} and {right} is {second}, so nothing is done.")
KINDS = {
    "copies": ("set", "copy", "add"),
    "sums": ("copy", "add", "less", "both"),
    "swaps": ("copy", "add", "less", "both", "swap", "swap"),
}
KINDS["conditions"] = (*KINDS["swaps"], "if", "if", "if")
UNKNOWN_KINDS = ("add", "less", "both", "swap", "if", "if", "if")


class Knobs(Config):
    lines: int = knob(16, easy=4, hard=70, beyond=90, doc="lines of the text", scale="log")
    names: int = knob(6, easy=3, hard=10, beyond=12, doc="named amounts")
    kinds: str = knob(
        "swaps", easy="copies", hard="conditions", order=("copies", "sums", "swaps", "conditions"), doc="what lines may do to the amounts"
    )
    start: str = knob(
        "known", easy="known", hard="unknown", order=("known", "unknown"),
        doc="whether all values at the start are given; with an unknown one there are at most six variables and a third of the lines",
    )  # fmt: skip


class Data(TaskData):
    moves: tuple[Move, ...]
    definitions: bool = False
    asked: tuple[str, ...]
    values: tuple[int, ...]
    unknown: str = ""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.start == "unknown":
        return _sample_unknown(rng, knobs)
    called = [noun[:-1] for noun in names.invent(rng, knobs.names)]
    moves = [Move(kind="set", name=name, number=rng.integer(2, 60)) for name in called]
    values_held = {move.name: move.number for move in moves}
    while len(moves) < len(called) + knobs.lines:
        name, source, second = rng.sample(called, 3)
        left, right = rng.sample(called, 2)
        move = Move(
            kind=rng.choice(KINDS[knobs.kinds]), name=name, source=source, second=second, left=left, right=right, number=rng.integer(2, 30)
        )
        after = assignments.execute(values_held, move)
        if all(0 < value < 400 for value in after.values()) and (after != values_held or (move.kind == "if" and rng.chance(0.5))):
            values_held = after
            moves.append(move)
    queried = tuple(rng.sample(called, 3))
    return _task(rng, moves, queried, [values_held[name] for name in queried], definitions=False)


def _sample_unknown(rng: Rng, knobs: Knobs) -> Task[Data]:
    lines = max(10, knobs.lines // 3)
    called = [noun[:-1] for noun in names.invent(rng, min(knobs.names, 6))]
    unknown = called[0]
    while True:
        moves = [Move(kind="set", name=name, number=rng.integer(10, 90)) for name in called[1:]]
        finals = [assignments.run({unknown: start}, moves) for start in assignments.STARTS]
        while len(moves) < lines + len(called) - 1:
            name, source, second = rng.sample(called, 3)
            left, right = rng.sample(called, 2)
            kind, number = rng.choice(UNKNOWN_KINDS), rng.integer(2, 40)
            # What a condition decides depends on the unknown value.
            if kind != "if" or 10 <= sum(held[left] > held[right] and held[name] != held[source] for held in finals) <= 90:
                moves.append(Move(kind=kind, name=name, source=source, second=second, left=left, right=right, number=number))
                finals = [assignments.run(held, moves[-1:]) for held in finals]
        if max(abs(value) for final in finals for value in final.values()) > 600:
            continue
        if (queried := _sample_question(rng, called, finals, 4 + knobs.lines // 12)) is None:
            continue
        more, less, third = queried
        largest = max(final[third] for final in finals)
        first = next(start for start, final in zip(assignments.STARTS, finals) if final[third] == largest)
        answers = [sum(final[more] > final[less] for final in finals), largest, first]
        return _task(rng, moves, queried, answers, definitions=False, unknown=unknown)


def _sample_question(rng: Rng, called: list[str], finals: list[dict[str, int]], fewest: int) -> tuple[str, str, str] | None:
    """Three variables whose values change their slope at least so often; neither end of the range of starts decides anything."""
    for more, less, third in rng.shuffled(list(permutations(called, 3))):
        values = [[final[name] for final in finals] for name in (more, less, third)]
        greater = [a > b for a, b in zip(*values[:2])]
        largest = max(values[2])
        if (
            10 <= sum(greater) <= 90
            and sum(a != b for a, b in pairwise(greater)) > 1
            and values[2][0] < largest > values[2][-1]
            and values[2].count(largest) == 1
            and assignments.bends(values[:2]) + assignments.bends(values[2:]) >= fewest
        ):
            return more, less, third
    return None


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Definitions in any order: each name has one line, and no line comes before another."""
    called = [noun[:-1] for noun in names.invent(rng, 3 + knobs.lines // 2 + knobs.names)]
    values_held: dict[str, int] = {}
    moves: list[Move] = []
    for k, name in enumerate(called):
        while True:
            kind = "set" if k < 3 else rng.choice([kind for kind in KINDS[knobs.kinds] if kind not in ("swap", "if", "set")])
            source, second = rng.sample(called[max(0, k - 6) : k], 2) if k > 2 else ("", "")
            move = Move(kind=kind, name=name, source=source, second=second, number=rng.integer(2, 30))
            value = assignments.execute(values_held, move)[name]
            if 0 < value < 1000:
                values_held[name] = value
                moves.append(move)
                break
    queried = tuple(called[-3:])
    return _task(rng, rng.shuffled(moves), queried, [values_held[name] for name in queried], definitions=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Goes back from what is asked: the value of a name after a line is looked up in the line that last touched it.
    moves = [
        Move(kind=statement[0], **_typed_gaps(statement[1]))
        for sentence in sentences(task.prompt).values()
        if (statement := assignments.BANK.read(sentence))
    ]
    if unknown := re.search(r"^Before line 1, (\w+) ", task.prompt, re.M):
        more, less, third = UNKNOWN_QUESTION.findall(task.prompt)[0]
        ends = [_look_back([Move(kind="set", name=unknown[1], number=k), *moves], (more, less, third), False) for k in range(100)]
        largest = max(end[2] for end in ends)
        return sum(end[0] > end[1] for end in ends), largest, [end[2] for end in ends].index(largest)
    queried = task.prompt.rpartition("\n\n")[2].rstrip("?").rpartition(" of ")[2].replace(" and ", ", ").split(", ")
    return _look_back(moves, queried, "in no particular order" in task.prompt)


UNKNOWN_QUESTION = re.compile(r"does (\w+) end greater than (\w+)\?.* final value that (\w+) can have")


def _look_back(moves: Sequence[Move], queried: Sequence[str], definitions: bool) -> tuple[int, ...]:

    @cache
    def value(name: str, before: int) -> int:
        k = next(k for k in range(before - 1, -1, -1) if name == moves[k].name or (moves[k].kind == "swap" and name == moves[k].source))
        move, back = moves[k], len(moves) if definitions else k
        match move.kind:
            case "set":
                return move.number
            case "swap":
                return value(move.source if name == move.name else move.name, back)
            case "if" if value(move.left, back) <= value(move.right, back):
                return value(name, back)
            case "both":
                return value(move.source, back) + value(move.second, back)
            case kind:
                return value(move.source, back) + {"add": 1, "less": -1}.get(kind, 0) * move.number

    for k in range(0, len(moves), 5):  # from the front, so that looking back never goes deep
        if not definitions:
            for name in {move.name: None for move in moves[:k]}:
                value(name, k)
    return tuple(value(name, len(moves)) for name in queried)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.asked):
        return Score.wrong(f"the answer must be {len(task.data.asked)} numbers")
    return Score.exact(answer == task.data.values, "not all of the values are right")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    if task.data.unknown:
        count, largest, start = right
        return [
            (len(assignments.STARTS) - count, largest, start),
            (count, largest, assignments.STARTS[-1]),
            (count, largest, 0),
            (count + 1, largest, start),
            right[:2],
        ]
    first = {move.name: move.number for move in reversed(task.data.moves)}
    return [tuple(first[name] for name in task.data.asked), right[::-1], (right[0] + 1, *right[1:]), right[:2], (*right[1:], right[0])]


def cost(task: Task[Data]) -> float:
    once = sum({"set": 1, "copy": 2, "add": 3, "less": 3, "both": 4, "swap": 5, "if": 7}[move.kind] for move in task.data.moves)
    return float(once * (len(assignments.pieces(task.data.moves, task.data.unknown)) if task.data.unknown else 1))


def derive(task: Task[Data]) -> Derivation:
    if unknown := task.data.unknown:
        for piece in assignments.pieces(task.data.moves, unknown):
            # Between two changes of a condition all values are linear in the unknown one.
            ends = [assignments.run({unknown: start}, task.data.moves) for start in (piece[0], piece[0] + 1)] if len(piece) > 1 else []
            flat = assignments.run({unknown: piece[0]}, task.data.moves)
            slopes = {name: ends[1][name] - ends[0][name] if ends else 0 for name in flat}
            told = [
                f"{name} = {slopes[name]} * {unknown} + {flat[name] - slopes[name] * piece[0]}" for name in dict.fromkeys(task.data.asked)
            ]
            yield PIECE(unknown=unknown, low=piece[0], high=piece[-1], finals=", ".join(told))
        return
    values_held, moves_left = dict[str, int](), dict(enumerate(task.data.moves, 1))
    while moves_left:
        ready = list(moves_left)[:1]
        if task.data.definitions:
            ready = [at for at, move in moves_left.items() if move.kind == "set" or values_held.keys() >= {move.source, move.second} - {""}]
        taken = yield OneOf(tuple(_move_step(at, moves_left[at], values_held) for at in ready))
        values_held = assignments.execute(values_held, moves_left.pop(taken["at"]))


def _move_step(at: int, move: Move, values_held: dict[str, int]) -> Due:
    if move.kind == "if" and values_held[move.left] <= values_held[move.right]:
        return SKIPPED(at=at, left=move.left, value=values_held[move.left], right=move.right, second=values_held[move.right])
    after = assignments.execute(values_held, move)
    if move.kind == "swap":
        return BOTH(at=at, name=move.name, value=after[move.name], other=move.source, second=after[move.source])
    return NOW(at=at, name=move.name, value=after[move.name])


def _typed_gaps(gaps: dict[str, str]) -> dict[str, object]:
    return {name: int(gap) if name == "number" else gap for name, gap in gaps.items()}


def _task(rng: Rng, moves: list[Move], queried: tuple[str, ...], values: list[int], definitions: bool, unknown: str = "") -> Task[Data]:
    used = {"set": "name number", "copy": "name source", "add": "name source number", "less": "name source number", "swap": "name source"}
    used |= {"both": "name source second", "if": "name source left right"}
    kept = [Move(kind=move.kind, **{name: getattr(move, name) for name in used[move.kind].split()}) for move in moves]
    story = numbered_list(assignments.BANK.say(rng, move.kind, **move.model_dump(exclude={"kind"})) for move in kept)
    opening = (
        "Each line defines the value of one variable. The lines are in no particular order, and all of them hold at once."
        if definitions
        else "Execute these instructions in order. Some of them are written as Python statements."
    )
    question = f"What are the {'' if definitions else 'final '}values of {queried[0]}, {queried[1]} and {queried[2]}?"
    if unknown:
        opening += (
            f"\n\nBefore line 1, {unknown} holds an integer from {assignments.STARTS[0]} to {assignments.STARTS[-1]} that is not given."
        )
        question = (
            f"For how many of the {len(assignments.STARTS)} possible starting values of {unknown} does {queried[0]} end greater than {queried[1]}? What is the "
            f"largest final value that {queried[2]} can have, and from which starting value of {unknown} does {queried[2]} reach it?"
        )
    data = Data(moves=tuple(kept), definitions=definitions, asked=queried, values=tuple(values), unknown=unknown)
    return Task(f"{opening}\n\n{story}\n\n{question}", data)


environment = Environment(
    Knobs, Numbers("the three numbers in the order of the question, separated by commas", max_items=20), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Keep a table of what each name stands for, and change it line by line.",
    version=4,
)  # fmt: skip
