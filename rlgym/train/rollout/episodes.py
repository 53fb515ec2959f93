"""An episode, tokens in and tokens out: what the policy sampled in one rollout, and its score.

Sampled tokens are kept as they are. What the environment says next is encoded separately and appended, so a context only grows,
nothing is encoded twice, and the loss mask covers exactly the sampled tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rlgym import Score
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.rollout.engines.base import Completion
from rlgym.train.tasks.spec import TaskSpec


@dataclass(frozen=True)
class ScoredAnswer:
    """The tokens of a reference answer after a context.

    logprobs   their log-probabilities under the rollout engine's weights
    weights    the derivative of the likelihood reward with respect to each of them
    reasoning  how many tokens of the episode belong to its prompt and its reasoning, the opening tag of its answer included
    """

    context: tuple[int, ...]
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    weights: tuple[float, ...]
    reasoning: int


@dataclass
class Episode:
    """One rollout: the tokens of the whole context, which of them the policy sampled, and the score.

    group                which task of the step it belongs to
    logprobs             natural logarithms from the engine; 0 where `loss_mask` is False
    truncated            a token limit ended it
    score                None while it runs
    version              of the weights that sampled its first token
    segments             (version of the weights, tokens sampled with them), in the order of the tokens
    messages             (role, text) of each turn
    prompt_without_hint  for an episode with a hint: the prompt tokens without it
    hinted               it was sampled with a hint that is no longer in `tokens`
    oracle               the oracle wrote it, not the policy
    seed                 of the task, from which the environment creates it again
    spans                parts with rewards of their own, as positions of tokens; None without `algorithm.token_rewards`
    reference            the reference answer after the episode's own reasoning, with `algorithm.likelihood_reward`
    answer_spread        the largest standard deviation, over its group, of the log-probability of a token of that answer
    answer_rank          the mean rank of the least likely tokens of that answer, the lowest of its group, with the filter `answer_rank`
    answer_weights       of an auxiliary episode: the weight of each token's log-probability in the loss
    shared_tokens        sampled tokens that it has in common with the episode from which it branched off
    feedback             what the environment says about the last response
    invalid_turns        responses that the environment could not read or did not allow
    behaviour_gain       of its task, by how much more often rollouts with a behaviour are right than those without, with `algorithm.contrast`
    seat                 the seat of a match that it plays against itself; None otherwise
    verdict              of an auxiliary episode: the verdict that its last token predicts
    """

    key: int
    group: int
    task: TaskSpec
    tokens: list[int]
    loss_mask: list[bool]
    logprobs: list[float]
    snapshot: Any
    truncated: bool = False
    score: Score | None = None
    reward: float = 0.0
    version: int = 0
    content: str = ""
    messages: list[tuple[str, str]] = field(default_factory=list)
    prompt_without_hint: list[int] = field(default_factory=list)
    hinted: bool = False
    oracle: bool = False
    seed: int | None = None
    spans: list[RewardSpan] | None = None
    segments: list[tuple[int, int]] = field(default_factory=list)
    reference: ScoredAnswer | None = None
    answer_spread: float = 0.0
    answer_rank: float = 0.0
    answer_weights: list[float] = field(default_factory=list)
    verdict: float | None = None
    shared_tokens: int = 0
    feedback: str = ""
    invalid_turns: int = 0
    behaviour_gain: float | None = None
    seat: int | None = None

    @property
    def open_response(self) -> list[int]:
        """The sampled tokens since the last observation: of a response that has not ended, or that has just ended."""
        return self.tokens[len(self.tokens) - next((n for n, mine in enumerate(reversed(self.loss_mask)) if not mine), len(self.tokens)) :]

    @property
    def transcript(self) -> str:
        """What the policy wrote, as text; of several turns also the observations between them."""
        turns = self.messages[1:]
        if len(turns) == 1:
            return turns[0][1]
        return "\n\n".join(f"{'Response' if role == 'assistant' else 'Observation'}:\n{text}" for role, text in turns)

    @property
    def num_sampled(self) -> int:
        """The number of tokens that the policy sampled."""
        return sum(self.loss_mask)

    @property
    def valid(self) -> bool:
        """False if there is no score for reasons other than the model."""
        return self.score is not None and not self.score.masked

    @property
    def auxiliary(self) -> bool:
        """True if it is no response, but a reference answer or a token of self-rewards after one."""
        return bool(self.answer_weights) or self.verdict is not None

    @property
    def solved(self) -> bool:
        """True if the score is 1."""
        return self.score is not None and self.score.value == 1

    @property
    def sound(self) -> bool:
        """True if its checked steps (or turns) are all right, and there is one."""
        kinds = {span.kind for span in self.spans or ()}
        return "right" in kinds and "wrong" not in kinds

    def append_observation(self, tokens: Sequence[int]) -> None:
        """Append tokens that the policy reads."""
        self.tokens += tokens
        self.loss_mask += [False] * len(tokens)
        self.logprobs += [0.0] * len(tokens)

    def append_completion(self, completion: Completion) -> None:
        """Append tokens that the policy sampled, with the log-probabilities under the weights that sampled them."""
        if completion.tokens:
            if not self.segments:
                self.version = completion.version
            before = self.segments.pop()[1] if self.segments and self.segments[-1][0] == completion.version else 0
            self.segments.append((completion.version, before + len(completion.tokens)))
        self.tokens += completion.tokens
        self.loss_mask += [True] * len(completion.tokens)
        self.logprobs += completion.logprobs
        self.truncated = not completion.stopped

    def finish(self, score: Score, reward: float) -> None:
        """End the episode with its score."""
        self.score, self.reward, self.snapshot = score, reward, None
