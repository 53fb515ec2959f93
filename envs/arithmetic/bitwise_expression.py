"""Work out an expression of bitwise operations on unsigned numbers.

In the shift the expression is a chain of assignments to two registers, each using their current values.
"""

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.numbers.registers import (
    OPERATIONS,
    RULES,
    Expression,
    Move,
    evaluate_bit_by_bit,
    evaluate_moves,
    format_operand,
    format_right_operand,
)
from rlgym.solutions import Derivation, Solution, Step

STEP = Step("t{i} = {left} {operation} {right} = {value}")
CLOSING = "The value: {answer}"
ANSWER = Text("all bits of the value, leading zeros included", ignore_spaces=True, max_characters=200)
CONCEPT = "Work from the innermost brackets outwards, and take each operation bit by bit."


class Knobs(Config):
    operations: int = knob(6, easy=2, hard=20, doc="how many operations")
    width: int = knob(12, easy=6, hard=32, doc="bits of each number")
    kinds: str = knob(
        "shifts", easy="gates", hard="turns", order=tuple(OPERATIONS), doc="only gates, also shifts, or also rotations and sums"
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Expression]:
    # A random tree: parts are combined until one is left.
    numbers, moves, parts, texts = list[int](), list[Move](), list[int](), dict[int, str]()
    for _ in range(knobs.operations):
        operation = rng.choice(OPERATIONS[knobs.kinds])
        left = (
            parts.pop(rng.integer(0, len(parts) - 1))
            if parts and (len(parts) > 1 or rng.chance(0.8))
            else _sample_number(rng, knobs, numbers)
        )
        if operation in ("SHL", "SHR", "ROL", "ROR"):
            right = rng.integer(1, knobs.width // 2)
            texts[len(moves)] = f"({_operand_text(left, texts, numbers, knobs.width)} {operation} {right})"
        else:
            right = parts.pop(0) if parts and rng.chance(0.5) else _sample_number(rng, knobs, numbers)
            texts[len(moves)] = (
                f"({_operand_text(left, texts, numbers, knobs.width)} {operation} {_operand_text(right, texts, numbers, knobs.width)})"
            )
        parts.append(len(moves))
        moves.append(Move(operation=operation, left=left, right=right))
    while len(parts) > 1:
        left, right = parts.pop(0), parts.pop(0)
        texts[len(moves)] = f"({texts[left]} XOR {texts[right]})"
        parts.append(len(moves))
        moves.append(Move(operation="XOR", left=left, right=right))
    data = Expression(width=knobs.width, numbers=tuple(numbers), moves=tuple(moves))
    if _is_guessable(data):
        return generate(rng, knobs)
    return Task(f"{_rules(data)} Compute\n{texts[parts[0]][1:-1]}", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Expression]:
    numbers, moves = [rng.integer(1, 2**knobs.width - 1) for _ in range(2)], list[Move]()
    index_of, lines = {"a": -1, "b": -2}, [f"{name} = {numbers[i]:0{knobs.width}b}" for i, name in enumerate("ab")]
    for _ in range(knobs.operations):
        operation = rng.choice(OPERATIONS[knobs.kinds])
        into, operand = rng.choice("ab"), rng.choice("ab")
        other = "b" if operand == "a" else "a"
        turned = operation in ("SHL", "SHR", "ROL", "ROR")
        places = rng.integer(1, knobs.width // 2)
        lines.append(f"{into} = {operand} {operation} {places if turned else other}")
        moves.append(Move(operation=operation, left=index_of[operand], right=places if turned else index_of[other]))
        index_of[into] = len(moves) - 1
    moves.append(Move(operation="XOR", left=index_of["a"], right=index_of["b"]))
    data = Expression(width=knobs.width, numbers=tuple(numbers), moves=tuple(moves))
    if _is_guessable(data) or evaluate_moves(data)[-1].bit_count() < 2:
        return shift(rng, knobs)
    listing = "\n".join(lines)
    return Task(f"{_rules(data)} These assignments are carried out one after another:\n{listing}\n\nWhat is a XOR b in the end?", data)


def solve(task: Task[Expression]) -> str:
    return evaluate_bit_by_bit(task.data)


def verify(task: Task[Expression], answer: str) -> Score:
    right = f"{evaluate_moves(task.data)[-1]:0{task.data.width}b}"
    return Score.exact(answer.removeprefix("0b") == right, f"the value has other bits, or not all {task.data.width} of them are written")


def mistakes(task: Task[Expression], right: str) -> list[str]:
    flipped = "".join("10"[int(bit)] for bit in right)
    last = right[:-1] + "10"[int(right[-1])]
    return [flipped, last, right[1:] + right[0], "1" + right, f"{evaluate_moves(task.data)[0]:0{task.data.width}b}"]


def cost(task: Task[Expression]) -> float:
    return task.data.width * sum(3 if move.operation in ("ADD", "SUB") else 1 for move in task.data.moves)


def derive(task: Task[Expression]) -> Derivation:
    data = task.data
    for i, (move, value) in enumerate(zip(data.moves, evaluate_moves(data), strict=True), 1):
        left, right = format_operand(data, move.left), format_right_operand(data, move)
        yield STEP(i=i, left=left, operation=move.operation, right=right, value=f"{value:0{data.width}b}")


def _is_guessable(data: Expression) -> bool:
    """Whether the value could be guessed because too many bits are zero, all are set, or it is a given number."""
    value = evaluate_moves(data)[-1]
    return value in data.numbers or value < 1 << data.width // 2 or value == (1 << data.width) - 1


def _rules(data: Expression) -> str:
    used = {move.operation for move in data.moves}
    sentences = [RULES["AND"]]
    sentences += [
        rule.format(width=data.width)
        for name, rule in RULES.items()
        if name != "AND" and used & {name, {"SHL": "SHR", "ROL": "ROR", "ADD": "SUB"}[name]}
    ]
    return f"All numbers have {data.width} bits and are unsigned; they are written in binary, and shift counts are decimal. {'; '.join(sentences)}."


def _sample_number(rng: Rng, knobs: Knobs, numbers: list[int]) -> int:
    numbers.append(rng.integer(1, 2**knobs.width - 1))
    return -len(numbers)


def _operand_text(part: int, texts: dict[int, str], numbers: list[int], width: int) -> str:
    return texts[part] if part >= 0 else f"{numbers[-1 - part]:0{width}b}"


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), shift=shift, concept=CONCEPT, version=5
)
