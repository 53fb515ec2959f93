"""`rlgym sandbox soak`: runs many programs in the sandbox and counts the resources they leave behind."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track

from rlgym.cli.output import Json, console, print_json

WARM_UP_RUNS = 200
PROGRAMS = (
    "def solve(a, b):\n    return a + b",
    "def solve(a, b):\n    raise ValueError(a)",
    "import os\ndef solve(a, b):\n    os._exit(3)",
    "import threading, time\ndef solve(a, b):\n    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n    return a + b",
    "def solve(a, b):\n    return [bytearray(1 << 20) for _ in range(20)] and a + b",
    "def solve(a, b):\n    return bytearray(1 << 40)",
    "def solve(a, b) return",
    "def solve(a, b):\n    return open('/tmp/left', 'w')",
)


def soak(runs: Annotated[int, typer.Option(help="number of runs")] = 20_000, as_json: Json = False) -> None:
    """Run well-behaved and misbehaving programs, and count processes, descriptors, memory and temporary files before and after."""
    from rlgym.sandbox.process import ProcessRunner

    with ProcessRunner() as runner:
        for i in range(WARM_UP_RUNS):
            runner.run(PROGRAMS[i % len(PROGRAMS)], [(1, 2)])
        before, started = count_resources(), time.perf_counter()
        for i in track(range(runs), "running", console=console, disable=as_json, transient=True):
            runner.run(PROGRAMS[i % len(PROGRAMS)], [(1, 2)])
        seconds, after = time.perf_counter() - started, count_resources()
    closed = count_resources()
    report: dict[str, Any] = {"runs": runs, "seconds": round(seconds, 1), "before": before, "after": after, "closed": closed}
    if as_json:
        print_json(report)
        return
    console.print(f"{runs:,} runs in {seconds:.0f} s", markup=False)
    for name in before:
        console.print(f"{name}: {before[name]:,} before, {after[name]:,} after, {closed[name]:,} when closed", markup=False)


def count_resources() -> dict[str, int]:
    """The resources that this process and its descendants hold."""
    remaining, pids = [os.getpid()], list[int]()
    while remaining:
        pid = remaining.pop()
        pids.append(pid)
        for path in Path(f"/proc/{pid}/task").glob("*/children"):
            remaining += map(int, path.read_text().split())
    return {
        "processes": len(pids),
        "descriptors": len(os.listdir("/proc/self/fd")) - 1,  # without the one that lists them
        "kilobytes": sum(_resident_kilobytes(pid) for pid in pids),
        "temporary_files": sum(name.startswith("rlgym-") for name in os.listdir(tempfile.gettempdir())),
    }


def _resident_kilobytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().split("\n"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0
