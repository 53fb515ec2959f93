"""Whatever stands where an answer should, every environment that runs programs gives a verdict: it never raises, and never masks."""

import json

import pytest
from thinning import thinned

import rlgym
from rlgym.core.limits import Limits
from rlgym.episode import play
from rlgym.registry import environment
from rlgym.sandbox.interface import Job, Raised, Returned, Runner, RunResult, Stop

DEEP = [[[[[[[[1]]]]]]]]
VALUES = (
    *(None, True, 0, -1, 10**5000, 0.5, float("nan"), float("inf"), "", "x", "\x1b[2J", b"\xff", (), [], {}, frozenset()),
    *(
        [1],
        [[]],
        [()],
        [(1,)],
        [(1, 2)],
        [("a", 1)],
        [("a", "b", "c")],
        [["a"]],
        [None],
        ["ab"],
        [{"a": 1}],
        DEEP,
        (1, 2),
        {1: [2]},
        {"a": None},
    ),
)
NAMES = [name for name in rlgym.names() if getattr(environment(name), "sandbox", None)]


class Odd(Runner):
    """Answers every input with one value, or some of them, or none."""

    def __init__(self, outputs):
        self.outputs = outputs

    def run_job(self, job: Job, limits: Limits | None = None) -> RunResult:
        outputs = self.outputs(len(job.inputs))
        stop = Stop.FINISHED if len(outputs) == len(job.inputs) else Stop.TIME
        return RunResult("", "\x1b[2J", outputs, 0, stop)

    def close(self) -> None:
        pass


RUNNERS = {
    **{f"every answer is {value!r:.30}": Odd(lambda n, value=value: (Returned(value),) * n) for value in VALUES if value != 10**5000},
    "every answer is a huge number": Odd(lambda n: (Returned(10**5000),) * n),
    "no answer": Odd(lambda n: ()),
    "all but one answer": Odd(lambda n: (Returned(0),) * max(0, n - 1)),
    "exceptions": Odd(lambda n: (Raised("E", "\x1b[2J"),) * n),
    "by turns": Odd(lambda n: tuple(Raised("E", "") if i % 2 else Returned([1]) for i in range(n))),
}
TOOLS = {
    "repo_fix": [{"tool": "run_tests", "arguments": {}}, {"tool": "submit", "arguments": {}}],
    "black_box_function": [{"tool": "ask", "arguments": {"values": [1]}}, {"tool": "submit", "arguments": {"program": "solve = 1"}}],
}


@pytest.mark.parametrize("name", thinned(NAMES))
def test_no_value_makes_a_verdict_fail(name, monkeypatch):
    declared, task = environment(name), rlgym.task(name, 3, level=0.3)
    if name in TOOLS:
        response = [f"<answer>{json.dumps(call)}</answer>" for call in TOOLS[name]]
    elif isinstance(declared, rlgym.Game):
        response = [declared.answer.render_response(declared.best(task.data), "tag")]
    else:
        response = declared.answer.render_response(declared.solve(task), "tag")
    for what, runner in RUNNERS.items():
        monkeypatch.setattr(play, "runner_for", lambda declared, runner=runner: runner)
        score = rlgym.score(task, response)
        assert not score.masked, (what, score)


# Texts of which a grader that reads them itself may choke, and that no machine is to blame for.
TEXTS = {
    "a lone surrogate": "def solve(*a):\n    return '\ud800'",
    "a lone surrogate in a name": "def solve\udc80(*a):\n    return 1",
    "NUL": "def solve(*a):\n    return 1\0",
    "deep": "solve = " + "(" * 5000 + "1" + ")" * 5000,
    "a deep list": "[" * 2000 + "]" * 2000,
    "long": "solve = '" + "x" * (1 << 20) + "'",
    "a huge number": "solve = " + "9" * 5000,
    "a huge number in hexadecimal": "[0x" + "f" * 9000 + "]",
    "complex": "[1j, 2]",
    "an ellipsis": "[...]",
    "tabs and spaces": "def solve(a):\n\tif a:\n        return 1\n",
}


@pytest.mark.parametrize("name", thinned(NAMES))
def test_no_text_makes_a_verdict_fail(name, monkeypatch):
    task = rlgym.task(name, 3, level=0.3)
    monkeypatch.setattr(play, "runner_for", lambda declared: Odd(lambda n: ()))
    for what, text in TEXTS.items():
        score = rlgym.score(task, f"<answer>{text}</answer>")
        assert not score.masked, (what, score)
        assert score.value == 0
