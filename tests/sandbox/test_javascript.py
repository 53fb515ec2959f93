"""Programs in JavaScript, run by the embedded engine under the same confinement."""

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import Raised, Returned, SandboxError, Stop
from rlgym.sandbox.grading import grade, same_json
from rlgym.sandbox.process import ProcessRunner


@pytest.fixture(scope="module")
def runner():
    try:
        with ProcessRunner(Limits(seconds=1)) as runner_:
            if "javascript" not in runner_.languages:
                pytest.skip("no JavaScript engine is installed")
            yield runner_
    except SandboxError as why:
        pytest.skip(str(why))


@pytest.mark.parametrize(
    "program",
    [
        "function solve(a, b) { return [a + b, {b}]; }",
        "const solve = (a, b) => [a + b, {b: b}];",
        "solve = function (a, b) { return [a + b, {b}]; }",
    ],
)
def test_functions_are_called_with_plain_data(runner, program):
    result = runner.run(program, [(1, 2), ("x", "y")], language="javascript")
    assert result.outputs == (Returned([3, {"b": 2}]), Returned(["xy", {"b": "y"}]))
    assert result.stopped_by is Stop.FINISHED


@pytest.mark.parametrize(
    ("program", "stop"),
    [
        ("while (true) {}", Stop.TIME),
        ("function solve() { while (true) {} }", Stop.TIME),
        ("let a = []; while (true) a.push('x'.repeat(1 << 20));", Stop.MEMORY),
        ("function solve( {", Stop.ERROR),
        ("let x = 5;", Stop.ERROR),
        ("import * as os from 'os';", Stop.ERROR),
        ("require('fs')", Stop.ERROR),
    ],
)
def test_what_goes_wrong_is_said_and_nothing_is_lost(runner, program, stop):
    result = runner.run(program, [(1,)], language="javascript")
    assert result.stopped_by in (stop, Stop.ERROR if stop is Stop.MEMORY else stop)
    assert not any(isinstance(answer, Returned) for answer in result.outputs)
    assert runner.run("function solve(x) { return x; }", [(7,)], language="javascript").outputs == (Returned(7),)


def test_exceptions_belong_to_one_input(runner):
    result = runner.run("function solve(x) { if (x < 0) throw new Error('no'); return x; }", [(-1,), (1,)], language="javascript")
    assert isinstance(result.outputs[0], Raised)
    assert "no" in result.outputs[0].reason
    assert result.outputs[1] == Returned(1)


@pytest.mark.parametrize(
    "program",
    [
        "JSON.stringify = () => '[5]'; function solve(a) { return 0; }",
        "Object.prototype.toJSON = function () { return 5; }; function solve(a) { return {}; }",
        "console.log('passed'); function solve(a) {}",
        "function solve(a) { return { toJSON() { return true; } }; }",
    ],
)
def test_no_trick_is_paid(runner, program):
    assert not grade(runner, program, [((1,), 6), ((2,), 7)], language="javascript").right


def test_deep_recursion_ends_the_call_only(runner):
    result = runner.run(
        "function f(n) { return f(n + 1); } function solve(x) { return x ? f(0) : 1; }", [(1,), (0,)], language="javascript"
    )
    assert isinstance(result.outputs[0], Raised)
    assert result.outputs[1] == Returned(1)


def test_numbers_are_compared_as_json_has_them(runner):
    assert grade(runner, "function solve(x) { return x / 2; }", [((4,), 2), ((5,), 2.5)], language="javascript").right
    assert same_json([1.0, (2,)], [1, [2]])
    assert not same_json([1, True], [1, 1])


def test_an_unknown_language_is_refused(runner):
    with pytest.raises(SandboxError, match="cobol"):
        runner.run("", language="cobol")
