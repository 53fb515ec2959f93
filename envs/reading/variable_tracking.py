"""Follow variables through a text that sets, copies, changes and swaps them, partly in prose and partly in code."""

from functools import cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.facts import Bank, numbered, sentences
from rlgym.generators.text import names
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

NOW = Step("Line {at}: {name} is {value}.")
BOTH = Step("Line {at}: {name} is {value}, and {other} is {second}.")
SKIPPED = Step("Line {at}: {left} is {value} and {right} is {second}, so nothing is done.")
BANK = Bank("""
set: {name} = {number} | Let {name} be {number}. | Store {number} in {name}. | Set {name} to {number}.
copy: {name} = {source} | Let {name} be equal to {source}. | Set {name} to the value of {source}.
copy: Copy the value of {source} into {name}.
add: {name} = {source} + {number} | Let {name} be {number} more than {source}. | Set {name} to {source} plus {number}.
add: Take {source}, add {number}, and store the result in {name}.
less: {name} = {source} - {number} | Let {name} be {number} less than {source}. | Set {name} to {source} minus {number}.
less: Take {source}, subtract {number}, and store the result in {name}.
both: {name} = {source} + {second} | Let {name} be the sum of {source} and {second}. | Set {name} to the total of {source} and {second}.
both: Add {source} to {second}, and store the result in {name}.
swap: {name}, {source} = {source}, {name} | Exchange the values of {name} and {source}. | Swap {name} with {source}.
swap: The values of {name} and {source} are swapped.
if: if {left} > {right}: {name} = {source} | If {left} is greater than {right}, set {name} to the value of {source}.
if: Set {name} to the value of {source}, but only if {left} is greater than {right}.
if: Copy the value of {source} into {name} if {left} is greater than {right}.
""")
KINDS = {
    "copies": ("set", "copy", "add"),
    "sums": ("copy", "add", "less", "both"),
    "swaps": ("copy", "add", "less", "both", "swap", "swap"),
}
KINDS["conditions"] = (*KINDS["swaps"], "if", "if", "if")


class Knobs(Config):
    lines: int = knob(16, easy=4, hard=70, doc="lines of the text", scale="log")
    names: int = knob(6, easy=3, hard=10, doc="named amounts")
    kinds: str = knob(
        "swaps", easy="copies", hard="conditions", order=("copies", "sums", "swaps", "conditions"), doc="what lines may do to the amounts"
    )


class Move(TaskData):
    kind: str
    name: str
    source: str = ""
    second: str = ""
    left: str = ""
    right: str = ""
    number: int = 0


class Data(TaskData):
    moves: tuple[Move, ...]
    definitions: bool = False
    asked: tuple[str, ...]
    values: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    called = [noun[:-1] for noun in names.invent(rng, knobs.names)]
    moves = [Move(kind="set", name=name, number=rng.integer(2, 60)) for name in called]
    values_held = {move.name: move.number for move in moves}
    while len(moves) < len(called) + knobs.lines:
        name, source, second = rng.sample(called, 3)
        left, right = rng.sample(called, 2)
        move = Move(
            kind=rng.choice(KINDS[knobs.kinds]), name=name, source=source, second=second, left=left, right=right, number=rng.integer(2, 30)
        )
        after = _execute(values_held, move)
        if all(0 < value < 400 for value in after.values()) and (after != values_held or (move.kind == "if" and rng.chance(0.5))):
            values_held = after
            moves.append(move)
    queried = tuple(rng.sample(called, 3))
    return _task(rng, moves, queried, [values_held[name] for name in queried], definitions=False)


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
            value = _execute(values_held, move)[name]
            if 0 < value < 1000:
                values_held[name] = value
                moves.append(move)
                break
    queried = tuple(called[-3:])
    return _task(rng, rng.shuffled(moves), queried, [values_held[name] for name in queried], definitions=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Goes back from what is asked: the value of a name after a line is looked up in the line that last touched it.
    moves = [
        Move(kind=statement[0], **_typed(statement[1]))
        for sentence in sentences(task.prompt).values()
        if (statement := BANK.read(sentence))
    ]
    queried = task.prompt.rpartition("\n\n")[2].rstrip("?").rpartition(" of ")[2].replace(" and ", ", ").split(", ")
    definitions = "in no particular order" in task.prompt

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
    first = {move.name: move.number for move in reversed(task.data.moves)}
    return [tuple(first[name] for name in task.data.asked), right[::-1], (right[0] + 1, *right[1:]), right[:2], (*right[1:], right[0])]


def cost(task: Task[Data]) -> float:
    return float(sum({"set": 1, "copy": 2, "add": 3, "less": 3, "both": 4, "swap": 5, "if": 7}[move.kind] for move in task.data.moves))


def derive(task: Task[Data]) -> Derivation:
    values_held, moves_left = dict[str, int](), dict(enumerate(task.data.moves, 1))
    while moves_left:
        ready = list(moves_left)[:1]
        if task.data.definitions:
            ready = [at for at, move in moves_left.items() if move.kind == "set" or values_held.keys() >= {move.source, move.second} - {""}]
        taken = yield OneOf(tuple(_move_step(at, moves_left[at], values_held) for at in ready))
        values_held = _execute(values_held, moves_left.pop(taken["at"]))


def _move_step(at: int, move: Move, values_held: dict[str, int]) -> Due:
    if move.kind == "if" and values_held[move.left] <= values_held[move.right]:
        return SKIPPED(at=at, left=move.left, value=values_held[move.left], right=move.right, second=values_held[move.right])
    after = _execute(values_held, move)
    if move.kind == "swap":
        return BOTH(at=at, name=move.name, value=after[move.name], other=move.source, second=after[move.source])
    return NOW(at=at, name=move.name, value=after[move.name])


def _execute(values_held: dict[str, int], move: Move) -> dict[str, int]:
    match move.kind:
        case "set":
            return values_held | {move.name: move.number}
        case "swap":
            return values_held | {move.name: values_held[move.source], move.source: values_held[move.name]}
        case "if":
            return values_held | {move.name: values_held[move.source]} if values_held[move.left] > values_held[move.right] else values_held
        case "both":
            return values_held | {move.name: values_held[move.source] + values_held[move.second]}
        case kind:
            return values_held | {move.name: values_held[move.source] + {"add": 1, "less": -1}.get(kind, 0) * move.number}


def _typed(gaps: dict[str, str]) -> dict[str, object]:
    return {name: int(gap) if name == "number" else gap for name, gap in gaps.items()}


def _task(rng: Rng, moves: list[Move], queried: tuple[str, ...], values: list[int], definitions: bool) -> Task[Data]:
    used = {"set": "name number", "copy": "name source", "add": "name source number", "less": "name source number", "swap": "name source"}
    used |= {"both": "name source second", "if": "name source left right"}
    kept = [Move(kind=move.kind, **{name: getattr(move, name) for name in used[move.kind].split()}) for move in moves]
    story = numbered(BANK.say(rng, move.kind, **move.model_dump(exclude={"kind"})) for move in kept)
    opening = (
        "Each line defines the value of one variable. The lines are in no particular order, and all of them hold at once."
        if definitions
        else "Execute these instructions in order. Some of them are written as Python statements."
    )
    prompt = f"{opening}\n\n{story}\n\nWhat are the {'' if definitions else 'final '}values of {queried[0]}, {queried[1]} and {queried[2]}?"
    return Task(prompt, Data(moves=tuple(kept), definitions=definitions, asked=queried, values=tuple(values)))


environment = Environment(
    Knobs, Numbers("the three values in the order of the question, separated by commas", max_items=20), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Keep a table of what each name stands for, and change it line by line.",
    version=3,
)  # fmt: skip
