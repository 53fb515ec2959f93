"""Solutions checked by programs of the same thought, on a simulated model and the real sandbox."""

import json

import pytest
from evaluate.test_strategies import SUITE, Simulated, ran

from rlgym.core.errors import SandboxMissing
from rlgym.core.limits import Limits
from rlgym.evaluate.strategies.programs import TRANSLATE
from rlgym.sandbox import get_runner

SMALL = SUITE.first(4)


@pytest.fixture(scope="module", autouse=True)
def sandbox():
    try:
        get_runner(Limits())
    except SandboxMissing:
        pytest.skip("no sandbox here")


class Translator(Simulated):
    """Wrong in two of three samples, always with the same answer, of which its program says that the thought leads elsewhere."""

    def __init__(self, program):
        super().__init__(rows=SMALL.rows)
        self.program, self.count = program, 0

    def reply(self, messages, key):
        oracle = self.answers[messages[0]["content"]]
        if messages[-1]["content"] == TRANSLATE:
            value = oracle.removeprefix("<answer>").removesuffix("</answer>")
            return self.program(value, messages[1]["content"] == oracle)
        self.count += 1
        return oracle if self.count % 3 == 0 else "<answer>77777</answer>"


def fenced(program):
    return f"Here it is:\n```python\n{program}\n```"


def accuracy(tmp_path, program, **options):
    facts = ran(tmp_path, "program_filter,majority", Translator(program), {"n": 12, **options}, SMALL)["strategies"]
    return facts["program_filter"]["accuracy"], facts["majority"]["accuracy"]


def test_solutions_whose_program_disagrees_are_dropped(tmp_path):
    filtered, majority = accuracy(tmp_path, lambda value, right: fenced(f"total = {value}\nprint(total)"))
    assert (filtered, majority) == (1.0, 0.0)
    rows = [json.loads(line) for line in (tmp_path / "run" / "strategies.jsonl").read_text().splitlines()]
    # Equal texts share a program: 12 samples and 2 programs.
    assert {row["calls"] for row in rows if row["strategy"] == "program_filter"} == {14}


def test_programs_that_fail_decide_nothing_unless_they_are_to_be_dropped(tmp_path):
    fails = {True: "1 / 0", False: "raise SystemExit(3)"}
    assert accuracy(tmp_path / "kept", lambda value, right: fenced(fails[right]))[0] == 0.0
    only_right = lambda value, right: fenced(f"print({value})") if right else "I cannot."  # noqa: E731
    assert accuracy(tmp_path / "keep", only_right)[0] == 0.0
    assert accuracy(tmp_path / "drop", only_right, failed="drop")[0] == 1.0


def test_where_no_solution_is_left_all_are_voted_on(tmp_path):
    filtered, majority = accuracy(tmp_path, lambda value, right: fenced("print(-123456)"))
    assert filtered == majority == 0.0
