"""Environments for SkyRL: a text environment of skyrl-gym for any row, and the dataset of such rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, to_task_json

with extra("skyrl"):
    import skyrl_gym
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

NAME = "rlgym"


class RlgymEnv(BaseTextEnv):
    """Plays the row whose task JSON is in the dataset's column `task_json`.

    ValueError where the generator allows fewer turns than the row has: its episodes could not be played to their end.
    """

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        given = extras or {}
        if "task_json" not in given:
            raise ValueError(
                f"a row for {NAME!r} needs the column 'task_json', got {sorted(given)}: make it with rlgym.adapters.skyrl.rows"
            )
        self._session = Session(from_task_json(given["task_json"]))
        self._turn_rewards = bool(given.get("turn_rewards"))
        self.max_turns = self._session.max_turns
        allowed = given.get("max_turns")
        if allowed is not None and int(allowed) < self.max_turns:
            row = self._session.row["id"]
            raise ValueError(f"the row {row!r} has up to {self.max_turns} turns, got generator.max_turns={allowed}: set it to that or more")

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Take one response. The reward comes with the last turn, or as the progress of each turn where the row asks for turn rewards.

        A failure that is not the model's fault raises and gives no reward.
        """
        observation = self._session.step(action)
        self.turns += 1
        score = self._session.score
        if score is not None and score.masked:
            raise RuntimeError(f"the row {self._session.row['id']!r} cannot be scored: {score.reason}")
        return BaseTextEnvStepOutput(
            observations=[{"role": "user", "content": observation}] if observation else [],
            reward=self._session.turn_rewards[-1] if self._turn_rewards else 0.0 if score is None else score.value,
            done=self._session.done,
            metadata={} if score is None else score.to_dict(),
        )

    def get_metrics(self) -> dict[str, Any]:
        """What SkyRL averages over a batch."""
        score = self._session.score
        return {"turns": self.turns} | ({} if score is None else {"score": score.value, "right": float(score.value == 1)})


def register() -> str:
    """Make the environment known to skyrl-gym, in this process; returns its name. SkyRL asks for it where its generator runs."""
    if NAME not in skyrl_gym.envs.registration.registry:
        skyrl_gym.register(id=NAME, entry_point="rlgym.adapters.skyrl:RlgymEnv")
    return NAME


def rows(given: Iterable[Mapping[str, Any]], *, turn_rewards: bool = False) -> list[dict[str, Any]]:
    """Rows as SkyRL's datasets have them; RowError for a damaged one. With `turn_rewards` each turn pays its progress, with the same sum."""
    return [
        {
            "data_source": f"rlgym/{row['env']}",
            "prompt": [{"role": "user", "content": Session(row).observation}],
            "env_class": NAME,
            "task_json": to_task_json(row),
            "turn_rewards": turn_rewards,
        }
        for row in given
    ]


def write_dataset(file: str | Path, given: Iterable[Mapping[str, Any]], *, turn_rewards: bool = False) -> Path:
    """Write rows as a Parquet file that `data.train_data` and `data.val_data` of SkyRL take."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows(given, turn_rewards=turn_rewards)), file)
    return file


__all__ = ["NAME", "RlgymEnv", "register", "rows", "write_dataset"]
