"""What tests of the sandbox share: runners that skip where they cannot start, and checks that nothing is left behind."""

import contextlib
import os
import time
from pathlib import Path

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import SandboxError
from rlgym.sandbox.grading import score_program
from rlgym.sandbox.process import ProcessRunner
from rlgym.sandbox.session import Session

TESTS = [("(1, 2)", "3"), ("(30, 12)", "42"), ("(-5, 5)", "0")]
HONEST = "def solve(a, b):\n    return a + b\n"
MARK = Path("/tmp/rlgym-attack-was-here")
LONGEST = 20  # seconds that a run of a hostile program may take on a busy machine
# The number of the question that is open stands in the frames of the driver; programs that forge answers read it there.
FORGE = """
import json, os, struct, sys
def say(text):
    os.write(3, struct.pack("!I", len(text)) + text)
def number():
    for frame in sys._current_frames().values():
        while frame:
            for request in frame.f_locals.values():
                if isinstance(request, dict) and "number" in request:
                    return request["number"]
            frame = frame.f_back
    return 0
"""


def process_runner(limits: Limits, tier: str, **options) -> ProcessRunner:
    """A runner of this tier; the test is skipped where the machine refuses it."""
    try:
        return ProcessRunner(limits, tier=tier, **options)
    except SandboxError as why:
        pytest.skip(f"tier {tier} is refused here: {why}")


def confined_session(files, limits: Limits) -> Session:
    """A session; the test is skipped where commands cannot be confined."""
    session = Session(files, limits)
    try:
        session.bash("true")
    except SandboxError as why:
        pytest.skip(str(why))
    return session


def below(pid):
    """All processes that descend from one."""
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split():
                found += [int(child), *below(child)]
    return found


def in_time(what, seconds=10.0):
    """Whether something becomes true in time."""
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@contextlib.contextmanager
def nothing_left():
    """Fail where a block takes long, or leaves a process, a descriptor or a file."""
    before, begun = (len(os.listdir("/proc/self/fd")), len(below(os.getpid()))), time.monotonic()
    yield
    assert time.monotonic() - begun < LONGEST
    assert in_time(lambda: (len(os.listdir("/proc/self/fd")), len(below(os.getpid()))) == before)
    assert not MARK.exists()


def unpaid(runner, program, tests=TESTS, **options):
    """The score of a program that must earn nothing, not even a mask; the next honest program is still paid."""
    with nothing_left():
        score = score_program(runner, program, tests, **options)
    assert score.value == 0, score
    assert not score.masked
    assert score.reason.encode().decode().isprintable()
    honest = score_program(runner, HONEST, TESTS, limits=Limits(seconds=5))
    assert honest.value == 1, honest
    return score
