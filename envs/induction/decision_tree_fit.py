"""Find a small decision tree that sorts all rows of a table rightly."""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.solutions import Derivation, Solution, Step

Rows = tuple[tuple[int, ...], ...]
Tree = tuple[str, ...]
LETTERS = "abcdefghijklmnop"
WALK = Step("Row {row}: {walk}; the table says {label}")
USED = Step("The tree {tree} asks at most {depth:int} questions on any way down")


class Knobs(Config):
    columns: int = knob(6, easy=6, hard=12, doc="columns of the table besides the last one")
    depth: int = knob(3, easy=2, hard=4, beyond=5, doc="questions on a way down the tree at most")
    rows: int = knob(14, easy=10, hard=40, beyond=60, doc="rows of the table")


class Data(TaskData):
    rows: Rows
    labels: tuple[str, ...]
    depth: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rows sorted by a tree."""
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rows sorted by whether an odd number of some columns are 1, so that no first question alone tells anything."""
    return _sample_task(rng, knobs, True)


def _sample_task(rng: Rng, knobs: Knobs, odd: bool) -> Task[Data]:
    while True:
        rows = tuple(dict.fromkeys(tuple(rng.integer(0, 1) for _ in range(knobs.columns)) for _ in range(knobs.rows)))
        depth = min(knobs.depth, knobs.columns)
        chosen = rng.sample(range(knobs.columns), min(depth, 3))
        tree = _sample_tree(rng, list(range(knobs.columns)), depth)
        labels = tuple("no yes".split()[sum(row[k] for k in chosen) % 2] if odd else _classify(tree, row)[1] for row in rows)
        if 3 * labels.count("yes") >= len(rows) <= 3 * labels.count("no"):
            break
    names = LETTERS[: knobs.columns]
    listing = "\n".join(" ".join(map(str, row)) + f" {label}" for row, label in zip(rows, labels))
    prompt = (
        f"A table with the columns {', '.join(names)} and a verdict:\n{' '.join(names)} verdict\n{listing}\n\nA decision tree is yes, no, or the letter of a "
        "column followed by two trees. To classify a row, start at the beginning of the tree: yes and no are verdicts; a letter leads to the first of its "
        "two trees if the row has 0 in that column, and to the second if it has 1. For example, a no b yes no gives yes exactly where a is 1 and b is 0. "
        f"Write a tree that gives each row of the table its verdict and in which no path contains more than {depth} letters."
    )
    return Task(prompt, Data(rows=rows, labels=labels, depth=depth))


def _sample_tree(rng: Rng, columns: list[int], depth: int) -> Tree:
    if not depth or not columns or rng.chance(0.1 / depth):
        return (rng.choice(("yes", "no")),)
    asked = rng.choice(columns)
    rest = [column for column in columns if column != asked]
    return (LETTERS[asked], *_sample_tree(rng, rest, depth - 1), *_sample_tree(rng, rest, depth - 1))


def _subtree_end(tree: Sequence[str], at: int) -> int:
    """Where the part of a tree that begins here ends."""
    open_ = 1
    while open_:
        open_ += 1 if tree[at] not in ("yes", "no") else -1
        at += 1
    return at


def _classify(tree: Sequence[str], row: Sequence[int]) -> tuple[str, str]:
    """The way of a row down a tree, in words, and its verdict."""
    at, walk = 0, list[str]()
    while tree[at] not in ("yes", "no"):
        value = row[LETTERS.index(tree[at])]
        walk.append(f"{tree[at]} is {value}")
        at = _subtree_end(tree, at + 1) if value else at + 1
    return ", ".join([*walk, f"so {tree[at]}"]), tree[at]


def _depth(tree: Sequence[str]) -> int:
    """How many letters the longest way passes; -1 of what is no tree."""
    pending, deepest = [0], 0
    for word in tree:
        if not pending:
            return -1
        level = pending.pop()
        if word not in ("yes", "no"):
            pending += [level + 1, level + 1]
            deepest = max(deepest, level + 1)
    return -1 if pending else deepest


def solve(task: Task[Data]) -> Tree:
    return next(_fitting_trees(task.data, range(len(task.data.rows[0]))))


def solutions(task: Task[Data]) -> list[Tree]:
    """With the columns tried from the last one on."""
    return [next(_fitting_trees(task.data, range(len(task.data.rows[0]))[::-1])), *([solve(task)])]


def _fitting_trees(data: Data, columns: Sequence[int]) -> Iterator[Tree]:
    ones = [sum(1 << k for k, row in enumerate(data.rows) if row[column]) for column in range(len(data.rows[0]))]
    yes = sum(1 << k for k, label in enumerate(data.labels) if label == "yes")
    failed: set[tuple[int, int]] = set()

    def trees(rows_left: int, depth: int) -> Iterator[Tree]:
        if not rows_left & yes or not rows_left & ~yes:
            yield ("yes" if rows_left & yes else "no",)
            return
        if not depth or (rows_left, depth) in failed:
            return
        any_found = False
        for column in columns:
            zero, zero_rows = rows_left & ~ones[column], rows_left & ones[column]
            if zero and zero_rows:
                for low in trees(zero, depth - 1):
                    high = next(trees(zero_rows, depth - 1), None)
                    if high is None:
                        break
                    any_found = True
                    yield (LETTERS[column], *low, *high)
        if not any_found:
            failed.add((rows_left, depth))

    yield from trees((1 << len(data.rows)) - 1, data.depth)


def verify(task: Task[Data], answer: Tree) -> Score:
    columns = len(task.data.rows[0])
    if any(word not in ("yes", "no") and (len(word) != 1 or word not in LETTERS[:columns]) for word in answer):
        return Score.wrong("a tree is written with yes, no and the letters of the columns")
    depth = _depth(answer)
    if not 0 <= depth <= task.data.depth:
        return Score.wrong("not one whole tree" if depth < 0 else "some way passes too many letters")
    wrong = sum(_classify(answer, row)[1] != label for row, label in zip(task.data.rows, task.data.labels))
    return Score.exact(not wrong, f"{wrong} rows get another verdict")


def mistakes(task: Task[Data], right: Tree) -> list[Tree]:
    other = {"yes": "no", "no": "yes"}
    return [
        tuple(other.get(word, word) for word in right),
        right[:-1],
        ("yes",),
        (*right[:-1], other[right[-1]]),
        (right[0], right[0], *right[1:]),
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.rows[0]) ** task.data.depth * len(task.data.rows))


def derive(task: Task[Data]) -> Derivation:
    def fits(tree: str, depth: int) -> bool:
        return verify(task, tuple(tree.split())).value == 1 and depth == _depth(tree.split())

    found = solve(task)
    taken = yield USED(tree=" ".join(found), depth=_depth(found)).accepting(fits)
    tree = taken["tree"].split()
    for number, (row, label) in enumerate(zip(task.data.rows, task.data.labels), 1):
        yield WALK(row=number, walk=_classify(tree, row)[0], label=label)


environment = Environment(
    Knobs, Words("the tree as words separated by spaces", max_items=120, ignore_case=True), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The tree: {answer}"), shift=shift, answers="many", solutions=solutions,
    concept="Ask what splits the rows so that both parts can be sorted with the questions that are left.",
    version=2,
)  # fmt: skip
