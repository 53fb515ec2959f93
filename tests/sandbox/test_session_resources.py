"""What the processes of a command use is counted together: memory by other ways than a process's own, and processor time."""

import os
import sys

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import Stop

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("commands are confined on Linux on x86-64", allow_module_level=True)

from untrusted.sandboxes import confined_session


@pytest.fixture
def session():
    return confined_session({}, Limits(seconds=2, memory_mb=64, output_kb=64, processes=16))


# Each tells how much it could take, in MB, and keeps it for a moment.
TAKES = {
    "files without a name": "import os\nfor _ in range(100):\n    f = os.memfd_create('x')\n    os.write(f, bytes(7 << 20))\n    took += 7",
    "shared segments": "import ctypes\nl = ctypes.CDLL(None)\nl.shmat.restype = ctypes.c_void_p\nfor _ in range(50):\n"
    "    n = l.shmget(0, 8 << 20, 0o1600)\n    if n < 0: break\n    p = l.shmat(n, None, 0)\n    ctypes.memset(p, 1, 8 << 20)\n"
    "    l.shmdt(ctypes.c_void_p(p))\n    took += 8",
    "queues": "import ctypes\nl = ctypes.CDLL(None)\nfor _ in range(30000):\n    n = l.msgget(0, 0o1600)\n    if n < 0: break\n"
    "    l.msgsnd(n, bytes(8192), 8000, 0o4000)\n    took += 0.01",
    "queues with names": "import ctypes\nl = ctypes.CDLL(None)\nfor i in range(99):\n    if l.mq_open(b'/x%d' % i, 0o102, 0o600, None) < 0: break\n"
    "    took += 1",
    "files": "for i in range(99):\n    for place in ('/tmp', '/work'):\n        open(f'{place}/{i}', 'wb').write(bytes(7 << 20))\n        took += 7",
    "shared memory of the system": "for i in range(99):\n    open(f'/dev/shm/{i}', 'wb').write(bytes(7 << 20))\n    took += 7",
    "standard input": "import os\nfor _ in range(99):\n    os.write(0, bytes(1 << 20))\n    took += 1",
    "pipes": "import fcntl, os\nkept = []\nfor _ in range(60):\n    r, w = os.pipe()\n    kept.append((r, w))\n    os.set_blocking(w, False)\n"
    "    try: fcntl.fcntl(w, 1031, 1 << 20)\n    except OSError: pass\n    took += os.write(w, bytes(1 << 20)) / (1 << 20)",
}
KEEPS = "took = 0\ntry:\n%s\nexcept OSError: pass\nimport time\nprint(round(took), flush=True)\ntime.sleep(0.3)"


@pytest.mark.parametrize("name", TAKES)
def test_memory_is_limited_whatever_holds_it(session, name):
    result = session.python(KEEPS % "\n".join(f"    {line}" for line in TAKES[name].split("\n")))
    assert result.stopped_by is Stop.MEMORY or int(result.stdout or 0) <= 80, result
    assert session.python("print(1)").stdout == "1\n"


FORKS = "import os, time\nfor _ in range(10):\n    if not os.fork():\n        x = bytearray(30 << 20)\n        time.sleep(9)\ntime.sleep(9)"
# Small stacks, so that the limit of a process's own address space is not reached first.
THREAD_FORKS = "import os, threading, time\nthreading.stack_size(1 << 16)\ndef work():\n"
THREAD_FORKS += "    if not os.fork():\n        x = bytearray(30 << 20)\n        time.sleep(9)\n"
THREAD_FORKS += "for _ in range(10): threading.Thread(target=work).start()\ntime.sleep(9)"
TWICE = "import os, time\nfor _ in range(5):\n    if not os.fork():\n        os.setsid()\n        if os.fork(): os._exit(0)\n"
TWICE += "        x = bytearray(30 << 20)\n        time.sleep(9)\ntime.sleep(9)"


@pytest.mark.parametrize("program", [FORKS, THREAD_FORKS, TWICE], ids=["forks", "forks from threads", "forks twice"])
def test_memory_of_all_processes_counts_together(session, program):
    assert session.python(program).stopped_by is Stop.MEMORY


def test_memory_that_is_shared_counts_once(session):
    program = "import os, time\nx = bytearray(30 << 20)\nfor _ in range(5):\n    if not os.fork():\n        time.sleep(0.5)\n        os._exit(0)\n"
    result = session.python(program + "for _ in range(5): os.wait()\nprint('fine')")
    assert (result.stdout, result.stopped_by) == ("fine\n", Stop.FINISHED)
    assert 30 << 10 < result.kilobytes < 64 << 10


def test_ignored_signals_win_no_processor_time(session):
    session.limits = Limits(seconds=1, memory_mb=64, processes=16)
    ignores = (
        "import os, signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n"
    )
    for loop in ("while True: pass", "if os.fork(): os.wait()\nos.setsid()\nwhile True: pass"):
        result = session.python(ignores + loop)
        assert result.stopped_by is Stop.TIME
        assert result.seconds < 1.6, result.seconds


def test_right_programs_with_threads_have_room(session):
    session.limits = Limits(seconds=2, memory_mb=256, processes=32)
    program = "import threading, time\nthreads = [threading.Thread(target=time.sleep, args=(0.1,)) for _ in range(12)]\n"
    assert session.python(program + "for t in threads: t.start()\nfor t in threads: t.join()\nprint(len(threads))").stdout == "12\n"
