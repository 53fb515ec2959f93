"""Calls of a scorer that come back in two processes."""

from __future__ import annotations

import os
import select

SECONDS = 0.5
"""How long a copy of the process may take to come back or to end."""


class ForkWatch:
    """Notices that a scorer called `os.fork` and both processes returned, which would run a trainer twice, and ends the copy.

    Each copy holds the writing end of a pipe. It writes when it comes back; a copy that ends elsewhere, as those of `multiprocessing` do, closes the pipe.
    """

    def __init__(self) -> None:
        self._process, self._pipes = os.getpid(), list[tuple[int, int]]()
        os.register_at_fork(
            before=lambda: self._pipes.append(os.pipe()),
            after_in_parent=lambda: os.close(self._pipes[-1][1]),
            after_in_child=lambda: os.close(self._pipes[-1][0]),
        )

    def came_back(self) -> bool:
        """Whether the call that has just returned did so in a copy of the process too. It does not return in the copy."""
        if os.getpid() != self._process:
            os.write(self._pipes[-1][1], b"x")
            os._exit(0)
        found = False
        for pipe, _ in self._pipes:
            ready, _, _ = select.select([pipe], [], [], SECONDS)
            found = found or bool(ready and os.read(pipe, 1))
            os.close(pipe)
        self._pipes.clear()
        return found
