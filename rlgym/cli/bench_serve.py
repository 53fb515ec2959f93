"""`rlgym bench serve`: the throughput of the service, and whether thousands of sessions stay isolated from each other."""

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

from rlgym.cli.bench_load import CpuSeconds, check_isolation, measure_throughput
from rlgym.cli.output import console, print_json
from rlgym.core.errors import PackageMissing, RlgymError

START_TIMEOUT_SECONDS = 120.0
STOP_TIMEOUT_SECONDS = 30.0


def bench_service(url: str | None, key: str | None, workers: int, sessions: int, seconds: float, as_json: bool) -> None:
    """Measure a service at `url`, or one that is started for it, and print a table."""
    if find_spec("httpx") is None or find_spec("websockets") is None:
        raise PackageMissing("`rlgym bench serve` needs httpx and websockets: pip install 'rlvrgym[serve]'")
    if url is not None:
        report = measure_service(url, key, sessions, seconds, None)
    else:
        with start_service(workers) as (own_url, pid):
            report = {"workers": workers, **measure_service(own_url, None, sessions, seconds, pid)}
    print_json(report) if as_json else _show(report)
    isolation = report["isolation"]
    if isolation["differences"]:
        raise RlgymError(
            f"{isolation['differences']} steps or resets differ from the same episodes played locally, the first: {isolation['first_difference']}"
        )


def measure_service(url: str, key: str | None, sessions: int, seconds: float, pid: int | None) -> dict[str, Any]:
    """All measurements of a running service; its memory and processor time only if its process is known."""
    with create_runner() as runner:
        throughput = runner.run(measure_throughput(url, key, seconds, lambda: cpu_seconds(pid)))
        isolation = runner.run(check_isolation(url, key, sessions, lambda: memory_bytes(pid)))
    return {"cores": os.cpu_count(), "load_average": os.getloadavg()[0], "throughput": throughput, "isolation": isolation}


def create_runner() -> asyncio.Runner:
    """A runner with uvloop if it is installed, so that the load itself takes little time."""
    if find_spec("uvloop") is None:
        return asyncio.Runner()
    import uvloop

    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


@contextmanager
def start_service(workers: int) -> Iterator[tuple[str, int]]:
    """Start a service on a free port; yields its URL and process id."""
    from rlgym.serve.client import Client

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url, command = f"http://127.0.0.1:{port}", [sys.executable, "-m", "rlgym", "serve", "--port", str(port), "--workers", str(workers)]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
        try:
            with Client(url, retries=0, timeout=5) as client:
                deadline = time.monotonic() + START_TIMEOUT_SECONDS
                while not client.ready():
                    if process.poll() is not None or time.monotonic() > deadline:
                        output.seek(0)
                        last_line = output.read().decode(errors="replace").strip().splitlines()[-1:]
                        raise RlgymError(f"the service did not start ({' '.join(command[1:])}): {' '.join(last_line)}")
                    time.sleep(0.1)
            yield url, process.pid
        finally:
            process.terminate()
            try:
                process.wait(STOP_TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def memory_bytes(pid: int | None) -> int | None:
    """The proportional set size of a process and its descendants; None if it is unknown."""
    try:
        lines = [line for process in process_tree(pid) for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()]
    except OSError:
        return None
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")) or None


def cpu_seconds(pid: int | None) -> CpuSeconds:
    """Processor time of this process and of the service; 0 for the service's if it is unknown."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    service, ticks_per_second = 0.0, os.sysconf("SC_CLK_TCK")
    try:
        for process in process_tree(pid):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            user_ticks, system_ticks = int(fields[11]), int(fields[12])
            service += (user_ticks + system_ticks) / ticks_per_second
    except OSError:
        service = 0.0
    return CpuSeconds(usage.ru_utime + usage.ru_stime, service)


def process_tree(pid: int | None) -> list[int]:
    """A process and its descendants, on Linux."""
    processes, remaining = [], [pid] if pid else []
    while remaining:
        process = remaining.pop()
        processes.append(process)
        for task in Path(f"/proc/{process}/task").iterdir():
            remaining += [int(child) for child in (task / "children").read_text().split()]
    return processes


def _show(report: dict[str, Any]) -> None:
    table = Table("chain_sum, level 0", box=None)
    for column in ("steps/s", "resets/s", "p50 ms", "p99 ms", "CPU us/step: service", "load", "CPU-bound steps/s"):
        table.add_column(column, justify="right")
    for row in report["throughput"]:
        rates = [f"{row[column]:,.0f}" for column in ("steps_per_s", "resets_per_s")]
        latencies = [f"{row[column]:.1f}" for column in ("p50_ms", "p99_ms")]
        cpu = [f"{row[column]:,.0f}" for column in ("service_cpu_us", "load_cpu_us", "cpu_bound_steps_per_s")]
        table.add_row(row["variant"], *rates, *latencies, *cpu)
    console.print(table)
    console.print(
        f"{report['cores']} cores, load average {report['load_average']:.1f}; "
        "CPU-bound steps/s: the rate at which service and load together would use all cores"
    )
    isolation = report["isolation"]
    console.print(
        f"{isolation['sessions']:,} sessions at once, {isolation['steps']:,} steps interleaved, {isolation['steps_per_s']:,.0f} steps/s: "
        f"{isolation['differences']} differ from the same episodes played locally"
    )
    if isolation["bytes_per_session"] is not None:
        console.print(f"memory: {isolation['bytes_per_session'] / 1024:.1f} KiB per session")
