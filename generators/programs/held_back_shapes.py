"""Specifications of jobs that become ready later and of jobs in chains."""

from __future__ import annotations

from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs.specialise import Rules

Shaped = tuple[str, dict[str, Any], list[str], list[Rules]]  # words, rules, the further ones by name, rules near


def minutes(count: int) -> str:
    return "1 minute" if count == 1 else f"{count} minutes"


def releases(rng: Rng, extra: int, large: bool) -> Shaped:
    goal = rng.choice(("late", "end"))
    on = rng.sample(("start", "pause", "roomy", *(("signed",) if goal == "late" else ())), min(extra, 3))
    rules: dict[str, Any] = {
        "goal": goal,
        "long": rng.integer(2, 4),
        "start": rng.integer(1, 4) if "start" in on else 0,
        "pause": rng.integer(1, 2) if "pause" in on else 0,
        "signed": "signed" in on,
        "roomy": rng.integer(4, 6) if "roomy" in on else 0,
    }
    late = (
        "It is negative if the job ends before its deadline." if rules["signed"] else "It is 0 if the job ends at its deadline or before."
    )
    valid = "valid " if rules["roomy"] else ""
    earliest = (
        f"begin neither before its minute ready nor before minute {rules['start']}"
        if rules["start"]
        else "not begin before its minute ready"
    )
    lines = [
        f"Write a Python function solve(jobs). jobs is a list of at most {40 if large else 6} tuples (ready, deadline) of integers, 0 <= ready < deadline <= "
        f"{250 if large else 40}, in any order; it may be empty. Equal tuples are different jobs.",
        f"A job is valid only if deadline - ready is at least {rules['roomy']}, and only valid jobs are done." if valid else "",
        f"One worker does all {valid}jobs, one at a time and each without a break, in any order. Each job takes {rules['long']} minutes, so that one "
        f"that begins at minute 5 ends at minute {5 + rules['long']}. It may {earliest}."
        + (f" Between one job and the next there must be a pause of at least {minutes(rules['pause'])}." if rules["pause"] else "")
        + " The worker may wait at any time.",
        f"The lateness of a job is the minute at which it ends, minus its deadline. {late}"
        if goal == "late"
        else "No job may end after its deadline.",
        f"Return the least value that the largest lateness of a job can have; 0 if there are no {valid}jobs."
        if goal == "late"
        else f"Return the smallest minute at which the last of the {valid}jobs can end; -1 if they cannot all end in time, 0 if there are no {valid}jobs.",
    ]
    near: list[Rules] = [{name: rules[name] + 1} for name in ("long", "start", "pause", "roomy")]
    near += [{"signed": not rules["signed"]}, {"goal": "end" if goal == "late" else "late"}]
    return "\n".join(line for line in lines if line), rules, on, near


def chains(rng: Rng, extra: int, large: bool) -> Shaped:
    on = rng.sample(("start", "pause", "light", "back"), min(extra, 4))
    rules: dict[str, Any] = {
        "start": rng.integer(1, 4) if "start" in on else 0,
        "pause": rng.integer(1, 2) if "pause" in on else 0,
        "light": rng.integer(2, 4) if "light" in on else 0,
        "back": "back" in on,
    }
    order = "reverse order, the last one first" if rules["back"] else "their order"
    left_out = f"Jobs with a weight below {rules['light']} are left out. " if rules["light"] else ""
    lines = [
        f"Write a Python function solve(chains). chains is a list of lists of tuples (length, weight) of integers from 1 to 9, at most "
        f"{40 if large else 6} tuples in all; it and its lists may be empty. Each tuple is a job.",
        f"{left_out}The jobs of a list must be done in {order}; between them jobs of other lists may be done.",
        f"One worker does one job at a time, from minute {rules['start']} on, each for its length in minutes; one of length 3 that begins at minute 5 "
        f"ends at minute 8."
        + (f" Between one job and the next there must be a pause of at least {minutes(rules['pause'])}." if rules["pause"] else ""),
        "For each job, multiply the minute at which it ends by its weight; return the smallest possible sum of these products, 0 if no job is to be done.",
    ]
    near: list[Rules] = [{name: rules[name] + 1} for name in ("start", "pause", "light")]
    return "\n".join(lines), rules, on, [*near, {"back": not rules["back"]}]
