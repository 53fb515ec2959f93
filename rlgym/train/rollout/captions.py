"""Rewards of turns from a judge of captions: a second model says whether what the world shows after a turn is progress towards the goal.

From "Online Intrinsic Rewards for Decision Making Agents from Large Language Model Feedback" (ONI), with the labels kept by their hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from rlgym.rewards.captions import caption_of, caption_question, rewards_of_captions

if TYPE_CHECKING:
    from rlgym.train.config.rewards import TokenRewardConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.second_models import SecondModel

ANSWERS = ("YES", "NO")


def add_caption_rewards(
    judge: SecondModel, episodes: Sequence[Episode], options: TokenRewardConfig
) -> tuple[list[Episode], dict[str, float]]:
    """The episodes with the reward of each turn's caption: `right` if the judge says yes, else `wrong`, less each time that an episode repeats it; and metrics.

    The last turn of an episode leads to no observation, and its reward is 0. A caption is asked about once in a run, since the judge is frozen.
    """
    questions = {
        _key(question): question for episode in episodes if episode.spans for question in map(_asks(episode), captions_of(episode))
    }
    asked = [key for key in questions if key not in judge.labels]
    if asked:
        for key, probability in zip(asked, judge.choose([questions[key] for key in asked], ANSWERS), strict=True):
            judge.labels[key] = float(probability > 0.5)
    out = [_rewarded(judge, episode, options) if episode.spans else episode for episode in episodes]
    metrics = {"captions_asked": float(len(asked)), "captions_helpful": fmean([judge.labels[key] for key in questions] or [0.0])}
    return out, metrics


def captions_of(episode: Episode) -> list[str]:
    """The observations of an episode after the first, without the lines that count the turns."""
    return [caption_of(text) for role, text in episode.messages[1:] if role == "user"]


def _asks(episode: Episode) -> Callable[[str], str]:
    goal = caption_of(episode.messages[0][1])
    return lambda caption: caption_question(goal, caption)


def _rewarded(judge: SecondModel, episode: Episode, options: TokenRewardConfig) -> Episode:
    asks = _asks(episode)
    captions = captions_of(episode)
    helpful = [judge.labels[_key(asks(caption))] == 1 for caption in captions]
    amounts = rewards_of_captions(captions, lambda caption: options.right if judge.labels[_key(asks(caption))] == 1 else options.wrong)
    spans = []
    for span in episode.spans or []:
        number = _turn_of(episode, span.start)
        shown = number < len(captions)
        kind = ("right" if helpful[number] else "wrong") if shown else "unchecked"
        spans.append(replace(span, reward=amounts[number] if shown else 0.0, kind=kind))
    return replace(episode, spans=spans)


def _turn_of(episode: Episode, position: int) -> int:
    """The number, from 0, of the response that a token belongs to; a response without text has no span."""
    starts = [at for at in range(1, len(episode.loss_mask)) if episode.loss_mask[at] and not episode.loss_mask[at - 1]]
    return sum(start <= position for start in starts) - 1


def _key(question: str) -> str:
    return hashlib.sha256(question.encode()).hexdigest()
