"""Scores of thinking traces: what a judge says of each step of the thinking, and whether another model succeeds along its outline.

From "ReasonFlux-PRM: Trajectory-Aware PRMs for Long Chain-of-Thought Reasoning in LLMs". The step score is a judge's probability that the step is right and
leads to the final response, in place of a trained head with terms for alignment, quality and coherence. The outline is the trace with its numbers left
out, in place of a template that a language model extracts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from rlgym.train.registry import OptionError
from rlgym.train.rollout.questions import fitted
from rlgym.train.rollout.scoring import start_of
from rlgym.train.tasks.hints import answer_spellings, contains_answer

if TYPE_CHECKING:
    from rlgym.train.config.second_models import TraceRewardConfig
    from rlgym.train.rollout.episodes import Episode
    from rlgym.train.rollout.second_models import SecondModel
    from rlgym.train.rollout.worker import RolloutWorker

QUESTION = """Here is a task, the thoughts on it so far, the next thought, and the final response.

Task:
{prompt}

Thoughts so far:
{before}

Next thought:
{step}

Final response:
{response}

Is the next thought right, and does it lead to the final response? Reply with Yes or No.
"""
OUTLINE = "Follow this outline, whose numbers are left out:\n{outline}"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Trace:
    """The steps of the thinking, and the final response after it."""

    steps: tuple[str, ...]
    response: str


def trace_of(text: str, separator: str, max_steps: int) -> Trace:
    """The thinking up to `</think>`, or else up to the answer, in at most `max_steps` steps; later ones are joined to the last."""
    if "</think>" in text:
        thinking, _, response = text.rpartition("</think>")
    else:
        thinking, tag, response = text.partition("<answer>")
        response = tag + response
    steps = [step.strip() for step in thinking.removeprefix("<think>").split(separator) if step.strip()]
    if len(steps) > max_steps:
        steps = [*steps[: max_steps - 1], separator.join(steps[max_steps - 1 :])]
    return Trace(tuple(steps), response.strip())


def outline_of(trace: Trace, spellings: Sequence[str]) -> str:
    """The steps with their numbers left out, without those that hold the answer in one of its spellings."""
    return "\n".join(NUMBER.sub("_", step) for step in trace.steps if not contains_answer(step, spellings))


def step_scores(judge: SecondModel, episodes: Sequence[Episode], options: TraceRewardConfig) -> list[float]:
    """The mean of the judge's probabilities over the steps of each thinking; 0 for a response without any."""
    traces = [trace_of(episode.transcript, options.separator, options.max_steps) for episode in episodes]
    asked = [
        _step_question(judge, options.question or QUESTION, episode.messages[0][1], trace, number)
        for episode, trace in zip(episodes, traces, strict=True)
        for number in range(len(trace.steps))
    ]
    chosen, place, out = judge.choose(asked, options.answers), 0, []
    for trace in traces:
        found = chosen[place : place + len(trace.steps)]
        place += len(found)
        out.append(fmean(found) if found else 0.0)
    return out


def trajectory_scores(
    solver: SecondModel, worker: RolloutWorker, episodes: Sequence[Episode], options: TraceRewardConfig, seed: int
) -> list[float]:
    """The share of the solver's responses to the same task that are right with the outline of each trace in the prompt; 0 for one without steps."""
    out, asked, places = [0.0] * len(episodes), [], []
    for place, episode in enumerate(episodes):
        trace = trace_of(episode.transcript, options.separator, options.max_steps)
        start = start_of(replace(episode.task, seed=episode.seed), worker.settings)
        outline = outline_of(trace, answer_spellings(start))
        if outline:
            text = OUTLINE.format(outline=outline)
            asked.append(replace(episode.task, seed=episode.seed, split="", retry=0, hint_fraction=0.0, instruction=text))
            places.append(place)
    solved: dict[int, list[bool]] = {}
    for attempt in solver.as_worker(worker).rollout(asked, options.samples, seed) if asked else ():
        if attempt.valid:
            solved.setdefault(places[attempt.group], []).append(attempt.solved)
    for place, flags in solved.items():
        out[place] = fmean(flags)
    return out


def add_trace_rewards(
    judge: SecondModel,
    solver: SecondModel | None,
    worker: RolloutWorker,
    episodes: Sequence[Episode],
    options: TraceRewardConfig,
    seed: int,
) -> tuple[list[Episode], dict[str, float]]:
    """The episodes with (1 - alpha) times their reward plus alpha times (step score + trajectory score), and metrics; episodes without a score stay.

    Raises OptionError for a score that is not finite.
    """
    valid = [place for place, episode in enumerate(episodes) if episode.valid]
    chosen = [episodes[place] for place in valid]
    steps = step_scores(judge, chosen, options)
    whole = trajectory_scores(solver, worker, chosen, options, seed) if solver is not None else [0.0] * len(chosen)
    out = list(episodes)
    for place, step, trajectory in zip(valid, steps, whole, strict=True):
        if not math.isfinite(step):
            raise OptionError(
                f"algorithm.trace_reward returned {step!r} for a response of {episodes[place].task.label}: check second_models.{judge.name}"
            )
        reward = (1 - options.alpha) * out[place].reward + options.alpha * (step + trajectory)
        out[place] = replace(out[place], reward=reward)
    metrics = {"trace_steps": fmean(steps or [0.0]), "trace_trajectory": fmean(whole or [0.0])}
    solved = [episode.solved for episode in chosen]
    if any(solved) and not all(solved):
        means = [fmean(score for score, right in zip(steps, solved, strict=True) if right == flag) for flag in (True, False)]
        metrics["trace_steps_gap"] = means[0] - means[1]
    return out, metrics


def _step_question(judge: SecondModel, question: str, prompt: str, trace: Trace, number: int) -> str:
    """The question on one step: what exceeds the room of the judge is cut off the thoughts before it, then the response, the step and the prompt."""
    shown = {"prompt": prompt, "before": "\n".join(trace.steps[:number]), "step": trace.steps[number], "response": trace.response}
    return fitted(judge, question, shown, ["before"], ["response"], ["step"], ["prompt"], keep_end=frozenset({"before"}))
