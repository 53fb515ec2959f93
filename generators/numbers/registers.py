"""Operations on unsigned numbers of a fixed width."""

from rlgym.core.task import TaskData

OPERATIONS = {
    "gates": ("AND", "OR", "XOR"),
    "shifts": ("AND", "OR", "XOR", "SHL", "SHR"),
    "turns": ("AND", "OR", "XOR", "SHL", "SHR", "ROL", "ROR", "ADD", "SUB"),
}
RULES = {
    "AND": "AND, OR and XOR work on each bit separately",
    "SHL": "x SHL k shifts x left by k places: bits that leave the number are dropped, and zeros come in; SHR does the same to the right",
    "ROL": "ROL and ROR rotate left and right: bits that leave at one end come in at the other",
    "ADD": "ADD and SUB add and subtract modulo 2^{width}",
}


class Move(TaskData):
    """Operands are earlier results (from 0) or, from `-1` down, the given numbers; for shifts and turns the right one is the number of places."""

    operation: str
    left: int
    right: int


class Expression(TaskData):
    """Moves on given numbers; the last one gives the value."""

    width: int
    numbers: tuple[int, ...]
    moves: tuple[Move, ...]


def evaluate_bit_by_bit(data: Expression) -> str:
    """The value in binary, computed bit by bit, the lowest first; `evaluate_moves` works on whole integers."""
    done = list[list[int]]()
    for move in data.moves:
        left = operand_bits(data, done, move.left)
        if move.operation in ("SHL", "SHR", "ROL", "ROR"):
            k, empty = move.right, [0] * move.right
            ways = {"SHL": (empty + left)[: data.width], "SHR": left[k:] + empty, "ROL": left[-k:] + left[:-k], "ROR": left[k:] + left[:k]}
            new = ways[move.operation]
        elif move.operation in ("ADD", "SUB"):
            right, carry, new = operand_bits(data, done, move.right), int(move.operation == "SUB"), []
            for a, b in zip(left, right, strict=True):
                total = a + (1 - b if move.operation == "SUB" else b) + carry
                new.append(total % 2)
                carry = total // 2
        else:
            gate = {"AND": (0, 0, 1), "OR": (0, 1, 1), "XOR": (0, 1, 0)}[move.operation]
            new = [gate[a + b] for a, b in zip(left, operand_bits(data, done, move.right), strict=True)]
        done.append(new)
    return "".join(map(str, reversed(done[-1])))


def format_operand(data: Expression, part: int) -> str:
    """An operand: an earlier result by its name, or bits."""
    return f"t{part + 1}" if part >= 0 else f"{data.numbers[-1 - part]:0{data.width}b}"


def format_right_operand(data: Expression, move: Move) -> str:
    """The right operand, or the number of places."""
    return str(move.right) if move.operation in ("SHL", "SHR", "ROL", "ROR") else format_operand(data, move.right)


def operand_bits(data: Expression, done: list[list[int]], part: int) -> list[int]:
    """The bits of an operand, the lowest first."""
    return done[part] if part >= 0 else [int(bit) for bit in f"{data.numbers[-1 - part]:0{data.width}b}"[::-1]]


def evaluate_moves(data: Expression) -> list[int]:
    """What each move gives."""
    values, full, width = list[int](), 2**data.width - 1, data.width
    for move in data.moves:
        a = values[move.left] if move.left >= 0 else data.numbers[-1 - move.left]
        k = move.right
        if move.operation in ("SHL", "SHR", "ROL", "ROR"):
            ways = {"SHL": a << k & full, "SHR": a >> k, "ROL": rotate_left(a, k, width), "ROR": rotate_left(a, width - k, width)}
            values.append(ways[move.operation])
            continue
        b = values[k] if k >= 0 else data.numbers[-1 - k]
        values.append({"AND": a & b, "OR": a | b, "XOR": a ^ b, "ADD": a + b & full, "SUB": a - b & full}[move.operation])
    return values


def rotate_left(number: int, places: int, width: int) -> int:
    """A number turned to the left."""
    return (number << places | number >> (width - places)) & ((1 << width) - 1)
