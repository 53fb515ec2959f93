"""One command of a session, with all the processes it starts, in name spaces of its own; then what it left of its files.

Started for one command and gone after it. The first process of the new process name space serves: when it ends, the kernel
ends all others. Files come in and go out as data, so nothing of a session lives between two commands but what was said here.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import resource
import select
import signal
import socket
import stat
import struct
import time
from typing import Any

from . import calls, kernel, tree

CONTROL = 3
WORK = "/work"
NEW_PID = 0x20000000
OPEN_FILES = 128
UNCONFINED = "unconfined: "
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")  # git names its temporary files by chance
FILES_MODE = "mode=0777,nr_inodes=8192"
CLOCK_STEP = 0.1  # seconds by which the time of a file may lag behind the clock
STACK = 8 << 20  # bytes that the stack of a thread may take: each counts in full


def main() -> None:
    control = socket.socket(fileno=CONTROL)
    request = json.loads(frame(control))
    try:
        if request["tier"] == "A":
            kernel.unshare(NEW_PID)
            say(control, {"map": True})
            frame(control)  # whoever started this has written the maps of users
            kernel.view(request["root"], request["shown"], request["hidden"], lambda root: furnished(root, request))
    except OSError as error:
        say(control, {"why": str(error)})
        return
    place = WORK if request["tier"] == "A" else request["root"]
    first = os.fork()
    if first:
        # All that is left to do out here is to be there: the first process inside answers.
        _, status = os.waitpid(first, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    kernel.die_with_parent()
    try:
        serve(control, request, place)
    except BaseException as error:
        with contextlib.suppress(OSError):
            say(control, {"why": f"{type(error).__name__}: {error}"})
    os._exit(0)


def furnished(root: str, request: dict[str, Any]) -> None:
    """What a shell expects besides programs: a place to work in, one for scratch files, a few devices, and links."""
    for place in (WORK, "/tmp"):
        os.makedirs(root + place)
        kernel.mount("tmpfs", root + place, "tmpfs", kernel.NO_SUID | kernel.NO_DEV, f"size={request['scratch']},{FILES_MODE}")
    os.makedirs(root + "/dev", exist_ok=True)
    for path in (*DEVICES, *request["files_shown"]):
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        os.close(os.open(root + path, os.O_CREAT | os.O_WRONLY, 0o644))
        kernel.mount(path, root + path, None, kernel.BIND)
    for path, text in request.get("programs", {}).items():
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        with open(root + path, "w") as file:
            file.write(text)
        for each in (os.path.dirname(root + path), root + path):
            os.chmod(each, 0o755)
    for path, target in request["links"].items():
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        if not os.path.lexists(root + path):
            os.symlink(target, root + path)


def serve(control: socket.socket, request: dict[str, Any], place: str) -> None:
    if "tree" in request:
        tree.write(place, request["tree"], request["inside"])
    else:
        _write_files(place, request)
    begun, since = time.monotonic(), time.time() - CLOCK_STEP
    reading, telling = os.pipe()
    pid = os.fork()
    if not pid:
        _become(request, place, telling)
    for descriptor in (4, 5, telling):
        os.close(descriptor)
    refused = _refused(reading)
    ended = _waited(control, pid)
    if request["tier"] == "A":
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    bounds = (request["most_files"], request["most_bytes"], request["longest"])
    files, lost = tree.read(place, *bounds, since, request["now"]) if "tree" in request else _read_files_left(place, *bounds)
    seconds = used.ru_utime + used.ru_stime
    report = {"status": ended, "seconds": seconds, "kilobytes": used.ru_maxrss, "wall": time.monotonic() - begun}
    say(control, {**report, "files": files, "lost": lost, "refused": refused})


def _write_files(place: str, request: dict[str, Any]) -> None:
    for path, text in request["files"].items():
        target = os.path.join(place, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(base64.b64decode(text))
    if request["tier"] == "A":
        for folder, _, names in os.walk(place):
            for path in (folder, *(os.path.join(folder, name) for name in names)):
                os.chown(path, request["inside"], request["inside"])


def _refused(reading: int) -> str:
    """Why the kernel refused to start the command; empty once it has started.

    The pipe closes as the command starts, so a command can neither write to it nor keep it from closing. OSError where the
    command could not be confined.
    """
    with open(reading, encoding="utf-8") as file:
        why = file.read()
    if why.startswith(UNCONFINED):
        raise OSError(why.removeprefix(UNCONFINED))
    return why


def _waited(control: socket.socket, pid: int) -> int:
    """The status of the command's own process, once it has ended or been ended because the other side said so or left."""
    exit_fd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else -1
    reading: list[socket.socket | int] = [control, *([exit_fd] if exit_fd >= 0 else [])]
    while True:
        ready, _, _ = select.select(reading, [], [], None if exit_fd >= 0 else 0.01)
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        if control in ready:
            if not control.recv(64):
                os._exit(0)
            os.kill(pid, signal.SIGKILL)


def _become(request: dict[str, Any], place: str, telling: int) -> None:
    """The command itself. Never returns."""
    stage = UNCONFINED
    try:
        os.setsid()
        os.dup2(4, 1)
        os.dup2(5, 2)
        # A file in memory: a pipe takes no more than 64 KB until somebody reads.
        with open(os.memfd_create("stdin"), "wb") as given:
            given.write(request["stdin"].encode("utf-8", "replace"))
            given.seek(0)
            os.dup2(given.fileno(), 0)
        telling = os.dup2(telling, 3, inheritable=False)
        os.closerange(4, 4096)
        os.chdir(place)
        if request["tier"] == "A":
            os.setresgid(request["inside"], request["inside"], request["inside"])
            os.setresuid(request["inside"], request["inside"], request["inside"])
            kernel.powerless()
            kernel.landlocked([*request["shown"], *request["files_shown"], *request.get("programs", ())], [WORK, "/tmp"], [*DEVICES])
        kernel.bounded(OPEN_FILES, request["most_bytes"], STACK)
        kernel.limited(0, request["seconds"], request["memory"], request["processes"])
        if request["tier"] == "A" and kernel.MACHINE in calls.FORBIDDEN:
            calls.forbid()
        stage = ""
        os.execve(request["command"][0], request["command"], request["environment"])
    except BaseException as error:
        why = f"{stage}{error}" if stage else f"the command could not be started: {error}\n"
        os.write(telling, why.encode("utf-8", "replace")[:1000])
        os._exit(127)


def _read_files_left(place: str, most_files: int, most_bytes: int, longest: int) -> tuple[dict[str, str], int]:
    """The regular files below a folder, as text in base 64, and how many were left out: for want of room, or for a path that
    is too long or no text."""
    files: dict[str, str] = {}
    room, lost = most_bytes, 0
    for folder, folders, names in os.walk(place, followlinks=False):
        folders[:] = sorted(name for name in folders if _named(os.path.join(folder, name), place, longest))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not _named(path, place, longest):
                lost += 1
                continue
            try:
                facts = os.lstat(path)
                if not stat.S_ISREG(facts.st_mode):
                    continue
                if len(files) >= most_files or facts.st_size > room:
                    lost += 1
                    continue
                with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                    data = file.read(room)
                files[os.path.relpath(path, place)] = base64.b64encode(data).decode()
                room -= len(data)
            except OSError:
                lost += 1
    return files, lost


def _named(path: str, place: str, longest: int) -> bool:
    """Whether a path is one that a session may have; nothing deeper is looked at, however deep a command has gone."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return len(path) - len(place) - 1 <= longest


def frame(control: socket.socket) -> bytes:
    head = exactly(control, 4)
    return exactly(control, struct.unpack("!I", head)[0])


def exactly(control: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = control.recv(min(1 << 20, count - len(data)))
        if not piece:
            os._exit(0)
        data += piece
    return data


def say(control: socket.socket, message: dict[str, Any]) -> None:
    text = json.dumps(message).encode()
    control.sendall(struct.pack("!I", len(text)) + text)
