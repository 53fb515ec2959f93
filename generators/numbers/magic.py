"""Magic squares: made from two Latin squares, and their lines."""

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

MAX_NODES = 2000  # of a search, so that making a task takes a bounded time


def sample_square(rng: Rng, size: int, spread: int, product: bool) -> list[int]:
    """A square of different numbers whose lines agree: two Latin squares whose diagonals are Latin too, laid over each other."""
    while True:
        if size == 3:
            middle, a, b = rng.integer(spread // 2, spread), rng.integer(1, spread // 4 + 1), rng.integer(1, spread // 4 + 1)
            steps = ((0, -1), (1, 1), (-1, 0), (-1, 1), (0, 0), (1, -1), (1, 0), (-1, -1), (0, 1))
            numbers = [2 ** (1 + i) * 3 ** (1 + j) * middle if product else middle + i * a + j * b for i, j in steps]
        else:
            two = ((1, 2), (1, 3)) if size == 5 else ()
            low, high = (1, 20) if product else (0, max(spread, 8 * size))
            left, right = ([rng.integer(low, high) for _ in range(size)] for _ in range(2))
            pairs = [(latin_entry(size, 0, r, c, two), latin_entry(size, 1, r, c, two)) for r in range(size) for c in range(size)]
            numbers = [left[i] * right[j] if product else left[i] + right[j] + 1 for i, j in pairs]
        if len(set(numbers)) == len(numbers) and min(numbers) > 0:
            return sample_rotation(rng, size, numbers)


def latin_entry(size: int, which: int, row: int, column: int, steps: Sequence[tuple[int, int]]) -> int:
    """An entry of one of two Latin squares that go together."""
    if size == 4:
        return ((0, 1, 2, 3, 2, 3, 0, 1, 3, 2, 1, 0, 1, 0, 3, 2), (0, 1, 2, 3, 3, 2, 1, 0, 1, 0, 3, 2, 2, 3, 0, 1))[which][4 * row + column]
    return (steps[which][0] * row + steps[which][1] * column) % size


def sample_rotation(rng: Rng, size: int, numbers: list[int]) -> list[int]:
    """The square in one of its eight orientations."""
    rows = [numbers[r * size : (r + 1) * size] for r in range(size)]
    for _ in range(rng.integer(0, 3)):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
    return [cell for row in (rows[::-1] if rng.chance(0.5) else rows) for cell in row]


def square_lines(size: int) -> dict[str, tuple[int, ...]]:
    """The cells of every row, column and diagonal, by name."""
    rows = {f"Row {r + 1}": tuple(range(r * size, (r + 1) * size)) for r in range(size)}
    columns = {f"Column {c + 1}": tuple(range(c, size * size, size)) for c in range(size)}
    falling, rising = tuple(range(0, size * size, size + 1)), tuple(range(size - 1, size * size - 1, size - 1))
    return rows | columns | {"Diagonal from the top left": falling, "Diagonal from the top right": rising}


class Square(TaskData):
    """Cells row by row, 0 where blank, and the numbers that belong into the blanks, sorted."""

    size: int
    cells: tuple[int, ...]
    missing: tuple[int, ...]
    product: bool


def line_total(data: Square, numbers: Iterable[int]) -> int:
    """The sum or the product of a line."""
    return prod(numbers) if data.product else sum(numbers)


def magic_constant(data: Square) -> int:
    """The sum or product of every line: that of all numbers, divided evenly among the rows."""
    everything = [cell for cell in data.cells if cell] + list(data.missing)
    if not data.product:
        return sum(everything) // data.size
    product, low = prod(everything), 1
    high = 1 << (product.bit_length() // data.size + 1)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle**data.size < product else (low, middle)
    return low


def search_squares(data: Square, order: Sequence[int]) -> Iterator[list[int]]:
    """Completed squares by backtracking: the line with the fewest blanks first, its last blank forced. It gives up after `MAX_NODES` steps."""
    goal, lines, flat, pending, nodes = magic_constant(data), list(square_lines(data.size).values()), list(data.cells), list(order), 0

    def search() -> Iterator[list[int]]:
        nonlocal nodes
        nodes += 1
        if nodes > MAX_NODES:
            return
        if not pending:
            yield flat.copy()
            return
        line = min((line for line in lines if any(not flat[i] for i in line)), key=lambda line: sum(not flat[i] for i in line))
        blanks, known = [i for i in line if not flat[i]], [flat[i] for i in line if flat[i]]
        if len(blanks) == 1:
            done = line_total(data, known)
            needed = goal // done if data.product and goal % done == 0 else goal - done if not data.product else 0
            choices = [needed] if needed in pending else []
        else:
            choices = pending.copy()
        for number in choices:
            flat[blanks[0]] = number
            pending.remove(number)
            if all(
                line_total(data, [flat[i] for i in other]) == goal for other in lines if blanks[0] in other and all(flat[i] for i in other)
            ):
                yield from search()
            pending.append(number)
            pending.sort(key=order.index)
            flat[blanks[0]] = 0

    yield from search()
