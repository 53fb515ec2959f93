"""The list of slow tests names tests that exist."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LINES = TESTS.joinpath("slow_tests.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", LINES)
def test_every_line_names_a_test(line):
    file, _, test = line.partition("::")
    defined = {
        node.name for node in ast.parse(Path(TESTS.parent, file).read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)
    }
    assert test.partition("[")[0] in defined
    assert line.startswith("tests/")


def test_the_list_is_sorted_and_marks_its_tests(request):
    assert sorted(set(LINES)) == LINES
    listed = [item for item in request.session.items if item.nodeid in LINES]
    assert all(item.get_closest_marker("slow") for item in listed)
