"""The trusted end of one run."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import struct
import time
from dataclasses import dataclass
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox import Raised, Returned, RunResult, SandboxBroken, Stop
from rlgym.sandbox.process.inside import values

MOST_FRAME = 4 << 20
WALL_FACTOR, WALL_EXTRA = 3.0, 3.0  # wall time is a backstop only: a run that waits is ended after that many times its seconds
NOT_CONFINED = 113  # the exit status of a child that could not be confined


@dataclass(frozen=True, slots=True)
class Job:
    """One run: a program; the function called with each input in turn, or None to run the program alone; standard input.

    `language` is "python" or "javascript".
    """

    program: str
    inputs: tuple[tuple[Any, ...], ...] = ()
    entry: str | None = "solve"
    stdin: str = ""
    language: str = "python"


class Talk:
    """The trusted end of one run: sends inputs, reads frames and output within bounds, and says how it ended."""

    def __init__(
        self,
        control: socket.socket,
        talk: socket.socket,
        pipes: tuple[int, int],
        job: Job,
        limits: Limits,
        number: int,
        parent: int = 0,
    ) -> None:
        self._control, self._talk, self._job, self._limits = control, talk, job, limits
        self._run, self._parent = number, parent
        self._pipes = {pipe: bytearray() for pipe in pipes}
        self._closed: set[int] = set()
        self._frames, self._sending = bytearray(), bytearray()
        self._answers: list[Returned | Raised] = []
        self._loaded = False
        self._failure: Raised | None = None
        self._stop: Stop | None = None
        self._open, self._starved = True, False
        self._nonce = int.from_bytes(os.urandom(6), "big")

    def result(self) -> RunResult:
        first = {
            "program": self._job.program,
            "entry": self._job.entry,
            "stdin": self._job.stdin,
            "language": self._job.language,
            "most": values.MOST_BYTES,
        }
        self._talk.setblocking(False)
        self._send(json.dumps(first).encode())
        try:
            ended = self._until_over(time.monotonic() + WALL_FACTOR * self._limits.seconds + WALL_EXTRA)
        finally:
            for pipe in self._pipes:
                os.close(pipe)
        return self._said(ended)

    def _until_over(self, deadline: float) -> dict[str, Any]:
        """Serve the run until its process has ended; what the warm interpreter then says of it."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0 and self._stop is None:
                self._starved = starved(self._parent)
                self._end(Stop.TIME)
            reading: list[socket.socket | int] = [self._control, *(pipe for pipe in self._pipes if pipe not in self._closed)]
            reading += [self._talk] if self._open else []
            writing = [self._talk] if self._open and self._sending else []
            ready, writable, _ = select.select(reading, writing, [], max(0.0, min(left, 1.0)) if self._stop is None else 5.0)
            if writable:
                self._write()
            if self._talk in ready:
                self._hear()
            for pipe in self._pipes:
                if pipe in ready:
                    self._drain(pipe)
            if self._control in ready:
                said = b""
                with contextlib.suppress(ConnectionError):
                    said = self._control.recv(1 << 12)
                if not said:
                    raise SandboxBroken("the warm interpreter ended during a run")
                self._rest()
                return dict(json.loads(said))
            if not ready and not writable and self._stop is not None and time.monotonic() > deadline + 30:
                raise SandboxBroken("a run could not be ended")

    def _drain(self, pipe: int) -> None:
        data = os.read(pipe, 1 << 16)
        if not data:
            self._closed.add(pipe)
            return
        room = (self._limits.output_kb << 10) - sum(map(len, self._pipes.values()))
        self._pipes[pipe] += data[: max(0, room)]
        if len(data) > room:
            self._end(Stop.OUTPUT)

    def _rest(self) -> None:
        """What was still in the pipes and the socket when the process ended."""
        for pipe in self._pipes:
            os.set_blocking(pipe, False)
            with contextlib.suppress(BlockingIOError):
                while pipe not in self._closed:
                    self._drain(pipe)
        while self._open and self._stop is None and self._hear():
            pass

    def _end(self, why: Stop) -> None:
        if self._stop is None:
            self._stop = why
            with contextlib.suppress(OSError):
                self._control.send(b"end %d" % self._run)

    def _send(self, text: bytes) -> None:
        self._sending += struct.pack("!I", len(text)) + text
        self._write()

    def _write(self) -> None:
        try:
            sent = self._talk.send(self._sending)
            del self._sending[:sent]
        except BlockingIOError:
            return
        except OSError:
            self._sending.clear()

    def _hear(self) -> bool:
        """Read what has come and take whole frames; False when nothing more can come."""
        try:
            data = self._talk.recv(1 << 16)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._open = False
            return False
        self._frames += data
        while len(self._frames) >= 4 and self._stop is None and self._failure is None:
            size = struct.unpack("!I", self._frames[:4])[0]
            if size > MOST_FRAME:
                self._broken("an answer is too long")
            if len(self._frames) < 4 + size:
                break
            frame = bytes(self._frames[4 : 4 + size])
            del self._frames[: 4 + size]
            self._frame(frame)
        return True

    def _frame(self, text: bytes) -> None:
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = {}
        said = said if isinstance(said, dict) else {}
        keys = set(said)
        if not self._loaded:
            if keys == {"loaded"}:
                self._loaded = True
                self._ask()
            elif keys == {"raised"}:
                self._failure = _raised(said["raised"])
            else:
                self._broken("an answer came before it was asked for")
            return
        # Exactly one answer to the one question that is open; its number binds it to that question.
        if len(self._answers) >= len(self._job.inputs) or said.get("number") != self._number() or len(keys) != 2:
            self._broken("an answer came to no question")
        elif "value" in keys and isinstance(said["value"], str) and len(said["value"]) <= values.MOST_BYTES:
            try:
                self._answers.append(Returned(values.decode(said["value"].encode())))
                self._ask()
            except (values.Unsendable, UnicodeError):
                self._broken("an answer is no plain data")
        elif "raised" in keys or "unsendable" in keys:
            self._answers.append(_raised(said.get("raised") or said.get("unsendable")))
            self._ask()
        else:
            self._broken("an answer holds nothing")

    def _number(self) -> int:
        return self._nonce + len(self._answers)

    def _ask(self) -> None:
        done = len(self._answers)
        if done == len(self._job.inputs):
            # Nothing more is asked: the program's side sees the end and leaves.
            with contextlib.suppress(OSError):
                self._talk.shutdown(socket.SHUT_WR)
            return
        asked = {"number": self._number(), "arguments": values.encode(tuple(self._job.inputs[done]), MOST_FRAME).decode()}
        self._send(json.dumps(asked).encode())

    def _broken(self, why: str) -> None:
        self._failure = Raised("ProtocolError", why)
        self._frames.clear()
        self._end(Stop.ERROR)

    def _said(self, ended: dict[str, Any]) -> RunResult:
        status, seconds = int(ended["status"]), float(ended["seconds"])
        exited = os.waitstatus_to_exitcode(status)
        if exited == NOT_CONFINED and not self._loaded and self._failure is None:
            raise SandboxBroken("a child could not be confined")
        if self._starved and seconds < 0.9 * self._limits.seconds:
            raise SandboxBroken("the machine was too busy to give a run the processor time that it may use")
        # A function must have answered everything; a plain program must only have left of itself.
        whole = self._job.entry is None or (self._loaded and len(self._answers) == len(self._job.inputs))
        errors = [answer for answer in self._answers if isinstance(answer, Raised)] + ([self._failure] if self._failure else [])
        stop = self._stop or Stop.FINISHED
        if self._stop is None:
            if exited < 0:
                over = seconds >= 0.9 * self._limits.seconds
                stop = (
                    Stop.TIME
                    if exited == -24 or (exited == -9 and over)  # the first is the limit's own signal
                    else Stop.FORBIDDEN
                    if exited == -31
                    else Stop.MEMORY
                    if exited == -9
                    else Stop.CRASHED
                )
            elif any(error.name == "MemoryError" for error in errors):
                stop = Stop.MEMORY
            elif self._failure or not whole:
                stop = Stop.ERROR
        said = "" if self._failure is None else f"{self._failure.name}: {self._failure.reason}"
        out, err = (bytes(self._pipes[pipe]).decode("utf-8", "replace") for pipe in self._pipes)
        return RunResult(out, err + said, tuple(self._answers), exited, stop)


def starved(parent: int) -> bool:
    """Whether a running child of that process has waited for a processor more than it waited of its own accord.

    A run that sleeps, or waits for a lock or for input, is over time by its own doing; one that is kept from running is not.
    False where the kernel does not say.
    """
    try:
        with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
            children = [int(number) for number in file.read().split()]
        for child in children:
            with open(f"/proc/{child}/schedstat", encoding="ascii") as file:
                ran, queued = (int(number) / 1e9 for number in file.read().split()[:2])
            with open(f"/proc/{child}/stat", encoding="ascii", errors="replace") as file:
                state = file.read().rpartition(")")[2].split()[0]
            if state == "R" and queued > ran:
                return True
    except (OSError, ValueError):
        pass
    return False


def _raised(said: Any) -> Raised:
    if isinstance(said, list) and len(said) == 2 and all(isinstance(part, str) for part in said):
        name, reason = (part.encode("utf-8", "replace").decode() for part in said)  # half a surrogate pair could not be written anywhere
        return Raised(name[:80], reason[:400])
    return Raised("Exception", "")
