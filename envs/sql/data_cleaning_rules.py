"""Clean a messy table by ordered rules: spellings, units, missing values, doubles; give the clean table."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Grid
from rlgym.solutions import Derivation, Solution, Step

Raw = tuple[str, str, str]  # item, weight with a unit, amount
Clean = tuple[str, int, int]  # item, grams, amount
Cells = tuple[tuple[str, ...], ...]
ITEMS = ("rice", "salt", "tea", "flour", "oats", "sugar", "beans", "corn")
RULES = {
    "names": "Item names are written in lower case, with spaces and asterisks removed from both ends.",
    "grams": "Weights are converted to grams: 1 kg is 1000 g, and a weight without a unit is in grams.",
    "missing": "A missing amount (?) becomes the amount of the row just above, which may itself have just been filled in (0 in the first row).",
    "negative": "Rows with a negative amount are removed.",
    "doubles": "Of rows that are equal in all three fields, only the first is kept.",
    "merge": "Rows with the same item and weight are merged into one, in the position of the first, with the sum of their amounts.",
    "heavy": "A row with a weight of more than {bound} g is removed, unless it was the only row of its item before this rule.",
}
RULE = Step("After rule {number:int} the number of rows is {count:int}: {rows}")
END = "So these rows are left:\n{answer}"


class Knobs(Config):
    rows: int = knob(7, easy=4, hard=20, doc="rows of the table")
    rules: int = knob(3, easy=1, hard=5, doc="rules besides those about spellings and units")
    mess: int = knob(40, easy=25, hard=75, doc="percent of the fields that are messy")


class Data(TaskData):
    rows: tuple[Raw, ...]
    rules: tuple[str, ...]
    bound: int
    right: tuple[Clean, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 5)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Two items only, so that nearly all rows are doubles of each other or merge."""
    return _sample_task(rng, knobs, 2)


def solve(task: Task[Data]) -> Cells:
    """With lists that are changed in place, rule by rule."""
    data = task.data
    rows = [[item.strip(" *").lower(), _grams(weight), None if amount == "?" else int(amount)] for item, weight, amount in data.rows]
    for rule in data.rules:
        if rule == "missing":
            for i, row in enumerate(rows):
                row[2] = row[2] if row[2] is not None else rows[i - 1][2] if i else 0
        elif rule == "negative":
            rows = [row for row in rows if row[2] is None or not str(row[2]).startswith("-")]
        elif rule == "doubles":
            rows = [row for i, row in enumerate(rows) if row not in rows[:i]]
        elif rule == "merge":
            for i in range(len(rows) - 1, 0, -1):
                first = next(row for row in rows if row[:2] == rows[i][:2])
                if first is not rows[i]:
                    first[2] = sum(int(str(row[2])) for row in (first, rows[i]))
                    del rows[i]
        elif rule == "heavy":
            alone = [row[0] for row in rows]
            rows = [row for row in rows if int(str(row[1])) <= data.bound or alone.count(row[0]) == 1]
    return tuple(tuple(map(str, row)) for row in rows)


def verify(task: Task[Data], answer: Cells) -> Score:
    right = tuple(tuple(map(str, row)) for row in task.data.right)
    return Score.exact(
        tuple((row[0].lower(), *row[1:]) for row in answer) == right,
        "some row is missing, left over, at another place or holds other values",
    )


def mistakes(task: Task[Data], right: Cells) -> list[Cells]:
    data = task.data
    others = [_clean(data.rows, rules, data.bound) for rules in (data.rules[:-1], ("missing", *data.rules[1:]), data.rules[::-1])]
    return [
        *(tuple(tuple(map(str, row)) for row in rows) for rows in others if rows),
        right[::-1],
        right[:-1] or (("rice", "0", "0"),),
        (*right, right[0]),
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.rows) * (1 + len(task.data.rules)))


def derive(task: Task[Data]) -> Derivation:
    """The whole table after each rule; the first two change spellings only and are taken together."""
    data = task.data
    for number in range(2, len(data.rules) + 1):
        rows = _texts(data.rows, data.rules[:number], data.bound)
        shown = ", ".join(f"{item} {grams} {amount}" for item, grams, amount in rows)
        yield RULE(number=number, count=len(rows), rows=shown)


def _grams(weight: str) -> int:
    number, unit = weight.rstrip("kg ").strip(), weight.strip(" 0123456789")
    return int(number) * (1000 if unit == "kg" else 1)


def _clean(raw: tuple[Raw, ...], rules: tuple[str, ...], bound: int) -> tuple[Clean, ...]:
    return tuple((item, grams, int(amount)) for item, grams, amount in _texts(raw, rules, bound) if amount != "?")


def _texts(raw: tuple[Raw, ...], rules: tuple[str, ...], bound: int) -> list[tuple[str, int, str]]:
    """By building the list anew for each rule."""
    rows = [("".join(sign for sign in item.lower() if sign.isalpha()), _grams(weight), amount) for item, weight, amount in raw]
    for rule in rules:
        fresh: list[tuple[str, int, str]] = []
        for item, grams, amount in rows:
            if rule == "missing" and amount == "?":
                amount = fresh[-1][2] if fresh else "0"
            dropped = {
                "negative": amount != "?" and int(amount) < 0,
                "doubles": (item, grams, amount) in fresh,
                "heavy": grams > bound and sum(other[0] == item for other in rows) > 1,
            }.get(rule, False)
            place = next((i for i, other in enumerate(fresh) if rule == "merge" and other[:2] == (item, grams)), None)
            if place is not None:
                old = fresh[place][2]
                fresh[place] = (item, grams, str((0 if old == "?" else int(old)) + (0 if amount == "?" else int(amount))))
            elif not dropped:
                fresh.append((item, grams, amount))
        rows = fresh
    return rows


def _sample_task(rng: Rng, knobs: Knobs, kinds: int) -> Task[Data]:
    while True:
        names = rng.sample(ITEMS, kinds)

        rows = tuple(_raw(rng, rng.choice(names), knobs.mess) for _ in range(knobs.rows))
        extra = rng.sample(("negative", "doubles", "merge", "heavy"), knobs.rules - 1)
        ordered = rng.shuffled(extra)
        if {"doubles", "merge"} <= {*ordered} and ordered.index("doubles") > ordered.index("merge"):
            ordered.remove("doubles")  # merged rows are never equal, so that doubles are removed before
            ordered.insert(ordered.index("merge"), "doubles")
        # Amounts must be known before they are summed.
        ordered.insert(rng.integer(0, ordered.index("merge") if "merge" in ordered else len(ordered)), "missing")
        rules = ("names", "grams", *ordered)
        bound = rng.choice((500, 1000, 1500))
        right = _clean(rows, rules, bound)
        if len(right) > 1 and (len(right) < len(rows) or knobs.rules < 3):
            break
    shown = "\n".join(" | ".join(row) for row in rows)
    rules_text = "\n".join(f"{i}. {RULES[rule].format(bound=bound)}" for i, rule in enumerate(rules, 1))
    prompt = (
        f"A messy table (item | weight | amount):\n\n{shown}\n\nApply these rules one after the other, each to the whole table as the previous rule left it:\n"
        f"{rules_text}\n\n{_about_missing(rules)}Which rows are left?"
    )
    return Task(prompt, Data(rows=rows, rules=rules, bound=bound, right=right))


def _about_missing(rules: tuple[str, ...]) -> str:
    """How rules that come before missing amounts are filled in treat them."""
    before = rules[: rules.index("missing")]
    negative = ["is not negative"] if "negative" in before else []
    equal = ["equals any other missing amount"] if "doubles" in before else []
    return f"A missing amount {' and '.join(negative + equal)}. " if negative or equal else ""


def _raw(rng: Rng, item: str, mess: int) -> Raw:
    def odd() -> bool:
        return rng.integer(1, 100) <= mess

    grams, amount = rng.choice((1000, 2000, 500, 250)), rng.integer(1, 6)
    item = rng.choice((item.upper(), item.title(), f"{item}*", f"*{item}")) if odd() else item
    weight = f"{grams // 1000} kg" if grams >= 1000 and odd() else f"{grams} g" if odd() else str(grams)
    return item, weight, rng.choice(("?", "?", str(-amount), str(amount))) if odd() else str(amount)


environment = Environment(
    Knobs, Grid("the rows in order, one per line, each as item, weight in grams and amount as plain integers, separated by spaces"),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift,
    concept="Write the whole table down after each rule; what a rule removes or fills changes what the next one sees.",
    version=6,
)  # fmt: skip
