"""The turn log: the completions of unfinished many-turn episodes, so that a resumed run continues them where they stopped."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rlgym.evaluate.episodes.episode_log import EpisodeLog, read_log
from rlgym.evaluate.models.base import Completion

TURN_LOG = "turns.jsonl"

Saved = list[tuple[Completion, float]]
"""The completions of an episode in order, each with the seconds that the model took."""


class TurnLog:
    """Saves every completion of a many-turn episode before the environment answers it.

    Environments are deterministic, so the saved completions lead to the state in which the episode stopped.
    """

    def __init__(self, folder: Path, finished: Collection[tuple[str, int]] = ()) -> None:
        self._file = folder / TURN_LOG
        self._saved: dict[tuple[str, int], Saved] = {}
        for line in read_log(self._file):
            key = (line["id"], line["sample"])
            # A turn that was played twice, by two attempts at an episode, counts once.
            if key not in finished and line["turn"] == len(self._saved.setdefault(key, [])):
                self._saved[key].append((Completion(**line["messages"]), line["seconds"]))
        self._log = EpisodeLog(self._file)

    def saved(self, row: Mapping[str, Any], sample: int) -> Saved:
        """The completions that the log has of an episode; none for tasks of one turn."""
        return self._saved.get((row["id"], sample), [])

    async def append(self, row: Mapping[str, Any], sample: int, turn: int, completion: Completion, seconds: float) -> None:
        """Save the completion of a turn, counted from 0; it is on disk when this returns. Tasks of one turn are not saved."""
        if row["kind"] == "environment":
            return
        line = {"id": row["id"], "sample": sample, "turn": turn, "seconds": seconds, "messages": asdict(completion)}
        await self._log.append(line)

    def close(self, *, remove: bool = False) -> None:
        """Close the file; `remove` it once no episode can need it."""
        self._log.close()
        if remove:
            self._file.unlink(missing_ok=True)
