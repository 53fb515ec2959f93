"""Truth tables as integers: bit r of a table says whether a statement holds in row r."""


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


def rows(table: int) -> list[int]:
    """The rows in which a table is true, in rising order."""
    out = []
    while table:
        out.append((table & -table).bit_length() - 1)
        table &= table - 1
    return out
