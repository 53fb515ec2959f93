"""The trusted side of one run: sends inputs, and reads answers and output within limits."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import struct
import time
from typing import Any

from rlgym.core.limits import Limits
from rlgym.sandbox.interface import Raised, Returned, RunResult, SandboxError, Stop
from rlgym.sandbox.process.accounts import starved
from rlgym.sandbox.process.backend import EncodedJob
from rlgym.sandbox.process.inside import values
from rlgym.sandbox.process.polling import wait_ready

MAX_ANSWER_FRAME = 2 * values.MOST_BYTES + (1 << 12)  # JSON escapes at most double an encoded value
MAX_ANSWERS, MAX_ANSWER_ITEMS = 4 << 20, 1 << 18  # bytes of all frames of a run, and items of all its values
SMALL_FRAME = 1 << 12
VALUE_FRAME = re.compile(rb'\{"number": \d{1,20}, "value": "[^"\\]*(?:\\.[^"\\]*)*"\}')  # the only frame that may be longer than that
WALL_FACTOR, WALL_EXTRA = 3.0, 3.0  # wall time is a backstop: a waiting run ends after this multiple of its seconds
ENDING = 30.0  # seconds that the kernel may take to end a killed process


class RunChannel:
    """The trusted side of one run: sends inputs, reads frames and output within bounds, and reports why the run ended."""

    def __init__(
        self,
        control: socket.socket,
        talk: socket.socket,
        pipes: tuple[int, int],
        job: EncodedJob,
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
        self._bytes_left, self._items_left = MAX_ANSWERS, MAX_ANSWER_ITEMS
        self._loaded = False
        self._failure: Raised | None = None
        self._stop: Stop | None = None
        self._open, self._starved, self._ending = True, False, False
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
            ended = self._until_over(time.monotonic())
        finally:
            for pipe in self._pipes:
                os.close(pipe)
        return self._result(ended)

    def _until_over(self, begun: float) -> dict[str, Any]:
        """Serve the run until its process has ended; the report of the warm interpreter on it."""
        deadline = begun + WALL_FACTOR * self._limits.seconds + WALL_EXTRA
        while True:
            seconds_left = deadline - time.monotonic()
            if seconds_left <= 0 and not self._ending:
                self._starved = starved(self._parent, time.monotonic() - begun, self._limits.seconds, len(self._answers) + 1)
                self._end(Stop.TIME)
            reading: list[socket.socket | int] = [self._control, *(pipe for pipe in self._pipes if pipe not in self._closed)]
            reading += [self._talk] if self._open else []
            writing = [self._talk] if self._open and self._sending else []
            ready, writable = wait_ready(reading, writing, 5.0 if self._ending else max(0.0, min(seconds_left, 1.0)))
            if writable:
                self._write()
            if self._talk in ready:
                self._receive()
            for pipe in self._pipes:
                if pipe in ready:
                    self._drain(pipe)
            if self._control in ready:
                report = b""
                with contextlib.suppress(ConnectionError):
                    report = self._control.recv(1 << 12)
                if not report:
                    raise SandboxError("the warm interpreter ended during a run")
                self._drain_rest()
                return dict(json.loads(report))
            if not ready and not writable and self._ending and time.monotonic() > deadline + ENDING:
                raise SandboxError("a run could not be ended")

    def _drain(self, pipe: int) -> None:
        data = os.read(pipe, 1 << 16)
        if not data:
            self._closed.add(pipe)
            return
        room = (self._limits.output_kb << 10) - sum(map(len, self._pipes.values()))
        self._pipes[pipe] += data[: max(0, room)]
        if len(data) > room:
            self._end(Stop.OUTPUT)

    def _drain_rest(self) -> None:
        """Read what was still in the pipes and the socket when the process ended."""
        for pipe in self._pipes:
            os.set_blocking(pipe, False)
            with contextlib.suppress(BlockingIOError):
                while pipe not in self._closed:
                    self._drain(pipe)
        while self._open and self._stop is None and self._receive():
            pass

    def _end(self, why: Stop | None) -> None:
        """Have the process killed, and read no further answer. Without a reason, the failure that was recorded is the reason."""
        self._stop = self._stop or why
        self._open = False
        self._frames.clear()
        self._sending.clear()
        if not self._ending:
            self._ending = True
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

    def _receive(self) -> bool:
        """Read what has arrived and take whole frames; False when nothing more can arrive."""
        try:
            data = self._talk.recv(1 << 16)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._open = False
            return False
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            self._protocol_error(f"the answers take more than {MAX_ANSWERS} bytes", Stop.OUTPUT)
        self._frames += data if self._open else b""
        while self._open and len(self._frames) >= 4:
            size = struct.unpack("!I", self._frames[:4])[0]
            if size > MAX_ANSWER_FRAME:
                self._protocol_error("an answer is too long")
            if len(self._frames) < 4 + size:
                break
            frame = bytes(self._frames[4 : 4 + size])
            del self._frames[: 4 + size]
            self._take(frame)
        return self._open

    def _take(self, frame: bytes) -> None:
        """Take one frame: that the program has been loaded, that it failed, or the answer to the open question."""
        answer = _parsed(frame)
        keys = set(answer)
        if not self._loaded:
            if keys == {"loaded"}:
                self._loaded = True
                self._send_next_input()
            elif keys == {"raised"}:
                # Nothing that follows can matter, so the run ends here.
                self._failure = _raised(answer["raised"])
                self._end(None)
            else:
                self._protocol_error("an answer came before it was asked for")
            return
        # Exactly one answer to the one question that is open; its number binds it to that question.
        if len(self._answers) >= len(self._job.inputs) or answer.get("number") != self._number() or len(keys) != 2:
            self._protocol_error("an answer came to no question")
        elif "value" in keys and isinstance(answer["value"], str) and len(answer["value"]) <= values.MOST_BYTES:
            self._take_value(answer["value"])
        elif "raised" in keys or "unsendable" in keys:
            self._answers.append(_raised(answer.get("raised") or answer.get("unsendable")))
            self._send_next_input()
        else:
            self._protocol_error("an answer holds nothing")

    def _take_value(self, text: str) -> None:
        encoded = text.encode("utf-8", "replace")
        self._items_left -= values.items(encoded)
        if self._items_left < 0:
            self._protocol_error(f"the answers hold more than {MAX_ANSWER_ITEMS} items", Stop.OUTPUT)
            return
        try:
            self._answers.append(Returned(values.decode(encoded)))
        except values.Unsendable:
            self._protocol_error("an answer is no plain data")
        else:
            self._send_next_input()

    def _number(self) -> int:
        return self._nonce + len(self._answers)

    def _send_next_input(self) -> None:
        done = len(self._answers)
        if done == len(self._job.inputs):
            # No more requests follow: the program's side sees the end and leaves.
            with contextlib.suppress(OSError):
                self._talk.shutdown(socket.SHUT_WR)
            return
        self._send(json.dumps({"number": self._number(), "arguments": self._job.inputs[done]}).encode())

    def _protocol_error(self, why: str, stop: Stop = Stop.ERROR) -> None:
        self._failure = Raised("ProtocolError", why)
        self._end(stop)

    def _result(self, ended: dict[str, Any]) -> RunResult:
        if not ended["started"]:
            # The child says so before it reads a byte of the program, so a program can neither say it nor keep it from being said.
            raise SandboxError("a child could not be confined")
        seconds, exit_code = float(ended["seconds"]), os.waitstatus_to_exitcode(int(ended["status"]))
        if self._starved and seconds < 0.9 * self._limits.seconds:
            raise SandboxError("the machine was too busy to give a run the processor time that it may use")
        if self._failure and self._stop is None:
            exit_code = 1  # it was leaving with that status when it was ended
        stop = self._stop or self._reason(exit_code, over_time=bool(ended["over"]) or seconds >= 0.9 * self._limits.seconds)
        failure = "" if self._failure is None else f"{self._failure.name}: {self._failure.reason}"
        out, err = (bytes(self._pipes[pipe]).decode("utf-8", "replace") for pipe in self._pipes)
        return RunResult(out, err + failure, tuple(self._answers), exit_code, stop, seconds, int(ended["kilobytes"]))

    def _reason(self, exit_code: int, *, over_time: bool) -> Stop:
        """Why a run ended that was not stopped from here."""
        # A function must have answered everything; a plain program must only have left of itself.
        is_complete = self._job.entry is None or (self._loaded and len(self._answers) == len(self._job.inputs))
        if exit_code == -signal.SIGXCPU or (exit_code == -signal.SIGKILL and over_time):
            return Stop.TIME
        if exit_code < 0:
            return {-signal.SIGSYS: Stop.FORBIDDEN, -signal.SIGKILL: Stop.MEMORY}.get(exit_code, Stop.CRASHED)
        if any(error.name == "MemoryError" for error in [*self._answers, self._failure] if isinstance(error, Raised)):
            return Stop.MEMORY
        return Stop.ERROR if self._failure or not is_complete else Stop.FINISHED


def _parsed(frame: bytes) -> dict[str, Any]:
    """The object in a frame; empty for anything that no child sends. Nothing large is parsed but one text."""
    if len(frame) > SMALL_FRAME and not VALUE_FRAME.fullmatch(frame):
        return {}
    try:
        parsed = json.loads(frame)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _raised(report: Any) -> Raised:
    if isinstance(report, list) and len(report) == 2 and all(isinstance(part, str) for part in report):
        name, reason = (part.encode("utf-8", "replace").decode() for part in report)  # half a surrogate pair could not be written anywhere
        return Raised(name[:80], reason[:400])
    return Raised("Exception", "")
