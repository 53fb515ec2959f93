"""What is special about the SQL environments."""

import rlgym
from rlgym.core.rng import Rng
from rlgym.generators.databases.parent_child import SETTINGS, database
from rlgym.generators.databases.questions import question
from rlgym.generators.databases.sql_verdicts import Fails


def test_sql_and_python_agree_on_every_kind_of_question():
    for seed in range(120):
        rng = Rng("agree", seed)
        setting = rng.choice(SETTINGS)
        request = question(rng, setting, 1 + seed % 5, seed % 4)
        fails = Fails(setting, request)
        for _ in range(3):
            database_ = database(rng, setting, rng.integer(3, 10), rng.integer(1, 40), 20)
            assert not fails(database_, request.sql), request.words
            assert not fails(database_, request.other), request.words


def test_a_constant_copied_from_one_database_fails_on_the_others():
    for seed in range(20):
        task = rlgym.task("sql_query", seed, level=0.5)
        rows = task.data.cases[0].wanted
        if not rows:
            continue
        values = ", ".join("(" + ", ".join("NULL" if cell is None else repr(cell) for cell in row) + ")" for row in rows)
        names = ", ".join(f"column{i + 1}" for i in range(len(rows[0])))
        score = rlgym.score(task, f"<answer>WITH v AS (VALUES {values}) SELECT {names} FROM v</answer>")
        assert score.value == 0


def test_multiplicity_columns_and_order_count():
    task = next(t for t in (rlgym.task("sql_query", seed, tier=5) for seed in range(200)) if t.data.ordered)
    right = task.data.reference
    assert rlgym.score(task, f"<answer>{right}</answer>").value == 1
    assert rlgym.score(task, f"<answer>SELECT * FROM ({right}) UNION ALL SELECT * FROM ({right})</answer>").value == 0
    assert rlgym.score(task, f"<answer>SELECT 1, * FROM ({right})</answer>").value == 0
    assert rlgym.score(task, "<answer>DROP TABLE works</answer>").outcome is rlgym.Outcome.UNREADABLE
    assert rlgym.score(task, "<answer>SELECT load_extension('x')</answer>").outcome is rlgym.Outcome.REFUSED
    heavy = f"SELECT COUNT(*) FROM {', '.join(f'{SETTINGS[task.data.setting].children} c{i}' for i in range(8))}"
    assert rlgym.score(task, f"<answer>{heavy}</answer>").outcome is rlgym.Outcome.TIMED_OUT
