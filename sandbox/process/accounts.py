"""What the kernel's account of processes says: how long a run used a processor, waited for one, or rested.

A program cannot forge these figures, so only they may put the blame for a run on the machine.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
KEPT_WAITING = 0.75  # the part of the wall time in which a starved thread was running or ready to run
MOST_WAITS, WAITS_A_QUESTION = 32, 2  # how often a starved run may have given up its processor: while it is loaded, and for each question
RESTING = 0.25  # a run that used less than this part of its wall time does not need a processor of its own


def children(pid: int, thread: int | str = 0) -> list[int]:
    """The children that a thread of a process forked, the first thread by default; empty where the kernel does not say."""
    try:
        with open(f"/proc/{pid}/task/{thread or pid}/children", encoding="ascii") as file:
            return [int(number) for number in file.read().split()]
    except (OSError, ValueError):
        return []


def children_of_threads(pid: int) -> list[int]:
    """The children that all threads of a process forked."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    return [child for thread in threads for child in children(pid, thread)]


def processor_seconds(pid: int) -> float:
    """The processor time of all threads of a process, also of those that have ended; 0 where the kernel does not say."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    except (OSError, ValueError, IndexError):
        return 0.0


def ready_seconds(pid: int) -> float:
    """The longest time that a living thread of a process ran or waited for a processor."""
    longest = 0.0
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                ran, queued = file.read().split()[:2]
            longest = max(longest, (int(ran) + int(queued)) / 1e9)
    except (OSError, ValueError):
        pass
    return longest


def waits(pid: int) -> int | None:
    """How often the living threads of a process gave up a processor to sleep or to wait; None where the kernel does not say."""
    total = 0
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/status", encoding="ascii", errors="replace") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None
    return total


def starved(parent: int, wall: float, seconds: float, questions: int = 0) -> bool:
    """Whether the machine kept a child of that process from the processor time that it may use in this wall time.

    Three facts together prove it. A thread was running or ready for most of the wall time, so it did not sleep or wait. All
    threads together, living or ended, used less than the limit, so the thread did not queue behind its own siblings: on a
    processor that they shared, their time would have reached the limit long before. And no thread gave up its processor much more often
    than for the questions that it was asked: one that sleeps for a moment again and again queues after each, on a busy machine for most
    of the time, and would have had its share had it gone on. False where the kernel does not say.
    """

    def was_kept_waiting(child: int) -> bool:
        given_up = waits(child)
        often = given_up is None or given_up > MOST_WAITS + WAITS_A_QUESTION * questions
        return not often and ready_seconds(child) >= KEPT_WAITING * wall and processor_seconds(child) < 0.9 * seconds

    return any(map(was_kept_waiting, children(parent)))


def reaped_seconds(pid: int) -> float:
    """The processor time of the ended processes for which a process has waited; 0 where the kernel does not say."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[13]) + int(fields[14])) / TICKS
    except (OSError, ValueError, IndexError):
        return 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What the processes below one use: seconds of processor time of the one that used most and of all together, and kilobytes of all together."""

    longest_seconds: float = 0.0
    total_seconds: float = 0.0
    kilobytes: int = 0


def usage_below(root: int, before: Usage) -> Usage:
    """What the processes below the children of one use now, or used before if that was more."""
    pids, longest, total, kilobytes = [pid for first in children_of_threads(root) for pid in children_of_threads(first)], 0.0, 0.0, 0
    while pids:
        pid = pids.pop()
        pids += children_of_threads(pid)
        used = processor_seconds(pid)
        longest, total, kilobytes = max(longest, used), total + used + reaped_seconds(pid), kilobytes + own_kilobytes(pid)
    return Usage(max(longest, before.longest_seconds), max(total, before.total_seconds), max(kilobytes, before.kilobytes))


def own_kilobytes(pid: int) -> int:
    """The memory that would be free without a process; pages that several share are split. 0 where the kernel does not say."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith(("Pss_Anon:", "Pss_Shmem:")))
    except (OSError, ValueError, IndexError):
        return 0


def rests(parent: int, wall: float) -> bool:
    """Whether the run of a warm interpreter has mostly slept or waited so far."""
    running = children(parent)
    return bool(running) and sum(map(processor_seconds, running)) < RESTING * wall
