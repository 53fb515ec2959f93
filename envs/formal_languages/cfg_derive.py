"""Derive a string from a grammar: say which rule is used at each step.

Any derivation of the string is accepted that keeps to the order of replacement, and to the number of uses of one rule where that is asked.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import grammars
from rlgym.generators.grammars import Chart, Rule, Tree
from rlgym.generators.steps import Line, first_wrong

ORDERS = {
    "left": "In every step the leftmost variable is replaced.",
    "right": "In every step the rightmost variable is replaced.",
    "turns": "In steps 1, 3, 5 and so on the leftmost variable is replaced, in steps 2, 4, 6 and so on the rightmost one.",
}
PIECE = Line("Letters {start} to {end}, {letters}, come from {variable} by rule {rule}")
STEP = Line("Step {number} uses rule {rule} and gives {form}")
DONE = Line("The rules in order: {rules}")


class Knobs(Config):
    length: int = knob(9, easy=3, hard=26, doc="letters of the string, about")
    variables: int = knob(3, easy=2, hard=6, doc="variables of the grammar")
    rules: int = knob(9, easy=4, hard=20, doc="rules of the grammar, about")
    longest: int = knob(3, easy=2, hard=4, doc="most symbols on the right of a rule")
    order: str = knob("right", easy="left", hard="turns", order=tuple(ORDERS), doc="which variable is replaced")
    uses: str = knob(
        "free", easy="free", hard="counted", order=("free", "counted"), doc="whether one rule must be used a given number of times"
    )


class Data(TaskData):
    rules: tuple[Rule, ...]
    text: str
    order: str
    marked: int
    """The rule whose uses are counted, from 0, and how often it must be used; -1 where none is."""
    times: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, nested=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Grammars whose rules put letters around what they hold."""
    return _made(rng, knobs, nested=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """A chart of all pieces of the string, instead of the derivation that made it."""
    data = task.data
    return tuple(rule + 1 for rule, _ in _derivation(data, _tree(data)))


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    data = task.data
    form = "S"
    for step, number in enumerate(answer, 1):
        if not 1 <= number <= len(data.rules):
            return Score.wrong(f"there is no rule {str(number)[:9]}")
        after = _replaced(data, form, step, number - 1)
        if after is None:
            return Score.wrong(f"rule {number} cannot be used in step {step}")
        if len(after) > len(data.text):
            return Score.wrong(f"after step {step} there are more symbols than the string has letters")
        form = after
    if form != data.text:
        return Score.wrong("the derivation does not end in the string")
    right = data.marked < 0 or sum(number == data.marked + 1 for number in answer) == data.times
    return Score.exact(right, "the counted rule is not used as often as it must be")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    others = [data.model_copy(update={"order": order, "marked": -1, "times": 0}) for order in ORDERS]
    turned = [tuple(rule + 1 for rule, _ in _derivation(other, _tree(other))) for other in others]
    wrong = [right[:-1], right[::-1], *turned, (*right, right[-1]), tuple(number - 1 for number in right)]
    return [answer for answer in wrong if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.text) ** 2 * len(data.rules) * (1 + (data.marked >= 0)) * (1 + 0.2 * list(ORDERS).index(data.order)))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    tree = _tree(data)
    steps = [
        PIECE.write(start=start + 1, end=end, letters=data.text[start:end], variable=variable, rule=rule + 1)
        for variable, start, end, rule in grammars.pieces(data.rules, tree)
    ]
    made = _derivation(data, tree)
    steps += [STEP.write(number=i, rule=rule + 1, form=form) for i, (rule, form) in enumerate(made, 1)]
    return [*steps, DONE.write(rules=", ".join(str(rule + 1) for rule, _ in made))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    known: dict[tuple[str, int, int], int] = {(letter, i, i + 1): -1 for i, letter in enumerate(data.text)}
    forms = ["S"]
    used: list[int] = []

    def split(symbols: str, start: int, end: int) -> bool:
        if len(symbols) == 1:
            return (symbols, start, end) in known
        return any((symbols[0], start, middle) in known and split(symbols[1:], middle, end) for middle in range(start + 1, end))

    def follows(step: str) -> bool:
        if said := PIECE.read(step):
            start, end, rule = int(said["start"]) - 1, int(said["end"]), int(said["rule"]) - 1
            left, right = data.rules[rule] if rule >= 0 else ("", "")
            known[left, start, end] = rule
            return 0 <= start < end and left == said["variable"] and data.text[start:end] == said["letters"] and split(right, start, end)
        said = STEP.read(step) or {}
        rule = int(said["rule"]) - 1
        forms.append(said["form"])
        used.append(rule)
        return rule >= 0 and int(said["number"]) == len(used) and _replaced(data, forms[-2], len(used), rule) == said["form"]

    def ends(step: str) -> bool:
        numbers = tuple(map(int, (DONE.read(step) or {})["rules"].split(", ")))
        return verify(task, numbers).value == 1 and [number - 1 for number in numbers] == used

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, *, nested: bool) -> Task[Data]:
    letters = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", 2 + (knobs.variables > 4))))
    while True:
        rules = grammars.drawn(rng, knobs.variables, knobs.rules, letters, knobs.longest, nested=nested)
        text, used = grammars.derived(rng, rules, knobs.length)
        if knobs.length <= len(text) <= knobs.length + 3 and len(set(used)) >= min(len(rules), knobs.length) // 2 and len(set(text)) > 1:
            break
    marked, times = -1, 0
    if knobs.uses == "counted":
        marked = rng.choice(sorted(set(used)))
        times = used.count(marked)
    counted = f" Rule {marked + 1} must be used exactly {times} {'time' if times == 1 else 'times'}." if marked >= 0 else ""
    prompt = (
        f"The rules of a grammar:\n{grammars.listed(rules)}\nCapital letters are variables. A derivation starts with the variable S; in each step "
        f"one variable is replaced by the right side of one of its rules. {ORDERS[knobs.order]}{counted}\n\nDerive the string {text}."
    )
    return Task(prompt, Data(rules=rules, text=text, order=knobs.order, marked=marked, times=times))


def _tree(data: Data) -> Tree:
    return Chart(data.rules, data.text, data.marked, data.times).tree("S", 0, len(data.text), data.times)


def _replaced(data: Data, form: str, step: int, rule: int) -> str | None:
    """The form after a step, or None where the rule does not fit the variable whose turn it is."""
    places = [i for i, symbol in enumerate(form) if symbol.isupper()]
    if not places:
        return None
    last = data.order == "right" or (data.order == "turns" and step % 2 == 0)
    at = places[-1 if last else 0]
    left, right = data.rules[rule]
    return form[:at] + right + form[at + 1 :] if form[at] == left else None


def _derivation(data: Data, tree: Tree) -> list[tuple[int, str]]:
    """The rules in the asked order, each with the form that it leads to."""
    form, open_trees, made = "S", [tree], list[tuple[int, str]]()
    while open_trees:
        last = data.order == "right" or (data.order == "turns" and len(made) % 2 == 1)
        rule, children = open_trees.pop(-1 if last else 0)
        open_trees = [*open_trees, *children] if last else [*children, *open_trees]
        after = _replaced(data, form, len(made) + 1, rule)
        assert after is not None
        form = after
        made.append((rule, form))
    return made


def _others(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """Derivations by other trees, rules tried from the last."""
    data = task.data
    for (tree,) in islice(grammars.trees(data.rules, data.text), 200):
        made = _derivation(data, tree)
        if data.marked < 0 or sum(rule == data.marked for rule, _ in made) == data.times:
            yield tuple(rule + 1 for rule, _ in made)
    yield solve(task)


environment = Environment(
    Knobs,
    Numbers("the numbers of the rules in the order of their use, separated by commas", most=400),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    answers="many",
    solutions=_others,
    concept="Find out which pieces of the string come from which variables, short pieces first; then write the rules down from the top.",
)
