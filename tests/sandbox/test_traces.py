"""No run leaves a trace that another can read, or learns of other processes: locks, futexes, clocks, limits, access times."""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import Returned

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

from untrusted.sandboxes import HONEST, process_runner

from rlgym.sandbox.process import access_times
from rlgym.sandbox.process.access_times import renew_access_times


@pytest.fixture(scope="module", params=["A", "B"])
def runner(request):
    with process_runner(Limits(seconds=2, memory_mb=256), request.param, workers=2) as runner_:
        runner_.run(HONEST, [(1, 2)])
        yield runner_


CALL = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
# Each returns True if it could leave or learn something.
PROBES = {
    "read lock": "import fcntl, json\nwith open(json.__file__) as f:\n    def solve(pid): return fcntl.lockf(f, fcntl.LOCK_SH) is None\n    PROBE",
    "question about a lock": "import fcntl, json, struct\nf = open(json.__file__)\n"
    "solve = lambda pid: bool(fcntl.fcntl(f, fcntl.F_GETLK, struct.pack('hhqqi4x', 1, 0, 0, 0, 0)))",
    "lock of an open file": "import fcntl, json, struct\nf = open(json.__file__)\n"
    "solve = lambda pid: bool(fcntl.fcntl(f, 37, struct.pack('hhqqi4x', 0, 0, 0, 0, 0)))",
    "flock": "import fcntl, json\nf = open(json.__file__)\nsolve = lambda pid: fcntl.flock(f, fcntl.LOCK_EX) is None",
    "lease": "import fcntl, json\nf = open(json.__file__)\nsolve = lambda pid: fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_RDLCK) == 0",
    "notice": "import fcntl, os\nf = os.open('/usr/lib', os.O_RDONLY)\nsolve = lambda pid: fcntl.fcntl(f, fcntl.F_NOTIFY, 1) == 0",
    "wakes on a shared page": CALL
    + "import json, mmap\nf = open(json.__file__, 'rb')\nm = mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ, flags=1)\n"
    "a = ctypes.c_void_p.from_buffer(bytearray(8))\n"
    "solve = lambda pid: libc.syscall(202, ctypes.py_object(m), 1, 1, None, None, 0) >= 0",
    "existence from a clock": "import time\nsolve = lambda pid: time.clock_gettime((~pid << 3) | 2) >= 0",
    "existence from a clock's resolution": "import time\nsolve = lambda pid: time.clock_getres((~pid << 3) | 2) >= 0",
    "existence from affinity": "import os\nsolve = lambda pid: bool(os.sched_getaffinity(pid))",
    "existence from limits": "import resource\nsolve = lambda pid: bool(resource.prlimit(pid, resource.RLIMIT_CPU))",
    "existence from a signal": "import os\nsolve = lambda pid: os.kill(pid, 0) is None",
    "existence from a group": "import os\nsolve = lambda pid: os.getpgid(pid) > 0",
    "existence from a priority": "import os\nsolve = lambda pid: os.getpriority(0, pid) >= -20",
    "robust list": CALL + "solve = lambda pid: libc.syscall(274, pid, ctypes.byref(ctypes.c_long()), ctypes.byref(ctypes.c_long())) == 0",
    "descriptor of a process": "import os\nsolve = lambda pid: os.pidfd_open(pid) > 0",
    "how many processes there are": CALL + "solve = lambda pid: libc.sysinfo(ctypes.create_string_buffer(200)) == 0",
    "the parent's executable": "import os\nsolve = lambda pid: bool(os.readlink(f'/proc/{os.getppid()}/exe'))",
    "another's executable": "import os\nsolve = lambda pid: bool(os.readlink(f'/proc/{pid}/exe'))",
    "the pages that are in memory": CALL + "import mmap\nsolve = lambda pid: libc.mincore(None, 0, None) == 0",
}


@pytest.mark.parametrize("name", PROBES)
def test_nothing_is_left_or_learned(runner, name):
    program = PROBES[name].replace("\n    PROBE", "")
    result = runner.run(program, [(os.getpid(),)])
    assert not any(isinstance(answer, Returned) and answer.value for answer in result.outputs), result


OWN = """
import os, resource, time
def solve():
    time.thread_time(), time.process_time(), time.monotonic(), time.clock_getres(time.CLOCK_MONOTONIC)
    time.sleep(0.001)
    resource.prlimit(0, resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_AS), resource.prlimit(os.getpid(), resource.RLIMIT_AS)
    return bool(os.sched_getaffinity(0) and os.sched_getaffinity(os.getpid()))
"""


def test_a_program_may_ask_about_itself(runner):
    assert runner.run(OWN, [()]).outputs == (Returned(True),)


def test_two_runs_at_a_time_do_not_see_each_other(runner):
    sender = "import fcntl, json, time\nf = open(json.__file__)\ndef solve():\n    try: fcntl.lockf(f, fcntl.LOCK_SH)\n"
    sender += "    except OSError: pass\n    time.sleep(0.5)"
    reader = "import fcntl, json, struct, time\nf = open(json.__file__)\ndef solve():\n    time.sleep(0.2)\n"
    reader += "    try: return struct.unpack('hhqqi4x', fcntl.fcntl(f, fcntl.F_GETLK, struct.pack('hhqqi4x', 1, 0, 0, 0, 0)))[0] != 2\n"
    reader += "    except OSError: return False"
    with ThreadPoolExecutor(2) as threads:
        _, seen = threads.map(lambda program: runner.run(program, [()]).outputs, (sender, reader))
    assert seen == (Returned(False),)


def test_access_times_are_renewed_where_a_reader_would_set_them(tmp_path, monkeypatch):
    old, new = tmp_path / "old.py", tmp_path / "folder" / "new.py"
    new.parent.mkdir()
    for file in (old, new):
        file.write_text("x = 1")
    now = time.time()
    os.utime(old, (now - 9e5, now - 9e5))
    os.utime(new, (now + 60, now - 60))
    monkeypatch.setattr(access_times, "_renewed", {})
    stale = [os.path.basename(path) for path in access_times._stale(str(tmp_path), now)]
    assert stale == ["old.py"]
    before = os.stat(old).st_atime
    renew_access_times([str(tmp_path)])
    if not os.statvfs(tmp_path).f_flag & os.ST_NOATIME:
        assert os.stat(old).st_atime > before
    assert str(tmp_path) in access_times._renewed


def test_no_run_changes_an_access_time(runner):
    program = "import os, json, wave\ndef solve(path):\n    before = os.stat(path).st_atime_ns\n    open(path).read()\n    return before"
    import wave

    path = wave.__file__
    first, second = (runner.run(program, [(path,)]).outputs for _ in range(2))
    assert first == second
