"""Compares throughput with reasoning-gym on the task families that both have, at matched settings, in the same run."""

from __future__ import annotations

import json
import math
import subprocess
import time
import venv
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rlgym.cli.reasoning_gym_pairs import PAIRS

VERSION = "0.1.25"
FOLDER = Path(".bench") / "reasoning-gym"

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
        begun, first = time.process_time(), i
        while time.process_time() - begun < seconds / 5 or i == first:
            made[i]
            i += 1
        rounds.append((i - first) / (time.process_time() - begun))
    rates.append(statistics.median(rounds))
print("\\n" + json.dumps(rates))
"""


def compare_with_reasoning_gym(seconds: float) -> dict[str, Any]:
    """Tasks per second of processor time of both for every pair, and the geometric mean of the ratios (ours to theirs)."""
    import rlgym
    from rlgym.cli.timing import per_second
    from rlgym.core.config import Config
    from rlgym.core.declare import Declaration
    from rlgym.core.errors import RlgymError
    from rlgym.episode.sampling import configure, sample_task

    python = _python()
    cases = json.dumps([seconds, [(pair.theirs, dict(pair.settings)) for pair in PAIRS]])
    done = subprocess.run([python, "-W", "ignore", "-c", SCRIPT, cases], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RlgymError(f"reasoning-gym could not be run: {done.stderr.strip()[-400:]}")
    rows = []
    for pair, their_rate in zip(PAIRS, json.loads(done.stdout.splitlines()[-1]), strict=True):
        declared = rlgym.environment(pair.ours)
        config = configure(declared, None, pair.knobs)

        def sample(seed: int, name: str = pair.ours, declared: Declaration = declared, config: Config = config) -> object:
            return sample_task(name, declared, seed, config)

        rate = per_second(sample, seconds, time.process_time)
        rates = {"ours_per_s": round(rate, 1), "theirs_per_s": round(their_rate, 1), "ratio": float(f"{rate / their_rate:.3g}")}
        rows.append({**asdict(pair), **rates})
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
