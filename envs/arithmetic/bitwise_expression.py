"""Work out an expression of bitwise operations on unsigned numbers.

In the shift the expression is a chain of assignments to two registers, each using their current values. On the upper levels the value is given and a number
is asked for that stands at several places of the expression: carries and rotations make nearly every bit of the value depend on all of its bits.
"""

from collections.abc import Callable

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.draws import sample_hard
from rlgym.generators.numbers.registers import (
    OPERATIONS,
    RULES,
    Expression,
    Move,
    evaluate_bit_by_bit,
    evaluate_moves,
    format_operand,
    format_right_operand,
    numbers_that_give,
    share_of_dependences,
)
from rlgym.solutions import Derivation, Solution, Step

STEP = Step("t{i} = {left} {operation} {right} = {value}")
TRY = Step("Try x = {x}")
CLOSING = "The answer: {answer}"
ANSWER = Text("all bits of the number, leading zeros included", ignore_spaces=True, max_characters=200)
TRIES = 12
MOST_DEPENDENCES = 85  # percent
MOST_NUMBERS = 3
CONCEPT = "Work from the innermost brackets outwards, and take each operation bit by bit."


class Knobs(Config):
    operations: int = knob(6, easy=2, hard=20, doc="how many operations")
    width: int = knob(12, easy=6, hard=32, doc="bits of each number")
    kinds: str = knob(
        "shifts", easy="gates", hard="turns", order=tuple(OPERATIONS), doc="only gates, also shifts, or also rotations and sums"
    )
    asked: str = knob(
        "value",
        easy="value",
        hard="number",
        order=("value", "number"),
        doc="the value, or a number that stands at several places (half as many operations, a third of the bits)",
    )


def generate(rng: Rng, knobs: Knobs) -> Task[Expression]:
    if knobs.asked == "number":
        return _sample_unknown(rng, knobs, _sample_mix)
    while True:
        data, listing = _sample_tree(rng, knobs)
        if not _is_guessable(data):
            return Task(f"{_rules(data)} Compute\n{listing}", data)


def shift(rng: Rng, knobs: Knobs) -> Task[Expression]:
    if knobs.asked == "number":
        return _sample_unknown(rng, knobs, _sample_assignments)
    while True:
        data, listing = _sample_assignments(rng, knobs)
        if not _is_guessable(data) and evaluate_moves(data)[-1].bit_count() > 1:
            return Task(
                f"{_rules(data)} These assignments are carried out one after another:\n{listing}\n\nWhat is a XOR b in the end?", data
            )


def _sample_unknown(rng: Rng, knobs: Knobs, sample: Callable[[Rng, Knobs], tuple[Expression, str]]) -> Task[Expression]:
    """An expression in which x occurs several times, and a value that few x give."""
    size = knobs.model_copy(update={"width": max(4, knobs.width // 3), "operations": max(4, knobs.operations // 2), "kinds": "turns"})

    def draw() -> tuple[Expression, str, int]:
        while True:
            data, listing = sample(rng, size)
            x = rng.integer(1, 2**data.width - 1)
            value = evaluate_moves(data.with_x(x))[-1]
            if len(numbers_that_give(data, value)) <= MOST_NUMBERS and not _is_guessable(data.with_x(x)) and value != x:
                return data, listing, value

    data, listing, value = sample_hard(draw, lambda drawn: share_of_dependences(drawn[0]), MOST_DEPENDENCES, TRIES)
    data = data.model_copy(update={"result": value})
    shown = f"{value:0{data.width}b}"
    what = (
        f"These assignments are carried out one after another:\n{listing}\n\nIn the end a XOR b is {shown}."
        if sample is _sample_assignments
        else f"This expression has the value {shown}:\n{listing}\n\n"
    )
    return Task(f"{_rules(data)} {what} What is x? If several numbers fit, give any one of them.".replace("\n\n ", "\n\n"), data)


def _sample_mix(rng: Rng, knobs: Knobs) -> tuple[Expression, str]:
    """A tree whose leaves are all x, each rotated by other places; what is combined is rotated again or gets a constant added."""
    width, numbers, moves = knobs.width, [0], list[Move]()

    def add(operation: str, left: tuple[int, str], right: tuple[int, str]) -> tuple[int, str]:
        moves.append(Move(operation=operation, left=left[0], right=right[0]))
        return len(moves) - 1, f"({left[1]} {operation} {right[1]})"

    places = rng.sample(range(width), min(width, max(3, knobs.operations // 2)))
    parts = [add(rng.choice(("ROL", "ROR")), (-1, "x"), (by, str(by))) if by else (-1, "x") for by in places]
    while len(parts) > 1:
        parts = rng.shuffled(parts)
        joins = ("ADD", "SUB", "XOR", "ADD", "AND", "OR") if len(parts) > 2 else ("ADD", "SUB")
        part = add(rng.choice(joins), parts.pop(), parts.pop())
        if parts and rng.chance(0.5):
            by = rng.integer(1, width - 1)
            part = add(rng.choice(("ROL", "ROR")), part, (by, str(by)))
        elif parts and rng.chance(0.5):
            numbers.append(rng.integer(1, 2**width - 1))
            part = add(rng.choice(("ADD", "SUB")), part, (-len(numbers), f"{numbers[-1]:0{width}b}"))
        parts.append(part)
    return Expression(width=width, numbers=tuple(numbers), moves=tuple(moves)), parts[0][1][1:-1]


def _sample_tree(rng: Rng, knobs: Knobs) -> tuple[Expression, str]:
    """A random tree: parts are combined until one is left."""
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
    return Expression(width=knobs.width, numbers=tuple(numbers), moves=tuple(moves)), texts[parts[0]][1:-1]


def _sample_assignments(rng: Rng, knobs: Knobs) -> tuple[Expression, str]:
    numbers, moves = [rng.integer(1, 2**knobs.width - 1) for _ in range(2)], list[Move]()
    index_of, lines = {"a": -1, "b": -2}, [f"{name} = {numbers[i]:0{knobs.width}b}" for i, name in enumerate("ab")]
    if knobs.asked == "number":
        lines[0] = "a = x"
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
    return Expression(width=knobs.width, numbers=tuple(numbers), moves=tuple(moves)), "\n".join(lines)


def solve(task: Task[Expression]) -> str:
    data = task.data
    if data.result < 0:
        return evaluate_bit_by_bit(data)
    wanted = f"{data.result:0{data.width}b}"
    return next(f"{x:0{data.width}b}" for x in range(1 << data.width) if evaluate_bit_by_bit(data.with_x(x)) == wanted)


def verify(task: Task[Expression], answer: str) -> Score:
    data, digits = task.data, answer.removeprefix("0b")
    if data.result >= 0:
        if len(digits) != data.width or not set(digits) <= set("01"):
            return Score.wrong(f"expected {data.width} digits 0 and 1")
        return Score.exact(
            evaluate_moves(data.with_x(int(digits, 2)))[-1] == data.result, "the expression has another value for this number"
        )
    right = f"{evaluate_moves(task.data)[-1]:0{task.data.width}b}"
    return Score.exact(answer.removeprefix("0b") == right, f"the value has other bits, or not all {task.data.width} of them are written")


def mistakes(task: Task[Expression], right: str) -> list[str]:
    flipped = "".join("10"[int(bit)] for bit in right)
    last = right[:-1] + "10"[int(right[-1])]
    if task.data.result >= 0:
        near = [right[:i] + "10"[int(bit)] + right[i + 1 :] for i, bit in enumerate(right)]
        wrong = [*near, flipped, right[1:] + right[0], f"{task.data.result:0{task.data.width}b}", right[::-1]]
        return [other for other in wrong if not verify(task, other).value]
    return [flipped, last, right[1:] + right[0], "1" + right, f"{evaluate_moves(task.data)[0]:0{task.data.width}b}"]


def cost(task: Task[Expression]) -> float:
    numbers = 1 if task.data.result < 0 else 1 << task.data.width
    return numbers * task.data.width * sum(3 if move.operation in ("ADD", "SUB") else 1 for move in task.data.moves)


def derive(task: Task[Expression]) -> Derivation:
    data = task.data
    if data.result >= 0:
        x = solve(task)
        yield TRY(x=x)
        data = data.with_x(int(x, 2))
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
    counts = ", and counts of places are decimal" if used & {"SHL", "SHR", "ROL", "ROR"} else ""
    return f"All numbers have {data.width} bits and are unsigned; they are written in binary{counts}. {'; '.join(sentences)}."


def _sample_number(rng: Rng, knobs: Knobs, numbers: list[int]) -> int:
    numbers.append(rng.integer(1, 2**knobs.width - 1))
    return -len(numbers)


def _operand_text(part: int, texts: dict[int, str], numbers: list[int], width: int) -> str:
    return texts[part] if part >= 0 else f"{numbers[-1 - part]:0{width}b}"


def _right_answers(task: Task[Expression]) -> list[str]:
    data = task.data
    numbers = numbers_that_give(data, data.result) if data.result >= 0 else [evaluate_moves(data)[-1]]
    return [f"{number:0{data.width}b}" for number in numbers]


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING),
    shift=shift,
    answers="many",
    solutions=_right_answers,
    concept=CONCEPT,
    version=7,
)
