"""Derive a string from a grammar: say which rule is used at each step.

Any derivation of the string is accepted that keeps to the order of replacement, and to the number of uses of one rule where that is asked.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.draws import draw_rare
from rlgym.generators.languages import grammars
from rlgym.generators.languages.grammars import Chart, Rule, Tree
from rlgym.solutions import Checks, Derivation, Solution, Step

ORDERS = {
    "left": "in every step the leftmost variable is",
    "right": "in every step the rightmost variable is",
    "turns": "in steps 1, 3, 5 and so on the leftmost variable, and in steps 2, 4, 6 and so on the rightmost one, is",
}
PIECE = Step("Letters {start:int} to {end:int}, {letters}, come from {variable} by rule {rule:int}")
STEP = Step("Step {number:int} uses rule {rule:int} and gives {form}")
DONE = Step("The rules in order: {answer}")


class Knobs(Config):
    length: int = knob(9, easy=5, hard=26, doc="approximate number of letters of the string")
    variables: int = knob(3, easy=2, hard=6, doc="variables of the grammar")
    rules: int = knob(9, easy=6, hard=20, doc="approximate number of grammar rules")
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
    return _sample_rare(rng, knobs, nested=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Grammars whose rules put letters around what they hold."""
    return _sample_rare(rng, knobs, nested=True)


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
        after = _apply_rule(data, form, step, number - 1)
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
    other_orders = [tuple(rule + 1 for rule, _ in _derivation(other, _tree(other))) for other in others]
    wrong = [right[:-1], right[::-1], *other_orders, (*right, right[-1]), tuple(number - 1 for number in right)]
    return [answer for answer in wrong if verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.text) ** 2 * len(data.rules) * (1 + (data.marked >= 0)) * (1 + 0.2 * list(ORDERS).index(data.order)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    tree = _tree(data)
    for variable, start, end, rule in grammars.tree_spans(data.rules, tree):
        yield PIECE(start=start + 1, end=end, letters=data.text[start:end], variable=variable, rule=rule + 1)
    derivation = _derivation(data, tree)
    for number, (rule, form) in enumerate(derivation, 1):
        yield STEP(number=number, rule=rule + 1, form=form)
    yield DONE(answer=", ".join(str(rule + 1) for rule, _ in derivation))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    known: dict[tuple[str, int, int], int] = {(letter, i, i + 1): -1 for i, letter in enumerate(data.text)}
    forms, used = ["S"], list[int]()

    def splits(symbols: str, start: int, end: int) -> bool:
        if len(symbols) == 1:
            return (symbols, start, end) in known
        return any((symbols[0], start, middle) in known and splits(symbols[1:], middle, end) for middle in range(start + 1, end))

    def is_piece(start: int, end: int, letters: str, variable: str, rule: int) -> bool:
        left, right = data.rules[rule - 1] if rule > 0 else ("", "")
        known[left, start - 1, end] = rule - 1
        return 0 < start <= end and left == variable and data.text[start - 1 : end] == letters and splits(right, start - 1, end)

    def is_replaced(number: int, rule: int, form: str) -> bool:
        forms.append(form)
        used.append(rule)
        return rule > 0 and number == len(used) and _apply_rule(data, forms[-2], len(used), rule - 1) == form

    return {PIECE: is_piece, STEP: is_replaced, DONE: lambda answer: list(map(int, answer.split(", "))) == used}


def _sample_rare(rng: Rng, knobs: Knobs, *, nested: bool) -> Task[Data]:
    """Short strings have few different derivations, so a task with a rare one is taken."""
    return draw_rare(lambda: _sample_task(rng, knobs, nested=nested), solve, 6 if knobs.length < 8 else 1)


def _sample_task(rng: Rng, knobs: Knobs, *, nested: bool) -> Task[Data]:
    letters = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", 2 + (knobs.variables > 4))))
    while True:
        rules = grammars.sample_grammar(rng, knobs.variables, knobs.rules, letters, knobs.longest, nested=nested)
        text, used = grammars.sample_derivation(rng, rules, knobs.length)
        if knobs.length <= len(text) <= knobs.length + 3 and len(set(used)) >= min(len(rules), knobs.length) // 2 and len(set(text)) > 1:
            break
    marked, times = -1, 0
    if knobs.uses == "counted":
        marked = rng.choice(sorted(set(used)))
        times = used.count(marked)
    counted = f" Rule {marked + 1} must be used exactly {times} {'time' if times == 1 else 'times'}." if marked >= 0 else ""
    prompt = (
        f"The rules of a grammar:\n{grammars.render_rules(rules)}\nCapital letters are variables. A derivation starts with the variable S; "
        f"{ORDERS[knobs.order]} replaced by the right side of one of its rules.{counted}\n\nDerive the string {text}. Any such derivation is accepted."
    )
    return Task(prompt, Data(rules=rules, text=text, order=knobs.order, marked=marked, times=times))


def _tree(data: Data) -> Tree:
    return Chart(data.rules, data.text, data.marked, data.times).tree("S", 0, len(data.text), data.times)


def _apply_rule(data: Data, form: str, step: int, rule: int) -> str | None:
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
    form, open_trees, derivation = "S", [tree], list[tuple[int, str]]()
    while open_trees:
        last = data.order == "right" or (data.order == "turns" and len(derivation) % 2 == 1)
        rule, children = open_trees.pop(-1 if last else 0)
        open_trees = [*open_trees, *children] if last else [*children, *open_trees]
        after = _apply_rule(data, form, len(derivation) + 1, rule)
        assert after is not None
        form = after
        derivation.append((rule, form))
    return derivation


def _other_answers(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """Derivations by other trees, rules tried from the last."""
    data = task.data
    for (tree,) in islice(grammars.parse_trees(data.rules, data.text), 200):
        derivation = _derivation(data, tree)
        if data.marked < 0 or sum(rule == data.marked for rule, _ in derivation) == data.times:
            yield tuple(rule + 1 for rule, _ in derivation)
    yield solve(task)


environment = Environment(
    Knobs, Numbers("the numbers of the rules in the order in which they are used, separated by commas", max_items=400),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    shared_helpers="The helper replaces one variable by the right side of a rule, which defines a derivation.",
    concept="Find out which pieces of the string come from which variables, short pieces first; then write the rules down from the top.",
    version=3,
)  # fmt: skip
