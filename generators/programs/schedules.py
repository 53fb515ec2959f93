"""Spans, jobs, piles and pairs of which the best choice is asked, with the rules that hold for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count, pairwise
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import exchanges, held_back_jobs, suites
from rlgym.generators.programs.held_back_shapes import Shaped, chains, minutes, releases
from rlgym.generators.programs.specialise import Rules
from rlgym.generators.programs.specifications import Specification
from rlgym.generators.programs.suites import Meaning

OFF: dict[str, Rules] = {
    "gap": {"gap": 0},
    "rooms": {"rooms": 1},
    "need": {"need": 1},
    "short": {"short": 1},
    "once": {"once": False},
    "left": {"left": False},
    "start": {"start": 0},
    "pause": {"pause": 0},
    "light": {"light": 0},
    "weighed": {"weighed": False},
    "signed": {"signed": False},
    "long": {"long": 0},
    "ways": {"ways": 2},
    "keep": {"keep": 1},
    "fee": {"fee": 0},
    "copies": {"copies": 1},
    "same": {"same": False},
    "spare": {"spare": 0},
    "roomy": {"roomy": 0},
    "back": {"back": False},
}
GOALS = {
    "count": "the largest number of jobs that can be on time",
    "late": "the least value, over all orders of the {valid}jobs, of the largest lateness of a job",
    "sum": "the least value, over all orders of the {valid}jobs, of the sum of the {ends}",
    "gain": "the largest sum of the weights of the jobs on time that there can be",
}


def sample(rng: Rng, shapes: int, extra: int, large: bool) -> Specification:
    """A best choice with `extra` further rules, each of which matters."""
    for attempt in count():
        name = rng.choice(tuple(SHAPES)[PLAIN_SHAPES - 1 if shapes > PLAIN_SHAPES + 1 else 0 : shapes])
        plain, swift, hasty, shape = SHAPES[name]
        drawn_inputs = inputs(rng.child("inputs", name), 150, name)
        condition_count = max(0, extra - attempt // 8)
        words, rules, on, near = shape(rng, condition_count, large)
        right = partial(swift, **rules)
        different = len({repr(right(*arguments)) for arguments in drawn_inputs})
        seen = all(suites.differs(right, partial(swift, **{**rules, **OFF[rule]}), drawn_inputs, times=6) for rule in on)
        if (
            len(on) >= min(condition_count, 3)
            and different >= 4
            and seen
            and suites.differs(right, partial(hasty, **rules), drawn_inputs, times=4)
        ):
            break
    near = [{**rules, **other} for other in [*(OFF[rule] for rule in on), *near]]
    text = f"{words} Trying everything may take too long: all tests together must finish within one second." if large else words
    many = (_input(rng.child("large"), name, 40),) if large else ()
    weight = 8.0 + 4 * len(on) + 2 * list(SHAPES).index(name) + 6 * large + 20 * (list(SHAPES).index(name) >= PLAIN_SHAPES)
    return Specification(text, plain, swift, rules, near, drawn_inputs, weight, hasty=[hasty], large=many, kind=name, trivial=(-1, 0))


def pairs(rng: Rng, extra: int, large: bool) -> Shaped:
    on = rng.sample(("copies", "same", "spare", "tell"), min(extra, 4))
    low = rng.integer(-3, 1)
    rules: dict[str, Any] = {
        "low": low,
        "high": low + rng.integer(1, 4),
        "copies": 2 if "copies" in on else 1,
        "same": "same" in on,
        "spare": rng.integer(3, 6) if "spare" in on else 0,
        "tell": rng.choice(("without", "unused")) if "tell" in on else "pairs",
    }
    valid = "valid " if rules["spare"] else ""
    phrases = {
        "pairs": "the largest number of pairs there can be at once",
        "without": "the smallest number of takers that can be left without a pair",
        "unused": f"the smallest number of pairs that {valid}givers could still be in: if each {valid}giver may be in "
        f"{rules['copies']}, that many times the number of {valid}givers, minus the number of pairs, for as many pairs as there can be",
    }[rules["tell"]]
    lines = [
        f"Write a Python function solve(givers, takers). Both are lists of at most {40 if large else 5} integers from 0 to 12, in any order, "
        "or empty.",
        f"Only givers of at least {rules['spare']} are valid." if valid else "",
        f"A {valid}giver g and a taker t may form a pair if t - g is from {rules['low']} to {rules['high']}, both included"
        + (", and g and t are both even or both odd." if rules["same"] else "."),
        f"Each giver may be in at most {'two pairs' if rules['copies'] == 2 else 'one pair'}, and each taker in at most one. Equal numbers at different "
        "places are different givers or takers.",
        f"Return {phrases}.",
    ]
    near: list[Rules] = [{"low": low - 1}, {"low": low + 1}, {"high": rules["high"] - 1}, {"high": rules["high"] + 1}]
    near += [{"spare": rules["spare"] + 1}, {"same": not rules["same"]}, {"copies": 3 - rules["copies"]}]
    return "\n".join(line for line in lines if line), rules, [name for name in on if name != "tell"], near


def spans(rng: Rng, extra: int, large: bool) -> Shaped:
    goal = rng.choice(("most", "points", "rooms") if extra < 3 else ("most", "points"))
    fit = {"most": ("gap", "rooms", "short", "once", "left"), "points": ("need", "short", "once"), "rooms": ("gap", "short", "once")}[goal]
    fit = tuple(name for name in fit if goal != "points" or name != "once" or extra > 2)
    on = rng.sample(fit, min(extra, len(fit)))
    on = [name for name in on if goal != "points" or name != "once"]
    rules: dict[str, Any] = {
        "goal": goal,
        "gap": rng.integer(1, 3) if "gap" in on else 0,
        "rooms": 2 if "rooms" in on else 1,
        "need": rng.integer(2, 3) if "need" in on else 1,
        "short": rng.integer(2, 3) if "short" in on else 1,
        "once": "once" in on,
        "left": "left" in on,
    }
    room_text = f"There are {rules['rooms']} rooms" if rules["rooms"] > 1 else "There is one room"
    later = f"at least {rules['gap']} after the other ends" if rules["gap"] else "where the other ends, or later"
    separation = f"Two spans may be in the same room if one of them begins {later}."
    valid = "valid " if rules["short"] > 1 else ""
    phrases = {
        "most": f"the smallest number of {valid}spans that can be left without a room"
        if rules["left"]
        else f"the largest number of {valid}spans that can have a room",
        "rooms": f"the smallest number of rooms in which all {valid}spans can be, 0 if there are none",
        "points": f"the smallest number of different integers that do this, 0 if there are no {valid}spans",
    }[goal]
    enough = (
        f"at least {rules['need']} of the integers chosen, or all its integers if it has fewer"
        if rules["need"] > 1
        else "at least one of the integers chosen"
    )
    lines = [
        f"Write a Python function solve(spans). spans is a list of at most {40 if large else 6} tuples (start, end) of integers, 0 <= start < end <= "
        f"{60 if large else 9}, in any order; it may be empty.",
        f"Only spans with end - start at least {rules['short']} are valid." if valid else "",
        "Equal spans count as one, as if the list had only one of them."
        if rules["once"]
        else "Equal spans are different spans."
        if goal != "points"
        else "",
        f"Choose integers such that each {valid}span contains {enough}; a span contains its start, its end and all integers between."
        if goal == "points"
        else separation,
        f"{room_text}." if goal == "most" else "",
        f"Return {phrases}.",
    ]
    near: list[Rules] = [{"gap": rules["gap"] + 1}, {"short": rules["short"] + 1}]
    near += {"most": [{"rooms": rules["rooms"] + 1}, {"once": not rules["once"]}], "points": [{"need": rules["need"] + 1}]}.get(goal, [])
    return "\n".join(line for line in lines if line), rules, on, near


def jobs(rng: Rng, extra: int, large: bool) -> Shaped:
    goal = rng.choice(tuple(GOALS))
    fit = ("start", "pause", "light", "long")
    on = rng.sample(fit + {"sum": ("weighed",), "late": ("signed",)}.get(goal, ()), min(extra, 4))
    rules: dict[str, Any] = {
        "goal": goal,
        "start": rng.integer(1, 4) if "start" in on else 0,
        "pause": rng.integer(1, 2) if "pause" in on else 0,
        "light": rng.integer(3, 5) if "light" in on else 0,
        "weighed": "weighed" in on,
        "signed": "signed" in on,
        "long": rng.integer(3, 5) if "long" in on else 0,
    }
    kept = [f"weight of at least {rules['light']}"] * ("light" in on) + [f"length of at most {rules['long']}"] * ("long" in on)
    late = (
        "It is negative if the job ends before its deadline." if rules["signed"] else "It is 0 if the job ends at its deadline or before."
    )
    ends = "minutes at which they end, each times the job's weight" if rules["weighed"] else "minutes at which they end"
    valid = "valid " if kept else ""
    lines = [
        f"Write a Python function solve(jobs). jobs is a list of at most {40 if large else 5} tuples (length, deadline, weight) of integers: length from 1 "
        f"to 6, deadline from 1 to {60 if large else 15}, weight from 1 to 9; it may be empty.",
        f"Only jobs with a {' and a '.join(kept)} are valid, and only these may be done." if kept else "",
        f"One worker does one job at a time, from minute {rules['start']} on, each for "
        + ("exactly one minute, whatever its length" if goal == "gain" else "its length in minutes")
        + ", in any order."
        + (f" Between one job and the next there must be a pause of at least {minutes(rules['pause'])}." if rules["pause"] else ""),
        "A job is on time if it ends at its deadline or before; jobs may be left out, and then are not on time."
        if goal in ("count", "gain")
        else "",
        f"All {valid}jobs must be done. The lateness of a job is the minute at which it ends, minus its deadline. {late}"
        if goal == "late"
        else "",
        f"All {valid}jobs must be done. Deadlines do not matter." if goal == "sum" else "",
        f"Return {GOALS[goal].format(ends=ends, valid=valid)}; 0 if there are no {valid}jobs.",
    ]
    near: list[Rules] = [{"start": rules["start"] + 1}, {"pause": rules["pause"] + 1}, {"light": rules["light"] + 1}]
    near += [{"long": rules["long"] + 1}] if rules["long"] else [{"long": 4}]
    near += [
        {"weighed": not rules["weighed"]},
        {"signed": not rules["signed"]},
        {"goal": {"count": "gain", "gain": "count"}.get(goal, "sum")},
    ]
    return "\n".join(line for line in lines if line), rules, on, near


def piles(rng: Rng, extra: int, large: bool) -> Shaped:
    goal = rng.choice(("cost", "height"))
    on = rng.sample(("ways", "keep", "fee", "light"), min(extra, 4))
    if goal == "height" and "fee" not in on:
        on[-1:] = ["fee"]
    rules: dict[str, Any] = {
        "goal": goal,
        "ways": 3 if "ways" in on else 2,
        "keep": rng.integer(2, 3) if "keep" in on else 1,
        "fee": rng.integer(1, 5) if "fee" in on else 0,
        "light": rng.integer(2, 4) if "light" in on else 0,
    }
    many = "two or three piles" if rules["ways"] == 3 else "two piles"
    gives = "sum of their sizes, and putting them together costs this sum"
    if goal == "cost" and rules["fee"]:
        gives += f" plus {rules['fee']}"
    if goal == "height":
        gives = f"largest of their sizes plus {rules['fee']}"
    more = f"there are more than {rules['keep']} piles" if rules["keep"] > 1 else "there is more than one pile"
    largest = "the smallest size that the largest pile can have in the end, 0 if there are no piles"
    lines = [
        f"Write a Python function solve(piles). piles is a list of at most {40 if large else 6} integers from 0 to 20, the sizes of piles; it may be empty.",
        f"Piles smaller than {rules['light']} are thrown away at the beginning." if rules["light"] else "",
        f"As long as {more}, {many} of your choice are taken and put together. The size of the new pile is the {gives}.",
        f"Return {largest if goal == 'height' else 'the smallest sum of all costs with which this can be done, 0 if nothing is put together'}.",
    ]
    near: list[Rules] = [{"ways": 5 - rules["ways"]}, {"keep": rules["keep"] + 1}, {"fee": rules["fee"] + 1}, {"light": rules["light"] + 1}]
    near.append({"goal": "cost" if goal == "height" else "height"})
    return "\n".join(line for line in lines if line), rules, on, near


Shape = tuple[Meaning, Meaning, Meaning, Callable[[Rng, int, bool], Shaped]]
PLAIN_SHAPES = 4  # after them come those in which the best that can be done now may have to wait
SHAPES: dict[str, Shape] = {
    "pairs": (exchanges.pairs_plain, exchanges.pairs_swift, exchanges.pairs_hasty, pairs),
    "spans": (exchanges.spans_plain, exchanges.spans_swift, exchanges.spans_hasty, spans),
    "jobs": (exchanges.jobs_plain, exchanges.jobs_swift, exchanges.jobs_hasty, jobs),
    "piles": (exchanges.piles_plain, exchanges.piles_swift, exchanges.piles_hasty, piles),
    "releases": (held_back_jobs.releases_plain, held_back_jobs.releases_swift, held_back_jobs.releases_hasty, releases),
    "chains": (held_back_jobs.chains_plain, held_back_jobs.chains_swift, held_back_jobs.chains_hasty, chains),
}


def inputs(rng: Rng, amount: int, kind: str) -> list[tuple[Any, ...]]:
    """Small inputs, the plainest first."""
    most = {"jobs": 5, "pairs": 5}.get(kind, 6)
    sizes = [0, 1, 1, 2, *(rng.integer(2, most) for _ in range(amount - 4))]
    return [_input(rng, kind, size) for size in sizes]


def _input(rng: Rng, kind: str, size: int) -> tuple[Any, ...]:
    wide = 60 if size > 6 else 9
    match kind:
        case "pairs":
            top = rng.choice((5, 8, 12))
            return [rng.integer(0, top) for _ in range(rng.integer(size // 2, size))], [rng.integer(0, top) for _ in range(size)]
        case "spans":
            drawn: list[tuple[int, int]] = []
            for _ in range(size):
                start = rng.integer(0, wide - 1)
                span = start, min(wide, start + rng.integer(1, rng.choice((3, 8))))
                drawn.append(rng.choice(drawn) if drawn and rng.chance(0.15) else span)
            return (drawn,)
        case "jobs":
            return ([(rng.integer(1, 6), rng.integer(1, wide if wide > 9 else 15), rng.integer(1, 9)) for _ in range(size)],)
        case "releases":
            ready = [rng.integer(0, 2 * size if size > 6 else 8) for _ in range(size)]
            return ([(at, at + rng.choice((rng.integer(3, 6), rng.integer(7, 3 * size + 8)))) for at in ready],)
        case "chains":
            drawn_jobs = [(rng.integer(1, 9), rng.integer(1, 9)) for _ in range(size)]
            cuts = sorted({0, size, *(rng.integer(0, size) for _ in range(size // 3 + rng.integer(0, 1)))})
            return ([drawn_jobs[i:j] for i, j in pairwise(cuts)],)
    return ([rng.integer(0, rng.choice((6, 20))) for _ in range(size)],)
