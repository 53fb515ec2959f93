"""Rewards of turns from a judge of captions: a second model says whether what the world shows after a turn is progress towards the goal.

From "Online Intrinsic Rewards for Decision Making Agents from Large Language Model Feedback" (ONI), with the labels kept by their hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from rlgym.rewards.captions import QUESTION, CaptionLabels, caption_of, rewards_of_captions
from rlgym.train.rollout.questions import fitted

if TYPE_CHECKING:
    from rlgym.train.config.rewards import TokenRewardConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.second_models import SecondModel

ANSWERS = ("YES", "NO")


def add_caption_rewards(
    judge: SecondModel, labels: CaptionLabels, episodes: Sequence[Episode], options: TokenRewardConfig
) -> tuple[list[Episode], dict[str, float]]:
    """The episodes with the reward of each turn's caption: `right` if the judge says yes, else `wrong`; and metrics.

    The reward of the n-th turn of an episode with the same caption is divided by the root of n. The last turn leads to no observation, and its reward is 0.
    `labels` has what the judge said in this run: it is frozen, so that each caption is asked about once. Goal and caption are cut to its room.
    """
    pairs = list(dict.fromkeys(pair for episode in episodes if episode.spans for pair in _goal_and_captions(episode)))
    asked = labels.missing(pairs)
    if asked:
        questions = [fitted(judge, QUESTION, {"goal": goal, "caption": caption}, ["goal", "caption"]) for goal, caption in asked]
        for (goal, caption), probability in zip(asked, judge.choose(questions, ANSWERS), strict=True):
            labels.store(goal, caption, probability > 0.5)
    out = [_rewarded(labels, episode, options) if episode.spans else episode for episode in episodes]
    metrics = {"captions_asked": float(len(asked)), "captions_helpful": fmean([labels.label(*pair) or 0.0 for pair in pairs] or [0.0])}
    return out, metrics


def captions_of(episode: Episode) -> list[str]:
    """The observations of an episode after the first, without the lines that count the turns."""
    return [caption_of(text) for role, text in episode.messages[1:] if role == "user"]


def _goal_and_captions(episode: Episode) -> list[tuple[str, str]]:
    goal = caption_of(episode.messages[0][1])
    return [(goal, caption) for caption in captions_of(episode)]


def _rewarded(labels: CaptionLabels, episode: Episode, options: TokenRewardConfig) -> Episode:
    helpful = {caption: labels.label(goal, caption) == 1 for goal, caption in _goal_and_captions(episode)}
    captions = captions_of(episode)
    amounts = rewards_of_captions(captions, lambda caption: options.right if helpful[caption] else options.wrong)
    spans = []
    for span in episode.spans or []:
        number = _turn_of(episode, span.start)
        shown = number < len(captions)
        kind = ("right" if helpful[captions[number]] else "wrong") if shown else "unchecked"
        spans.append(replace(span, reward=amounts[number] if shown else 0.0, kind=kind))
    return replace(episode, spans=spans)


def _turn_of(episode: Episode, position: int) -> int:
    """The number, from 0, of the response that a token belongs to; a response without text has no span."""
    starts = [at for at in range(1, len(episode.loss_mask)) if episode.loss_mask[at] and not episode.loss_mask[at - 1]]
    return sum(start <= position for start in starts) - 1
