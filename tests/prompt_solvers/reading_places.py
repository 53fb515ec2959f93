"""Places on a map, events on a time line, coins and variables."""

from __future__ import annotations

import re
from itertools import pairwise

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import listed, matched, sentences

COMPASS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
TURNS = {"front": 1, "left": 1j, "rear": -1, "right": -1j}
PLACES = {
    "The {a} lies {n} miles {d} of the {b}": "",
    "The {a} is {n} miles {d} of the {b}": "",
    "From the {b} it is {n} miles to the {a}, which lies {d} of it": "",
    "{n} miles {d} of the {b} is the {a}": "",
    "Relative to the {b}, the {a} is {n} miles {d} of it and {m} miles {e} of it": "",
    "The {a} lies {n} miles {d} of the {b} and also {m} miles {e} of it": "",
    "The {a} lies {n} miles {d} of the {b} and at the same time {m} miles {e} of it": "",
    "To place the {a}, take the {c}; the {a2} is {n} miles {d} of it and {m} miles {e} of it": "",
    "Seen from the {b} by somebody who faces the {c}, the {a} is {n} miles away to the {t}": "",
    "Whoever stands at the {b} and looks towards the {c} has the {a} {n} miles away to the {t}": "",
    "Stand at the {b} and face the {c}: the {a} is {n} miles away to the {t}": "",
    "If you look from the {b} towards the {c}, the {a} lies {n} miles away to the {t}": "",
}


def displacement(steps: dict[tuple[str, str], complex], start: str, goal: str) -> complex | None:
    """How far east and north (as real and imaginary part) a place is from another, along known steps; None if unknown."""
    at, stack = {start: 0j}, [start]
    while stack:
        here = stack.pop()
        for (one, two), step in steps.items():
            if one == here and two not in at:
                at[two] = at[one] + step
                stack.append(two)
    return at.get(goal)


@prompt_solver("story_spatial_map")
def solve_story_spatial_map(prompt: str) -> str:
    steps: dict[tuple[str, str], complex] = {}
    turned = []
    for sentence in sentences(prompt).values():
        found = matched(sentence, PLACES)
        fact = found[1] if found else {}
        assert found or not re.search(r"\d|\bone\b(?! sees)", sentence), sentence
        if "t" in fact:
            turned.append((fact["b"], fact["c"], fact["a"], TURNS[fact["t"]] * int(fact["n"])))
        elif fact:
            step = sum(complex(*COMPASS[fact[d]]) * int(fact[n]) for d, n in ("dn", "em") if d in fact)
            base = fact.get("b") or fact["c"]
            steps |= {(base, fact["a"]): step, (fact["a"], base): -step}
    while turned:
        viewer, seen, place, factor = turned.pop(0)
        ahead = displacement(steps, viewer, seen)
        if ahead is None:
            turned.append((viewer, seen, place, factor))
            continue
        assert ahead.real * ahead.imag == 0
        step = ahead / abs(ahead) * factor
        steps |= {(viewer, place): step, (place, viewer): -step}
    answers = [displacement(steps, two, one) for one, two in re.findall(r"here is the (\w+) relative to the (\w+)", prompt)]
    return ", ".join(f"{round(where.real)}, {round(where.imag)}" for where in answers)


EVENTS = {
    "Exactly {n} days before the {b} came the {a}": "b - a = n",
    "The {a} came exactly {n} days earlier than the {b}": "b - a = n",
    "The {b} took place exactly {n} days after the {a}": "b - a = n",
    "From the {a} to the {b}, exactly {n} days went by": "b - a = n",
    "With day {n} came the {a}": "a = n",
    "Day {n} was the day of the {a}": "a = n",
    "The {a} is written down under day {n}": "a = n",
    "It was day {n} when the {a} took place": "a = n",
    "Between the {a} and the {b} passed exactly {n} days, in one order or the other": "apart",
    "The {a} and the {b} were exactly {n} days apart, whichever came first": "apart",
    "The {a} was exactly {n} days before or after the {b}": "apart",
    "The days of the {a} and of the {b} differ by exactly {n}": "apart",
    "The {a} was already over when the {b} came": "a < b",
    "The {b} came later than the {a}": "a < b",
    "Not until after the {a} was it time for the {b}": "a < b",
    "The {a} was before the {b}": "a < b",
    "As long as the {b} was behind the {a}, so long was the {d} behind the {c}": "equal",
    "From the {a} to the {b}, as many days went by as from the {c} to the {d}": "equal",
    "The {b} came as long after the {a} as the {d} came after the {c}": "equal",
    "The {b} followed the {a} after as many days as the {d} followed the {c}": "equal",
    "It was as long from the {a} to the {b} as from the {c} on to the {d}": "equal",
    "Between the {a} and the {c}, at the very middle, came the {b}": "middle",
    "The {a} and the {c} lie equally far from the {b}, one before it and one after it": "middle",
    "The {b} took place exactly midway between the {a} and the {c}": "middle",
}


@prompt_solver("timeline_reconstruct")
def solve_timeline_reconstruct(prompt: str) -> str:
    import z3

    solver, days = z3.Solver(), {}
    for line in listed(prompt).values():
        found = matched(line, EVENTS)
        assert found, line
        kind, words = found
        a, b, c, d = (days.setdefault(words[key], z3.Int(words[key])) if key in words else None for key in "abcd")
        n = int(words.get("n", 0))
        solver.add(
            {
                "b - a = n": lambda a=a, b=b, n=n: b - a == n,
                "a = n": lambda a=a, n=n: a == n,
                "apart": lambda a=a, b=b, n=n: z3.Or(a - b == n, b - a == n),
                "a < b": lambda a=a, b=b: a < b,
                "equal": lambda a=a, b=b, c=c, d=d: z3.And(b - a == d - c, b > a),
                "middle": lambda a=a, b=b, c=c: b - a == c - b,
            }[kind]()
        )
    solver.add(z3.Distinct(*days.values()))
    assert solver.check() == z3.sat
    model = solver.model()
    order = sorted(days, key=lambda event: model[days[event]].as_long())
    solver.add(z3.Or([days[second] < days[first] for first, second in pairwise(order)]))
    assert solver.check() == z3.unsat, "another order fits"
    return " ".join(order)
