"""Rule books and statutes with exceptions."""

from __future__ import annotations

import re

from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import listed, matched

COLOURS = {"red", "black", "white", "golden"}
RULES = {
    r"(?:A|An) (.+) (?:may go|is allowed) (\d+) steps?": "go",
    r"The reach of an? (.+) is (\d+) steps?": "go",
    r"An? (.+) has a reach of (\d+) steps?": "go",
    r"An? (.+) gets (\d+) extra steps?": "add",
    r"An? (.+) may go (\d+) steps? further than it otherwise could": "add",
    r"(?P<n>\d+) steps? (?:are|is) added to the reach of an? (.+)": "add",
    r"An extra (?P<n>\d+) steps? (?:are|is) added to the reach of an? (.+)": "add",
    r"An? (.+) is exempt from rule (\d+)": "aside",
    r"An? (.+) ignores rule (\d+)": "aside",
    r"As an exception, rule (?P<n>\d+) has no effect on an? (.+)": "aside",
    r"Rule (?P<n>\d+) does not apply to an? (.+)": "aside",
}
FILLERS = {"a", "an", "on", "that", "is", "standing", "piece"}


def traits(text: str) -> set[str]:
    """The words that a rule asks for, or that a piece has: kind, colour and ground."""
    return set(re.findall(r"[a-z]+", text)) - FILLERS


@prompt_solver("rule_book_apply")
def solve_rule_book_apply(prompt: str) -> str:
    text, pieces = prompt.split("The pieces:")
    rules = {}
    for number, line in listed(text).items():
        kind, found = next(
            (kind, hit) for pattern, kind in sorted(RULES.items(), key=lambda rule: -len(rule[0])) if (hit := re.fullmatch(pattern, line))
        )
        steps = found["n"] if "n" in found.groupdict() else next(part for part in found.groups() if part.isdigit())
        asks = next(part for part in found.groups() if not part.isdigit())
        rules[number] = (kind, int(steps), traits(asks))
    by_demand = "only the most specific one counts" in prompt
    answers = []
    for piece in listed(pieces).values():
        applying = {number: rule for number, rule in rules.items() if rule[2] <= traits(piece)}
        for number in sorted(applying, reverse=True):
            if number in applying and applying[number][0] == "aside":
                assert applying[number][1] < number
                applying.pop(applying[number][1], None)
        outright = [(len(asks) if by_demand else 0, number, steps) for number, (kind, steps, asks) in applying.items() if kind == "go"]
        answers.append(max(outright)[2] + sum(steps for kind, steps, _ in applying.values() if kind == "add"))
    return ", ".join(map(str, answers))


KINDS = {
    "A {k} boat is a boat built after the year {n}": lambda boat, w: boat["year"] > int(w["n"]),
    "Boats built after the year {n} are {k} boats": lambda boat, w: boat["year"] > int(w["n"]),
    "A {k} boat is a boat built before the year {n}": lambda boat, w: boat["year"] < int(w["n"]),
    "Boats built before the year {n} are {k} boats": lambda boat, w: boat["year"] < int(w["n"]),
    "A {k} boat is a boat longer than {n} metres": lambda boat, w: boat["metres"] > int(w["n"]),
    "Boats of more than {n} metres are {k} boats": lambda boat, w: boat["metres"] > int(w["n"]),
    "A {k} boat is a boat shorter than {n} metres": lambda boat, w: boat["metres"] < int(w["n"]),
    "Boats of less than {n} metres are {k} boats": lambda boat, w: boat["metres"] < int(w["n"]),
    "A {k} boat is a boat with fewer than {n} people on board": lambda boat, w: boat["people"] < int(w["n"]),
    "Boats that carry fewer than {n} people are {k} boats": lambda boat, w: boat["people"] < int(w["n"]),
    "A {k} boat is a boat with more than {n} people on board": lambda boat, w: boat["people"] > int(w["n"]),
    "Boats that carry more than {n} people are {k} boats": lambda boat, w: boat["people"] > int(w["n"]),
    "A {k} boat is a {a} boat, a {b} boat, or both": lambda boat, w: boat["is"](w["a"]) or boat["is"](w["b"]),
    "Both {a} boats and {b} boats are {k} boats": lambda boat, w: boat["is"](w["a"]) or boat["is"](w["b"]),
    "A {k} boat is a boat that is both a {a} boat and a {b} boat": lambda boat, w: boat["is"](w["a"]) and boat["is"](w["b"]),
    "Boats that are {a} as well as {b} boats are {k} boats": lambda boat, w: boat["is"](w["a"]) and boat["is"](w["b"]),
    "A {k} boat is a boat that is not a {a} boat": lambda boat, w: not boat["is"](w["a"]),
    "All boats but {a} boats are {k} boats": lambda boat, w: not boat["is"](w["a"]),
}
EXCEPTION = re.compile(
    r"(?:(?:As an exception to|By way of exception to|In departure from) clause (\d+)|Clause (\d+) notwithstanding), the owner of an? (\w+) boat "
    r"(?:needs|does not need) a licence(?: from day (\d+) to day (\d+)| from day (\d+) on| until day (\d+)|)"
)


@prompt_solver("legal_clause_apply")
def solve_legal_clause_apply(prompt: str) -> str:
    text, cases = prompt.split("The cases:")
    kinds = {}
    for line in text.split("\n"):
        found = matched(line.removesuffix("."), KINDS)
        if found:
            kinds[found[1]["k"]] = found
    exceptions = {}
    for number, line in listed(text).items():
        if number > 1:
            hit = EXCEPTION.fullmatch(line)
            assert hit, line
            one, two, kind, first, last, since, until = hit.groups()
            exceptions[number] = (int(one or two), kind, int(first or since or 0), int(last or until or 10**9))
    answers = []
    for case in listed(cases).values():
        boat: dict[str, object] = {
            key: int(next(filter(None, re.search(pattern, case).groups())))  # type: ignore[union-attr]
            for key, pattern in {
                "day": r"[Dd]ay (\d+)",
                "people": r"(\d+) people",
                "metres": r"(\d+) metres",
                "year": r"built in (\d+)|boat of (\d+)(?! metres|\d)",
            }.items()
        }
        boat["is"] = lambda kind, boat=boat: kinds[kind][0](boat, kinds[kind][1])
        clause = 1
        while True:
            applying = [
                number
                for number, (above, kind, first, last) in exceptions.items()
                if above == clause and first <= boat["day"] <= last and boat["is"](kind)  # type: ignore[operator]
            ]
            if not applying:
                break
            clause = min(applying)
        answers.append(clause)
    return ", ".join(map(str, answers))
