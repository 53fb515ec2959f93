"""Predict what a person with known habits does next in a web shop: type and submit, click or leave, action by action.

Each prediction is graded: the tool, the name of what is clicked or filled in, and the text, each paid by how hard it is to guess (after the hierarchical
reward of Shop-R1). The score is the product of two shares, that of what can be earned on pages of results, and that of products' pages, where the person
goes back or buys: there who always goes back, or always buys, earns nothing. Whatever is predicted, the person's own action is carried out.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.services.shopper import (
    HABITS,
    Action,
    Person,
    Product,
    View,
    controls,
    describe,
    first_view,
    follow,
    next_action,
    paid,
    render,
    sample_catalogue,
    sample_person,
    session,
    without,
    worth,
)
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
    habits: int = knob(4, easy=1, hard=8, doc="habits besides the budget")
    products: int = knob(40, easy=12, hard=80, scale="log", doc="products in the shop, half of them of the kind that is looked for")
    actions: int = knob(7, easy=3, hard=14, doc="fewest actions of the visit, where a person with such habits takes as many")


PARTS = ("results", "returns", "purchase")
"""Where something is earned: on pages of results, and on products' pages where the person goes back and where not."""


class State(TaskData):
    person: Person
    products: tuple[Product, ...]
    view: View
    last: str = ""
    actions: int = 0
    earned: tuple[float, float, float] = (0.0, 0.0, 0.0)  # in the PARTS


def start(rng: Rng, knobs: Knobs) -> State:
    return _sample(rng, knobs, leaves=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """The person finds nothing to buy and leaves in the end, where the main family mostly ends with a purchase."""
    return _sample(rng, knobs, leaves=True)


def show(state: State) -> str:
    person = state.person
    if state.view.over:
        return f"The person's action was {state.last}. The visit is over."
    page = render(state.products, state.view, searches=bool(person.first_maker))
    if state.actions:
        return f"The person's action was {state.last}.\n\n{page}"
    habits = "\n".join(f"- {habit}" for habit in describe(person, state.products))
    tools = TOOLS if person.first_maker else ToolCalls((Click, Terminate), max_calls=1)
    text = ", and a search that you predict with another text counts in part" if person.first_maker else ""
    return (
        f"A person visits a web shop. Predict what the person does on each page, one action a turn. The rules that the person follows:\n{habits}\n\n"
        f"The actions:\n{tools.manual()}\n\nAfter each prediction you see the action that the person really took, and the page that it led to.\n\n"
        "You score 1 if you predict every action. Otherwise the score is the product of two shares. The first is the share of the actions on pages of results "
        f"that you predict; actions that are harder to guess count more{text}. The second is about products' pages: the share of the returns to the results "
        "that you predict, plus the share of the other actions that you predict, less 1, but at least 0; or one of these alone, if the person never does the "
        "other. Whatever you predict, the visit goes on from the person's own action.\n\n"
        f"{page}"
    )


def act(state: State, calls: Calls) -> State:
    right = next_action(state.person, state.products, state.view)
    given = _action(calls[0])
    earned = list(state.earned)
    earned[_part(state.view, right)] += paid(state.products, state.view, right, given) if given else 0.0
    after = {"view": follow(state.products, state.view, right), "last": TOOLS.render((_call(right),)), "actions": state.actions + 1}
    return state.model_copy(update={**after, "earned": tuple(earned)})


def _part(view: View, right: Action) -> int:
    """The place among PARTS of what an action on a page earns."""
    return (1 if right.name == "back" else 2) if view.product else 0


def outcome(state: State) -> Score | None:
    if not state.view.over:
        return None
    total = [0.0, 0.0, 0.0]
    visit = session(state.person, state.products)
    for view, right in visit:
        total[_part(view, right)] += sum(worth(state.products, view, right))
    shares = [mine / whole for mine, whole in zip(state.earned[1:], total[1:]) if whole]
    # What the same prediction on every page would earn counts nothing where no product's page is opened.
    constant = 0.0 if shares else max(sum(paid(state.products, view, right, given) for view, right in visit) for _, given in visit)
    results = max(0.0, (state.earned[0] - constant) / (total[0] - constant))
    # Who answers the same on all products' pages has one of two shares in full, and not the other.
    share = results * max(0.0, sum(shares) + 1 - len(shares))
    actions = min(1.0, sum(state.earned) / sum(total))
    return Score.partial(1.0 if share > 1 - 1e-9 else share, "not every action was predicted", actions=actions)


def best(state: State) -> Calls:
    return (_call(next_action(state.person, state.products, state.view)),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    habits = [habit for habit in HABITS if without(first.person, habit) != first.person and habit != "first_maker"]
    overlooked: dict[str, Callable[[State], Calls]] = {habit: partial(_without_habit, habit) for habit in habits}
    searches_again = any(action.text for _, action in session(first.person, first.products))
    return overlooked | ({"second_search": _leaves_early} if searches_again else {})


def _leaves_early(state: State) -> Calls:
    right = next_action(state.person, state.products, state.view)
    return (Terminate() if right.text else _call(right),)


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
    if right.type == "terminate":
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


def _sample(rng: Rng, knobs: Knobs, leaves: bool, poor: bool = False) -> State:
    """A visit of enough actions, one of them on a product's page, in which every habit changes some action; the best of several where none is such.

    A `poor` person finds nothing to buy in a large shop, too.
    """
    found: tuple[tuple[bool, int, int], State] | None = None
    for _ in range(TRIES):
        kind = rng.choice(KINDS)
        habits = rng.sample(HABITS, knobs.habits)
        products = sample_catalogue(rng, kind, knobs.products)
        person = sample_person(rng, kind, habits)
        if poor:
            person = person._replace(most=rng.integer(10, 14))
        visit = session(person, products)
        matter = [habit for habit in habits if session(without(person, habit), products) != visit]
        for habit in set(habits) - set(matter):
            person = without(person, habit)
        if (visit[-1][1].type == "terminate") != leaves or session(person, products) != visit or len({action for _, action in visit}) < 2:
            continue
        mark = (any(view.product for view, _ in visit), min(len(visit), knobs.actions), len(matter))
        if found is None or mark > found[0]:
            found = mark, State(person=person, products=products, view=first_view(person))
        if mark == (True, knobs.actions, knobs.habits):
            break
    return found[1] if found else _sample(rng, knobs, leaves, poor=leaves)


def _call(action: Action) -> Tool:
    if action.type == "click":
        return Click(name=action.name)
    return TypeAndSubmit(name=action.name, text=action.text) if action.type == "type_and_submit" else Terminate()


def _action(call: object) -> Action | None:
    match call:
        case Click(name=name):
            return Action("click", name.strip())
        case TypeAndSubmit(name=name, text=text):
            return Action("type_and_submit", name.strip(), text)
        case Terminate():
            return Action("terminate")
    return None


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    rules=rules,
    partial=True,
    version=2,
    concept="Apply the person's rules to the page in their order: what may be opened, which of those is first, and what a product's page must show.",
)  # fmt: skip
