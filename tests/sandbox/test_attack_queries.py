"""Queries that want to be paid for less than was asked."""

import os
import sys
import time

import pytest

import rlgym

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)


def answered(text):
    return f"<answer>{text}</answer>"


@pytest.mark.parametrize("name", ["sql_query", "sql_repair"])
def test_queries_that_want_to_be_paid_for_less(name):
    tried = 0
    for seed in range(12):
        task = rlgym.task(name, seed, level=0.5)
        data, first = task.data, task.data.cases[0].wanted
        right = data.reference
        assert rlgym.score(task, answered(right)).value == 1
        if not first:  # the attacks start from the rows of the database that the task shows
            continue
        tried += 1
        columns = [f"c{i}" for i in range(len(first[0]))]
        given = f"WITH v({', '.join(columns)}) AS ({right}) SELECT"
        assert rlgym.score(task, answered(f"{given} * FROM v")).value == 1
        rows = ", ".join("(" + ", ".join("NULL" if cell is None else repr(cell) for cell in row) + ")" for row in first)
        many = ", ".join(f"(VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (0)) t{i}" for i in range(7))
        wrong = {
            "G10 constant": f"WITH v({', '.join(columns)}) AS (VALUES {rows}) SELECT * FROM v",
            "G11 rows twice": f"{given} * FROM v UNION ALL SELECT * FROM v",
            "G11 one column more": f"{given} 1, * FROM v",
            "G11 text for numbers and numbers for text": f"{given} {', '.join(f'{c} || char(32)' for c in columns)} FROM v",
            "G11 quoted": f"{given} {', '.join(f'coalesce({c}, 0) || substr(1, 9)' for c in columns)} FROM v",
            "G11 nothing for empty": f"{given} {', '.join(f'nullif({c}, {c})' for c in columns)} FROM v",
            "G11 one row less": f"{given} * FROM v LIMIT (SELECT count(*) - 1 FROM v)",
            "G13 schema": "SELECT sql FROM sqlite_master",
            "G13 view": f"CREATE TEMP VIEW v AS {right}",
            "G13 trigger": "CREATE TEMP TRIGGER t AFTER INSERT ON sqlite_master BEGIN SELECT 1; END",
            "G13 two": f"DROP TABLE IF EXISTS v; {right}",
            "G17 rows": f"{given} v.* FROM v, {many}",
            "G17 columns": f"{given} {', '.join(['c0'] * 1000)} FROM v",
            "G17 cell": f"{given} replace(replace(hex(zeroblob(10000)), '0', 'xxxxxxxxxxxxxxxx'), 'x', 'yyyyyyyyyyyyyyyyyyyyy') FROM v",
            "G17 joined": f"{given} group_concat({' || '.join(['a.c0', 'b.c0'] * 8)}) FROM v a, v b, v c, v d",
        }
        if (
            len(columns) > 1
            and any(sorted(map(str, row)) != list(map(str, row)) for row in first)
            and any(row[0] != row[-1] for row in first)
        ):
            wrong["G11 columns turned"] = f"{given} {', '.join(reversed(columns))} FROM v"
        if data.ordered and any(len(set(case.wanted)) > 1 for case in data.cases):
            wrong["G11 turned"] = f"SELECT {', '.join(columns)} FROM ({given} *, row_number() OVER () AS n FROM v) ORDER BY n DESC"
        for kind, query in wrong.items():
            begun = time.monotonic()
            score = rlgym.score(task, answered(query))
            assert score.value == 0, (seed, kind, query)
            assert not score.masked, (kind, score)
            assert time.monotonic() - begun < 5, kind
        assert rlgym.score(task, answered(right)).value == 1
    assert tried >= 4
