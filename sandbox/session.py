"""A place to work in for many turns: files that stay between commands, and commands that are confined.

The files are plain data held out here. Each command gets them in a scratch place of its own, with a shell and the system's
programs, and what it leaves is read back; no process outlives its command. So a session can be copied, saved and gone back to.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from rlgym.core.limits import Limits
from rlgym.sandbox import RunResult, SandboxBroken, Stop
from rlgym.sandbox.process.talk import WALL_EXTRA, WALL_FACTOR
from rlgym.sandbox.process.zygotes import HERE, INSIDE, base_python, map_users

MOST_FILES, MOST_BYTES, LONGEST = 2000, 8 << 20, 500  # files, bytes of all of them, signs of a path
BOOT = "import sys; from inside import cell; cell.main()"
NOT_STARTED = 113
LINKED = ("/bin", "/sbin", "/lib", "/lib64", "/lib32")
FILES_SHOWN = ("/etc/ld.so.cache", "/etc/alternatives")
PLAIN_LIMITS = Limits(seconds=5, memory_mb=512, output_kb=256, processes=32)


class Session:
    """Files, and commands that work on them.

    files   what is there at first: paths to text or bytes
    limits  of each command: processor seconds and memory count for each process, `processes` and output for all
    tier    "A" confines with name spaces; "C" confines nothing, and is taken only where it is asked for

    SandboxBroken where a command cannot be confined.
    """

    def __init__(self, files: Mapping[str, str | bytes] | None = None, limits: Limits = PLAIN_LIMITS, *, tier: str = "A") -> None:
        if tier not in ("A", "C"):
            raise SandboxBroken(f"a session has tier A or C, not {tier!r}")
        if tier == "A" and sys.platform != "linux":
            raise SandboxBroken("commands are confined by name spaces, which only Linux has; ask for tier C to run them unconfined")
        self.limits, self.tier = limits, tier
        self._files: dict[str, bytes] = {}
        for path, text in (files or {}).items():
            self.write(path, text)

    @property
    def files(self) -> dict[str, bytes]:
        """A copy of the files as they are now."""
        return dict(self._files)

    def write(self, path: str, text: str | bytes) -> None:
        """Put a file there. ValueError for a path that leads elsewhere, or where there is no more room."""
        data = text.encode() if isinstance(text, str) else text
        plain = _checked(path)
        if len(self._files) >= MOST_FILES or sum(map(len, self._files.values())) + len(data) > MOST_BYTES:
            raise ValueError(f"a session holds at most {MOST_FILES} files of {MOST_BYTES} bytes together")
        if any(other.startswith(f"{plain}/") or plain.startswith(f"{other}/") for other in self._files):
            raise ValueError(f"{path!r} would be a file and a folder at once")
        self._files[plain] = data

    def read(self, path: str) -> str:
        """A file's text; FileNotFoundError where there is none."""
        plain = _checked(path)
        if plain not in self._files:
            raise FileNotFoundError(f"there is no file {path!r}")
        return self._files[plain].decode("utf-8", "replace")

    def remove(self, path: str) -> None:
        """Take a file away."""
        self.read(path)
        del self._files[_checked(path)]

    def list(self, folder: str = ".") -> Sequence[str]:
        """The paths below a folder, sorted."""
        start = "" if folder in (".", "") else f"{_checked(folder)}/"
        return sorted(path for path in self._files if path.startswith(start))

    def search(self, text: str, most: int = 200) -> Sequence[tuple[str, int, str]]:
        """Where a text occurs: path, line number from 1, line."""
        found = []
        for path in sorted(self._files):
            for number, line in enumerate(self.read(path).split("\n"), 1):
                if text in line:
                    found.append((path, number, line))
                    if len(found) >= most:
                        return found
        return found

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace the one place where `old` stands; ValueError where it stands nowhere, or more than once."""
        text = self.read(path)
        if not old or text.count(old) != 1:
            raise ValueError(
                f"the text to replace must stand in {path!r} exactly once, and stands there {text.count(old) if old else 0} times"
            )
        self.write(path, text.replace(old, new))

    def bash(self, command: str, *, stdin: str = "") -> RunResult:
        """Run a shell command in the session's folder; the files it leaves are the session's files from then on."""
        return self.command(["/bin/bash", "--norc", "--noprofile", "-c", command], stdin=stdin)

    def python(self, program: str, *, stdin: str = "") -> RunResult:
        """Run a Python program there, with the folder on its path."""
        return self.command([base_python(), "-s", "-S", "-B", "-c", f"import sys; sys.path[0] = ''\n{program}"], stdin=stdin)

    def compiled(self, source: str, *, language: str = "c", stdin: str = "") -> RunResult:
        """Compile a C or C++ program and run it. A program that cannot be compiled ends with Stop.ERROR and the compiler's words."""
        compiler = {"c": "cc", "c++": "c++"}.get(language)
        if compiler is None:
            raise ValueError(f"language must be c or c++, got {language!r}")
        if shutil.which(compiler) is None:
            raise SandboxBroken(f"there is no {compiler} on this machine")
        name = "/tmp/program"
        suffix = {"c": "c", "c++": "cc"}[language]
        apart = Session({f"program.{suffix}": source}, self.limits, tier=self.tier)
        where = f"{compiler} -O1 -o {name} program.{suffix} -lm && rm program.{suffix} && exec {name}"
        return apart.bash(where if self.tier == "A" else where.replace(name, "./program"), stdin=stdin)

    def command(self, command: Sequence[str], *, stdin: str = "") -> RunResult:
        """Run a program with arguments, confined; nothing it starts outlives it."""
        with tempfile.TemporaryDirectory(prefix="rlgym-") as root:
            talk = _Cell(self.tier, root, self._asked(command, stdin, root), self.limits)
            result, files = talk.result()
        if files is not None:
            self._files = files
        return result

    def _asked(self, command: Sequence[str], stdin: str, root: str) -> dict[str, object]:
        shown, hidden, links = _system()
        binaries = os.path.dirname(base_python())
        environment = {"PATH": f"{binaries}:/usr/local/bin:/usr/bin:/bin", "HOME": "/work", "LANG": "C.UTF-8", "TZ": "UTC"}
        environment |= {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1", "TMPDIR": "/tmp"}
        return {
            "tier": self.tier,
            "root": root,
            "shown": shown,
            "hidden": hidden,
            "links": links,
            "files_shown": [path for path in FILES_SHOWN if os.path.isfile(path)],
            "inside": INSIDE,
            "command": list(command),
            "environment": environment,
            "stdin": stdin,
            "files": {path: base64.b64encode(data).decode() for path, data in self._files.items()},
            "seconds": self.limits.seconds,
            "memory": self.limits.memory_mb << 20,
            "processes": max(2, self.limits.processes),
            "most_files": MOST_FILES,
            "most_bytes": MOST_BYTES,
            "longest": LONGEST,
        }


class _Cell:
    """The trusted end of one command."""

    def __init__(self, tier: str, root: str, asked: dict[str, object], limits: Limits) -> None:
        self._limits = limits
        self._stop: Stop | None = None
        self._control, far = socket.socketpair()
        pipes = [os.pipe(), os.pipe()]
        self._pipes = {reader: bytearray() for reader, _ in pipes}
        handed = (far.fileno(), pipes[0][1], pipes[1][1])
        environment = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "PYTHONPATH": str(HERE)}
        places = "; ".join(f"os.dup2({fd}, {50 + i})" for i, fd in enumerate(handed))
        moves = "; ".join(f"os.dup2({50 + i}, {3 + i}, True)" for i in range(3))
        boot = f"import os; {places}; {moves}; os.closerange(6, 4096); {BOOT}"
        self._process = subprocess.Popen(
            [base_python(), "-s", "-S", "-B", "-c", boot],
            env=environment,
            pass_fds=handed,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        for descriptor in handed[1:]:
            os.close(descriptor)
        far.close()
        try:
            self._say(asked)
            if tier == "A":
                said = self._hear(60.0)
                if not said.get("map"):
                    raise SandboxBroken(f"a command cannot be confined here: {said.get('why', 'it ended at once')}")
                map_users(self._process.pid)
                self._say({})
        except BaseException:
            self._close()
            raise

    def result(self) -> tuple[RunResult, dict[str, bytes] | None]:
        try:
            ended = self._until_over()
        finally:
            self._close()
        if "why" in ended:
            raise SandboxBroken(f"a command could not be confined: {ended['why']}")
        out, err = (bytes(data).decode("utf-8", "replace") for data in self._pipes.values())
        exited = os.waitstatus_to_exitcode(int(str(ended["status"])))
        stop = self._stop
        if stop is None:
            over = float(str(ended["seconds"])) >= 0.9 * self._limits.seconds
            stop = Stop.FINISHED if exited == 0 else Stop.ERROR
            if exited in (-24, 128 + 24) or (exited in (-9, 128 + 9) and over):  # the first two are the limit's own signal
                stop = Stop.TIME
            elif exited == -31:
                stop = Stop.FORBIDDEN
            elif exited < 0:
                stop = Stop.CRASHED
        if exited == NOT_STARTED and err.startswith("the command could not be started"):
            raise SandboxBroken(err.strip())
        left = ended["files"]
        assert isinstance(left, dict)
        return RunResult(out, err, (), exited, stop), {path: base64.b64decode(data) for path, data in left.items()}

    def _until_over(self) -> dict[str, object]:
        deadline = time.monotonic() + WALL_FACTOR * self._limits.seconds + WALL_EXTRA
        open_pipes = set(self._pipes)
        heard = bytearray()
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                if self._stop is not None:
                    raise SandboxBroken("a command could not be ended")
                self._end(Stop.TIME)
                deadline += 20
                continue
            reading: list[socket.socket | int] = [self._control, *open_pipes]
            ready, _, _ = select.select(reading, [], [], left)
            for pipe in open_pipes & set(ready):
                data = os.read(pipe, 1 << 16)
                if not data:
                    open_pipes.discard(pipe)
                    continue
                room = (self._limits.output_kb << 10) - sum(map(len, self._pipes.values()))
                self._pipes[pipe] += data[: max(0, room)]
                if len(data) > room:
                    self._end(Stop.OUTPUT)
            if self._control in ready:
                piece = self._control.recv(1 << 20)
                if not piece:
                    raise SandboxBroken("what confines a command ended before it")
                heard += piece
                if len(heard) >= 4 and len(heard) >= 4 + struct.unpack("!I", heard[:4])[0]:
                    self._rest(open_pipes)
                    return dict(json.loads(heard[4:]))

    def _rest(self, open_pipes: set[int]) -> None:
        """What was still in the pipes when everything had ended."""
        for pipe in open_pipes:
            os.set_blocking(pipe, False)
            with contextlib.suppress(BlockingIOError):
                while data := os.read(pipe, 1 << 16):
                    room = (self._limits.output_kb << 10) - sum(map(len, self._pipes.values()))
                    self._pipes[pipe] += data[: max(0, room)]

    def _end(self, why: Stop) -> None:
        if self._stop is None:
            self._stop = why
            with contextlib.suppress(OSError):
                self._control.send(b"end")

    def _say(self, said: dict[str, object]) -> None:
        text = json.dumps(said).encode()
        self._control.sendall(struct.pack("!I", len(text)) + text)

    def _hear(self, seconds: float) -> dict[str, object]:
        self._control.settimeout(seconds)
        head = self._control.recv(4, socket.MSG_WAITALL)
        said = self._control.recv(struct.unpack("!I", head)[0], socket.MSG_WAITALL) if len(head) == 4 else b"{}"
        self._control.settimeout(None)
        return dict(json.loads(said))

    def _close(self) -> None:
        self._control.close()
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                os.close(pipe)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _checked(path: str) -> str:
    plain = str(PurePosixPath(path))
    if not path or path.startswith("/") or ".." in PurePosixPath(path).parts or "\0" in path or len(path) > LONGEST or plain == ".":
        raise ValueError(f"a path must lead to a place below the session's folder, got {path!r:.80}")
    return plain


@cache
def _system() -> tuple[list[str], list[str], dict[str, str]]:
    """Folders that commands may see, folders below them that they may not, and links that stand for folders."""
    shown = ["/usr", *(path for path in (*LINKED, "/etc/alternatives") if os.path.isdir(path) and not os.path.islink(path))]
    base = os.path.realpath(sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix}))
    prefix = os.path.realpath(sys.base_prefix)
    if not base.startswith("/usr/"):
        shown.append(prefix)
    links = {path: os.readlink(path) for path in LINKED if os.path.islink(path)}
    own = os.path.realpath(HERE.parents[1])
    hidden = [own] if any(own.startswith(f"{folder}/") for folder in shown) else []
    for place in ("/usr/lib/python3", "/usr/local/lib", f"{prefix}/lib"):
        found = Path(place).glob("**/*-packages") if os.path.isdir(place) else []
        hidden += [
            str(path) for path in found if path.name in ("site-packages", "dist-packages") and path.is_dir() and len(path.parts) < 12
        ]
    outer = [path for path in dict.fromkeys(hidden) if not any(path != other and path.startswith(f"{other}/") for other in hidden)]
    return shown, outer, links
