"""What every adapter must agree on: responses with known scores, rows that must be refused, and the pages whose code must run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.errors import RowError
from rlgym.dataset import Session, oracle_response, sample, wrong_response

SINGLE = (
    "linear_system polynomial_factorization polynomial_roots base_conversion chain_sum countdown missing_digits random_calculation "
    "derivative caesar_crack vigenere_known_words predict_output count_operations function_from_tests git_merge_resolve locate_bug_line "
    "dyck_completion dfa_design graph_colouring max_flow shortest_path knights_and_knaves propositional_equivalence sat_assignment zebra "
    "bezout gcd_lcm modular_power prime_factorization blocksworld scheduling_with_conflicts futoshiki sudoku"
).split()
MANY = "higher_lower mastermind maze_walk nim lines_in_a_row calculator_and_lookup file_system_tasks".split()
WORLDS = ("customer_refunds", "phone_support", "log_rotation")
"""Worlds that last: a company behind 20 tools, callers who act on what the agent says, and a shell in the sandbox."""
EACH = 5
JUNK = "I am sure that this is right. The answer is 42, or perhaps 41."
UNREADABLE = "<answer>1</answer> or rather <answer>two</answer>"
KINDS = ("oracle", "mistake", "junk", "unreadable")


@dataclass(frozen=True)
class Case:
    """A row, a response to it (a list of turns where there are many), and the score that rlgym.score gives it."""

    row: dict[str, Any]
    kind: str
    response: Any
    score: float

    @property
    def single(self) -> bool:
        return isinstance(self.response, str)


@cache
def rows(many: bool | None = None) -> tuple[dict[str, Any], ...]:
    """Two hundred tasks of forty environments, five of each; only those of one turn, or of many, if asked for."""
    if many is not None:
        return tuple(row for row in rows() if (row["env"] in MANY) is many)
    names = [*SINGLE, *MANY]
    return tuple(sample(names, len(names) * EACH, levels=[0.0, 0.3], seed=7))


@cache
def cases(many: bool | None = None) -> tuple[Case, ...]:
    """Every row with four kinds of response."""
    if many is not None:
        return tuple(case for case in cases() if case.single is not many)
    out = []
    for row in rows():
        turns = Session(row).max_turns
        for kind in KINDS:
            if kind in ("junk", "unreadable"):
                text = JUNK if kind == "junk" else UNREADABLE
                response: Any = text if row["kind"] == "environment" else [text] * turns
            else:
                response = oracle_response(row) if kind == "oracle" else wrong_response(row)
            score = rlgym.score(row, response)
            assert not score.masked, (row["id"], score)
            out.append(Case(row, kind, response, score.value))
    return tuple(out)


def damaged() -> list[tuple[dict[str, Any], str]]:
    """Rows that must be refused, each with its id, which the refusal must name."""
    row = next(sample("chain_sum", 1))
    spoilt = [
        {"env": "no_such_environment"},
        {"version": 999},
        {"data": "{}"},
        {"data": "not JSON"},
        {"knobs": "]["},
        {"answer_format": "{}"},
    ]
    return [(row | change | {"id": f"damaged-{number}"}, f"damaged-{number}") for number, change in enumerate(spoilt)]


def page(name: str, number: int = 0) -> str:
    """The Python code of an adapter's page in the docs; the first block, unless another is asked for. At most 20 lines."""
    text = (Path(__file__).parents[2] / "docs" / "adapters" / f"{name}.md").read_text(encoding="utf-8")
    code = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[number]
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= 20, f"docs/adapters/{name}.md promises less than 20 lines and has {len(lines)}"
    return code


__all__ = ["Case", "RowError", "cases", "damaged", "page", "rows"]
