"""Corrupted copies of right responses: the same text with an answer that the verifier refuses.

From "Cooper: Co-Optimizing Policy and Reward Models in Reinforcement Learning for Large Language Models", with the environment's own wrong answers in place
of a language model that corrupts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from rlgym import Environment, Rng
from rlgym.core.answer import Unreadable
from rlgym.train.rollout.scoring import start_of

if TYPE_CHECKING:
    from rlgym import Env
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.worker import RolloutWorker

OPEN, CLOSE = "<answer>", "</answer>"
CONSIDERED = 8
"""How many declared mistakes, and how many near misses, are considered."""


@dataclass(frozen=True)
class CorruptedPair:
    """A right response and a copy of it with a wrong answer, both answers as the environment spells them: the spelling tells nothing."""

    right: Episode
    corrupted: Episode


def corrupted_pairs(worker: RolloutWorker, episodes: Sequence[Episode], seed: int) -> list[CorruptedPair]:
    """One pair of each group that has a right response in tags and a task with a wrong answer; the seed chooses both."""
    right: dict[int, list[Episode]] = {}
    for episode in episodes:
        if episode.valid and episode.solved and not (episode.hinted or episode.oracle) and CLOSE in episode.transcript:
            right.setdefault(episode.group, []).append(episode)
    pairs = []
    for group, found in sorted(right.items()):
        rng = Rng("corrupted", seed, group)
        episode = rng.choice(found)
        env = start_of(replace(episode.task, seed=episode.seed), worker.settings)
        right_text = _as_spelled(env, episode.transcript)
        text = corrupted_response(env, episode.transcript, rng)
        if text is not None:
            pairs.append(CorruptedPair(_with_text(episode, right_text), _with_text(episode, text)))
    return pairs


def _with_text(episode: Episode, text: str) -> Episode:
    return replace(episode, messages=[episode.messages[0], ("assistant", text)])


def _as_spelled(env: Env, response: str) -> str:
    """The right response with its answer in the environment's spelling; as it is where that would not be scored as right."""
    declared, start = env.declared, env.snapshot()
    assert isinstance(declared, Environment), "validate.second_models refuses games"
    try:
        text = with_answer(response, declared.answer.render(declared.answer.parse_response(response, "tag", env.task.prompt)))
    except Unreadable:
        return response
    solved = env.step(text)[4]["score"].value == 1
    env.restore(start)
    return text if solved else response


def corrupted_response(env: Env, response: str, rng: Rng) -> str | None:
    """The response with a wrong answer that the verifier scores 0; None if the first of the environment's wrong answers are none."""
    declared, start = env.declared, env.snapshot()
    assert isinstance(declared, Environment), "validate.second_models refuses games"
    right = declared.solve(env.task)
    found = [*islice(declared.mistakes(env.task, right), CONSIDERED), *islice(declared.answer.near_misses(right), CONSIDERED)]
    for wrong in rng.shuffled(found):
        text = with_answer(response, declared.answer.render(wrong))
        env.restore(start)
        score = env.step(text)[4]["score"]
        if score.value == 0 and not score.masked:
            return text
    return None


def with_answer(response: str, answer: str) -> str:
    """The response with another text in its last answer tags."""
    before, _, rest = response.rpartition(OPEN)
    return f"{before}{OPEN}{answer}{CLOSE}{rest.partition(CLOSE)[2]}"
