"""Programs share the compiled parts of their lines, and no more than these."""

from rlgym.generators.programs import interpreter

PROGRAM = "def solve(values):\n    total = 0\n    for value in values:\n        total += value\n    return total\n"


def test_programs_that_differ_in_one_line_keep_their_own_meaning():
    for line, value in (("total += value", 6), ("total -= value", -6), ("total += value * value", 14)):
        changed = interpreter.program(PROGRAM.replace("total += value", line))
        assert changed.run([1, 2, 3]).value == value
    assert interpreter.program(PROGRAM).run([1, 2, 3]).value == 6


def test_a_line_is_counted_where_it_stands():
    moved = interpreter.program(PROGRAM.replace("    total = 0\n", "    total = 0\n    values = values[1:]\n"))
    assert interpreter.program(PROGRAM).run([1, 2, 3]).counts[4] == 3
    assert (moved.run([1, 2, 3]).counts[4], moved.run([1, 2, 3]).counts[5]) == (3, 2)


def test_the_same_line_reads_the_names_of_its_own_function():
    inner = "def solve(values):\n    def part():\n        {}total = 1\n        return total\n    total = 5\n    return part() + total\n"
    assert interpreter.program(inner.format("")).run([]).value == 6
    assert interpreter.program(inner.format("nonlocal total; ")).run([]).value == 2


def test_a_run_leaves_nothing_behind_for_the_next():
    program = interpreter.program(PROGRAM)
    assert [program.run([k]).steps for k in range(3)] == [program.run([9]).steps] * 3


def test_an_unknown_name_is_a_name_error_and_an_unset_one_an_unbound_local():
    unset = interpreter.program("def solve(values):\n    if values:\n        total = 1\n    return total\n")
    assert unset.run([]).raised.kind == "UnboundLocalError"
    assert unset.run([1]).value == 1
