"""Token rewards in addition to the outcome: which parts of a response earned what. Computed where responses are scored.

A span is a part of a response with a reward of its own: a step of a worked solution, a turn, or the whole response. In a batch the reward
of a span stands at its last token (`Batch.token_rewards_T`), and `Batch.segment_T` numbers the tokens of the spans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from rlgym.core.declare import Environment
from rlgym.rewards.tool_calls import ToolCallReward
from rlgym.solutions import find_steps, judge_claims
from rlgym.train.registry import OptionError

if TYPE_CHECKING:
    import rlgym
    from rlgym.train.config.rewards import TokenRewardConfig

TAGS = ("planning", "explore", "reflection", "monitor")
"""The tags of turns, as in "RLVMR: Reinforcement Learning with Verifiable Meta-Reasoning Rewards for Robust Long-Horizon Agents"."""

KINDS = ("right", "wrong", "unchecked", "untagged", *TAGS)
"""The kinds of spans: the verdict of a step or turn, or the tag of a turn. `Batch.kind_T` holds their positions in this list."""


PAID_BY_CHANGE = ("milestones", "emotion", "machine")
"""The rewards of turns that are changes of a potential, or of the state of a machine; the others are verdicts."""


@dataclass(frozen=True, slots=True)
class RewardSpan:
    """A part of a response, end excluded, its reward, and its kind (one of `KINDS`).

    `start` and `end` count characters of a response where it is scored, and tokens of the whole episode in `Episode.spans`.
    """

    start: int
    end: int
    reward: float
    kind: str


def reward_spans(env: rlgym.Env, before: object, response: str, config: TokenRewardConfig) -> tuple[RewardSpan, ...]:
    """The spans of a response that this environment has just scored. `before` is the state of the episode before the response."""
    if config.source == "steps":
        return step_spans(env, response, config)
    if config.source == "claims":
        return claim_spans(response, config)
    if config.source == "turns":
        return _turn_spans(env, before, response, config)
    solved = env.snapshot().score
    if solved is None:
        return ()
    return (RewardSpan(0, len(response), solved.value, "right" if solved.value == 1 else "wrong"),)


def step_spans(env: rlgym.Env, response: str, config: TokenRewardConfig) -> tuple[RewardSpan, ...]:
    """The steps of a worked solution in a response, each with the reward of its verdict. Raises OptionError if they overlap."""
    assert isinstance(env.declared, Environment), "the steps of a game cannot be checked"
    rewards = {"right": config.right, "wrong": config.wrong, "unchecked": config.unchecked}
    steps = find_steps(env.declared, env.task, response)
    for step, following in pairwise(steps):
        if following.start < step.end:
            raise OptionError(
                f"algorithm.token_rewards.source='steps': the steps {step.text!r:.60} and {following.text!r:.60} of {env.name} overlap, at the "
                f"characters {step.start} to {step.end} and {following.start} to {following.end} of a response"
            )
    return tuple(RewardSpan(step.start, step.end, rewards[step.verdict], step.verdict) for step in steps)


def claim_spans(response: str, config: TokenRewardConfig) -> tuple[RewardSpan, ...]:
    """The sentences of a response with a formula that a prover judged, each with the reward of its verdict.

    "unknown" is unchecked, and so is what is proved of a trivial formula: one that compares equal texts or stood there before.
    """
    rewards = {"right": config.right, "wrong": config.wrong, "unchecked": config.unchecked}
    kinds = {"proved": "right", "refuted": "wrong", "unknown": "unchecked"}
    found = [
        (claim, "unchecked" if claim.trivial and claim.verdict == "proved" else kinds[claim.verdict]) for claim in judge_claims(response)
    ]
    return tuple(RewardSpan(claim.start, claim.end, rewards[kind], kind) for claim, kind in found)


def _turn_spans(env: rlgym.Env, before: object, response: str, config: TokenRewardConfig) -> tuple[RewardSpan, ...]:
    if config.turn_reward == "machine":
        assert config.machine is not None, "the configuration was checked"
        now = env.snapshot()
        paid = config.machine.rewards(now.events, now.turn, now.score)[-1]
        return (RewardSpan(0, len(response), paid, "right" if paid >= 0 else "wrong"),)
    if config.turn_reward == "captions":
        return (RewardSpan(0, len(response), 0.0, "unchecked"),)  # a second model rewards it when all turns are sampled
    if config.turn_reward in PAID_BY_CHANGE:
        progress = (env.emotion_since if config.turn_reward == "emotion" else env.progress_since)(before)  # type: ignore[arg-type]
        return (RewardSpan(0, len(response), progress, "right" if progress >= 0 else "wrong"),)
    if config.turn_reward == "tool_calls":
        graded = ToolCallReward(config.call_granularity)(response, _oracle_before(env, before), env.answer_style)
        return (RewardSpan(0, len(response), graded, "right" if graded > 0 else "wrong"),)
    if config.turn_reward == "winnable":
        verdict = "right" if is_winnable(env) else "wrong"
        return (RewardSpan(0, len(response), config.right if verdict == "right" else config.wrong, verdict),)
    verdict = "right" if is_valid(env) else "wrong"
    if config.turn_reward == "valid":
        return (RewardSpan(0, len(response), config.right if verdict == "right" else config.wrong, verdict),)
    return (_tagged(env, before, response, verdict == "right", config),)


def _oracle_before(env: rlgym.Env, before: object) -> str:
    """What the oracle would have responded in the state before the response. The present state stays as it is."""
    now = env.snapshot()
    env.restore(before)  # type: ignore[arg-type]
    right = env.oracle()
    env.restore(now)
    return right


def is_winnable(env: rlgym.Env) -> bool:
    """Whether the oracle, from the present state on, still scores 1 within the turns that are left. The state stays as it is."""
    state = now = env.snapshot()
    while now.score is None:
        env.step(env.oracle())
        now = env.snapshot()
    env.restore(state)
    return now.score.value == 1


def is_valid(env: rlgym.Env) -> bool:
    """Whether the last response was read and allowed, by the environment's own log."""
    state = env.snapshot()
    return not any(event.turn == state.turn and event.kind in ("unreadable", "illegal") for event in state.events)


def _tagged(env: rlgym.Env, before: object, response: str, valid: bool, config: TokenRewardConfig) -> RewardSpan:
    """The span of a turn by the first tag that it opens, with the reward of that tag's rule.

    planning is paid where the oracle can still win, explore where the observation is new in this episode, reflection where a valid turn
    follows an invalid one, and monitor where the turn is valid.
    """
    opened = [(response.find(f"<{tag}>"), tag) for tag in TAGS if f"<{tag}>" in response]
    if not opened:
        return RewardSpan(0, len(response), config.wrong, "untagged")
    tag = min(opened)[1]
    if tag == "planning":
        earned = is_winnable(env)
    elif tag == "explore":
        seen = {text for role, text in before.transcript if role == "user"}  # type: ignore[attr-defined]
        earned = valid and _content(env.snapshot().observation) not in {_content(text) for text in seen}
    elif tag == "reflection":
        events = before.events  # type: ignore[attr-defined]
        earned = valid and bool(events) and events[-1].kind in ("unreadable", "illegal")
    else:
        earned = valid
    return RewardSpan(0, len(response), config.right if earned else config.wrong, tag)


def _content(observation: str) -> str:
    """An observation without the closing line that counts the turns."""
    return observation.rpartition("\n\n")[0] or observation


def after_first_wrong(spans: Sequence[RewardSpan], unchecked: float) -> list[RewardSpan]:
    """The spans of an episode's turns, those after the first lost one unchecked."""
    out, lost = list[RewardSpan](), False
    for span in spans:
        out.append(replace(span, reward=unchecked, kind="unchecked") if lost else span)
        lost = lost or span.kind == "wrong"
    return out


def token_positions(spans: Sequence[RewardSpan], ends: Sequence[int], first: int) -> list[RewardSpan]:
    """Spans of characters as spans of an episode's tokens. A token belongs to the span in which it starts.

    ends   the number of characters up to the end of each token of the response
    first  position of the response's first token in the episode
    """
    out, token = list[RewardSpan](), 0
    for span in spans:
        while token < len(ends) and ends[token] <= span.start:
            token += 1
        start = token
        while token < len(ends) and (ends[token - 1] if token else 0) < span.end:
            token += 1
        if token > start:
            out.append(replace(span, start=first + start, end=first + token))
    return out
