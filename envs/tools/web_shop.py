"""Buy exactly what is wished for in a shop's web pages: the right product in the right options, at the least price.

Many products miss the wish in one thing only, options cost extra or are sold out, and shipping is free from some price on. What
stands in the order at the end is judged.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal, NamedTuple

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.toolbox.shop import Choice, Item, Shop, Wish, cheapest, describe_wish, row, sheet, shops, total

PAGE = 6


class Search(Tool):
    """Lists the products whose name or maker holds all the words, six a page, in the order of price before options or by stars."""

    words: str = Field(max_length=80)
    page: int = Field(1, ge=1, le=99)
    sort: Literal["price", "stars"] = "price"


class View(Tool):
    """Opens a product's page."""

    product: str = Field(max_length=12)


class AddToCart(Tool):
    """Puts pieces of a product in these options into the cart."""

    product: str = Field(max_length=12)
    colour: str = Field(max_length=20)
    size: str = Field(max_length=20)
    pieces: int = Field(1, ge=1, le=99)


class EmptyCart(Tool):
    """Takes everything out of the cart."""


class Buy(Tool):
    """Orders what is in the cart and ends the task."""


TOOLS = ToolCalls((Search, View, AddToCart, EmptyCart, Buy))


class Knobs(Config):
    items: int = knob(60, easy=16, hard=240, scale="log", doc="products in the shop")
    demands: int = knob(3, easy=1, hard=6, doc="demands besides kind, colour, size and price")
    near: int = knob(6, easy=2, hard=16, doc="products that miss the wish in one thing, most of them cheaper")
    wishes: int = knob(1, easy=1, hard=2, doc="things to be bought")


class Entry(NamedTuple):
    choice: Choice
    pieces: int


class State(TaskData):
    shops: tuple[Shop, ...]  # one for each wish; the catalogue is all of them
    wishes: tuple[Wish, ...]
    searched: tuple[tuple[str, int], ...] = ()
    viewed: tuple[str, ...] = ()
    cart: tuple[Entry, ...] = ()
    bought: bool = False
    guessed: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(shops(rng, knobs.wishes, knobs.items, knobs.demands, knobs.near))


def shift(rng: Rng, knobs: Knobs) -> State:
    """More wishes of fewer demands each."""
    return _state(shops(rng, knobs.wishes + 1, knobs.items, max(1, knobs.demands // 2), max(1, knobs.near // 2)))


def show(state: State) -> str:
    if state.told:
        return state.told
    wishes = "\n".join(f"{number}. {describe_wish(wish)}" for number, wish in enumerate(state.wishes, 1))
    shops = state.shops[0]
    return (
        f"Buy this in a web shop, and nothing else:\n{wishes}\n\n"
        "Of several products that meet all of a wish, the one that costs least with its options and shipping is wanted. Shipping is "
        f"{shops.shipping} coins for every piece, and free for a piece whose price with options is {shops.free} coins or more. An option must be in "
        f"stock in the number of pieces wanted.\n{TOOLS.manual()}\n\n"
        "Open a product's page in an earlier turn than you put it into the cart; what is bought unseen is not accepted. Buy when the cart is right."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.viewed)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: now.bought)


def outcome(state: State) -> Score | None:
    if not state.bought:
        return None
    if state.guessed:
        return Score.wrong("a product was put into the cart before its page had been read")
    right = sorted(_entry(shop, wish) for shop, wish in zip(state.shops, state.wishes))
    return Score.exact(sorted(state.cart) == right, "the order is not exactly what was wished for at the least price")


def milestones(state: State) -> dict[str, float]:
    left = [_entry(shop, wish) for shop, wish in zip(state.shops, state.wishes)]
    extra = 0
    for entry in state.cart:
        if entry in left:
            left.remove(entry)
        else:
            extra += 1
    return {"wishes_in_cart": 0.0 if state.guessed else 1 - min(len(left) + extra, len(state.wishes)) / len(state.wishes)}


def best(state: State) -> Calls:
    if look_ups := _look_ups(state):
        return tuple(look_ups)[: TOOLS.max_calls]
    left = [entry for shop, wish in zip(state.shops, state.wishes) if (entry := _entry(shop, wish)) not in state.cart]
    return tuple(map(_add_call, left)) or (Buy(),)


DEMANDS: dict[str, str | int | bool] = {"material": "", "not_maker": "", "stars": 0, "reviews": 0, "days": 0, "washable": False}


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    stated = [name for name in DEMANDS if any(getattr(wish, name) for wish in first.wishes)]
    return {
        "read_first": partial(_add_all, ""),
        "shipping": partial(_overlook_rule, "shipping"),
        "stock": partial(_overlook_rule, "stock"),
    } | {name: partial(_overlook_rule, name) for name in stated}


def _overlook_rule(rule: str, state: State) -> Calls:
    """The oracle, but for one rule that it ignores when it compares the products."""
    return tuple(_look_ups(state))[: TOOLS.max_calls] or _add_all(rule, state)


def _add_all(rule: str, state: State) -> Calls:
    entries = [_entry(*_drop_rule(rule, shop, wish))._replace(pieces=wish.pieces) for shop, wish in zip(state.shops, state.wishes)]
    return tuple(_add_call(entry) for entry in entries if entry not in state.cart) or (Buy(),)


def _drop_rule(rule: str, shop: Shop, wish: Wish) -> tuple[Shop, Wish]:
    if rule == "shipping":
        return shop._replace(shipping=0), wish
    if rule == "stock":
        return shop, wish._replace(pieces=0)
    return shop, wish._replace(**{rule: DEMANDS[rule]}) if rule else wish  # type: ignore[arg-type]


def mistakes(state: State) -> list[Calls]:
    # Buys at once or unseen; takes what is cheapest before options; another option, another number; buys too much.
    calls = best(state)
    entries = [_entry(shop, wish) for shop, wish in zip(state.shops, state.wishes)]
    if isinstance(calls[0], Search | View):
        return [(Buy(),), (*map(_add_call, entries), Buy()), calls, calls, calls, calls]
    if isinstance(calls[0], Buy):
        return [(Buy(),)] * 6
    kind, first = state.wishes[0].kind, entries[0]
    rows = sorted(item.price * 10_000 + k for k, item in enumerate(state.shops[0].items) if item.kind == kind)
    lure = next(state.shops[0].items[row % 10_000].code for row in rows if state.shops[0].items[row % 10_000].code != first.choice.code)
    wrong = [
        first._replace(choice=first.choice._replace(code=lure)),
        first._replace(choice=first.choice._replace(size="small" if first.choice.size != "small" else "large")),
        first._replace(pieces=first.pieces + 1),
    ]
    return [
        (Buy(),),
        (*map(_add_call, entries), _add_call(first), Buy()),
        *((*map(_add_call, [one, *entries[1:]]), Buy()) for one in wrong),
        (Buy(),),
    ]


def cost(state: State) -> float:
    return sum(len(_items_of_kind(shop, wish)) for shop, wish in zip(state.shops, state.wishes)) * (2 + sum(map(bool, state.wishes[0])) / 2)


def turns(state: State) -> int:
    searches = sum(-(-len(_items_of_kind(shop, wish)) // PAGE) for shop, wish in zip(state.shops, state.wishes))
    return searches + round(sum(len(_items_of_kind(shop, wish)) for shop, wish in zip(state.shops, state.wishes))) + len(state.wishes) + 5


def explain(state: State) -> list[str]:
    calls = best(state)
    if isinstance(calls[0], Search | View):
        steps = [
            "Every product of the right kind whose price alone does not rule it out must be opened: options, stock and shipping stand on its page."
        ]
    else:
        steps = []
        for shop, wish in zip(state.shops, state.wishes):
            item = cheapest(shop, wish)
            steps.append(
                f"{item.code} meets the whole wish at {total(shop, item, wish.colour, wish.size)} coins a piece, and nothing that meets it costs less."
            )
    return [*steps, TOOLS.render(calls)]


def _look_ups(state: State) -> list[Call]:
    out: list[Call] = []
    for shop, wish in zip(state.shops, state.wishes):
        items = _items_of_kind(shop, wish)
        pages = range(1, -(-len(items) // PAGE) + 1)
        missing: list[Call] = [Search(words=wish.kind, page=page) for page in pages if (wish.kind, page) not in state.searched]
        # What stands in the list rules some out: price without options above the limit, too few stars.
        open_too = [item for item in items if item.price <= wish.most and item.stars >= wish.stars and item.maker != wish.not_maker]
        out += missing or [View(product=item.code) for item in open_too if item.code not in state.viewed]
    return out


def _run(state: State, call: Tool, known: frozenset[str]) -> tuple[State, str]:
    items = [item for shop in state.shops for item in shop.items]
    match call:
        case Search(words=words, page=page, sort=sort):
            query = words.lower().split()
            hits = [
                item for item in items if query and all(word in f"{item.maker} {item.series} {item.kind}".lower().split() for word in query)
            ]
            hits.sort(key=lambda item: (item.price if sort == "price" else -item.stars, item.code))
            pages = max(1, -(-len(hits) // PAGE))
            rows = [row(item) for item in hits[PAGE * (page - 1) : PAGE * page]]
            seen = {"searched": (*state.searched, (" ".join(query), page))} if rows and sort == "price" else {}
            return state.model_copy(update=seen), "\n".join([f"{len(hits)} products, page {page} of {pages}:", *rows])
        case EmptyCart():
            return state.model_copy(update={"cart": ()}), "the cart is empty"
        case Buy():
            return state.model_copy(update={"bought": True}), ""
        case View() | AddToCart():
            item = next((item for item in items if item.code == call.product.strip().upper()), None)
            if item is None:
                return state, f"there is no product {call.product!r}"
            if isinstance(call, View):
                return state.model_copy(update={"viewed": (*state.viewed, item.code)}), sheet(item)
            choice = Choice(item.code, call.colour.strip().lower(), call.size.strip().lower())
            stocked = {name: count for name, _, count in (*item.colours, *item.sizes)}
            if total(state.shops[0], item, choice.colour, choice.size) is None:
                return state, f"{item.code} is not sold in {choice.colour!r} and {choice.size!r}"
            if min(stocked[choice.colour], stocked[choice.size]) < call.pieces:
                return state, f"there are not {call.pieces} pieces of it in stock"
            guessed = state.guessed or item.code not in known
            return state.model_copy(
                update={"cart": (*state.cart, Entry(choice, call.pieces)), "guessed": guessed}
            ), f"{item.code} is in the cart"
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _state(sampled: list[tuple[Shop, Wish]]) -> State:
    return State(shops=tuple(here for here, _ in sampled), wishes=tuple(wish for _, wish in sampled))


def _items_of_kind(shop: Shop, wish: Wish) -> list[Item]:
    return [item for item in shop.items if item.kind == wish.kind]


def _entry(shop: Shop, wish: Wish) -> Entry:
    return Entry(Choice(cheapest(shop, wish).code, wish.colour, wish.size), wish.pieces)


def _add_call(entry: Entry) -> AddToCart:
    code, colour, size = entry.choice
    return AddToCart(product=code, colour=colour, size=size, pieces=entry.pieces)


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    rules=rules,
    concept="Rule out by the list what can be ruled out, open all the others, check every demand and add up the whole price before choosing.",
    version=3,
    milestones=milestones,
)  # fmt: skip
