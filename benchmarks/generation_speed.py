"""Compares how fast two checkouts generate tasks, environment by environment, in one run.

    python benchmarks/generation_speed.py OTHER_CHECKOUT [--level 0.5] [--seconds 0.2] [--json FILE]

One process for each checkout; both measure the same environment one after the other, so that other load of the machine hits both alike.
Measured is the processor time of the process for `reset`, on at least five seeds. The harmonic mean over all environments is the speed of a
uniform mixture; the geometric mean of the ratios treats all environments alike.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

WORKER = """
import gc, json, sys, time
import rlgym

def per_second(name, level, seconds):
    env = rlgym.make(name, level=level)
    env.reset(seed=0)
    gc.collect()
    begun, count = time.process_time(), 0
    while count < 5 or time.process_time() - begun < seconds:
        count += 1
        env.reset(seed=count)
    return count / max(time.process_time() - begun, 1e-9)

print(json.dumps(sorted(rlgym.names())), flush=True)
for line in sys.stdin:
    name, level, seconds = json.loads(line)
    try:
        print(json.dumps(per_second(name, level, seconds)), flush=True)
    except Exception as error:
        print(json.dumps(f"{type(error).__name__}: {error}"), flush=True)
"""


class Worker:
    """A process that measures environments of one checkout."""

    def __init__(self, checkout: Path) -> None:
        variables = {**os.environ, "PYTHONPATH": str(checkout)}
        command = [sys.executable, "-W", "ignore", "-c", WORKER]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=checkout, env=variables)
        self.names: list[str] = self._read()

    def measure(self, name: str, level: float, seconds: float) -> float:
        """Tasks per second of processor time; RuntimeError where the environment fails."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([name, level, seconds]) + "\n")
        self.process.stdin.flush()
        found = self._read()
        if isinstance(found, str):
            raise RuntimeError(f"{name}: {found}")
        return float(found)

    def _read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


def summary(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Means over all environments, of both checkouts and of their ratio."""
    means: dict[str, float] = {"environments": len(rows)}
    for side in ("here", "other"):
        rates = [row[side] for row in rows]
        means[f"{side}_harmonic"] = len(rates) / sum(1 / rate for rate in rates)
        means[f"{side}_geometric"] = math.exp(sum(map(math.log, rates)) / len(rates))
    means["harmonic_ratio"] = means["here_harmonic"] / means["other_harmonic"]
    means["geometric_ratio"] = means["here_geometric"] / means["other_geometric"]
    return means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="folder of the other checkout")
    parser.add_argument("--level", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    here, other = Worker(Path(__file__).resolve().parents[1]), Worker(arguments.other.resolve())
    rows = []
    for name in sorted(set(here.names) & set(other.names)):
        rates = {side: worker.measure(name, arguments.level, arguments.seconds) for side, worker in (("here", here), ("other", other))}
        rows.append({"name": name, **rates, "ratio": rates["here"] / rates["other"]})
    means = summary(rows)
    for name, value in means.items():
        print(f"{name:20} {value:,.2f}")
    reference = next((row["here"] for row in rows if row["name"] == "chain_sum"), None)
    print("slowest here:", *(f"{row['name']} {row['here']:.0f}/s" for row in sorted(rows, key=lambda row: row["here"])[:40]), sep="\n  ")
    print("lost most:", *(f"{row['name']} {row['ratio']:.2f}" for row in sorted(rows, key=lambda row: row["ratio"])[:20]), sep="\n  ")
    print(f"chain_sum here: {reference or 0:,.0f}/s")
    if arguments.json:
        arguments.json.write_text(json.dumps({"level": arguments.level, "means": means, "environments": rows}, indent=1))


if __name__ == "__main__":
    main()
