"""Draws tasks of many seeds of every environment, or of named ones, and lists those that take longest to generate.

The laws draw few seeds, so that a search that hardly ends for one seed in a hundred shows here alone.
"""

import signal
import time
from collections.abc import Iterator
from types import FrameType
from typing import Annotated

import typer

import rlgym
from rlgym.episode.sampling import sample_task


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Environments; all unless given.")] = None,
    seeds: Annotated[int, typer.Option(help="Seeds per level.")] = 100,
    first: Annotated[int, typer.Option(help="The first seed.")] = 1001,
    level: Annotated[list[float] | None, typer.Option(help="A level; may be repeated. Unless given: 0.5, 0.75, 1.")] = None,
    limit: Annotated[float, typer.Option(help="CPU seconds that a task may take; it is stopped after them.")] = 5.0,
) -> None:
    """Print the slowest task of each environment. The exit code is 1 if one takes longer than the limit."""
    signal.signal(signal.SIGPROF, _stop)
    failed = False
    for name in names or rlgym.names():
        seconds, seed, at = max(_times(name, range(first, first + seeds), level or [0.5, 0.75, 1.0], limit))
        failed |= seconds >= limit
        typer.echo(f"{seconds:8.3f} s  {name}  level {at:g}  seed {seed}{'  stopped' * (seconds >= limit)}")
    raise typer.Exit(failed)


def _times(name: str, seeds: range, levels: list[float], limit: float) -> Iterator[tuple[float, int, float]]:
    """(CPU seconds, seed, level) of each task; a task that takes longer than the limit is stopped and ends its level."""
    declared = rlgym.environment(name)
    for level in levels:
        config = declared.config.at(level)
        for seed in seeds:
            begun = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, limit)
            try:
                sample_task(name, declared, seed, config, level)
            except _Stopped:
                yield limit, seed, level
                break
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            yield time.process_time() - begun, seed, level


class _Stopped(Exception):
    """A task took longer than the limit."""


def _stop(signum: int, frame: FrameType | None) -> None:
    raise _Stopped


if __name__ == "__main__":
    typer.run(main)
