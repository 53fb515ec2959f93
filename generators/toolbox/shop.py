"""A shop's catalogue with options and surcharges, and a wish that exactly one choice in it meets at the least price."""

from __future__ import annotations

from typing import NamedTuple

from rlgym.core.rng import Rng

KINDS = ("backpack", "blanket", "curtain", "jacket", "kettle", "lamp", "mug", "pillow", "scarf", "tent", "towel", "umbrella")
SERIES = ("Alder", "Birch", "Cedar", "Dune", "Ember", "Fjord", "Grove", "Haven", "Isle", "Juniper", "Krill", "Lark")
MAKERS = ("Berg & Son", "Calloway", "Dornier", "Elm House", "Fennel", "Goodwin")
MATERIALS = ("cotton", "wool", "linen", "steel", "bamboo", "nylon")
COLOURS = ("black", "blue", "green", "grey", "red", "white", "yellow")
SIZES = ("small", "medium", "large")


class Item(NamedTuple):
    """A product; options are tuples of a name, what it costs on top, and the pieces in stock."""

    code: str
    kind: str
    series: str
    maker: str
    material: str
    price: int
    stars: int  # tenths
    reviews: int
    days: int  # until it arrives
    washable: bool
    colours: tuple[tuple[str, int, int], ...]
    sizes: tuple[tuple[str, int, int], ...]


class Wish(NamedTuple):
    """What is to be bought; 0 and "" stand for any."""

    kind: str
    colour: str
    size: str
    pieces: int
    most: int  # for one piece, options and shipping included
    material: str = ""
    not_maker: str = ""
    stars: int = 0
    reviews: int = 0
    days: int = 0
    washable: bool = False


class Shop(NamedTuple):
    items: tuple[Item, ...]
    shipping: int  # a piece, unless its price with options is at least `free`
    free: int


class Choice(NamedTuple):
    code: str
    colour: str
    size: str


def shops(rng: Rng, wishes: int, items: int, demands: int, near: int) -> list[tuple[Shop, Wish]]:
    """Parts of one catalogue, each with a wish of its own kind, and with the cheapest choice that meets it.

    Every wish has so many demands besides kind, colour, size and price. `near` products miss it in one thing only, most of them cheaper than the
    choice; no other product that meets it costs as little.
    """
    kinds = rng.sample(KINDS, wishes)
    count = max(items // wishes, near + 4)
    codes = [f"B{number}" for number in rng.sample(range(1000, 9999), wishes * count)]
    facts = (rng.integer(3, 9), 10 * rng.integer(6, 12))
    others = [kind for kind in KINDS if kind not in kinds]
    return [_part(rng, kind, others, codes[k * count : (k + 1) * count], facts, demands, near) for k, kind in enumerate(kinds)]


def total(shop: Shop, item: Item, colour: str, size: str) -> int | None:
    """What one piece costs with its options and shipping, None where it is not sold so."""
    colours, sizes = {name: more for name, more, _ in item.colours}, {name: more for name, more, _ in item.sizes}
    if colour not in colours or size not in sizes:
        return None
    price = item.price + colours[colour] + sizes[size]
    return price if price >= shop.free else price + shop.shipping


def meets(shop: Shop, item: Item, wish: Wish) -> bool:
    """Whether a product in the wish's options meets it, the price aside."""
    stocked = {name: count for name, _, count in (*item.colours, *item.sizes)}
    return (
        item.kind == wish.kind
        and total(shop, item, wish.colour, wish.size) is not None
        and min(stocked[wish.colour], stocked[wish.size]) >= wish.pieces
        and (not wish.material or item.material == wish.material)
        and item.maker != wish.not_maker
        and item.stars >= wish.stars
        and item.reviews >= wish.reviews
        and (not wish.days or item.days <= wish.days)
        and (item.washable or not wish.washable)
    )


def cheapest(shop: Shop, wish: Wish) -> Item:
    """The product to buy."""
    return min((item for item in shop.items if meets(shop, item, wish)), key=lambda item: total(shop, item, wish.colour, wish.size) or 0)


def describe_wish(wish: Wish) -> str:
    """The wish in words."""
    clauses = [
        f"{wish.pieces} x {wish.kind} in {wish.colour}, size {wish.size}",
        f"at most {wish.most} coins a piece with options and shipping",
    ]
    clauses += [f"made of {wish.material}"] if wish.material else []
    clauses += [f"not made by {wish.not_maker}"] if wish.not_maker else []
    clauses += [f"rated {wish.stars / 10:.1f} stars or better"] if wish.stars else []
    clauses += [f"with at least {wish.reviews} reviews"] if wish.reviews else []
    clauses += [f"arriving within {wish.days} days"] if wish.days else []
    clauses += ["washable"] if wish.washable else []
    return "; ".join(clauses)


def row(item: Item) -> str:
    return f"{item.code}  {item.maker} {item.series} {item.kind}, {item.price} coins, {item.stars / 10:.1f} stars"


def sheet(item: Item) -> str:
    """The page of a product."""
    options = [", ".join(f"{name} (+{more}, {count} in stock)" for name, more, count in row) for row in (item.colours, item.sizes)]
    return (
        f"{row(item)} from {item.reviews} reviews\nmaterial: {item.material}; {'washable' if item.washable else 'not washable'}; "
        f"arrives in {item.days} days\ncolours: {options[0]}\nsizes: {options[1]}"
    )


def _part(rng: Rng, kind: str, others: list[str], codes: list[str], facts: tuple[int, int], demands: int, near: int) -> tuple[Shop, Wish]:
    colour, size = rng.choice(COLOURS), rng.choice(SIZES)
    stock = [_item(rng, code, kind if k < near + 3 else rng.choice(others)) for k, code in enumerate(codes)]
    right = stock[0]._replace(
        price=rng.integer(45, 70), stars=rng.integer(40, 47), reviews=rng.integer(90, 200), days=rng.integer(2, 4), washable=True
    )
    pieces = rng.integer(1, 3)
    right = right._replace(colours=_with(rng, right.colours, colour, pieces), sizes=_with(rng, right.sizes, size, pieces))
    shipping, free = facts
    sent_free = rng.chance(0.7)
    if sent_free:
        options = (total(Shop((), 0, 0), right, colour, size) or 0) - right.price
        right = right._replace(price=free - options + rng.integer(0, 1))
    wish = Wish(kind, colour, size, pieces, 0)
    more = {
        "material": right.material,
        "not_maker": rng.choice([maker for maker in MAKERS if maker != right.maker]),
        "stars": 40,
        "reviews": 80,
        "days": 5,
        "washable": True,
    }
    chosen = rng.sample(tuple(more), demands)
    wish = Wish(**(wish._asdict() | {name: more[name] for name in chosen}))
    stock[0] = right
    for k in range(1, near + 1):
        stock[k] = _near_miss_product(rng, stock[k], right, wish, chosen)
    due = total(Shop((), *facts), right, colour, size)
    if sent_free:  # another one costs less but for its shipping
        less = (due or 0) - rng.integer(max(free - shipping + 2, (due or 0) - shipping + 1), free - 1)
        stock[near + 1] = right._replace(code=stock[near + 1].code, series=stock[near + 1].series, price=right.price - less)
    drawn = Shop(tuple(stock), *facts)
    drawn = drawn._replace(items=(right, *(_with_higher_price(rng, drawn, item, wish, due or 0) for item in stock[1:])))
    wish = wish._replace(most=(due or 0) + rng.integer(0, 15))
    return drawn._replace(items=tuple(rng.shuffled(drawn.items))), wish


def _item(rng: Rng, code: str, kind: str) -> Item:
    colours = tuple((colour, rng.choice((0, 0, 2, 5)), rng.integer(0, 9)) for colour in sorted(rng.sample(COLOURS, rng.integer(2, 4))))
    sizes = tuple((size, 4 * k if rng.chance(0.6) else 0, rng.integer(0, 9)) for k, size in enumerate(SIZES) if rng.chance(0.8))
    return Item(
        code, kind, rng.choice(SERIES), rng.choice(MAKERS), rng.choice(MATERIALS), rng.integer(25, 110), rng.integer(28, 50), rng.integer(3, 260),
        rng.integer(1, 12), rng.chance(0.5), colours, sizes or (("medium", 0, rng.integer(0, 9)),),
    )  # fmt: skip


def _with(rng: Rng, options: tuple[tuple[str, int, int], ...], name: str, pieces: int) -> tuple[tuple[str, int, int], ...]:
    """The options with this one among them, in stock."""
    kept = [option for option in options if option[0] != name]
    order = SIZES if name in SIZES else COLOURS
    return tuple(sorted([*kept, (name, rng.choice((0, 3, 6)), pieces + rng.integer(0, 5))], key=lambda option: order.index(option[0])))


def _near_miss_product(rng: Rng, item: Item, right: Item, wish: Wish, chosen: list[str]) -> Item:
    """A product that meets the wish but for one thing, most often a cheaper one."""
    like = right._replace(code=item.code, series=item.series, price=right.price + rng.integer(-15, 8))
    fault = rng.choice(("colour", "size", *chosen, *chosen))
    options = {"colour": like.colours, "size": like.sizes}
    match fault:
        case "colour" | "size":
            name = wish.colour if fault == "colour" else wish.size
            changed = tuple(
                (option, more, rng.integer(0, wish.pieces - 1)) if option == name else (option, more, count)
                for option, more, count in options[fault]
            )
            return like._replace(colours=changed) if fault == "colour" else like._replace(sizes=changed)
        case "material":
            return like._replace(material=rng.choice([material for material in MATERIALS if material != right.material]))
        case "not_maker":
            return like._replace(maker=wish.not_maker)
        case "stars":
            return like._replace(stars=rng.integer(36, 39))
        case "reviews":
            return like._replace(reviews=rng.integer(60, 79))
        case "days":
            return like._replace(days=rng.integer(6, 8))
    return like._replace(washable=False)


def _with_higher_price(rng: Rng, shop: Shop, item: Item, wish: Wish, due: int) -> Item:
    """The product, made dearer than the choice if it meets the wish too."""
    if meets(shop, item, wish) and (total(shop, item, wish.colour, wish.size) or 0) <= due:
        return item._replace(price=due + shop.shipping + rng.integer(1, 9))
    return item
