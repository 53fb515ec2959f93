"""What the programs of the code environments do is what their steps mean, and what is said of them holds."""

import ast

import pytest

import rlgym
from rlgym import Limits, Rng
from rlgym.core.errors import SandboxMissing
from rlgym.generators.programs import mutants, pipelines
from rlgym.generators.programs.list_ends import ENDS
from rlgym.generators.programs.list_steps import STEPS
from rlgym.sandbox import Returned, get_runner
from rlgym.sandbox.grading import parse_case


@pytest.fixture(scope="module")
def sandbox():
    try:
        return get_runner(Limits(seconds=5))
    except SandboxMissing as why:
        pytest.skip(str(why))


@pytest.mark.parametrize("maker", [*STEPS, *ENDS], ids=lambda maker: maker.__name__)
def test_a_step_does_in_both_ways_what_it_means(sandbox, maker):
    for seed in range(12):
        step = maker(Rng("step", seed))
        inputs = pipelines.inputs(Rng("inputs", seed), 60)
        for code, meaning in ((step.code, step.meaning), (step.other, step.meaning), *step.near):
            expected = []
            for (values,) in inputs:
                try:
                    expected.append(repr(meaning(list(values))))
                except (ArithmeticError, LookupError, TypeError, ValueError):
                    expected.append("raises")
            found = sandbox.run(pipelines.program([code]), inputs).outputs
            assert [repr(answer.value) if isinstance(answer, Returned) else "raises" for answer in found] == expected, code


def test_mutants_are_programs_that_differ():
    source = pipelines.sample(Rng("mutants", 1), pipelines.Knobs.at(1.0)).reference
    found = mutants.mutants(source)
    assert len(found) == len(set(found)) > 20
    for text in found:
        ast.parse(text)
        assert text != ast.unparse(ast.parse(source))
    assert len(mutants.mutants(source, 7)) == 7


CHEATS = {
    "prints the verdict": "def solve(values):\n    print('passed')",
    "equals everything": "class E(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\ndef solve(values):\n    return E(0)",
    "ends well": "import os\ndef solve(values):\n    os._exit(0)",
    "looks at frames": "import sys\ndef solve(values):\n    return [v for f in [sys._getframe(1)] for v in f.f_locals.values()][-1]",
    "returns a generator": "def solve(values):\n    yield 0",
    "deep": "def solve(values):\n    x = []\n    for _ in range(100000): x = [x]\n    return x",
    "huge": "def solve(values):\n    return 10 ** 10000000",
    "recursion": "def solve(values):\n    return solve(values)",
    "nested": f"def solve(values):\n    return {'(' * 150}0{')' * 150}",
    "not python": "const solve = values => 0;",
}


@pytest.mark.parametrize("name", ["function_from_tests", "repair_bug", "induce_program", "shorter_program"])
@pytest.mark.parametrize("cheat", CHEATS)
def test_no_trick_is_paid(sandbox, name, cheat):
    declared = rlgym.environment(name)
    task = rlgym.task(name, seed=3, level=0.5)
    score = rlgym.score(task, declared.answer.render_response(CHEATS[cheat], "tag"))
    assert score.value == 0
    assert not score.masked, score.reason
    assert score.reason


RUN_TEXTS = {
    "imported exec": "from builtins import exec as run\nrun({0!r})",
    "builtins": "import builtins\nbuiltins.exec({0!r})",
    "an interpreter": "import code\ni = code.InteractiveInterpreter()\ni.runsource({0!r}, symbol='exec')\nsolve = i.locals['solve']",
    "a frame": "(v for v in '').gi_frame.f_builtins['exec']({0!r})",
    "a pattern": "match (v for v in ''):\n    case object(gi_frame=object(f_builtins=b)): b['exec']({0!r})",
    "an annotation": "from functools import singledispatch as s\ns(print).register(lambda x: x)",
    "another module": "import collections\ncollections._sys.modules['builtins'].exec({0!r})",
    "the globals of another module": "import functools, collections\nfunctools.update_wrapper(f := lambda: 0, collections.namedtuple, (), ['__globals__'])\n"
    "m = _sys.modules\nm['string'].Formatter().get_field('0.exec', [m['builtins']], {{}})[0]({0!r})",
}


@pytest.mark.parametrize("way", RUN_TEXTS)
def test_a_program_in_a_text_does_not_count_as_short(sandbox, way):
    task = rlgym.task("shorter_program", seed=3, level=0.5)
    score = rlgym.score(task, f"<answer>{RUN_TEXTS[way].format(task.data.long)}</answer>")
    assert score.value == 0
    assert "may not be" in score.reason


def test_parts_tell_which_tests_passed(sandbox):
    declared = rlgym.environment("function_from_tests")
    task = rlgym.task("function_from_tests", seed=3, level=0.5)
    half = next(text for text in task.data.wrong if 0 < sum(declared.verify(task, text, sandbox).parts.values()) < len(task.data.tests))
    score = declared.verify(task, half, sandbox)
    assert len(score.parts) == len(task.data.tests)
    arguments, expected = parse_case(task.data.tests[0])
    assert set(score.parts.values()) == {0.0, 1.0}
    assert repr((arguments, expected)) == repr((ast.literal_eval(task.data.tests[0][0]), ast.literal_eval(task.data.tests[0][1])))


def test_a_repository_is_not_mended_by_its_tests(sandbox):
    env = rlgym.make("repo_fix", level=0.3)
    env.reset(seed=1)
    gut = '{"tool": "edit_file", "arguments": {"path": "tests/test_run.py", "old": "    assert got == wanted", "new": "    assert True"}}'
    observation, *_ = env.step(f"<answer>{gut}</answer>")
    assert "was edited" in observation
    observation, *_ = env.step('<answer>{"tool": "run_tests", "arguments": {}}</answer>')
    assert "fails" not in observation
    *_, terminated, _, info = env.step('<answer>{"tool": "submit", "arguments": {}}</answer>')
    assert terminated
    assert info["score"].value == 0
    assert info["score"].parts["submitted"] == 1
    assert info["score"].parts["changed"] == 0
