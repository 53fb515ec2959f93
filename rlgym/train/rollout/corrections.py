"""Corrections of failed rollouts: the steps up to the first wrong one stay, and the oracle writes the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import rlgym
from rlgym import Score
from rlgym.core.declare import Environment
from rlgym.solutions import find_steps
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.scoring import start_of
from rlgym.train.tasks.hints import solution_steps

if TYPE_CHECKING:
    from rlgym.train.run import Run
    from rlgym.train.tasks.spec import TaskSpec


def corrected_episode(run: Run, group: int, task: TaskSpec, failed: Sequence[Episode]) -> Episode | None:
    """The failed episode with the most right steps before its first wrong one, continued by the oracle; None where no episode has any.

    What the policy wrote is context, and only the oracle's part carries loss. From "Recycling Failures: Salvaging Exploration in RLVR via
    Fine-Grained Off-Policy Guidance", with the oracle as the guide. None too where no continuation is right step by step, or all exceed the context.
    """
    best = max(failed, key=lambda episode: right_prefix(episode)[0], default=None)
    if best is None or not right_prefix(best)[0]:
        return None
    count, end = right_prefix(best)
    chat, prompt = run.worker.chat, len(best.tokens) - len(best.open_response)
    kept = best.tokens[:end]
    written = chat.decode(kept[prompt:]).rstrip()
    env = start_of(task, run.worker.settings)
    for rest in _continuations(env, written, count):
        tokens = [*kept, *chat.response_tokens(f"\n{rest}")]
        if len(tokens) > run.config.rollout.max_seq_len:
            return None
        loss_mask = [False] * len(kept) + [True] * (len(tokens) - len(kept))
        # The probability under the source is unknown and taken to be 1.
        episode = Episode(0, group, task, tokens, loss_mask, [0.0] * len(tokens), None, version=run.version, oracle=True)
        episode.finish(Score.exact(True), 1.0)
        return episode
    return None


def right_prefix(episode: Episode) -> tuple[int, int]:
    """The number of right steps before the first wrong one, and the number of tokens of the episode up to the end of the last of them."""
    count = end = 0
    for span in episode.spans or ():
        if span.kind == "wrong":
            break
        if span.kind == "right":
            count, end = count + 1, span.end
    return count, end


def _continuations(env: rlgym.Env, written: str, count: int) -> Iterator[str]:
    """What the oracle may write after the given right steps, so that all steps are right and none is left out.

    First the steps of its solution that do not stand there yet, then those after as many as there are.
    """
    assert isinstance(env.declared, Environment), "the steps of a game cannot be checked"
    solution = [*solution_steps(env)]
    answer = env.oracle()
    for steps in ([step for step in solution if step not in written], solution[count:]):
        rest = "".join(f"{step}\n" for step in steps) + answer
        found = find_steps(env.declared, env.task, f"{written}\n{rest}")
        if all(step.verdict == "right" for step in found) and len(found) >= count + len(steps):
            yield rest
