"""How weights reach rollout servers: through shared memory on the trainer's machine, a file in a folder that both can access, or a process group."""

from __future__ import annotations

import socket
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from multiprocessing import resource_tracker, shared_memory
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from rlgym.train.rollout.engines.group_channel import GroupChannel, of_policy

if TYPE_CHECKING:
    from torch import Tensor

ALIGNMENT = 64
"""Tensors start at multiples of this number of bytes."""

_attaching = threading.Lock()
_created: set[str] = set()
_attached: dict[str, shared_memory.SharedMemory] = {}


class WeightChannel(Protocol):
    """Makes weights readable by the workers of servers."""

    def write(self, weights: Iterable[tuple[str, Tensor]]) -> dict[str, Any]:
        """Write all weights but those of the value head; the arguments with which a worker reads them."""
        ...

    def finish(self) -> None:
        """Wait until the workers have what was written, where they take it while it is sent."""
        ...

    def close(self) -> None:
        """Free what was written."""
        ...


class FileChannel:
    """A safetensors file in a temporary folder below `parent`."""

    def __init__(self, parent: str | Path | None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="rlgym-weights-", dir=parent)

    def write(self, weights: Iterable[tuple[str, Tensor]]) -> dict[str, Any]:
        from safetensors.torch import save_file

        file = Path(self._folder.name) / "model.safetensors"
        save_file({name: weight.detach().cpu().contiguous() for name, weight in of_policy(weights)}, file)
        return {"file": str(file)}

    def finish(self) -> None:
        """Nothing: the file is there."""

    def close(self) -> None:
        self._folder.cleanup()


class SharedMemoryChannel:
    """A block of shared memory, which is written again for every update. Nothing is serialised, and readers copy nothing."""

    def __init__(self) -> None:
        self._memory: shared_memory.SharedMemory | None = None
        self._layout: list[tuple[str, str, tuple[int, ...], int]] = []

    def write(self, weights: Iterable[tuple[str, Tensor]]) -> dict[str, Any]:
        given = [(name, weight.detach()) for name, weight in of_policy(weights)]
        layout, size = _layout(given)
        if self._memory is None or layout != self._layout:
            self.close()
            self._memory, self._layout = shared_memory.SharedMemory(create=True, size=max(1, size)), layout
            _created.add(self._memory.name)
        for (_, weight), (_, view) in zip(given, _views(self._memory, layout), strict=True):
            view.copy_(weight)
        return {"shared": {"name": self._memory.name, "layout": [[*entry] for entry in layout]}}

    def finish(self) -> None:
        """Nothing: the block is there."""

    def close(self) -> None:
        if self._memory is not None:
            _created.discard(self._memory.name)
            self._memory.unlink()
            _close(self._memory)
            self._memory = None


def choose_channel(urls: Sequence[str], weights_dir: str | Path | None, workers: int = 0, weights_host: str = "") -> WeightChannel:
    """A process group of `workers` workers if there are any; shared memory if all servers are here and no folder is named; else a file in it."""
    if workers:
        return GroupChannel(workers, weights_host)
    if weights_dir is None and all(map(is_local, urls)):
        return SharedMemoryChannel()
    return FileChannel(weights_dir)


def is_local(url: str) -> bool:
    """Whether the host of an address is this machine: a socket can be bound to it."""
    try:
        found = socket.getaddrinfo(urlsplit(url).hostname, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as probe:
            try:
                probe.bind((address[0], 0))
            except OSError:
                return False
    return bool(found)


def read_shared(shared: Mapping[str, Any]) -> Iterator[tuple[str, Tensor]]:
    """The weights in a block of shared memory, without a copy: valid until the next update. The block stays attached for the next one.

    Raises FileNotFoundError if this process does not share memory with the writer.
    """
    name = shared["name"]
    with _attaching:
        if name not in _attached:
            for old in _attached.values():
                _close(old)
            _attached.clear()
            _attached[name] = _attach(name)
        return iter(list(_views(_attached[name], shared["layout"])))


def _attach(name: str) -> shared_memory.SharedMemory:
    if sys.version_info >= (3, 13):
        return shared_memory.SharedMemory(name, track=False)
    memory = shared_memory.SharedMemory(name)
    if name not in _created:
        # Before Python 3.13 a reader's resource tracker would remove the writer's block when the reader exits.
        resource_tracker.unregister(memory._name, "shared_memory")  # type: ignore[attr-defined]
    return memory


def _close(memory: shared_memory.SharedMemory) -> None:
    try:
        memory.close()
    except BufferError:
        # A tensor still refers to the block, which is unmapped with that tensor. Its own destructor must not try again.
        memory.close = lambda: None  # type: ignore[method-assign]


def _layout(weights: Sequence[tuple[str, Tensor]]) -> tuple[list[tuple[str, str, tuple[int, ...], int]], int]:
    """Name, type, shape and offset of each tensor, and the number of bytes of all."""
    layout, offset = [], 0
    for name, weight in weights:
        layout.append((name, str(weight.dtype).removeprefix("torch."), tuple(weight.shape), offset))
        offset += -(-weight.nbytes // ALIGNMENT) * ALIGNMENT
    return layout, offset


def _views(memory: shared_memory.SharedMemory, layout: Sequence[Sequence[Any]]) -> Iterator[tuple[str, Tensor]]:
    import numpy
    import torch

    for name, dtype, shape, offset in layout:
        kind = getattr(torch, dtype)
        # Unlike torch.frombuffer, an array keeps the block from being unmapped while its tensor lives.
        data = numpy.frombuffer(memory.buf, numpy.uint8, torch.Size(shape).numel() * kind.itemsize, offset)
        yield name, torch.from_numpy(data).view(kind).view(shape)
