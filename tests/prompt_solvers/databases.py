"""Tables, queries and schemas: what a prompt shows is loaded into sqlite3 or computed from the definitions."""

from __future__ import annotations

import json
import re
import sqlite3
from itertools import combinations, groupby, product
from typing import Any

import networkx as nx

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver
from prompt_solvers.templates import group


@prompt_solver("sql_predict_result")
def solve_sql_predict_result(prompt: str) -> str:
    database = sqlite3.connect(":memory:")
    for name, head, body in re.findall(r"^(\w+): ([\w |]+)\n((?:.*\|.*\n)*)", prompt, re.M):
        columns = head.split(" | ")
        rows = [line.split(" | ") for line in body.strip("\n").split("\n") if line]
        database.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        for row in rows:
            values = [None if cell == "NULL" else int(cell) if re.fullmatch(r"-?\d+", cell) else cell for cell in row]
            database.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", values)
    query = between(prompt, "return on these tables?\n\n", "\n\n")
    return "\n".join(" ".join("NULL" if cell is None else str(cell) for cell in row) for row in database.execute(query))


@prompt_solver("table_question")
def solve_table_question(prompt: str) -> str:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (name, town, trade, age INTEGER, income INTEGER)")
    for row in re.findall(r"^(\w+) \| (\w+) \| (\w+) \| (\d+) \| (\d+)$", prompt, re.M):
        database.execute("INSERT INTO t VALUES (?, ?, ?, ?, ?)", row)
    tests = {
        r"The person is older than (\d+) and younger than (\d+)\.": "p.age > {0} AND p.age < {1}",
        r"The person has a larger (\w+) than every older person with the same (\w+) .*": (
            "NOT EXISTS (SELECT * FROM t q WHERE q.age > p.age AND q.{1} = p.{1} AND q.{0} >= p.{0})"
        ),
        r"The person's (\w+) is above the average (\w+) of everyone in the same (\w+), .*": (
            "p.{0} > (SELECT AVG(q.{0}) FROM t q WHERE q.{2} = p.{2})"
        ),
        r"At least (\w+) people in the person's (\w+) have the same (\w+) as the oldest person in the table \(.*\)\.": (
            "(SELECT COUNT(*) FROM t q WHERE q.{1} = p.{1} AND q.{2} = (SELECT r.{2} FROM t r ORDER BY r.age DESC LIMIT 1)) >= 2"
        ),
        r"Nobody in another (\w+) has the same (\w+) as the person\.": (
            "NOT EXISTS (SELECT * FROM t q WHERE q.{0} <> p.{0} AND q.{1} = p.{1})"
        ),
        r"The number of people with the person's (\w+) is at most half the number of people with the most common (\w+)\.": (
            "2 * (SELECT COUNT(*) FROM t q WHERE q.{0} = p.{0}) <= (SELECT MAX(n) FROM (SELECT COUNT(*) n FROM t GROUP BY {1}))"
        ),
    }
    conditions = []
    for line in re.findall(r"^- (.*)$", prompt, re.M):
        (sql,) = [sql.format(*found.groups()) for test, sql in tests.items() if (found := re.fullmatch(test, line))]
        conditions.append(sql)
    return " ".join(name for (name,) in database.execute(f"SELECT name FROM t p WHERE {' AND '.join(conditions)}"))


@prompt_solver("pivot_by_hand")
def solve_pivot_by_hand(prompt: str) -> str:
    sales = [(*row[:3], int(row[3])) for row in re.findall(r"^(\w+) \| (\w+) \| (\w+) \| (\d+)$", prompt, re.M)]
    towns = group(r"a row for each of ([\w, ]+?), in this order", prompt).split(", ")
    items = group(r"a column for each of ([\w, ]+?), in this order", prompt).split(", ")
    lines = []
    for town in [*towns, None]:
        cells = []
        for item in [*items, None]:
            rows = [row for row in sales if town in (None, row[0]) and item in (None, row[1])]
            amounts = [row[3] for row in rows]
            if "the number of these rows" in prompt:
                cells.append(len(rows))
            elif "the largest amount of these rows less the smallest" in prompt:
                cells.append(max(amounts) - min(amounts) if rows else 0)
            elif "sold in the shop less the sum of those sold on the web" in prompt:
                cells.append(sum(row[3] if row[2] == "shop" else -row[3] for row in rows))
            else:
                assert "the sum of the amounts of these rows, or 0" in prompt
                cells.append(sum(amounts))
        lines.append(" ".join(map(str, cells)))
    return "\n".join(lines)


def stage(value: Any, text: str) -> Any:
    """The value after one stage of a pipeline."""
    call = re.fullmatch(r"(\w+)(?:\((.*)\))?", text.strip())
    assert call
    name, argument = call[1], (call[2] or "").removeprefix(".")
    if name == "each":
        return {key: pipeline(part, call[2]) for key, part in value.items()}
    if name == "select":
        field, sign, number = argument.split()
        return [record for record in value if (record[field] > int(number) if sign == ">" else record[field] < int(number))]
    if name == "group":
        keys = list(dict.fromkeys(record[argument] for record in value))
        return {str(key): [record for record in value if record[argument] == key] for key in keys}
    return {
        "map": lambda: [record[argument] for record in value],
        "sort": lambda: sorted(value, key=lambda record: record[argument]),
        "reverse": lambda: value[::-1],
        "take": lambda: value[: int(argument)],
        "skip": lambda: value[int(argument) :],
        "flatten": lambda: [entry for part in value for entry in part],
        "sum": lambda: sum(value),
        "length": lambda: len(value),
        "max": lambda: max(value),
        "unique": lambda: [entry for i, entry in enumerate(value) if entry not in value[:i]],
    }[name]()


def pipeline(value: Any, text: str) -> Any:
    """The value of a pipeline; a bar inside brackets belongs to an inner pipeline."""
    depth, parts = 0, [""]
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    for part in parts:
        value = stage(value, part)
    return value


@prompt_solver("json_transform")
def solve_json_transform(prompt: str) -> str:
    records = [json.loads(line) for line in prompt.split("\n") if line.startswith("{")]
    return json.dumps(pipeline(records, between(prompt, "does this pipeline produce?\n\n", "\n")))


def closure(attributes: frozenset[str], rules: list[tuple[str, str]]) -> frozenset[str]:
    """The attributes that a set of attributes determines."""
    while True:
        more = attributes.union(*(right for left, right in rules if set(left) <= attributes))
        if more == attributes:
            return attributes
        attributes = frozenset(more)


def minimal_keys(relation: frozenset[str], rules: list[tuple[str, str]]) -> list[frozenset[str]]:
    """The candidate keys of a relation under dependencies of a larger one."""
    keys: list[frozenset[str]] = []
    for size in range(len(relation) + 1):
        for chosen in map(frozenset, combinations(sorted(relation), size)):
            if closure(chosen, rules) >= relation and not any(key <= chosen for key in keys):
                keys.append(chosen)
    return keys


def schema(prompt: str) -> tuple[frozenset[str], list[tuple[str, str]]]:
    """The attributes and the dependencies of a prompt."""
    attributes = frozenset(group(r"has the attributes ([A-Z, ]+) and these", prompt).split(", "))
    return attributes, re.findall(r"([A-Z]+) -> ([A-Z]+)", prompt)


@prompt_solver("functional_dependencies")
def solve_functional_dependencies(prompt: str) -> str:
    attributes, rules = schema(prompt)
    if "all candidate keys" in prompt:
        return " ".join("".join(sorted(key)) for key in minimal_keys(attributes, rules))
    return "".join(sorted(closure(frozenset(group(r"Which attributes does ([A-Z]+) determine", prompt)), rules)))


def split_by_violations(relation: frozenset[str], rules: list[tuple[str, str]]) -> set[frozenset[str]]:
    """A lossless decomposition into relations in Boyce-Codd normal form, by the textbook algorithm."""
    for size in range(1, len(relation)):
        for left in map(frozenset, combinations(sorted(relation), size)):
            determined = closure(left, rules) & relation
            if left < determined < relation:
                return split_by_violations(determined, rules) | split_by_violations(left | (relation - determined), rules)
    return {relation}


def synthesised(attributes: frozenset[str], rules: list[tuple[str, str]]) -> set[frozenset[str]]:
    """A lossless decomposition into third normal form that keeps all dependencies, by Bernstein's synthesis."""
    cover = [(left, one) for left, right in rules for one in right if one not in left]
    for i, (left, one) in enumerate(cover):
        for attribute in left:
            if one in closure(frozenset(cover[i][0]) - {attribute}, cover):
                cover[i] = (cover[i][0].replace(attribute, ""), one)
    cover = list(dict.fromkeys(cover))
    for rule in list(cover):
        rest = [other for other in cover if other != rule]
        if rule[1] in closure(frozenset(rule[0]), rest):
            cover = rest
    cover.sort()
    parts = {frozenset(left) | {one for _, one in rows} for left, rows in groupby(cover, key=lambda rule: rule[0])}
    if not any(closure(part, rules) >= attributes for part in parts):
        parts.add(minimal_keys(attributes, rules)[0])
    return parts


@prompt_solver("normal_form_decompose")
def solve_normal_form_decompose(prompt: str) -> str:
    attributes, rules = schema(prompt)
    parts = split_by_violations(attributes, rules) if "BCNF" in prompt else synthesised(attributes, rules)
    kept = [part for part in parts if not any(part < other for other in parts)]
    return " ".join("".join(sorted(part)) for part in kept)


@prompt_solver("transaction_schedule_serialisable")
def solve_transaction_schedule_serialisable(prompt: str) -> str:
    steps = re.findall(r"([rw])(\d+)\((\w)\)", prompt.split("\n\n")[1])
    graph = nx.DiGraph()
    graph.add_nodes_from(transaction for _, transaction, _ in steps)
    for (a, t, x), (b, u, y) in combinations(steps, 2):
        if x == y and t != u and "w" in (a, b):
            graph.add_edge(t, u)
    if nx.is_directed_acyclic_graph(graph):
        return " ".join(["order", *(f"T{t}" for t in nx.topological_sort(graph))])
    return " ".join(["cycle", *(f"T{t}" for t, _ in nx.find_cycle(graph))])


@prompt_solver("datalog_query")
def solve_datalog_query(prompt: str) -> str:
    facts = {(name, a, b) for name, a, b in re.findall(r"^(\w+)\((\w+), (\w+)\)\.$", prompt, re.M)}
    rules = []
    for head, body in re.findall(r"^\d+\. (.*?) :- (.*)\.$", prompt, re.M):
        rules.append(
            (re.findall(r"\w+", head), [(sign, *re.findall(r"\w+", atom)) for sign, atom in re.findall(r"(not )?(\w+\(\w+, \w+\))", body)])
        )
    people = sorted({person for _, *pair in facts for person in pair})
    remaining = rules
    while remaining:
        # A stratum: rules whose heads are not needed, through "not" or at all, by rules that wait for them.
        defined = {head[0] for head, _ in remaining}
        waiting = {head[0] for head, body in remaining if any(sign and name in defined for sign, name, *_ in body)}
        while more := {head[0] for head, body in remaining if any(name in waiting for _, name, *_ in body)} - waiting:
            waiting |= more
        stratum = [rule for rule in remaining if rule[0][0] not in waiting]
        assert stratum
        remaining = [rule for rule in remaining if rule[0][0] in waiting]
        size = -1
        while size != len(facts):
            size = len(facts)
            for (name, x, y), body in stratum:
                names = sorted({x, y, *(variable for atom in body for variable in atom[2:])})
                for values in product(people, repeat=len(names)):
                    who = dict(zip(names, values, strict=True))
                    if all(((atom[1], who[atom[2]], who[atom[3]]) in facts) != bool(atom[0]) for atom in body):
                        facts.add((name, who[x], who[y]))
    goal = group(r"For which pairs does (\w+)\(X, Y\) follow", prompt)
    return " ".join(f"{a}-{b}" for name, a, b in sorted(facts) if name == goal)


@prompt_solver("table_reconcile")
def solve_table_reconcile(prompt: str) -> str:
    upper, lower = (
        between(prompt, *ends)
        for ends in ((" | total):\n", "\n\nBy customer"), (" (customer | pieces | total):\n", "\n\nThe total of a line"))
    )
    lines = [[cell if k < 2 else int(cell) for k, cell in enumerate(line.split(" | "))] for line in upper.splitlines()]
    sums = {name: [int(pieces), int(total)] for name, pieces, total in (line.split(" | ") for line in lower.splitlines())}
    if "lost" in prompt:
        lost = [line for line in lines if line[1] == "?"]
        left = {name: list(pair) for name, pair in sums.items() if name != "all"}
        for _, name, pieces, _, total in lines:
            if name != "?":
                left[name] = [left[name][0] - pieces, left[name][1] - total]
        states = {tuple(map(tuple, left.values())): [()]}
        for _, _, pieces, _, total in lost:
            after: dict = {}
            for state, ways in states.items():
                for k, (more, money) in enumerate(state):
                    if more >= pieces and money >= total:
                        now = (*state[:k], (more - pieces, money - total), *state[k + 1 :])
                        after.setdefault(now, []).extend((*way, list(left)[k]) for way in ways)
            states = after
        (filled,) = states[((0, 0),) * len(left)]
        return " ".join(filled)

    def agree() -> bool:
        groups = {name: [line for line in lines if line[1] == name] for name in sums if name != "all"}
        sums_hold = all(sums[name] == [sum(line[2] for line in mine), sum(line[4] for line in mine)] for name, mine in groups.items())
        whole = [sum(pair[k] for name, pair in sums.items() if name != "all") for k in (0, 1)]
        return sums_hold and sums["all"] == whole and all(line[2] * line[3] == line[4] for line in lines)

    cells = [(line, k, line[0], name) for line in lines for k, name in ((2, "pieces"), (3, "price"), (4, "total"))]
    cells += [(pair, k, row, name) for row, pair in sums.items() for k, name in ((0, "pieces"), (1, "total"))]
    for row, k, label, column in cells:
        before = row[k]
        for off in sorted(range(-30, 31), key=abs)[1:]:
            row[k] = before + off
            if agree():
                return f"{label} {column} {row[k]}"
        row[k] = before
    raise ValueError(prompt)
