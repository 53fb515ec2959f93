"""Second solvers that read prompts alone agree with the environments, which they share no code with."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import prompt_solvers
import pytest
from prompt_solvers.registry import all_prompt_solvers

import rlgym

SOLVERS = all_prompt_solvers()
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
LEAST_LEVELS = (0.5,)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_second_solver_agrees(name: str) -> None:
    _agrees(name, 770_001, LEAST_LEVELS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVERS)
def test_a_second_solver_agrees_on_more_tasks(name: str) -> None:
    _agrees(name, 770_001, [level for level in LEVELS if level not in LEAST_LEVELS])
    for seed in (770_002, 770_003):
        _agrees(name, seed, LEVELS)


def _agrees(name: str, seed: int, levels: Sequence[float]) -> None:
    solver = SOLVERS[name]
    for level in [level for level in levels if level <= solver.highest_level]:
        env = rlgym.make(name, level=level)
        prompt, _ = env.reset(seed=seed)
        *_, info = env.step(f"<answer>{solver.solve(prompt)}</answer>")
        assert info["score"].value == 1.0, f"{name}, level {level}, seed {seed}: {info['score'].reason}"


def test_second_solvers_use_nothing_of_the_package() -> None:
    for file in Path(prompt_solvers.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] in ("rlgym", "envs", "generators", "sandbox")], file.name
