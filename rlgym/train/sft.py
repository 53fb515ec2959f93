"""Supervised warm-up: the oracle's turns, with its explanations, as episodes to imitate.

The tokens of a trace lie exactly as those of a sampled episode would: openings and follow-ups from the same `Chat`, the loss on
the responses alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import rlgym
from rlgym import Rng
from rlgym.core.errors import RlgymError
from rlgym.train.config import Adaptive, Config, Tasks
from rlgym.train.episodes import Chat
from rlgym.train.hinted import steps
from rlgym.train.scoring import Job, Pick, Rules, do


@dataclass(frozen=True)
class Trace:
    """One imitated episode: the task, its tokens, and which of them are the oracle's."""

    pick: Pick
    tokens: tuple[int, ...]
    mask: tuple[bool, ...]


def trace(chat: Chat, pick: Pick, rules: Rules, explain: bool) -> Trace:
    """The oracle's episode of a pick. An oracle that does not solve its own task is a bug, and raises."""
    stand = do(Job(0, pick, rules))[1]
    tokens = chat.opening(stand.observation)
    mask = [False] * len(tokens)
    env = rlgym.make(pick.name, answer_style=rules.style)
    env.restore(stand.snapshot)
    # The oracle is always right, and says so where it is asked.
    sure = "<confidence>1</confidence>\n" if rules.asks_confidence else ""
    while True:
        said = f"{explanation(env) if explain else ''}{sure}{env.oracle()}"
        response = chat.response(said)
        tokens += response
        mask += [True] * len(response)
        observation, _, over, _, info = env.step(said)
        if over:
            break
        following = chat.following(observation, stopped=True)
        tokens += following
        mask += [False] * len(following)
    if info["score"].value < 1:
        raise RlgymError(f"the oracle of {pick.name} fails one of its own tasks: run `rlgym check {pick.name}`")
    return Trace(pick, tuple(tokens), tuple(mask))


def explanation(env: rlgym.Env) -> str:
    """How the oracle finds its answer now, as lines that go before it; nothing where an environment does not explain."""
    return "".join(f"{step}\n" for step in steps(env))


class Traces:
    """The endless traces of a mixture, without chance: the step decides what its batch holds."""

    def __init__(self, config: Config, chat: Chat, rules: Rules) -> None:
        assert config.sft is not None
        self.config, self.sft, self.chat, self.rules = config, config.sft, chat, rules
        self._arms = [(part, name, part.weight / len(part.environments())) for part in config.tasks for name in part.environments()]

    def batch(self, step: int) -> list[Trace]:
        """The traces of a step; those that do not fit into the context are passed over."""
        rng = Rng("sft", self.rules.seed, step)
        out: list[Trace] = []
        for attempt in range(20 * self.sft.batch):
            part, name, _ = self._arms[rng.weighted(range(len(self._arms)), [round(1_000_000 * share) for _, _, share in self._arms])]
            # Indices of the warm-up start far above those of reinforcement learning, which counts from 1.
            pick = Pick(name, rng.choice(levels(part)), (1 << 40) + step * 20 * self.sft.batch + attempt, "train", part.knobs)
            made = trace(self.chat, pick, self.rules, rng.chance(self.sft.explain))
            if len(made.tokens) <= self.config.rollout.context:
                out.append(made)
            if len(out) == self.sft.batch:
                return out
        raise RlgymError(
            f"hardly any of the oracle's episodes fits into rollout.context={self.config.rollout.context} tokens: raise it, or lower the levels"
        )


def levels(part: Tasks) -> Sequence[float]:
    """The levels that the warm-up draws from: all that are listed, of adaptive ones the first."""
    return [part.levels.start] if isinstance(part.levels, Adaptive) else part.levels
