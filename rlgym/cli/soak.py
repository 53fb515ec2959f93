"""`rlgym sandbox soak`: many runs, and what they have left behind, counted."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track

from rlgym.cli.output import Json, console, print_json

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


def soak(runs: Annotated[int, typer.Option(help="how many")] = 20_000, as_json: Json = False) -> None:
    """Run programs of all kinds, and count processes, descriptors, memory and temporary files before and after."""
    from rlgym.sandbox.process import ProcessRunner

    with ProcessRunner() as runner:
        for i in range(200):
            runner.run(PROGRAMS[i % len(PROGRAMS)], [(1, 2)])
        before, begun = _counted(), time.perf_counter()
        for i in track(range(runs), "running", console=console, disable=as_json, transient=True):
            runner.run(PROGRAMS[i % len(PROGRAMS)], [(1, 2)])
        seconds, after = time.perf_counter() - begun, _counted()
    closed = _counted()
    report: dict[str, Any] = {"runs": runs, "seconds": round(seconds, 1), "before": before, "after": after, "closed": closed}
    if as_json:
        print_json(report)
        return
    console.print(f"{runs:,} runs in {seconds:.0f} s", markup=False)
    for what in before:
        console.print(f"{what}: {before[what]:,} before, {after[what]:,} after, {closed[what]:,} when closed", markup=False)


def _counted() -> dict[str, int]:
    """What this process holds now, with all processes below it."""
    family, found = [os.getpid()], list[int]()
    while family:
        pid = family.pop()
        found.append(pid)
        for path in Path(f"/proc/{pid}/task").glob("*/children"):
            family += map(int, path.read_text().split())
    return {
        "processes": len(found),
        "descriptors": len(os.listdir("/proc/self/fd")) - 1,
        "kilobytes": sum(_resident(pid) for pid in found),
        "temporary_files": sum(name.startswith("rlgym-") for name in os.listdir(tempfile.gettempdir())),
    }


def _resident(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().split("\n"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0
