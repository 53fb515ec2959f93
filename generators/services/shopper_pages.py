"""What a web shop and the habits of a person who shops there look like in words."""

from __future__ import annotations

from collections.abc import Sequence

from rlgym.generators.services.shopper import Person, Product, View, controls, first_view, last_page, listed


def render(products: Sequence[Product], view: View, searches: bool = True) -> str:
    """The screen as text; the field for searching is left out where it is never used."""
    names = ", ".join(controls(products, view))
    clicks = f"\nClickable: {names}." if names else ""
    if view.product:
        one = next(each for each in products if each.code == view.product)
        return (
            f"Page of {one.code}: {one.kind} {one.series} by {one.maker}, {one.price} coins, {one.stars / 10:.1f} stars of {one.reviews} reviews, "
            f"arrives in {one.days} day{'s' * (one.days > 1)}. Selected colour: {view.chosen}.\n{_cart(view)}{clicks}"
        )
    rows = "\n".join(
        f"- {one.code}: {one.kind} {one.series} by {one.maker}, {one.price} coins, {one.stars / 10:.1f} stars"
        for one in listed(products, view)
    )
    head = (
        f'Results for "{view.query}", page {view.page} of {last_page(products, view)}:\n{rows}'
        if rows
        else f'Results for "{view.query}": no products.'
    )
    return f"{head}\n{_cart(view)}" + ("\nInput field: search_box." if searches else "") + clicks


def describe(person: Person, products: Sequence[Product]) -> list[str]:
    """The person's habits, one sentence or more each; what the person never comes to in this shop is left out."""
    stars, cheap = "the one with the most stars", "the cheapest"
    best, second, equal = (stars, cheap, "number of stars") if person.rated_first else (cheap, stars, "price")
    shown = [f"cost at most {person.most} coins"]
    shown += [f"are not made by {person.not_maker}"] if person.not_maker else []
    shown += [f"have {person.stars / 10:.1f} stars or more"] if person.stars else []
    shown += ["were not opened before"]
    inside = [f"has at least {person.reviews} reviews"] if person.reviews else []
    inside += [f"arrives within {person.days} days"] if person.days else []
    inside += [f"comes in {person.colour}"] if person.colour else []
    turns_pages = any(last_page(products, View(query)) > 1 for query in {first_view(person).query, person.kind})
    end = "leaves the shop"
    if person.first_maker:
        end = f'searches for "{person.kind}", unless that was the last search; then the person leaves the shop'
    if not turns_pages:
        otherwise = f"If there is none, the person {end}."
    else:
        most = f" No search is followed beyond page {person.pages} of its results." if person.pages else ""
        otherwise = f"If there is none, the person goes to the next page.{most} Where no page is left to look at, the person {end}."
    select = f" selects {person.colour} unless that colour is selected already, then" if person.colour else ""
    buy = f"the person{select} clicks add_to_cart"
    wanted = (
        f"{person.wanted} {_plural(person.kind)}" if person.wanted > 1 else f"{'an' if person.kind[0] in 'aeiou' else 'a'} {person.kind}"
    )
    return [
        f"The person looks for {wanted}, and has searched for "
        f'"{first_view(person).query}"{", since that maker is preferred" if person.first_maker else ""}.',
        f"Once {person.wanted} product{'s are' if person.wanted > 1 else ' is'} in the cart, the person leaves the shop from the page of results.",
        f"Until then, of the products on a page of results that {_listed(shown)}, the person opens {best}. Of several with the same {equal}, it is {second}; "
        "of several that are equal in both, the one with the lowest number in its code.",
        otherwise,
        f"If a product's page shows that it {_listed(inside)}, {buy}; otherwise the person clicks back."
        if inside
        else f"On a product's page {buy}.",
        "Both back and add_to_cart lead to the page of results from which the product was opened."
        if inside
        else "This leads back to the page of results.",
    ]


def _cart(view: View) -> str:
    return f"In the cart: {view.bought or 'no'} product{'s' * (view.bought != 1)}."


def _plural(kind: str) -> str:
    return "scarves" if kind == "scarf" else f"{kind}s"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
