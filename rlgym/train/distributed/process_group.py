"""The process group of a distributed run: ranks, work sharing, and collective operations.

All ranks hold the same episodes and the same state outside the network, so every decision is made identically everywhere. Only
the expensive work is divided: groups of rollouts, and rollouts in the forward and backward passes. Rank 0 writes the files.
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

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError

T = TypeVar("T")


@dataclass(frozen=True)
class ProcessGroup:
    """This process among `size`, by default a single one. `local_rank` counts the ranks of one machine and is the index of the GPU."""

    rank: int = 0
    size: int = 1
    local_rank: int = 0

    @classmethod
    def from_environment(cls) -> ProcessGroup:
        """The group that torchrun describes in the variables RANK, WORLD_SIZE and LOCAL_RANK."""
        size = os.environ.get("WORLD_SIZE", "1")
        if size == "1":
            return cls()
        missing = [name for name in ("RANK", "MASTER_ADDR", "MASTER_PORT") if not os.environ.get(name)]
        if missing:
            raise TrainError(f"WORLD_SIZE={size} announces several processes, but {missing[0]} is not set: start them with torchrun")
        return cls(int(os.environ["RANK"]), int(size), int(os.environ.get("LOCAL_RANK", "0")))

    @property
    def is_main(self) -> bool:
        """True on rank 0, which writes the files."""
        return self.rank == 0

    def initialize(self, device: torch.device, timeout_seconds: float) -> None:
        """Connect to the other ranks; no rank waits longer than the timeout for another."""
        # torch does not reliably initialise a process group twice in one process, so later runs reuse it.
        if self.size == 1 or dist.is_initialized():
            return
        backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
        dist.init_process_group(backend, rank=self.rank, world_size=self.size, timeout=timedelta(seconds=timeout_seconds))

    def shutdown(self) -> None:
        """Wait for all ranks, and destroy the group when the process exits."""
        if self.size > 1:
            dist.barrier()
            atexit.register(_destroy)

    def barrier(self) -> None:
        """Wait until all ranks are here."""
        if self.size > 1:
            dist.barrier()

    def shard(self, items: Sequence[T]) -> list[T]:
        """This rank's part of items that all ranks hold."""
        return list(items[self.rank :: self.size])

    def all_gather(self, value: T) -> list[T]:
        """The values of all ranks, in order of rank, on every rank."""
        if self.size == 1:
            return [value]
        out: list[T | None] = [None] * self.size
        dist.all_gather_object(out, value)
        return out  # type: ignore[return-value]

    def require_equal(self, value: str, what: str) -> None:
        """Raise TrainError unless all ranks have the same value."""
        values = set(self.all_gather(value))
        if len(values) > 1:
            raise TrainError(f"the ranks see different values of {what}: {sorted(values)}; all machines must share it")

    def all_reduce(self, value: Tensor) -> Tensor:
        """The sum over all ranks, computed in place."""
        if self.size > 1:
            dist.all_reduce(value)
        return value

    def broadcast(self, value: Tensor) -> Tensor:
        """The value of rank 0, copied in place: GPUs may differ in the last bit, and ranks must not disagree on what to compute."""
        if self.size > 1:
            dist.broadcast(value, 0)
        return value


def _destroy() -> None:
    if dist.is_initialized():
        dist.destroy_process_group()


SINGLE_PROCESS = ProcessGroup()


def rank_device(config: Config, process_group: ProcessGroup) -> torch.device:
    """The device of this rank: on a machine with GPUs each rank has its own."""
    device = config.compute.device
    if device == "cuda" and not torch.cuda.is_available():
        raise TrainError("compute.device='cuda', but torch finds no GPU here: use 'cpu' or 'auto'")
    if device == "cpu" or not torch.cuda.is_available():
        return torch.device("cpu")
    if process_group.size == 1:
        return torch.device("cuda")
    torch.cuda.set_device(process_group.local_rank)
    return torch.device("cuda", process_group.local_rank)
