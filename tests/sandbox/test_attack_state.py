"""What a run changes is gone with it, and nothing outlives whoever started it."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from untrusted.sandboxes import HONEST, TESTS, below, in_time, nothing_left

from rlgym.sandbox import Returned, SandboxError
from rlgym.sandbox.grading import score_program

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

CHANGES = """
import builtins, gc, json, locale, os, random, resource, signal, sys, threading, time
for f in (
    lambda: os.chdir("/usr"), lambda: os.umask(0o777), lambda: os.nice(5), lambda: os.sched_setaffinity(0, {0}),
    lambda: os.setpriority(0, 0, 9),
    lambda: locale.setlocale(locale.LC_ALL, ""), lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20)),
    lambda: os.setpgid(0, 0),
    lambda: signal.signal(signal.SIGINT, signal.SIG_IGN), lambda: time.tzset(), lambda: sys.setrecursionlimit(500),
    lambda: sys.setswitchinterval(9),
):
    try: f()
    except (OSError, ValueError, locale.Error): pass
os.environ["TZ"] = "Asia/Tokyo"
sys.path.insert(0, "/tmp")
builtins.sum = json.JSONDecodeError = json.was_here = None
random.seed(1)
gc.enable()
threading.stack_size(1 << 20)
solve = lambda: 1
"""


STATE = """
import builtins, gc, json, locale, os, resource, signal, sys, threading, time
def solve():
    return [os.getcwd(), sorted(os.sched_getaffinity(0)), locale.setlocale(locale.LC_ALL),
            resource.getrlimit(resource.RLIMIT_AS),
            signal.getsignal(signal.SIGINT) == signal.SIG_DFL, sys.getrecursionlimit(), sys.getswitchinterval(),
            sorted(os.environ.items()), sys.path,
            sum([1, 2]), gc.isenabled(), threading.stack_size(), time.tzname, hasattr(json, 'was_here'), json.JSONDecodeError.__name__]
"""


def test_d22_what_a_run_changes_is_gone_with_it(runner):
    with nothing_left():
        before = runner.run(STATE, [()]).outputs
        assert isinstance(before[0], Returned), before
        assert runner.run(CHANGES, [()]).outputs == (Returned(1),)
        assert runner.run(STATE, [()]).outputs == before


HOLDS = """
import sys, threading, time
from rlgym.core.limits import Limits
from rlgym.sandbox import SandboxError
from rlgym.sandbox.process import ProcessRunner
from rlgym.sandbox.session import Session
def commands():
    try: Session(limits=Limits(seconds=60)).bash("(setsid sleep 60 &) ; sleep 60")
    except SandboxError: pass
with ProcessRunner(workers=4, tier=sys.argv[1]) as runner:
    for i in range(4):
        program = "import time\\nprint('x' * 9999)\\ntime.sleep(60)" if i % 2 else "while True: pass"
        threading.Thread(target=runner.run, args=(program, [()], Limits(seconds=60)), daemon=True).start()
    threading.Thread(target=commands, daemon=True).start()
    time.sleep(1)
    print("ready", flush=True)
    time.sleep(600)
"""


def test_d25_nothing_outlives_a_grader_that_is_killed(runner):
    with subprocess.Popen([sys.executable, "-c", HOLDS, runner.tier], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout.readline() == "ready\n"
        theirs = {pid: Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19] for pid in below(owner.pid)}
        assert len(theirs) >= 12  # four warm interpreters, each with a run and a child in waiting
        owner.send_signal(signal.SIGKILL)

    def lives(pid):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return False
        return state[19] == theirs[pid] and state[0] != "Z"

    assert in_time(lambda: not any(map(lives, theirs)), 15)


def test_i07_a_run_whose_interpreter_dies_is_run_again_or_scores_nobody(runner, monkeypatch):
    run, slow = type(runner._all[0]).run, "import time\ntime.sleep(0.5)\n" + HONEST
    victims = iter([True, True, True])

    def dies(self, job, limits):
        killer = threading.Timer(0.1, self._process.kill if next(victims, None) else int)
        killer.start()
        try:
            return run(self, job, limits)
        finally:
            killer.join()

    monkeypatch.setattr(type(runner._all[0]), "run", dies)
    with nothing_left():
        with pytest.raises(SandboxError, match="ended during a run"):
            score_program(runner, slow, TESTS)
        assert score_program(runner, slow, TESTS).value == 1
