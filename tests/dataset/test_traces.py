"""Traces of searches: every statement is true at its place, as a checker of its own finds; they show the behaviours that are asked for."""

import json

import pytest
from dataset.trace_checker import ASSIGNED, GRIDS, MOVES, SIGNS, check_assignments, check_jugs, check_numbers
from typer.testing import CliRunner

import rlgym
from rlgym import Rng
from rlgym.cli import app
from rlgym.core.errors import RecipeError
from rlgym.dataset import Recipe, build, load
from rlgym.dataset.recipe import plan
from rlgym.dataset.rows import make_row
from rlgym.dataset.traces import SEARCHES, TraceOptions, count_behaviours, search_trace

ALL = ("backtracking", "checking", "subgoals")


def trace(name, seed, level=0.0, **options):
    declared = rlgym.environment(name)
    task = rlgym.task(name, seed, level=level)
    right = declared.solve(task)
    return task, right, search_trace(declared, task, right, TraceOptions(**{"behaviours": ALL, "dead_ends": 3} | options), Rng("t", seed))


@pytest.mark.parametrize("level", [0.0, 0.25])
@pytest.mark.parametrize("name", sorted(set(SEARCHES) - MOVES))
def test_every_statement_of_a_search_for_values_is_true_at_its_place(name, level):
    for seed in range(3):
        task, right, lines = trace(name, seed, level)
        values = check_assignments(name, task, lines)
        if name in GRIDS:
            shown = [["#" if value == "#" else values[f"r{r + 1}c{c + 1}"] for c, value in enumerate(row)] for r, row in enumerate(right)]
            assert [[SIGNS.get(value, value) for value in row] for row in shown] == [list(row) for row in right]
        elif name == "hamiltonian_path":
            assert tuple(values[f"stop {number}"] for number in range(1, len(right) + 1)) == right
        else:
            assert {variable.lower(): value for variable, value in values.items()} == dict(right)


def test_the_checker_refuses_false_statements():
    task, _, lines = trace("sudoku", 1, behaviours=("backtracking", "checking"))
    at = next(place for place, line in enumerate(lines) if line.startswith("Dead end: "))
    variable, value = ASSIGNED.search(lines[at - 1]).groups()
    for false in (
        [*lines[:at], f"Check: {variable} = {value} breaks no rule with what is set so far.", *lines[at:]],
        [*lines[:at], lines[at].replace("with ", "with r9c9 = 1, "), *lines[at + 1 :]],
        [*lines[: at + 1], *lines[at + 2 :]],
        lines[:-3],
    ):
        try:
            values = check_assignments("sudoku", task, false)
        except AssertionError:
            continue
        assert len(values) < 16


def test_every_statement_of_a_search_for_steps_is_true_at_its_place():
    for seed in range(12):
        for level in (0.0, 0.4):
            task, _, lines = trace("countdown", seed, level, dead_ends=5)
            check_numbers(task, lines)
            task, right, lines = trace("water_jugs", seed, level, dead_ends=5)
            if task.data.most:
                check_jugs(task, lines)
            else:
                assert lines is None
                assert right[0].startswith("impossible")


# Behaviours


@pytest.mark.parametrize("name", sorted(SEARCHES))
def test_the_number_of_dead_ends_is_that_asked_for(name):
    def shown(seed, wanted):
        return sum(line.startswith("Dead end: ") for line in trace(name, seed, 0.5, dead_ends=wanted)[2] or ())

    # Some tasks have fewer dead ends within reach.
    seed = next(seed for seed in range(30) if shown(seed, 4) == 4)
    assert [shown(seed, wanted) for wanted in (0, 1)] == [0, 1]


def test_behaviours_are_shown_only_where_they_are_asked_for():
    marks = {"backtracking": ("Dead end: ", "Back: "), "checking": ("Check: ", "Final check: "), "subgoals": ("Next: ",)}
    for chosen in [(), *((one,) for one in ALL), ALL]:
        lines = trace("sudoku", 2, behaviours=chosen)[2]
        for behaviour, begins in marks.items():
            assert any(line.startswith(begins) for line in lines) == (behaviour in chosen)
        # Without the behaviours the same choices remain.
        straight = [line for line in lines if line.startswith("Try ")]
        assert set(trace("sudoku", 2, behaviours=())[2]) <= set(straight)


def test_the_counter_finds_the_behaviours_of_a_text():
    assert count_behaviours("\n".join(trace("sudoku", 2, behaviours=())[2])) == dict.fromkeys(count_behaviours(""), 0)
    counts = count_behaviours("\n".join(trace("sudoku", 2, dead_ends=2)[2]))
    assert counts["backtracking"] == 4
    assert counts["checking"] > 1
    assert counts["subgoals"] > 1
    text = "Let me check: 3 + 4 = 7.\nThat does not work.\nWorking backwards from 24, I need 6.\nThe answer is 7."
    assert count_behaviours(text) == {"backtracking": 1, "checking": 1, "subgoals": 0, "backward chaining": 1}


# Datasets


def test_rows_have_traces_that_end_with_the_verified_answer(tmp_path):
    recipe = Recipe(names=["sudoku", "graph_colouring"], levels=[0.0], count=8, traces={"behaviours": ALL, "dead_ends": 2})
    build(recipe, tmp_path / "data")
    rows = list(load(tmp_path / "data"))
    assert len(rows) == 8
    for row in rows:
        text = row["oracle_messages"][-1]["content"]
        assert text == f"{row['explanation']}\n\n{row['oracle_response']}"
        assert row["explanation"].count("Dead end: ") == 2
        assert rlgym.score(row, text).value == 1


def test_controls_keep_the_trace_and_spoil_the_answer_or_the_order():
    def row(**options):
        recipe = Recipe(names=["sudoku"], levels=[0.0], count=1, traces={"behaviours": ALL} | options)
        return make_row(recipe, plan(recipe)[0], 0)

    plain, wrong, shuffled = row(), row(answers="wrong"), row(shuffled=True)
    assert wrong["explanation"] == plain["explanation"]
    assert wrong["oracle_response"] == plain["oracle_response"]
    assert rlgym.score(wrong, wrong["oracle_messages"][-1]["content"]).value == 0
    assert shuffled["explanation"] != plain["explanation"]
    assert sorted(shuffled["explanation"].splitlines()) == sorted(plain["explanation"].splitlines())


def test_an_environment_without_a_search_is_refused():
    with pytest.raises(RecipeError, match="traces need a search, and chain_sum has none: choose among binario"):
        Recipe(names=["chain_sum", "sudoku"], count=1, traces={"behaviours": ["checking"]})
    assert Recipe(names=["sudoku"], count=1).digest != Recipe(names=["sudoku"], count=1, traces={}).digest


def test_the_command_writes_traces(tmp_path):
    arguments = ["dataset", "build", "--names", "sudoku", "--levels", "0", "-n", "2", "--out", str(tmp_path / "d"), "--format", "jsonl"]
    done = CliRunner().invoke(app, [*arguments, "--behaviours", "backtracking,checking", "--dead-ends", "1"])
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for file in (tmp_path / "d").glob("*.jsonl") for line in file.read_text().splitlines()]
    assert [row["explanation"].count("Dead end: ") for row in rows] == [1, 1]
    assert all("Next: " not in row["explanation"] for row in rows)
