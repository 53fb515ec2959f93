"""Dense rewards as programs, such as a language model writes: run in the sandbox on an environment's typed state, and used only once accepted.

From "Text2Reward: Reward Shaping with Language Models for Reinforcement Learning". A program is a Python file, which sees the standard library alone,
with a function `reward(state, response) -> float`: `state` holds the fields of the environment's data (its first state for a game or match, as
`before`, and the one after the response, as `after`), `response` what the model wrote. It is accepted if on no task of recorded episodes a failure
earns more than a success, and some failure earns less than a success on the same task.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from keyword import iskeyword
from pathlib import Path
from typing import Any

import gymnasium

import rlgym
from rlgym.core.errors import RlgymError
from rlgym.dataset.rows import knobs_of_row, messages_of
from rlgym.evaluate.episodes.results import load
from rlgym.sandbox import Limits, Returned, get_runner

LIMITS = Limits(seconds=5.0, memory_mb=512)
CALL = """

def rlgym_call(given):
    import json
    found = json.loads(given)
    return repr(float({name}(found["state"], found["response"])))
"""
SHOWN = 3


class ProgramRefused(RlgymError, ValueError):
    """A reward program that cannot be run, or that ranks recorded failures above successes."""


@dataclass(frozen=True)
class Accepted:
    """What an acceptance rests on.

    tasks      tasks with recorded successes and failures, on which the program was compared
    episodes   recorded episodes of them
    version    of the environment
    """

    tasks: int
    episodes: int
    version: int


@dataclass(frozen=True)
class RewardProgram:
    """A program for an environment, which has been accepted where `accepted` is given: `accept` makes such a one.

    ProgramRefused where `name` is no name of a function.
    """

    source: str
    name: str
    env: str
    accepted: Accepted | None = None

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or iskeyword(self.name):
            raise ProgramRefused(f"name={self.name!r} is no name of a function in Python")

    def value(self, state: Mapping[str, Any], response: str) -> float:
        """The program's value, in the sandbox. ProgramRefused if it fails, exceeds its limits, or returns no finite number."""
        given = json.dumps({"state": state, "response": response})
        answer = get_runner(LIMITS).run(self.source + CALL.format(name=self.name), [(given,)], entry="rlgym_call").answer()
        if not isinstance(answer, Returned):
            raise ProgramRefused(f"the reward program {self.name!r} failed: {answer.name}: {answer.reason}")
        value = float(answer.value)
        if not math.isfinite(value):
            raise ProgramRefused(f"the reward program {self.name!r} returned {value!r}: it must return a finite number")
        return value

    def wrap(self, env: rlgym.Env, weight: float = 1.0) -> ProgramReward:
        """The environment with weight times the program's value added to the reward of every turn.

        ProgramRefused for another environment or version, and for a program that has not been accepted.
        """
        if self.accepted is None:
            raise ProgramRefused(f"the reward program {self.name!r} has not been accepted: load it with rlgym.audit.reward_program.accept")
        if env.name != self.env:
            raise ProgramRefused(
                f"the reward program was accepted for {self.env!r}, not for {env.name!r}: accept it on episodes of that one"
            )
        if (version := rlgym.environment(env.name).version) != self.accepted.version:
            raise ProgramRefused(
                f"the reward program was accepted for version {self.accepted.version} of {env.name}, which has version {version}: accept it anew"
            )
        return ProgramReward(env, self, weight)


class ProgramReward(gymnasium.Wrapper[str, str, str, str]):
    """Adds a program's value to the reward of every turn; `info["program_reward"]` has it, and `info["score"]` stays the verifier's."""

    def __init__(self, env: rlgym.Env, program: RewardProgram, weight: float) -> None:
        super().__init__(env)
        self._inner, self._program, self._weight = env, program, weight

    def step(self, action: str) -> tuple[str, Any, bool, bool, dict[str, Any]]:
        """The step of the environment, with the program's value; a masked score keeps its reward."""
        before = self._inner.snapshot()
        observation, reward, terminated, truncated, info = self._inner.step(action)
        if info.get("masked"):
            return observation, reward, terminated, truncated, info
        value = self._program.value(typed_state(before, self._inner.snapshot()), action)
        return observation, float(reward) + self._weight * value, terminated, truncated, {**info, "program_reward": value}


def typed_state(before: Any, after: Any) -> dict[str, Any]:
    """What a program sees of a turn: the fields of a task's data, or of a game's states before and after it."""
    if before.state is None:
        return dict(before.task.data.model_dump(mode="json"))
    return {"before": before.state.model_dump(mode="json"), "after": after.state.model_dump(mode="json")}


def accept(file: str | Path, env: str, run: str | Path, name: str = "reward") -> RewardProgram:
    """Load a program for an environment, if it ranks the recorded episodes of a run as the verifier does.

    run  the folder of an evaluation with successes and failures on the same tasks: `rlgym eval run --samples 8`

    The value of an episode is the sum over its turns. ProgramRefused, with examples, where a failure earns more than a success on the same task, where
    no task has both, where no failure earns less than a success on the same task, and where the program fails.
    """
    path = Path(file)
    try:
        source = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ProgramRefused(f"the reward program {str(path)!r} cannot be read: {error.strerror}") from None
    return accepted_program(RewardProgram(source, name, env), load(run).rows)


def accepted_program(program: RewardProgram, rows: Iterable[Mapping[str, Any]]) -> RewardProgram:
    """The program with what its acceptance rests on; ProgramRefused as for `accept`."""
    version = rlgym.environment(program.env).version
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["env"] == program.env and row["version"] == version and not row["masked"]:
            groups.setdefault(str(row["id"]), []).append(row)
    both = {task: found for task, found in groups.items() if len({bool(row["right"]) for row in found}) == 2}
    if not both:
        raise ProgramRefused(
            f"the run has no task of {program.env} (version {version}) with a success and a failure, so nothing shows how the program ranks "
            "them: record one with several --samples"
        )
    wrong, told_apart = list[str](), False
    for task, found in both.items():
        values = [episode_value(program, row) for row in found]
        paid = [value for value, row in zip(values, found, strict=True) if row["right"]]
        least = min(paid)
        told_apart |= any(value < max(paid) for value, row in zip(values, found, strict=True) if not row["right"])
        wrong += [
            f"{task}: a failure earns {value:g}, a success {least:g}"
            for value, row in zip(values, found, strict=True)
            if not row["right"] and value > least
        ]
    if wrong:
        more = f", and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        raise ProgramRefused(f"the reward program {program.name!r} ranks failures above successes: {'; '.join(wrong[:SHOWN])}{more}")
    if not told_apart:
        raise ProgramRefused(
            f"the reward program {program.name!r} pays failures and successes alike on all {len(both)} tasks with both: some failure must "
            "earn less than a success"
        )
    return replace(program, accepted=Accepted(len(both), sum(map(len, both.values())), version))


def episode_value(program: RewardProgram, row: Mapping[str, Any]) -> float:
    """The sum of a program's values over the turns of a recorded episode, which is played again; RowError where its task cannot be made again."""
    env = rlgym.make(program.env, level=row["level"], answer_style=row.get("answer_style") or "tag", **knobs_of_row(row))
    env.reset(seed=int(row["seed"]))
    total = 0.0
    for response in responses(row):
        before = env.snapshot()
        _, _, over, _, _ = env.step(response)
        total += program.value(typed_state(before, env.snapshot()), response)
        if over:
            break
    return total


def responses(row: Mapping[str, Any]) -> Sequence[str]:
    """What the model wrote in the turns of a recorded episode."""
    messages = messages_of(row)
    return [str(message.get("content") or "") for message in messages if message.get("role") == "assistant"]
