"""A text space of all strings up to a length, usable in asynchronous vector environments."""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Sequence
from ctypes import c_char
from types import ModuleType
from typing import Any, NoReturn

from gymnasium.spaces import Text
from gymnasium.spaces.utils import flatten_space
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory

MOST_CHARACTERS = 1_000_000
_SHARED_BYTES = 1 << 18
_HEAD = 4


class AnyText(Text):
    """Every string of up to `max_length` characters; samples are drawn from printable ASCII."""

    def __init__(self, max_length: int = MOST_CHARACTERS, sample_length: int = 40) -> None:
        super().__init__(max_length, min_length=0)
        self._sample_length = sample_length

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        length = int(self.np_random.integers(1, self._sample_length + 1))
        return "".join(chr(32 + int(code)) for code in self.np_random.integers(0, 95, length))

    def __repr__(self) -> str:
        return f"AnyText({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyText) and self.max_length == other.max_length

    __hash__ = None  # type: ignore[assignment]  # as every gymnasium space


@flatten_space.register(AnyText)
def _flatten(space: AnyText) -> NoReturn:
    raise TypeError("a text of any length cannot be flattened to numbers; use TransformObservation with a tokenizer instead")


# Asynchronous vector environments pass observations through shared memory: length, then UTF-8.
@create_shared_memory.register(AnyText)
def _create(space: AnyText, n: int = 1, ctx: ModuleType = mp) -> Any:
    return ctx.Array(c_char, n * _SHARED_BYTES)


@write_to_shared_memory.register(AnyText)
def _write(space: AnyText, index: int, value: str, shared_memory: Any) -> None:
    data = value.encode("utf-8", "surrogatepass")
    if len(data) > _SHARED_BYTES - _HEAD:
        raise ValueError(f"an observation of {len(data)} bytes does not fit into shared memory; use shared_memory=False")
    start = index * _SHARED_BYTES
    memory = memoryview(shared_memory.get_obj()).cast("B")
    memory[start : start + _HEAD + len(data)] = len(data).to_bytes(_HEAD, "big") + data


@read_from_shared_memory.register(AnyText)
def _read(space: AnyText, shared_memory: Any, n: int = 1) -> SharedTexts:
    return SharedTexts(shared_memory, n)


class SharedTexts(Sequence[str]):
    """A view of the texts in shared memory. gymnasium reads once and expects the result to follow the memory, as an array
    does; a deep copy, which gymnasium makes for its users, is a plain tuple."""

    def __init__(self, shared_memory: Any, count: int) -> None:
        self._memory, self._count = memoryview(shared_memory.get_obj()).cast("B"), count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        if not -self._count <= index < self._count:
            raise IndexError(index)
        start = index % self._count * _SHARED_BYTES
        length = int.from_bytes(self._memory[start : start + _HEAD], "big")
        return bytes(self._memory[start + _HEAD : start + _HEAD + length]).decode("utf-8", "surrogatepass")

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)
