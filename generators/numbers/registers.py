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
    """Moves on given numbers; the last one gives the value. Where `result` is stated, the first number is an unknown x that gives it."""

    width: int
    numbers: tuple[int, ...]
    moves: tuple[Move, ...]
    result: int = -1

    def with_x(self, x: int) -> "Expression":
        """The expression with a number in place of the unknown one."""
        return self.model_copy(update={"numbers": (x, *self.numbers[1:])})


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


def tables_of_bits(data: Expression) -> list[int]:
    """For each bit of the value, the lowest first, its values for all x: bit x of the integer is the value for x, the first number."""
    width, every = data.width, (1 << (1 << data.width)) - 1
    # In the table of bit i of x, 2^i zeros and 2^i ones take turns.
    unknown = [every // ((1 << (1 << i)) + 1) << (1 << i) for i in range(width)]
    given = [unknown, *([every * (number >> i & 1) for i in range(width)] for number in data.numbers[1:])]
    done = list[list[int]]()
    for move in data.moves:
        left, k = (done[move.left] if move.left >= 0 else given[-1 - move.left]), move.right
        if move.operation in ("SHL", "SHR", "ROL", "ROR"):
            empty = [0] * k
            ways = {"SHL": (empty + left)[:width], "SHR": left[k:] + empty, "ROL": left[-k:] + left[:-k], "ROR": left[k:] + left[:k]}
            done.append(ways[move.operation])
            continue
        right = done[k] if k >= 0 else given[-1 - k]
        carry, new = every * (move.operation == "SUB"), list[int]()
        for a, b in zip(left, right, strict=True):
            if move.operation in ("ADD", "SUB"):
                b = b if move.operation == "ADD" else b ^ every
                new.append(a ^ b ^ carry)
                carry = a & b | carry & (a ^ b)
            else:
                new.append({"AND": a & b, "OR": a | b, "XOR": a ^ b}[move.operation])
        done.append(new)
    return done[-1]


def share_of_dependences(data: Expression) -> int:
    """Of all pairs of a bit of x and a bit of the value, the percentage where some x gives another value of the latter when the former is flipped."""
    width, every = data.width, (1 << (1 << data.width)) - 1
    count = 0
    for table in tables_of_bits(data):
        for i in range(width):
            zeros = every // ((1 << (1 << i)) + 1)
            count += (table >> (1 << i) ^ table) & zeros != 0
    return 100 * count // width**2


def numbers_that_give(data: Expression, value: int) -> list[int]:
    """Every x for which the expression has this value."""
    fitting = (1 << (1 << data.width)) - 1
    for i, table in enumerate(tables_of_bits(data)):
        fitting &= table if value >> i & 1 else ~table
    return [x for x in range(1 << data.width) if fitting >> x & 1]


def rotate_left(number: int, places: int, width: int) -> int:
    """A number turned to the left."""
    return (number << places | number >> (width - places)) & ((1 << width) - 1)
