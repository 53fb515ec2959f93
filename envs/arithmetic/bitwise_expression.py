"""Work out an expression of bitwise operations on unsigned numbers.

In the shift the expression is a chain of assignments to two registers, each step using what stands in them.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.numbers.registers import OPERATIONS, RULES, Expression, Move, bits_by_bits, other_part, shown_part, values_of
from rlgym.generators.steps import Line, ended, first_wrong

STEP = Line("t{i} = {left} {operation} {right} = {value}")
LEAD = "The value: "


class Knobs(Config):
    operations: int = knob(6, easy=1, hard=20, doc="how many operations")
    width: int = knob(12, easy=4, hard=32, doc="bits of each number")
    kinds: str = knob("shifts", easy="gates", hard="turns", order=tuple(OPERATIONS), doc="only gates, also shifts, or also turns and sums")


def generate(rng: Rng, knobs: Knobs) -> Task[Expression]:
    # A random tree: two of the parts that are left are joined, until one is left.
    numbers, moves, parts, texts = list[int](), list[Move](), list[int](), dict[int, str]()
    for _ in range(knobs.operations):
        operation = rng.choice(OPERATIONS[knobs.kinds])
        left = parts.pop(rng.integer(0, len(parts) - 1)) if parts and (len(parts) > 1 or rng.chance(0.8)) else _number(rng, knobs, numbers)
        if operation in ("SHL", "SHR", "ROL", "ROR"):
            right = rng.integer(1, knobs.width // 2)
            texts[len(moves)] = f"({_text(left, texts, numbers, knobs.width)} {operation} {right})"
        else:
            right = parts.pop(0) if parts and rng.chance(0.5) else _number(rng, knobs, numbers)
            texts[len(moves)] = f"({_text(left, texts, numbers, knobs.width)} {operation} {_text(right, texts, numbers, knobs.width)})"
        parts.append(len(moves))
        moves.append(Move(operation=operation, left=left, right=right))
    while len(parts) > 1:
        left, right = parts.pop(0), parts.pop(0)
        texts[len(moves)] = f"({texts[left]} XOR {texts[right]})"
        parts.append(len(moves))
        moves.append(Move(operation="XOR", left=left, right=right))
    data = Expression(width=knobs.width, numbers=tuple(numbers), moves=tuple(moves))
    if _dull(data):
        return generate(rng, knobs)
    return Task(f"{_rules(data)} Compute\n{texts[parts[0]][1:-1]}", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Expression]:
    numbers, moves = [rng.integer(1, 2**knobs.width - 1) for _ in range(2)], list[Move]()
    held, lines = {"a": -1, "b": -2}, [f"{name} = {numbers[i]:0{knobs.width}b}" for i, name in enumerate("ab")]
    for _ in range(knobs.operations):
        operation = rng.choice(OPERATIONS[knobs.kinds])
        into, left = rng.choice("ab"), rng.choice("ab")
        other = "b" if left == "a" else "a"
        turned = operation in ("SHL", "SHR", "ROL", "ROR")
        places = rng.integer(1, knobs.width // 2)
        lines.append(f"{into} = {left} {operation} {places if turned else other}")
        moves.append(Move(operation=operation, left=held[left], right=places if turned else held[other]))
        held[into] = len(moves) - 1
    moves.append(Move(operation="XOR", left=held["a"], right=held["b"]))
    data = Expression(width=knobs.width, numbers=tuple(numbers), moves=tuple(moves))
    if _dull(data):
        return shift(rng, knobs)
    listing = "\n".join(lines)
    return Task(f"{_rules(data)} These assignments are carried out one after another:\n{listing}\n\nWhat is a XOR b in the end?", data)


def solve(task: Task[Expression]) -> str:
    return bits_by_bits(task.data)


def verify(task: Task[Expression], answer: str) -> Score:
    right = f"{values_of(task.data)[-1]:0{task.data.width}b}"
    return Score.exact(answer.removeprefix("0b") == right, f"the value has other bits, or not all {task.data.width} of them are written")


def mistakes(task: Task[Expression], right: str) -> list[str]:
    flipped = "".join("10"[int(bit)] for bit in right)
    last = right[:-1] + "10"[int(right[-1])]
    return [flipped, last, right[1:] + right[0], "1" + right, f"{values_of(task.data)[0]:0{task.data.width}b}"]


def cost(task: Task[Expression]) -> float:
    return task.data.width * sum(3 if move.operation in ("ADD", "SUB") else 1 for move in task.data.moves)


def explain(task: Task[Expression]) -> list[str]:
    data, values, steps = task.data, values_of(task.data), []
    for i, move in enumerate(data.moves):
        steps.append(
            STEP.write(
                i=i + 1,
                left=shown_part(data, move.left),
                operation=move.operation,
                right=other_part(data, move),
                value=f"{values[i]:0{data.width}b}",
            )
        )
    return [*steps, LEAD + solve(task)]


def replay(task: Task[Expression], steps: Sequence[str]) -> int | None:
    data, values, done = task.data, values_of(task.data), list[int]()

    def follows(step: str) -> bool:
        found, i = STEP.read(step), len(done)
        done.append(i)
        if not found or i >= len(data.moves):
            return False
        move = data.moves[i]
        claim = (found["i"], found["left"], found["operation"], found["right"], found["value"])
        return claim == (str(i + 1), shown_part(data, move.left), move.operation, other_part(data, move), f"{values[i]:0{data.width}b}")

    return first_wrong(steps, follows, ended(LEAD, task, environment.answer, verify))


def _dull(data: Expression) -> bool:
    """Whether so many bits are lost, or set, that the value could be guessed."""
    value = values_of(data)[-1]
    return value < 1 << data.width // 2 or value == (1 << data.width) - 1


def _rules(data: Expression) -> str:
    used = {move.operation for move in data.moves}
    said = [RULES["AND"]]
    said += [
        rule.format(width=data.width)
        for name, rule in RULES.items()
        if name != "AND" and used & {name, {"SHL": "SHR", "ROL": "ROR", "ADD": "SUB"}[name]}
    ]
    return f"All numbers have {data.width} bits and no sign, and are written in binary; numbers of places are decimal. {'; '.join(said)}."


def _number(rng: Rng, knobs: Knobs, numbers: list[int]) -> int:
    numbers.append(rng.integer(1, 2**knobs.width - 1))
    return -len(numbers)


def _text(part: int, texts: dict[int, str], numbers: list[int], width: int) -> str:
    return texts[part] if part >= 0 else f"{numbers[-1 - part]:0{width}b}"


environment = Environment(
    Knobs,
    Text("all bits of the value, leading zeros included", compact=True, most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Work from the innermost brackets outwards, and take each operation bit by bit.",
)
