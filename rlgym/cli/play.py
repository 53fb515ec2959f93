"""`rlgym play`: play an environment in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rlgym.cli.output import Knob, Level, console, knobs, path_option

if TYPE_CHECKING:
    import rlgym
    from rlgym.episode.play import EpisodeState

HELP = "Type your answer, then an empty line. Commands: /hint, /oracle, /quit."
MAX_EXPLANATION_LINES = 40


def add_to(app: typer.Typer) -> None:
    app.command()(play)


def play(
    name: Annotated[str, typer.Argument(help="name of an environment")],
    level: Level = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="seed of the task; random by default")] = None,
    knob: Knob = None,
    picture: Annotated[Path | None, path_option("--picture", metavar="FILE", help="write a drawing of the task to an SVG file")] = None,
) -> None:
    """Play an environment yourself, over as many turns as it has. The answer tags are optional."""
    import rlgym

    env = rlgym.make(name, level=level, render_mode="svg", **knobs(knob))
    observation, info = env.reset(seed=seed)
    start = env.snapshot()
    console.print(f"{name}, seed {info['seed']}. {HELP}", markup=False)
    if picture is None and env.declared.picture is not None:
        console.print("This task has a drawing; --picture FILE writes it as SVG.")
    console.print()
    while True:
        score = _play_episode(env, observation, picture)
        if score is None:
            console.print("stopped")
            return
        if score == 1.0:
            return
        _show_solution(env, start)
        console.print("\nTry this task again? [y/N] ", end="", markup=False)
        sys.stdout.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            return
        console.print()
        observation = env.restore(start)


def _play_episode(env: rlgym.Env, observation: str, picture: Path | None) -> float | None:
    """Play one episode; returns its score, or None if the player quits."""
    hints = iter(("concept", "plan", "partial", "solution"))
    while True:
        console.print(observation, markup=False)
        if picture is not None:
            _write_picture(env, picture)
        typed = _read_answer()
        while typed in ("/hint", "/oracle"):
            console.print(env.hint(next(hints, "solution")) if typed == "/hint" else env.oracle(), markup=False)  # type: ignore[arg-type]
            typed = _read_answer()
        if typed is None or typed == "/quit":
            return None
        has_markup = "<answer>" in typed or "<tool_call>" in typed or typed.lstrip().startswith("{")
        observation, reward, over, _, info = env.step(typed if has_markup else f"<answer>{typed}</answer>")
        if over:
            console.print(f"score {reward:g} ({info['score'].outcome.value}). {info['feedback']}", markup=False)
            return float(reward)


def _show_solution(env: rlgym.Env, start: EpisodeState) -> None:
    """The explanation and the answer of a task; of a game, the moves with which the oracle wins it from the start."""
    from rlgym.episode.hints import hint

    console.print("\nSolution:")
    lines = hint(env.declared, start, "solution").splitlines()
    if start.limit <= 1:
        _print_shortened(lines)
        return
    env.restore(start)
    moves, over, reward = [], False, 0.0
    while not over:
        moves.append(env.declared.answer.extract(env.oracle(), "tag")[-1])
        _, reward, over, _, _ = env.step(env.oracle())
    _print_shortened(lines[:-1])
    _print_shortened([f"turn {number}: {move}" for number, move in enumerate(moves, 1)])
    console.print(f"These answers score {reward:g}.")


def _print_shortened(lines: list[str]) -> None:
    for line in lines[:MAX_EXPLANATION_LINES]:
        console.print(f"  {line}", markup=False)
    if len(lines) > MAX_EXPLANATION_LINES:
        console.print(f"  ... {len(lines) - MAX_EXPLANATION_LINES} more lines", markup=False)


def _write_picture(env: rlgym.Env, file: Path) -> None:
    from rlgym.core.errors import RlgymError

    try:
        file.write_text(env.render(), encoding="utf-8")
    except OSError as error:
        raise RlgymError(f"the picture cannot be written to {str(file)!r}: {error.strerror}") from None
    console.print(f"picture: {file}", markup=False)


def _read_answer() -> str | None:
    """One answer from standard input: one line, or several lines up to an empty one; None at the end of the input."""
    console.print("> ", end="", markup=False)
    sys.stdout.flush()
    lines: list[str] = []
    for line in sys.stdin:
        if not line.strip():
            if lines:
                break
            continue
        lines.append(line.rstrip("\n"))
        if len(lines) == 1 and (lines[0].startswith("/") or not sys.stdin.isatty()):
            break
    return "\n".join(lines) if lines else None
