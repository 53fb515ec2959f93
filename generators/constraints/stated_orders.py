"""Orders of a shop stated sentence by sentence: plainly, by reference to each other, and with corrections."""

from rlgym.core.rng import Rng
from rlgym.core.task import TaskData

CITIES = tuple("Lund Oslo Turin Ghent Porto Graz Split Bergen Leeds Cork Nantes Basel Riga Delft Vigo Jena".split())
GOODS = tuple("pears plums lamps books chairs bowls candles boxes pens cups ropes nails bells hats".split())
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SAID = {
    "customer": ("Order {order} is for {name}.", "{name} placed order {order}."),
    "city": ("{Whose} goes to {name}.", "{name} is where {whose} goes."),
    "item": ("{Whose} holds {count} {name}.", "There are {count} {name} in {whose}."),
    "paid": ("{Whose} has been paid.", "The money for {whose} has come in."),
    "unpaid": ("{Whose} has not been paid yet.", "The money for {whose} is still to come."),
    "same": ("{Whose} goes to the same city as order {other}.",),
    "twice": ("{Whose} has twice as many {name} as {second}.",),
    "plus": ("{Whose} has {count} more {name} than {second}.",),
    "fewer": ("No, the {name} in {whose} are {count} fewer than that.", "{Whose} gets {count} fewer {name} than stated before."),
    "wrong": ("{name}, not the city named before, is where {whose} goes.",),
    "noise": ("{name} hopes for {count} {second} some day, but has not ordered them.", "Somebody asked {name} what {count} {second} cost."),
}
KINDS = {
    "plain": ("city", "item", "item", "item", "paid", "unpaid"),
    "referring": ("city", "item", "item", "paid", "unpaid", "same", "twice", "plus"),
    "corrected": ("city", "item", "item", "paid", "unpaid", "same", "twice", "plus", "fewer", "fewer", "wrong", "noise"),
}


class Fact(TaskData):
    """A sentence: `by_name` calls the order by its customer, `worded` spells a number up to twelve."""

    kind: str
    order: int = 0
    other: int = 0
    name: str = ""
    second: str = ""
    count: int = 0
    by_name: str = ""
    worded: bool = False
    phrase: int = 0


def describe(fact: Fact) -> str:
    whose = f"the order of {fact.by_name}" if fact.by_name else f"order {fact.order}"
    count = WORDS[fact.count] if fact.worded and fact.count < len(WORDS) else str(fact.count)
    return SAID[fact.kind][fact.phrase].format(
        order=fact.order, other=fact.other, name=fact.name, second=fact.second, count=count, whose=whose, Whose=whose[0].upper() + whose[1:]
    )


def touches(fact: Fact) -> tuple[str, str]:
    """The field that a sentence sets and, for a count, the goods; empty for one that sets none."""
    field = {"customer": "customer", "city": "city", "same": "city", "wrong": "city", "paid": "paid", "unpaid": "paid", "noise": ""}.get(
        fact.kind, "count"
    )
    return field, fact.name if field == "count" else ""


def value(facts: tuple[Fact, ...], order: int, field: str, goods: str, at: int) -> str | int | bool | None:
    """What a field of an order is after so many sentences, read backwards; None where nothing was said."""
    for i in range(at - 1, -1, -1):
        fact = facts[i]
        if fact.order != order or touches(fact) != (field, goods):
            continue
        match fact.kind:
            case "paid" | "unpaid":
                return fact.kind == "paid"
            case "same":
                return value(facts, fact.other, field, goods, i)
            case "twice":
                return 2 * int(value(facts, order, field, fact.second, i) or 0)
            case "plus":
                return fact.count + int(value(facts, order, field, fact.second, i) or 0)
            case "fewer":
                return int(value(facts, order, field, goods, i) or 0) - fact.count
            case "item":
                return fact.count
        return fact.name
    return None


State = dict[tuple[int, str, str], str | int | bool]
"""Of each order, field and goods what was said last."""


def state_after(fact: Fact, state: State) -> State:
    """The state after a sentence, from the one before it."""
    field, goods = touches(fact)
    if not field:
        return state
    key = (fact.order, field, goods)
    second = int(state.get((fact.order, "count", fact.second), 0)) if fact.second else 0
    new: str | int | bool = {
        "paid": True,
        "unpaid": False,
        "same": state.get((fact.other, "city", ""), ""),
        "twice": 2 * second,
        "plus": second + fact.count,
        "fewer": int(state[key]) - fact.count if fact.kind == "fewer" else 0,
        "item": fact.count,
    }.get(fact.kind, fact.name)
    return {**state, key: new}


def sample(
    rng: Rng, kinds: tuple[str, ...], state: State, ids: list[int], people: dict[int, str], goods: list[str], by_name: bool
) -> Fact | None:
    """A sentence that makes sense now; None where this draw makes none."""
    kind, order = rng.choice(kinds), rng.choice(ids)
    name = people[order] if by_name and rng.chance(0.4) and (order, "customer", "") in state else ""
    phrase, worded = rng.integer(0, len(SAID[kind]) - 1), rng.chance(0.5)
    known_goods = [what for what in goods if (order, "count", what) in state]
    new = [what for what in goods if what not in known_goods]
    city = (order, "city", "") in state
    count = rng.integer(2, 30)
    if kind == "city":
        return None if city else Fact(kind=kind, order=order, name=rng.choice(CITIES), by_name=name, phrase=phrase)
    if kind in ("paid", "unpaid"):
        return None if (order, "paid", "") in state else Fact(kind=kind, order=order, by_name=name, phrase=phrase)
    if kind == "same":
        others = [other_order for other_order in ids if other_order != order and (other_order, "city", "") in state]
        return Fact(kind=kind, order=order, other=rng.choice(others), by_name=name, phrase=phrase) if others and not city else None
    if kind == "wrong":
        fit = [city for city in CITIES if city != state.get((order, "city", ""))]
        return Fact(kind=kind, order=order, name=rng.choice(fit), by_name=name, phrase=phrase) if city else None
    if kind == "noise":
        return Fact(kind=kind, name=rng.choice(list(people.values())), second=rng.choice(goods), count=count, worded=worded, phrase=phrase)
    if kind == "fewer":
        fit = [what for what in known_goods if int(state[order, "count", what]) > 2]
        if not fit:
            return None
        what = rng.choice(fit)
        most = min(12, int(state[order, "count", what]) - 1)
        return Fact(kind=kind, order=order, name=what, count=rng.integer(2, most), by_name=name, worded=worded, phrase=phrase)
    if not new or (kind in ("twice", "plus") and not known_goods):
        return None
    second = rng.choice(known_goods) if kind in ("twice", "plus") else ""
    return Fact(
        kind=kind,
        order=order,
        name=rng.choice(new),
        second=second,
        count=0 if kind == "twice" else count,
        by_name=name,
        worded=worded,
        phrase=phrase,
    )
