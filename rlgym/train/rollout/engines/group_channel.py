"""Weights by broadcast in a process group of the trainer and the workers of all servers: over NCCL between GPUs, else over Gloo."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor
    from torch.distributed import ProcessGroup, Store

SECONDS = 300.0
"""How long the trainer and a worker wait for each other."""

_joined: dict[tuple[str, int], tuple[Store, ProcessGroup]] = {}


class GroupChannel:
    """Broadcasts weights from the trainer, which is rank 0, to `workers` workers; nothing is written to a disk.

    The group is formed at the first update, when all workers read. It lasts until the channel is closed, so that a lost server ends the run.

    host     address of this machine as the workers reach it
    """

    def __init__(self, workers: int, host: str = "", seconds: float = SECONDS) -> None:
        import torch.distributed as dist

        self._size, self._timeout = workers + 1, timedelta(seconds=seconds)
        self._host = host or socket.gethostbyname(socket.gethostname())
        self._store = dist.TCPStore(self._host, 0, self._size, is_master=True, timeout=self._timeout, wait_for_workers=False)
        self._group: ProcessGroup | None = None
        self._backend = ""
        self._sender: threading.Thread | None = None
        self._error: BaseException | None = None

    def write(self, weights: Iterable[tuple[str, Tensor]]) -> dict[str, Any]:
        """Start to broadcast all weights but those of the value head; the arguments with which a worker receives them.

        The weights must not change before `finish`.
        """
        given = [(name, weight.detach().contiguous()) for name, weight in of_policy(weights)]
        if not self._backend:
            self._backend = "nccl" if given and given[0][1].is_cuda else "gloo"
        self._sender = threading.Thread(target=self._send, args=([weight for _, weight in given],), daemon=True)
        self._sender.start()
        layout = [[name, str(weight.dtype).removeprefix("torch."), list(weight.shape)] for name, weight in given]
        place = {"host": self._host, "port": self._store.port, "size": self._size, "seconds": self._timeout.total_seconds()}
        return {"group": {**place, "backend": self._backend, "layout": layout}}

    def _send(self, weights: list[Tensor]) -> None:
        try:
            if self._group is None:
                self._group = _make_group(self._store, 0, self._size, self._backend, self._timeout)
            for weight in weights:
                # Weights that were copied for later are on the CPU, those of the model where it is.
                _broadcast(self._group, weight.to(_device(self._backend)))
        except BaseException as error:
            self._error = error

    def finish(self) -> None:
        """Wait until all workers have received all weights. Raises RuntimeError where they have not within the time limit."""
        if self._sender is not None:
            self._sender.join(self._timeout.total_seconds())
            late, self._sender = self._sender.is_alive(), None
            if late or self._error is not None:
                reason = self._error or f"no answer within {self._timeout.total_seconds():g} s"
                raise RuntimeError(
                    f"the weights did not reach all of {self._size - 1} workers ({reason}): check rollout.engine_options.workers"
                )

    def close(self) -> None:
        """Leave the group."""
        self._group = None


def receive(group: Mapping[str, Any]) -> Iterator[tuple[str, Tensor]]:
    """The weights that a `GroupChannel` sends, as they arrive; all of them must be taken. The first call joins the group."""
    import torch
    import torch.distributed as dist

    place, timeout = (group["host"], group["port"]), timedelta(seconds=group["seconds"])
    if place not in _joined:
        store = dist.TCPStore(*place, group["size"], is_master=False, timeout=timeout, wait_for_workers=False)
        rank = store.add("workers", 1)
        _joined[place] = store, _make_group(store, rank, group["size"], group["backend"], timeout)
    device = _device(group["backend"])
    for name, dtype, shape in group["layout"]:
        weight = torch.empty(shape, dtype=getattr(torch, dtype), device=device)
        _broadcast(_joined[place][1], weight)
        yield name, weight


def _device(backend: str) -> str:
    return "cuda" if backend == "nccl" else "cpu"


def of_policy(weights: Iterable[tuple[str, Tensor]]) -> Iterator[tuple[str, Tensor]]:
    """All weights but those of the value head, which servers do not have."""
    return ((name, weight) for name, weight in weights if name != "value_head.weight")


def _make_group(store: Store, rank: int, size: int, backend: str, timeout: timedelta) -> ProcessGroup:
    """A group beside the default one of torch.distributed, which the trainer's ranks may use."""
    import torch.distributed as dist

    prefixed = dist.PrefixStore("weights", store)
    if backend == "nccl":
        options = dist.ProcessGroupNCCL.Options()
        options._timeout = timeout
        return dist.ProcessGroupNCCL(prefixed, rank, size, options)
    return dist.ProcessGroupGloo(prefixed, rank, size, timeout)


def _broadcast(group: ProcessGroup, weight: Tensor) -> None:
    import torch.distributed as dist

    options = dist.BroadcastOptions()
    options.rootRank, options.rootTensor = 0, 0
    if weight.numel():
        group.broadcast([weight], options).wait()
