"""A person who shops by habit: pages of a web shop, and the one action that the person's habits give on each of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.toolbox.shop import COLOURS, KINDS, MAKERS, SERIES

ROWS = 6
TYPE_SHARES = {"type_and_submit": 0.1, "click": 0.7, "terminate": 0.2}
"""About how often people act in each way, from which the pay of an action's type follows: the rarer, the more."""
NAME_SHARES = {"back": 0.6, "add_to_cart": 0.25, "next_page": 0.15}
"""About how often each of these names is clicked on pages that have it."""
COLOUR_SHARE = 0.15
HABITS = ("first_maker", "not_maker", "stars", "reviews", "days", "colour", "pages", "rated_first")
"""The habits that a person may have besides the budget, by their field."""


class Product(NamedTuple):
    code: str
    kind: str
    series: str
    maker: str
    price: int
    stars: int  # tenths
    reviews: int
    days: int  # until it arrives
    colours: tuple[str, ...]  # the first is selected when the page is opened


class Person(NamedTuple):
    """What a person looks for and is used to; 0, "" and False stand for habits that the person does not have."""

    kind: str
    most: int
    first_maker: str = ""
    not_maker: str = ""
    stars: int = 0
    reviews: int = 0
    days: int = 0
    colour: str = ""
    pages: int = 0
    rated_first: bool = False
    wanted: int = 1  # products


class View(NamedTuple):
    """What is on the screen, and what was done before: `opened` are codes, `product` the one on the screen."""

    query: str
    page: int = 1
    product: str = ""
    chosen: str = ""
    opened: tuple[str, ...] = ()
    bought: int = 0  # products in the cart
    over: bool = False


class Action(NamedTuple):
    type: str
    name: str = ""
    text: str = ""


GUESSES = tuple(zip((100, 150, 200, 250), (3, 4, 5, 6), strict=True))
"""Reviews and days that somebody may guess who has not read the numbers of a person's habits."""


def sample_catalogue(rng: Rng, kind: str, count: int) -> tuple[Product, ...]:
    """Products, half of them of this kind."""
    others = [other for other in KINDS if other != kind]
    products = []
    for place, number in enumerate(rng.sample(range(1000, 9999), count)):
        colours = rng.sample(COLOURS, rng.integer(3, 6))
        products.append(
            Product(
                f"B{number}", kind if place % 2 == 0 else rng.choice(others), rng.choice(SERIES), rng.choice(MAKERS), rng.integer(10, 60),
                rng.integer(30, 50), rng.integer(2, 400), rng.integer(1, 9), tuple(colours),
            )
        )  # fmt: skip
    return tuple(rng.shuffled(products))


def sample_person(rng: Rng, kind: str, habits: Sequence[str]) -> Person:
    """A person with these habits."""
    first, other = rng.sample(MAKERS, 2)
    values: dict[str, Any] = {
        "first_maker": first, "not_maker": other, "stars": rng.integer(36, 42), "reviews": 10 * rng.integer(5, 30), "days": rng.integer(2, 7),
        "colour": rng.choice(COLOURS), "pages": rng.integer(1, 2), "rated_first": True,
    }  # fmt: skip
    return Person(kind, rng.integer(30, 50), wanted=rng.integer(2, 4))._replace(**{name: values[name] for name in habits})


def without(person: Person, habit: str) -> Person:
    """The person without a habit."""
    return person._replace(**{habit: Person._field_defaults[habit]})


def hits(products: Sequence[Product], query: str) -> list[Product]:
    """What the shop lists for a query with a kind, in the order of the catalogue: products whose names hold all its words."""
    words = query.lower().split()
    # The kind that people search for rules most products out.
    likely = [one for one in products if one.kind in words]
    return [one for one in likely if all(word in f"{one.maker} {one.series} {one.kind}".lower().split() for word in words)]


def listed(products: Sequence[Product], view: View) -> list[Product]:
    """The products on a page of results."""
    return hits(products, view.query)[ROWS * (view.page - 1) : ROWS * view.page]


def last_page(products: Sequence[Product], view: View) -> int:
    return max(1, -(-len(hits(products, view.query)) // ROWS))


def first_view(person: Person) -> View:
    """The screen at the start: the results of the person's first search."""
    return View(f"{person.first_maker} {person.kind}" if person.first_maker else person.kind)


def next_action(person: Person, products: Sequence[Product], view: View) -> Action:
    """What the person does now."""
    if view.product:
        product = next(one for one in products if one.code == view.product)
        if not _suits(person, product):
            return Action("click", "back")
        if person.colour and view.chosen != person.colour:
            return Action("click", f"colour_{person.colour}")
        return Action("click", "add_to_cart")
    if full(person, view):
        return Action("terminate")
    good = [one for one in listed(products, view) if _tempts(person, one) and one.code not in view.opened]
    if good:
        best = min(good, key=lambda one: (-one.stars, one.price, one.code) if person.rated_first else (one.price, -one.stars, one.code))
        return Action("click", best.code)
    if view.page < last_page(products, view) and not (person.pages and view.page >= person.pages):
        return Action("click", "next_page")
    return Action("type_and_submit", "search_box", person.kind) if view.query != person.kind else Action("terminate")


def follow(products: Sequence[Product], view: View, action: Action) -> View:
    """The screen after an action that `controls` lists, or a search."""
    match action:
        case Action("terminate"):
            return view._replace(over=True)
        case Action("type_and_submit", _, text):
            return View(query=text, opened=view.opened, bought=view.bought)
        case Action("click", "next_page"):
            return view._replace(page=view.page + 1)
        case Action("click", "back"):
            return view._replace(product="", chosen="")
        case Action("click", "add_to_cart"):
            return view._replace(product="", chosen="", bought=view.bought + 1)
        case Action("click", name) if name.startswith("colour_"):
            return view._replace(chosen=name.removeprefix("colour_"))
    product = next(one for one in products if one.code == action.name)
    return view._replace(product=product.code, chosen=product.colours[0], opened=(*view.opened, product.code))


def controls(products: Sequence[Product], view: View) -> list[str]:
    """The names of what can be clicked on the screen."""
    if view.product:
        product = next(one for one in products if one.code == view.product)
        return [*(f"colour_{colour}" for colour in product.colours), "add_to_cart", "back"]
    next_page = ["next_page"] if view.page < last_page(products, view) else []
    return [*(one.code for one in listed(products, view)), *next_page]


def session(person: Person, products: Sequence[Product]) -> list[tuple[View, Action]]:
    """All actions of a person, each with the screen before it."""
    view, out = first_view(person), list[tuple[View, Action]]()
    while not view.over:
        action = next_action(person, products, view)
        out.append((view, action))
        view = follow(products, view, action)
    return out


def full(person: Person, view: View) -> bool:
    """Whether the cart holds as many products as the person wants."""
    return view.bought >= person.wanted


def decisions(visit: Sequence[tuple[View, Action]]) -> list[tuple[View, bool]]:
    """The products' pages of a visit as they are opened, each with whether the product goes into the cart."""
    return [(view, action.name != "back") for (before, _), (view, action) in pairwise(visit) if view.product and not before.product]


def undecided(person: Person, products: Sequence[Product], visit: Sequence[tuple[View, Action]]) -> bool:
    """Whether a guess may be right on all products' pages of a visit: by the colours offered, by the number of pages so far, or by other numbers of the
    person's habits; or whether few products are opened or taken.
    """
    colours = {one.code: one.colours for one in products}
    taken = [view for view, takes in decisions(visit) if takes]
    left = [view for view, takes in decisions(visit) if not takes]
    offered = [view for view in left if not person.colour or person.colour in colours[view.product]]
    takes = [takes for _, takes in decisions(visit)]
    if min(len(taken), len(left)) < 2 or not offered or takes in (sorted(takes), sorted(takes, reverse=True)):
        return True
    return any(_finds_all(person, products, visit, guess) for guess in GUESSES)


def _finds_all(person: Person, products: Sequence[Product], visit: Sequence[tuple[View, Action]], guess: tuple[int, int]) -> bool:
    """Whether one who knows the habits, but guesses the numbers of what a product's page must show, is right on all products' pages."""
    reviews, days = guess
    other = person._replace(reviews=reviews if person.reviews else 0, days=days if person.days else 0)
    if (other.reviews, other.days) == (person.reviews, person.days):
        return False
    return all((next_action(other, products, view).name != "back") == takes for view, takes in decisions(visit))


def worth(products: Sequence[Product], view: View, right: Action) -> tuple[float, float, float]:
    """The bits that the type, the name and the text of an action are paid: how unlikely a guess is to find each, from how often people act so.

    The type of a click is worth nothing, since most actions are clicks: who always clicks would earn it.
    """
    if right.type != "click":
        return -math.log2(TYPE_SHARES[right.type]), 0.0, math.log2(len(KINDS)) if right.text else 0.0
    if right.name in NAME_SHARES:
        share = NAME_SHARES[right.name]
    elif view.product:
        share = COLOUR_SHARE / len(next(one for one in products if one.code == view.product).colours)
    else:
        share = (1 - NAME_SHARES["next_page"]) / len(listed(products, view))
    return 0.0, -math.log2(share), 0.0


def paid(products: Sequence[Product], view: View, right: Action, given: Action) -> float:
    """The bits that a prediction earns: the name counts only beside the right type, the text only beside the right name."""
    of_type, of_name, of_text = worth(products, view, right)
    if given.type != right.type:
        return 0.0
    if plain(given.name) != right.name.lower():
        return of_type
    same = " ".join(plain(given.text).split()) == right.text
    return of_type + of_name + (of_text if same else 0.0)


def plain(text: str) -> str:
    """A name or text as it is compared: without quotation marks around it, in lower case."""
    return text.strip().strip("\"'`“”‘’").strip().lower()


def _tempts(person: Person, one: Product) -> bool:
    return one.price <= person.most and one.maker != person.not_maker and one.stars >= person.stars


def _suits(person: Person, one: Product) -> bool:
    return (
        one.reviews >= person.reviews
        and (not person.days or one.days <= person.days)
        and (not person.colour or person.colour in one.colours)
    )
