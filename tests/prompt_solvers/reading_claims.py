"""Statements compared with each other: contradictions, changed meanings and claims about a text."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations, product

from prompt_solvers.reading_facts import Country
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import listed, matched, only, sentences

STAYS = {
    "{t} was without {p} on every day from {f} to {l}": "out",
    "From day {f} to day {l}, {p} kept out of {t}": "out",
    "{p} was not in {t} at all from day {f} to day {l}": "out",
    "On none of the days from {f} to {l} was {p} in {t}": "out",
    "{p} was not in {t} on day {f}": "out",
    "It was {t} and nowhere else for {p} from day {f} to day {l}": "in",
    "{p} spent every day from {f} to {l} in {t}": "in",
    "From day {f} to day {l}, {p} never left {t}": "in",
    "{p} was in {t} all the time from day {f} to day {l}": "in",
    "On day {f}, {p} stayed in {t}": "in",
    "{p} was in {t} on day {f}": "in",
    "{t} is where {p} was on day {f}": "in",
    "Day {f} found {p} in {t}": "in",
    "{p} and {q} were in the same town on day {f}": "same",
    "Wherever {p} was on day {f}, {q} was there too": "same",
    "On day {f}, {p} was in the same town as {q}": "same",
    "On day {f}, {p} was in a different town from {q}": "apart",
    "{p} was not in the same town as {q} on day {f}": "apart",
    "On day {f}, {p} and {q} were in different towns": "apart",
    "Whatever town {p} was in on day {f}, {q} was in another": "apart",
    "{p} had {t} alone on day {f}, and nobody else was there": "alone",
    "On day {f}, nobody but {p} was in {t}, and {q} was": "alone",
    "{t} held {p} and no one else on day {f}": "alone",
    "Of all people, only {p} was in {t} on day {f}": "alone",
}


def possible(kind: str, words: dict[str, str], places: dict[str, str]) -> bool:
    """Whether a statement is true where people are in these towns."""
    here, town = places[words["p"]], words.get("t")
    if kind == "alone":
        return here == town and all(place != town for person, place in places.items() if person != words["p"])
    if kind in ("in", "out"):
        return (here == town) == (kind == "in")
    return (here == places[words["q"]]) == (kind == "same")


@prompt_solver("contradiction_find")
def solve_contradiction_find(prompt: str) -> str:
    facts = {}
    for number, line in listed(prompt).items():
        found = matched(line, STAYS)
        assert found, line
        facts[number] = found
    answers = []
    for (m, one), (n, two) in combinations(facts.items(), 2):
        days = [range(int(w["f"]), int(w.get("l", w["f"])) + 1) for _, w in (one, two)]
        people = sorted({w[key] for _, w in (one, two) for key in "pq" if key in w})
        towns = [*sorted({w["t"] for _, w in (one, two) if "t" in w}), "elsewhere", "farther", "farthest"]
        if max(days[0].start, days[1].start) >= min(days[0].stop, days[1].stop):
            continue
        worlds = (dict(zip(people, places, strict=True)) for places in product(towns, repeat=len(people)))
        if not any(possible(*one, world) and possible(*two, world) for world in worlds):
            answers.append((m, n))
    ((m, n),) = answers
    return f"{m}, {n}"


RULES = {
    "Whoever carries a {a} also carries a {b}": lambda a, b: not a or b,
    "Nobody carries a {a} without a {b}": lambda a, b: not a or b,
    "A {a} is carried only by those who also carry a {b}": lambda a, b: not a or b,
    "Those who carry no {b} carry no {a} either": lambda a, b: not a or b,
    "Only those who carry a {b} carry a {a}": lambda a, b: not a or b,
    "Whoever carries a {a} carries no {b}": lambda a, b: not (a and b),
    "Only those who carry no {b} carry a {a}": lambda a, b: not (a and b),
    "Nobody carries both a {a} and a {b}": lambda a, b: not (a and b),
    "A {a} and a {b} are never carried by one person": lambda a, b: not (a and b),
    "Of those who carry a {a}, nobody has a {b}": lambda a, b: not (a and b),
    "Whoever carries no {a} carries a {b}": lambda a, b: a or b,
    "Only those who carry a {b} go without a {a}": lambda a, b: a or b,
    "There is nobody who carries neither a {a} nor a {b}": lambda a, b: a or b,
    "Everybody carries a {a} or a {b}, or both": lambda a, b: a or b,
}
RULES_OF_THREE = {
    "Nobody carries a {a}, a {b} and a {c} at once": lambda a, b, c: not (a and b and c),
    "Whoever carries both a {a} and a {b} carries no {c}": lambda a, b, c: not (a and b and c),
    "Whoever carries both a {a} and a {b} also carries a {c}": lambda a, b, c: not (a and b) or c,
    "Those who carry no {c} do not carry both a {a} and a {b}": lambda a, b, c: not (a and b) or c,
    "Whoever carries a {a} also carries a {b} or a {c}, or both": lambda a, b, c: not a or b or c,
    "Nobody who carries neither a {b} nor a {c} carries a {a}": lambda a, b, c: not a or b or c,
    "Everybody carries at least one of a {a}, a {b} and a {c}": lambda a, b, c: a or b or c,
    "Whoever carries neither a {a} nor a {b} carries a {c}": lambda a, b, c: a or b or c,
}
ORDERS = {
    "By the time of the {b}, the {a} is over",
    "The {a} comes before the {b}",
    "The {b} comes after the {a}",
    "The {b} follows the {a}, though maybe not at once",
    "The {a} precedes the {b}",
    "Not until the {a} is over does the {b} begin",
}
COUNTS = {
    "No {s} makes do with {n} {x} or fewer": lambda k, n: k > n,
    "There are always more than {n} {x} on a {s}": lambda k, n: k > n,
    "Every {s} has more than {n} {x} on board": lambda k, n: k > n,
    "On every {s} there are always {n} {x} or more": lambda k, n: k >= n,
    "No {s} has fewer than {n} {x} on board": lambda k, n: k >= n,
    "There are {n} or more {x} on every {s}": lambda k, n: k >= n,
    "Every {s} has at least {n} {x} on board": lambda k, n: k >= n,
    "No {s} has {n} {x} or more on board": lambda k, n: k < n,
    "There are always fewer than {n} {x} on a {s}": lambda k, n: k < n,
    "Every {s} has fewer than {n} {x} on board": lambda k, n: k < n,
    "No {s} has more than {n} {x} on board": lambda k, n: k <= n,
    "There are {n} or fewer {x} on every {s}": lambda k, n: k <= n,
    "On every {s} there are always {n} {x} or fewer": lambda k, n: k <= n,
    "Every {s} has at most {n} {x} on board": lambda k, n: k <= n,
}


def carrying(text: str) -> tuple[Callable[..., bool], list[str]]:
    """What a rule about people allows, and the things that it is about."""
    found = matched(text, RULES) or matched(text, RULES_OF_THREE)
    assert found, text
    return found[0], [found[1][name] for name in sorted(found[1])]


def meaning(text: str) -> object:
    """What a rule is about and allows, in a form that does not depend on its words."""
    if found := matched(text, RULES):
        rule, words = found
        names = sorted((words["a"], words["b"]))
        worlds = [dict(zip(names, values, strict=True)) for values in product((False, True), repeat=2)]
        return (*names, tuple(bool(rule(world[words["a"]], world[words["b"]])) for world in worlds))
    if found := matched(text, dict.fromkeys(ORDERS, "")):
        return (found[1]["a"], found[1]["b"])
    if found := matched(text, COUNTS):
        rule, words = found
        return (words["s"], words["x"], tuple(rule(k, int(words["n"])) for k in range(100)))
    raise ValueError(text)


@prompt_solver("document_diff_meaning")
def solve_document_diff_meaning(prompt: str) -> str:
    old, new = (listed(text) for text in prompt.split("The new version:"))
    together = "smallest set" in prompt
    if together and "added again" in prompt:
        old, new = new, old
    if "are additions" in prompt or together:
        worlds: list[dict[str, bool]] = [{}]
        for line in old.values():
            rule, names = carrying(line)
            more = [name for name in names if name not in worlds[0]]
            worlds = [
                world | dict(zip(more, values, strict=True)) for world in worlds for values in product((False, True), repeat=len(more))
            ]
            worlds = [world for world in worlds if rule(*(world[name] for name in names))]
        claims = {n: carrying(line) for n, line in new.items()}
        if together:
            faults = [{n for n, (rule, names) in claims.items() if not rule(*(world[name] for name in names))} for world in worlds]
            for size in range(1, len(claims)):
                right = [chosen for chosen in combinations(claims, size) if all(not fault or fault & {*chosen} for fault in faults)]
                if right:
                    return ", ".join(map(str, only(right)))
        broken = [n for n, (rule, names) in claims.items() if any(not rule(*(world[name] for name in names)) for world in worlds)]
        return ", ".join(map(str, broken))
    meanings = {meaning(line) for line in new.values()} if "order" in prompt.split("The old version")[0] else None
    changed = [n for n, line in old.items() if (meaning(line) not in meanings if meanings else meaning(line) != meaning(new[n]))]
    return ", ".join(map(str, changed))


DENIALS = {
    "It is a fable that {b} is the {r} of {a}",
    "Whoever says that {b} is the {r} of {a} is wrong",
    "In truth the {r} of {a} is not {b}",
    "{b} has been named in error as the {r} of {a}",
    "{b} is not the {r} of {a}",
    "In truth {b} was never the {r} of {a}",
}


@prompt_solver("fact_check_claims")
def solve_fact_check_claims(prompt: str) -> str:
    story, claims = prompt.split("The claims:")
    country, denied = Country(story), {}
    for number, text in sentences(story).items():
        found = matched(re.sub(r"\b[Tt]he (?=[A-Z])", "", text), dict.fromkeys(DENIALS, ""))
        if found:
            denied[found[1]["r"], found[1]["a"], found[1]["b"]] = number
    lines = []
    for number, claim in listed(claims.split("\n\n")[0]).items():
        found = re.fullmatch(r"(?:[Tt]he )?(?P<v>\S+) is (?P<n>not )?the (?P<r>\w+) of (?P<e>.*)", claim)
        found = found or re.fullmatch(r"[Tt]he (?P<r>\w+) of (?P<e>.*) is (?P<n>not )?(?:the )?(?P<v>\S+)", claim)
        assert found, claim
        try:
            holder, used = country.value(found["e"])
        except LookupError:
            lines.append(f"{number}: open")
            continue
        known = country.facts.get((found["r"], holder))
        if known:
            true, used = known[0] == found["v"], used | {known[1]}
        elif (found["r"], holder, found["v"]) in denied:
            true, used = False, used | {denied[found["r"], holder, found["v"]]}
        else:
            lines.append(f"{number}: open")
            continue
        verdict = "supported" if true != bool(found["n"]) else "refuted"
        lines.append(" ".join([f"{number}: {verdict}", *map(str, sorted(used))]))
    return "\n".join(lines)
