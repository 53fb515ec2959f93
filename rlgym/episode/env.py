"""The one Env that plays every environment through reset and step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding

from rlgym.core.answer import Style
from rlgym.core.config import Value
from rlgym.core.declare import Environment
from rlgym.core.errors import EpisodeError, KnobError, check_render_mode
from rlgym.core.rng import Rng
from rlgym.core.score import Score
from rlgym.core.task import Task
from rlgym.core.user import UserModel
from rlgym.episode.calibration import level_for
from rlgym.episode.hints import Tier, hint
from rlgym.episode.images import IMAGE_MODES, IMAGE_SIZE, check_image_size, has_images, require_images, to_pixels, to_png
from rlgym.episode.people import play_people
from rlgym.episode.play import EpisodeState, Event, advance, check_requirements, oracle_response, render_svg, start_episode
from rlgym.episode.sampling import configure, sample_task
from rlgym.episode.scoring import check_answer_style
from rlgym.episode.spaces import AnyText
from rlgym.episode.turn_rewards import TurnRewards, emotion, emotion_rewards, milestones, moods, turn_rewards
from rlgym.registry import environment, split_name

Reward = Callable[[Score, str], float]
"""Reward shaping: (score, whole response) -> the amount added to the reward."""


class NeedsReset(EpisodeError, gymnasium.error.ResetNeeded):
    """step was called before reset, or after the end of the episode."""


class Env(gymnasium.Env[str, str]):
    """Plays one environment: observations and actions are texts, and the verifier gives the reward.

    The reward is the score's value at the end of an episode and 0 before it; `rewards` are added to it. `info["score"]` is the Score
    once the episode is over, `info["task"]` the task, `info["feedback"]` text that a model may be shown.

    With `turn_rewards` the reward of a many-turn environment is the progress of each turn, which sums to the score's value over an episode;
    `info["milestones"]` has the share of each part that holds. With `turn_rewards="emotion"` it is the change of the people's emotion, and
    `info["moods"]` has the mood of each. For a single-turn environment `info["steps"]` has the steps of the response
    with a verdict each, and the reward stays the score.
    """

    metadata = {"render_modes": ["ansi", "svg", *(IMAGE_MODES if has_images() else ())], "render_fps": 1}

    def __init__(
        self,
        name: str,
        *,
        level: float | None = None,
        answer_style: Style = "tag",
        rewards: Reward | Sequence[Reward] | None = None,
        render_mode: str | None = None,
        split: str = "main",
        turn_rewards: TurnRewards = False,
        image_size: int = IMAGE_SIZE,
        user: UserModel | None = None,
        **knobs: Value,
    ) -> None:
        name = split_name(name, split)
        self.name, self.declared = name, play_people(name, environment(name), user)
        check_requirements(name, self.declared)
        self.level, self.knobs = level, knobs
        self.config = configure(self.declared, level, knobs)
        self.answer_style = check_answer_style(answer_style)
        self.rewards: tuple[Reward, ...] = () if rewards is None else (rewards,) if callable(rewards) else tuple(rewards)
        self.render_mode = check_render_mode(render_mode, ["ansi", "svg", *IMAGE_MODES])
        if render_mode in IMAGE_MODES:
            require_images()
        self.image_size = check_image_size(image_size)
        self.turn_rewards = turn_rewards
        if turn_rewards not in (True, False, "emotion"):
            raise EpisodeError(f"turn_rewards is True, False or 'emotion', got {turn_rewards!r}")
        if turn_rewards == "emotion" and getattr(self.declared, "moods", None) is None:
            raise EpisodeError(f"no people take part in {name}: turn_rewards='emotion' needs an environment with people")
        self.observation_space = AnyText()
        self.action_space = AnyText()
        self._position: EpisodeState | None = None
        self._seeds: Rng | None = None
        self._generator: np.random.Generator | None = None
        self._seeded: int | None = None

    # Seeding gymnasium's generator takes longer than sampling many tasks, and no task uses it.
    @property
    def _np_random(self) -> np.random.Generator | None:
        if self._generator is None and self._seeded is not None:
            self._generator, _ = seeding.np_random(self._seeded)
        return self._generator

    @_np_random.setter
    def _np_random(self, value: np.random.Generator | None) -> None:
        self._generator = value

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start the task of this seed. Without a seed, start the next task of the stream that the last given seed fixed.

        `options` may hold `level` and `knobs` for this episode alone.
        """
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
                raise KnobError(f"seed must be an integer from 0, got seed={seed!r}")
            seed = int(seed)
            self._generator, self._seeded, self._np_random_seed = None, seed, seed
            self._seeds = None
        else:
            if self._seeds is None:
                self._seeds = Rng("reset", self.np_random_seed)
            seed = self._seeds.integer(0, 2**63 - 1)
        level, config = (self.level, self.config) if not options else self._options(options)
        task = sample_task(self.name, self.declared, seed, config, level)
        self._position = start_episode(self.declared, task, self.answer_style)
        return self._position.observation, self._info({"seed": seed})

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Submit the model's response. The episode ends with a score and is never truncated (`truncated` is False)."""
        if self._position is None:
            raise NeedsReset("call reset() before step()")
        if self._position.score is not None:
            raise NeedsReset("the episode is over: call reset() before the next step()")
        if not isinstance(action, str):
            raise EpisodeError(f"an action must be a string, the model's response; got {type(action).__name__}")
        before, self._position = self._position, advance(self.declared, self._position, action, self.answer_style)
        score = self._position.score
        reward = 0.0 if score is None else score.value
        if self.turn_rewards:
            rewards_of = emotion_rewards if self.turn_rewards == "emotion" else turn_rewards
            [reward] = rewards_of(self.declared, [before, self._position])
        if score is not None and not score.masked:
            reward += sum(shape(score, action) for shape in self.rewards)
        return self._position.observation, reward, score is not None, False, self._info(self._steps(action))

    def oracle(self) -> str:
        """The oracle's answer in this state, as a whole response."""
        return oracle_response(self.declared, self._now(), self.answer_style)

    def hint(self, tier: Tier = "concept") -> str:
        """A hint: "concept", "plan", "partial" or, with the answer, "solution"."""
        return hint(self.declared, self._now(), tier)

    def snapshot(self) -> EpisodeState:
        """The state of the episode as a value. Keep any number of them and return to one with `restore`."""
        return self._now()

    def restore(self, snapshot: EpisodeState) -> str:
        """Continue from a snapshot of an Env of the same environment; returns its observation."""
        if not isinstance(snapshot, EpisodeState):
            raise EpisodeError(f"restore() takes the result of snapshot(), got {type(snapshot).__name__}")
        origin = snapshot.task.origin
        if origin is None or origin.name != self.name:
            raise EpisodeError(f"this snapshot is of {origin.name if origin else 'no environment'!r}, not of {self.name!r}")
        self._position = snapshot
        return snapshot.observation

    def progress_since(self, snapshot: EpisodeState) -> float:
        """The turn rewards from a snapshot of this episode up to now, in sum."""
        [progress] = turn_rewards(self.declared, [snapshot, self._now()])
        return progress

    def emotion_since(self, snapshot: EpisodeState) -> float:
        """The change of the people's emotion from a snapshot of this episode up to now; EpisodeError where no people take part."""
        return emotion(self.declared, self._now()) - emotion(self.declared, snapshot)

    @property
    def events(self) -> tuple[Event, ...]:
        """The environment's own log of this episode."""
        return self._now().events

    @property
    def task(self) -> Task[Any]:
        """The task being played."""
        return self._now().task

    @property
    def messages(self) -> list[dict[str, str]]:
        """The transcript in chat format."""
        return [{"role": role, "content": content} for role, content in self._now().transcript]

    def render(self) -> Any:
        """The transcript as text; with another render mode what the player sees now: the picture, or the text where there is none.

        It is SVG with "svg", PNG bytes with "png", and with "rgb_array" an array of shape (image_size, image_size, 3) and type uint8.
        """
        if self.render_mode == "svg":
            return render_svg(self.declared, self._now())
        if self.render_mode in IMAGE_MODES:
            draw = to_png if self.render_mode == "png" else to_pixels
            return draw(render_svg(self.declared, self._now()), self.image_size)
        return "\n\n".join(f"[{role}]\n{content}" for role, content in self._now().transcript)

    def _now(self) -> EpisodeState:
        if self._position is None:
            raise NeedsReset("call reset() first")
        return self._position

    def _options(self, options: dict[str, Any]) -> tuple[float | None, Any]:
        if unknown := set(options) - {"level", "knobs"}:
            raise KnobError(f"reset's options may hold 'level' and 'knobs', got {', '.join(sorted(map(repr, unknown)))}")
        level = options.get("level", self.level)
        values = options.get("knobs") or {}
        if not isinstance(values, dict):
            raise KnobError(f"options['knobs'] must be a dictionary, got {values!r}")
        return level, configure(self.declared, level, {**self.knobs, **values})

    def _steps(self, response: str) -> dict[str, Any]:
        if not self.turn_rewards or not isinstance(self.declared, Environment):
            return {}
        from rlgym.solutions import find_steps

        return {"steps": find_steps(self.declared, self.task, response)}

    def _info(self, extra: dict[str, Any]) -> dict[str, Any]:
        position = self._now()
        info = {"task": position.task, "turn": position.turn, "feedback": position.feedback, **extra}
        if position.score is not None:
            info |= {"score": position.score, "masked": position.score.masked}
        if self.turn_rewards == "emotion":
            info["moods"] = moods(self.declared, position)
        if self.turn_rewards and (shares := milestones(self.declared, position)):
            info["milestones"] = shares
        if self._tools:
            info["tools"] = self._tools
        return info

    @cached_property
    def _tools(self) -> list[dict[str, Any]]:
        """The schemas of the tools, for this environment object alone; copying those of 50 tools in every step took longer than the step."""
        schemas = getattr(self.declared.answer, "schemas", None)
        return list(schemas()) if schemas and not isinstance(self.declared, Environment) else []


def make(
    name: str,
    *,
    level: float | None = None,
    answer_style: Style = "tag",
    rewards: Reward | Sequence[Reward] | None = None,
    render_mode: str | None = None,
    split: str = "main",
    turn_rewards: TurnRewards = False,
    image_size: int = IMAGE_SIZE,
    user: UserModel | None = None,
    target: float | None = None,
    calibration: str | Path | None = None,
    **knobs: Value,
) -> Env:
    """An Env that plays the environment `name` at a level in [0, 1], or with its default knobs; knobs passed by name override both.

    answer_style  "tag", "boxed" or "fence": how the final answer is requested and read
    rewards       shaping to add to the score: one function (score, response) -> float, or several
    render_mode   "ansi": render() returns the transcript; what the player sees as "svg", as "png" (bytes) or as "rgb_array" (uint8
                  array, which gymnasium.wrappers.AddRenderObservation puts into the observation); the last two need the extra `images`
    split         "shift": tasks of a structurally different family under the same rules, where the environment has one
    turn_rewards  pay the progress of every turn instead of the score at the end, with the same sum; where an environment declares no
                  milestones, all of it comes with the last turn. A single-turn response gets verdicts on its steps in `info["steps"]`.
                  "emotion" pays the change of the people's emotion, half of which is the progress
    image_size    the edge in pixels of the square that "png" and "rgb_array" draw
    user          a model that plays the people of a tool world, such as `rlgym.users.ModelUser`; the world's script stays the truth
    target        with `calibration`, instead of `level`: the share of tasks that a model is expected to solve
    calibration   whose: the table that `rlgym calibrate` wrote, as a file or by the name of the model
    """
    if calibration is not None:
        if target is None or level is not None:
            raise KnobError("`calibration` needs `target` and no `level`")
        level = level_for(split_name(name, split), target, calibration, knobs)
    elif target is not None:  # some environments have a knob of this name
        knobs["target"] = target
    return Env(
        name,
        level=level,
        answer_style=answer_style,
        rewards=rewards,
        render_mode=render_mode,
        split=split,
        turn_rewards=turn_rewards,
        image_size=image_size,
        user=user,
        **knobs,
    )
