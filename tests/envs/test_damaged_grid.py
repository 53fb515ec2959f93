"""Damaged grids: z3 finds no second grid that fits the prompt, and each kind of damage has to be undone."""

import re
from itertools import product

import pytest
import z3

import rlgym

NAME = "damaged_grid"
COUNTS = {"one": 1, "two": 2, "three": 3}


def read(prompt):
    """The shown grid, the largest factor and the number of replaced digits, from the prompt alone."""
    rows = [line.split() for line in prompt.splitlines() if re.fullmatch(r"[\d?]( [\d?])+", line)]
    factor = re.search(r"whole numbers from 1 to (\d+)", prompt)
    replaced = re.search(r"(\w+) of the other digits (?:was|were) replaced", prompt)
    return rows, int(factor[1]) if factor else 1, COUNTS[replaced[1]] if replaced else 0


def unmoved(rows, prompt):
    """Every grid that the shown one may have been before it was moved."""
    size = len(rows)
    if "moved to the top" in prompt:
        return [
            [[rows[(r + dr) % size][(c + dc) % size] for c in range(size)] for r in range(size)]
            for dr, dc in product(range(size), repeat=2)
        ]
    grids = [rows]
    while "turned clockwise" in prompt and len(grids) < 4:
        grids.append([list(column) for column in zip(*grids[-1], strict=True)][::-1])
    return grids


def fitting(prompt):
    """All grids that z3 finds for the prompt, two of each move and pair of factors at most."""
    rows, factor, replaced = read(prompt)
    size, found = len(rows), set()
    for grid, a, b in product(unmoved(rows, prompt), range(1, factor + 1), range(1, factor + 1)):
        solver, constant = z3.Solver(), z3.Int("c")
        cells = [[z3.Int(f"r{r}c{c}") for c in range(size)] for r in range(size)]
        solver.add(constant >= 0, constant <= 9, *[z3.And(cell >= 0, cell <= 9) for row in cells for cell in row])
        for r, c in product(range(1, size), repeat=2):
            solver.add((a * cells[r][c - 1] + b * cells[r - 1][c] + constant - cells[r][c]) % 10 == 0)
        known = [(cells[r][c], int(grid[r][c])) for r, c in product(range(size), repeat=2) if grid[r][c] != "?"]
        solver.add(z3.Sum([z3.If(cell != digit, 1, 0) for cell, digit in known]) == replaced)
        for _ in range(2):
            if solver.check() != z3.sat:
                break
            model = solver.model()
            values = tuple(tuple(model.eval(cell, model_completion=True).as_long() for cell in row) for row in cells)
            found.add(values)
            solver.add(
                z3.Or([cell != value for row, numbers in zip(cells, values, strict=True) for cell, value in zip(row, numbers, strict=True)])
            )
    return found


@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        (NAME, {"size": 4, "factor": 3, "replaced": 0, "masked": 4}),
        (NAME, {"size": 5, "factor": 2, "replaced": 1, "masked": 3}),
        (NAME, {"size": 5, "factor": 2, "replaced": 0, "masked": 5, "turned": "yes"}),
        (f"{NAME}:shift", {"size": 4, "factor": 1, "replaced": 0, "masked": 3}),
    ],
)
def test_z3_finds_one_grid_for_the_prompt(name, knobs):
    for seed in range(3):
        task = rlgym.task(name, seed, **knobs)
        assert fitting(task.prompt) == {task.data.right}


def filled_as_it_stands(prompt):
    """Takes the rule that holds in most places of the shown grid, and fills the masked cells by it: no turning, no replaced digits."""
    rows, factor, _ = read(prompt)
    size = len(rows)
    grid = [[-1 if cell == "?" else int(cell) for cell in row] for row in rows]
    places = [(r, c) for r, c in product(range(1, size), repeat=2) if -1 not in (grid[r][c], grid[r][c - 1], grid[r - 1][c])]
    rules = product(range(1, factor + 1), range(1, factor + 1), range(10))
    a, b, k = max(
        rules,
        key=lambda rule: sum((rule[0] * grid[r][c - 1] + rule[1] * grid[r - 1][c] + rule[2] - grid[r][c]) % 10 == 0 for r, c in places),
    )
    for r, c in product(range(size), repeat=2):
        if grid[r][c] == -1:
            grid[r][c] = (a * grid[r][c - 1] + b * grid[r - 1][c] + k) % 10 if r and c else 0
    return "\n".join(" ".join(map(str, row)) for row in grid)


@pytest.mark.parametrize(("name", "level"), [(NAME, 0.5), (NAME, 1.0), (f"{NAME}:shift", 0.0), (f"{NAME}:shift", 0.5)])
def test_filling_the_masks_alone_earns_little(name, level):
    tasks = [rlgym.task(name, seed, level=level) for seed in range(20 if level == 1 else 60)]
    paid = [rlgym.score(task, f"<answer>{filled_as_it_stands(task.prompt)}</answer>").value for task in tasks]
    assert sum(paid) / len(paid) <= (0.1 if level == 0 else 0)


def test_the_knobs_choose_the_damage():
    plain = rlgym.task(NAME, 1, level=0.0)
    assert "replaced" not in plain.prompt
    assert "turned" not in plain.prompt
    turned = [rlgym.task(NAME, seed, level=1.0) for seed in range(30)]
    assert all("turned clockwise" in task.prompt and "three of the other digits were replaced" in task.prompt for task in turned)
    right = [rlgym.environment(NAME).explain(task)[0] for task in turned]
    assert len(set(right)) == 4  # left as it was, and turned three ways


def test_a_grid_that_was_not_turned_is_said_to_be_as_shown():
    for seed in range(40):
        task = rlgym.task(NAME, seed, level=1.0)
        steps = rlgym.environment(NAME).explain(task)
        if "was not turned" in str(steps[0]):
            break
    assert not any("by 0 degrees" in str(step) for step in steps)
    assert rlgym.environment(NAME).replay(task, steps) is None
    assert rlgym.environment(NAME).replay(task, ["The grid was turned clockwise by 90 degrees", *steps[1:]]) == 0
