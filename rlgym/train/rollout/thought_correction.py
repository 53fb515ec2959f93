"""Corrected thoughts: in states that the policy visited, the oracle's thought and action as a target of supervised learning, added to the policy loss.

From "GTR: Guided Thought Reinforcement Prevents Thought Collapse in RL-based VLM Agent Training", with the environment's own explanation of the state
in place of a model as the corrector, and without the aggregation over steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlgym import Rng
from rlgym.train.rollout.scoring import start_of
from rlgym.train.sft.data import explanation

if TYPE_CHECKING:
    from rlgym.train.config.distillation import ThoughtCorrectionConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.worker import RolloutWorker


def corrected_thoughts(worker: RolloutWorker, episodes: Sequence[Episode], options: ThoughtCorrectionConfig, seed: int) -> list[Episode]:
    """Auxiliary episodes: for some turns of each failed episode, all before the turn as context, and the oracle's response as what is learned."""
    out = []
    for episode in episodes:
        if episode.valid and not episode.solved and not (episode.hinted or episode.oracle):
            turns = turn_starts(episode)
            rng = Rng("thoughts", seed, episode.key)
            for turn in sorted(rng.shuffled(range(len(turns)))[: options.turns_per_rollout]):
                corrected = _corrected(worker, episode, turn, turns[turn], options.coef)
                out += [corrected] if corrected is not None else []
    return out


def turn_starts(episode: Episode) -> list[int]:
    """Where the responses of an episode begin; none if an empty one makes that unclear."""
    mask = episode.loss_mask
    starts = [place for place, own in enumerate(mask) if own and not mask[place - 1]]
    return starts if len(starts) == sum(role == "assistant" for role, _ in episode.messages) else []


def _corrected(worker: RolloutWorker, episode: Episode, turn: int, start: int, coef: float) -> Episode | None:
    """The state before a turn, by replaying the responses before it, and the oracle's response there; None if it does not fit or the game is over."""
    env = start_of(replace(episode.task, seed=episode.seed), worker.settings)
    for text in [text for role, text in episode.messages if role == "assistant"][:turn]:
        if env.step(text)[2]:
            return None
    target = worker.chat.response_tokens(f"{explanation(env)}{env.oracle()}")
    if start + len(target) > worker.max_seq_len:
        return None
    return replace(
        episode,
        tokens=[*episode.tokens[:start], *target],
        loss_mask=[False] * start + [True] * len(target),
        logprobs=[0.0] * (start + len(target)),
        answer_weights=[0.0] * start + [coef] * len(target),
        score=None,
        spans=None if episode.spans is None else [],
        reference=None,
    )
