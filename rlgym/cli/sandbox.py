"""`rlgym sandbox`: test the isolation of each backend by attacking it, serve it, and build its image; measure its speed."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from rlgym.cli.output import Json, console, path_option, print_json, print_table
from rlgym.cli.soak import soak
from rlgym.core.errors import KnobError

TIERS = {
    "A": "name spaces, own file system, no capabilities, Landlock, filtered system calls, limits",
    "B": "Landlock, filtered system calls, limits",
    "C": "limits only (portable; for programs that are trusted not to be hostile)",
}
OTHERS = {"docker": "warm containers, and tier B in them (under gVisor, filtered system calls and limits)", "remote": "a service"}
GRADED = "def solve(a, b):\n    return a + b"

# Forks of an interpreter with the same modules loaded, one after the other: what no sandbox that forks can beat.
FLOOR = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from inside import zygote
import gc, importlib
for name in zygote.PRELOADED:
    importlib.import_module(name)
gc.collect(); gc.freeze(); gc.disable()
begun, count = time.perf_counter(), 0
while time.perf_counter() - begun < float(sys.argv[2]):
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    count += 1
print(count / (time.perf_counter() - begun))
"""


def add_to(app: typer.Typer) -> None:
    room = typer.Typer(help="The sandbox for untrusted code.", no_args_is_help=True)
    room.command()(doctor)
    room.command()(soak)
    room.command()(serve)
    room.command()(image)
    app.add_typer(room, name="sandbox")


def doctor(as_json: Json = False) -> None:
    """Start every tier of every backend, attack it, and report which attacks it stops on this machine."""
    report = examined()
    if as_json:
        print_json(report)
        return
    for language, where in tools().items():
        console.print(f"{language}: {where}", markup=False)
    table = Table(box=None)
    for column in ("attack: a program", *(f"tier {tier}" if tier in TIERS else tier for tier in report)):
        table.add_column(column)
    attacks: dict[str, bool] = next((backend["stops"] for backend in report.values() if backend["starts"]), {})
    for attack in attacks:
        table.add_row(attack, *(_describe_result(backend, attack) for backend in report.values()))
    print_table(table)
    for tier, backend in report.items():
        what = f"tier {tier}: {TIERS[tier]}" if tier in TIERS else f"{tier}: {OTHERS[tier]}"
        console.print(f"{what}; {'starts here' if backend['starts'] else 'does not start here: ' + backend['why']}", markup=False)


def serve(
    host: Annotated[str, typer.Option(help="host to bind")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="port to bind; 0 for a free one")] = 8700,
    workers: Annotated[int, typer.Option(min=1, help="concurrent programs")] = 2,
    queued: Annotated[int, typer.Option(min=0, help="maximum length of the queue; further runs are rejected")] = 64,
    key_file: Annotated[
        Path | None, path_option(help="a file with a key, or a line NAME KEY for each tenant; requests must send one")
    ] = None,
    quota: Annotated[int, typer.Option(min=0, help="maximum number of runs of one tenant, running or queued; 0 for no limit")] = 0,
) -> None:
    """Run programs for other machines. Clients set RLGYM_SANDBOX=remote and RLGYM_SANDBOX_URL."""
    import ipaddress

    keys = read_keys(key_file.read_text()) if key_file else {}
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if not local and not keys:
        raise KnobError(f"a service on {host!r} is reachable from other machines: set a key with --key-file")
    try:
        import uvicorn

        from rlgym.sandbox.remote.service import service
    except ImportError as error:
        raise KnobError(f"the service needs further packages: pip install 'rlvrgym[serve]' ({error})") from None
    app = service(keys=keys, workers=workers, queued=queued, quota=quota)
    uvicorn.run(app, host=host, port=port, log_level="info", timeout_graceful_shutdown=30)


def read_keys(text: str) -> dict[str, str]:
    """Tenants and their keys: a single line is the key of the tenant "default"; several lines are NAME KEY."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if len(lines) == 1:
        return {"default": lines[0]}
    pairs = [line.split() for line in lines]
    if (
        any(len(pair) != 2 for pair in pairs)
        or len({pair[0] for pair in pairs}) != len(pairs)
        or len({pair[1] for pair in pairs}) != len(pairs)
    ):
        raise KnobError("a key file holds one key, or a line NAME KEY for each tenant, with names and keys that differ")
    return {pair[0]: pair[1] for pair in pairs}


def image(
    from_host: Annotated[bool, typer.Option("--from-host", help="build it from the running Python, without a registry")] = False,
    base: Annotated[str, typer.Option(help="base image; by default the Python image of this version")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="without the JavaScript engine, which needs pip and a network")] = False,
    context: Annotated[Path | None, path_option(help="only write the build context to this tar archive")] = None,
) -> None:
    """Build the image for RLGYM_SANDBOX=docker, and test a container by attacking it."""
    from rlgym.sandbox import SandboxError
    from rlgym.sandbox.docker import DockerRunner
    from rlgym.sandbox.docker import image as images
    from rlgym.sandbox.docker.container import connected

    if context:
        with context.open("wb") as file:
            images.context(file)
        return
    try:
        with contextlib.closing(connected()) as client:
            name = images.build_from_host(client) if from_host else images.build(client, base=base, target="plain" if plain else "")
        with DockerRunner(workers=1) as runner:
            console.print(f"{name}: tier {runner.tier}, {' and '.join(runner.languages)}", markup=False)
    except SandboxError as why:
        raise KnobError(str(why)) from None


def examined() -> dict[str, dict[str, Any]]:
    """For each tier, whether it starts on this machine and which attacks it stops."""
    from rlgym.sandbox import SandboxError
    from rlgym.sandbox.docker import DockerRunner
    from rlgym.sandbox.process import PROOFS, ProcessRunner, proven_against
    from rlgym.sandbox.remote import URL, RemoteRunner

    report: dict[str, dict[str, Any]] = {}
    for tier in TIERS:
        try:
            with ProcessRunner(tier=tier) as runner:
                report[tier] = {"starts": True, "why": "", "stops": {attack: runner.withstands(attack) for attack in PROOFS}}
        except SandboxError as why:
            report[tier] = {"starts": False, "why": str(why), "stops": {}}
    if os.environ.get(URL):
        try:
            with RemoteRunner() as there:
                stops = {attack: proven_against(there.run(program, [()])) for attack, program in PROOFS.items()}
                report["remote"] = {"starts": True, "why": "", "stops": stops}
        except SandboxError as why:
            report["remote"] = {"starts": False, "why": str(why), "stops": {}}
    try:
        with DockerRunner(workers=1) as contained:
            report["docker"] = {"starts": True, "why": "", "stops": {attack: contained.withstands(attack) for attack in PROOFS}}
    except SandboxError as why:
        report["docker"] = {"starts": False, "why": str(why), "stops": {}}
    return report


def tools() -> dict[str, str]:
    """The other languages that programs can use here, and where they run."""
    from rlgym.sandbox import SandboxError
    from rlgym.sandbox.session import Session

    found = {
        "javascript": "with quickjs, in every tier" if importlib.util.find_spec("quickjs") else "missing: pip install 'rlvrgym[javascript]'"
    }
    try:
        Session().bash("true")
        found["bash"] = "in sessions"
        found["c"] = "in sessions" if shutil.which("cc") else "missing: there is no C compiler"
    except SandboxError as why:
        found["bash"] = found["c"] = f"missing: {why}"
    return found


def show_speed(seconds: float, as_json: bool) -> None:
    """Print gradings (of two tests) per second, compared with bare forks and cold interpreters in the same run."""
    report = speed(max(1.0, seconds))
    if as_json:
        print_json(report)
        return
    for name, rate in report.items():
        console.print(f"{name.replace('_', ' ')}: {rate:,.2f}", markup=False)


def speed(seconds: float) -> dict[str, float]:
    """Rates per second of one worker, and their ratios."""
    from rlgym.sandbox import SandboxError
    from rlgym.sandbox.docker import DockerRunner
    from rlgym.sandbox.process import ProcessRunner
    from rlgym.sandbox.process.warm_interpreters import HERE

    contained: dict[str, float] = {}
    with ProcessRunner() as runner:
        ours = _rate(lambda: runner.run(GRADED, [(1, 2), (3, 4)]), seconds)
    with contextlib.suppress(SandboxError), DockerRunner(workers=1) as runner_there, ProcessRunner() as runner:
        # In turns, so that what else the machine does falls on both.
        pairs = [
            [1 / _rate(lambda one=one: one.run(GRADED, [(1, 2), (3, 4)]), seconds / 5) for one in (runner_there, runner)] for _ in range(5)
        ]
        there, here = (statistics.median(pair[i] for pair in pairs) for i in (0, 1))
        contained = {"docker_gradings_per_s": 1 / there, "docker_ms_per_grading": there * 1000, "docker_to_process_time": there / here}
    bare = [sys.executable, "-s", "-S", "-B", "-c", FLOOR, str(HERE), str(seconds)]
    forks = float(subprocess.run(bare, capture_output=True, text=True, check=True).stdout)
    cold = _rate(lambda: subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True), seconds)
    return {
        "gradings_per_s": ours,
        "bare_forks_per_s": forks,
        "cold_interpreters_per_s": cold,
        "gradings_to_forks": ours / forks,
        "gradings_to_cold_interpreters": ours / cold,
        **contained,
    }


def _rate(what: Any, seconds: float) -> float:
    what()
    begun, count = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        what()
        count += 1
    return count / (time.perf_counter() - begun)


def _describe_result(backend: dict[str, Any], attack: str) -> str:
    return "-" if not backend["starts"] else "stopped" if backend["stops"][attack] else "NOT STOPPED"
