"""Work out what an order costs, from a catalogue that can only be searched and read through tools.

Products are found by the words of their names, some only by way of others or by comparing many. A right number that
was submitted before every entry it rests on had been read is a guess, and is not paid.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool, ToolCalls, Unreadable, trees
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.worlds.catalogue import LINKS, PAGE, Entry, Line, compare, describe_product, hits, order, page, resolve_order


class Search(Tool):
    """Lists the codes and names of the products whose name holds all the given words, in any order, five a page."""

    words: str = Field(max_length=100)
    page: int = Field(1, ge=1, le=1000)


class Get(Tool):
    """Reads the whole entry of the product with this code."""

    code: str = Field(max_length=20)


class Calculate(Tool):
    """Evaluates an expression of integers, + - * / and brackets, exactly."""

    expression: str = Field(max_length=400)


class Submit(Tool):
    """Hands in the answer and ends the task."""

    answer: int = Field(ge=0, le=10**12)


TOOLS = ToolCalls((Search, Get, Calculate, Submit))


class Knobs(Config):
    lines: int = knob(3, easy=1, hard=6, doc="products ordered")
    links: int = knob(2, easy=0, hard=5, doc="most entries that lead from a named product to the one ordered")
    entries: int = knob(90, easy=20, hard=400, scale="log", doc="products in the catalogue")
    question: str = knob(
        "postage",
        easy="price",
        hard="cheapest",
        order=("price", "postage", "cheapest"),
        doc="prices alone, also postage by weight, or also the cheapest of many products",
    )


class State(TaskData):
    entries: tuple[Entry, ...]
    lines: tuple[Line, ...]
    postage: int
    searched: tuple[tuple[str, int], ...] = ()  # words and page
    read: tuple[str, ...] = ()  # codes
    sums: tuple[str, ...] = ()
    submitted: int | None = None
    guessed: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    entries, lines = order(rng, knobs.lines, knobs.links, knobs.entries, knobs.question == "cheapest")
    return State(entries=entries, lines=lines, postage=0 if knobs.question == "price" else rng.integer(3, 40))


def show(state: State) -> str:
    if state.told:
        return state.told
    lines = "\n".join(f"- {line.pieces} of {describe_product(line)}" for line in state.lines)
    posted = (
        f"Postage is {state.postage} coins for every started 1000 g of the order's whole weight, and is part of what it costs.\n"
        if state.postage
        else ""
    )
    linked = "An entry names the product's partner and its successor by their codes. " if any(line.links for line in state.lines) else ""
    return (
        f"How many coins does this order cost?\n{lines}\n{posted}\n"
        f"The catalogue has {len(state.entries)} products and can only be read with tools. {linked}An entry gives the price of one piece in "
        f"coins and its weight in grams.\n{TOOLS.manual()}\n\n"
        "Submit the cost as an integer. Submit in a later turn than the last look-up: an answer submitted before every entry that it rests "
        "on has been read, including those compared or passed on the way, counts as a guess, and a guess is wrong."
    )


def act(state: State, calls: Calls) -> State:
    known = frozenset(state.read)
    return run_turn(state, calls, lambda now, call: _run(now, call, known), lambda now: now.submitted is not None)


def outcome(state: State) -> Score | None:
    if state.submitted is None:
        return None
    if state.guessed:
        return Score.wrong("the answer was submitted before every entry that it rests on had been read")
    return Score.exact(state.submitted == _cost(state), "the order costs another number of coins")


def milestones(state: State) -> dict[str, float]:
    needed = len(_unread(state, frozenset()))
    return {"entries_read": 1 - len(_unread(state, frozenset(state.read))) / needed}


def best(state: State) -> Calls:
    look_ups = dict.fromkeys(call for line in state.lines for call in _look_ups(state, line))
    if look_ups:
        return tuple(look_ups)[: TOOLS.max_calls]
    prices, weights = _expressions(state)
    missing = [Calculate(expression=text) for text in (prices, weights)[: 1 + bool(state.postage)] if text not in state.sums]
    if not missing and state.postage:
        total = f"{_total(state, 'price')} + {state.postage} * {-(-_total(state, 'grams') // 1000)}"
        missing = [Calculate(expression=total)] if total not in state.sums else []
    return tuple(missing) or (Submit(answer=_cost(state)),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    chosen: dict[str, Callable[[State], Calls]] = {"cheapest": partial(_submits, _first_hit_cost), "compare": _compares_nothing}
    named = chosen if first.lines[0].cheapest else {"exact_name": partial(_submits, _first_hit_cost)}
    posted = {"started": partial(_submits, _full_kilograms_cost), "whole_weight": partial(_submits, _cost_by_line)} if first.postage else {}
    return {"read_first": lambda state: (Submit(answer=_cost(state)),), **named, **posted}


def _submits(answer: Callable[[State], int], state: State) -> Calls:
    calls = best(state)
    return (Submit(answer=answer(state)),) if isinstance(calls[0], Submit) else calls


def _compares_nothing(state: State) -> Calls:
    lines = tuple(line._replace(hits=tuple(compare(state.entries, line)[:1])) for line in state.lines)
    return best(state.model_copy(update={"lines": lines}))


def _first_hit_cost(state: State) -> int:
    lines = tuple(line._replace(cheapest=True, hits=line.hits[:1]) for line in state.lines)
    return _cost(state.model_copy(update={"lines": lines}))


def _full_kilograms_cost(state: State) -> int:
    return _total(state, "price") + state.postage * (_total(state, "grams") // 1000)


def _cost_by_line(state: State) -> int:
    return sum(_cost(state.model_copy(update={"lines": (line,)})) for line in state.lines)


def mistakes(state: State) -> list[Calls]:
    # The right number as a guess; wrong numbers after all the look-ups: no counts, one link or one hit short; no integer.
    right = _cost(state)
    guess = right + (not _unread(state, frozenset(state.read)))
    rows = [(line, resolve_order(state.entries, line)) for line in state.lines]
    once = sum(state.entries[passed[-1]].price for _, passed in rows)
    short = sum(line.pieces * state.entries[passed[-2:][0]].price for line, passed in rows)
    first = sum(line.pieces * state.entries[line.hits[0]].price for line, _ in rows)
    calls = best(state)
    done = isinstance(calls[0], Submit)
    wrong = [value + (value == right) for value in (once, short, first, right + state.postage)]
    text = TOOLS.parse(f'{{"tool": "submit", "arguments": {{"answer": "{right}"}}}}')
    return [(Submit(answer=guess),), *((Submit(answer=value),) if done else calls for value in wrong), text, (Search(words="lamp"),)]


def cost(state: State) -> float:
    searches = {line.words: -(-len(line.hits) // PAGE) for line in state.lines}
    return sum(searches.values()) + len(_unread(state, frozenset())) + (3 if state.postage else 1) + 1


def turns(state: State) -> int:
    return round(cost(state)) + 3


def explain(state: State) -> list[str]:
    calls = best(state)
    steps = [f"{len(state.searched)} pages of search results and {len(state.read)} entries have been seen so far."]
    match calls[0]:
        case Search():
            steps.append(
                "A product's code must be known before its entry can be read, so its name is searched for, all pages of the results."
            )
        case Get():
            steps.append("The entries found so far name prices, weights and the next products; those not yet read are read.")
        case Calculate():
            steps.append("All entries are read, so each line's count times the price (and the weight) of its product is added up.")
        case _:
            steps.append("Everything the cost rests on was read and worked out, so it can be submitted.")
    return [*steps, TOOLS.render(calls)]


def _run(state: State, call: Tool, known: frozenset[str]) -> tuple[State, str]:
    match call:
        case Search(words=words, page=number):
            query = " ".join(words.lower().split())
            if not query:
                return state, "search was not run: give at least one word"
            found = [f"{state.entries[i].code} {state.entries[i].name}" for i in hits(state.entries, query)]
            return state.model_copy(update={"searched": (*state.searched, (query, number))}), page(found, number)
        case Get(code=code):
            entry = next((entry for entry in state.entries if entry.code == code.strip()), None)
            if entry is None:
                return state, f"there is no product with the code {code!r}"
            linked = ", ".join(f"{link} {state.entries[i].code}" for link, i in zip(LINKS, entry.links))
            seen = f"{entry.code} {entry.name}: price {entry.price} coins, weight {entry.grams} g, {linked}"
            return state.model_copy(update={"read": (*state.read, entry.code)}), seen
        case Calculate(expression=expression):
            try:
                value = str(trees.exact(trees.read(expression, trees.ARITHMETIC)))
            except (Unreadable, trees.Undefined) as why:
                return state, f"calculate has no result: {why}"
            return state.model_copy(update={"sums": (*state.sums, expression)}), f"{expression} = {value}"
        case Submit(answer=answer):
            guessed = bool(_unread(state, known))
            return state.model_copy(update={"submitted": answer, "guessed": guessed}), ""
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _unread(state: State, known: frozenset[str]) -> list[str]:
    """The codes of the entries that the answer rests on and that are not known."""
    needed = dict.fromkeys(i for line in state.lines for i in (*compare(state.entries, line), *resolve_order(state.entries, line)))
    return [state.entries[i].code for i in needed if state.entries[i].code not in known]


def _look_ups(state: State, line: Line) -> list[Call]:
    """What is to be searched or read next for a line, by one who has only seen the pages and entries seen so far."""
    if (line.words, 1) not in state.searched:
        return [Search(words=line.words)]
    pages = range(2, -(-len(line.hits) // PAGE) + 1)
    if line.cheapest and (unseen := [number for number in pages if (line.words, number) not in state.searched]):
        return [Search(words=line.words, page=number) for number in unseen]
    if unread := [i for i in compare(state.entries, line) if state.entries[i].code not in state.read]:
        return [Get(code=state.entries[i].code) for i in sorted(unread)]
    unread = [i for i in resolve_order(state.entries, line) if state.entries[i].code not in state.read]
    return [Get(code=state.entries[unread[0]].code)] if unread else []


def _total(state: State, what: str) -> int:
    return sum(line.pieces * int(getattr(state.entries[resolve_order(state.entries, line)[-1]], what)) for line in state.lines)


def _cost(state: State) -> int:
    return _total(state, "price") + state.postage * -(-_total(state, "grams") // 1000)


def _expressions(state: State) -> tuple[str, str]:
    """The order's price and weight, written out."""
    ends = [(line.pieces, state.entries[resolve_order(state.entries, line)[-1]]) for line in state.lines]
    return " + ".join(f"{pieces} * {entry.price}" for pieces, entry in ends), " + ".join(
        f"{pieces} * {entry.grams}" for pieces, entry in ends
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    concept="Find each product's code by its name, read its entry, follow what it refers to, and only then calculate.",
    version=2,
    milestones=milestones,
    rules=rules,
)  # fmt: skip
