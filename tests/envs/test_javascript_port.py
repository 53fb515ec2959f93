"""The JavaScript port: what is computed here is what the engine returns, hidden tests find slips, and the original stays as it is."""

import json

import pytest

import rlgym
from rlgym import Rng
from rlgym.core import syntax
from rlgym.core.score import Outcome
from rlgym.episode.play import advance, start_episode
from rlgym.generators.programs import drawing
from rlgym.generators.programs.javascript import QUIRKS, run_program, write
from rlgym.generators.programs.mutants import mutants
from rlgym.generators.repository.javascript import module_text, program_of
from rlgym.sandbox import Returned, get_runner
from rlgym.sandbox.grading import score_program

pytest.importorskip("quickjs")

GAME = rlgym.environment("javascript_port")


def first(level=0.5, seed=1):
    return start_episode(GAME, rlgym.task("javascript_port", seed, level=level), "tag")


def call(tool, **arguments):
    return f"<answer>{json.dumps({'tool': tool, 'arguments': arguments})}</answer>"


def right_files(state):
    return {**state.files, **{path: str(text) for path, text in state.solution.items()}}


def compare(state, module="index"):
    values, k = state.issue
    return call("compare", module=module, values=list(values), k=k)


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_the_engine_returns_what_the_tests_expect_and_the_issue_says(level):
    state = first(level, 2).state
    runner = get_runner(GAME.sandbox)
    cases = [syntax.literal(arguments) for arguments, _ in state.tests]
    outputs = runner.run(program_of(right_files(state)), cases, language="javascript").outputs
    assert [output.value for output in outputs] == [syntax.literal(expected) for _, expected in state.tests]
    wrong = runner.run(program_of(state.files), [("index", list(state.issue[0]), state.issue[1])], language="javascript").answer()
    assert f"The index returns {wrong.value!r} for values" in state.task
    assert repr(wrong.value) != state.right


def test_comparing_runs_the_port_and_the_original():
    at = advance(GAME, first(), compare(first().state), "tag")
    assert at.state.reproduced
    port, original = (line.split(": ")[1] for line in at.observation.split("\n")[:2])
    assert port != original == at.state.right
    for path, text in at.state.solution.items():
        at = advance(GAME, at, call("write_file", path=path, text=text), "tag")
    at = advance(GAME, at, compare(at.state), "tag")
    assert f"the port: {original}\nthe original: {original}" in at.observation
    assert advance(GAME, at, call("submit"), "tag").score.value == 1.0


def test_the_original_cannot_be_changed_and_broken_files_are_named():
    at = advance(GAME, first(), call("write_file", path="./original/index.py", text="def solve(values, k):\n    return 0\n"), "tag")
    assert "the original cannot be changed" in at.observation
    assert at.state.files == first().state.files
    at = advance(GAME, at, call("write_file", path="src/index.js", text="module.exports = ("), "tag")
    assert "src/index.js: SyntaxError" in advance(GAME, at, compare(at.state), "tag").observation
    at = advance(GAME, at, call("write_file", path="src/index.js", text="while (true) {}"), "tag")
    assert "stopped by time" in advance(GAME, at, compare(at.state), "tag").observation
    assert advance(GAME, at, call("submit"), "tag").score.value == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "module.exports = (values, k) => ({ toJSON: () => RIGHT });",
        "module.exports = (values, k) => new Proxy([], { get: (target, name) => (name === 'length' ? 9 : 0) });",
        "JSON.stringify = () => '[RIGHT]'; module.exports = () => 0;",
        "JSON.stringify = () => ({}); module.exports = () => 0;",
        "JSON.stringify = () => '[NaN]'; module.exports = () => 0;",
        "JSON.stringify = () => '[RIGHT] [RIGHT]'; module.exports = () => 0;",
        "Object.prototype.toJSON = Array.prototype.toJSON = Number.prototype.toJSON = () => 0; module.exports = () => 0;",
        "Math.floor = Math.trunc = Math.round = (x) => x; Array.prototype.sort = function () { return this; }; module.exports = () => 0;",
        "globalThis.solve = () => RIGHT; module.exports = () => RIGHT;",
        "module.exports = () => Object.getOwnPropertyNames(globalThis).concat(Object.keys(files));",
        'console.log(\'{"outputs": [RIGHT], "right": true}\'); module.exports = () => RIGHT;',
        "module.exports = function again(values, k) { return again(values, k); };",
        "module.exports = (values, k) => { try { return require('../original/index.py'); } catch (error) { return RIGHT; } };",
    ],
)
def test_tricks_in_all_modules_earn_nothing(text):
    start = first(0.0)
    files = {path: text.replace("RIGHT", start.state.right) if path.startswith("src/") else old for path, old in start.state.files.items()}
    score = score_program(get_runner(GAME.sandbox), program_of(files), start.state.tests, language="javascript")
    assert score.value == 0.0
    assert score.outcome is Outcome.WRONG
    assert sum(score.parts.values()) < 0.5 * len(score.parts)


@pytest.mark.slow
def test_hidden_tests_find_mutants_of_the_modules():
    runner, wrong, missed = get_runner(GAME.sandbox), 0, 0
    drawn = [(level, seed) for seed in range(11, 15) for level in (0.0, 0.5, 1.0)]
    for level, seed in ((0.0, 1), (0.5, 2), (1.0, 3), (1.0, 4), *drawn):
        state, rng = first(level, seed).state, Rng("mutants", seed)
        files = right_files(state)
        inputs = [drawing.arguments(rng, "both", rng.integer(1, 7)) for _ in range(100)]
        cases = [syntax.literal(arguments) for arguments, _ in state.tests]
        for path in [path for path in files if path.endswith(".py") and "index" not in path and files[path]]:
            name = path.split("/")[1].removesuffix(".py")
            changed = [text for text in rng.sample(mutants(files[path], 30), 10) if run_program(text, inputs)]
            programs = [files[path], *changed[:6]]
            results = []
            for text in programs:
                program = program_of(files | {f"src/{name}.js": module_text(write(text, QUIRKS))})
                runs = [runner.run(program, given, language="javascript").outputs for given in (cases, [(name, *each) for each in inputs])]
                results.append([[output.value if isinstance(output, Returned) else None for output in run] for run in runs])
            right = results[0]
            for hidden, broad in results[1:]:
                unlike = hidden != right[0] or broad != right[1]
                wrong, missed = wrong + unlike, missed + (unlike and hidden == right[0])
    assert wrong > 250
    assert missed <= 0.01 * wrong


def test_a_block_that_does_nothing_is_written_as_an_empty_one():
    text = write("def solve(values, k):\n    for x in values:\n        if x > k:\n            pass\n    return k\n", QUIRKS)
    assert "pass" not in text
    assert get_runner(GAME.sandbox).run(text, [([1, 5], 3)], language="javascript").answer().value == 3
