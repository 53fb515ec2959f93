"""Turns in which one model plays several agents: a plan, reflections, thoughts and the action, each between tags of its role.

From "Chain-of-Agents: End-to-End Agent Foundation Models via Multi-Agent Distillation and Agentic RL", whose traces of several language models are distilled
into one; here the oracle and its explanations stand for them. Nothing is said that the conversation and the oracle's next steps do not show.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from rlgym import Game, Rng
from rlgym.train.tasks.hints import solution_steps

if TYPE_CHECKING:
    import rlgym
    from rlgym.train.config.agents import AgentsConfig

QUOTED = 160
"""Most characters of an observation that a reflection quotes."""
CONSIDERED = 8
"""How many of the environment's mistakes are considered as a slip."""
NOTED = " That was a mistake: it does not bring the task forward."


def oracle_turns(env: rlgym.Env) -> int:
    """How many turns the oracle takes from the present state on."""
    before, turns, over = env.snapshot(), 0, False
    while not over:
        turns, over = turns + 1, env.step(env.oracle())[2]
    env.restore(before)
    return turns


def slip(env: rlgym.Env, rng: Rng) -> str | None:
    """A mistaken response to the present state after which the oracle still solves the task; None where none of those considered is one."""
    declared, before = env.declared, env.snapshot()
    if not isinstance(declared, Game):
        return None
    found = None
    for mistake in rng.shuffled(list(islice(declared.mistakes(before.state), CONSIDERED))):
        text = declared.answer.render_response(mistake, env.answer_style, before.observation)
        if text == env.oracle():
            continue
        over, score = env.step(text)[2], None
        while not over:
            _, _, over, _, info = env.step(env.oracle())
            score = info.get("score")
        env.restore(before)
        if score is not None and score.value == 1:
            found = text
            break
    return found


def agent_sections(env: rlgym.Env, options: AgentsConfig, observation: str, turn: int, slipped: bool = False) -> str:
    """What the agents say before the action of a turn, counted from 0; `observation` is what the last action returned, which was a slip if `slipped`."""
    said: dict[str, str] = {}
    if turn == 0:
        said["plan"] = env.hint("plan")
    else:
        first = next((line.strip() for line in observation.split("\n") if line.strip()), "nothing")
        said["reflection"] = f"The last action returned: {first[:QUOTED]}{NOTED if slipped else ''}"
    said["think"] = "\n".join(solution_steps(env))
    return "".join(f"<{role}>\n{text}\n</{role}>\n" for role, text in said.items() if role in options.roles and text)
