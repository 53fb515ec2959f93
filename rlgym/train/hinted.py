"""What a prompt says beside the task: a part of the explanation that does not hold the answer."""

from __future__ import annotations

import re

import rlgym
from rlgym import Environment
from rlgym.train.extras.hints import HintOptions, hint


def steps(env: rlgym.Env) -> list[str]:
    """How the oracle finds its answer now, step by step; nothing where an environment does not explain."""
    declared = env.declared
    if declared.explain is None:
        return []
    position = env.snapshot()
    return list(declared.explain(position.task if isinstance(declared, Environment) else position.state))


def hint_text(env: rlgym.Env, share: float) -> str:
    """The first share of the explanation without the lines that hold the answer; where nothing is left, the idea needed."""
    answer = env.hint("solution").rpartition("The answer is: ")[2]
    shown = hint(steps(env), 0, HintOptions(shares=(share,)))
    told = "\n".join(line for line in shown.split("\n") if line.strip() and not _holds(line, answer))
    return told if told and not _holds(told, answer) else env.hint("concept")


def _holds(text: str, answer: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(answer)}(?![\w])", text) is not None
