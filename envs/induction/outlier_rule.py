"""Find the few things that break a rule which all the others follow, where the rule is made of listed properties in listed ways."""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Letters
from rlgym.generators.rules.properties import FORMS, ROWS, WORDS, Rule, broken, follows, rules
from rlgym.generators.steps import Line, ended, first_wrong

TABLES = {"rows of four different numbers": ROWS, "words of six letters": WORDS}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SAID = {
    "has": Line("The rule: every item has property {one}"),
    "if": Line("The rule: every item that has property {one} has property {other}"),
    "one": Line("The rule: every item has exactly one of the properties {one} and {other}"),
    "both": Line("The rule: every item that has the properties {one} and {other} has property {third}"),
}
SEEN = Line("{letter}, {item}: {truths}, so it {verdict} the rule")
COUNT = Line("Items that break the rule: {broken}, as told")
END = "They are: "


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
    return _made(rng, knobs, "rows of four different numbers")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Words."""
    return _made(rng, knobs, "words of six letters")


def _made(rng: Rng, knobs: Knobs, table: str) -> Task[Data]:
    forms = tuple(FORMS)[: tuple(FORMS).index(knobs.form) + 1]
    while True:
        numbers = tuple(rng.sample(range(len(TABLES[table])), knobs.properties))
        language = list(rules(forms, knobs.properties))
        form = rng.choice(forms[-2:])
        hidden = rng.choice([k for k, rule in enumerate(language) if rule[0] == form])
        things = list(dict.fromkeys(_drawn(rng, table) for _ in range(120)))
        breaks = {thing: broken(forms, _has(table, numbers, thing)) for thing in things}
        outliers = [thing for thing in things if breaks[thing] >> hidden & 1][: knobs.outliers]
        waiting = [thing for thing in things if not breaks[thing] >> hidden & 1]
        if len(outliers) < knobs.outliers or len(waiting) < 40:
            continue
        shown = list(outliers)
        reached = [(1 << len(language)) - 1] + [0] * (knobs.outliers + 1)  # at each place k, the rules that k items or more break
        for thing in outliers:
            reached = _counted(reached, breaks[thing])
        wanted, spared = reached[knobs.outliers], (1 << len(language)) - 1
        while len(shown) < len(LETTERS):
            if len(shown) >= knobs.things and not reached[-2] & ~reached[-1] & ~(wanted & spared):
                break
            open_still, doubtful = ~reached[-1], reached[-2] & ~reached[-1] & ~(wanted & spared)
            thing = max(waiting, key=lambda item: (breaks[item] & open_still).bit_count() + 2 * (breaks[item] & doubtful).bit_count())
            waiting.remove(thing)
            shown.append(thing)
            reached, spared = _counted(reached, breaks[thing]), spared & ~breaks[thing]
        else:
            continue
        shown = rng.shuffled(shown)
        right = tuple(letter for letter, thing in zip(LETTERS, shown) if thing in outliers)
        data = Data(table=table, numbers=numbers, forms=forms, outliers=knobs.outliers, shown=tuple(shown), right=right)
        return Task(_told(data), data)


def _counted(reached: list[int], broken: int) -> list[int]:
    return [reached[0], *(reached[k] | reached[k - 1] & broken for k in range(1, len(reached)))]


def _drawn(rng: Rng, table: str) -> str:
    if table == "words of six letters":
        return "".join(rng.choice("abcde") for _ in range(6))
    return " ".join(map(str, rng.sample(range(1, 16), 4)))


def _has(table: str, numbers: Sequence[int], item: str) -> tuple[bool, ...]:
    return tuple(TABLES[table][k][1](item) for k in numbers)


def _told(data: Data) -> str:
    properties = "\n".join(f"{k}. {TABLES[data.table][number][0]}" for k, number in enumerate(data.numbers, 1))
    forms = "\n".join(f"- {FORMS[form][0]}" for form in data.forms)
    things = "\n".join(f"{letter}. {thing}" for letter, thing in zip(LETTERS, data.shown))
    verb = "breaks" if data.outliers == 1 else "break"
    return (
        f"Items are {data.table}. Properties that an item has or does not have:\n{properties}\n\nA rule is of one of the forms\n{forms}\n"
        f"where the capital letters stand for different properties of the list.\n\n{things}\n\nExactly {data.outliers} of these items {verb} "
        f"a hidden rule, and all the others follow it. All rules that exactly {data.outliers} of the items {verb} are broken by the same ones. "
        "Which?"
    )


def _sets(data: Data) -> Iterator[tuple[Rule, tuple[str, ...]]]:
    """Each rule that the told number of items breaks, and these."""
    had = [_has(data.table, data.numbers, item) for item in data.shown]
    for rule in rules(data.forms, len(data.numbers)):
        breaking = tuple(letter for letter, has in zip(LETTERS, had) if not follows(rule, has))
        if len(breaking) == data.outliers:
            yield rule, breaking


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By the last rule that fits, of all."""
    return list(_sets(task.data))[-1][1]


def solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    yield from dict.fromkeys(breaking for _, breaking in _sets(task.data))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.right, "no rule is broken by just these items and as many as told")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    letters = LETTERS[: len(task.data.shown)]
    later = tuple(sorted(letters[(letters.index(letter) + 1) % len(letters)] for letter in right))
    return [later, right[1:], tuple(letter for letter in letters if letter not in right), tuple(sorted({*right} ^ {"A"})), tuple(letters)]


def cost(task: Task[Data]) -> float:
    return float(sum(1 for _ in rules(task.data.forms, len(task.data.numbers))) * len(task.data.shown))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    rule = next(_sets(data))[0]
    places = dict(zip(("one", "other", "third"), (k + 1 for k in rule[1])))
    seen = [SEEN.write(letter=letter, **_worked(data, rule, letter)) for letter in LETTERS[: len(data.shown)]]
    return [SAID[rule[0]].write(**places), *seen, COUNT.write(broken=data.outliers), END + environment.answer.render(data.right)]


def _worked(data: Data, rule: Rule, letter: str) -> dict[str, str]:
    item = data.shown[LETTERS.index(letter)]
    has = _has(data.table, data.numbers, item)
    truths = ", ".join(f"property {k + 1} {'holds' if has[k] else 'fails'}" for k in rule[1])
    return {"item": item, "truths": truths, "verdict": "follows" if follows(rule, has) else "breaks"}


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, found = task.data, list[Rule]()

    def follow(step: str) -> bool:
        if not found:
            form, said = next((form, said) for form in reversed(data.forms) if (said := SAID[form].read(step)))
            found.append((form, tuple(int(place) - 1 for place in said.values())))
            return found[0] in {rule for rule, _ in _sets(data)}
        if said := COUNT.read(step):
            return said["broken"] == str(data.outliers)
        said = SEEN.read(step) or {}
        return said == _worked(data, found[0], said.pop("letter"))

    def sound(step: str) -> bool:
        try:
            return follow(step)
        except StopIteration:
            return False

    return first_wrong(steps, sound, ended(END, task, environment.answer, verify))


environment = Environment(
    Knobs,
    Letters(LETTERS),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    answers="unique",
    solutions=solutions,
    concept="Write down who has which property; then look for properties and pairs of them which almost all items treat alike.",
)
