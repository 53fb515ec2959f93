"""A workspace for many turns: files that persist between commands, and confined commands.

The files are plain data held in this process. Each command gets them in its own scratch folder, with a shell and the system's
programs, and the files that it leaves are read back. No process outlives its command, so a session can be copied, saved and restored.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import RunResult, SandboxError, Stop
from rlgym.sandbox.process.warm_interpreters import base_python
from rlgym.sandbox.session_command import is_system_path, run_command

MOST_FILES, MOST_BYTES, LONGEST = 2000, 8 << 20, 500  # files, bytes of all of them, characters of a path
MOST_FOLDERS, LONGEST_NAME = 2000, 255  # folders of all files, bytes of one name in a path
MOST_STDIN = 8 << 20  # bytes
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,60}")
BOUNDS = {"most_files": MOST_FILES, "most_bytes": MOST_BYTES, "longest": LONGEST}
NOT_STARTED = 127  # the exit status of a command that could not be started, as shells have it
PLAIN_LIMITS = Limits(seconds=5, memory_mb=512, output_kb=256, processes=32)


class Session:
    """Files, and commands that work on them.

    files   the initial files: paths to text or bytes
    roots   folders of the session that commands also see at the root: with "app", /app is the session's folder `app`
    limits  limits of each command: processor seconds and memory per process, `processes` and output for all together
    tier    "A" confines with namespaces; "C" confines nothing and must be requested

    SandboxError if a command cannot be confined.
    """

    def __init__(
        self, files: Mapping[str, str | bytes] | None = None, limits: Limits = PLAIN_LIMITS, *, tier: str = "A", roots: Sequence[str] = ()
    ) -> None:
        if tier not in ("A", "C"):
            raise SandboxError(f"a session has tier A or C, not {tier!r}")
        if tier == "A" and sys.platform != "linux":
            raise SandboxError("commands are confined by namespaces, which only Linux has; request tier C to run them unconfined")
        if roots and tier != "A":
            raise SandboxError("folders at the root need tier A: without namespaces commands see the machine's own root")
        for root in roots:
            if not _NAME.fullmatch(root) or is_system_path(f"/{root}"):
                raise ValueError(f"{root!r} cannot be a folder at the root: it is no plain name, or the system's own")
        self.limits, self.tier, self._roots = limits, tier, tuple(roots)
        self._files: dict[str, bytes] = {}
        for path, text in (files or {}).items():
            self.write(path, text)

    @property
    def files(self) -> dict[str, bytes]:
        """A copy of the files as they are now."""
        return dict(self._files)

    def write(self, path: str, text: str | bytes) -> None:
        """Write a file. ValueError for a path outside the session's folder, or if the session is full."""
        try:
            data = text.encode() if isinstance(text, str) else text
        except UnicodeEncodeError:
            raise ValueError(f"the text for {path!r:.80} holds half of a surrogate pair, which no file can hold") from None
        plain = _checked(path)
        if len(self._files) >= MOST_FILES or sum(map(len, self._files.values())) + len(data) > MOST_BYTES:
            raise ValueError(f"a session holds at most {MOST_FILES} files of {MOST_BYTES} bytes together")
        if len({parent for name in (*self._files, plain) for parent in PurePosixPath(name).parents}) > MOST_FOLDERS:
            raise ValueError(f"the files of a session lie in at most {MOST_FOLDERS} folders")
        if any(other.startswith(f"{plain}/") or plain.startswith(f"{other}/") for other in self._files):
            raise ValueError(f"{path!r} would be a file and a folder at once")
        self._files[plain] = data

    def read(self, path: str) -> str:
        """A file's text. FileNotFoundError if it does not exist."""
        plain = _checked(path)
        if plain not in self._files:
            raise FileNotFoundError(f"there is no file {path!r}")
        return self._files[plain].decode("utf-8", "replace")

    def remove(self, path: str) -> None:
        """Remove a file."""
        self.read(path)
        del self._files[_checked(path)]

    def list(self, folder: str = ".") -> Sequence[str]:
        """The paths below a folder, sorted."""
        start = "" if folder in (".", "") else f"{_checked(folder)}/"
        return sorted(path for path in self._files if path.startswith(start))

    def search(self, text: str, max_results: int = 200) -> Sequence[tuple[str, int, str]]:
        """The lines that contain a text: path, line number from 1, line."""
        matches = []
        for path in sorted(self._files):
            for number, line in enumerate(self.read(path).split("\n"), 1):
                if text in line:
                    matches.append((path, number, line))
                    if len(matches) >= max_results:
                        return matches
        return matches

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace the only occurrence of `old`. ValueError if it occurs never, or more than once."""
        text = self.read(path)
        if not old or text.count(old) != 1:
            raise ValueError(
                f"the text to replace must stand in {path!r} exactly once, and stands there {text.count(old) if old else 0} times"
            )
        self.write(path, text.replace(old, new))

    def bash(self, command: str, *, stdin: str = "") -> RunResult:
        """Run a shell command in the session's folder. The files that it leaves become the session's files."""
        return self.command(["/bin/bash", "--norc", "--noprofile", "-c", command], stdin=stdin)

    def python(self, program: str, *, stdin: str = "") -> RunResult:
        """Run a Python program in the session's folder, with the folder on its path."""
        return self.command([base_python(), "-s", "-S", "-B", "-c", f"import sys; sys.path[0] = ''\n{program}"], stdin=stdin)

    def compile_and_run(self, source: str, *, language: str = "c", stdin: str = "") -> RunResult:
        """Compile a C or C++ program and run it. A program that does not compile ends with Stop.ERROR and the compiler's messages."""
        compiler = {"c": "cc", "c++": "c++"}.get(language)
        if compiler is None:
            raise ValueError(f"language must be c or c++, got {language!r}")
        if shutil.which(compiler) is None:
            raise SandboxError(f"there is no {compiler} on this machine")
        name = "/tmp/program"
        suffix = {"c": "c", "c++": "cc"}[language]
        separate = Session({f"program.{suffix}": source}, self.limits, tier=self.tier)
        where = f"{compiler} -O1 -o {name} program.{suffix} -lm && rm program.{suffix} && exec {name}"
        return separate.bash(where if self.tier == "A" else where.replace(name, "./program"), stdin=stdin)

    def command(self, command: Sequence[str], *, stdin: str = "") -> RunResult:
        """Run a program with arguments, confined. All processes that it starts end with it."""
        if fault := _command_fault(command, stdin):
            return RunResult("", fault, (), NOT_STARTED, Stop.ERROR)
        result, files = run_command(command, stdin, self._files, self.limits, self.tier, BOUNDS, self._roots)
        if files is not None:
            self._files = files
        return result


def _checked(path: str) -> str:
    plain = PurePosixPath(path)
    outside = not path or path.startswith("/") or ".." in plain.parts or "\0" in path or len(path) > LONGEST or str(plain) == "."
    if outside or any(len(part.encode("utf-8", "surrogatepass")) > LONGEST_NAME for part in plain.parts):
        raise ValueError(f"a path must lead to a place below the session's folder, got {path!r:.80}")
    try:
        path.encode()
    except UnicodeEncodeError:
        raise ValueError(f"a path must be text in UTF-8, got {path!r:.80}") from None
    return str(plain)


def _command_fault(command: Sequence[str], stdin: str) -> str:
    """Why a command cannot even be sent; empty where it can. Whoever wrote it is at fault, not the machine."""
    if not command or any("\0" in word for word in command):
        return "the command could not be started: a command is one word or more, without NUL"
    try:
        size = sum(len(word.encode()) for word in command)
    except UnicodeEncodeError:
        return "the command could not be started: it holds half of a surrogate pair"
    if size > MOST_BYTES or len(stdin) > MOST_STDIN:
        return f"the command could not be started: it takes more than {MOST_BYTES} bytes, or its input more than {MOST_STDIN} characters"
    return ""
