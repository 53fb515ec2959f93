"""docs/systems.md is generated from docs/systems.yaml, and everything that the facts name exists."""

import copy
import importlib.util
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the registries of the trainer need torch")

ROOT = Path(__file__).parents[1]


def _script():
    spec = importlib.util.spec_from_file_location("systems_script", ROOT / "scripts" / "systems.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = _script()


@pytest.fixture(scope="module")
def facts():
    return script.read_facts()


def test_everything_that_the_facts_name_exists(facts):
    assert script.problems(facts) == []


def test_the_page_is_generated_from_the_facts(facts):
    assert script.PAGE.read_text(encoding="utf-8") == script.page(facts), "run `python scripts/systems.py`"


def test_the_summary_counts_the_rows_of_the_page(facts):
    page = script.page(facts)
    summary, _, tables = page.partition("\n## ")
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in tables.splitlines() if line.startswith("| ")]
    counted = Counter(row[1] for row in rows if row[1] in script.STATES)
    counts = [[int(cell) for cell in line.strip("| ").split("|")[1:]] for line in summary.splitlines() if line.startswith(("| [", "| all"))]
    assert counts[-1] == [counted[state] for state in script.STATES] == [sum(column) for column in zip(*counts[:-1], strict=True)]
    assert f"lists {sum(counts[-1])} of them" in page


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("command", "rlgym eval run --samples", "rlgym eval run --sample"),
        ("command", "rlgym eval compare", "rlgym eval contrast"),
        ("command", "rlgym list", "gym list"),
        ("field", "algorithm.hint_fraction", "algorithm.hint_share"),
        ("field", "algorithm.hint_fraction: 0.5", "algorithm.hint_fraction: 1.5"),
        ("field", "tasks.levels: {window: 16}", "tasks.levels: {windows: 16}"),
        ("field", "sft: {steps: 3}", "sft: {steps: none}"),
        ("advantage", "capo", "cappo"),
        ("loss", "topr", "grpo"),
        ("reward", "flawed_positive", "topr"),
        ("filter", "solve_rate", "solve"),
        ("curriculum", "weakness", "strength"),
        ("environment", "sat_assignment", "sat_assignments"),
        ("environment", "chain_sum:grade", "higher_lower:grade"),
        ("derived", "try_again", "try"),
        ("python", "rlgym.solutions.find_steps", "rlgym.solutions.find_step"),
        ("python", "rlgym.Env.hint", "rlgym.Env.hints"),
        ("export", "dpo", "ppo"),
        ("check", "master_keys", "master_key"),
        ("law", "mutation_score", "mutation"),
        ("metric", "flawed_positive_rate", "flawed_positive_rates"),
        ("page", "equivalence.md", "equivalences.md"),
        ("recipe", "dapo", "dappo"),
    ],
)
def test_a_wrong_reference_is_found(facts, kind, right, wrong):
    assert script.EXISTS[kind](right)
    planted = copy.deepcopy(facts)
    row = next(row for row in script.systems(planted) if row["state"] == "works")
    row["reach"].append({kind: wrong})
    assert script.problems(planted) == [f"{row['system']}: there is no {kind} {wrong!r}"]


@pytest.mark.parametrize(
    "test", ["test_cli.py::test_no_such_function", "no_file.py::test_no_such_function", "test_cli.py", "test_rooms.py::ROOT"]
)
def test_a_test_that_does_not_exist_is_found(facts, test):
    assert script.test_exists("test_cli.py::test_version_is_printed")
    planted = copy.deepcopy(facts)
    row = next(row for row in script.systems(planted) if row["state"] == "works")
    row["tests"].append(test)
    assert script.problems(planted) == [f"{row['system']}: there is no test {test!r}"]


def test_where_a_test_has_moved_is_said(facts):
    planted = copy.deepcopy(facts)
    row = next(row for row in script.systems(planted) if row["state"] == "works")
    row["tests"].append("test_rooms.py::test_version_is_printed")
    (problem,) = script.problems(planted)
    assert problem.endswith("; it is in test_cli.py")


def _works_without_a_test(row):
    row["tests"] = []


def _works_with_something_missing(row):
    row["missing"] = "a part"


def _has_another_state(row):
    row["state"] = "almost"


def _has_another_key(row):
    row["teests"] = []


def _has_another_kind(row):
    row["reach"] = [{"wish": "granted"}]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_works_without_a_test, "has `reach` and `tests`"),
        (_works_with_something_missing, "has nothing `missing`"),
        (_has_another_state, "'almost'"),
        (_has_another_key, "unknown keys teests"),
        (_has_another_kind, "'wish' is no kind of reference"),
    ],
)
def test_a_row_that_lacks_what_its_state_needs_is_found(facts, change, message):
    planted = copy.deepcopy(facts)
    row = next(row for row in script.systems(planted) if row["state"] == "works")
    change(row)
    assert any(message in problem for problem in script.problems(planted))


def test_a_system_that_is_listed_twice_is_found(facts):
    planted = copy.deepcopy(facts)
    planted["themes"][0]["systems"].append(planted["themes"][1]["systems"][0])
    assert len(script.problems(planted)) == 1
