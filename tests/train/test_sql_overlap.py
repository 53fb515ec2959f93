"""Partial rewards of wrong SQL queries, calculated by hand, and where responses are scored."""

import time

import pytest

pytest.importorskip("torch", reason="the trainer needs torch")
pytest.importorskip("transformers")

import rlgym
from rlgym import Outcome, Rng, Score
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.registry import REWARDS, OptionError
from rlgym.train.rewards.scored import ScoredResponse
from rlgym.train.rewards.sql_overlap import jaccard
from rlgym.train.rollout.scoring import ScoringJob, run_job
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.validate.algorithms import check_algorithms

PROMPT = "A SQLite database has these tables:\n\nCREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);\n\nName all pets."
REFERENCE = "SELECT name FROM pets"
WRONG = Score.wrong("other rows")


def paid(query, score=WRONG, task="sql_query", prompt=PROMPT, **given):
    algorithm = REWARDS["sql_overlap"]
    scored = ScoredResponse(
        score,
        f"<answer>{query}</answer>",
        TaskSpec(task, 0.0, 1, "train"),
        Rng("r"),
        prompt=prompt,
        reference=f"<answer>{REFERENCE}</answer>",
    )
    return algorithm(scored, algorithm.options.from_dict(given))


@pytest.mark.parametrize(
    ("query", "schema", "ngrams", "syntax"),
    [
        ("SELECT name FROM pets", 1, 1, 1),
        # {age, pets} and {name, pets}; of the runs (select, age), (age, from), (from, pets) the last is shared, of five
        ("select AGE from Pets", 1 / 3, 1 / 5, 1),
        ("SELECT name, age FROM pets", 2 / 3, 2 / 6, 1),
        ("SELECT name FROM dogs", 1 / 2, 2 / 4, 0),
        ("SELECT FROM pets", 1 / 2, 1 / 4, 0),
        ("SELECT 1", 0, 0, 1),
        ("SELECT name FROM pets; DROP TABLE pets", 1, 3 / 7, 0),
    ],
)
def test_each_term_is_paid_by_its_weight(query, schema, ngrams, syntax):
    assert paid(query, ngrams=0, syntax=0) == pytest.approx(0.5 * schema)
    assert paid(query, schema_linking=0, syntax=0) == pytest.approx(0.5 * ngrams)
    assert paid(query, schema_linking=0, ngrams=0) == pytest.approx(0.5 * syntax)
    assert paid(query, schema_linking=2, highest=0.8) == pytest.approx(0.8 * (2 * schema + ngrams + syntax) / 4)


def test_longer_runs_are_rarer():
    assert paid("SELECT age FROM pets", schema_linking=0, syntax=0, n=1) == pytest.approx(0.5 * 3 / 5)
    assert paid("SELECT age FROM pets", schema_linking=0, syntax=0, n=3) == 0
    assert jaccard([], []) == 1


def test_right_unreadable_and_refused_responses_and_other_tasks_keep_their_score():
    assert paid(REFERENCE, Score.exact(True)) == 0
    assert paid("I do not know", Score.nothing(Outcome.UNREADABLE, "no query")) == 0
    assert paid("SELECT name FROM pets", Score.nothing(Outcome.REFUSED, "PRAGMA")) == 0
    assert paid(REFERENCE, task="chain_sum") == 0
    assert paid(REFERENCE, prompt=PROMPT.replace("SQLite", "DuckDB")) == 0
    with pytest.raises(OptionError, match="one of the weights"):
        paid(REFERENCE, schema_linking=0, ngrams=0, syntax=0)


def doubling(levels):
    """A query whose expression doubles at every level where it is compiled."""
    common = ", ".join(f"c{level} AS (SELECT a + a a FROM c{level - 1})" for level in range(1, levels))
    return f"WITH c0 AS (SELECT age a FROM pets), {common} SELECT a FROM c{levels - 1}"


def test_queries_are_compiled_in_the_sandbox_with_its_limits(monkeypatch):
    """Where it was compiled in this process, without a limit, the second query took hours."""
    assert paid(doubling(3), schema_linking=0, ngrams=0) == 0.5
    begin = time.monotonic()
    assert paid(doubling(40), schema_linking=0, ngrams=0) == 0
    assert time.monotonic() - begin < 30
    assert paid("SELECT name FROM pets WHERE name = '\ud800'", schema_linking=0, ngrams=0) == 0
    monkeypatch.setattr("rlgym.train.rewards.sql_overlap.get_runner", lambda limits: pytest.fail("the sandbox is not needed"))
    assert paid(REFERENCE, syntax=0) == 0.5


@pytest.mark.parametrize("name", ["sql_query", "sql_repair", "sql_from_report"])
def test_wrong_queries_are_paid_below_right_ones_where_responses_are_scored(name):
    settings = TaskSettings(0, 0.1, reward_shaping=(("sql_overlap", (("highest", 0.4),)),))
    task = TaskSpec(name, 0.5, 3, "train")
    first = run_job(ScoringJob(0, task, settings))[1]
    env = rlgym.make(name)
    env.restore(first.snapshot)
    right = env.oracle()
    query = right.removeprefix("<answer>").removesuffix("</answer>")
    near = f"<answer>SELECT * FROM ({query}) LIMIT 0</answer>"
    rewards = [
        run_job(ScoringJob(0, task, settings, first.snapshot, text))[1].reward for text in (right, near, "<answer>SELECT 1</answer>")
    ]
    assert rewards[0] == 1
    assert 0.2 < rewards[1] < 0.4
    assert 0 < rewards[2] < rewards[1]


def test_it_needs_tasks_whose_answers_are_queries():
    given = {"model": "m", "output_dir": "run", "algorithm": {"reward_shaping": {"sql_overlap": {}}}}
    check_algorithms(Config.from_dict(given | {"tasks": [{"names": ["sql_query", "chain_sum"]}]}))
    with pytest.raises(TrainError, match="sql_overlap needs answers that are SQL queries, and chain_sum has none"):
        check_algorithms(Config.from_dict(given | {"tasks": [{"names": ["chain_sum"]}]}))
