"""A person who shops by habit: what each habit does, and how a prediction is graded."""

import math

import pytest

from rlgym import Rng
from rlgym.answers import Misuse
from rlgym.envs.tools import shopper_actions as world
from rlgym.generators.services.shopper import (
    Action,
    Person,
    Product,
    View,
    decisions,
    first_view,
    full,
    next_action,
    paid,
    session,
    undecided,
    worth,
)
from rlgym.generators.services.shopper_pages import describe, render

LAMPS = (
    Product("B1", "lamp", "Alder", "Fennel", 30, 40, 100, 5, ("red", "blue")),
    Product("B2", "lamp", "Birch", "Calloway", 20, 35, 50, 2, ("blue", "red")),
    Product("B3", "mug", "Cedar", "Fennel", 5, 50, 300, 1, ("red", "white")),
    Product("B4", "lamp", "Dune", "Dornier", 25, 45, 200, 9, ("white", "red")),
)


def visit(**habits):
    return [" ".join(filter(None, action)) for _, action in session(Person("lamp", 30)._replace(**habits), LAMPS)]


@pytest.mark.parametrize(
    ("habits", "actions"),
    [
        ({}, ["click B2", "click add_to_cart", "terminate"]),
        ({"rated_first": True}, ["click B4", "click add_to_cart", "terminate"]),
        ({"not_maker": "Calloway"}, ["click B4", "click add_to_cart", "terminate"]),
        ({"stars": 40, "days": 5}, ["click B4", "click back", "click B1", "click add_to_cart", "terminate"]),
        ({"reviews": 60, "colour": "red"}, ["click B2", "click back", "click B4", "click colour_red", "click add_to_cart", "terminate"]),
        (
            {"colour": "blue", "rated_first": True},
            ["click B4", "click back", "click B1", "click colour_blue", "click add_to_cart", "terminate"],
        ),
        ({"most": 10}, ["terminate"]),
        (
            {"wanted": 2, "days": 5},
            ["click B2", "click add_to_cart", "click B4", "click back", "click B1", "click add_to_cart", "terminate"],
        ),
        (
            {"wanted": 3, "days": 5},
            ["click B2", "click add_to_cart", "click B4", "click back", "click B1", "click add_to_cart", "terminate"],
        ),
        (
            {"first_maker": "Fennel", "days": 4},
            ["click B1", "click back", "type_and_submit search_box lamp", "click B2", "click add_to_cart", "terminate"],
        ),
    ],
)
def test_every_habit_shows_in_the_actions(habits, actions):
    assert visit(**habits) == actions


def test_the_parts_of_a_prediction_are_paid_by_how_hard_they_are_to_guess():
    page, product = View("lamp"), View("lamp", product="B1", chosen="red", opened=("B1",))
    # One of three rows, of which one is opened on 85 of 100 pages; going back is the likeliest on a product's page.
    assert worth(LAMPS, page, Action("click", "B2")) == (0.0, pytest.approx(-math.log2(0.85 / 3)), 0.0)
    assert worth(LAMPS, product, Action("click", "back"))[1] < worth(LAMPS, product, Action("click", "add_to_cart"))[1]
    assert worth(LAMPS, product, Action("click", "add_to_cart"))[1] < worth(LAMPS, product, Action("click", "colour_blue"))[1]
    search = Action("type_and_submit", "search_box", "lamp")
    of_type, _, of_text = worth(LAMPS, page, search)
    assert of_type > worth(LAMPS, page, Action("terminate"))[0] > 0
    assert paid(LAMPS, page, search, Action("type_and_submit", "search_box", "mug")) == of_type
    assert paid(LAMPS, page, search, Action("type_and_submit", "search_box", " Lamp ")) == of_type + of_text
    # The type of a click alone is worth nothing, and a name counts beside the right type only.
    assert paid(LAMPS, page, Action("click", "B2"), Action("click", "B1")) == 0.0
    assert paid(LAMPS, page, Action("click", "B2"), Action("terminate", "B2")) == 0.0
    assert paid(LAMPS, page, search, Action("click", "search_box")) == 0.0


def played(state, predict):
    game = world.environment
    while (score := game.outcome(state)) is None:
        state = game.act(state, predict(state))
    return score


def test_the_persons_own_action_is_carried_out_whatever_is_predicted():
    state = world.State(person=Person("lamp", 30, days=4), products=LAMPS, view=first_view(Person("lamp", 30)))
    wrong = world.act(state, (world.Terminate(),))
    assert wrong.view.product == "B2"
    assert world.show(wrong).startswith('The person\'s action was {"tool": "click", "arguments": {"name": "B2"}}.')
    unknown = world.act(state, (Misuse('{"tool": "buy", "arguments": {}}', "there is no tool"),))
    assert (unknown.view, unknown.earned) == (wrong.view, (0.0, 0.0, 0.0))


@pytest.mark.parametrize("family", [world.start, world.shift])
def test_constant_actions_earn_less_than_half_knowledge(family):
    """Who always clicks, leaves, goes back or takes the first earns less than who overlooks one habit."""
    constant, half = dict[str, float](), list[float]()
    seeds = range(20)
    for seed in seeds:
        state = family(Rng("visit", seed), world.Knobs.at(0.5))
        players = {
            "leaves": lambda now: (world.Terminate(),),
            "back": lambda now: (world.Click(name="back"),),
            "first": lambda now: (world.Click(name=[*world.controls(now.products, now.view), "?"][0]),),
            "nothing": lambda now: (world.Click(name="?"),),
        }
        for name, player in players.items():
            constant[name] = constant.get(name, 0.0) + played(state, player).value / len(seeds)
        half += [played(state, skipping).value for skipping in world.rules(state).values()]
        assert played(state, world.best).value == 1.0
    assert constant["leaves"] == constant["back"] == constant["nothing"] == 0.0
    assert constant["first"] < 0.1
    assert sum(half) / len(half) > 0.4


@pytest.mark.parametrize("level", [0.5, pytest.param(1.0, marks=pytest.mark.slow)])
def test_who_answers_the_same_on_all_products_pages_earns_nothing(level):
    """Who knows all about pages of results and always goes back, or always buys what can be bought."""
    for seed in range(12):
        first = world.start(Rng("visit", seed), world.Knobs.at(level))
        # Nothing is insisted on, except the colour that is selected.
        buyer = first.person._replace(reviews=0, days=0)

        def returns(now):
            return (world.Click(name="back"),) if now.view.product else world.best(now)

        def buys(now, buyer=buyer):
            if not now.view.product:
                return world.best(now)
            offered = f"colour_{buyer.colour}" in world.controls(now.products, now.view)
            return (world._call(next_action(buyer if offered else buyer._replace(colour=""), now.products, now.view)),)

        goes_back = any(action.name == "back" for _, action in session(first.person, first.products))
        assert played(first, returns).value == 0.0
        assert played(first, returns).parts["actions"] > 0
        assert played(first, buys).value == 0.0 or not goes_back
        assert played(first, world.best).value == 1.0


def test_the_score_is_the_product_of_pages_of_results_and_of_products():
    # Opens B4, goes back, opens B1, selects blue and buys it.
    person = Person("lamp", 30, colour="blue", rated_first=True)
    state = world.State(person=person, products=LAMPS, view=first_view(person))

    def overlooks_colour(now):
        return (world.Click(name="add_to_cart"),) if now.view.chosen == "red" and now.view.product == "B1" else world.best(now)

    page = View("lamp", product="B1", chosen="red")
    colour, cart = (sum(worth(LAMPS, page, Action("click", name))) for name in ("colour_blue", "add_to_cart"))
    assert played(state, overlooks_colour).value == pytest.approx(cart / (colour + cart))

    def takes_cheapest(now):
        return world.best(now) if now.view.product or len(now.view.opened) else (world.Click(name="B2"),)

    three, four = (sum(worth(LAMPS, View("lamp"), Action("click", code))) for code in ("B4", "B1"))
    leaving = sum(worth(LAMPS, View("lamp"), Action("terminate")))
    assert played(state, takes_cheapest).value == pytest.approx((four + leaving) / (three + four + leaving))


def test_the_prompt_describes_what_the_person_may_do_and_nothing_else():
    umbrellas = tuple(one._replace(kind="umbrella") for one in LAMPS)
    plain, fond = Person("umbrella", 30), Person("umbrella", 30, first_maker="Berg & Son")
    assert describe(plain, umbrellas)[0] == 'The person looks for an umbrella, and has searched for "umbrella".'
    assert describe(fond, umbrellas)[0].endswith('has searched for "Berg & Son umbrella", since that maker is preferred.')
    assert describe(plain, umbrellas)[1] == "Once 1 product is in the cart, the person leaves the shop from the page of results."
    assert "lowest number in its code" in describe(plain, umbrellas)[2]
    assert describe(plain, umbrellas)[3] == "If there is none, the person leaves the shop."
    assert "next page" in describe(plain, umbrellas * 2)[3]
    assert 'searches for "umbrella"' in describe(fond, umbrellas)[3]
    assert describe(plain._replace(days=3), umbrellas)[-1].startswith("Both back and add_to_cart lead to the page of results")
    several = plain._replace(kind="scarf", wanted=3)
    assert describe(several, LAMPS)[0].startswith("The person looks for 3 scarves,")
    assert describe(several, LAMPS)[1].startswith("Once 3 products are in the cart,")
    shown = {person: world.show(world.State(person=person, products=umbrellas, view=first_view(person))) for person in (plain, fond)}
    assert "search_box" not in shown[plain]
    assert "type_and_submit" not in shown[plain]
    assert "search_box" in shown[fond]
    assert "type_and_submit" in shown[fond]
    assert render(umbrellas, first_view(fond)).startswith('Results for "Berg & Son umbrella": no products.')
    over = world.State(person=plain, products=umbrellas, view=View("umbrella", over=True), last="terminate", actions=1)
    assert world.show(over).endswith("The visit is over.")


def test_the_oracle_follows_the_page_and_not_the_catalogue():
    state = world.start(Rng("visit", 3), world.Knobs.at(0.6))
    game = world.environment
    while game.outcome(state) is None:
        call = game.best(state)[0]
        assert next_action(state.person, state.products, state.view).name in (getattr(call, "name", ""), "")
        if isinstance(call, world.Click):
            assert call.name in game.show(state)
        state = game.act(state, (call,))


def test_a_person_leaves_a_large_shop_before_the_cart_is_full():
    for seed in range(3):
        state = world.shift(Rng("visit", seed), world.Knobs(habits=2, products=80, actions=10))
        view, action = session(state.person, state.products)[-1]
        assert action.type == "terminate"
        assert not full(state.person, view)


@pytest.mark.parametrize("family", [world.start, world.shift])
@pytest.mark.parametrize("level", [0.0, 1.0])
def test_every_visit_leaves_a_decision_on_products_pages(family, level):
    for seed in range(10):
        state = family(Rng("visit", seed), world.Knobs.at(level))
        visit = session(state.person, state.products)
        assert not undecided(state.person, state.products, visit)
        assert min([takes for _, takes in decisions(visit)].count(takes) for takes in (True, False)) >= 2
        assert played(state, world.best).value == 1.0


def test_a_visit_that_a_guess_decides_is_undecided():
    lamps = (*LAMPS, *(one._replace(code=f"{one.code}0", days=4, colours=("white", "red")) for one in LAMPS))

    def visit(**habits):
        person = Person("lamp", 60, wanted=4, **habits)
        return undecided(person, lamps, session(person, lamps))

    assert visit()
    assert visit(colour="blue")
    assert visit(colour="blue", days=1)
    assert not visit(days=4)
    # No product arrives in 6 or 7 days: who guesses 6 days is right where the person says 7.
    assert visit(days=7)


def on_products_pages(answer):
    """A player that knows all about pages of results, and answers so on products' pages."""
    return lambda now: (answer(now),) if now.view.product else world.best(now)


def takes_the_colour(now, otherwise):
    colour = f"colour_{now.person.colour}"
    offered = colour in world.controls(now.products, now.view)
    if offered and now.view.chosen != now.person.colour:
        return world.Click(name=colour)
    return world.Click(name="add_to_cart" if offered else otherwise)


def takes_if(now, suits):
    product = next(one for one in now.products if one.code == now.view.product)
    return world.Click(name="add_to_cart" if suits(product) else "back")


@pytest.mark.parametrize("family", [world.start, pytest.param(world.shift, marks=pytest.mark.slow)])
def test_who_ignores_the_rules_for_products_pages_seldom_earns_the_full_score(family):
    rng = Rng("coin")
    players = {
        "back": lambda now: world.Click(name="back"),
        "add": lambda now: world.Click(name="add_to_cart"),
        "coin": lambda now: world.Click(name=rng.choice(("back", "add_to_cart"))),
        "colour_else_back": lambda now: takes_the_colour(now, "back"),
        "colour_else_add": lambda now: takes_the_colour(now, "add_to_cart"),
        "back_at_first": lambda now: world.Click(name="back" if len(now.view.opened) < 2 else "add_to_cart"),
        "reviews": lambda now: takes_if(now, lambda product: product.reviews >= 200),
        "back_twice": lambda now: world.Click(name="back" if len(now.view.opened) < 3 else "add_to_cart"),
        "back_in_turns": lambda now: world.Click(name="back" if len(now.view.opened) % 2 else "add_to_cart"),
    }
    states = [family(Rng("visit", seed), world.Knobs.at(0.0)) for seed in range(60)]
    full_scores = {
        name: sum(played(one, on_products_pages(player)).value == 1.0 for one in states) / 60 for name, player in players.items()
    }
    assert max(full_scores.values()) <= 0.10, full_scores
    assert full_scores["back"] == full_scores["add"] == 0.0


@pytest.mark.slow
def test_who_looks_at_stars_alone_earns_little_at_level_1():
    def answer(now):
        if now.view.product:
            return (takes_the_colour(now, "back"),)
        person = now.person._replace(not_maker="", stars=0, reviews=0, days=0, colour="", pages=0, rated_first=True)
        return (world._call(next_action(person, now.products, now.view)),)

    values = [played(world.start(Rng("visit", seed), world.Knobs.at(1.0)), answer).value for seed in range(40)]
    assert sum(values) / len(values) <= 0.35
