"""Our interpreter does what Python does: the same values, exceptions, and lines done the same number of times."""

import ast
import re
import sys
from collections import Counter
from copy import deepcopy

import pytest

from rlgym import Rng
from rlgym.answers.literal import value_of
from rlgym.generators.programs import counting, drawing, faults, grammar, guards, hazards, interpreter, typed
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.domains import Domain
from rlgym.generators.programs.grammar import KINDS
from rlgym.generators.programs.grammar_expressions import Shape

# Python says nothing of a line that only opens `try`, and looks at it at most once.
UNCOUNTED = ("try:", "else:", "finally:")


def by_python(source, arguments):
    """What Python itself makes of a program that was drawn here: value, exception with its line, how often each line is done."""
    counts = Counter()

    def trace(frame, event, argument):
        if frame.f_code.co_filename != "drawn" or frame.f_code.co_name.startswith("<"):
            return None
        if event == "line":
            counts[frame.f_lineno] += 1
        return trace

    names = {}
    exec(compile(source, "drawn", "exec"), names)  # noqa: S102  the program was drawn here
    sys.settrace(trace)
    try:
        value, raised = names["solve"](*deepcopy(arguments)), None
    except Exception as error:
        place = error.__traceback__
        while place.tb_next is not None:
            place = place.tb_next
        value, raised = None, (type(error).__name__, place.tb_lineno)
    finally:
        sys.settrace(None)
    return value, raised, counts


def by_us(source, arguments):
    program = interpreter.program(source)
    top = {node.lineno for node in ast.parse(source).body}
    ended = drawing.run(program, arguments)
    raised = ended.raised and (ended.raised.kind, ended.raised.line)
    return ended.value, raised, Counter({line: count for line, count in ended.counts.items() if line not in top})


def plain(source, counts):
    lines = source.split("\n")
    left_out = {number for number, line in enumerate(lines, 1) if line.strip() in UNCOUNTED}
    if sys.version_info >= (3, 12):  # since then a line with a comprehension is reported again when the comprehension is over
        left_out |= {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp)}
    return {line: count for line, count in counts.items() if line not in left_out}


def same(source, arguments):
    ours, theirs = by_us(source, arguments), by_python(source, arguments)
    assert repr(ours[0]) == repr(theirs[0]), f"{source}\n{arguments}"
    assert ours[1] == theirs[1], f"{source}\n{arguments}"
    assert plain(source, ours[2]) == plain(source, theirs[2]), f"{source}\n{arguments}"


@pytest.mark.parametrize("takes", ["list", "numbers", "both"])
@pytest.mark.parametrize("level", range(4))
def test_drawn_programs_do_what_python_makes_them_do(takes, level):
    compared = 0
    for seed in range(25):
        rng = Rng("drawn", takes, level, seed)
        source = grammar.program(rng, Shape(takes, 1 + level, (3, 6, 9, KINDS)[level], level, level))
        for _ in range(3):
            try:
                same(source, drawing.arguments(rng, takes, 3 + 2 * level))
                compared += 1
            except Stopped:
                continue
    assert compared > 40


PROGRAMS = (
    """def solve(a):
    try:
        b = 10 // a
    except ZeroDivisionError:
        b = -1
    else:
        b += 5
    finally:
        a = 7
    return a, b
""",
    """def solve(a):
    for x in range(a):
        try:
            if x == 2:
                continue
            if x == 4:
                break
        finally:
            a += x
    return a
""",
    """def solve(a):
    def inner(b=2):
        nonlocal a
        a += b
        return lambda c: a + b + c
    return inner()(1), inner(3)(a), a
""",
    """def solve(a):
    if a > 3:
        b = a
    return b
""",
    """def solve(a):
    seen = {1: 2, 'x': [3]}
    seen['x'].append(a)
    del seen[1]
    return seen, seen.get(1), seen[a]
""",
    """def solve(a):
    values = [x * y for x in range(a) for y in range(x) if x + y != 3]
    values.remove(a)
    return values
""",
    """def solve(a):
    try:
        return int('12x'[a])
    except (IndexError, KeyError):
        raise ValueError('no')
    finally:
        a = 0
""",
    """def solve(a):
    while a > 0:
        a -= 2
        assert a != 1, 'one'
    else:
        a = 50
    return f'{a} left', a if a else -a
""",
    """def solve(a):
    x, y = [a, a + 1][:a]
    return {x, y}, x < y < 9, not x and y or 'z'
""",
    """def solve(a):
    return None + a
""",
    """def solve(a):
    total = 0
    for i, (x, y) in enumerate(zip([a, 2], 'ab')):
        total += i * x
    return total, sorted({'b': 1, 'a': 2}.items(), key=lambda pair: pair[1]), y
""",
)


@pytest.mark.parametrize("source", PROGRAMS, ids=range(len(PROGRAMS)))
def test_what_python_has_of_its_own_is_done_its_way(source):
    for value in range(7):
        same(source, (value,))


@pytest.mark.parametrize(
    "line", ["while True:\n        a += 1", "a = 9 ** 99 ** 9", "a = 'x' * 10 ** 9", "return solve(a)", "a = range(10 ** 9)", "import os"]
)
def test_what_is_unbounded_or_unknown_is_stopped(line):
    with pytest.raises(Stopped):
        interpreter.program(f"def solve(a):\n    {line}").run(1)


def test_nothing_of_pythons_inside_is_reached():
    ended = interpreter.program("def solve(a):\n    return a.__class__()").run(1)
    assert ended.raised is not None
    assert ended.raised.kind == "AttributeError"


@pytest.mark.parametrize("caught", [0, 60])
def test_lines_that_may_raise_raise_what_python_raises(caught):
    ends = Counter()
    for seed in range(60):
        rng = Rng("hazards", caught, seed)
        drawn = drawing.lively(rng, Shape("both", 2, KINDS, 1), inputs=3)
        source = hazards.with_hazards(rng, drawn.program.source, 4, hazards.KINDS, caught)
        for arguments in drawn.inputs:
            same(source, arguments)
            raised = by_us(source, arguments)[1]
            ends[raised and raised[0]] += 1
    assert len(ends) > 6
    assert ends[None] > 10


def test_operations_are_counted_wherever_they_stand():
    helper = "def twice(a):\n    return a + a\n\n"
    lines = (
        "total = [x - 1 for x in range(a + 1) if x + b > 3]",
        "b += 2",
        "kept = total",
        "kept += [b - a]",
        "return twice(b), len(total)",
    )
    source = helper + "\n    ".join(("def solve(a, b):", *lines))
    counted = {re.search(r"[-+*/%]+", operation.words)[0]: operation.number for operation in counting.operations(source, (4, 2))}
    # a + 1, five times x + b, b +=, kept +=, a + a; x - 1 for x from 2 to 4, and b - a.
    assert counted == {"+": 9, "-": 4, "*": 0, "//": 0, "%": 0}
    assert [call.number for call in counting.calls(source, (4, 2))] == [1]


def test_a_fault_changes_one_place_of_one_line():
    for seed in range(20):
        source = faults.normalize_source(drawing.lively(Rng("faults", seed), Shape("list", 3, KINDS, 2, 2), inputs=2).program.source)
        found = faults.faults(source)
        assert len({fault.source for fault in found}) == len(found)
        for fault in found:
            ast.parse(fault.source)
            changed = [
                i for i, (first, second) in enumerate(zip(source.split("\n"), fault.source.split("\n"), strict=True), 1) if first != second
            ]
            assert changed == [fault.line]


def test_a_program_of_numbers_written_otherwise_means_the_same():
    for seed in range(30):
        rng = Rng("rewritten", seed)
        drawn = drawing.lively(rng, Shape("numbers", 2, 3, 1, 2), inputs=6)
        source = faults.rewrite(rng, drawn.program.source, 70)
        ends = [drawing.run(interpreter.program(source), arguments).value for arguments in drawn.inputs]
        assert ends == [end.value for end in drawn.ends], source


def test_types_are_those_of_the_values_that_python_makes():
    for seed in range(40):
        rng = Rng("typed", seed)
        writing = typed.Writing(rng, [rng.integer(1, 30) for _ in range(4)], 4)
        for _ in range(14):
            rng.choice(typed.WAYS)(writing, 20)
        same(writing.source, (writing.values,))
        last = list(writing.types)[-1]
        assert typed.show(by_python(writing.source, (writing.values,))[0]) == writing.types[last]


@pytest.mark.parametrize("takes", ["list", "both", "numbers"])
def test_a_domain_reads_what_it_writes_and_nothing_else(takes):
    domain = Domain(takes, 1, 2, -1, 1)
    everything = list(domain.everything())
    assert len(everything) == {"list": 12, "both": 36, "numbers": 9}[takes]
    assert all(domain.read(value_of(domain.write(arguments))) == arguments for arguments in everything)
    assert all(domain.read(value_of(text)) is None for arguments in everything for text in domain.outside(arguments))
    assert all(
        domain.read(value_of(text)) is None for text in ("None", "[]", "(1, 2, 3)", "([], 1)", "(1, True)", "[True]", "'1'", "{1: 0}")
    )
    rng = Rng("domain", takes)
    assert all(item in everything for item in (domain.drawn(rng), domain.nearby(rng, everything[-1])))


def test_tests_that_are_rare_at_a_place_hold_there_in_runs():
    for seed in range(12):
        rng = Rng("guards", seed)
        drawn = drawing.lively(rng, Shape("both", 2, 8, 1), inputs=2)
        inputs = [drawing.arguments(rng, "both", 5) for _ in range(40)]
        place = guards.place(rng, drawn.program.source, inputs)
        found = guards.rare(rng, place, 2, 0.3) if place else None
        if place is None or found is None:
            continue
        tests, reached = found
        source = place.with_lines([f"if {tests[0].text} and {tests[1].text}:", "    raise ValueError"])
        ends = [by_us(source, arguments)[1] for arguments in inputs]
        assert [arguments for arguments, end in zip(inputs, ends, strict=True) if end] == reached
