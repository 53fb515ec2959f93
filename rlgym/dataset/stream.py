"""Endless streams of tasks: the row at any position is computed from the position alone, so a stream resumes at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rlgym.core.errors import RecipeError
from rlgym.core.packages import extra
from rlgym.core.rng import Rng
from rlgym.dataset.recipe import Recipe, Slot
from rlgym.dataset.rows import Row, content_hash, make_row, split_of
from rlgym.dataset.session import Session

ATTEMPTS = 200
WEIGHT_UNITS = 10**6
"""Sampling weights are whole multiples of 1 in this many."""

Convert = Callable[[Row], dict[str, Any]]


class TaskStream:
    """The rows of environments, domains or patterns without end; the other fields of a Recipe, except `count`, may be passed by name.

    Equal arguments give equal rows at equal positions. Environments are drawn by their weights and levels evenly, from the seed and the
    position. A task may come again, which is frequent only where an environment has few tasks at a level. The oracle is not run, so rows lack
    its columns. `split` keeps only tasks that belong to this split by their content hash, as in `sample`.
    """

    def __init__(self, names: str | list[str], *, split: str | None = None, position: int = 0, **recipe: Any) -> None:
        self.recipe, self.split, self.position = Recipe(names=names, **recipe), split, position
        if split is not None and self.recipe.splits.get(split, 0) <= 0:
            raise RecipeError(f"there is no split {split!r} with a share of its own; the splits are {', '.join(self.recipe.splits)}")
        self._names = self.recipe.environments()
        self._weights = [round(self.recipe.weights.get(name, 1.0) * WEIGHT_UNITS) for name in self._names]

    def row(self, position: int) -> Row:
        """The row at a position, counted from 0. RecipeError if the environment has no task of the split."""
        rng = Rng("stream", self.recipe.seed, position)
        name = rng.weighted(self._names, self._weights)
        slot = Slot(name, rng.choice(self.recipe.levels_for(name)), position)
        for attempt in range(ATTEMPTS):
            row = make_row(self.recipe, slot, attempt, solved=False)
            row["split"] = split_of(content_hash(row), self.recipe.splits)
            if self.split in (None, row["split"]):
                return row | {"messages": [{"role": "user", "content": Session(row).observation}]}
        raise RecipeError(f"{slot.name} at level {slot.level:g} has no task of the split {self.split!r} in {ATTEMPTS} seeds")

    def __iter__(self) -> Iterator[Row]:
        """The rows from the position on, without end; the position counts along."""
        while True:
            self.position += 1
            yield self.row(self.position - 1)

    def state_dict(self) -> dict[str, int]:
        """The state from which `load_state_dict` of an equal stream continues."""
        return {"position": self.position}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Continue at a saved state."""
        self.position = state["position"]


def huggingface_stream(stream: TaskStream, convert: Convert, *, shards: int = 1) -> Any:
    """An endless `datasets.IterableDataset` of the stream's rows, converted, from its position on.

    Its own `state_dict` resumes without computing the skipped rows again. `shards` is the number of parts that workers can share.
    """
    with extra("trl"):
        from datasets import IterableDataset

    def positions(first: list[int]) -> Iterator[dict[str, int]]:
        position = first[0]
        while True:
            yield {"position": position}
            position += shards

    def converted(example: dict[str, int]) -> dict[str, Any]:
        return convert(stream.row(example["position"]))

    starts = [stream.position + shard for shard in range(shards)]
    return IterableDataset.from_generator(positions, gen_kwargs={"first": starts}).map(converted, remove_columns=["position"])


def torch_stream(stream: TaskStream, convert: Convert | None = None) -> Any:
    """An endless `torch.utils.data.IterableDataset` of the stream's rows. The workers of a DataLoader take every n-th position each.

    `state_dict` and `load_state_dict` hold the position, as torchdata's StatefulDataLoader saves and restores it for each worker.
    """
    with extra("train"):
        from torch.utils.data import IterableDataset, get_worker_info

    class TorchTaskStream(IterableDataset):  # type: ignore[misc]
        """The rows of a stream, for one worker or several."""

        def __init__(self) -> None:
            self.count = 0  # rows that this worker has given

        def __iter__(self) -> Iterator[dict[str, Any]]:
            info = get_worker_info()
            worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
            while True:
                row = stream.row(stream.position + worker + workers * self.count)
                self.count += 1
                yield row if convert is None else convert(row)

        def __reduce__(self) -> Any:
            return torch_stream, (stream, convert), {"count": self.count}

        def state_dict(self) -> dict[str, int]:
            return {"count": self.count}

        def load_state_dict(self, state: Mapping[str, int]) -> None:
            self.count = state["count"]

    return TorchTaskStream()
