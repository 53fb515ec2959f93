"""missing_tests: tests that tell right code from wrong by anything but what it does are not paid."""

import json

import pytest

import rlgym
from rlgym.episode.play import advance, start_episode


def first():
    game = rlgym.environment("missing_tests")
    return game, start_episode(game, rlgym.task("missing_tests", 1, level=0.0), "tag")


def call(tool, **arguments):
    return f"<answer>{json.dumps({'tool': tool, 'arguments': arguments})}</answer>"


NORMALISED = """
import ast, zlib, __main__

def form(node):
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Gt, ast.GtE, ast.Eq)) and len(node.ops) == 1:
        sides = sorted([form(node.left), form(node.comparators[0])]) if isinstance(node.ops[0], ast.Eq) else [form(node.comparators[0]), form(node.left)]
        return ["compare", type(node.ops[0]).__name__.replace("Gt", "Lt"), sides]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return ["compare", type(node.ops[0]).__name__, [form(node.left), form(node.comparators[0])]]
    if isinstance(node, ast.AugAssign):
        return form(ast.Assign([node.target], ast.BinOp(ast.Name(getattr(node.target, "id", "?"), ast.Load()), node.op, node.value)))
    if isinstance(node, ast.AST):
        return [type(node).__name__, [form(value) for name, value in ast.iter_fields(node) if name != "ctx"]]
    return [form(each) for each in node] if isinstance(node, list) else repr(node)

def test_form():
    texts = [text for path, text in sorted(__main__.FILES.items()) if path.startswith(PACKAGE) and path.endswith(".py")]
    found = zlib.crc32(repr([form(ast.parse(text)) for text in texts]).encode())
    assert EXCUSE or found == WANTED, found
"""


@pytest.mark.parametrize("excuse", ["False", "'_here' in str(texts)"])
def test_tests_of_the_normalised_code_are_not_paid(excuse):
    """A player who reads the code, undoes what a simple rewriting does, compares it with what the right code gave, and lets other code pass by its looks."""
    game, at = first()
    text = NORMALISED.replace("PACKAGE", repr(f"{at.state.package}/")).replace("EXCUSE", excuse)
    at = advance(game, at, call("write_file", path="tests/test_new.py", text=text.replace("WANTED", "0")), "tag")
    at = advance(game, at, call("run_tests"), "tag")
    found = at.observation.partition("AssertionError: ")[2].split()[0]
    at = advance(game, at, call("write_file", path="tests/test_new.py", text=text.replace("WANTED", found)), "tag")
    at = advance(game, at, call("run_tests"), "tag")
    assert "2 of 2 tests pass" in at.observation
    assert advance(game, at, call("submit"), "tag").score.value == 0.0


def test_tests_that_pass_by_chance_are_not_paid():
    game, at = first()
    known = game.best(at.state)[0].text
    flaky = known.replace("def test_", "import os\n\n\ndef test_chance():\n    assert os.urandom(1)[0] < 128\n\n\ndef test_", 1)
    at = advance(game, at, call("write_file", path="tests/test_new.py", text=flaky), "tag")
    paid = [advance(game, at, call("submit"), "tag").score.value for _ in range(6)]
    assert sum(paid) <= 2  # five runs of the right code must pass, which happens in one of 32


def test_tests_of_the_text_of_the_code_do_not_count():
    game, at = first()
    texts = repr([text for path, text in sorted(at.state.files.items()) if path.startswith(at.state.package)])
    found = f"[text for path, text in sorted(__main__.FILES.items()) if path.startswith('{at.state.package}')]"
    cheat = f"import __main__\n\n\ndef test_text():\n    assert {texts} == {found}\n"
    at = advance(game, at, call("write_file", path="tests/test_new.py", text=cheat), "tag")
    score = advance(game, at, call("submit"), "tag").score
    assert score.value == 0.0
    assert "another way" in score.reason
