"""Queries that a model may write to cheat, to look around or to use up the machine."""

import pytest

from rlgym.sandbox.sqlite import QueryFailed, Table, Why, run_query, same_rows

TABLES = [
    Table("t", ("id INTEGER PRIMARY KEY", "a TEXT", "b INTEGER"), [(i, f"x{i}", i * i if i % 3 else None) for i in range(30)]),
    Table("u", ("id INTEGER PRIMARY KEY", "t_id INTEGER"), [(1, 1), (2, 1), (3, 2)]),
]

ATTACKS = {
    "with recursive r(x) as (select 1 union all select x+1 from r) select count(*) from r": Why.FORBIDDEN,
    "select count(*) from t a, t b, t c, t d, t e": Why.WORK,
    "select * from t a, t b, t c order by a.b * b.b * c.b": Why.WORK,
    "pragma writable_schema=1": Why.FORBIDDEN,
    "select * from pragma_database_list": Why.FORBIDDEN,
    "select load_extension('x')": Why.FORBIDDEN,
    "select length(hex(zeroblob(1000000000)))": Why.FORBIDDEN,
    "select length(printf('%.*c', 1000000000, 'x'))": Why.FORBIDDEN,
    "select replace(replace(replace(a, 'x', 'xxxxxxxxxxxxxxxxxxxxxxxxxxx'), 'x', 'xxxxxxxxxxxxxxxxxxxxxxxxx'), 'x', a || a || a) from t": None,
    "select group_concat(a.a || b.a || c.a) from t a, t b, t c": Why.ERROR,
    "select " + "(" * 500 + "1" + ")" * 500: Why.ERROR,
    " union ".join(["select 1"] * 600): Why.FORBIDDEN,
    "select * from t where a like '" + "%a" * 1500 + "'": Why.ERROR,
    "drop table t": Why.FORBIDDEN,
    "insert into t values (99, 'x', 1)": Why.FORBIDDEN,
    "update t set b = 1": Why.FORBIDDEN,
    "attach 'x.db' as y": Why.FORBIDDEN,
    "vacuum into 'x.db'": Why.FORBIDDEN,
    "create temp table x as select 1": Why.FORBIDDEN,
    "select 1; drop table t": Why.ERROR,
    "select 1\x00; drop table t": Why.FORBIDDEN,
    "select sql from sqlite_master": Why.FORBIDDEN,
    "select name from sqlite_temp_schema": Why.FORBIDDEN,
    "select date('now')": Why.FORBIDDEN,
    "select random()": Why.FORBIDDEN,
    "select '\ud800'": Why.ERROR,
    "": Why.FORBIDDEN,
    "-- nothing": Why.FORBIDDEN,
    "select * from nowhere": Why.ERROR,
}


@pytest.mark.parametrize("query", ATTACKS, ids=lambda query: query[:40].encode("ascii", "replace").decode())
def test_attacks_end_soon_and_change_nothing(query):
    before = run_query(TABLES, "select * from t")
    if ATTACKS[query] is None:
        run_query(TABLES, query)  # stays within the limits
    else:
        with pytest.raises(QueryFailed) as failed:
            run_query(TABLES, query)
        if ATTACKS[query] is Why.WORK:
            assert failed.value.why in (Why.WORK, Why.ROWS)
        elif " union " not in query:
            assert failed.value.why is ATTACKS[query]
    assert run_query(TABLES, "select * from t") == before


def test_many_rows_are_cut_off():
    with pytest.raises(QueryFailed, match="more than 2000 rows") as failed:
        run_query(TABLES, "select a.id from t a, t b, t c")
    assert failed.value.why is Why.ROWS


def test_honest_queries_run():
    assert run_query(
        TABLES, "WITH k AS (SELECT t_id, COUNT(*) AS n FROM u GROUP BY t_id) SELECT t.a, k.n FROM t JOIN k ON k.t_id = t.id ORDER BY 1"
    ) == [("x1", 2), ("x2", 1)]
    assert run_query(TABLES, "select sum(b) over (order by id) from t where b is not null limit 2") == [(1,), (5,)]
    assert run_query(TABLES, "select upper(trim(substr(a, 1, 1))), round(avg(b), 2) from t where a like 'x%'")[0][0] == "X"


def test_rows_are_compared_as_asked():
    assert same_rows([(1, "a"), (2, None)], [(2, None), (1, "a")], ordered=False)
    assert not same_rows([(1, "a"), (2, None)], [(2, None), (1, "a")], ordered=True)
    assert not same_rows([(1,), (1,)], [(1,)], ordered=False)
    assert not same_rows([(1,)], [("1",)], ordered=False)
    assert not same_rows([(None,)], [("",)], ordered=False)
    assert not same_rows([(1, 2)], [(2, 1)], ordered=False)
    assert not same_rows([(1, 1)], [(1,)], ordered=False)
    assert same_rows([(1.0,)], [(1,)], ordered=False)
    assert same_rows([(0.1 + 0.2,)], [(0.3,)], ordered=False)
