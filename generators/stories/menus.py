"""Menus: whole batches of several dishes whose parts are made in whole batches too, for as many people as the pantry allows.

What is left of a part is wasted, so that neither the dish that feeds most nor the usual proportions lead to the best menu.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData
from rlgym.generators.calculations import format_fraction
from rlgym.generators.text.english import join_words
from rlgym.solutions import Derivation, Step

DISHES = ("pie", "stew", "salad", "gratin", "soup", "pudding")
PARTS = ("dough", "filling", "sauce", "broth", "paste", "glaze")
STOCK = ("flour", "sugar", "butter", "rice", "beans", "oats", "nuts", "raisins")
SHARES = (Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(3, 4), Fraction(1, 4), Fraction(3, 2), Fraction(2, 5), Fraction(4, 3))
UNIT = 60  # shares are multiples of a sixtieth
MOST = 12  # batches of one dish
LAST = Step("With {fixed}, there is enough for {most:int} of {dish}: {people:int} people.")
BEST = Step("The most are {people:int} people.")
Plan = tuple[int, ...]


class Dish(TaskData):
    name: str
    people: int
    parts: tuple[tuple[str, int, int], ...]
    """How much of a batch of each part goes into one batch, as numerator and denominator."""
    stock: tuple[tuple[str, int], ...]


class Menu(TaskData):
    dishes: tuple[Dish, ...]
    parts: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    """For each part what one batch takes from the pantry. A part comes before those it needs."""
    inner: tuple[tuple[str, tuple[tuple[str, int, int], ...]], ...]
    """For some parts how much of a batch of later parts one batch takes."""
    pantry: tuple[tuple[str, int], ...]


def needs(menu: Menu, plan: Plan) -> dict[str, int]:
    """What so many batches of each dish take from the pantry. Shares are counted in sixtieths of a batch, so that they are integers."""
    taken, shares = dict[str, int](), dict[str, int]()
    for dish, count in zip(menu.dishes, plan, strict=True):
        for part, over, under in dish.parts:
            shares[part] = shares.get(part, 0) + over * count * UNIT // under
        for name, amount in dish.stock:
            taken[name] = taken.get(name, 0) + amount * count
    for part, recipe in menu.parts:
        batches = -(-shares.get(part, 0) // UNIT)
        for inner, over, under in dict(menu.inner).get(part, ()):
            shares[inner] = shares.get(inner, 0) + over * batches * UNIT // under
        for name, amount in recipe:
            taken[name] = taken.get(name, 0) + amount * batches
    return taken


def is_possible(menu: Menu, plan: Plan) -> bool:
    pantry = dict(menu.pantry)
    return all(amount <= pantry[name] for name, amount in needs(menu, plan).items())


def people_fed(menu: Menu, plan: Plan) -> int:
    return sum(dish.people * count for dish, count in zip(menu.dishes, plan, strict=True))


def most_of_last(menu: Menu) -> Iterator[Plan]:
    """For all possible numbers of the other dishes, the plan with as many of the last dish as there can be."""
    for fixed in product(range(MOST + 1), repeat=len(menu.dishes) - 1):
        if not is_possible(menu, (*fixed, 0)):
            continue
        last = 0
        while last < MOST and is_possible(menu, (*fixed, last + 1)):
            last += 1
        yield (*fixed, last)


def best_plans(menu: Menu) -> list[Plan]:
    plans = list(most_of_last(menu))
    best = max(people_fed(menu, plan) for plan in plans)
    return [plan for plan in plans if people_fed(menu, plan) == best]


def best_by_branching(menu: Menu) -> Plan:
    """The best plan by another route: batches are added one by one, and what was already met is not met again."""
    best, waiting = (0,) * len(menu.dishes), [(0,) * len(menu.dishes)]
    met = set(waiting)
    while waiting:
        plan = waiting.pop()
        best = max(best, plan, key=lambda each: people_fed(menu, each))
        for i in range(len(plan)):
            more = (*plan[:i], plan[i] + 1, *plan[i + 1 :])
            if more not in met and is_possible(menu, more):
                met.add(more)
                waiting.append(more)
    return best


def greedy_plans(menu: Menu) -> list[Plan]:
    """As much as possible of one dish, then of the next, in each order."""
    plans = list[Plan]()
    for order in permutations(range(len(menu.dishes))):
        plan = [0] * len(menu.dishes)
        for i in order:
            while plan[i] < MOST and is_possible(menu, (*plan[:i], plan[i] + 1, *plan[i + 1 :])):
                plan[i] += 1
        plans.append(tuple(plan))
    return plans


def sample(rng: Rng, dishes: int) -> Menu:
    """A menu with one best plan, which has two dishes or more and is not greedy."""
    while True:
        stock, parts = rng.sample(STOCK, dishes + 1), rng.sample(PARTS, dishes)
        recipes = tuple((part, tuple((name, 50 * rng.integer(1, 6)) for name in rng.sample(stock, 2))) for part in parts)
        made = []
        for name in rng.sample(DISHES, dishes):
            used = [(part, *share.as_integer_ratio()) for part, share in zip(rng.sample(parts, 2), rng.sample(SHARES, 2))]
            made.append(Dish(name=name, people=rng.integer(3, 9), parts=tuple(used), stock=((rng.choice(stock), 10 * rng.integer(2, 12)),)))
        inner = tuple((part, ((parts[i + 1], *rng.choice(SHARES).as_integer_ratio()),)) for i, part in enumerate(parts[:-1]))
        if {part for dish in made for part, *_ in dish.parts} != set(parts):
            continue
        menu = Menu(dishes=tuple(made), parts=recipes, inner=inner, pantry=())
        aim = tuple(rng.integer(2, 5) for _ in made)
        taken = needs(menu, aim)
        if set(taken) != set(stock):
            continue
        menu = menu.model_copy(update={"pantry": tuple((name, taken[name] + 10 * rng.integer(0, 9)) for name in stock)})
        if max(max(plan) for plan in greedy_plans(menu)) >= MOST:
            continue
        best = best_plans(menu)
        if len(best) == 1 and sum(count > 0 for count in best[0]) > 1 and best[0] not in greedy_plans(menu):
            return menu


def render(menu: Menu) -> str:
    lines = []
    for dish in menu.dishes:
        parts = [f"{format_fraction(Fraction(over, under))} of a batch of {part}" for part, over, under in dish.parts]
        lines.append(f"One batch of {dish.name}, for {dish.people} people: {', '.join([*parts, *_amounts(dish.stock)])}.")
    for part, recipe in menu.parts:
        inside = [f"{format_fraction(Fraction(over, under))} of a batch of {name}" for name, over, under in dict(menu.inner).get(part, ())]
        lines.append(f"One batch of {part}: {', '.join([*inside, *_amounts(recipe)])}.")
    names = join_words([dish.name for dish in menu.dishes])
    return "\n".join(lines) + (
        f"\n\nThe pantry holds {join_words(_amounts(menu.pantry))}. Everything is made in whole batches, the dishes and their parts alike; a batch "
        "of a part may be shared between all that need it, and what is left of it is wasted. Each person eats one portion of one dish. How many "
        f"batches of {names} feed as many people as possible? Give a number for each, 0 where nothing is made."
    )


def derive(menu: Menu) -> Derivation:
    *others, last = menu.dishes
    for plan in most_of_last(menu):
        fixed = join_words([f"{count} of {dish.name}" for dish, count in zip(others, plan)])
        yield LAST(fixed=fixed, most=plan[-1], dish=last.name, people=people_fed(menu, plan))
    yield BEST(people=people_fed(menu, best_plans(menu)[0]))


def near_plans(menu: Menu, best: Plan) -> list[Plan]:
    """Greedy plans, the best plan without waste of parts, and plans with one batch more or less."""
    near = [*greedy_plans(menu), tuple(count + 1 for count in best), tuple(max(0, count - 1) for count in best)]
    near += [(*best[:i], best[i] + 1, *best[i + 1 :]) for i in range(len(best))]
    return [plan for plan in near if plan != best]


def _amounts(stock: Sequence[tuple[str, int]]) -> list[str]:
    return [f"{amount} g of {name}" for name, amount in stock]
