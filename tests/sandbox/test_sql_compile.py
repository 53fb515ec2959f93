"""Queries that take SQLite's compiler hours, and the bound that finds them."""

import time

import pytest

import rlgym
from rlgym import Outcome
from rlgym.core.errors import SandboxMissing
from rlgym.generators.tables.scripts import Scratch
from rlgym.sandbox import sql_compile
from rlgym.sandbox.sql_compile import MOST_COPIES, generated_copies, most_copies, require_quick_compile
from rlgym.sandbox.sqlite import MOST_CHARACTERS, QueryFailed, Table, Why, compiles

TABLES = [Table("t", ("id INTEGER", "a INTEGER"), [(1, 2)])]


def chain(levels, body):
    """A query in which each common table is made of the one before by a body with its name."""
    common = ", ".join(f"c{level} AS ({body.format(f'c{level - 1}')})" for level in range(1, levels))
    return f"WITH c0 AS (SELECT a FROM t), {common} SELECT a FROM c{levels - 1}"


def nested(levels):
    query = "SELECT a FROM t"
    for _ in range(levels):
        query = f"SELECT a + a + a + a + a AS a FROM ({query})"
    return query


HOSTILE = {
    "copies of expressions": chain(30, "SELECT a + a AS a FROM {}"),
    "copies of tables": chain(30, "SELECT x.a FROM {} x, {} y".replace("{}", "{0}")),
    "by other spellings": chain(30, 'SELECT "a" + [a] /* one */ AS a -- two\nFROM {}'),
    "in brackets": nested(12),
    "explained": "EXPLAIN " + chain(30, "SELECT a + a AS a FROM {}"),
    "of the greatest length": chain(30, "SELECT a + a AS a FROM {}") + " " * 4_000,
    "each name once": "WITH c0 AS (SELECT 1 a0), c1 AS (SELECT 1 a1), "
    + ", ".join(f"c{n} AS (SELECT a{n - 1} + a{n - 2} AS a{n} FROM c{n - 1}, c{n - 2})" for n in range(2, 40))
    + " SELECT a39 FROM c39",
}


@pytest.mark.parametrize("query", HOSTILE.values(), ids=HOSTILE)
def test_a_query_that_takes_hours_to_compile_is_refused_soon(query):
    query = query[:MOST_CHARACTERS]
    assert most_copies(query) > MOST_COPIES
    begin = time.monotonic()
    with pytest.raises(QueryFailed, match="takes too long to compile") as failed:
        require_quick_compile(TABLES, query)
    assert failed.value.why is Why.WORK
    assert time.monotonic() - begin < 20


def test_copies_are_the_product_over_the_selects_of_their_names():
    assert most_copies("SELECT a, b FROM t") == 3
    assert most_copies("SELECT 'a', 1, (a + b) FROM t") == 4
    assert most_copies("SELECT a FROM (SELECT a, b FROM t) WHERE a IN (SELECT * FROM u)") == 2 * 3 * 2
    assert most_copies("WITH c AS (SELECT a FROM t) SELECT a FROM c UNION SELECT b FROM c") == 2 * 6
    assert most_copies("CREATE TABLE t (a INTEGER, b AS (a + a), c AS (b + b + a))") == 7 * 2 * 3
    assert generated_copies("ALTER TABLE t ADD b AS (a + a); ALTER TABLE t ADD c AS (b + b)") == 4
    assert generated_copies("WITH c AS (SELECT a) SELECT a FROM c") == 1
    assert most_copies(")(") == 1


def test_what_is_quick_needs_no_sandbox_and_what_is_long_but_compiles_passes(monkeypatch):
    long = "SELECT " + ", ".join(f"(SELECT max(a) FROM t WHERE id > {n}) AS m{n}" for n in range(12)) + " FROM t"
    assert most_copies(long) > MOST_COPIES
    require_quick_compile(TABLES, long)
    assert compiles(TABLES, long)
    require_quick_compile(TABLES, long.replace("max(a)", "max(nothing)"))  # an error is for the one who runs it
    monkeypatch.setattr(sql_compile, "get_runner", lambda limits: pytest.fail("no sandbox is needed"))
    require_quick_compile(TABLES, "SELECT a FROM t WHERE id IN (SELECT id FROM t)")

    def missing(limits):
        raise SandboxMissing("none here")

    monkeypatch.setattr(sql_compile, "get_runner", missing)
    require_quick_compile(TABLES, HOSTILE["in brackets"])


@pytest.mark.parametrize("name", ["sql_query", "sql_repair", "sql_from_report"])
def test_an_answer_that_takes_hours_to_compile_times_out(name):
    env = rlgym.make(name, level=0.5)
    env.reset(seed=1)
    query = HOSTILE["each name once"]
    *_, info = env.step(f"<answer>{query}</answer>")
    assert (info["score"].outcome, info["score"].reason) == (Outcome.TIMED_OUT, "the query takes too long to compile")


SCRIPTS = {
    "in one table": "CREATE TABLE g (a0, "
    + ", ".join(f"a{n} AS (a{n - 1} + a{n - 1})" for n in range(1, 39))
    + "); INSERT INTO g(a0) VALUES (1)",
    "one by one": "CREATE TABLE g (a0);"
    + "".join(f"ALTER TABLE g ADD a{n} AS (a{n - 1} + a{n - 1});" for n in range(1, 28))
    + "INSERT INTO g(a0) VALUES (1)",
    "from a query": f"CREATE TABLE g AS {HOSTILE['copies of tables'].replace('FROM t', 'FROM h')}",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_that_takes_hours_to_compile_is_not_run(script):
    with Scratch(["CREATE TABLE h (a INTEGER)"]) as scratch:
        with pytest.raises(QueryFailed, match="could take too long to compile") as failed:
            scratch.guarded(script)
        assert failed.value.why is Why.WORK
        scratch.guarded(
            "CREATE TABLE k (a INTEGER, b AS (a + a), c AS (a + b)); INSERT INTO k(a) SELECT a FROM h WHERE a IN (SELECT a FROM h)"
        )


def test_a_call_that_takes_hours_to_compile_is_answered_by_an_error():
    import json

    env = rlgym.make("incident_investigation", level=0.0)
    env.reset(seed=1)
    call = {"tool": "query", "arguments": {"sql": HOSTILE["each name once"]}}
    observation, *_ = env.step(f"<answer>{json.dumps(call)}</answer>")
    assert "the query failed: the query takes too long to compile" in observation
