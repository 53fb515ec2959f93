"""`rlgym bench`: measure throughput and overhead."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time
from typing import Annotated, Any

import typer
from rich.table import Table

from rlgym.cli.output import Json, Knob, console, print_json, print_table
from rlgym.cli.timing import per_second


def add_to(app: typer.Typer) -> None:
    app.command()(bench)


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="environments (all by default), or sandbox, train or serve")] = None,
    level: Annotated[float, typer.Option("--level", "-l", help="the level to measure at")] = 0.5,
    seconds: Annotated[float, typer.Option(help="approximate duration of each measurement")] = 0.3,
    reasoning_gym: Annotated[
        bool, typer.Option("--reasoning-gym", help="also measure reasoning-gym, in its own virtual environment")
    ] = False,
    sizes: Knob = None,
    url: Annotated[str | None, typer.Option(help="serve: address of a running service; by default one is started")] = None,
    key: Annotated[str | None, typer.Option(help="serve: key of the running service")] = None,
    workers: Annotated[int, typer.Option(help="serve: workers of the started service")] = 2,
    sessions: Annotated[int, typer.Option(help="serve: number of open sessions")] = 10_000,
    as_json: Json = False,
) -> None:
    """Measure import time, tasks and verdicts per second and core, and the overhead of reset and step.

    `bench sandbox` measures the sandbox. `bench train` compares a step of the trainer with one of TRL (sizes as --knob NAME=VALUE). `bench serve`
    measures the service: steps per second, and the isolation of thousands of sessions.
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
        from rlgym.cli.bench_serve import bench_service

        bench_service(url, key, workers, sessions, seconds, as_json)
        return
    from rich.progress import track

    selected = names or rlgym.names()
    rows = [speed(name, level, seconds) for name in track(selected, "measuring", console=console, disable=as_json, transient=True)]
    report: dict[str, Any] = {"level": level, "environments": rows, **summary(rows), **start_up()}
    if "chain_sum" in selected:
        report["reset_step_overhead_us"] = overhead(seconds)
    if reasoning_gym:
        from rlgym.cli.bench_reasoning_gym import compare_with_reasoning_gym

        report["reasoning_gym"] = compare_with_reasoning_gym(seconds)
    print_json(report) if as_json else _show(report)


def speed(name: str, level: float, seconds: float) -> dict[str, Any]:
    """Tasks and verdicts per second of one environment. A verdict parses and scores the oracle's response; in a game it plays one step."""
    import rlgym
    from rlgym.episode.play import advance, oracle_answer, score_response, start_episode
    from rlgym.episode.sampling import sample_task

    begun = time.perf_counter()
    declared = rlgym.environment(name)
    imported = time.perf_counter() - begun
    config = declared.config.at(level)
    tasks = per_second(lambda seed: sample_task(name, declared, seed, config, level), seconds)
    drawn = [sample_task(name, declared, seed, config, level) for seed in range(20)]
    positions = [start_episode(declared, task, "tag") for task in drawn]
    responses = [declared.answer.render_response(oracle_answer(declared, position), "tag") for position in positions]
    step: dict[str, float] = {}
    if isinstance(declared, rlgym.Environment):
        single = declared
        verdicts = per_second(lambda i: score_response(single, drawn[i % 20], responses[i % 20], "tag"), seconds)
    else:
        verdicts = per_second(lambda i: advance(declared, positions[i % 20], responses[i % 20], "tag"), seconds)
        if isinstance(declared, rlgym.Game) and declared.sandbox is None:
            step["step_beyond_us"], step["step_beyond_units"] = game_step_overhead(name, level, seconds)
    return {
        "name": name,
        "tasks_per_s": round(tasks, 1),
        "verdicts_per_s": round(verdicts, 1),
        "import_ms": round(imported * 1000, 2),
        **step,
    }


def game_step_overhead(name: str, level: float, seconds: float) -> tuple[float, float]:
    """The overhead of a game's step beyond its own act, outcome and show (parsing, log, transcript, info): in microseconds, and in reference units.

    Processor time is measured. A reference unit is the time of a loop that takes about a millisecond on the machine on which the limits were set.
    """
    import rlgym
    from rlgym.laws.reference import reference_seconds

    env = rlgym.make(name, level=level)
    env.reset(seed=0)
    game, start, response = env.declared, env.snapshot(), env.oracle()
    assert isinstance(game, rlgym.Game)
    answer = game.answer.parse_response(response, "tag")

    def through_env(_: int) -> None:
        env.restore(start)
        env.step(response)

    def bare(_: int) -> None:
        after = game.act(start.state, answer)
        if game.outcome(after) is None:
            game.show(after)

    rounds = []
    for _ in range(3):
        unit, stepped, simulated = (
            reference_seconds(),
            *(1 / per_second(call, seconds / 4, time.process_time) for call in (through_env, bare)),
        )
        rounds.append((stepped - simulated, (stepped - simulated) / unit))
    beyond, units = (statistics.median(values) for values in zip(*rounds, strict=True))
    return round(beyond * 1e6, 1), round(units, 3)


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Geometric means, the slowest environment, and the overhead of game steps."""

    def mean(key: str) -> float:
        return round(math.exp(sum(math.log(row[key]) for row in rows) / len(rows)), 1)

    slowest = min(rows, key=lambda row: row["tasks_per_s"])
    beyond: dict[str, float] = {}
    for key, digits in (("step_beyond_us", 1), ("step_beyond_units", 3)):
        if steps := [row[key] for row in rows if key in row]:
            beyond |= {key: round(statistics.median(steps), digits), f"{key}_most": max(steps)}
    return {
        **beyond,
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
    """The overhead of reset and step in microseconds, beyond generate and verify, for chain_sum."""
    import rlgym

    env, declared = rlgym.make("chain_sum", level=0.5), rlgym.environment("chain_sum")
    config = declared.config.at(0.5)
    assert isinstance(declared, rlgym.Environment)

    def played(seed: int) -> None:
        env.reset(seed=seed)
        env.step("<answer>5</answer>")

    def bare(seed: int) -> None:
        generated = declared.generate(rlgym.Rng("chain_sum", declared.version, seed), config)
        declared.verify(generated, declared.answer.parse("5"))

    pairs = [(1 / per_second(played, seconds / 2), 1 / per_second(bare, seconds / 2)) for _ in range(3)]
    return round(statistics.median(total - part for total, part in pairs) * 1e6, 1)


def _show(report: dict[str, Any]) -> None:
    table = Table("environment", box=None)
    for column in ("tasks/s", "verdicts/s", "import ms"):
        table.add_column(column, justify="right")
    for row in report["environments"]:
        table.add_row(row["name"], f"{row['tasks_per_s']:,.0f}", f"{row['verdicts_per_s']:,.0f}", f"{row['import_ms']:.1f}")
    print_table(table)
    means = f"{report['tasks_per_s']:,.0f} tasks/s, {report['verdicts_per_s']:,.0f} verdicts/s and core"
    console.print(f"geometric mean at level {report['level']:g}: {means}")
    console.print(f"slowest: {report['slowest']}, {report['slowest_tasks_per_s']:,.0f} tasks/s")
    console.print(f"import rlgym {report['import_s']:.3f} s, rlgym.names() {report['names_ms']:.1f} ms")
    if "step_beyond_us" in report:
        units = f"{report['step_beyond_units']:.2f}, at most {report['step_beyond_units_most']:.2f} of the reference loop"
        console.print(
            f"overhead of a game step: {report['step_beyond_us']:.0f} us, at most {report['step_beyond_us_most']:.0f} us ({units})"
        )
    if "reset_step_overhead_us" in report:
        console.print(f"overhead of reset + step: {report['reset_step_overhead_us']:.0f} us")
    if comparison := report.get("reasoning_gym"):
        table = Table("family", "theirs", box=None)
        for column in ("ours, tasks/s", "theirs, tasks/s", "ratio"):
            table.add_column(column, justify="right")
        for row in comparison["families"]:
            table.add_row(row["ours"], row["theirs"], f"{row['ours_per_s']:,.0f}", f"{row['theirs_per_s']:,.0f}", f"{row['ratio']:.2f}")
        print_table(table)
        console.print(f"geometric mean of the ratios: {comparison['ratio']:.2f} (reasoning-gym {comparison['version']})")
