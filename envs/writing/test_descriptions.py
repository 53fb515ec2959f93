"""Describe the fewest test cases that reveal every faulty version of a specified fee.

Each sentence is an example of the specified behaviour, and a version is revealed if it charges another fee for one of them. Faults hide each other: a lower
limit of the fee, or a price that two groups share, makes a wrong version right almost everywhere.
"""

from functools import lru_cache

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun
from rlgym.generators.writing.covers import Cover, greedy_cover, minimum_cover
from rlgym.generators.writing.criteria import Claims, Fault, at_most, every, score_text
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.variants import reordered_texts, retracted_texts, without_each

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
KINDS = ("member", "guest")
AGES = range(1, 91)


class Fee(TaskData):
    """A specification of the fee in euros."""

    child_below: int
    senior_from: int
    child: int
    adult: int
    senior: int
    discount: int
    children_discounted: bool = True
    weekend: int = 0
    weekend_for_members: bool = True
    least: int = 0
    cheap_day: str = ""
    cheap_for: int = 0


class Knobs(Config):
    versions: int = knob(5, easy=2, hard=11, doc="faulty versions")
    rules: int = knob(2, easy=0, hard=3, doc="further rules of the fee: weekend, lower limit, cheap day")


class Data(TaskData):
    fee: Fee
    versions: tuple[Fee, ...]
    faults: tuple[str, ...]
    rules: int
    tests: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    def is_plain(data: Data) -> bool:
        """Whether always taking the case that reveals the most versions is good enough."""
        return knobs.versions > 6 and len(_fewest(data, greedy_cover)) == data.tests

    data = draw_against(lambda: _sample_data(rng, knobs), is_plain, 15)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _fewest(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data

    def agrees(fee: Fee, claim: Claim) -> bool:
        return claim.number("euros") == _charge(fee, claim.word("kind"), claim.number("age"), claim.word("day"))

    def revealed(claims: Claims) -> Fault | None:
        hidden = [version for version in data.versions if all(agrees(version, claim) for claim in claims)]
        return Fault("no sentence reveals one of the versions", (), 1 - len(hidden) / len(data.versions)) if hidden else None

    return score_text(
        _language(), answer,
        true=every(lambda claim: claim.number("age") in AGES and agrees(data.fee, claim), "a sentence does not have the specified fee, or an age out of range"),
        revealed=revealed, length=at_most(data.tests),
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, tests = task.data, _fewest(task.data)
    wrong = [
        _language().write("test", kind=kind, age=age, day=day, euros=_charge(version, kind, age, day))
        for version in data.versions
        for kind, age, day in tests
        if _charge(version, kind, age, day) != _charge(data.fee, kind, age, day)
    ][:1]
    middle = [(kind, 40, "Wednesday") for kind in KINDS]
    plain = [_text(data, middle)] if data.tests < 2 or not _reveals_all(data, middle) else []
    return [*wrong, *plain, *retracted_texts(right), *without_each(_language(), right)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.versions) * (1 + task.data.rules) * (1 + task.data.tests))


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    for kind, age, day in _fewest(data):
        euros = _charge(data.fee, kind, age, day)
        found = [str(i) for i, version in enumerate(data.versions, 1) if _charge(version, kind, age, day) != euros]
        steps.append(f"A {kind} aged {age} pays {euros} EUR on {day}; other fees are charged by these versions: {', '.join(found)}.")
    return [*steps, f"Together they reveal every version:\n{solve(task)}"]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    while True:
        fee = _sample_fee(rng, knobs)
        faults = rng.shuffled(_faults(rng, fee, knobs.rules))[: knobs.versions]
        versions = tuple(fee.model_copy(update=update) for update, _ in faults)
        data = Data(fee=fee, versions=versions, faults=tuple(text for _, text in faults), rules=knobs.rules, tests=0)
        best = _fewest(data)
        if len(best) > min(1, knobs.versions - 2):
            return data.model_copy(update={"tests": len(best)})


def _sample_fee(rng: Rng, knobs: Knobs) -> Fee:
    child = rng.integer(5, 8)  # above every discount, so that no fee is below zero
    fee = Fee(
        child_below=rng.integer(6, 16), senior_from=rng.integer(58, 70), child=child, adult=child + rng.integer(5, 9),
        senior=child + rng.integer(0, 3), discount=rng.integer(2, 3),
    )  # fmt: skip
    more: list[dict[str, object]] = [
        {"weekend": rng.integer(1, 4)},
        {"least": rng.integer(2, child)},
        {"cheap_day": rng.choice(DAYS[:5]), "cheap_for": rng.integer(30, 50)},
    ]
    for update in more[: knobs.rules]:
        fee = fee.model_copy(update=update)
    return fee


@lru_cache(maxsize=1 << 16)
def _charge(fee: Fee, kind: str, age: int, day: str) -> int:
    """The fee: the price of the age group, less the discount, plus the weekend's surcharge, and not below the lower limit."""
    is_child = age < fee.child_below or (day == fee.cheap_day and fee.child_below <= age < fee.cheap_for)
    price = fee.child if is_child else fee.senior if age >= fee.senior_from else fee.adult
    if kind == "member" and (fee.children_discounted or age >= fee.child_below):
        price -= fee.discount
    if day in DAYS[5:] and (kind == "guest" or fee.weekend_for_members):
        price += fee.weekend
    return max(price, fee.least)


def _faults(rng: Rng, fee: Fee, rules: int) -> list[tuple[dict[str, object], str]]:
    """Changes of a specification, and what a prompt says of them."""
    step = rng.choice((1, -1))
    found: list[tuple[dict[str, object], str]] = [
        ({"child_below": fee.child_below + 1}, f"children are visitors up to and including {fee.child_below}"),
        ({"child_below": fee.child_below - 1}, f"children are visitors below {fee.child_below - 1}"),
        ({"senior_from": fee.senior_from + 1}, f"seniors are visitors older than {fee.senior_from}"),
        ({"senior_from": fee.senior_from - 1}, f"seniors are visitors from {fee.senior_from - 1}"),
        ({"discount": fee.discount + step}, f"the discount for members is {count_noun(fee.discount + step, 'euro')}"),
        ({"children_discounted": False}, "children who are members get no discount"),
        ({"senior": fee.senior + 1}, f"seniors pay {fee.senior + 1} euros"),
    ]
    if rules > 0:
        found += [
            ({"weekend_for_members": False}, "members pay no weekend surcharge"),
            ({"weekend": fee.weekend + 1}, f"the weekend surcharge is {count_noun(fee.weekend + 1, 'euro')}"),
        ]
    if rules > 1:
        found += [
            ({"least": 0}, "there is no lower limit"),
            ({"least": fee.least - 1}, f"the lower limit is {count_noun(fee.least - 1, 'euro')}"),
        ]
    if rules > 2:
        other = DAYS[(DAYS.index(fee.cheap_day) + 1) % 5]
        found += [
            ({"cheap_for": fee.cheap_for + 1}, f"the cheap day is for visitors up to and including {fee.cheap_for}"),
            ({"cheap_day": other}, f"the cheap day is {other}"),
        ]
    return found


Test = tuple[str, int, str]


def _reveals_all(data: Data, tests: list[Test]) -> bool:
    return all(any(_charge(version, *test) != _charge(data.fee, *test) for test in tests) for version in data.versions)


def _fewest(data: Data, cover: Cover = minimum_cover) -> list[Test]:
    """A smallest set of examples that reveals every version; empty where a version cannot be revealed."""
    fee = data.fee
    near = {age + step for age in (fee.child_below, fee.senior_from, fee.cheap_for) for step in (-2, -1, 0, 1)} | {1, 25, 90}
    tests = [(kind, age, day) for kind in KINDS for age in sorted(near & set(AGES)) for day in DAYS]
    masks = [sum(1 << i for i, version in enumerate(data.versions) if _charge(version, *test) != _charge(fee, *test)) for test in tests]
    return [tests[at] for at in cover((1 << len(data.versions)) - 1, masks) or []]


def _text(data: Data, tests: list[Test]) -> str:
    return " ".join(
        _language().write("test", kind=kind, age=age, day=day, euros=_charge(data.fee, kind, age, day)) for kind, age, day in tests
    )


def _language() -> Language:
    gaps = (
        Gap("kind", KINDS, note='"member" or "guest"'), Gap("age", note=f"a number from {AGES[0]} to {AGES[-1]}"),
        Gap("euros", note="a number of euros"), Gap("day", DAYS, note="a day of the week"),
    )  # fmt: skip
    return Language((Form("test", "On {day} a {kind} aged {age} pays {euros} EUR."),), gaps)


def _render_prompt(data: Data) -> str:
    fee = data.fee
    rules = [
        f"Visitors below {fee.child_below} are children and pay {fee.child} euros. Visitors from {fee.senior_from} are seniors and pay {fee.senior} euros. All "
        f"others are adults and pay {fee.adult} euros.",
        f"Members get a discount of {fee.discount} euros; guests get none.",
    ]
    if data.rules > 0:
        rules.append(f"On Saturday and Sunday a weekend surcharge of {count_noun(fee.weekend, 'euro')} is added.")
    if data.rules > 2:
        rules.append(
            f"{fee.cheap_day} is the cheap day: adults below {fee.cheap_for} pay the children's price, less the discount if they are members."
        )
    if data.rules > 1:
        rules.append(f"After all this, a fee below {fee.least} euros is raised to {fee.least} euros, the lower limit.")
    versions = "\n".join(f"{i}. {fault}" for i, fault in enumerate(data.faults, 1))
    listed = "\n".join(f"- {rule}" for rule in rules)
    return (
        f"Specification of a fee:\n{listed}\n\nThese versions are faulty. Each follows the specification, except that:\n{versions}\n\n"
        f"Describe at most {count_noun(data.tests, 'test case')}, each with the specified fee, so that every faulty version charges another fee in at least "
        f"one of them. Write only sentences of this form:\n{_language().describe()}"
    )


environment = Environment(
    Knobs, Passage("the descriptions of the test cases"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: reordered_texts(_language(), solve(task)),
    shared_helpers="The helper charges the specified fee; the fewest test cases are a number that the prompt states.",
    concept="Find for each version where it differs from the specification, then look for cases that lie in many of these places at once.",
)  # fmt: skip
