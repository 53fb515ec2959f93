"""The system calls that a program may make, as a filter that the kernel runs before each of them (seccomp)."""

from __future__ import annotations

import ctypes
import struct

from . import kernel

# x86-64: what a pure computation in Python needs. Anything else is answered with "not permitted".
PLAIN = {
    "x86_64": tuple(
        int(number)
        for number in """
        0 1 3 4 5 6 7 8 9 10 11 12 13 14 15 17 18 19 20 21 23 25 28 32 33 35 39 60 63 79 89
        96 97 98 102 104 107 108 110 111 127 128 131 137 138 158 186 201 217 218 231 232 233 262 267 269 270 271 273 281 291 292 309
        318 324 332 334 439
        """.split()
    )
}
# x86-64: what no command of a session needs. Sockets, tracing, other processes' memory, name spaces, mounts, keys, modules,
# kernel programs, asynchronous rings, clocks that can be set, handles of files, calls of other tables; and memory that no
# process's limit counts: files without a name, and shared segments, semaphores and queues of System V.
FORBIDDEN = {
    "x86_64": (
        *(41, 42, 43, 49, 50, 53, 101, 134, 153, 154, 155, 156, 159, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175),
        *(176, 177, 178, 179, 180, 212, 227, 246, 248, 249, 250, 256, 272, 279, 298, 300, 303, 304, 305, 308, 310, 311, 312, 313, 320, 321),
        *(29, 30, 31, 64, 65, 66, 67, 68, 69, 70, 71, 220, 240, 241, 319, 323, 425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 447),
    )
}
NAME_SPACES = 0x7E020000  # the flags of clone that make new ones
ARCHITECTURE = {"x86_64": 0xC000003E}
OPEN, OPENAT, IOCTL, FCNTL, CLONE, CLONE3, PRLIMIT, KILL, TGKILL, PRCTL, RECVMSG = 2, 257, 16, 72, 56, 435, 302, 62, 234, 157, 47
FUTEX, GET_AFFINITY, YIELD, CLOCKS = 202, 204, 24, (228, 229, 230)
OWN_CLOCKS = 16  # clocks from this number on are those of a process, which tell whether it exists
PRIVATE, WAITS = 0x80, (0, 9)  # the flag of futexes that one process has for itself, and the calls that wait for one
WRITING = 0o3 | 0o100 | 0o1000 | 0o20000000  # write, create, truncate, unnamed file
THREAD = 0x10000
ASKED = (0x5401, 0x5413, 0x541B, 0x5421, 0x5451)  # is it a terminal, how large, how much waits, do not block, close on exec
# Duplicate, get and set flags, and the size of a pipe. Locks and leases would carry bits between runs on the files that all see.
DESCRIPTORS = (0, 1, 2, 3, 4, 1030, 1031, 1032)
ALLOW, DENY, DIE, NO_SUCH, DONE = 0x7FFF0000, 0x00050001, 0x80000000, 0x00050026, 0x00050000
LOAD, SAME, AND, END, ABOVE = 0x20, 0x15, 0x54, 0x06, 0x35
ANY_PID = 0x7FFFFFFF
Step = tuple[int, int, int, int]  # code, jump if true, jump if false, number


class Filter:
    """The filter, put together once; only the process that may be signalled, the one under it, differs from run to run."""

    def __init__(self) -> None:
        steps = _steps(ANY_PID)
        self._code = bytearray(b"".join(struct.pack("HBBI", *step) for step in steps))
        self._pids = [8 * i + 4 for i, step in enumerate(steps) if step[0] == SAME and step[3] == ANY_PID]
        self._held = (ctypes.c_char * len(self._code)).from_buffer(self._code)
        self._program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(self._held))

    def restrict(self, pid: int) -> None:
        """Put this process, and all it starts, under the filter for good."""
        for place in self._pids:
            struct.pack_into("I", self._code, place, pid)
        kernel.checked("prctl", 22, 2, self._program, 0, 0)


def forbid() -> None:
    """Put this process, and all it starts, under a filter that refuses what FORBIDDEN lists, for good."""
    steps = _opening()
    for number in FORBIDDEN[kernel.MACHINE]:
        steps += [(SAME, 0, 1, number), (END, 0, 0, DENY)]
    steps += _when(CLONE, [(LOAD, 0, 0, 16), (AND, 0, 0, NAME_SPACES), (SAME, 0, 1, 0), (END, 0, 0, ALLOW), (END, 0, 0, DENY)])
    steps += _when(CLONE3, [(END, 0, 0, NO_SUCH)])
    code = b"".join(struct.pack("HBBI", *step) for step in [*steps, (END, 0, 0, ALLOW)])
    buffer = ctypes.create_string_buffer(code, len(code))
    kernel.checked("prctl", 22, 2, struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer)), 0, 0)


def _opening() -> list[Step]:
    """The right architecture, and no number from 2^30 on, which belongs to another table of calls; then the number is loaded."""
    steps: list[Step] = [(LOAD, 0, 0, 4), (SAME, 1, 0, ARCHITECTURE[kernel.MACHINE]), (END, 0, 0, DIE)]
    return [*steps, (LOAD, 0, 0, 0), (ABOVE, 0, 1, 0x40000000), (END, 0, 0, DIE)]


def _steps(pid: int) -> list[Step]:
    steps = _opening()
    for number in PLAIN[kernel.MACHINE]:
        steps += [(SAME, 0, 1, number), (END, 0, 0, ALLOW)]
    # Nothing is given up: a program that gives way all the time would have its lack of processor time blamed on a busy machine.
    steps += _when(YIELD, [(END, 0, 0, DONE)])
    for number, place in ((OPEN, 1), (OPENAT, 2)):
        steps += _when(number, [(LOAD, 0, 0, 16 + 8 * place), (AND, 0, 0, WRITING), (SAME, 0, 1, 0), (END, 0, 0, ALLOW), (END, 0, 0, DENY)])
    steps += _when(CLONE, [(LOAD, 0, 0, 16), (AND, 0, 0, THREAD), (SAME, 1, 0, 0), (END, 0, 0, ALLOW), (END, 0, 0, DENY)])
    steps += _when(CLONE3, [(END, 0, 0, NO_SUCH)])
    # The job comes as a message on one descriptor.
    steps += _when(RECVMSG, [(LOAD, 0, 0, 16), (SAME, 0, 1, 3), (END, 0, 0, ALLOW), (END, 0, 0, DENY)])
    steps += _when(IOCTL, [(LOAD, 0, 0, 24), *_match_any(ASKED, ALLOW), (END, 0, 0, DENY)])
    steps += _when(FCNTL, [(LOAD, 0, 0, 24), *_match_any(DESCRIPTORS, ALLOW), (END, 0, 0, DENY)])
    steps += _when(PRCTL, [(LOAD, 0, 0, 16), *_match_any((15,), ALLOW), (END, 0, 0, DENY)])
    for number in (KILL, TGKILL):
        steps += _when(number, [(LOAD, 0, 0, 16), *_match_any((pid,), ALLOW), (END, 0, 0, DENY)])
    # No question about another process: the answer would tell whether it exists.
    own = _match_any((0, pid), ALLOW)
    steps += _when(GET_AFFINITY, [(LOAD, 0, 0, 16), *own, (END, 0, 0, DENY)])
    for number in CLOCKS:
        steps += _when(number, [(LOAD, 0, 0, 16), (ABOVE, 1, 0, OWN_CLOCKS), (END, 0, 0, ALLOW), (END, 0, 0, DENY)])
    # Limits may be read, not set: the address of the new ones, both halves, must be 0.
    unset = [(LOAD, 0, 0, 32), (SAME, 0, 3 + len(own), 0), (LOAD, 0, 0, 36), (SAME, 0, 1 + len(own), 0)]
    steps += _when(PRLIMIT, [*unset, (LOAD, 0, 0, 16), *own, (END, 0, 0, DENY)])
    # A futex on a page of a shared file could wake another run; the kernel itself wakes who waits for a thread to end.
    private = [(LOAD, 0, 0, 24), (AND, 0, 0, PRIVATE), (SAME, 1, 0, 0), (END, 0, 0, ALLOW), (LOAD, 0, 0, 24), (AND, 0, 0, PRIVATE - 1)]
    steps += _when(FUTEX, [*private, *_match_any(WAITS, ALLOW), (END, 0, 0, DENY)])
    return [*steps, (END, 0, 0, DENY)]


def _when(number: int, inside: list[Step]) -> list[Step]:
    return [(SAME, 0, len(inside), number), *inside]


def _match_any(values: tuple[int, ...], verdict: int) -> list[Step]:
    steps: list[Step] = []
    for value in values:
        steps += [(SAME, 0, 1, value), (END, 0, 0, verdict)]
    return steps
