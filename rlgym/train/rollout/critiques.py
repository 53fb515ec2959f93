"""Verdicts on steps from a judge: a frozen second model writes critiques that name the wrong steps of a response, and a vote over them decides.

From "CAPO: Towards Enhancing LLM Reasoning through Generative Credit Assignment".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from rlgym import Outcome, Score
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.engines.base import SamplingParams
from rlgym.train.rollout.engines.scores import sample_prefixes
from rlgym.train.rollout.prefix_values import step_ends
from rlgym.train.rollout.worker import hash_seed

if TYPE_CHECKING:
    from rlgym.train.config.judge_training import CritiqueRewardConfig
    from rlgym.train.config.rewards import TokenRewardConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.second_models import SecondModel
    from rlgym.train.rollout.worker import RolloutWorker

QUESTION = """Here is a task, and a response in numbered steps.

Task:
{prompt}

{steps}

Check every step. End with a line that lists the numbers of the wrong ones, such as "Wrong steps: 2, 3", or "Wrong steps: none".
"""
VERDICT = re.compile(
    r"wrong steps?[ \t*]*:[ \t*]*(none\b|\d+(?:(?:[ \t]*,[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+|[ \t]+)\d+)*)", re.IGNORECASE
)
"""The verdict of a critique, possibly in bold; "all" or an empty list is none that can be read."""


@dataclass(frozen=True)
class Critique:
    """One critique of a response, in tokens of the judge.

    key      of the response's episode in its round
    solved   what the verifier says of the response
    wrong    the numbers of the steps that it finds wrong; None if it cannot be read
    agrees   it finds the same steps wrong as the vote
    """

    key: tuple[int, int]
    solved: bool
    prompt: tuple[int, ...]
    tokens: tuple[int, ...]
    wrong: frozenset[int] | None
    agrees: bool


def add_critiques(
    judge: SecondModel,
    worker: RolloutWorker,
    episodes: Sequence[Episode],
    options: TokenRewardConfig,
    seed: int,
    rewards: CritiqueRewardConfig | None = None,
) -> tuple[list[Episode], dict[str, float], list[Critique]]:
    """The episodes with their steps as spans, wrong where more than half of the readable critiques say so, metrics, and the critiques.

    A response whose critiques are all unreadable, or that leaves the judge no room, keeps its steps unchecked. With `rewards` the vote also decides
    the reward, and a response without a vote is left out.
    """
    ends = {episode.key: _ends(worker, episode, options) for episode in episodes if episode.valid}
    asked, owners = list[list[int]](), list["Episode"]()
    for episode in episodes:
        if episode.valid:
            prompt = judge.chat.prompt_tokens(critique_question(worker, episode, ends[episode.key]))
            if judge.max_seq_len - len(prompt) >= options.continuation_tokens:
                asked += [prompt] * options.continuations
                owners += [episode] * options.continuations
    samplings = [
        SamplingParams(options.continuation_tokens, stop=judge.chat.stop, seed=hash_seed(f"{seed} {episode.key} {number} critique"))
        for number, episode in enumerate(owners)
    ]
    votes: dict[int, list[set[int]]] = {}
    completions = sample_prefixes(judge.engine, asked, samplings)
    listed = [
        wrong_steps(judge.chat.decode(each.tokens), len(ends[episode.key])) for episode, each in zip(owners, completions, strict=True)
    ]
    for episode, found in zip(owners, listed, strict=True):
        if found is not None:
            votes.setdefault(episode.key, []).append(found)
    critiques = [
        Critique(
            (seed, episode.key),
            episode.solved,
            tuple(prompt),
            completion.tokens,
            None if found is None else frozenset(found),
            found is not None and found == voted_wrong(votes[episode.key], len(ends[episode.key])),
        )
        for episode, prompt, completion, found in zip(owners, asked, completions, listed, strict=True)
    ]
    out = [replace(each, spans=_spans(each, ends[each.key], votes.get(each.key, []), options) if each.valid else []) for each in episodes]
    metrics = dict[str, float]()
    if rewards is not None:
        before = sum(each.valid for each in out)
        out = [_rewarded(each, votes.get(each.key, []), rewards) if each.valid else each for each in out]
        metrics["responses_without_vote"] = float(before - sum(each.valid for each in out))
    flagged = [fmean(span.kind == "wrong" for span in each.spans) for each in out if each.spans]
    metrics |= {"critiques_readable": sum(map(len, votes.values())) / max(1, len(owners)), "critiqued_steps_wrong": fmean(flagged or [0.0])}
    return out, metrics, critiques


def voted_wrong(votes: Sequence[set[int]], count: int) -> set[int]:
    """The steps that more than half of the votes list."""
    return {number for number in range(1, count + 1) if sum(number in vote for vote in votes) > len(votes) / 2}


def _rewarded(episode: Episode, votes: Sequence[set[int]], rewards: CritiqueRewardConfig) -> Episode:
    """The episode with the reward of the vote: SPARK's verdict and share of right steps, for a response in the strict format.

    Where the judge had no room or wrote nothing that can be read, the response is left out: that is not its fault.
    From "SPARK: Stepwise Process-Aware Rewards for Reference-Free Reinforcement Learning".
    """
    own = 0.0
    if not rewards.strict_format or is_strict(episode.transcript):
        if not votes:
            return replace(episode, score=Score.nothing(Outcome.ERROR, "no critique of the response can be read"), reward=0.0)
        right = [span.kind == "right" for span in episode.spans or ()]
        verdict = sum(not vote for vote in votes) > len(votes) / 2
        own = rewards.verdict_weight * verdict + rewards.step_weight * fmean(right or [False])
    return replace(episode, reward=rewards.verifier_weight * episode.reward + own)


def is_strict(response: str) -> bool:
    """True for exactly one answer in tags, with nothing after it."""
    return response.count("<answer>") == response.count("</answer>") == 1 and response.rstrip().endswith("</answer>")


def critique_question(worker: RolloutWorker, episode: Episode, ends: Sequence[int]) -> str:
    """What the judge reads: the task, and the steps of the response by number."""
    starts = [0, *ends[:-1]]
    parts = [worker.chat.decode(episode.open_response[start:end]).strip() for start, end in zip(starts, ends, strict=True)]
    return QUESTION.format(prompt=episode.messages[0][1], steps="\n".join(f"Step {number}: {text}" for number, text in enumerate(parts, 1)))


def wrong_steps(critique: str, count: int) -> set[int] | None:
    """The numbers that the last verdict of a critique lists; None for a critique without one, or with a step that does not exist."""
    verdicts = VERDICT.findall(critique)
    if not verdicts:
        return None
    found = {int(number) for number in re.findall(r"\d+", verdicts[-1])}
    return found if found <= set(range(1, count + 1)) else None


def _ends(worker: RolloutWorker, episode: Episode, options: TokenRewardConfig) -> list[int]:
    """After how many tokens of the response its steps end; the last step is what remains, with the answer."""
    return [*step_ends(worker.chat, episode.open_response, options), len(episode.open_response)]


def _spans(episode: Episode, ends: Sequence[int], votes: Sequence[set[int]], options: TokenRewardConfig) -> list[RewardSpan]:
    first, rewards = len(episode.tokens) - len(episode.open_response), {"right": options.right, "wrong": options.wrong}
    spans, wrong = [], voted_wrong(votes, len(ends))
    for number, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True), 1):
        kind = ("wrong" if number in wrong else "right") if votes else "unchecked"
        spans.append(RewardSpan(first + start, first + end, rewards.get(kind, options.unchecked), kind))
    return [span for span in spans if span.end > span.start]
