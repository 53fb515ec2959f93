"""`rlgym bench`: how fast it is, as numbers to compare and not as a test."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.progress import track
from rich.table import Table

from rlgym.cli.output import Json, Knob, console, print_json


def add_to(app: typer.Typer) -> None:
    app.command()(bench)


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="names of environments; all, if none is given")] = None,
    level: Annotated[float, typer.Option("--level", "-l", help="the level to measure at")] = 0.5,
    seconds: Annotated[float, typer.Option(help="about how long each measurement takes")] = 0.3,
    reasoning_gym: Annotated[
        bool, typer.Option("--reasoning-gym", help="also run reasoning-gym, in a virtual environment of its own")
    ] = False,
    sizes: Knob = None,
    url: Annotated[str | None, typer.Option(help="serve: a running service's address; without one, a service is started")] = None,
    key: Annotated[str | None, typer.Option(help="serve: the running service's key")] = None,
    workers: Annotated[int, typer.Option(help="serve: workers of the service that is started")] = 2,
    sessions: Annotated[int, typer.Option(help="serve: sessions that are open at once")] = 10_000,
    as_json: Json = False,
) -> None:
    """Measure imports, tasks made and verdicts given per second and core, and the overhead of reset and step, also of games' steps.

    `bench sandbox` measures the sandbox; `bench train` a step of the trainer beside one of TRL (sizes as --knob NAME=VALUE); `bench serve` the
    service: steps a second, and thousands of sessions kept apart.
    """
    import rlgym

    if names == ["sandbox"]:
        from rlgym.cli.sandbox import show_speed

        show_speed(seconds, as_json)
        return
    if names == ["train"]:
        from rlgym.cli.bench_train import show_training

        show_training(sizes, as_json)
        return
    if names == ["serve"]:
        from rlgym.cli.bench_serve import show_serving

        show_serving(url, key, workers, sessions, seconds, as_json)
        return
    wanted = names or rlgym.names()
    rows = [speed(name, level, seconds) for name in track(wanted, "measuring", console=console, disable=as_json, transient=True)]
    report: dict[str, Any] = {"level": level, "environments": rows, **summary(rows), **start_up()}
    if "chain_sum" in wanted:
        report["reset_step_overhead_us"] = overhead(seconds)
    if reasoning_gym:
        from rlgym.cli.beside import beside

        report["beside_reasoning_gym"] = beside(seconds)
    print_json(report) if as_json else _show(report)


def speed(name: str, level: float, seconds: float) -> dict[str, Any]:
    """Tasks and verdicts per second of one environment. A verdict reads the oracle's response (of a game: plays it) and judges it."""
    import rlgym
    from rlgym.episode.draw import draw
    from rlgym.episode.play import advance, judge, opening, oracle_answer

    begun = time.perf_counter()
    declared = rlgym.environment(name)
    imported = time.perf_counter() - begun
    config = declared.config.at(level)
    tasks = per_second(lambda seed: draw(name, declared, seed, config, level), seconds)
    drawn = [draw(name, declared, seed, config, level) for seed in range(20)]
    positions = [opening(declared, task, "tag") for task in drawn]
    said = [declared.answer.write(oracle_answer(declared, position), "tag") for position in positions]
    step: dict[str, float] = {}
    if isinstance(declared, rlgym.Environment):
        single = declared
        verdicts = per_second(lambda i: judge(single, drawn[i % 20], said[i % 20], "tag"), seconds)
    else:
        verdicts = per_second(lambda i: advance(declared, positions[i % 20], said[i % 20], "tag"), seconds)
        if isinstance(declared, rlgym.Game) and declared.sandbox is None:
            step["step_beyond_us"] = beyond(name, level, seconds)
    return {
        "name": name,
        "tasks_per_s": round(tasks, 1),
        "verdicts_per_s": round(verdicts, 1),
        "import_ms": round(imported * 1000, 2),
        **step,
    }


def beyond(name: str, level: float, seconds: float) -> float:
    """Microseconds that a step of a game takes beyond the game's own act, outcome and show: reading the answer, log, transcript, info."""
    import rlgym

    env = rlgym.make(name, level=level)
    env.reset(seed=0)
    game, start, said = env.declared, env.snapshot(), env.oracle()
    assert isinstance(game, rlgym.Game)
    answer = game.answer.read(said, "tag")

    def whole(_: int) -> None:
        env.restore(start)
        env.step(said)

    def bare(_: int) -> None:
        after = game.act(start.state, answer)
        if game.outcome(after) is None:
            game.show(after)

    pairs = [(1 / per_second(whole, seconds / 4), 1 / per_second(bare, seconds / 4)) for _ in range(3)]
    return round(statistics.median(one - other for one, other in pairs) * 1e6, 1)


def per_second(call: Callable[[int], object], seconds: float) -> float:
    """Calls per second, the median of five rounds; the first call is not counted."""
    call(0)
    rates, i = [], 1
    for _ in range(5):
        begun, first = time.perf_counter(), i
        while time.perf_counter() - begun < seconds / 5 or i == first:
            call(i)
            i += 1
        rates.append((i - first) / (time.perf_counter() - begun))
    return statistics.median(rates)


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Geometric means, the slowest, and what the steps of games cost beyond the games."""

    def mean(key: str) -> float:
        return round(math.exp(sum(math.log(row[key]) for row in rows) / len(rows)), 1)

    slowest = min(rows, key=lambda row: row["tasks_per_s"])
    steps = [row["step_beyond_us"] for row in rows if "step_beyond_us" in row]
    return {
        **({"step_beyond_us": round(statistics.median(steps), 1), "step_beyond_us_most": max(steps)} if steps else {}),
        "tasks_per_s": mean("tasks_per_s"),
        "verdicts_per_s": mean("verdicts_per_s"),
        "slowest": slowest["name"],
        "slowest_tasks_per_s": slowest["tasks_per_s"],
    }


def start_up() -> dict[str, float]:
    """Seconds to import rlgym and milliseconds to list the names, each in a new process, the median of five."""
    code = (
        "import time; a = time.perf_counter(); import rlgym; b = time.perf_counter(); rlgym.names(); print(b - a, time.perf_counter() - b)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
    return {
        "import_s": round(statistics.median(float(run[0]) for run in runs), 4),
        "names_ms": round(statistics.median(float(run[1]) for run in runs) * 1000, 2),
    }


def overhead(seconds: float) -> float:
    """Microseconds that reset and step take beyond generate and verify, for chain_sum."""
    import rlgym

    env, declared = rlgym.make("chain_sum", level=0.5), rlgym.environment("chain_sum")
    config = declared.config.at(0.5)
    assert isinstance(declared, rlgym.Environment)

    def played(seed: int) -> None:
        env.reset(seed=seed)
        env.step("<answer>5</answer>")

    def bare(seed: int) -> None:
        made = declared.generate(rlgym.Rng("chain_sum", declared.version, seed), config)
        declared.verify(made, declared.answer.parse("5"))

    pairs = [(1 / per_second(played, seconds / 2), 1 / per_second(bare, seconds / 2)) for _ in range(3)]
    return round(statistics.median(whole - part for whole, part in pairs) * 1e6, 1)


def _show(report: dict[str, Any]) -> None:
    table = Table("environment", box=None)
    for column in ("tasks/s", "verdicts/s", "import ms"):
        table.add_column(column, justify="right")
    for row in report["environments"]:
        table.add_row(row["name"], f"{row['tasks_per_s']:,.0f}", f"{row['verdicts_per_s']:,.0f}", f"{row['import_ms']:.1f}")
    console.print(table)
    means = f"{report['tasks_per_s']:,.0f} tasks/s, {report['verdicts_per_s']:,.0f} verdicts/s and core"
    console.print(f"geometric mean at level {report['level']:g}: {means}")
    console.print(f"slowest: {report['slowest']}, {report['slowest_tasks_per_s']:,.0f} tasks/s")
    console.print(f"import rlgym {report['import_s']:.3f} s, rlgym.names() {report['names_ms']:.1f} ms")
    if "step_beyond_us" in report:
        console.print(
            f"a game's step beyond its own simulation: {report['step_beyond_us']:.0f} us, most {report['step_beyond_us_most']:.0f} us"
        )
    if "reset_step_overhead_us" in report:
        console.print(f"reset + step beyond generate and verify: {report['reset_step_overhead_us']:.0f} us")
    if beside := report.get("beside_reasoning_gym"):
        table = Table("family", "theirs", box=None)
        for column in ("ours, tasks/s", "theirs, tasks/s", "ratio"):
            table.add_column(column, justify="right")
        for row in beside["families"]:
            table.add_row(row["ours"], row["theirs"], f"{row['ours_per_s']:,.0f}", f"{row['theirs_per_s']:,.0f}", f"{row['ratio']:.2f}")
        console.print(table)
        console.print(f"geometric mean of the ratios: {beside['ratio']:.2f} (reasoning-gym {beside['version']})")
