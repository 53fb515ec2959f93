"""Assignments of true and false to the variables x1, x2 and so on, as answers give them."""

from __future__ import annotations

Pairs = tuple[tuple[str, str], ...]
TRUE, FALSE = ("true", "t", "1"), ("false", "f", "0")


def read_values(answer: Pairs, variables: int) -> list[bool] | str:
    """The values of x1 to x`variables` in order, or what is wrong with the answer."""
    given = dict(answer)
    values = [given.get(f"x{i}", "") for i in range(1, variables + 1)]
    if len(given) != variables or not all(values):
        return f"each of x1 to x{variables} needs a value, and nothing else"
    if any(value not in TRUE and value not in FALSE for value in values):
        return "every value must be true or false"
    return [value in TRUE for value in values]


def wrong_assignments(right: Pairs, balance: dict[int, int]) -> list[Pairs]:
    """All alike, every value turned, the majority of signs (`balance`: how often a variable stands plain, less how often negated), one variable left out."""
    turned = {"true": "false", "false": "true"}
    return [
        tuple((name, "true") for name, _ in right),
        tuple((name, "false") for name, _ in right),
        tuple((name, turned[value]) for name, value in right),
        tuple(sorted((f"x{i}", "true" if sign > 0 else "false") for i, sign in balance.items())),
        right[1:],
        tuple((name, "true or false") for name, _ in right),
    ]
