"""Questions about graphs: what walks cost, which nodes belong together, and what can be done in which order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import routes, suites
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Meaning

INTRO = (
    "Write a Python function solve(n, edges). n is an integer from 1 to 7; the nodes are 0 to n - 1. edges is a list of at most 16 tuples (a, b, cost) of "
    "integers, a and b nodes, cost from 0 to 9; it may be empty. {}. An edge may join a node with itself, and the same pair may be joined more than once."
)
ROADS = {
    "goal": "the cost of the cheapest allowed walk from node 0 to node n - 1, None if there is none",
    "within": "the number of nodes to which some allowed walk from node 0 costs at most {within}, including node 0",
    "unreached": "the list, in ascending order, of the nodes to which there is no allowed walk from node 0",
    "all": "the list of the costs of the cheapest allowed walks from node 0 to each of the nodes 0 to n - 1, with -1 where there is no allowed walk",
    "farthest": "the node to which the cheapest allowed walk from node 0 costs most (the smallest, if there are several); nodes without one "
    "are ignored",
    "sum": "the sum of the costs of the cheapest allowed walks from node 0 to all nodes to which there is one",
}
MEASURES = {
    "sum": "the sum of the costs of its edges",
    "edges": "the number of its edges, regardless of their costs",
    "largest": "the largest cost of any of its edges, 0 if it has none",
}
GROUPS = {
    "count": "the number of groups",
    "sizes": "the list of the sizes of the groups, largest first",
    "alone": "the list, in ascending order, of the nodes that form a group on their own",
    "largest": "the list, in ascending order, of the nodes of the largest group (the one with the smallest node, if there are several)",
    "labels": "the list that gives, for each of the nodes 0 to n - 1, the smallest node of its group",
    "pairs": "the number of unordered pairs of nodes that are in different groups",
    "trees": "the number of groups whose number of inner edges is exactly one less than their number of nodes. An inner edge is a valid edge with both ends in "
    "the group; every listed edge counts, including repeated ones and those from a node to itself",
    "inside": "the largest number of inner edges of any group. An inner edge is a valid edge with both ends in the group; every listed edge counts, including "
    "repeated ones and those from a node to itself",
}
ORDERS = {
    "list": "the list of the nodes done, in the order in which they are done{stuck}",
    "left": "the list, in ascending order, of the nodes that are never done",
    "rounds": "the list that gives, for each of the nodes 0 to n - 1, the round in which it is done, counted from 0, or -1 if it is never done",
    "begins": "the list that gives, for each of the nodes 0 to n - 1, its earliest time, or -1 if it is never done. The earliest time is 0 for a node that "
    "needs nothing; otherwise it is the largest sum of the earliest time of a node it needs and the cost of a valid edge from that node to it",
    "last": "the largest earliest time of all nodes that are done, -1 if none is. The earliest time is 0 for a node that needs nothing; otherwise it is the "
    "largest sum of the earliest time of a node it needs and the cost of a valid edge from that node to it",
}
PICKS = {
    "small": "the smallest ones",
    "large": "the largest ones",
    "freeing": "those with the most outgoing valid edges (the smaller node first, if several tie)",
    "needing": "those with the most incoming valid edges (the larger node first, if several tie)",
}
OFF: dict[str, Rules] = {
    "toll": {"toll": 0},
    "free": {"free": False},
    "closed": {"closed": 0},
    "most": {"most": 0},
    "alternate": {"alternate": False},
    "limit": {"limit": 0},
    "mixed": {"mixed": False},
    "doubled": {"doubled": False},
    "sealed": {"sealed": 0},
    "batch": {"batch": 1},
    "light": {"light": 0},
    "loops": {"loops": False},
    "pick": {"pick": "small"},
}

Shaped = tuple[str, dict[str, Any], list[str], list[Rules]]  # words, rules, the further ones by name, rules near


def sample(rng: Rng, shapes: int, extra: int, tells: int) -> Specification:
    """A question with `extra` further rules, each of which matters, of the first `tells` kinds."""
    drawn_inputs = inputs(rng.child("inputs"), 170)
    for attempt in count():
        name = rng.choice(tuple(SHAPES)[:shapes])
        plain, swift, hasty, shape = SHAPES[name]
        condition_count = max(0, extra - attempt // 10)
        words, rules, on, near = shape(rng, condition_count, tells)
        if len(on) < min(condition_count, 3):
            continue
        right = partial(swift, **rules)
        different = len({repr(right(*arguments)) for arguments in drawn_inputs})
        if different >= 4 and all(suites.differs(right, partial(swift, **{**rules, **OFF[rule]}), drawn_inputs, times=4) for rule in on):
            break
    near = [{**rules, **other} for other in [*(OFF[rule] for rule in on), *near]]
    weight = 8.0 + 5 * len(on) + 2 * list(SHAPES).index(name) + list(TELLS[name]).index(rules["tell"])
    return Specification(words, plain, swift, rules, near, drawn_inputs, weight, hasty=hasty)


def roads(rng: Rng, extra: int, tells: int) -> Shaped:
    directed, tell = rng.chance(0.5), rng.choice(tuple(ROADS)[:tells])
    fit = [name for name in ("closed", "most", "alternate", "toll", "free") if tell != "unreached" or name not in ("toll", "free")]
    on = rng.sample(fit, min(extra, len(fit)))
    measure = rng.choice(tuple(MEASURES)[: 1 if "toll" in on else 3])
    if measure == "edges" and "free" in on:
        measure = "sum"
    rules: dict[str, Any] = {
        "directed": directed,
        "measure": "sum" if tell == "unreached" else measure,
        "toll": rng.integer(1, 4) if "toll" in on else 0,
        "free": "free" in on,
        "closed": rng.integer(2, 4) if "closed" in on else 0,
        "most": rng.integer(2, 4) if "most" in on else 0,
        "alternate": "alternate" in on,
        "tell": tell,
        "within": rng.integer(2, 6) if tell == "within" else 0,
    }
    toll = f", plus {rules['toll']} for each time it arrives at a node with an odd number" if rules["toll"] else ""
    free = " The cost of one edge of the walk, used once, may be counted as 0." if rules["free"] else ""
    free += " It remains even or odd according to its own cost." if free and rules["alternate"] else ""
    lines = [
        INTRO.format(_direction_text(directed)),
        "A walk follows edges from node to node; it may visit nodes and use edges more than once, including edges from a node to itself. "
        "The walk from node 0 to node 0 without any edge counts, and costs 0.",
        f"A walk must not visit a node whose number is divisible by {rules['closed']}, except node 0." if rules["closed"] else "",
        f"A walk may have at most {rules['most']} edges." if rules["most"] else "",
        "Of any two consecutive edges of a walk, one must have an even cost and the other an odd cost." if rules["alternate"] else "",
        f"The cost of a walk is {MEASURES[rules['measure']]}{toll}.{free}" if tell != "unreached" else "",
        f"Return {ROADS[tell].format(within=rules['within'])}.",
    ]
    near: list[Rules] = [{"directed": not directed}, {"closed": rules["closed"] + 1 if rules["closed"] else 3}]
    near += [{"measure": measure} for measure in MEASURES] + [{"tell": tell} for tell in ("sum", "all")]
    near += [{"most": rules["most"] + 1}, {"most": rules["most"] - 1}] if rules["most"] > 1 else []
    near += [{"within": rules["within"] + 1}, {"within": rules["within"] - 1}, {"toll": rules["toll"] + 1}]
    return _lines(lines), rules, on, near


def groups(rng: Rng, extra: int, tells: int) -> Shaped:
    directed, tell = rng.chance(0.5), rng.choice(tuple(GROUPS)[:tells])
    names = ("limit", "mixed", "doubled", "sealed")
    on = rng.sample(names, min(extra, 3))
    rules: dict[str, Any] = {
        "directed": directed,
        "limit": rng.integer(4, 7) if "limit" in on else 0,
        "mixed": "mixed" in on,
        "doubled": "doubled" in on,
        "sealed": rng.integer(3, 4) if "sealed" in on else 0,
        "tell": tell,
    }
    same = "the same a and b" if directed else "the same two nodes, in either order"
    kept = [
        f"its cost is at most {rules['limit']}" if rules["limit"] else "",
        "one of its nodes is even and the other odd" if rules["mixed"] else "",
        f"neither of its nodes is divisible by {rules['sealed']} (0 counts as divisible)" if rules["sealed"] else "",
    ]
    kept = [condition for condition in kept if condition]
    if rules["doubled"] and kept:
        kept = [f"(1) {' and '.join(kept)}", f"(2) at least one other edge that meets (1) has {same}"]
    elif rules["doubled"]:
        kept = [f"at least one other edge has {same}"]
    together = "each can be reached from the other along valid edges" if directed else "one can be reached from the other along valid edges"
    lines = [
        INTRO.format(_direction_text(directed)),
        f"An edge is valid if {' and '.join(kept)}." if kept else "All edges are valid.",
        f"Two nodes belong to the same group if {together}; a node without such a partner forms a group on its own.",
        f"Return {GROUPS[tell]}.",
    ]
    near: list[Rules] = [{"directed": not directed}, {"limit": rules["limit"] + 1}, {"limit": 5}]
    near += [{"tell": "trees" if tell == "inside" else "inside"}]
    near += [{"mixed": not rules["mixed"]}, {"doubled": not rules["doubled"]}, {"sealed": rules["sealed"] + 1}]
    return _lines(lines), rules, on, near


def order(rng: Rng, extra: int, tells: int) -> Shaped:
    tell = rng.choice(tuple(ORDERS)[:tells])
    names = {"list": ("pick", "batch", "light", "loops"), "rounds": ("pick", "batch", "light", "loops")}.get(tell, ("light", "loops"))
    on = rng.sample(names, min(extra, len(names)))
    if tell == "rounds" and "pick" in on and "batch" not in on:
        on = [name for name in on if name != "pick"]
    rules: dict[str, Any] = {
        "pick": rng.choice(tuple(PICKS)[1:]) if "pick" in on else "small",
        "loops": "loops" in on,
        "stuck": rng.choice(("none", "part")),
        "batch": rng.integer(2, 3) if "batch" in on else 1,
        "light": rng.integer(2, 5) if "light" in on else 0,
        "tell": tell,
    }
    loops = "An edge from a node to itself means that it needs itself, so that it is never done." if rules["loops"] else ""
    stuck = ", or None if some nodes are never done" if rules["stuck"] == "none" else ", also if some nodes are never done"
    many = f"{rules['batch']} such nodes are done, or all if there are fewer" if rules["batch"] > 1 else "one such node is done"
    which = (
        PICKS[rules["pick"]] if rules["batch"] > 1 else PICKS[rules["pick"]].replace("ones", "one").replace("those with", "the one with")
    )
    order_text = ", in this order" if rules["batch"] > 1 else ""
    lines = [
        INTRO.format("An edge (a, b, cost) means that b needs a: a must be done before b"),
        f"Only edges that cost at least {rules['light']} are valid; others are ignored." if rules["light"] else "All edges are valid.",
        loops or "Edges from a node to itself are ignored.",
        "In each round, consider the nodes that are not done yet and all of whose needed nodes were done in earlier rounds. "
        f"Of these, {many}: {which}{order_text}. The process ends when there are no such nodes.",
        f"Return {ORDERS[tell].format(stuck=stuck)}.",
    ]
    near: list[Rules] = [{"loops": not rules["loops"]}, {"batch": rules["batch"] + 1}, {"light": rules["light"] + 1}]
    near += [{"stuck": "none" if rules["stuck"] == "part" else "part"}] + [{"pick": pick} for pick in PICKS]
    near += [{"tell": "left" if tell == "last" else "last"}]
    return _lines(lines), rules, on, near


Shape = tuple[Meaning, Meaning, list[Meaning], Callable[[Rng, int, int], Shaped]]
SHAPES: dict[str, Shape] = {
    "groups": (routes.groups_plain, routes.groups_swift, [], groups),
    "roads": (routes.roads_plain, routes.roads_swift, [routes.roads_hasty], roads),
    "order": (routes.order_plain, routes.order_swift, [], order),
}
TELLS = {"groups": GROUPS, "roads": ROADS, "order": ORDERS}


def inputs(rng: Rng, amount: int, kind: str = "") -> list[tuple[Any, ...]]:
    """Numbers of nodes and edges, from one node without edges to many with self-loops and doubles."""
    found: list[tuple[Any, ...]] = [(1, []), (1, [(0, 0, 3)]), (2, []), (2, [(1, 0, 2)])]
    while len(found) < amount:
        n = rng.integer(2, 7)
        edges: list[tuple[int, int, int]] = []
        forward = rng.chance(0.6)
        for _ in range(rng.integer(1, rng.choice((9, 16)))):
            a, b = rng.integer(0, n - 1), rng.integer(0, n - 1)
            if forward and rng.chance(0.85):
                a, b = min(a, b), max(a, b)
            edges.append((a, b, rng.integer(0, 9)) if not edges or rng.chance(0.7) else (*rng.choice(edges)[:2], rng.integer(0, 9)))
        found.append((n, edges))
    return found


def _direction_text(directed: bool) -> str:
    return "An edge leads from a to b only" if directed else "An edge joins a and b and can be used both ways"


def _lines(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)
