"""Truth tables as integers: bit r of a table says whether a statement holds in row r."""

from functools import cache


def column(variable: int, variables: int) -> int:
    """The table of one variable: it is true in row r when bit `variable` of r is set."""
    block = 1 << variable
    ones = ((1 << block) - 1) << block  # the rows of one period: first false, then true
    period, rows = 2 * block, 1 << variables
    table = 0
    for start in range(0, rows, period):
        table |= ones << start
    return table


def every(variables: int) -> int:
    """The table that is true in all rows."""
    return (1 << (1 << variables)) - 1


@cache
def columns(variables: int) -> tuple[int, ...]:
    """The tables of all variables, the first one that of variable 0."""
    return tuple(column(variable, variables) for variable in range(variables))
