"""`rlgym play`: a person plays."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rlgym.cli.output import Knob, Level, console, knobs

HELP = "Type your answer and press Enter; a blank line ends an answer of several lines. Also: /hint, /oracle, /quit."


def add_to(app: typer.Typer) -> None:
    app.command()(play)


def play(
    name: Annotated[str, typer.Argument(help="name of an environment")],
    level: Level = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="the task's seed; any, if not given")] = None,
    knob: Knob = None,
) -> None:
    """Play an environment yourself, also over many turns. Answers may be given with or without the answer tags."""
    import rlgym

    env = rlgym.make(name, level=level, **knobs(knob))
    observation, info = env.reset(seed=seed)
    console.print(f"{name}, seed {info['seed']}. {HELP}\n", markup=False)
    tiers = iter(("concept", "plan", "partial", "solution"))
    while True:
        console.print(observation, markup=False)
        typed = _typed()
        while typed in ("/hint", "/oracle"):
            console.print(env.hint(next(tiers, "solution")) if typed == "/hint" else env.oracle(), markup=False)  # type: ignore[arg-type]
            typed = _typed()
        if typed is None or typed == "/quit":
            console.print("stopped")
            return
        answer = typed if "<answer>" in typed or "<tool_call>" in typed or typed.lstrip().startswith("{") else f"<answer>{typed}</answer>"
        observation, reward, over, _, info = env.step(answer)
        if over:
            console.print(f"score {reward:g} ({info['score'].outcome.value}). {info['feedback']}", markup=False)
            return


def _typed() -> str | None:
    """One answer from standard input: a line, or several up to a blank one; None at its end."""
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
