"""Identify a group by its table, and prove it by naming elements that satisfy the relations of a presentation.

Any elements that satisfy the relations are accepted. In the shifted family some entries of the table cannot be read.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.answers.mapping import Pairs
from rlgym.generators.algebra import metacyclic
from rlgym.generators.algebra.metacyclic import BY_ORDER, LETTERS, Group
from rlgym.solutions import Checks, Derivation, Solution, Step

ANSWER = Mapping("`group: NAME`, `r: element` and, if the group has it, `s: element`, separated by commas", max_items=5)
READ = Step("As every element stands once in each row and column and products associate, {x}*{y} is {z}.")
NEUTRAL = Step("The neutral element is {e}, whose row is like the one at the top.")
POWERS = Step("The powers of {x} are {powers}: it has the order {order:int}.")
POWER = Step("{x}^{exponent:int} = {z}.")
PRODUCT = Step("{x}*{y} = {z}.")
CLOSING = "So the answer is {answer}"
WEIGHTS = {"C6": 3, "D3": 5, "Q8": 1}
"""How often a group is drawn, less where many of its elements are generators; other cyclic groups 1, all others 3."""


class Knobs(Config):
    order: int = knob(12, easy=6, hard=20, doc="elements of the group, at most")
    kinds: str = knob("all", easy="all", hard="other", order=("all", "other"), doc="all groups, or only non-abelian ones")


class Data(TaskData):
    rows: tuple[str, ...]
    hidden: tuple[tuple[int, int], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One entry less than there are elements is hidden, which leaves one group.

    Rows in which two groups agree form a subgroup, so that at least half of the rows differ, each in two entries or more.
    """
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Pairs:
    return next(_search_generators(task.data.rows, LETTERS[: len(task.data.rows)]))


def verify(task: Task[Data], answer: Pairs) -> Score:
    named, rows = dict(answer), task.data.rows
    group = next((group for group in BY_ORDER[len(rows)] if group.name.lower() == named.get("group")), None)
    if group is None or set(named) != {"group", "r", *("s" * (group.n > 1))}:
        return Score.wrong("name one of the groups, and an element for each of its generators")
    r, s = named["r"], named.get("s", named["r"])
    if any(len(letter) != 1 or letter not in LETTERS[: len(rows)] for letter in (r, s)):
        return Score.wrong("generators must be elements of the table")
    return Score.exact(metacyclic.is_generated_by(rows, group, r, s), "these elements do not satisfy the relations of that group")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    named = dict(right)
    others = [group for group in BY_ORDER[len(task.data.rows)] if group.name.lower() != named["group"]]
    other_groups = [_answer_pairs(group, named["r"], named.get("s", LETTERS[0])) for group in others]
    neutral = {**named, "r": metacyclic.neutral_element(task.data.rows)}
    more = {**named, "r": named.get("s", metacyclic.neutral_element(task.data.rows)), **({"s": named["r"]} if "s" in named else {})}
    return [*other_groups, tuple(sorted(neutral.items())), *([tuple(sorted(more.items()))] if len(named) == 2 else []), right[:1]]


def cost(task: Task[Data]) -> float:
    return len(task.data.rows) ** 2 + 4 * len(task.data.hidden)


def derive(task: Task[Data]) -> Derivation:
    rows, named = task.data.rows, dict(solve(task))
    group = next(group for group in BY_ORDER[len(rows)] if group.name.lower() == named["group"])
    for i, j in task.data.hidden:
        yield READ(x=LETTERS[i], y=LETTERS[j], z=rows[i][j])
    yield NEUTRAL(e=metacyclic.neutral_element(rows))
    for letter in LETTERS[: len(rows)]:
        powers = metacyclic.powers(rows, letter)
        yield POWERS(x=letter, powers=" ".join(powers), order=len(powers))
    if group.n > 1:
        r, s = named["r"], named["s"]
        yield POWER(x=s, exponent=group.n, z=metacyclic.power(rows, s, group.n))
        for x, y in ((s, r), (metacyclic.power(rows, r, group.k), s)):
            yield PRODUCT(x=x, y=y, z=metacyclic.multiply(rows, x, y))


def checks(task: Task[Data]) -> Checks:
    rows = task.data.rows

    def powers(x: str, powers: str, order: int) -> bool:
        return powers == " ".join(metacyclic.powers(rows, x)) and order == len(metacyclic.powers(rows, x))

    def product(x: str, y: str, z: str) -> bool:
        return metacyclic.multiply(rows, x, y) == z

    return {
        READ: product,
        NEUTRAL: lambda e: e == metacyclic.neutral_element(rows),
        POWERS: powers,
        POWER: lambda x, exponent, z: metacyclic.power(rows, x, exponent) == z,
        PRODUCT: product,
    }


def _sample_task(rng: Rng, knobs: Knobs, hidden: bool) -> Task[Data]:
    order = max(order for order in BY_ORDER if order <= knobs.order)
    groups = [group for group in BY_ORDER[order] if knobs.kinds == "all" or not group.abelian]
    group = rng.weighted(groups, [WEIGHTS.get(group.name, 1 if group.n == 1 else 3) for group in groups])
    rows = metacyclic.sample_table(rng, group)
    places = rng.sample([(i, j) for i in range(order) for j in range(order)], order - 1 if hidden else 0)
    shown = [list(row) for row in rows]
    for i, j in places:
        shown[i][j] = "?"
    letters = LETTERS[:order]
    listing = "\n".join(
        [f"* | {' '.join(letters)}", "--+" + "-" * (2 * order), *(f"{a} | {' '.join(row)}" for a, row in zip(letters, shown))]
    )
    menu = "\n".join(f"{group.name}: {group.rules()}" for group in BY_ORDER[order])
    unread = " Entries shown as ? cannot be read." if hidden else ""
    prompt = (
        f"This is the table of a group; the entry in row x and column y is x*y.{unread}\n{listing}\n\n"
        f"It is one of these groups, where e is the identity element:\n{menu}\n\n"
        "Say which, and name elements of the table that can be taken for r and, if the group has it, s."
    )
    return Task(prompt, Data(rows=rows, hidden=tuple(sorted(places))))


def _answer_pairs(group: Group, r: str, s: str) -> Pairs:
    return (("group", group.name.lower()), ("r", r), *((("s", s),) if group.n > 1 else ()))


def _search_generators(rows: Sequence[str], order: str) -> Iterator[Pairs]:
    for group in BY_ORDER[len(rows)]:
        for r in order:
            if len(metacyclic.powers(rows, r)) == group.m:
                for s in order if group.n > 1 else r:
                    if metacyclic.is_generated_by(rows, group, r, s):
                        yield _answer_pairs(group, r, s)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, CLOSING, checks), shift=shift, answers="many",
    solutions=lambda task: _search_generators(task.data.rows, LETTERS[len(task.data.rows) - 1 :: -1]),
    concept="Orders of elements, and whether they commute, tell groups apart; elements that keep the rules generate the group.", version=5,
    guessable="a group of six elements has few generators; one choice is right in about an eighth of the smallest tables",
)  # fmt: skip
