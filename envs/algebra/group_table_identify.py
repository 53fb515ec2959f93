"""Tell from its table which group it is, and prove that by naming elements that generate it by the group's rules.

Any fitting elements are accepted. In the shifted family some entries of the table cannot be read.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.answers.mapping import Pairs
from rlgym.generators.algebra import metacyclic
from rlgym.generators.algebra.metacyclic import BY_ORDER, LETTERS, Group
from rlgym.generators.claims import Claim, refuted
from rlgym.generators.steps import Line, ended


class Knobs(Config):
    order: int = knob(12, easy=6, hard=20, doc="elements of the group, at most")
    kinds: str = knob(
        "all", easy="all", hard="other", order=("all", "other"), doc="all groups, or only those in which products have an order"
    )


class Data(TaskData):
    rows: tuple[str, ...]
    hidden: tuple[tuple[int, int], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """One entry less than there are elements is hidden, which leaves one group.

    Rows in which two groups agree form a subgroup, so that at least half of the rows differ, each in two entries or more.
    """
    return _made(rng, knobs, True)


def solve(task: Task[Data]) -> Pairs:
    return next(_found(task.data.rows, LETTERS[: len(task.data.rows)]))


def verify(task: Task[Data], answer: Pairs) -> Score:
    said, rows = dict(answer), task.data.rows
    group = next((group for group in BY_ORDER[len(rows)] if group.name.lower() == said.get("group")), None)
    if group is None or set(said) != {"group", "r", *("s" * (group.n > 1))}:
        return Score.wrong("name one of the groups, and an element for each of its generators")
    r, s = said["r"], said.get("s", said["r"])
    if any(len(letter) != 1 or letter not in LETTERS[: len(rows)] for letter in (r, s)):
        return Score.wrong("generators must be elements of the table")
    return Score.exact(metacyclic.generated(rows, group, r, s), "these elements do not keep the rules of that group")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    said, others = dict(right), [group for group in BY_ORDER[len(task.data.rows)] if group.name.lower() != dict(right)["group"]]
    named = [_pairs(group, said["r"], said.get("s", LETTERS[0])) for group in others]
    neutral = {**said, "r": metacyclic.neutral(task.data.rows)}
    more = {**said, "r": said.get("s", metacyclic.neutral(task.data.rows)), **({"s": said["r"]} if "s" in said else {})}
    return [*named, tuple(sorted(neutral.items())), *([tuple(sorted(more.items()))] if len(said) == 2 else []), right[:1]]


def cost(task: Task[Data]) -> float:
    return len(task.data.rows) ** 2 + 4 * len(task.data.hidden)


def explain(task: Task[Data]) -> list[str]:
    rows, said = task.data.rows, dict(solve(task))
    group = _named(rows, said["group"])
    steps = [_READ.write(x=LETTERS[i], y=LETTERS[j], z=rows[i][j]) for i, j in task.data.hidden]
    steps.append(_NEUTRAL.write(e=metacyclic.neutral(rows)))
    letters = LETTERS[: len(rows)]
    steps += [
        _POWERS.write(x=letter, powers=" ".join(metacyclic.powers(rows, letter)), order=len(metacyclic.powers(rows, letter)))
        for letter in letters
    ]
    if group.n > 1:
        r, s = said["r"], said["s"]
        turned = metacyclic.power(rows, r, group.k)
        steps.append(_POWER.write(x=s, exponent=group.n, z=metacyclic.power(rows, s, group.n)))
        steps += [_PRODUCT.write(x=x, y=y, z=metacyclic.times(rows, x, y)) for x, y in ((s, r), (turned, s))]
    return [*steps, _LAST + _ANSWER.render(solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    rows = task.data.rows

    def powers(x: str, powers: str, order: str) -> bool:
        return powers == " ".join(metacyclic.powers(rows, x)) and int(order) == len(metacyclic.powers(rows, x))

    claims: list[Claim] = [
        (_READ, lambda x, y, z: metacyclic.times(rows, x, y) == z),
        (_NEUTRAL, lambda e: e == metacyclic.neutral(rows)),
        (_POWERS, powers),
        (_POWER, lambda x, exponent, z: metacyclic.power(rows, x, int(exponent)) == z),
        (_PRODUCT, lambda x, y, z: metacyclic.times(rows, x, y) == z),
    ]
    return refuted(steps, claims, ended(_LAST, task, _ANSWER, verify))


def _made(rng: Rng, knobs: Knobs, hidden: bool) -> Task[Data]:
    order = max(order for order in BY_ORDER if order <= knobs.order)
    groups = [group for group in BY_ORDER[order] if knobs.kinds == "all" or not group.abelian]
    group = rng.weighted(groups, [1 if group.n == 1 else 3 for group in groups])
    rows = metacyclic.table(rng, group)
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
        f"It is one of these groups, where e is the neutral element:\n{menu}\n\n"
        "Say which, and name elements of the table that can be taken for r and, if the group has it, s."
    )
    return Task(prompt, Data(rows=rows, hidden=tuple(sorted(places))))


def _named(rows: Sequence[str], name: str) -> Group:
    return next(group for group in BY_ORDER[len(rows)] if group.name.lower() == name)


def _pairs(group: Group, r: str, s: str) -> Pairs:
    return (("group", group.name.lower()), ("r", r), *((("s", s),) if group.n > 1 else ()))


def _found(rows: Sequence[str], order: str) -> Iterator[Pairs]:
    for group in BY_ORDER[len(rows)]:
        for r in order:
            if len(metacyclic.powers(rows, r)) == group.m:
                for s in order if group.n > 1 else r:
                    if metacyclic.generated(rows, group, r, s):
                        yield _pairs(group, r, s)


_ANSWER = Mapping("`group: NAME`, `r: element` and, if the group has it, `s: element`, separated by commas", most=5)
_READ = Line("As every element stands once in each row and column and products associate, {x}*{y} is {z}.")
_NEUTRAL = Line("The neutral element is {e}, whose row is like the one at the top.")
_POWERS = Line("The powers of {x} are {powers}: it has the order {order}.")
_POWER = Line("{x}^{exponent} = {z}.")
_PRODUCT = Line("{x}*{y} = {z}.")
_LAST = "So the answer is "

environment = Environment(
    Knobs,
    _ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=lambda task: _found(task.data.rows, LETTERS[len(task.data.rows) - 1 :: -1]),
    concept="Orders of elements, and whether they commute, tell groups apart; elements that keep the rules generate the group.",
    version=2,
)
