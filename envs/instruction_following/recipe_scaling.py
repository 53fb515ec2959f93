"""Scale a recipe exactly: to more people, through parts with recipes of their own, or to what the pantry allows.

On the upper levels several dishes share parts, everything is made in whole batches, and as many people as possible are to be fed.
"""

from collections.abc import Iterator
from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping, Rational, Unreadable
from rlgym.generators import calculations
from rlgym.generators.calculations import Facts, calculation_line, format_fraction, operand
from rlgym.generators.stories import menus
from rlgym.generators.stories.ingredients import UNITS, pantry_amount, written_unit
from rlgym.solutions import Derivation, Solution, SolutionByTask

PARTS = ("dough", "filling", "glaze", "sauce", "broth", "paste")
Pairs = tuple[tuple[str, str], ...]
Amounts = dict[str, Fraction]


class Knobs(Config):
    ingredients: int = knob(9, easy=2, hard=16, doc="ingredients in all; for a menu a fifth of them is the number of dishes, 2 or 3")
    parts: int = knob(5, easy=0, hard=10, doc="parts of the dish with a recipe of their own, at most 6, some of them parts of parts")
    question: str = knob(
        "pantry",
        easy="people",
        hard="menu",
        order=("people", "pantry", "menu"),
        doc="for so many people, what the pantry allows, or a menu",
    )


class Item(TaskData):
    name: str
    over: int
    under: int

    @property
    def amount(self) -> Fraction:
        return Fraction(self.over, self.under)


class Recipe(TaskData):
    name: str
    items: tuple[Item, ...]


class Data(TaskData):
    recipes: tuple[Recipe, ...]
    """The dish first, then its parts, each after the one that needs it."""
    scale: tuple[int, int, int, int]
    """How many are made and how many one batch makes, and the sizes of both; sizes are 1 where they do not matter."""
    pantry: tuple[Item, ...]
    right: tuple[Item, ...]
    menu: menus.Menu | None = None


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, tins=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Tins of another size, by the areas of their bottoms, in place of people."""
    return _sample_task(rng, knobs, tins=True)


def solve(task: Task[Data]) -> Pairs:
    # Batches are added up recipe by recipe from the dish down; `generate` follows each ingredient up to the dish.
    data = task.data
    if data.menu:
        return _plan_pairs(data.menu, menus.best_by_branching(data.menu))
    totals = _totals(data)
    factor = _factor(data, totals)
    amounts = {name: amount * factor for name, amount in totals.items()}
    return tuple(sorted((name, format_fraction(amount)) for name, amount in {**amounts, **_make_of(data, factor)}.items()))


def verify(task: Task[Data], answer: Pairs) -> Score:
    given = {name: _read(text) for name, text in answer}
    right = {item.name: item.amount for item in task.data.right}
    if given.keys() != right.keys():
        return Score.wrong("the answer must name each ingredient that is asked for, and nothing else")
    wrong = [name for name in right if given[name] != right[name]]
    return Score.exact(not wrong, f"the amount of {', '.join(wrong)} is another one")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    if data.menu:
        return [_plan_pairs(data.menu, plan) for plan in menus.near_plans(data.menu, menus.best_by_branching(data.menu))]
    totals = _totals(data)
    plain = {name: format_fraction(totals.get(name, Fraction(1))) for name, _ in right}
    twice = {name: format_fraction(Fraction(text) * 2) for name, text in right}
    turned = {name: format_fraction(totals[name] / _factor(data, totals)) if name in totals else text for name, text in right}
    single = {
        item.name: format_fraction(item.amount * _factor(data, totals))
        for recipe in data.recipes
        for item in recipe.items
        if item.name in totals
    }
    return [tuple(sorted(variant.items())) for variant in (plain, twice, turned, {**dict(right), **single, "none": "1"})] + [
        right[1:],
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    if task.data.menu:
        return 100.0 * 6.0 ** len(task.data.menu.dishes) + len(task.prompt)
    return sum(len(recipe.items) for recipe in task.data.recipes) * (1.0 + (len(task.data.recipes) > 1)) + 2.0 * len(task.data.pantry)


def calculation(task: Task[Data]) -> Iterator[str]:
    data = task.data
    batches, parts = {data.recipes[0].name: Fraction(1)}, dict[str, list[str]]()
    for recipe in data.recipes:
        if recipe is not data.recipes[0]:
            yield calculation_line(f"batches of {recipe.name}", " + ".join(parts[recipe.name]))
        for item in recipe.items:
            parts.setdefault(item.name, []).append(f"{operand(item.amount)} * {operand(batches[recipe.name])}")
            batches[item.name] = batches.get(item.name, Fraction(0)) + item.amount * batches[recipe.name]
    totals = _totals(data)
    for name in totals:
        yield calculation_line(f"{name} in one batch", " + ".join(parts[name]))
    for item in data.pantry:
        yield calculation_line(f"batches that the {item.name} allows", f"{operand(item.amount)} / {operand(totals[item.name])}")
    count, makes, size, other = data.scale
    plain = f"{count} / {makes}" if size == other else f"{count} * {size}^2 / ({makes} * {other}^2)"
    factor = _factor(data, totals)
    yield calculation_line("batches", operand(factor) if data.pantry else plain)
    if data.pantry:
        yield calculation_line("people", f"{operand(factor)} * {makes}")
    for name, amount in totals.items():
        yield calculation_line(name, f"{operand(amount)} * {operand(factor)}")


def facts(task: Task[Data]) -> Facts:
    data = task.data
    totals, batches = _totals(data), _batches(data)
    factor = _factor(data, totals)
    amounts = {"batches": factor, **{f"{name} in one batch": amount for name, amount in totals.items()}, **_make_of(data, factor)}
    amounts |= {f"batches of {recipe.name}": batches[recipe.name] for recipe in data.recipes[1:]}
    amounts |= {f"batches that the {item.name} allows": item.amount / totals[item.name] for item in data.pantry}
    amounts |= {name: amount * factor for name, amount in totals.items()}
    return {name: (amount, "") for name, amount in amounts.items()}


def _sample_task(rng: Rng, knobs: Knobs, tins: bool) -> Task[Data]:
    if knobs.question == "menu":
        menu = menus.sample(rng, max(2, knobs.ingredients // 5))
        best = menus.best_plans(menu)[0]
        amounts = tuple(Item(name=dish.name, over=count, under=1) for dish, count in zip(menu.dishes, best, strict=True))
        return Task(menus.render(menu), Data(recipes=(), scale=(1, 1, 1, 1), pantry=(), right=amounts, menu=menu))
    while True:
        names = rng.sample(tuple(UNITS), knobs.ingredients)
        recipes = _recipes(rng, names, rng.sample(PARTS, min(knobs.parts, knobs.ingredients, len(PARTS))))
        makes, count = rng.integer(2, 8), rng.integer(2, 24)
        size, other = (rng.integer(8, 15) * 2, rng.integer(8, 15) * 2) if tins else (1, 1)
        data = Data(recipes=recipes, scale=(count, makes, size, other), pantry=(), right=())
        totals = _upward(data)
        if knobs.question == "pantry" and not tins:
            stocked = rng.shuffled(names)[: rng.integer(2, 4)]
            held = [pantry_amount(name, totals[name] * rng.integer(3, 40) / rng.choice((2, 3, 4))) for name in stocked]
            data = data.model_copy(update={"pantry": tuple(Item(name=name, over=x, under=1) for name, x in zip(stocked, held))})
        factor = _factor(data, totals)
        right = {**{name: totals[name] * factor for name in totals}, **_make_of(data, factor)}
        if factor != 1 and set(totals) == set(names) and max(x.denominator for x in right.values()) < 1000:
            break
    given = tuple(Item(name=name, over=x.numerator, under=x.denominator) for name, x in sorted(right.items()))
    data = data.model_copy(update={"right": given})
    return Task(_render_prompt(data, tins), data)


def _plan_pairs(menu: menus.Menu, plan: menus.Plan) -> Pairs:
    return tuple(sorted((dish.name, str(count)) for dish, count in zip(menu.dishes, plan, strict=True)))


def _derive_menu(task: Task[Data]) -> Derivation:
    assert task.data.menu is not None
    yield from menus.derive(task.data.menu)


def _recipes(rng: Rng, names: list[str], parts: list[str]) -> tuple[Recipe, ...]:
    """A dish and its parts; each base ingredient is used somewhere, each part by a recipe before its own."""
    used: list[list[Item]] = [[] for _ in range(len(parts) + 1)]
    for i, part in enumerate(parts, 1):
        for at in sorted({rng.integer(0, i - 1), rng.integer(0, i - 1)}):
            under = rng.integer(2, 5)
            used[at].append(Item(name=part, over=rng.integer(1, under - 1), under=under))
    for k, name in enumerate(names):
        for at in sorted({k % len(used), *([rng.integer(0, len(parts))] if parts else [])}):
            over, under = (rng.integer(1, 30) * 10, 1) if UNITS[name] in ("g", "ml") else (rng.integer(1, 9), rng.integer(1, 4))
            x = Fraction(over, under)
            used[at].append(Item(name=name, over=x.numerator, under=x.denominator))
    return tuple(Recipe(name=name, items=tuple(rng.shuffled(items))) for name, items in zip(("dish", *parts), used, strict=True))


def _render_prompt(data: Data, tins: bool) -> str:
    count, makes, size, other = data.scale

    def amount_text(item: Item) -> str:
        return (
            f"{format_fraction(item.amount)} {written_unit(item.name, item.amount)} of {item.name}"
            if item.name in UNITS
            else f"{format_fraction(item.amount)} of a batch of {item.name}"
        )

    serves = f"for {makes} round tins of {other} cm across" if tins else f"for {makes} people"
    lines = [
        f"One batch of {'the dish, ' + serves if i == 0 else recipe.name}: {', '.join(map(amount_text, recipe.items))}."
        for i, recipe in enumerate(data.recipes)
    ]
    if tins:
        request = f"Make {count} round tins of {size} cm across, filled as high; the amounts go with the area of the tin's bottom."
    elif data.pantry:
        request = (
            f"In the pantry there are only {', '.join(map(amount_text, data.pantry))}; of everything else there is enough. Make as much of the "
            "dish as this allows; fractions of a batch are allowed."
        )
    else:
        request = f"Make it for {count} people."
    listed = ", ".join(f"{item.name} (in {UNITS[item.name]})" for item in data.right if item.name in UNITS)
    asked = f"how much is needed of each of these in all: {listed}"
    asked = f"Give the number of people, which may be a fraction, under the name people, and {asked}." if data.pantry else f"H{asked[1:]}?"
    exact = "Nothing is rounded: give whole numbers, fractions as in 7/3, or exact decimals."
    return "\n".join(lines) + f"\n\n{request} {asked} {exact}"


def _upward(data: Data) -> Amounts:
    """What one batch takes of each base ingredient, followed up from it through the recipes that use it."""
    recipes = {recipe.name: recipe for recipe in data.recipes}

    def needed(name: str) -> Fraction:
        if name == data.recipes[0].name:
            return Fraction(1)
        return sum(
            (item.amount * needed(recipe.name) for recipe in recipes.values() for item in recipe.items if item.name == name), Fraction(0)
        )

    return {
        name: needed(name) for name in dict.fromkeys(item.name for recipe in data.recipes for item in recipe.items) if name not in recipes
    }


def _batches(data: Data) -> Amounts:
    """How much of everything one batch of the dish takes, from the dish down."""
    batches = {data.recipes[0].name: Fraction(1)}
    for recipe in data.recipes:
        for item in recipe.items:
            batches[item.name] = batches.get(item.name, Fraction(0)) + item.amount * batches[recipe.name]
    return batches


def _totals(data: Data) -> Amounts:
    own = {recipe.name for recipe in data.recipes}
    return {name: amount for name, amount in _batches(data).items() if name not in own}


def _factor(data: Data, totals: Amounts) -> Fraction:
    count, makes, size, other = data.scale
    if data.pantry:
        return min(item.amount / totals[item.name] for item in data.pantry)
    return Fraction(count * size**2, makes * other**2)


def _make_of(data: Data, factor: Fraction) -> Amounts:
    return {"people": factor * data.scale[1]} if data.pantry else {}


def _read(text: str) -> Fraction | None:
    """An amount: a fraction, a decimal, or a whole number with a fraction after it."""
    integer_part, _, part = text.partition(" ")
    try:
        if len(text) > 40:
            return None
        return Rational().parse(integer_part) + (Rational().parse(part) if part and "/" in part else 0) if not part or "/" in part else None
    except Unreadable:
        return None


SCALED, MENU = calculations.solution(calculation, facts, closing="The amounts:\n{answer}"), Solution(_derive_menu, "The batches:\n{answer}")

environment = Environment(
    Knobs, Mapping("one line `name: number` for each, in any order, without units"),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=SolutionByTask(lambda task: MENU if task.data.menu else SCALED),
    concept="Add up what one batch takes, parts and their parts included; everything goes by the same factor, which the scarcest thing sets.",
    version=3,
)  # fmt: skip
