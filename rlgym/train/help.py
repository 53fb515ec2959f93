"""Help for tasks that every rollout of a group failed: another try with a hint, and the oracle's own rollout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlgym import Score
from rlgym.train.episodes import Episode
from rlgym.train.scoring import Pick
from rlgym.train.sft import trace

if TYPE_CHECKING:
    from rlgym.train.run import Run


def failed(episodes: Sequence[Episode]) -> dict[int, Pick]:
    """The groups that have a score and none that is right, each with its task."""
    rights: dict[int, bool] = {}
    for episode in episodes:
        if episode.valid and episode.score:
            rights[episode.group] = rights.get(episode.group, False) or episode.score.value == 1
    picks = {episode.group: episode.pick for episode in episodes}
    return {group: picks[group] for group, right in rights.items() if not right}


def with_hints(run: Run, groups: Mapping[int, Pick]) -> list[Pick]:
    """The tasks of these groups once more, with a hint in the prompt."""
    return [replace(pick, hint=run.config.algorithm.hints) for pick in groups.values()]


def without_hints(episodes: Sequence[Episode], groups: Sequence[int]) -> list[Episode]:
    """Episodes with a hint as if it had not been there, numbered as the groups that they try again.

    Those whose prompt had no room for a response are left out.
    """
    return [without_hint(replace(episode, group=groups[episode.group])) for episode in episodes if episode.sampled]


def without_hint(episode: Episode) -> Episode:
    """The episode with the hint taken out of its prompt; what was sampled, and its log-probabilities, are as they were."""
    begun = episode.mask.index(True)
    prompt = len(episode.plain)
    return replace(
        episode,
        tokens=[*episode.plain, *episode.tokens[begun:]],
        mask=[False] * prompt + episode.mask[begun:],
        logprobs=[0.0] * prompt + episode.logprobs[begun:],
        hinted=True,
    )


def with_oracle(run: Run, episodes: Sequence[Episode], groups: Mapping[int, Pick]) -> tuple[list[Episode], int]:
    """The episodes with the last ones of these groups replaced by the oracle's, and how many were replaced.

    `algorithm.oracle` is the share that is replaced, at least one of a group. A group is left as it is where the oracle's episode does
    not fit into the context. The reward of an oracle's episode is its score, without shapings.
    """
    out, replaced = list(episodes), 0
    for group, pick in groups.items():
        written = oracle_episode(run, group, pick)
        places = [place for place, episode in enumerate(out) if episode.group == group and not episode.hinted]
        count = max(1, round(run.config.algorithm.oracle * len(places))) if written else 0
        for place in places[len(places) - count :]:
            assert written is not None
            out[place] = replace(written, key=out[place].key)
            replaced += 1
    return out, replaced


def oracle_episode(run: Run, group: int, pick: Pick) -> Episode | None:
    """The oracle's explanation and answer as an episode of a group; None where it does not fit into the context."""
    written = trace(run.player.chat, pick, run.player.rules, explain=True)
    if len(written.tokens) > run.config.rollout.context:
        return None
    tokens, mask = list(written.tokens), list(written.mask)
    # The probability of the source is not known, and taken to be 1.
    episode = Episode(0, group, pick, tokens, mask, [0.0] * len(tokens), None, version=run.version, oracle=True)
    episode.end(Score.exact(True), 1.0)
    return episode
