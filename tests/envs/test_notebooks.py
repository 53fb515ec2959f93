"""Notebook worlds: cells that keep variables, limits on what is shown, replay, branches, and files that are compared value by value."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import rlgym
from rlgym.dataset import sample
from rlgym.dataset.session import Session
from rlgym.episode.play import advance, start_episode
from rlgym.episode.sampling import sample_task
from rlgym.generators.notebooks import judging, regression, tables, world
from rlgym.generators.notebooks.kernel import CELLS, COMPLETE, run_cells
from rlgym.sandbox import terminal
from rlgym.sandbox.process.accounts import children_of_threads
from rlgym.sandbox.terminal import file_bytes, file_entry, file_size

NAMES = rlgym.names("notebooks")


@pytest.fixture(autouse=True)
def confined():
    try:
        terminal.require_confinement()
    except terminal.SandboxError as why:
        pytest.skip(str(why))


def position(name, level=0.5, seed=1):
    game = rlgym.environment(name)
    return game, start_episode(game, sample_task(name, game, seed, game.config.at(level), level), "tag")


def cell(code):
    return f"<answer>{json.dumps({'tool': 'run_cell', 'arguments': {'code': code}})}</answer>"


SUBMIT = '<answer>{"tool": "submit", "arguments": {}}</answer>'


def notebook(characters=500, cells=6):
    files = world.files({"a.csv": "x,y\n1,2\n", "in/b.bin": b"\xff\xfe"})
    return world.Notebook(task="Count.", before=files, most_cells=cells, characters=characters)


def run(state, *codes):
    for code in codes:
        state = world.act(state, (world.RunCell(code=code),))
    return state


def printed(code, *before):
    return run(notebook(), *before, code).observation.rpartition("\n")[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_replays_to_the_same_state_and_goes_on_from_its_json(name):
    game, first = position(name)
    turns, at = [], first
    while at.score is None:
        turns.append(game.answer.render_response(game.best(at.state), "tag"))
        at = advance(game, at, turns[-1], "tag")
    assert at.score.value == 1.0
    again = first
    for turn in turns:
        again = advance(game, again, turn, "tag")
        again = replace(again, state=game.data.model_validate_json(again.state.model_dump_json()))
    assert (again.state, again.transcript) == (at.state, at.transcript)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", [0.5, 1.0])
def test_not_even_half_of_the_data_can_be_printed_from_the_middle_level_on(name, level):
    _, first = position(name, level)
    state = first.state
    data = sum(map(file_size, state.before.values()))
    assert state.characters + state.most_cells * world.SHORTEST_ERROR < data / 2


@pytest.mark.parametrize("name", NAMES)
def test_the_whole_data_can_be_printed_at_the_easiest_level(name):
    _, first = position(name, 0.0)
    assert sum(map(file_size, first.state.before.values())) <= first.state.characters


@pytest.mark.parametrize("name", NAMES)
def test_rewards_of_turns_sum_to_the_score(name):
    [row] = sample([name], 1, levels=[0.4], seed=2)
    session = Session(row)
    while not session.done:
        session.step(session.oracle())
    assert sum(session.turn_rewards) == pytest.approx(1.0)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_beside_the_answer_costs_nothing(name):
    game, at = position(name, 0.25)
    while not at.state.cells or game.best(at.state) != (world.Submit(),):
        at = advance(game, at, game.answer.render_response(game.best(at.state), "tag"), "tag")
    at = advance(game, at, cell("open('notes.txt', 'w').write('x')"), "tag")
    assert advance(game, at, SUBMIT, "tag").score.value == 1.0


def test_variables_imports_and_functions_stay():
    state = run(
        notebook(),
        "import csv\nrows = list(csv.DictReader(open('a.csv')))",
        "def total(name):\n    return sum(int(r[name]) for r in rows)",
        "total('y')",
    )
    assert state.observation == f"2\n(3 cells and {500 - 2} characters left)"
    assert len(state.cells) == state.ran == 3


def test_a_cell_that_raises_keeps_what_it_did_before():
    state = run(notebook(), "a = 1\nb = 1 / 0\nc = 2")
    assert state.observation.startswith("ZeroDivisionError (cell 1, line 2): division by zero\n")
    assert run(state, "a, 'c' in dir()").observation.startswith("(1, False)\n")
    assert printed("def f(:").startswith("SyntaxError (cell 1, line 1)")
    assert printed("f()", "def f():\n    return [][0]").startswith("IndexError (cell 1, line 2)")


def test_output_is_cut_and_counted_over_all_cells():
    state = run(notebook(characters=30), "print('x' * 20)", "print('y' * 20)")
    assert state.observation == f"{'y' * 9}\n[12 further characters are not shown]\n(4 cells and 0 characters left)"
    assert "z" not in run(state, "print('z')").observation
    long = run(state, "raise ValueError('v' * 500)").observation
    assert long.count("v") <= world.SHORTEST_ERROR


def test_cells_beyond_the_last_one_are_not_run():
    state = run(notebook(cells=1), "a = 1", "open('b.txt', 'w').write('x')")
    assert "none is left" in state.observation
    assert not state.written


def require_undone(code):
    state = run(notebook(), "open('kept.txt', 'w').write('a'); a = 5", code)
    assert "as they were before it" in state.observation
    assert set(state.written) == {"kept.txt"}
    assert run(state, "a").observation.startswith("5\n")


@pytest.mark.parametrize("code", ["import os\nos._exit(7 - 7)", "open('late.txt', 'w').write('x')\nimport os\nos.kill(os.getpid(), 9)"])
def test_a_cell_that_ends_the_interpreter_is_undone(code):
    require_undone(code)


def test_a_cell_that_never_ends_is_undone():
    require_undone("while True:\n    pass")


def test_an_exit_is_an_error_like_others():
    assert printed("import sys\nsys.exit(3)").startswith("SystemExit (cell 1, line 2): 3")


def test_earlier_cells_run_again_without_being_shown_or_done_twice():
    state = run(
        notebook(),
        "print('once'); open('log.txt', 'a').write('line\\n')",
        "import os\nos.system('echo loud')\nimport random\nr = random.random()",
        "open('log.txt', 'a').write('two\\n')\nr",
    )
    assert "once" not in state.observation
    assert "loud" not in state.observation
    assert file_bytes(state.written, "log.txt") == b"line\ntwo\n"
    assert run(state, "r").observation.split("\n")[0] == state.observation.split("\n")[0]


def test_branches_of_a_state_do_not_see_each_other():
    state = run(notebook(), "a = [1]")
    assert run(state, "a.append(2)", "a").observation.startswith("[1, 2]")
    assert run(state, "a").observation.startswith("[1]\n")


def test_classes_of_cells_are_those_of_the_main_module():
    code = "import dataclasses, pickle\n@dataclasses.dataclass\nclass P:\n    x: int\npickle.loads(pickle.dumps(P(3)))"
    assert printed(code) == "P(x=3)"


def test_the_truth_is_not_in_the_folder_of_a_cell():
    assert printed("import os\nsorted(os.listdir())") == "['a.csv', 'in']"
    ended = run_cells({}, ["import sys\nlen(sys.argv)"], world.CLOCK)
    assert (ended.stdout, ended.exit_code, ended.tree) == ("1\n", COMPLETE, {})


@pytest.mark.parametrize(
    ("given", "wanted", "same"),
    [
        (1, 1, True), (1.0, 1, True), (1.4, 1, False), (True, 1, False), ("1", 1, False), (0.51, 0.5, True), (0.53, 0.5, False),
        (float("nan"), 0.5, False), (float("inf"), 0.5, False), (10**400, 0.5, False), (["b", "a"], ["a", "b"], True), (["a"], ["a", "b"], False),
        (["a", "a", "b"], ["a", "b", "b"], False), ([2, 1], [1, 2], True), ([[1]], [[1]], True), ({"a": 1}, {"a": 1, "b": 2}, False), (None, None, True),
        (0, None, False), (False, None, False), ("", None, False), ([1, "a"], ["a", "b"], False),
    ],
)  # fmt: skip
def test_values_agree(given, wanted, same):
    assert judging.agrees(given, wanted, 0.02) is same


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a": NaN}', "9" * 5000, "", "\ufeff{}", '{"a": 1, "a": 2}', "null", "x" * 300_000])
def test_answers_of_any_form_are_judged(text):
    state = notebook().model_copy(update={"finished": True, "written": {"answer.json": file_entry(text, 0)}})
    assert judging.judged_answer(state, {"a": 5.0}).value == 0.0


def test_tables_are_compared_cell_by_cell():
    wanted = [["id", "x"], ["1", "a"], ["2", ""]]

    def value(text):
        state = notebook().model_copy(update={"finished": True, "written": {"t.csv": file_entry(text, 0)}})
        return judging.judged_table(state, "t.csv", wanted).value

    assert value("id,x\n1,a\n2,\n") == value("id,x\r\n1,a\r\n2,\r\n") == value('"id","x"\n1,"a"\n2,""') == 1.0
    assert [value(text) for text in ("id,x\n2,\n1,a\n", "id,x\n1,a\n", "id,x\n1,a\n2,b\n", "x,id\n", "", 'id,x\n1,"a\n2,\n')] == [0.0] * 6


def test_days_and_dumps():
    assert [tables.day(0), tables.day(59), tables.day(365)] == ["2023-01-01", "2023-03-01", "2024-01-01"]
    dump = tables.sql_dump("t", {"a": "TEXT", "b": "INTEGER"}, [("it's", 1), (None, 2)])
    state = notebook().model_copy(update={"before": {"t.sql": file_entry(dump, 0)}})
    code = (
        "import sqlite3\ndb = sqlite3.connect(':memory:')\ndb.executescript(open('t.sql').read())\ndb.execute('select * from t').fetchall()"
    )
    assert run(state, code).observation.startswith('[("it\'s", 1), (None, 2)]\n')


def processes_below(pid):
    return [pid, *(below for child in children_of_threads(pid) for below in processes_below(child))]


def command_of(pid):
    """The command line of a process; empty if it has just ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


@pytest.mark.parametrize(
    "code",
    [
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(99)",
        "import subprocess\nsubprocess.Popen(['sh', '-c', 'trap \"\" TERM HUP; sleep 99; echo late > late.txt'], start_new_session=True)",
        "import os, time\nif os.fork() == 0:\n    if os.fork() == 0:\n        time.sleep(99)\n    os._exit(0)\nos.wait()",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()",
    ],
)
def test_no_process_of_a_cell_outlives_it(code):
    state = run(notebook(), "a = 1", code)
    assert len(state.cells) == 2, state.observation
    commands = [command_of(pid) for cell in terminal._shared.pids() for pid in processes_below(cell)]
    assert commands
    assert not [command for command in commands if CELLS in command or "sleep" in command]
    assert run(state, "import os\nsorted(os.listdir())").observation.startswith("['a.csv', 'in']")


@pytest.mark.parametrize(
    ("change", "value"),
    [
        (lambda rows: rows, 1.0), (lambda rows: rows[::-1], 1.0), (lambda rows: rows[1:], 0.0), (lambda rows: [*rows, rows[0]], 0.0),
        (lambda rows: [("x", "1"), *rows[1:]], 0.0), (lambda rows: [(rows[0][0], "nan"), *rows[1:]], 0.0), (lambda rows: [(rows[0][0], "inf"), *rows[1:]], 0.0),
        (lambda rows: [(rows[0][0], "1e400"), *rows[1:]], 0.0), (lambda rows: [(job, "200") for job, _ in rows], 0.0), (lambda rows: [], 0.0),
        (lambda rows: [(job, f"{float(value) + 0.5}") for job, value in rows], 1.0), (lambda rows: [(job, f"{float(value) + 9}") for job, value in rows], 0.0),
    ],
)  # fmt: skip
def test_predictions_are_judged_by_their_error_over_every_job_once(change, value):
    game, first = position("leakage_predictor", 0.5)
    rows = change([(job, str(minutes)) for job, minutes in first.state.wanted.items()])
    written = world.files({"predictions.csv": tables.csv_text(("job", "minutes"), rows)})
    assert game.outcome(first.state.model_copy(update={"finished": True, "written": written})).value == value


def test_only_the_leaks_change_their_relation_to_other_columns():
    for seed in range(1, 4):
        state = position("leakage_predictor", 1.0, seed)[1].state
        train, test = ([line.split(",") for line in state.before[name].content.split("\n")[1:-1]] for name in ("train.csv", "test.csv"))
        width = len(state.names)
        numbers = [[[float(value) for value in row[1 : width + 1]] for row in rows] for rows in (train, test)]
        assert regression.changed_columns(*numbers, len(state.leaking)) == state.leaking


def test_least_squares_finds_an_exact_plane():
    rows = [[1.0, x, x * x % 7] for x in range(9)]
    assert regression.least_squares(rows, [2 + 3 * x - y for _, x, y in rows]) == pytest.approx([2, 3, -1])
    assert regression.least_squares([[1.0, 2.0], [2.0, 4.0]], [1.0, 2.0]) is None
    assert regression.correlation([1, 2, 3], [5, 7, 9]) == pytest.approx(1)
    assert regression.correlation([1, 1, 1], [5, 7, 9]) == 0
