"""Compares how fast two checkouts generate tasks, environment by environment, in one run.

    python benchmarks/generation_speed.py OTHER_CHECKOUT [--level 0.5] [--seconds 0.2] [--least 5] [--part 1/3] [--json FILE]
    python benchmarks/generation_speed.py --join FILE FILE ...

One process for each checkout; both measure the same environment one after the other, so that other load of the machine hits both alike.
Measured is the processor time of the process for `reset`, on at least `--least` seeds. `--part 1/3` measures every third environment, so that a run
is short, and `--join` puts the files of the parts together. `chain_sum` is measured again after every twenty environments, as the speed of a busy machine
changes: `per_chain_sum` is the rate in thousandths of that. The harmonic mean over all environments is the speed of a
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

def per_second(name, level, seconds, least):
    env = rlgym.make(name, level=level)
    env.reset(seed=0)
    gc.collect()
    begun, count = time.process_time(), 0
    while count < least or time.process_time() - begun < seconds:
        count += 1
        env.reset(seed=count)
    return count / max(time.process_time() - begun, 1e-9)

print(json.dumps(sorted(rlgym.names())), flush=True)
for line in sys.stdin:
    name, level, seconds, least = json.loads(line)
    try:
        print(json.dumps(per_second(name, level, seconds, least)), flush=True)
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

    def measure(self, name: str, level: float, seconds: float, least: int = 5) -> float:
        """Tasks per second of processor time; RuntimeError where the environment fails."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([name, level, seconds, least]) + "\n")
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


def measure(here: Worker, other: Worker, names: list[str], level: float, seconds: float, least: int) -> list[dict[str, Any]]:
    """A row for each environment, with its rates in both checkouts and, in thousandths of that of `chain_sum`, here."""
    rows, chain_sum = [], 0.0
    for i, name in enumerate(names):
        if i % 20 == 0:
            chain_sum = here.measure("chain_sum", 0.5, 0.1)
        rates = {side: worker.measure(name, level, seconds, least) for side, worker in (("here", here), ("other", other))}
        rows.append({"name": name, **rates, "ratio": rates["here"] / rates["other"], "per_chain_sum": 1000 * rates["here"] / chain_sum})
    return rows


def show(rows: list[dict[str, Any]], level: float, file: Path | None) -> None:
    means = summary(rows)
    for name, value in means.items():
        print(f"{name:20} {value:,.2f}")
    by_speed, by_ratio = sorted(rows, key=lambda row: row["per_chain_sum"]), sorted(rows, key=lambda row: row["ratio"])
    print("slowest here, in thousandths of chain_sum:", *(f"{row['name']} {row['per_chain_sum']:.2f}" for row in by_speed[:40]), sep="\n  ")
    print("lost most:", *(f"{row['name']} {row['ratio']:.2f}" for row in by_ratio[:20]), sep="\n  ")
    if file:
        file.write_text(json.dumps({"level": level, "means": means, "environments": rows}, indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, nargs="?", help="folder of the other checkout")
    parser.add_argument("--level", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--least", type=int, default=5, help="least tasks of each environment")
    parser.add_argument("--part", default="1/1", help="which part of the environments, such as 1/3")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--join", type=Path, nargs="+", help="files of the parts")
    arguments = parser.parse_args()
    if arguments.join:
        parts = [json.loads(file.read_text()) for file in arguments.join]
        show([row for part in parts for row in part["environments"]], parts[0]["level"], arguments.json)
        return
    if arguments.other is None:
        parser.error("name the folder of the other checkout")
    here, other = Worker(Path(__file__).resolve().parents[1]), Worker(arguments.other.resolve())
    part, count = map(int, arguments.part.split("/"))
    names = sorted(set(here.names) & set(other.names))[part - 1 :: count]
    show(measure(here, other, names, arguments.level, arguments.seconds, arguments.least), arguments.level, arguments.json)


if __name__ == "__main__":
    main()
