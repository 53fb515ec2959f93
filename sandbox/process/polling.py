"""Waiting for descriptors of any number: `select.select` refuses those from 1024 on, which a server with many connections has."""

from __future__ import annotations

import math
import select
import socket
from collections.abc import Sequence

Channel = socket.socket | int


def wait_ready(reading: Sequence[Channel], writing: Sequence[Channel], seconds: float) -> tuple[list[Channel], list[Channel]]:
    """The channels that can be read from, and those that can be written to. One whose other end is closed is readable too."""
    events: dict[int, int] = {}
    for channels, event in ((reading, select.POLLIN), (writing, select.POLLOUT)):
        for channel in channels:
            events[_number(channel)] = events.get(_number(channel), 0) | event
    poll = select.poll()
    for descriptor, mask in events.items():
        poll.register(descriptor, mask)
    ready = dict(poll.poll(math.ceil(seconds * 1000)))
    if any(happened & select.POLLNVAL for happened in ready.values()):
        raise OSError(f"a closed descriptor among {sorted(events)} was waited for")
    readable = [channel for channel in reading if ready.get(_number(channel), 0) & (select.POLLIN | select.POLLHUP | select.POLLERR)]
    writable = [channel for channel in writing if ready.get(_number(channel), 0) & (select.POLLOUT | select.POLLERR)]
    return readable, writable


def _number(channel: Channel) -> int:
    return channel if isinstance(channel, int) else channel.fileno()
