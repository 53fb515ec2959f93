"""Shell commands on file trees that are values: a command gets a tree and gives another.

A tree holds files, folders and links with modes and times. Each command runs confined in a fresh copy of it, with process numbers
that start anew, so that the same command on the same tree gives the same tree. A few warm cells serve any number of terminals, on this
machine or, with RLGYM_SANDBOX=remote, on that of a service.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import hashlib
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox.file_tree import CommandRunner
from rlgym.sandbox.file_tree import Ended as Ended
from rlgym.sandbox.file_tree import Entry as Entry
from rlgym.sandbox.file_tree import Tree as Tree
from rlgym.sandbox.file_tree import file_bytes as file_bytes
from rlgym.sandbox.file_tree import file_entry as file_entry
from rlgym.sandbox.file_tree import file_size as file_size
from rlgym.sandbox.git import ENVIRONMENT as GIT
from rlgym.sandbox.git import SIGNATURE, without_stat
from rlgym.sandbox.interface import RunResult, SandboxError, Stop
from rlgym.sandbox.process.accounts import Usage
from rlgym.sandbox.process.warm_interpreters import HERE, base_python, map_users
from rlgym.sandbox.session_command import MOVE, Command, describe, system_links

BOOT = "from inside import warm_cell; warm_cell.main()"
BOUNDS = {"most_files": 400, "most_bytes": 1 << 20, "longest": 200}  # entries, bytes of all files, characters of a path
LIMITS = Limits(seconds=4, memory_mb=512, output_kb=128, processes=32)
GZIP = "/programs/gzip"  # stands before the one of the machine
RECYCLED = 400  # commands after which a cell is replaced
REMEMBERED, LARGE = 512, 1 << 18  # results of commands that are kept, and characters of a tree from which on none is
MOST_CELLS = 2 * (os.cpu_count() or 1)  # commands that run at a time in a process
INDEX = base64.b64encode(SIGNATURE + bytes(2)).decode()  # how the content of an index begins in a tree
UNDONE = (Stop.TIME, Stop.MEMORY, Stop.OUTPUT, Stop.PROCESSES)


def run_command(tree: Tree, command: str, now: int) -> Ended:
    """Run a command with bash in a folder that holds the tree. SandboxError where it cannot be confined.

    now  the time, in seconds since 1970, that changed files get
    """
    return (_remote if is_remote() else _shared).run(tree, command, now)


def is_remote() -> bool:
    """Whether commands run on the machine of a sandbox service."""
    return os.environ.get("RLGYM_SANDBOX") == "remote"


def run_here(tree: Tree, command: str, now: int) -> Ended:
    """`run_command`, whatever RLGYM_SANDBOX says."""
    return _shared.run(tree, command, now)


def require_confinement() -> None:
    """SandboxError where commands cannot be confined, here or by the service. The first success on each counts for this process."""
    global _confines
    if is_remote():
        run_command({}, ":", 0)  # remembered
    elif not _confines:
        run_here({}, ":", 0)
        _confines = True


class Cells:
    """Warm cells, by default of this machine, one for each command that runs at a time, and the results of recent commands."""

    def __init__(self, start: Callable[[], CommandRunner] | None = None) -> None:
        self._start = start or (lambda: Cell())
        self._free, self._lock, self._room = list[CommandRunner](), threading.Lock(), threading.Semaphore(MOST_CELLS)
        self._recent: OrderedDict[str, Ended] = OrderedDict()

    def run(self, tree: Tree, command: str, now: int) -> Ended:
        if "\0" in command or not _is_utf8(command):
            return Ended(dict(tree), "", "the command could not be started: it holds NUL or is no text", 127, "")
        text = json.dumps([command, sorted(tree.items())])
        plain = hashlib.sha256(text.encode()).hexdigest()
        with self._lock:
            for key in (plain, f"{plain} {now}"):
                if key in self._recent:
                    self._recent.move_to_end(key)
                    return self._recent[key]
        ended = self._run(tree, command, now)
        key = plain if ended.tree == tree else f"{plain} {now}"  # where nothing changed, the time does not count
        # Time and memory may run out through the machine's fault.
        if ended.undone not in (Stop.TIME.value, Stop.MEMORY.value) and len(text) < LARGE:
            with self._lock:
                self._recent[key] = ended
                if len(self._recent) > REMEMBERED:
                    self._recent.popitem(last=False)
        return ended

    def _run(self, tree: Tree, command: str, now: int) -> Ended:
        with self._room:
            with contextlib.suppress(SandboxError):  # a cell may have been killed; a new one decides
                return self._attempt(tree, command, now)
            return self._attempt(tree, command, now)

    def _attempt(self, tree: Tree, command: str, now: int) -> Ended:
        with self._lock:
            cell = self._free.pop() if self._free else None
        cell = cell or self._start()
        try:
            ended = cell.run(tree, command, now)
        except BaseException:
            cell.close()
            raise
        if cell.lost:
            cell.close()
        else:
            with self._lock:
                self._free.append(cell)
        return ended

    def pids(self) -> list[int]:
        """The processes of the cells that wait for a command."""
        with self._lock:
            return [cell.pid for cell in self._free]

    def close(self) -> None:
        """End the cells that wait for a command."""
        with self._lock:
            cells, self._free = self._free, []
        for cell in cells:
            cell.close()


class Cell:
    """One warm cell; serves one command at a time. `lost` says that it is of no more use."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise SandboxError("commands are confined by namespaces, which only Linux has")
        self.lost, self._runs = False, 0
        self._control, remote_end = socket.socketpair()
        root = tempfile.mkdtemp(prefix="rlgym-")
        self._process = subprocess.Popen(
            [base_python(), "-s", "-S", "-B", "-c", MOVE + BOOT, str(remote_end.fileno())],
            env={"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "PYTHONPATH": str(HERE), "LANG": "C.UTF-8"},
            pass_fds=(remote_end.fileno(),),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        remote_end.close()
        try:
            self._start(root)
        except OSError as error:
            self.close()
            raise SandboxError(f"a command cannot be confined here: {error}") from None
        except BaseException:
            self.close()
            raise
        finally:
            with contextlib.suppress(OSError):
                os.rmdir(root)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _start(self, root: str) -> None:
        view = describe([], "", {}, LIMITS, "A", BOUNDS, root)
        view["links"] = system_links()
        environment: Any = view["environment"]
        environment |= {"LC_ALL": "C.UTF-8", "USER": "user", "TERM": "dumb", "COLUMNS": "120"}
        self._environment = view["environment"] = environment | GIT | {"PATH": f"{os.path.dirname(GZIP)}:{environment['PATH']}"}
        view["programs"] = {GZIP: '#!/bin/sh\nexec /usr/bin/gzip -n "$@"\n'}  # else an archive would hold the time of the day
        self._send(view)
        answer = self._answer()
        if not answer.get("map"):
            raise SandboxError(f"a command cannot be confined here: {answer.get('why', 'it ended at once')}")
        map_users(self._process.pid)
        self._send({})
        answer = self._answer()
        if not answer.get("ready"):
            raise SandboxError(f"a command cannot be confined here: {answer.get('why', 'it ended at once')}")

    def run(self, tree: Tree, command: str, now: int) -> Ended:
        """Run a command in a copy of the tree."""
        self._runs += 1
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{now} +0000")
        request = {"command": ["/bin/bash", "--norc", "--noprofile", "-c", command], "tree": tree, "now": now}
        request["environment"] = self._environment | dates
        pipes = [os.pipe(), os.pipe()]
        try:
            text = json.dumps(request).encode()
            socket.send_fds(self._control, [struct.pack("!I", len(text))], [pipes[0][1], pipes[1][1]])
            self._control.sendall(text)
        except OSError as error:
            for reader, _ in pipes:
                os.close(reader)
            raise SandboxError(f"the warm cell is gone: {error}") from None
        finally:
            for _, writer in pipes:
                os.close(writer)
        try:
            result, report = _Running(self._control, self._process, [reader for reader, _ in pipes]).report()
        except OSError as error:
            raise SandboxError(f"the warm cell is gone: {error}") from None
        self.lost = self._runs >= RECYCLED or result.stopped_by in UNDONE
        return _ended(tree, result, report)

    def close(self) -> None:
        """End the cell."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def _send(self, message: Mapping[str, object]) -> None:
        text = json.dumps(message).encode()
        self._control.sendall(struct.pack("!I", len(text)) + text)

    def _answer(self) -> dict[str, Any]:
        self._control.settimeout(60)
        head = self._control.recv(4, socket.MSG_WAITALL)
        text = self._control.recv(struct.unpack("!I", head)[0], socket.MSG_WAITALL) if len(head) == 4 else b"{}"
        self._control.settimeout(None)
        return dict(json.loads(text))


class _Running(Command):
    """One command in a warm cell, which outlives it."""

    def __init__(self, control: socket.socket, process: subprocess.Popen[bytes], readers: list[int]) -> None:
        self._limits, self._stop, self._used = LIMITS, None, Usage()
        self._control, self._process = control, process
        self._pipes = {reader: bytearray() for reader in readers}

    def _processor_seconds(self) -> float:
        """Of all processes together, so that forking wins no time."""
        return self._used.total_seconds

    def _close(self) -> None:
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                os.close(pipe)


def _ended(tree: Tree, result: RunResult, report: Mapping[str, Any]) -> Ended:
    if result.stopped_by in UNDONE:
        return Ended(dict(tree), result.stdout, result.stderr, result.exit_code, result.stopped_by.value)
    if report["lost"]:
        why = f"more than {BOUNDS['most_files']} files or {BOUNDS['most_bytes']} bytes, or a name that is too long or no text"
        return Ended(dict(tree), result.stdout, result.stderr, result.exit_code, why)
    files = {path: _entry(*entry) for path, entry in report["files"].items()}
    return Ended(files, result.stdout, result.stderr, result.exit_code, "")


def _entry(kind: str, mode: int, seconds: int, content: str) -> Entry:
    """An entry of a tree; the index of a git repository keeps nothing that differs between copies of the tree."""
    if kind == "base64" and content.startswith(INDEX):
        content = base64.b64encode(without_stat(base64.b64decode(content))).decode()
    return Entry(kind, mode, seconds, content)


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _remote_cell() -> CommandRunner:
    from rlgym.sandbox.remote.cell import RemoteCell

    return RemoteCell()


def _forget_after_fork() -> None:
    """Cells belong to the process that started them. They are kept, since dropping them would warn of running processes."""
    global _shared, _remote
    _parents.extend([_shared, _remote])
    _shared, _remote = Cells(), Cells(_remote_cell)


_shared, _remote, _confines, _parents = Cells(), Cells(_remote_cell), False, list[Cells]()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(lambda: _shared.close())
atexit.register(lambda: _remote.close())
