"""`rlgym bench serve`: how many steps a second the service takes, and whether thousands of sessions are kept apart."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.table import Table

from rlgym.cli.output import console, print_json
from rlgym.core.errors import PackageMissing, RlgymError

PATIENCE = 120.0


def show_serving(url: str | None, key: str | None, workers: int, sessions: int, seconds: float, as_json: bool) -> None:
    """Measure a service at `url`, or one that is started for it, and print a table."""
    if find_spec("httpx") is None or find_spec("websockets") is None:
        raise PackageMissing("this needs httpx and websockets: pip install 'rlvrgym[serve]'")
    if url is not None:
        report = measured(url, key, sessions, seconds, None)
    else:
        with served(workers) as (address, process):
            report = {"workers": workers, **measured(address, None, sessions, seconds, process)}
    print_json(report) if as_json else _show(report)
    if report["apart"]["wrong"]:
        raise RlgymError(f"{report['apart']['wrong']} sessions were not what they are locally, the first: {report['apart']['first_wrong']}")


def measured(url: str, key: str | None, sessions: int, seconds: float, process: int | None) -> dict[str, Any]:
    """All measurements of a running service; memory only where its process is known."""
    from rlgym.cli.bench_load import apart, rates

    with loop_runner() as runner:
        speeds = runner.run(rates(url, key, seconds, lambda: spent(process)))
        kept = runner.run(apart(url, key, sessions, lambda: memory(process)))
    return {"cores": os.cpu_count(), "load": os.getloadavg()[0], "speeds": speeds, "apart": kept}


def loop_runner() -> asyncio.Runner:
    """A runner of uvloop's loop where there is one: the load should not be what is measured."""
    if find_spec("uvloop") is None:
        return asyncio.Runner()
    import uvloop

    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


@contextmanager
def served(workers: int) -> Iterator[tuple[str, int]]:
    """A service of its own on a free port: its address and its process."""
    from rlgym.serve.client import Client

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url, command = f"http://127.0.0.1:{port}", [sys.executable, "-m", "rlgym", "serve", "--port", str(port), "--workers", str(workers)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
        try:
            with Client(url, retries=0, timeout=5) as client:
                until = time.monotonic() + PATIENCE
                while not client.ready():
                    if process.poll() is not None or time.monotonic() > until:
                        said.seek(0)
                        told = said.read().decode(errors="replace").strip().splitlines()[-1:]
                        raise RlgymError(f"the service did not start ({' '.join(command[1:])}): {' '.join(told)}")
                    time.sleep(0.1)
            yield url, process.pid
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def memory(process: int | None) -> int | None:
    """Bytes that a process and its children hold of their own, shared pages divided; None where that is not known."""
    try:
        lines = [line for one in family(process) for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()]
    except OSError:
        return None
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")) or None


def spent(process: int | None) -> tuple[float, float]:
    """Seconds of processor time that this process and the service's have used; 0 for the service's where they are not known."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    theirs, tick = 0.0, os.sysconf("SC_CLK_TCK")
    try:
        for one in family(process):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            theirs += (int(fields[11]) + int(fields[12])) / tick
    except OSError:
        theirs = 0.0
    return used.ru_utime + used.ru_stime, theirs


def family(process: int | None) -> list[int]:
    """A process and those that it started, on Linux."""
    found, left = [], [process] if process else []
    while left:
        one = left.pop()
        found.append(one)
        for task in Path(f"/proc/{one}/task").iterdir():
            left += [int(child) for child in (task / "children").read_text().split()]
    return found


def _show(report: dict[str, Any]) -> None:
    table = Table("chain_sum, level 0", box=None)
    for column in ("steps/s", "resets/s", "p50 ms", "p99 ms", "us a step: service", "load", "steps/s if alone"):
        table.add_column(column, justify="right")
    for row in report["speeds"]:
        rates = [f"{row[what]:,.0f}" for what in ("steps_per_s", "resets_per_s")]
        times = [f"{row[what]:.1f}" for what in ("p50_ms", "p99_ms")]
        table.add_row(row["how"], *rates, *times, *(f"{row[what]:,.0f}" for what in ("service_us", "load_us", "alone_per_s")))
    console.print(table)
    console.print(
        f"us: processor time, with {report['cores']} cores that others used too by {report['load']:.1f} on average; "
        "if alone: what so much time allows on these cores"
    )
    kept = report["apart"]
    console.print(
        f"{kept['sessions']:,} sessions at once, {kept['steps']:,} steps interleaved, {kept['steps_per_s']:,.0f} steps/s: "
        f"{kept['wrong']} differ from the same episodes played locally"
    )
    if kept["bytes_per_session"] is not None:
        console.print(f"memory: {kept['bytes_per_session'] / 1024:.1f} KiB a session")
