"""What a query or a script of a model may not do, in SQLite and in DuckDB."""

import json
import signal
import subprocess
import sys
import time

import pytest

import rlgym
from rlgym.answers import Call
from rlgym.generators.tables.scripts import Scratch, statements_of
from rlgym.sandbox.sqlite import QueryFailed, Table, Why

ROWS = [(k, "ab"[k % 2], k * 3 % 7) for k in range(40)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1; SELECT 2", "DROP TABLE t", "ATTACH 'x.db'", "PRAGMA version", "COPY t TO '/tmp/x'", "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'", "SELECT getenv('HOME')", "SELECT * FROM duckdb_settings()", "SELECT * FROM information_schema.tables",
        "WITH RECURSIVE a AS (SELECT 1 x UNION ALL SELECT x + 1 FROM a) SELECT * FROM a", "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a",
        "SELECT load_extension('x')", "SELECT random()", "SELECT * FROM t USING SAMPLE 3", "SELECT unnest(range(100000000))", "SELECT * FROM (SHOW TABLES)",
    ],
)  # fmt: skip
def test_duckdb_refuses_all_but_reading_the_tables(query):
    pytest.importorskip("duckdb")
    from rlgym.generators.tables.duck import run_duck

    with pytest.raises(QueryFailed) as failed:
        run_duck([Table("t", ("id INTEGER", "kind TEXT", "size INTEGER"), ROWS)], query)
    assert failed.value.why is Why.FORBIDDEN


@pytest.mark.parametrize(
    "query",
    [
        "SELECT COUNT(*) FROM t a, t b, t c, t d, t e",
        "SELECT * FROM t WHERE id IN (SELECT a.id FROM t a, t b WHERE b.id IN (SELECT c.id FROM t c, t d, t e))",
        "WITH a AS (SELECT 'xxxx' s), "
        + ", ".join(f"{chr(98 + i)} AS (SELECT s || s s FROM {chr(97 + i)})" for i in range(24))
        + " SELECT length(s) FROM y",
    ],
)
def test_duckdb_bounds_the_rows_before_it_runs(query):
    pytest.importorskip("duckdb")
    from rlgym.generators.tables.duck import run_duck

    with pytest.raises(QueryFailed) as failed:
        run_duck([Table("t", ("id INTEGER", "kind TEXT", "size INTEGER"), ROWS)], query)
    assert failed.value.why is Why.WORK


def test_an_engine_that_does_not_answer_in_time_says_so(monkeypatch):
    pytest.importorskip("duckdb")
    from rlgym.generators.tables.duck import run_duck
    from rlgym.sandbox import duckdb_process

    table = Table("t", ("id INTEGER", "kind TEXT", "size INTEGER"), ROWS)
    run = duckdb_process.DuckProcess.run

    def run_stopped(engine, *given):
        engine._process.send_signal(signal.SIGSTOP)  # it waits and takes no processor time
        engine._deadline = time.monotonic() + 0.2
        return run(engine, *given)

    monkeypatch.setattr(duckdb_process.DuckProcess, "run", run_stopped)
    with pytest.raises(QueryFailed, match="the query takes too long"):
        run_duck([table], "SELECT COUNT(*) FROM t")
    monkeypatch.undo()
    assert run_duck([table], "SELECT COUNT(*) FROM t") == [(40,)]


@pytest.mark.parametrize(
    "script",
    [
        "ATTACH 'x.db' AS y;", "PRAGMA foreign_keys = OFF;", "CREATE VIEW v AS SELECT 1;", "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;",
        "CREATE TEMP TABLE u (a);", "CREATE VIRTUAL TABLE u USING fts5(a);", "SELECT load_extension('x');", "BEGIN;", "VACUUM;", "ANALYZE;",
    ],
)  # fmt: skip
def test_scripts_define_and_change_tables_only(script):
    with Scratch(["CREATE TABLE t (a INTEGER)"]) as scratch, pytest.raises(QueryFailed) as failed:
        scratch.guarded(script)
    assert failed.value.why in (Why.FORBIDDEN, Why.ERROR)
    assert "x.db" not in str(failed.value)


def test_a_check_of_a_model_is_guarded_when_rows_come():
    with Scratch() as scratch:
        scratch.guarded("CREATE TABLE t (a INTEGER CHECK (length(quote(a)) > 0));")
        assert scratch.accepts("INSERT INTO t VALUES (?)", (1,))


def test_a_check_by_chance_is_refused():
    def tried():
        with Scratch() as scratch:
            scratch.guarded("CREATE TABLE t (a INTEGER CHECK (random() > a));")
            scratch.accepts("INSERT INTO t VALUES (?)", (1,))

    with pytest.raises(QueryFailed):
        tried()


def test_statements_are_parted_outside_quotes():
    assert statements_of("INSERT INTO t VALUES ('a;b'); -- no\nSELECT 1;")[0] == "INSERT INTO t VALUES ('a;b')"
    with pytest.raises(QueryFailed):
        statements_of(";" * 3)


@pytest.mark.parametrize(
    "sql",
    ["DELETE FROM alerts", "PRAGMA table_info(alerts)", "ATTACH 'x' AS y", "SELECT 1; DROP TABLE alerts", "SELECT load_extension('x')"],
)
def test_the_investigation_reads_only(sql):
    from rlgym.envs.sql.incident_investigation import Query, act, environment

    state = environment.start(rlgym.Rng("reads", 1), environment.config.at(0.5))
    call: Call = Query(sql=sql)
    after = act(state, (call,))
    assert after.told.startswith("the query failed")
    assert after.logs == state.logs


def test_listing_every_process_earns_nothing():
    from rlgym.envs.sql.incident_investigation import Query, Submit, act, environment, outcome
    from rlgym.generators.tables.incidents import trace

    state = environment.start(rlgym.Rng("lists", 2), environment.config.at(0.5))
    right = trace(state.logs)
    for start in range(0, len(state.logs.processes), 12):
        state = act(state, (Query(sql=f"SELECT key FROM processes LIMIT 12 OFFSET {start}"),))
    keys = [str(row[0]) for row in state.logs.processes]
    assert outcome(act(state, (Submit(origin=right.entity, path=keys[:60]),))).value == 0
    assert outcome(act(state, (Submit(origin=right.entity, path=[]),))).value == 0


def doubled(levels, part, first="SELECT size AS x FROM t"):
    for _ in range(levels):
        first = f"SELECT {part} AS x FROM ({first}) s"
    return first


COPIED = "WITH a0 AS NOT MATERIALIZED (SELECT 1 AS x), "
COPIED += ", ".join(f"a{k} AS NOT MATERIALIZED (SELECT a.x FROM a{k - 1} a, a{k - 1} b)" for k in range(1, 22)) + " SELECT * FROM a21"
PAIRS = "SELECT size AS x, size AS y FROM t"


@pytest.mark.parametrize(
    "query",
    [
        COPIED,
        "SELECT " + "NOT " * 900 + "true",
        doubled(18, "(SELECT s)", PAIRS).replace("(SELECT s) AS x", "(SELECT s) AS x, (SELECT s) AS y"),
        pytest.param(doubled(20, "s", PAIRS).replace("s AS x", "s AS x, s AS y"), marks=pytest.mark.slow),
        pytest.param(doubled(24, "*, *", "SELECT size FROM t").replace(" AS x", ""), marks=pytest.mark.slow),
        f"SELECT list_reduce([{', '.join(['size::VARCHAR'] * 40)}], lambda a, b: a || a || b) AS x FROM t",
    ],
    ids=[
        "common tables copied twice at every level",
        "a deep tree",
        "rows in rows",
        "rows as columns",
        "columns twice",
        "texts in a reduction",
    ],
)
def test_duckdb_gives_up_what_grows_exponentially(query):
    pytest.importorskip("duckdb")
    # In a process of its own: a started process counts the memory of the one that starts it as its own largest.
    done = subprocess.run([sys.executable, "-c", MEASURED], input=query, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    measured = json.loads(done.stdout)
    assert measured["why"] == Why.WORK.name
    assert measured["seconds"] < 1, "the caller's own process does the work"
    assert measured["kilobytes"] <= 900 << 10
    assert measured["rows_of_the_next_query"] == 40


MEASURED = """
import json, resource, sys, time
from rlgym.generators.tables.duck import run_duck
from rlgym.sandbox.sqlite import QueryFailed, Table

tables = [Table("t", ("id INTEGER", "kind TEXT", "size INTEGER"), [(k, "ab"[k % 2], k * 3 % 7) for k in range(40)])]
begun, why = time.process_time(), ""
try:
    run_duck(tables, sys.stdin.read())
except QueryFailed as failed:
    why = failed.why.name
seconds = time.process_time() - begun
rows = len(run_duck(tables, "SELECT id FROM t"))
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps({"why": why, "seconds": seconds, "kilobytes": kilobytes, "rows_of_the_next_query": rows}))
"""


@pytest.mark.parametrize("part", ["(x, x)", "[x, x]", "row(x, x)", "{'a': x, 'b': x}", "list_zip([x], [x])"])
def test_duckdb_bounds_values_in_values_before_it_runs(part):
    pytest.importorskip("duckdb")
    from rlgym.generators.tables.duck import run_duck

    tables = [Table("t", ("id INTEGER", "kind TEXT", "size INTEGER"), ROWS)]
    assert len(run_duck(tables, doubled(3, part))) == len(ROWS)
    with pytest.raises(QueryFailed, match="too large values"):
        run_duck(tables, doubled(16, part))
