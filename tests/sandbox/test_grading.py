"""Comparing what programs return, and the feedback for the model."""

import sys

import pytest

from rlgym.core.errors import SandboxMissing
from rlgym.core.limits import Limits
from rlgym.sandbox import SandboxError, Stop, get_runner
from rlgym.sandbox.grading import grade, same_value


@pytest.mark.parametrize(
    ("given", "expected", "equal"),
    [
        *((1, 1, True), (1, True, False), (True, 1, False), (1, 1.0, False), (0.1 + 0.2, 0.3, True), (1e-3, 2e-3, False)),
        *(
            ([1, 2], [1, 2], True),
            ((1, 2), [1, 2], False),
            ([1, True], [1, 1], False),
            ([1], [1, 2], False),
            ("a", "a", True),
            ("1", 1, False),
        ),
        *(
            (frozenset({1}), {1}, True),
            (frozenset({True}), {1}, False),
            ({"a": [1]}, {"a": [1]}, True),
            ({1: 2}, {True: 2}, False),
            ({"a": 1}, {"a": True}, False),
            (frozenset({(1.0, True)}), {(1, 1)}, False),
            (frozenset({(1, 1)}), {(1, 1)}, True),
            (frozenset({(1, (True,))}), {(1, (1,))}, False),
            (frozenset({frozenset({1.0})}), {frozenset({1})}, False),
            (frozenset({frozenset({1})}), {frozenset({1})}, True),
            ({(1, 2): 3}, {(True, 2): 3}, False),
            ({frozenset({(1,)}): 3}, {frozenset({(1.0,)}): 3}, False),
            ({(1, frozenset({2})): [3]}, {(1, frozenset({2})): [3]}, True),
            ([frozenset({(0,)})], [{(False,)}], False),
            (frozenset({(0, 0.0)}), {(0, -0.0)}, True),
        ),
        *(
            (None, None, True),
            (0, None, False),
            (float("nan"), float("nan"), False),
            (float("inf"), float("inf"), True),
            (b"a", "a", False),
        ),
    ],
)
def test_values_are_compared_with_their_types(given, expected, equal):
    assert same_value(given, expected) is equal


@pytest.fixture(scope="module")
def shared():
    try:
        return get_runner(Limits(seconds=1))
    except (SandboxMissing, SandboxError) as why:
        pytest.skip(str(why))


CASES = [((2, 3), 5), ((-1, 1), 0), ((10**30, 1), 10**30 + 1)]


def test_grades(shared):
    assert grade(shared, "def solve(a, b):\n    return a + b", CASES).right
    wrong = grade(shared, "def solve(a, b):\n    return a + b if a > 0 else None", CASES)
    assert wrong.passed == (True, False, True)
    assert wrong.reason == "test 2 of 3 returns another value than expected"
    raising = grade(shared, "def solve(a, b):\n    return a // (b - 1)", CASES)
    assert raising.reason.startswith("test 1 of 3 returns")
    ended = grade(shared, "import os\ndef solve(a, b):\n    if a < 0: os._exit(0)\n    return a + b", CASES)
    assert (ended.passed, ended.stopped_by) == ((True, False, False), Stop.ERROR)
    for junk in ("", "return 5", "I am sure", "solve = 5", "def solve(): return 5", "\0", "def solve(a, b):\n    print('5')"):
        graded = grade(shared, junk, CASES)
        assert not any(graded.passed), junk
        assert "5" not in graded.reason.replace("test 1 of 3", ""), graded.reason


def test_the_chosen_backend(monkeypatch):
    monkeypatch.setenv("RLGYM_SANDBOX", "nowhere")
    with pytest.raises(SandboxMissing, match="is not a backend"):
        get_runner(Limits())


@pytest.mark.skipif(sys.platform != "linux", reason="the tiers are those of Linux")
def test_doctor_says_what_is_not_stopped():
    from rlgym.cli.sandbox import examined

    report = examined()
    assert set(report) == {"A", "B", "C", "docker"}
    assert report["docker"]["starts"] or report["docker"]["why"]
    # The tier that promises nothing must be seen not to stop something, or the attacks prove nothing.
    assert not all(report["C"]["stops"].values())
    for tier in "AB":
        assert not report[tier]["starts"] or all(report[tier]["stops"].values())
