"""Find the few things that break a rule which all the others follow, where the rule is made of listed properties in listed ways."""

from collections.abc import Iterator, Sequence
from functools import partial

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Letters
from rlgym.generators.rules.properties import FORMS, ROWS, WORDS, Rule, broken, follows, rules
from rlgym.solutions import Derivation, OneOf, Solution, Step

TABLES = {"rows of four different numbers": ROWS, "words of six letters": WORDS}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SAID = {
    "has": Step("The rule: every item has property {one:int}"),
    "if": Step("The rule: every item that has property {one:int} has property {other:int}"),
    "one": Step("The rule: every item has exactly one of the properties {one:int} and {other:int}"),
    "both": Step("The rule: every item that has the properties {one:int} and {other:int} has property {third:int}"),
}
SEEN = Step("{letter}, {item}: {truths}, so it {verdict} the rule")
COUNT = Step("Items that break the rule: {broken}, as stated")


class Knobs(Config):
    properties: int = knob(5, easy=3, hard=7, doc="how many properties are listed")
    form: str = knob("one", easy="has", hard="both", order=tuple(FORMS), doc="the last of the forms of rules that are allowed")
    outliers: int = knob(2, easy=1, hard=2, doc="how many items break the rule")
    things: int = knob(10, easy=6, hard=20, doc="items at least")


class Data(TaskData):
    table: str
    numbers: tuple[int, ...]  # which properties of the table, in the order of the prompt
    forms: tuple[str, ...]
    outliers: int
    shown: tuple[str, ...]
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rows of numbers."""
    return _sample_task(rng, knobs, "rows of four different numbers")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Words."""
    return _sample_task(rng, knobs, "words of six letters")


def _sample_task(rng: Rng, knobs: Knobs, table: str) -> Task[Data]:
    forms = tuple(FORMS)[: tuple(FORMS).index(knobs.form) + 1]
    while True:
        numbers = tuple(rng.sample(range(len(TABLES[table])), knobs.properties))
        language = list(rules(forms, knobs.properties))
        form = rng.choice(forms[-2:])
        hidden = rng.choice([k for k, rule in enumerate(language) if rule[0] == form])
        things = list(dict.fromkeys(_sample_item(rng, table) for _ in range(120)))
        breaks = {thing: broken(forms, _properties_of(table, numbers, thing)) for thing in things}
        outliers = [thing for thing in things if breaks[thing] >> hidden & 1][: knobs.outliers]
        waiting = [thing for thing in things if not breaks[thing] >> hidden & 1]
        if len(outliers) < knobs.outliers or len(waiting) < 40:
            continue
        shown = list(outliers)
        reached = [(1 << len(language)) - 1] + [0] * (knobs.outliers + 1)  # at each place k, the rules that k items or more break
        for thing in outliers:
            reached = _count_breaking(reached, breaks[thing])
        wanted, spared = reached[knobs.outliers], (1 << len(language)) - 1
        while len(shown) < len(LETTERS):
            if len(shown) >= knobs.things and not reached[-2] & ~reached[-1] & ~(wanted & spared):
                break
            open_still, doubtful = ~reached[-1], reached[-2] & ~reached[-1] & ~(wanted & spared)
            thing = max(waiting, key=lambda item: (breaks[item] & open_still).bit_count() + 2 * (breaks[item] & doubtful).bit_count())
            waiting.remove(thing)
            shown.append(thing)
            reached, spared = _count_breaking(reached, breaks[thing]), spared & ~breaks[thing]
        else:
            continue
        shown = rng.shuffled(shown)
        right = tuple(letter for letter, thing in zip(LETTERS, shown) if thing in outliers)
        data = Data(table=table, numbers=numbers, forms=forms, outliers=knobs.outliers, shown=tuple(shown), right=right)
        return Task(_render_prompt(data), data)


def _count_breaking(reached: list[int], broken: int) -> list[int]:
    return [reached[0], *(reached[k] | reached[k - 1] & broken for k in range(1, len(reached)))]


def _sample_item(rng: Rng, table: str) -> str:
    if table == "words of six letters":
        return "".join(rng.choice("abcde") for _ in range(6))
    return " ".join(map(str, rng.sample(range(1, 16), 4)))


def _properties_of(table: str, numbers: Sequence[int], item: str) -> tuple[bool, ...]:
    return tuple(TABLES[table][k][1](item) for k in numbers)


def _render_prompt(data: Data) -> str:
    properties = "\n".join(f"{k}. {TABLES[data.table][number][0]}" for k, number in enumerate(data.numbers, 1))
    forms = "\n".join(f"- {FORMS[form][0]}" for form in data.forms)
    letters = "Here i is the number of a property" if data.forms == ("has",) else "Here i, j and k are numbers of different properties"
    letters = letters if "both" in data.forms else letters.replace("i, j and k", "i and j")
    things = "\n".join(f"{letter}. {thing}" for letter, thing in zip(LETTERS, data.shown))
    plural = "s" * (data.outliers > 1)
    verb = "breaks" if data.outliers == 1 else "break"
    return (
        f"Items are {data.table}. Properties that an item has or does not have:\n{properties}\n\nA rule has "
        f"{'one of these forms' if len(data.forms) > 1 else 'this form'}:\n{forms}\n"
        f"{letters} in the list above.\n\n{things}\n\nExactly {data.outliers} of these items {verb} "
        f"a hidden rule, and all the others follow it. Every rule of {'these forms' if len(data.forms) > 1 else 'this form'} that exactly "
        f"{data.outliers} of the items {verb} is broken by "
        f"the same one{plural}. Which one{plural}?"
    )


def _rules_with_outliers(data: Data) -> Iterator[tuple[Rule, tuple[str, ...]]]:
    """Each rule that exactly the given number of items break, with those items."""
    had = [_properties_of(data.table, data.numbers, item) for item in data.shown]
    for rule in rules(data.forms, len(data.numbers)):
        breaking = tuple(letter for letter, has in zip(LETTERS, had) if not follows(rule, has))
        if len(breaking) == data.outliers:
            yield rule, breaking


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By the last rule that fits, of all."""
    return list(_rules_with_outliers(task.data))[-1][1]


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    yield from dict.fromkeys(breaking for _, breaking in _rules_with_outliers(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.right, "no rule is broken by exactly these items")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    letters = LETTERS[: len(task.data.shown)]
    later = tuple(sorted(letters[(letters.index(letter) + 1) % len(letters)] for letter in right))
    return [later, right[1:], tuple(letter for letter in letters if letter not in right), tuple(sorted({*right} ^ {"A"})), tuple(letters)]


def cost(task: Task[Data]) -> float:
    return float(sum(1 for _ in rules(task.data.forms, len(task.data.numbers))) * len(task.data.shown))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    fitting = [rule for rule, _ in _rules_with_outliers(data)]
    by_form = {form: (form, places) for form, places in reversed(fitting)}
    forms = dict.fromkeys(form for form, _ in fitting)
    taken = yield OneOf(tuple(SAID[form](**_places(by_form[form])).accepting(partial(_is_among, fitting, form)) for form in forms))
    rule = next(rule for rule in fitting if SAID[rule[0]] is taken.step and _places(rule) == taken.fields)
    for letter in LETTERS[: len(data.shown)]:
        yield SEEN(letter=letter, **_judgement_gaps(data, rule, letter))
    yield COUNT(broken=data.outliers)


def _places(rule: Rule) -> dict[str, int]:
    """The properties of a rule, from 1, by the gaps of its sentence."""
    return dict(zip(("one", "other", "third"), (k + 1 for k in rule[1])))


def _is_among(rules: Sequence[Rule], form: str, **places: int) -> bool:
    return any(rule[0] == form and _places(rule) == places for rule in rules)


def _judgement_gaps(data: Data, rule: Rule, letter: str) -> dict[str, str]:
    item = data.shown[LETTERS.index(letter)]
    has = _properties_of(data.table, data.numbers, item)
    truths = ", ".join(f"property {k + 1} {'holds' if has[k] else 'fails'}" for k in rule[1])
    return {"item": item, "truths": truths, "verdict": "follows" if follows(rule, has) else "breaks"}


environment = Environment(
    Knobs, Letters(LETTERS, "the letters of the items asked for, separated by spaces"), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "They are: {answer}"), shift=shift, answers="unique", solutions=solutions,
    concept="Write down who has which property; then look for properties and pairs of them which almost all items treat alike.",
    guessable="one of six items is the outlier of the smallest tasks",
    version=5,
)  # fmt: skip
