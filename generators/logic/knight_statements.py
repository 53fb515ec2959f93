"""Statements of knights and knaves about each other: written and evaluated."""

from rlgym.core.task import TaskData

Pairs = tuple[tuple[str, str], ...]


KINDS = {"simple": ("is", "is", "same"), "joined": ("is", "same", "and", "or"), "nested": ("same", "or", "if", "count", "iff", "says")}


WORDS = {True: "knight", False: "knave"}


class Statement(TaskData):
    kind: str
    people: tuple[int, ...]
    claims: tuple[bool, ...]
    number: int = 0


def render_statement(statement: Statement, names: tuple[str, ...]) -> str:
    people = [names[i] for i in statement.people]
    claims = [f"{name} is a {WORDS[claim]}" for name, claim in zip(people, statement.claims, strict=True)]
    match statement.kind:
        case "is":
            return f"{claims[0]}."
        case "same":
            return f"{people[0]} and {people[1]} are {'of the same kind' if statement.claims[0] else 'of different kinds'}."
        case "and":
            return f"{claims[0]} and {claims[1]}."
        case "or":
            return f"{claims[0]}, or {claims[1]}, or both."
        case "if":
            return f"If {claims[0]}, then {claims[1]}."
        case "iff":
            return f"{claims[0]} exactly when {claims[1]}."
        case "says":
            return f"{people[0]} would say that {claims[1]}."
        case _:
            return f"Among {', '.join(people[:-1])} and {people[-1]}, the number of knights is exactly {statement.number}."


def is_true(statement: Statement, kinds: list[bool]) -> bool:
    claimed = [kinds[i] == claim for i, claim in zip(statement.people, statement.claims, strict=True)]
    match statement.kind:
        case "is":
            return claimed[0]
        case "same":
            return (kinds[statement.people[0]] == kinds[statement.people[1]]) == statement.claims[0]
        case "and":
            return all(claimed)
        case "or":
            return any(claimed)
        case "if":
            return not claimed[0] or claimed[1]
        case "iff":
            return claimed[0] == claimed[1]
        case "says":
            return kinds[statement.people[0]] == claimed[1]
        case _:
            return sum(kinds[i] for i in statement.people) == statement.number
