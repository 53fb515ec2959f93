"""A confined process that serves one command after the other, each in name spaces of its own with a file tree of its own.

Started once; it forks for every command. What a command may see of the machine is set up once; its files, its processes and its
scratch folders are made for it and end with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
from typing import Any

from . import cell, kernel


def main() -> None:
    control = socket.socket(fileno=cell.CONTROL)
    view = json.loads(cell.frame(control))
    try:
        kernel.unshare()
        cell.say(control, {"map": True})
        cell.frame(control)  # whoever started this has written the maps of users
        kernel.view(view["root"], view["shown"], view["hidden"], lambda root: cell.furnished(root, view))
    except OSError as error:
        cell.say(control, {"why": str(error)})
        return
    cell.say(control, {"ready": True})
    while True:
        head, handed, _, _ = socket.recv_fds(control, 4, 2)
        if len(head) < 4 or len(handed) != 2:
            return
        request = view | json.loads(cell.exactly(control, struct.unpack("!I", head)[0]))
        command = os.fork()
        if not command:
            _run(control, request, handed)
        for descriptor in handed:
            os.close(descriptor)
        os.waitpid(command, 0)


def _run(control: socket.socket, request: dict[str, Any], handed: list[int]) -> None:
    """One command. The first process of its process name space serves it, and its files lie in mounts that no other process sees."""
    try:
        kernel.die_with_parent()
        for number, descriptor in zip((4, 5), [os.dup(descriptor) for descriptor in handed], strict=True):
            os.dup2(descriptor, number)
        kernel.checked("unshare", kernel.NEW_MOUNT | cell.NEW_PID)
        for place in (cell.WORK, "/tmp"):
            kernel.mount("tmpfs", place, "tmpfs", kernel.NO_SUID | kernel.NO_DEV, f"size={request['scratch']},{cell.FILES_MODE}")
        first = os.fork()
        if not first:
            kernel.die_with_parent()
            cell.serve(control, request, cell.WORK)
            os._exit(0)
        os.waitpid(first, 0)
    except BaseException as error:
        with contextlib.suppress(OSError):
            cell.say(control, {"why": f"{type(error).__name__}: {error}"})
    os._exit(0)
