"""Compares throughput with reasoning-gym on the task families that both have, at matched settings, in the same run."""

from __future__ import annotations

import json
import math
import subprocess
import venv
from pathlib import Path
from typing import Any

VERSION = "0.1.25"
FOLDER = Path(".bench") / "reasoning-gym"

# Our name and knobs, their name and settings, matched in size as closely as possible. Families that share a name but are different tasks
# (their shortest_path is a grid maze, their propositional_logic an inference) are left out.
PAIRS: tuple[tuple[str, dict[str, Any], str, dict[str, Any]], ...] = (
    ("chain_sum", {"terms": 5, "digits": 3}, "chain_sum", {"min_terms": 5, "max_terms": 5, "min_digits": 3, "max_digits": 3}),
    (
        "random_calculation",
        {"steps": 4, "largest": 99, "operators": "divisions"},
        "basic_arithmetic",
        {"min_terms": 5, "max_terms": 5, "min_digits": 1, "max_digits": 2},
    ),
    ("base_conversion", {"digits": 3, "largest": 16, "kind": "any"}, "base_conversion", {}),
    ("countdown", {"numbers": 5, "largest": 100, "target": 999, "use": "all"}, "countdown", {"min_numbers": 5, "max_numbers": 5}),
    ("prime_factorization", {"factors": 3, "largest": 23}, "prime_factorization", {"min_value": 2, "max_value": 1000}),
    ("sudoku", {"boxes": "3x3", "empty": 50, "reasoning": "singles"}, "sudoku", {}),
    ("sudoku", {"boxes": "2x2", "empty": 62, "reasoning": "singles"}, "mini_sudoku", {}),
    ("futoshiki", {"size": 5}, "futoshiki", {"min_board_size": 5, "max_board_size": 5}),
    ("knights_and_knaves", {"people": 5, "statements": "joined"}, "knights_knaves", {"n_people": 5}),
    ("zebra", {"houses": 4, "traits": 4, "spare": 0, "clues": "mixed"}, "zebra_puzzles", {"num_people": 4, "num_characteristics": 4}),
    ("syllogism", {"classes": 3, "premises": 2, "conclusions": 5}, "syllogism", {}),
    ("caesar_crack", {"words": 12, "family": "shift"}, "caesar_cipher", {}),
    ("integral", {"terms": 3, "largest": 10, "method": "powers"}, "simple_integration", {"min_terms": 3, "max_terms": 3}),
    (
        "sokoban",
        {"width": 6, "height": 6, "boxes": 3, "walls": 15, "pulls": 30},
        "sokoban",
        {"max_w": 8, "max_h": 8, "min_boxes": 3, "max_boxes": 3},
    ),
    ("graph_colouring", {"countries": 10, "colours": 3, "degree": 20, "fixed": 0}, "graph_color", {}),
)

SCRIPT = """
import json, statistics, sys, time
import reasoning_gym
seconds, cases = json.loads(sys.argv[1])
rates = []
for name, settings in cases:
    made = reasoning_gym.create_dataset(name, size=10**6, seed=1, **settings)
    made[0]
    rounds, i = [], 1
    for _ in range(5):
        begun, first = time.perf_counter(), i
        while time.perf_counter() - begun < seconds / 5 or i == first:
            made[i]
            i += 1
        rounds.append((i - first) / (time.perf_counter() - begun))
    rates.append(statistics.median(rounds))
print(json.dumps(rates))
"""


def compare_with_reasoning_gym(seconds: float) -> dict[str, Any]:
    """Tasks per second of both for every pair, and the geometric mean of the ratios (ours to theirs)."""
    import rlgym
    from rlgym.cli.timing import per_second
    from rlgym.core.errors import RlgymError
    from rlgym.episode.sampling import configure, sample_task

    python = _python()
    cases = json.dumps([seconds, [(theirs, settings) for _, _, theirs, settings in PAIRS]])
    done = subprocess.run([python, "-W", "ignore", "-c", SCRIPT, cases], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RlgymError(f"reasoning-gym could not be run: {done.stderr.strip()[-400:]}")
    rows = []
    for (ours, knobs, theirs, settings), their_rate in zip(PAIRS, json.loads(done.stdout.splitlines()[-1]), strict=True):
        declared = rlgym.environment(ours)
        config = configure(declared, None, knobs)
        rate = per_second(lambda seed, ours=ours, declared=declared, config=config: sample_task(ours, declared, seed, config), seconds)  # type: ignore[misc]
        row = {"ours": ours, "knobs": knobs, "theirs": theirs, "settings": settings}
        rows.append({**row, "ours_per_s": round(rate, 1), "theirs_per_s": round(their_rate, 1), "ratio": round(rate / their_rate, 3)})
    ratio = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
    return {"version": VERSION, "families": rows, "ratio": round(ratio, 3)}


def _python() -> str:
    """The Python of a virtual environment with reasoning-gym, created on first use."""
    from rlgym.core.errors import RlgymError

    python = FOLDER / "bin" / "python"
    if not python.exists():
        venv.create(FOLDER, with_pip=True)
    probe = [str(python), "-c", f"from importlib.metadata import version; assert version('reasoning-gym') == '{VERSION}'"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        command = [str(python), "-m", "pip", "install", "--quiet", f"reasoning-gym=={VERSION}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RlgymError(f"reasoning-gym {VERSION} could not be installed: {done.stderr.strip()[-400:]}")
    return str(python)
