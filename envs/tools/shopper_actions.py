"""Predict what a person with known habits does next in a web shop: type and submit, click or leave, action by action.

Each prediction is graded: the tool, the name of what is clicked or filled in, and the text, each paid by how hard it is to guess (after the hierarchical
reward of Shop-R1). The score is the product of two shares, that of what can be earned on pages of results, and that of products' pages, where the person
goes back or takes the product: there who always goes back, or always takes it, earns nothing. The part `actions` is the plain share of what all actions can
earn, without this correction, so it may be above or below the score. Whatever is predicted, the person's own action is carried out.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Misuse, Tool, ToolCalls
from rlgym.generators.services.shopper import (
    HABITS,
    Action,
    Person,
    Product,
    View,
    controls,
    first_view,
    follow,
    full,
    next_action,
    paid,
    plain,
    sample_catalogue,
    sample_person,
    session,
    undecided,
    without,
    worth,
)
from rlgym.generators.services.shopper_pages import describe, render
from rlgym.generators.toolbox.shop import KINDS

TRIES = 24


class TypeAndSubmit(Tool):
    """The person types this text into the input field of this name and submits it."""

    name: str = Field(max_length=40)
    text: str = Field(max_length=80)


class Click(Tool):
    """The person clicks on what has this name."""

    name: str = Field(max_length=40)


class Terminate(Tool):
    """The person leaves the shop. The arguments are empty: {}."""


TOOLS = ToolCalls((TypeAndSubmit, Click, Terminate), max_calls=1)


class Knobs(Config):
    habits: int = knob(4, easy=2, hard=8, doc="habits besides the budget")
    products: int = knob(40, easy=16, hard=80, scale="log", doc="products in the shop, half of them of the kind that is looked for")
    actions: int = knob(14, easy=10, hard=20, doc="fewest actions of the visit, where a person with such habits takes as many")


PARTS = ("results", "returns", "purchase")
"""Where something is earned: on pages of results, and on products' pages where the person goes back and where not."""
INSISTING = ("reviews", "days")
"""Habits of which a person has one at least, so that colours alone do not tell what is taken."""


class State(TaskData):
    person: Person
    products: tuple[Product, ...]
    view: View
    last: str = ""
    fault: str = ""  # why the last prediction cannot be right
    actions: int = 0
    earned: tuple[float, float, float] = (0.0, 0.0, 0.0)  # in the PARTS


def start(rng: Rng, knobs: Knobs) -> State:
    return _sample(rng, knobs, leaves=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """The person leaves before the cart is full, since no product is left that suits."""
    return _sample(rng, knobs, leaves=True)


def show(state: State) -> str:
    person = state.person
    last = f"{state.fault}The person's action was {state.last}."
    if state.view.over:
        return f"{last} The visit is over."
    page = render(state.products, state.view, searches=bool(person.first_maker))
    if state.actions:
        return f"{last}\n\n{page}"
    habits = "\n".join(f"- {habit}" for habit in describe(person, state.products))
    tools = TOOLS if person.first_maker else ToolCalls((Click, Terminate), max_calls=1)
    text = ", and a search that you predict with another text counts in part" if person.first_maker else ""
    return (
        f"A person visits a web shop. Predict what the person does on each page, one action a turn. The rules that the person follows:\n{habits}\n\n"
        f"The actions:\n{tools.manual()}\n\nAfter each prediction you see the action that the person really took, and the page that it led to.\n\n"
        "You score 1 if you predict every action. Otherwise the score is the product of two shares. The first is the share of the actions on pages of results "
        f"that you predict; actions that are harder to guess count more{text}. The second is a + b - 1, at least 0, where a is the share of the returns to the "
        "results that you predict, and b the share of the other actions on products' pages. Whatever you predict, the visit goes on from the person's own "
        "action.\n\n"
        f"{page}"
    )


def act(state: State, calls: Calls) -> State:
    right = next_action(state.person, state.products, state.view)
    given = _action(calls[0])
    fault = _fault(state, calls[0], given)
    earned = list(state.earned)
    earned[_part(state.view, right)] += paid(state.products, state.view, right, given) if given else 0.0
    after = {
        "view": follow(state.products, state.view, right),
        "fault": fault,
        "last": TOOLS.render((_call(right),)),
        "actions": state.actions + 1,
    }
    return state.model_copy(update={**after, "earned": tuple(earned)})


def _part(view: View, right: Action) -> int:
    """The place among PARTS of what an action on a page earns."""
    return (1 if right.name == "back" else 2) if view.product else 0


def outcome(state: State) -> Score | None:
    if not state.view.over:
        return None
    total = [0.0, 0.0, 0.0]
    for view, right in session(state.person, state.products):
        total[_part(view, right)] += sum(worth(state.products, view, right))
    shares = [mine / whole for mine, whole in zip(state.earned[1:], total[1:]) if whole]
    results = state.earned[0] / total[0]
    # Who answers the same on all products' pages has one of two shares in full, and not the other.
    share = results * max(0.0, sum(shares) + 1 - len(shares))
    actions = min(1.0, sum(state.earned) / sum(total))
    return Score.partial(1.0 if share > 1 - 1e-9 else share, "not every action was predicted", actions=actions)


def best(state: State) -> Calls:
    return (_call(next_action(state.person, state.products, state.view)),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    habits = [habit for habit in HABITS if without(first.person, habit) != first.person and habit != "first_maker"]
    overlooked: dict[str, Callable[[State], Calls]] = {habit: partial(_without_habit, habit) for habit in habits}
    visit = session(first.person, first.products)
    if full(first.person, visit[-1][0]):
        overlooked["wanted"] = _counts_no_products
    searches_again = any(action.text for _, action in visit)
    return overlooked | ({"second_search": _leaves_early} if searches_again else {})


def _leaves_early(state: State) -> Calls:
    right = next_action(state.person, state.products, state.view)
    return (Terminate() if right.text else _call(right),)


def _counts_no_products(state: State) -> Calls:
    person = state.person._replace(wanted=len(state.products))
    return (_call(next_action(person, state.products, state.view)),)


def _without_habit(habit: str, state: State) -> Calls:
    person = without(state.person, habit)
    return (_call(next_action(person, state.products, state.view)),)


def mistakes(state: State) -> list[Calls]:
    # Leaves, goes back or takes the first on the page; searches again; takes something else than the person does.
    right = next_action(state.person, state.products, state.view)
    names = controls(state.products, state.view)
    other = next((name for name in names if name != right.name), "search_box")
    return [
        (Terminate(),),
        (Click(name="back"),),
        (Click(name=names[0] if names else "search_box"),),
        (TypeAndSubmit(name="search_box", text=state.person.kind),),
        (Click(name=other),) if right.type == "click" else (Terminate() if right.type != "terminate" else Click(name="back"),),
    ]


def cost(state: State) -> float:
    return sum(len(controls(state.products, view)) for view, _ in session(state.person, state.products)) * (1 + len(rules(state)))


def turns(state: State) -> int:
    # In round numbers, so that they do not tell how long the visit is.
    return 20 * (1 + len(session(state.person, state.products)) // 18)


def explain(state: State) -> list[str]:
    right = next_action(state.person, state.products, state.view)
    if right.type == "terminate" and full(state.person, state.view):
        reason = "The cart holds as many products as the person wants."
    elif right.type == "terminate":
        reason = "No product that suits is left on the pages that the person looks at."
    elif right.name == "back":
        reason = "The product on this page lacks something that the person insists on."
    elif right.name == "next_page":
        reason = "The person would open none of the products on this page that were not opened before."
    elif state.view.product:
        reason = "The product on this page has all that the person insists on."
    else:
        reason = f"{'This is what the person looks for' if right.text else 'This is the first of those that the person would open'}."
    return [reason, TOOLS.render((_call(right),))]


def _sample(rng: Rng, knobs: Knobs, leaves: bool) -> State:
    """A visit of enough actions in which every habit changes some action; the best of several where none is such.

    The person takes some products and goes back from others, and no guess by the colours that a page offers is always right. A person who `leaves` before the
    cart is full wants more products, and cheaper ones.
    """
    found: tuple[tuple[int, int], State] | None = None
    for _ in range(TRIES):
        kind = rng.choice(KINDS)
        insists = rng.choice(INSISTING)
        habits = [insists, *rng.sample([habit for habit in HABITS if habit != insists], knobs.habits - 1)]
        products = sample_catalogue(rng, kind, knobs.products)
        person = sample_person(rng, kind, habits)
        if leaves:
            person = person._replace(most=rng.integer(20, 40), wanted=rng.integer(3, 6))
        visit = session(person, products)
        if full(person, visit[-1][0]) == leaves or undecided(person, products, visit):
            continue
        matter = [habit for habit in habits if session(without(person, habit), products) != visit]
        for habit in set(habits) - set(matter):
            person = without(person, habit)
        if session(person, products) != visit or undecided(person, products, visit):
            continue
        mark = min(len(visit), knobs.actions), len(matter)
        if found is None or mark > found[0]:
            found = mark, State(person=person, products=products, view=first_view(person))
        if mark == (knobs.actions, knobs.habits):
            break
    return found[1] if found else _sample(rng, knobs, leaves)


def _call(action: Action) -> Tool:
    if action.type == "click":
        return Click(name=action.name)
    return TypeAndSubmit(name=action.name, text=action.text) if action.type == "type_and_submit" else Terminate()


def _fault(state: State, call: object, given: Action | None) -> str:
    """Why a prediction cannot be right, as an opening of what the player reads next; "" where it may be."""
    if isinstance(call, Misuse):
        return f"Your prediction cannot be read: {call.problem}. "
    names = [name.lower() for name in controls(state.products, state.view)]
    if given and given.type == "click" and given.name not in names:
        return f"Nothing that is clickable on the page has the name {given.name!r} of your prediction. "
    return ""


def _action(call: object) -> Action | None:
    match call:
        case Click(name=name):
            return Action("click", plain(name))
        case TypeAndSubmit(name=name, text=text):
            return Action("type_and_submit", plain(name), text)
        case Terminate():
            return Action("terminate")
    return None


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    rules=rules,
    partial=True,
    version=4,
    concept="Apply the person's rules to the page in their order: what may be opened, which of those is first, and what a product's page must show.",
)  # fmt: skip
