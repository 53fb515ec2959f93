"""An `environment_factory` that owns its tasks, so that a GRPOTrainer needs no dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import rlgym
from rlgym.adapters.trl.players import player_class
from rlgym.dataset import Session, TaskStream


class OwnTasks:
    """The `environment_factory` of a GRPOTrainer without `train_dataset`: `reset` draws the task and returns its prompt.

    All `num_generations` members of a group get the same task, and every group another one. Tasks come from an endless `TaskStream` of
    `names` and the other arguments; the trainer's `max_steps` sets the length. A tool environment that is alone has its own tools; all
    others, single-turn ones too, are played by calling `respond`. Each environment pays its own reward.

    args        the trainer's GRPOConfig: the size of its groups and batches, and the rank of this process
    image_size  with more than 0, `reset` and `respond` return the picture too, where there is one, as parts of a message
    """

    def __init__(self, names: str | list[str], args: Any, *, image_size: int = 0, **stream: Any) -> None:
        self.stream = TaskStream(names, **stream)
        self.batch = int(args.generation_batch_size)
        self.group = int(args.num_generations)
        self.offset = int(args.process_index) * (self.batch // int(args.world_size))
        self.image_size = image_size
        self.batches = self._created = 0
        found = self.stream.recipe.environments()
        declared = rlgym.environment(found[0])
        alone = len(found) == 1 and declared.kind != "environment" and hasattr(declared.answer, "schemas")
        self._base = player_class(found[0]) if alone else player_class("")

    def __call__(self) -> Any:
        """The next player. The trainer hands out players in the order in which it made them, one for each completion of a batch."""
        player = self._base()
        player._draw, player._image_size = self._drawer(self._created), self.image_size
        self._created += 1
        return player

    def state_dict(self) -> dict[str, int]:
        """How many batches were drawn; save it with a checkpoint."""
        return {"batches": self.batches}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Continue after the batches of a saved state."""
        self.batches = state["batches"]

    def _drawer(self, place: int) -> Callable[[], Session]:
        def draw() -> Session:
            # Players are reset in order, so the first one begins a batch.
            if place == 0:
                self.batches += 1
            group = (self.batches - 1) * (self.batch // self.group) + (self.offset + place) // self.group
            return Session(self.stream.row(self.stream.position + group))

        return draw
