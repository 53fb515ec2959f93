"""Find the one wrong cell in tables that must agree with each other, and the value that it should have.

Above the middle level no number is wrong, but the customers of many lines are lost: several sets of lines agree with the sums
of each customer, and only one choice of them leaves lines for the others.
"""

from collections.abc import Iterator
from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.tables import lost_customers
from rlgym.generators.tables.lost_customers import Line, fillings, lost_lines, missing_amounts
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

CUSTOMERS = ("Abe", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
FITS = Step("Row {row} agrees: {numbers}")
FAULT = Step("Row {row} does not agree: {numbers}")
CELL = Step("The {column} of row {row} is in every check that fails, and with {value:int} there all checks hold")
LACKS = Step("The lost lines of {who} have {pieces:int} pieces and a total of {total:int}: {lines}")
END = "So the answer is {answer}"


class Knobs(Config):
    lines: int = knob(8, easy=3, hard=26, doc="rows of the first table")
    customers: int = knob(3, easy=2, hard=8, doc="rows of the second table")
    kind: str = knob("any", easy="total", hard="any", order=("total", "lines", "any"), doc="where the wrong cell may stand")
    asked: str = knob(
        "wrong cell", easy="wrong cell", hard="customers", order=("wrong cell", "customers"),
        doc="the wrong cell, or the lost customers of some lines (then there are fewer lines, and at most four customers)",
    )  # fmt: skip


class Data(TaskData):
    lines: tuple[Line, ...]
    sums: tuple[tuple[str, int, int], ...]  # customer, pieces, total
    whole: tuple[int, int]
    kind: str
    owners: tuple[str, ...] = ()  # the lost customers, where they are asked for


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return (_sample_lost if knobs.asked == "customers" else _sample_task)(rng, knobs, even=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Few different numbers, so that many rows look alike."""
    return (_sample_lost if knobs.asked == "customers" else _sample_task)(rng, knobs, even=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    if lost_lines(task.data.lines):
        return next(fillings(task.data.lines, task.data.sums))
    return next(_repairs(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    if owners := task.data.owners:
        return Score.exact(tuple(word.lower() for word in answer) == tuple(name.lower() for name in owners), "the sums do not agree")
    if len(answer) != 3:
        return Score.wrong("expected a row, a column and a value")
    expected = solve(task)
    row, column, value = (word.lower() for word in answer)
    if not value.isdigit() or len(value) > 9:
        return Score.wrong("the value is no integer")
    return Score.exact(
        (row, column, str(int(value))) == tuple(word.lower() for word in expected), "with this change the tables do not agree"
    )


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    if lost_lines(data.lines):
        swaps = [(i, k) for i, k in combinations(range(len(right)), 2) if right[i] != right[k]]
        swapped = [tuple(right[{i: k, k: i}.get(at, at)] for at in range(len(right))) for i, k in swaps]
        return [*swapped, right[:-1], tuple(right[0] for _ in right)]
    column = "pieces" if right[1] == "total" else "total"
    return [
        (right[0], column, right[2]),
        ("all", "total", str(data.whole[1])),
        (data.lines[0][0].lower(), right[1], right[2]),
        (*right[:2], str(int(right[2]) + 10)),
    ]


def cost(task: Task[Data]) -> float:
    data = task.data
    if lost := lost_lines(data.lines):
        return 20.0 * len(lost) * len(data.sums)
    return len(data.lines) * 3.0 + len(data.sums) * 2 + {"total": 0, "lines": 10, "any": 20}[data.kind]


def derive(task: Task[Data]) -> Derivation:
    """Every check of the tables, then the cell that repairs those that fail."""
    steps, data = list[Due](), task.data
    if lost := lost_lines(data.lines):
        owners = data.owners
        for who, pieces, total in missing_amounts(data.lines, data.sums):
            names = ", ".join(line[0] for line, owner in zip(lost, owners) if owner == who)
            yield LACKS(who=who, pieces=pieces, total=total, lines=names or "none")
        return
    for name, _, pieces, price, total in data.lines:
        steps.append(
            (FITS if pieces * price == total else FAULT)(row=name, numbers=f"{pieces} * {price} = {pieces * price}, printed {total}")
        )
    for who, pieces, total in data.sums:
        mine = [line for line in data.lines if line[1] == who]
        counted, summed = sum(line[2] for line in mine), sum(line[4] for line in mine)
        numbers = f"its lines add up to {counted} pieces and {summed}, printed {pieces} and {total}"
        steps.append((FITS if (counted, summed) == (pieces, total) else FAULT)(row=who, numbers=numbers))
    ends = sum(one[1] for one in data.sums), sum(one[2] for one in data.sums)
    numbers = f"the rows above add up to {ends[0]} pieces and {ends[1]}, printed {data.whole[0]} and {data.whole[1]}"
    steps.append((FITS if ends == data.whole else FAULT)(row="all", numbers=numbers))
    yield from any_order(steps)
    row, column, value = next(_repairs(data))
    yield CELL(column=column, row=row, value=value)


def _fits(lines: tuple[Line, ...], sums: tuple[tuple[str, int, int], ...], totals: tuple[int, int]) -> bool:
    if any(pieces * price != total for _, _, pieces, price, total in lines):
        return False
    for who, pieces, total in sums:
        mine = [line for line in lines if line[1] == who]
        if sum(line[2] for line in mine) != pieces or sum(line[4] for line in mine) != total:
            return False
    return totals == (sum(subtotal[1] for subtotal in sums), sum(subtotal[2] for subtotal in sums))


def _repairs(data: Data) -> Iterator[tuple[str, str, str]]:
    """All changes of one cell after which everything agrees: for each cell the only values that its own row or column allow are tried."""
    for i, (name, who, pieces, price, total) in enumerate(data.lines):
        rest = [line for k, line in enumerate(data.lines) if k != i and line[1] == who]
        subtotal = next(entry for entry in data.sums if entry[0] == who)
        for column, value in (
            ("pieces", subtotal[1] - sum(line[2] for line in rest)),
            ("price", total // pieces),
            ("total", pieces * price),
        ):
            old = {"pieces": pieces, "price": price, "total": total}
            new = old | {column: value}
            line = (name, who, new["pieces"], new["price"], new["total"])
            if value > 0 and new != old and _fits((*data.lines[:i], line, *data.lines[i + 1 :]), data.sums, data.whole):
                yield name, column, str(value)
    for i, (who, pieces, total) in enumerate(data.sums):
        mine = [line for line in data.lines if line[1] == who]
        for column, row in (
            ("pieces", (who, sum(line[2] for line in mine), total)),
            ("total", (who, pieces, sum(line[4] for line in mine))),
        ):
            if row != data.sums[i] and _fits(data.lines, (*data.sums[:i], row, *data.sums[i + 1 :]), data.whole):
                yield who, column, str(row[1] if column == "pieces" else row[2])
    ends = sum(entry[1] for entry in data.sums), sum(entry[2] for entry in data.sums)
    for column, grand_total in (("pieces", (ends[0], data.whole[1])), ("total", (data.whole[0], ends[1]))):
        if grand_total != data.whole and _fits(data.lines, data.sums, grand_total):
            yield "all", column, str(grand_total[column == "total"])


def _sample_lost(rng: Rng, knobs: Knobs, *, even: bool) -> Task[Data]:
    # With two customers, or few lines, no choice of sets is ambiguous for one customer and unique for all.
    most = 4 if knobs.customers > 5 else 3
    lost = 8 + max(2, (knobs.lines - 11) // 4) if most == 4 else 8
    while (tables := lost_customers.sample(rng, rng.sample(CUSTOMERS, most), lost, even)) is None:
        pass
    rows, sums = tables.lines, tables.sums
    whole = sum(entry[1] for entry in sums), sum(entry[2] for entry in sums)
    data = Data(lines=rows, sums=sums, whole=whole, kind=knobs.kind, owners=tables.owners)
    table = "\n".join(" | ".join(map(str, row)) for row in rows)
    other = "\n".join(" | ".join(map(str, row)) for row in (*sums, ("all", *whole)))
    prompt = (
        f"Lines of orders (line | customer | pieces | price | total):\n{table}\n\nBy customer (customer | pieces | total):\n{other}\n\n"
        "The total of a line is its pieces times its price; a customer's pieces and total are the sums over the customer's lines; the "
        "row all sums the rows above it. Every number is right, but the customers of some lines are lost and shown as ?. There is exactly one way "
        "to fill them in so that everything agrees. Give the lost customers in the order of the lines."
    )
    return Task(prompt, data)


def _sample_task(rng: Rng, knobs: Knobs, *, even: bool) -> Task[Data]:
    while True:
        customers = rng.sample(CUSTOMERS, knobs.customers)
        owners = rng.shuffled([*customers, *(rng.choice(customers) for _ in range(max(0, knobs.lines - len(customers))))])
        rows: list[Line] = []
        for i, who in enumerate(owners):
            pieces, price = (rng.integer(2, 4), rng.choice((5, 10))) if even else (rng.integer(2, 19), rng.integer(3, 40))
            rows.append((f"L{i + 1}", who, pieces, price, pieces * price))
        sums = [(who, sum(row[2] for row in rows if row[1] == who), sum(row[4] for row in rows if row[1] == who)) for who in customers]
        totals = [sum(subtotal[1] for subtotal in sums), sum(subtotal[2] for subtotal in sums)]
        off = rng.choice((-1, 1)) * rng.choice((1, 2, 9, 10, 18))
        place = "line" if knobs.kind != "any" else rng.choice(("line", "line", "line", "sum", "whole"))
        if place == "line":
            i, cell = rng.integer(0, len(rows) - 1), 4 if knobs.kind == "total" else rng.integer(2, 4)
            name, who, pieces, price, total = rows[i]
            rows[i] = (name, who, pieces + off * (cell == 2), price + off * (cell == 3), total + off * (cell == 4))
        elif place == "sum":
            i, cell = rng.integer(0, len(sums) - 1), rng.integer(1, 2)
            sums[i] = (sums[i][0], sums[i][1] + off * (cell == 1), sums[i][2] + off * (cell == 2))
        else:
            totals[rng.integer(0, 1)] += off
        data = Data(lines=tuple(rows), sums=tuple(sums), whole=(totals[0], totals[1]), kind=knobs.kind)
        if min(min(row[2:]) for row in rows) > 0 and min(min(subtotal[1:]) for subtotal in sums) > 0 and len(list(_repairs(data))) == 1:
            break
    table = "\n".join(" | ".join(map(str, row)) for row in rows)
    other = "\n".join(" | ".join(map(str, row)) for row in (*sums, ("all", *totals)))
    prompt = (
        f"Lines of orders (line | customer | pieces | price | total):\n{table}\n\nBy customer (customer | pieces | total):\n{other}\n\n"
        "The total of a line is its pieces times its price; a customer's pieces and total are the sums over the customer's lines; the "
        "row all sums the "
        "rows above it. Exactly one number in the two tables is wrong (names are right). Which one, and what must it be so that "
        "everything agrees? Give three words: the row (a line such as L4, a customer, or all), the column (pieces, price or total) and the right number."
    )
    return Task(prompt, data)


environment = Environment(
    Knobs,
    Words(
        "what the question asks for, in the order asked, separated by spaces",
        max_items=15,
        ignore_case=True,
    ),
    generate, lambda task: tuple(word.lower() for word in solve(task)), verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift, answers="unique", solutions=lambda task: (
        tuple(word.lower() for word in found) for found in ([task.data.owners] if task.data.owners else _repairs(task.data))
    ),
    shared_helpers="The helper states which rows may stand for each other, as the prompt does.",
    version=3,
    concept="Check every rule; the wrong cell is the one that takes part in all the rules that fail and in none that hold.",
)  # fmt: skip
