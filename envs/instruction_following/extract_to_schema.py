"""Read a text about orders and give what it says as JSON of a given shape."""

import json
from functools import partial
from typing import Any

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Json
from rlgym.generators.constraints.stated_orders import GOODS, KINDS, Fact, State, describe, sample, state_after, touches, value
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Derivation, Solution, Step

SETS = Step("Sentence {sentence} makes the {field} of order {order} {value}")
COUNTS = Step("Sentence {sentence} makes the {goods} of order {order} {count}")
NOTHING = Step("Sentence {sentence} says nothing about any order")
ORDERS = (
    'an object {"orders": [...]} with one object for each order, the smallest order number first. Each has the keys "order" (the number), "customer", "city", '
    '"paid" (true or false) and "items", a list of objects with the keys "name" and "count", in alphabetical order of the names. What the text does '
    "not say about an order is null; an order of which it names no goods has an empty list of items"
)
ITEMS = (
    'an object {"goods": [...], "unpaid": [...]}. "goods" has one object for each kind of goods that some order holds, in alphabetical order of the '
    'names, with the keys "name", "total" (of all orders together) and "customers" (of the orders that hold it, in alphabetical order). "unpaid" is '
    "the list of the numbers of the orders that the text says have not been paid, the smallest first"
)


class Knobs(Config):
    orders: int = knob(3, easy=1, hard=6, doc="orders in the text")
    facts: int = knob(12, easy=3, hard=40, doc="sentences besides those that name the customers")
    kinds: str = knob(
        "referring",
        easy="plain",
        hard="corrected",
        order=tuple(KINDS),
        doc="plain sentences, ones that refer to others, or corrections too",
    )


class Data(TaskData):
    facts: tuple[Fact, ...]
    by_goods: bool
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, by_goods=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Another shape: by kinds of goods, with totals, instead of by orders."""
    return _sample_task(rng, knobs, by_goods=True)


def solve(task: Task[Data]) -> str:
    # Each field is traced back from the end of the text; `generate` goes forwards.
    facts = task.data.facts
    fields = {(fact.order, *touches(fact)): None for fact in facts if touches(fact)[0]}
    return _shape(
        {(order, field, goods): value(facts, order, field, goods, len(facts)) for order, field, goods in fields}, task.data.by_goods
    )


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "the JSON differs from what the text says, or from the shape that is asked for")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    plain = _state(tuple(fact for fact in data.facts if fact.kind not in ("fewer", "wrong", "same")))
    record = json.loads(right)
    other = _shape(_state(data.facts), not data.by_goods)
    first = record["goods" if data.by_goods else "orders"]
    changed = json.dumps({**record, "goods" if data.by_goods else "orders": [*first[1:], *first[:1], {}]}, sort_keys=True)
    return [
        _shape(plain, data.by_goods),
        other,
        changed,
        json.dumps(first, sort_keys=True),
        json.dumps({}),
        json.dumps([record], sort_keys=True),
    ]


def cost(task: Task[Data]) -> float:
    weights = {"same": 3, "twice": 3, "plus": 3, "fewer": 3, "wrong": 2}
    return float(sum(weights.get(fact.kind, 1) + bool(fact.by_name) for fact in task.data.facts))


def derive(task: Task[Data]) -> Derivation:
    state, facts = State(), task.data.facts
    for sentence, fact in enumerate(facts, 1):
        state = state_after(fact, state)
        field, goods = touches(fact)
        new = state.get((fact.order, field, goods))
        if not field:
            yield NOTHING(sentence=sentence)
        elif goods:
            yield COUNTS(sentence=sentence, goods=goods, order=fact.order, count=new).accepting(partial(_is_count, facts, sentence))
        else:
            step = SETS(sentence=sentence, field=field, order=fact.order, value=json.dumps(new))
            yield step.accepting(partial(_is_value, facts, sentence))


def _is_count(facts: tuple[Fact, ...], at: int, /, sentence: str, goods: str, order: str, count: str) -> bool:
    """Whether the count that holds after a sentence, found from the last fact backwards, is this."""
    fact = facts[at - 1]
    field, due = touches(fact)
    return (sentence, goods, order, count) == (str(at), due, str(fact.order), str(value(facts, fact.order, field, due, at)))


def _is_value(facts: tuple[Fact, ...], at: int, /, **gaps: str) -> bool:
    fact = facts[at - 1]
    field, goods = touches(fact)
    new = json.dumps(value(facts, fact.order, field, goods, at))
    return gaps == {"sentence": str(at), "field": field, "order": str(fact.order), "value": new}


def _sample_task(rng: Rng, knobs: Knobs, by_goods: bool) -> Task[Data]:
    while True:
        ids = sorted(rng.sample(range(11, 99), knobs.orders))
        people = dict(zip(ids, rng.sample(PEOPLE, knobs.orders), strict=True))
        goods = rng.sample(GOODS, min(len(GOODS), 3 + knobs.facts // 4))
        facts = [Fact(kind="customer", order=order, name=people[order], phrase=rng.integer(0, 1)) for order in rng.shuffled(ids)]
        state = State()
        for fact in facts:
            state = state_after(fact, state)
        for _ in range(30 * knobs.facts):
            if new := sample(rng, KINDS[knobs.kinds], state, ids, people, goods, knobs.kinds != "plain"):
                facts.append(new)
                state = state_after(new, state)
            if len(facts) == knobs.facts + knobs.orders:
                break
        if any(field == "count" for _, field, _ in state):
            data = Data(facts=tuple(facts), by_goods=by_goods, right=_shape(state, by_goods))
            return Task(_render_prompt(data), data)


def _state(facts: tuple[Fact, ...]) -> State:
    state = State()
    for fact in facts:
        state = state_after(fact, state)
    return state


def _shape(state: Any, by_goods: bool) -> str:
    """The state as JSON of the shape that is asked for."""
    ids = sorted({order for order, _, _ in state})
    counts = {(order, goods): count for (order, field, goods), count in state.items() if field == "count"}
    shaped: Any = {
        "orders": [
            {
                "order": order,
                **{key: state.get((order, key, "")) for key in ("customer", "city", "paid")},
                "items": [{"name": goods, "count": counts[order_id, goods]} for order_id, goods in sorted(counts) if order_id == order],
            }
            for order in ids
        ]
    }
    if by_goods:
        kinds = sorted({goods for _, goods in counts})
        holders = {goods: [order for order in ids if (order, goods) in counts] for goods in kinds}
        shaped = {
            "goods": [
                {
                    "name": goods,
                    "total": sum(counts[order, goods] for order in holders[goods]),
                    "customers": sorted(str(state.get((order, "customer", ""))) for order in holders[goods]),
                }
                for goods in kinds
            ],
            "unpaid": [order for order in ids if state.get((order, "paid", "")) is False],
        }
    return json.dumps(shaped, sort_keys=True, ensure_ascii=False)


def _render_prompt(data: Data) -> str:
    text, kinds = " ".join(describe(fact) for fact in data.facts), {fact.kind for fact in data.facts}
    refers, lessened = "", [(fact.order, fact.name) for fact in data.facts if fact.kind == "fewer"]
    if (kinds & {"same", "twice", "plus"} and kinds & {"fewer", "wrong"}) or len(set(lessened)) < len(lessened):
        refers = (
            " A sentence that refers to another city or count means the one that holds just before this sentence, with all corrections up to there, "
            "and is not affected if that one changes later."
        )
    return (
        "Here is a text about orders. Each sentence describes how things stand after the sentences before it, and a later statement overrides an "
        f"earlier one.{refers}\n\n{text}\n\nGive what it says as JSON: {ITEMS if data.by_goods else ORDERS}. Numbers are JSON numbers, names are spelled "
        "as in the text."
    )


environment = Environment(
    Knobs, Json("one JSON value of that shape"), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "So the JSON is: {answer}", whole=True),
    concept="Fill in a table of orders sentence by sentence, with the corrections, and write it down in the shape that is asked for only at the end.",
    version=5,
)  # fmt: skip
