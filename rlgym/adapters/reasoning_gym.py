"""reasoning-gym's datasets played as our environments are, and mixes of theirs with ours; scored by their own scorers."""

from __future__ import annotations

import inspect
import json
import math
import re
from collections.abc import Sequence
from typing import Any

import gymnasium

import rlgym
from rlgym import Outcome, Score, Task, TaskData
from rlgym.core.errors import check_render_mode
from rlgym.core.packages import extra

with extra("reasoning-gym"):
    import reasoning_gym
    from reasoning_gym.factory import DATASETS
    from reasoning_gym.utils import extract_answer

ASKS = "End your response with your final answer as <answer>...</answer>."
# What makes code of a text, unless the text is their own.
EVALUATES = re.compile(r"\b(?:eval|exec|parse_expr|sympify)\((?!\s*(?:entry|metadata)\b)")


class Entry(TaskData):
    """An entry of one of their datasets, as JSON."""

    dataset: str
    entry: str


class ReasoningGymEnv(gymnasium.Env[str, str]):
    """Plays one dataset of reasoning-gym: reset and step, and the same info, as `rlgym.Env`.

    The reward is what their `score_answer` gives. Where it raises, or gives no number from 0 to 1, the reward is nan, the episode is
    truncated, and `info["masked"]` is true. Datasets whose scorers evaluate the model's text as code are refused, unless `evaluate`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, name: str, *, evaluate: bool = False, render_mode: str | None = None, **settings: Any) -> None:
        if name not in DATASETS:
            raise rlgym.RlgymError(f"reasoning-gym has no dataset {name!r}")
        if not evaluate and evaluates(name):
            raise rlgym.RlgymError(f"the scorer of {name} runs the model's text as code; pass evaluate=True only where that is safe")
        self.name, self.settings = f"reasoning_gym/{name}", settings
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self._dataset = name
        reasoning_gym.create_dataset(name, seed=0, size=1, **settings)  # wrong settings are said now
        spaces = rlgym.Env("chain_sum")
        self.observation_space, self.action_space = spaces.observation_space, spaces.action_space
        self._seeds: rlgym.Rng | None = None
        self._entry: dict[str, Any] | None = None
        self.messages: list[dict[str, str]] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start the entry of this seed; without one, the next of a stream that the last given seed fixed."""
        super().reset(seed=seed)
        if seed is not None:
            self._seeds, task_seed = rlgym.Rng(self.name, seed), seed
        else:
            self._seeds = self._seeds or rlgym.Rng(self.name, self.np_random_seed)
            task_seed = self._seeds.integer(0, 2**31 - 1)
        self._theirs = reasoning_gym.create_dataset(self._dataset, seed=task_seed, size=1, **self.settings)
        self._entry, self._over = self._theirs[0], False
        self.task = Task(self._entry["question"], Entry(dataset=self._dataset, entry=json.dumps(self._entry, default=str)))
        observation = f"{self._entry['question']}\n\n{ASKS}"
        self.messages = [{"role": "user", "content": observation}]
        return observation, {"task": self.task, "turn": 0, "feedback": "", "seed": task_seed}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Give the model's response, which ends the episode."""
        if self._entry is None or self._over:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        if not isinstance(action, str):
            raise rlgym.RlgymError(f"an action must be a string, the model's response; got {type(action).__name__}")
        self._over = True
        self.messages.append({"role": "assistant", "content": action})
        score = self._score(action)
        feedback = "Your answer could not be scored." if score.masked else f"Your answer is {score.outcome.value}."
        info = {"task": self.task, "turn": 1, "feedback": feedback, "score": score, "masked": score.masked}
        return "", math.nan if score.masked else score.value, not score.masked, score.masked, info

    def oracle(self) -> str:
        """Their own answer, as a whole response."""
        if self._entry is None or self._entry["answer"] is None:
            raise rlgym.RlgymError(f"{self.name} states no answer")
        return f"<answer>{self._entry['answer']}</answer>"

    def render(self) -> str:
        """The transcript so far, as text."""
        return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in self.messages)

    def _score(self, response: str) -> Score:
        answer = extract_answer(response)
        if answer is None:
            return Score.nothing(Outcome.UNREADABLE, "expected the final answer as <answer>...</answer>")
        try:
            value = float(self._theirs.score_answer(answer, self._entry))
        except Exception as error:
            return Score.nothing(Outcome.ERROR, f"their scorer raised {type(error).__name__}: {error}")
        if not 0.0 <= value <= 1.0:
            return Score.nothing(Outcome.ERROR, f"their scorer gave {value!r}, which is not from 0 to 1")
        return Score.partial(value, "their scorer does not say why")


class Mix(gymnasium.Env[str, str]):
    """Several environments as one, ours and theirs: each reset draws one, by weight. `info["env"]` names it."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, envs: Sequence[Any], weights: Sequence[float] | None = None, render_mode: str | None = None) -> None:
        shares = [1.0] * len(envs) if weights is None else list(weights)
        if not envs or len(shares) != len(envs) or min(shares) < 0 or not 0 < sum(shares) < math.inf:
            raise rlgym.RlgymError(f"a mix needs environments and a weight from 0 for each; got {len(envs)} and {weights!r}")
        self.envs, self.weights, self.render_mode = list(envs), shares, render_mode
        self.observation_space, self.action_space = envs[0].observation_space, envs[0].action_space
        self._now = self.envs[0]
        self._seeds: rlgym.Rng | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Draw an environment and start it; the same seed draws the same one and the same task."""
        super().reset(seed=seed)
        if seed is not None or self._seeds is None:
            self._seeds = rlgym.Rng("mix", self.np_random_seed if seed is None else seed)
        place = self._seeds.integer(0, 2**53 - 1) / 2**53 * sum(self.weights)
        for env, share in zip(self.envs, self.weights, strict=True):
            if place < share:
                self._now = env
                break
            place -= share
        observation, info = self._now.reset(seed=self._seeds.integer(0, 2**31 - 1))
        return observation, {**info, "env": self._now.name}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Give the response to the environment that was drawn."""
        observation, reward, ended, cut, info = self._now.step(action)
        if info.get("masked"):  # ours say it by `masked` alone
            reward, ended, cut = math.nan, False, True
        return observation, reward, ended, cut, {**info, "env": self._now.name}

    def oracle(self) -> str:
        """What the oracle of the environment that was drawn would say."""
        answer: str = self._now.oracle()
        return answer

    def render(self) -> str:
        """The transcript so far, as text."""
        return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in self._now.messages)


def evaluates(name: str) -> bool:
    """Whether the scorer of a dataset runs the model's text as code, as its source shows."""
    return EVALUATES.search(inspect.getsource(DATASETS[name][0].score_answer)) is not None


def safe_names() -> list[str]:
    """The datasets that can be played here as they are, sorted; `composite`, which needs others, is not among them."""
    return sorted(name for name in DATASETS if name != "composite" and not evaluates(name))
