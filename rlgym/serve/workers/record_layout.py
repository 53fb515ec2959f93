"""Named fields of fixed-size records in a memory-mapped file."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from typing import Any


class RecordLayout:
    """Fields in the order given, each a `struct` format in native byte order without padding. Offsets follow from the formats."""

    def __init__(self, **formats: str) -> None:
        self._fields: dict[str, struct.Struct] = {name: struct.Struct(f"={code}") for name, code in formats.items()}
        self._offsets: dict[str, int] = {}
        self.size = 0
        for name, field in self._fields.items():
            self._offsets[name] = self.size
            self.size += field.size

    def read(self, memory: mmap.mmap, start: int, name: str) -> Any:
        """A field of the record at `start`; a tuple if its format holds several values."""
        values = self._fields[name].unpack_from(memory, start + self._offsets[name])
        return values[0] if len(values) == 1 else values

    def write(self, memory: mmap.mmap, start: int, fields: Mapping[str, Any]) -> None:
        """Write some fields of the record at `start`."""
        for name, value in fields.items():
            values = value if isinstance(value, tuple) else (value,)
            self._fields[name].pack_into(memory, start + self._offsets[name], *values)
