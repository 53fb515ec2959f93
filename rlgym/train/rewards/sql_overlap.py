"""Partial rewards of SQL queries: the tables and columns used, runs of tokens shared with the reference, and syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import get_args

from pydantic import Field, model_validator

import rlgym
from rlgym import Outcome
from rlgym.core.answer import Style, Unreadable
from rlgym.sandbox import get_runner
from rlgym.sandbox.sql_compile import LIMITS, compiles_in
from rlgym.sandbox.sqlite import Table
from rlgym.train.registry import Options, reward
from rlgym.train.rewards.scored import ScoredResponse

DIALECT = "SQLite"
"""How the prompts of tasks name the dialect whose queries the reward can compile."""
_TABLE = re.compile(r"^CREATE TABLE (\w+) \((.*)\);$", re.MULTILINE)
_TOKEN = re.compile(r"'(?:[^']|'')*'|\w+|[<>=!|]+|[^\s\w]")


class SqlOverlapOptions(Options):
    """Options of `sql_overlap`."""

    highest: float = Field(0.5, gt=0, lt=1, description="reward of a wrong query that has all three in full")
    schema_linking: float = Field(1.0, ge=0, description="weight of the tables and columns shared with the reference")
    ngrams: float = Field(1.0, ge=0, description="weight of the runs of `n` tokens shared with the reference")
    syntax: float = Field(1.0, ge=0, description="weight of a query that compiles on the schema of the prompt")
    n: int = Field(2, ge=1, le=5, description="tokens of a run")

    @model_validator(mode="after")
    def _weighted(self) -> SqlOverlapOptions:
        if self.schema_linking + self.ngrams + self.syntax == 0:
            raise ValueError("one of the weights schema_linking, ngrams and syntax must be above 0")
        return self


@reward("sql_overlap", paper="Reasoning-SQL: Reinforcement Learning with SQL Tailored Partial Rewards for Reasoning-Enhanced Text-to-SQL")
def sql_overlap(scored: ScoredResponse, options: SqlOverlapOptions) -> float:
    """highest (w_s schema + w_n ngrams + w_x syntax) / (w_s + w_n + w_x) for a readable wrong SQLite query; a right one keeps 1.

    `schema` is the Jaccard similarity of the tables and columns that the query and the reference use, `ngrams` that of their runs of n
    tokens, and `syntax` is 1 for a query that compiles on the tables of the prompt, in the sandbox and its limits. Tasks with other answers
    or dialects are paid their score alone.
    """
    if scored.score.outcome in (Outcome.RIGHT, Outcome.UNREADABLE, Outcome.REFUSED) or not is_sql_task(scored.task.name):
        return 0.0
    query, reference = (_query(scored.task.name, text) for text in (scored.response, scored.reference))
    tables = _tables(scored.prompt)
    if not query or not reference or not tables or DIALECT not in scored.prompt:
        return 0.0
    names = {name.lower() for table, columns in tables.items() for name in (table, *(column.split()[0] for column in columns.split(",")))}
    total = options.schema_linking + options.ngrams + options.syntax
    earned = options.schema_linking * jaccard(names & {*_tokens(query)}, names & {*_tokens(reference)})
    earned += options.ngrams * jaccard(_runs(_tokens(query), options.n), _runs(_tokens(reference), options.n))
    if options.syntax:
        empty = [Table(name, tuple(columns.split(",")), ()) for name, columns in tables.items()]
        earned += options.syntax * compiles_in(get_runner(LIMITS), empty, query)
    return max(scored.score.value, options.highest * earned / total) - scored.score.value


def is_sql_task(name: str) -> bool:
    """Whether the answers of an environment are SQL queries."""
    return getattr(getattr(rlgym.environment(name), "answer", None), "format", "") == "sql"


def jaccard(first: Iterable[object], second: Iterable[object]) -> float:
    """The share of the members of either set that both have; 1 for two empty sets."""
    one, other = set(first), set(second)
    return len(one & other) / len(one | other) if one | other else 1.0


def _query(name: str, response: str) -> str:
    """The query of a response; empty where it is unreadable."""
    answer = rlgym.environment(name).answer
    for style in get_args(Style):
        try:
            return str(answer.parse_response(response, style))
        except Unreadable:
            continue
    return ""


def _tables(prompt: str) -> dict[str, str]:
    """The tables of the CREATE TABLE statements of a prompt, each with its columns."""
    return dict(_TABLE.findall(prompt))


def _tokens(query: str) -> list[str]:
    """Names and keywords in lower case, numbers, signs, and strings as they stand."""
    return [token if token.startswith("'") else token.lower() for token in _TOKEN.findall(query)]


def _runs(tokens: list[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1)}
