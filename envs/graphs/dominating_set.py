"""Place as few fire stations as possible so that every town has one nearby.

Any smallest choice is accepted. At the harder levels stations differ in price, and the cheapest choice is wanted. On the upper levels greedy choices fail,
and a bound from the prices is so far below the least cost that many cases must be distinguished.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import ceil, comb
from operator import or_

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.drawing import pictures
from rlgym.generators.draws import sample_hard
from rlgym.generators.graphs import lattice_graphs, node_groups, random_graphs
from rlgym.generators.numbers.bitsets import places
from rlgym.solutions import Checks, Derivation, Solution, Step

Case = tuple[tuple[int, bool], ...]
"""Towns that are decided, and whether they get a station."""
SHARES = Step(
    "Share the price of each station among the towns that it serves and that nothing serves yet; a town costs at least the least share among the "
    "stations that can serve it, so what is left costs at least all these together"
)
BRANCH = Step("With {case}: {town} needs one of {options:words}; take these in turn, each without those before it")
LEFT_OUT = Step("With {case}: {town} cannot be served any more")
BOUND = Step("With {case}: {paid:int} paid, and by shares at least {more:int} to come, so at least {sum:int}")
NO_CHEAPER = Step("No case costs less than {least:int}")


TRIES = 20
GREEDY_FAILS = 20
MOST_TIES = 500


class Knobs(Config):
    towns: int = knob(12, easy=10, hard=36, beyond=44, doc="towns on the map")
    extra: int = knob(60, easy=20, hard=90, doc="roads beyond those of a tree, in percent of the towns")
    prices: str = knob("alike", easy="alike", hard="prices", order=("alike", "prices"), doc="whether stations cost alike or have prices")
    nodes: int = knob(
        6,
        easy=1,
        hard=600,
        beyond=3000,
        scale="log",
        doc="nodes of a branch and bound search, at least, if one of 20 maps has as many; from 20 on greedy choices fail on it too",
    )


class Data(TaskData):
    prices: tuple[int, ...]
    roads: tuple[tuple[int, int], ...]
    least: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, mesh=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Towns that lie on a lattice, with roads to the nearest ones only."""
    return _sample_task(rng, knobs, mesh=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """Dynamic programming over an elimination order; of all choices with the same remaining work only the cheapest is kept."""
    data = task.data
    covers = _covers(len(data.prices), data.roads)
    order = _elimination_order(covers)
    last_seen = {i: max(step for step, town in enumerate(order) if covers[i] >> town & 1) for i in range(len(covers))}
    states: dict[tuple[int, int], tuple[int, int]] = {(0, 0): (0, 0)}
    seen = 0
    for step, town in enumerate(order):
        seen |= 1 << town
        closing = [i for i in places(seen | covers[town]) if last_seen[i] == step]
        open_now = sum(1 << i for i in range(len(covers)) if last_seen[i] > step)
        after: dict[tuple[int, int], tuple[int, int]] = {}
        for (covered, _), (price, chosen) in states.items():
            for more, now, taken in ((0, covered, chosen), (data.prices[town], covered | covers[town], chosen | 1 << town)):
                if all(now >> i & 1 for i in closing):
                    key = now & open_now, 0
                    if key not in after or price + more < after[key][0]:
                        after[key] = price + more, taken
        states = after
    _, chosen = min(states.values())
    return tuple(f"t{i + 1}" for i in places(chosen))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    place = {f"t{i + 1}": i for i in range(len(data.prices))}
    if len(set(answer)) < len(answer) or not all(name in place for name in answer):
        return Score.wrong("every name must be one of the towns', and be given once")
    chosen = [place[name] for name in answer]
    served = set(chosen) | {b for pair in data.roads for a, b in (pair, pair[::-1]) if a in chosen}
    for i in range(len(data.prices)):
        if i not in served:
            return Score.wrong(f"T{i + 1} has no station nearby")
    return Score.exact(sum(data.prices[i] for i in chosen) == data.least, "there is a better choice")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    all_names = tuple(f"t{i + 1}" for i in range(len(task.data.prices)))
    free = next(name for name in all_names if name not in right)
    return [right[:-1] or (free, right[0]), (*right, free), all_names, _greedy(task.data)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.roads) * math.sqrt(1 + len(set(data.prices))) * (1 + _search(data.prices, data.roads).nodes)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    covers = _covers(len(data.prices), data.roads)
    yield SHARES()
    cases = list[Case]([()])
    while cases:
        case = cases.pop()
        uncovered, allowed, paid = _state(data, covers, case)
        stuck = next((town for town in places(uncovered) if not covers[town] & allowed), None)
        more = 0 if stuck is not None else ceil(_shares(data, covers, uncovered, allowed))
        if stuck is not None:
            yield LEFT_OUT(case=_case_text(case), town=f"T{stuck + 1}")
        elif paid + more >= data.least:
            yield BOUND(case=_case_text(case), paid=paid, more=more, sum=paid + more)
        else:
            town = min(places(uncovered), key=lambda i: ((covers[i] & allowed).bit_count(), i))
            options = sorted(places(covers[town] & allowed), key=lambda i: -((covers[i] & uncovered).bit_count() * 5040 // data.prices[i]))
            yield BRANCH(case=_case_text(case), town=f"T{town + 1}", options=[f"T{i + 1}" for i in options])
            cases += _split(case, options)[::-1]
    yield NO_CHEAPER(least=data.least)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    covers = _covers(len(data.prices), data.roads)
    number = {f"T{i + 1}": i for i in range(len(covers))}
    cases: list[Case] = [()]

    def is_bounded(case: str, paid: int, more: int, sum: int) -> bool:
        due = cases.pop()
        uncovered, allowed, spent = _state(data, covers, due)
        needed = ceil(_shares(data, covers, uncovered, allowed))
        return case == _case_text(due) and (paid, more, sum) == (spent, needed, spent + needed) and sum >= data.least

    def is_split(case: str, town: str, options: tuple[str, ...] = ()) -> bool:
        due = cases.pop()
        uncovered, allowed, _ = _state(data, covers, due)
        chosen = [number[name] for name in options]
        cases.extend(_split(due, chosen)[::-1])
        return case == _case_text(due) and bool(uncovered >> number[town] & 1) and sorted(chosen) == places(covers[number[town]] & allowed)

    return {
        SHARES: lambda: True,
        NO_CHEAPER: lambda least: not cases and least == data.least,
        BRANCH: is_split,
        LEFT_OUT: is_split,
        BOUND: is_bounded,
    }


def picture(task: Task[Data]) -> str:
    prices = task.data.prices
    names = [f"T{i}: {price}" if max(prices) > 1 else f"T{i}" for i, price in enumerate(prices, 1)]
    return pictures.network(names, [(names[a], names[b]) for a, b in task.data.roads])


def _sample_task(rng: Rng, knobs: Knobs, mesh: bool) -> Task[Data]:
    count, same_prices = knobs.towns, knobs.prices == "alike"

    def measure(data: Data) -> int:
        if _busiest_towns_suffice(data):
            return 0
        nodes = _search(data.prices, data.roads).nodes
        yields = knobs.nodes >= GREEDY_FAILS and sum(data.prices[int(name[1:]) - 1] for name in _greedy(data)) == data.least
        return nodes // 4 if yields else nodes

    data = sample_hard(lambda: _sample_data(rng, knobs, mesh), measure, knobs.nodes, TRIES)
    listing = "\n".join(f"T{a + 1} - T{b + 1}" if rng.chance(0.5) else f"T{b + 1} - T{a + 1}" for a, b in rng.shuffled(data.roads))
    price_list = ", ".join(f"T{i} {price}" for i, price in enumerate(data.prices, 1))
    prices = "" if same_prices else f"Prices of a station: {price_list}.\n\n"
    aim = "as few fire stations as possible" if same_prices else "fire stations at the lowest total price"
    prompt = (
        f"These roads join the towns T1 to T{count}:\n{listing}\n\n{prices}Choose towns for {aim} so that every town has a fire station itself or is "
        "joined by a single road to a town that has one. Name the chosen towns in any order."
    )
    return Task(prompt, data)


def _busiest_towns_suffice(data: Data) -> bool:
    """Whether towns with the most roads, ties broken in any way, are a right answer, which is read off the prompt without solving."""
    covers = _covers(len(data.prices), data.roads)
    roads = [mask.bit_count() for mask in covers]
    least = sorted(roads, reverse=True)[data.least - 1] if max(data.prices) == 1 else 0
    ahead, tied = [i for i, count in enumerate(roads) if count > least], [i for i, count in enumerate(roads) if count == least]
    if not least or comb(len(tied), data.least - len(ahead)) > MOST_TIES:
        return False
    served = reduce(or_, (covers[i] for i in ahead), 0)
    return any(
        reduce(or_, (covers[i] for i in others), served) == (1 << len(covers)) - 1 for others in combinations(tied, data.least - len(ahead))
    )


def _sample_data(rng: Rng, knobs: Knobs, mesh: bool) -> Data:
    count = knobs.towns
    number = rng.shuffled(range(count))
    edges = (lattice_graphs if mesh else random_graphs).sample_connected_graph(rng, count, count * knobs.extra // 100)
    roads = tuple(sorted((min(number[a], number[b]), max(number[a], number[b])) for a, b in edges))
    prices = tuple(1 if knobs.prices == "alike" else rng.integer(2, 9) for _ in range(count))
    return Data(prices=prices, roads=roads, least=sum(prices[i] for i in places(_search(prices, roads).choice)))


def _search(prices: tuple[int, ...], roads: tuple[tuple[int, int], ...]) -> node_groups.CoverSearch:
    return node_groups.search_cover(_covers(len(prices), roads), prices, range(len(prices)))


def _state(data: Data, covers: list[int], case: Case) -> tuple[int, int, int]:
    """The towns not served in a case, the towns that may get a station still, and what is paid."""
    uncovered = allowed = (1 << len(covers)) - 1
    paid = 0
    for town, chosen in case:
        allowed &= ~(1 << town)
        if chosen:
            uncovered, paid = uncovered & ~covers[town], paid + data.prices[town]
    return uncovered, allowed, paid


def _shares(data: Data, covers: list[int], uncovered: int, allowed: int) -> Fraction:
    """A lower bound for the towns left: each costs at least the least share of a station that serves it."""
    total = Fraction(0)
    for town in places(uncovered):
        total += min(Fraction(data.prices[i], (covers[i] & uncovered).bit_count()) for i in places(covers[town] & allowed))
    return total


def _split(case: Case, options: list[int]) -> list[Case]:
    """A case for each option, without those before it."""
    return [(*case, *((other, False) for other in options[:k]), (option, True)) for k, option in enumerate(options)]


def _case_text(case: Case) -> str:
    return ", ".join(f"T{town + 1}" if chosen else f"not T{town + 1}" for town, chosen in case) or "nothing chosen"


def _covers(count: int, roads: tuple[tuple[int, int], ...]) -> list[int]:
    """For each town the bits of the towns that a station there serves, which are also those that can serve it."""
    return [mask | 1 << i for i, mask in enumerate(node_groups.neighbour_masks(count, roads))]


def _elimination_order(covers: list[int]) -> list[int]:
    """An order that keeps few towns open at a time: the next town is the one that opens the fewest new ones."""
    order: list[int] = []
    opened = 0
    while len(order) < len(covers):
        candidates = [i for i in range(len(covers)) if i not in order]
        town = min(candidates, key=lambda i: ((covers[i] & ~opened).bit_count(), -(covers[i] & opened).bit_count(), i))
        order.append(town)
        opened |= covers[town]
    return order


def _greedy(data: Data) -> tuple[str, ...]:
    covers, uncovered, chosen = _covers(len(data.prices), data.roads), (1 << len(data.prices)) - 1, []
    while uncovered:
        town = max(range(len(covers)), key=lambda i: (covers[i] & uncovered).bit_count() / data.prices[i])
        chosen.append(f"t{town + 1}")
        uncovered &= ~covers[town]
    return tuple(chosen)


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    covers = _covers(len(task.data.prices), task.data.roads)
    for order in (range(len(covers)), range(len(covers), 0, -1)):
        yield tuple(f"T{i + 1}".lower() for i in reversed(places(node_groups.min_weight_cover(covers, task.data.prices, order))))


environment = Environment(
    Knobs, Words("the names of the chosen towns, separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "Such a choice is {answer}", checks), shift=shift, picture=picture, answers="many", solutions=_other_answers,
    concept="Start from a town that few stations can serve: one of them must be chosen, so try each and keep the best total.",
    version=6,
)  # fmt: skip
