"""A process may have any number of open descriptors: none of them changes what a command or a program gets and says."""

import contextlib
import os
import resource
import sys

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import Returned, Stop

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

from untrusted.sandboxes import HONEST, confined_session, process_runner

OPEN = """import os, sys
def is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False
print([number for number in range(9000) if is_open(number)])
print("a word", file=sys.stderr)
"""


@contextlib.contextmanager
def lowest_free_descriptor(lowest):
    """The next descriptor that this process opens gets this number, or one above."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < lowest + 200:
        pytest.skip(f"this machine allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, lowest + 200), hard))
    taken = [os.open(os.devnull, os.O_RDONLY)]
    try:
        while taken[-1] < lowest - 1:
            taken.append(os.dup(taken[0]))
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("lowest", [*range(44, 54), 1100, 4200])
def test_a_command_has_its_three_descriptors_whatever_else_is_open(lowest):
    with lowest_free_descriptor(lowest):
        session = confined_session({"open.py": OPEN}, Limits(seconds=2, memory_mb=256))
        result = session.bash("python3 open.py")
    assert (result.stdout, result.stderr, result.stopped_by) == ("[0, 1, 2]\n", "a word\n", Stop.FINISHED)


@pytest.mark.parametrize("tier", ["A", "B"])
def test_a_program_runs_whatever_else_is_open(tier):
    with lowest_free_descriptor(1100), process_runner(Limits(seconds=2), tier, workers=1) as runner:
        result = runner.run(HONEST, [(1, 2)])
    assert result.outputs == (Returned(3),), result
