"""Several processes that train one model, each with a rank: who they are, how they share work, what they tell each other.

All ranks hold the same episodes and the same state outside the network, so that whatever is decided is decided everywhere alike.
What costs time is shared out: groups of rollouts, and rollouts to be carried through the network. Rank 0 writes the files.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import torch
from torch import Tensor
from torch import distributed as dist

from rlgym.train.config import TrainError

T = TypeVar("T")


@dataclass(frozen=True)
class Team:
    """This process among `size`; by default the only one. `local` counts the ranks of one machine, and is the number of its GPU."""

    rank: int = 0
    size: int = 1
    local: int = 0

    @classmethod
    def asked(cls) -> Team:
        """What torchrun says in the environment of each process that it starts: RANK, WORLD_SIZE and LOCAL_RANK."""
        size = os.environ.get("WORLD_SIZE", "1")
        if size == "1":
            return cls()
        missing = [name for name in ("RANK", "MASTER_ADDR", "MASTER_PORT") if not os.environ.get(name)]
        if missing:
            raise TrainError(
                f"WORLD_SIZE={size} says that there are several processes, but {missing[0]} is not set: start them with torchrun"
            )
        return cls(int(os.environ["RANK"]), int(size), int(os.environ.get("LOCAL_RANK", "0")))

    @property
    def leads(self) -> bool:
        """True for the one that writes."""
        return self.rank == 0

    def join(self, device: torch.device, seconds: float) -> None:
        """Meet the other ranks, for whom none ever waits longer than that."""
        # Met once, they stay together: to part and meet again in the same processes goes wrong.
        if self.size == 1 or dist.is_initialized():
            return
        backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
        dist.init_process_group(backend, rank=self.rank, world_size=self.size, timeout=timedelta(seconds=seconds))

    def leave(self) -> None:
        """All is done: part from the others when the process ends."""
        if self.size > 1:
            dist.barrier()
            atexit.register(_part)

    def wait(self) -> None:
        """Go on when all ranks have come here."""
        if self.size > 1:
            dist.barrier()

    def share(self, things: Sequence[T]) -> list[T]:
        """This rank's part of what all ranks have."""
        return list(things[self.rank :: self.size])

    def gathered(self, mine: T) -> list[T]:
        """What each rank has, in the order of ranks, on all of them."""
        if self.size == 1:
            return [mine]
        out: list[T | None] = [None] * self.size
        dist.all_gather_object(out, mine)
        return out  # type: ignore[return-value]

    def must_agree(self, mine: str, what: str) -> None:
        """Go on when all ranks have come here with the same thing; else a TrainError."""
        seen = self.gathered(mine)
        if len(set(seen)) > 1:
            raise TrainError(f"the ranks see different things as {what}: {sorted(set(seen))}; all machines must share it")

    def add(self, value: Tensor) -> Tensor:
        """The sum over all ranks, in place."""
        if self.size > 1:
            dist.all_reduce(value)
        return value

    def agreed(self, value: Tensor) -> Tensor:
        """The value that rank 0 has, in place: two GPUs may differ in the last bit, and ranks must not disagree on what is to be done."""
        if self.size > 1:
            dist.broadcast(value, 0)
        return value


def _part() -> None:
    if dist.is_initialized():
        dist.destroy_process_group()


ALONE = Team()


def evenly(lengths: Sequence[int], size: int) -> list[list[int]]:
    """Indices of sequences in `size` parts of about as many tokens: the longest first, each to the part that has least.

    >>> evenly([5, 9, 3, 4], 2)
    [[1, 2], [0, 3]]
    """
    parts: list[list[int]] = [[] for _ in range(size)]
    sums = [0] * size
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        least = sums.index(min(sums))
        parts[least].append(index)
        sums[least] += lengths[index]
    return [sorted(part) for part in parts]
