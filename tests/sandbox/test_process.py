"""Programs that want to cheat, to look around, to break out or to use up the machine, in every tier that this machine has."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import Raised, Returned, SandboxError, Stop

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

from rlgym.sandbox.interface import Job
from rlgym.sandbox.process import ProcessRunner
from rlgym.sandbox.process.accounts import starved

INPUTS = [(1, 2), (30, 12), (-5, 5)]
RIGHT = (Returned(3), Returned(42), Returned(0))
HONEST = "def solve(a, b):\n    return a + b\n"


@pytest.fixture(scope="module", params=["A", "B"])
def runner(request):
    try:
        runner_ = ProcessRunner(Limits(seconds=1, memory_mb=256, output_kb=64), tier=request.param)
    except SandboxError as why:
        pytest.skip(f"tier {request.param} is refused here: {why}")
    with runner_:
        yield runner_


# Each program, and how it may end. None of them may give the three right answers.
ANSWERS = {
    "equal to everything": "class E:\n    __eq__ = lambda s, o: True\n    __hash__ = lambda s: 0\nsolve = lambda a, b: E()",
    "an int equal to everything": "class I(int):\n    __eq__ = lambda s, o: True\n    __hash__ = int.__hash__\nsolve = lambda a, b: I(0)",
    "a string that lies": "class S(str):\n    __str__ = lambda s: '3'\n    __eq__ = lambda s, o: True\nsolve = lambda a, b: S('x')",
    "sys.exit": "import sys\nsys.exit(0)",
    "os._exit": "import os\nos._exit(0)",
    "exit inside": "import os\ndef solve(a, b):\n    os._exit(0)",
    "right, then exit": "import os\ndef solve(a, b):\n    if a == 30: os._exit(0)\n    return a + b",
    "frames": "import sys\ndef solve(a, b):\n    f = sys._getframe()\n    while f:\n        for k, v in f.f_locals.items():\n"
    "            if k in ('expected', 'answers', 'right'): return v\n        f = f.f_back\n    return None",
    "everything collected": "import gc\ndef solve(a, b):\n    return [x for x in gc.get_objects() if isinstance(x, dict) and 'expected' in x][:1]",
    "patched builtins": "import builtins\nbuiltins.all = lambda *a: True\nbuiltins.len = lambda *a: 3\nsolve = lambda a, b: 0",
    "atexit": "import atexit\natexit.register(print, 'passed')\nsolve = lambda a, b: 'passed'",
    "printed verdict": "print('passed 3/3')\nsolve = lambda a, b: None",
    "coroutine": "async def solve(a, b):\n    return a + b",
    "generator": "def solve(a, b):\n    yield a + b",
    "mock": "from unittest.mock import ANY\nsolve = lambda a, b: ANY",
    "fraction": "from fractions import Fraction\nsolve = lambda a, b: Fraction(a + b)",
    "not a number": "solve = lambda a, b: float('nan')",
    "in itself": "x = []\nx.append(x)\nsolve = lambda a, b: x",
    "deep": "x = []\nfor _ in range(10**5): x = [x]\nsolve = lambda a, b: x",
    "huge": "solve = lambda a, b: 'x' * 10**8",
    "reads the grader": "def solve(a, b):\n    import rlgym\n    return rlgym",
    "main's source": "import inspect, sys\nsolve = lambda a, b: inspect.getsource(sys.modules['inside.child'])",
    "no function": "x = 1",
    "syntax": "def solve(:",
    "null byte": "solve = 1\0",
    "deep source": "solve = " + "(" * 5000 + "1" + ")" * 5000,
    "surrogate": "solve = lambda a, b: '\\ud800'",
    "lost answer": "import os\nos.close(3)\nsolve = lambda a, b: a + b",
    "early answers": 'import os, struct\nfor i in range(4):\n    t = b\'{"number": %d, "value": "[\\\\"i\\\\",\\\\"3\\\\"]"}\' % i\n'
    "    os.write(3, struct.pack('!I', len(t)) + t)\nos._exit(0)",
    "endless frame": "import os\nwhile True: os.write(3, b'\\xff' * 4096)",
    "brackets": "import os, struct\nt = b'[' * 900000\nos.write(3, struct.pack('!I', len(t)) + t)\nos._exit(0)",
    "double keys": 'import os, struct\nt = b\'{"loaded": true, "loaded": 1, "x": 2}\'\nos.write(3, struct.pack(\'!I\', len(t)) + t)\nos._exit(0)',
}


@pytest.mark.parametrize("name", ANSWERS)
def test_no_answer_is_forged(runner, name):
    result = runner.run(ANSWERS[name], INPUTS)
    assert result.outputs != RIGHT
    plain = [answer for answer in result.outputs if isinstance(answer, Returned)]
    assert all(type(answer.value) in (int, float, str, list, dict, type(None), bool) for answer in plain)
    assert runner.run(HONEST, INPUTS).outputs == RIGHT


ENDS = {
    "loop": ("while True: pass", {Stop.TIME}),
    "loop that swallows": ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", {Stop.TIME}),
    "ignored signals": (
        "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except Exception: pass\nwhile True: pass",
        {Stop.TIME},
    ),
    "loop in C": ("import re\nre.match('(a+)+$', 'a' * 60 + 'b')", {Stop.TIME}),
    "sleep": ("import time\ntime.sleep(10**6)", {Stop.TIME}),
    "stopped": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", {Stop.TIME}),
    "memory": ("x = []\nwhile True: x.append(bytearray(1 << 20))", {Stop.MEMORY, Stop.TIME}),
    "power": ("x = 1 << (1 << 40)", {Stop.MEMORY, Stop.ERROR, Stop.TIME}),
    "output": ("while True: print('A' * 65536)", {Stop.OUTPUT}),
    "errors out": ("import os\nwhile True: os.write(2, b'A' * 65536)", {Stop.OUTPUT}),
    "crash": ("import ctypes\nctypes.string_at(0)", {Stop.CRASHED}),
    "abort": ("import os\nos.abort()", {Stop.CRASHED}),
    "killed": ("import os\nos.kill(os.getpid(), 9)", {Stop.MEMORY, Stop.CRASHED}),
    "recursion": (
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(n): return f(n + 1)\nf(0)",
        {Stop.CRASHED, Stop.MEMORY, Stop.ERROR, Stop.TIME},
    ),
    "threads": (
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,)).start()",
        {Stop.ERROR, Stop.MEMORY, Stop.TIME},
    ),
    "pipes": ("import os\nwhile True: os.write(os.pipe()[1], b'x' * 65536)", {Stop.ERROR, Stop.TIME}),
    "other table of calls": ("import ctypes\nctypes.CDLL(None).syscall(0x40000000 + 39)", {Stop.FORBIDDEN, Stop.CRASHED}),
}


@pytest.mark.parametrize("name", ENDS)
def test_every_run_ends(runner, name):
    program, allowed = ENDS[name]
    begun = time.monotonic()
    result = runner.run(program, INPUTS)
    assert result.stopped_by in allowed, result
    assert result.outputs == ()
    assert time.monotonic() - begun < 20
    assert runner.run(HONEST, INPUTS).outputs == RIGHT


REACHES = {
    "reads": "solve = lambda p: open(p).read()",
    "writes": "def solve(p):\n    open('/tmp/rlgym-was-here', 'w').write('x')\n    return True",
    "writes below": "def solve(p):\n    import json\n    open(json.__file__, 'a').close()\n    return True",
    "forks": "import os\ndef solve(p):\n    return os.fork() >= 0",
    "runs": "import subprocess\nsolve = lambda p: subprocess.run(['/bin/sh', '-c', 'echo x > /tmp/rlgym-was-here']).returncode == 0",
    "spawns": "import os\nsolve = lambda p: os.posix_spawn('/bin/true', ['true'], {}) > 0",
    "shell": "import os\nsolve = lambda p: os.system('true') == 0",
    "connects": "import socket\nsolve = lambda p: socket.create_connection(('127.0.0.1', 80), 1)",
    "kills the parent": "import os\ndef solve(p):\n    os.kill(os.getppid(), 9)\n    return True",
    "kills all": "import os\ndef solve(p):\n    os.kill(-1, 9)\n    return True",
    "environment": "import os\nsolve = lambda p: [k for k in os.environ if k not in ('PATH', 'HOME', 'LANG', 'TZ', 'LC_CTYPE')]",
    "descriptors": "import os\ndef solve(p):\n    found = []\n    for n in range(4, 200):\n        try: os.fstat(n)\n        except OSError: continue\n"
    "        found.append(n)\n    return found",
    "memfd": "import os\nsolve = lambda p: os.memfd_create('x') > 0",
    "unshare": "import ctypes\nsolve = lambda p: ctypes.CDLL(None).unshare(0x10000000) == 0",
    "mount": "import ctypes\nsolve = lambda p: ctypes.CDLL(None).mount(b'x', b'/', b'tmpfs', 0, None) == 0",
    "chroot": "import os\ndef solve(p):\n    os.chroot('/')\n    return True",
    "ptrace": "import ctypes\nsolve = lambda p: ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0",
    "io_uring": "import ctypes\nsolve = lambda p: ctypes.CDLL(None).syscall(425, 1, 0) >= 0",
    "bpf": "import ctypes\nsolve = lambda p: ctypes.CDLL(None).syscall(321, 0, 0, 0) >= 0",
    "raises its limits": "import resource\ndef solve(p):\n    resource.setrlimit(resource.RLIMIT_CPU, (99, 99))\n    return True",
    "sees processes": "import os\nsolve = lambda p: [n for n in os.listdir('/proc') if n.isdigit()]",
    "chmod": "import os, json\ndef solve(p):\n    os.chmod(json.__file__, 0o777)\n    return True",
    "renames": "import os, json\ndef solve(p):\n    os.rename(json.__file__, '/tmp/x')\n    return True",
    "fork in code": "import ctypes, mmap\ndef solve(p):\n    m = mmap.mmap(-1, 4096, prot=7)\n"
    "    m.write(bytes.fromhex('b839000000' '0f05' 'c3'))\n"
    "    f = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(m)))\n    return f() >= 0",
}


@pytest.mark.parametrize("name", REACHES)
def test_nothing_outside_is_reached(runner, name):
    for path in ("/etc/passwd", str(Path(__file__)), "/proc/self/environ", "/proc/1/cmdline"):
        result = runner.run(REACHES[name], [(path,)])
        assert not any(isinstance(answer, Returned) and answer.value for answer in result.outputs), result
        if name != "reads":
            break
    assert not Path("/tmp/rlgym-was-here").exists()
    assert runner.run(HONEST, INPUTS).outputs == RIGHT


def test_what_honest_programs_need(runner):
    program = "import sys, math, collections\nprint('hello', file=sys.stderr)\ndef solve(x):\n    print(type(x).__name__)\n    return x"
    values = [None, True, -(10**5000), 2.5, "é\n", b"\0\xff", [1, (2, [3])], {"a": {1, 2}, 3: None}, float("inf")]
    result = runner.run(program, [(value,) for value in values])
    assert [answer.value for answer in result.outputs] == values
    assert result.stopped_by is Stop.FINISHED
    assert result.exit_code == 0
    assert result.stdout.startswith("NoneType\nbool\n")
    assert result.stderr == "hello\n"
    raised = runner.run("def solve(x):\n    return 1 // x", [(1,), (0,), (2,)])
    assert raised.outputs == (Returned(1), Raised("ZeroDivisionError", "integer division or modulo by zero"), Returned(0))


def test_programs_with_standard_input(runner):
    program = "if __name__ == '__main__':\n    n = int(input())\n    print(sum(int(input()) for _ in range(n)))"
    result = runner.run(program, entry=None, stdin="3\n1\n2\n39\n")
    assert (result.stdout, result.exit_code, result.stopped_by) == ("42\n", 0, Stop.FINISHED)
    assert runner.run("import sys\nsys.exit(3)", entry=None).exit_code == 3
    assert runner.run("1/0", entry=None).stopped_by is Stop.ERROR


def test_runs_do_not_touch_each_other(runner):
    runner.run("import os, sys, json\nos.environ['X'] = '1'\njson.dumps = None\nsys.path.clear()\nsolve = lambda: 1", [()])
    result = runner.run("import os, sys, json\nsolve = lambda: [os.environ.get('X'), json.dumps([1]), bool(sys.path)]", [()])
    assert result.outputs == (Returned([None, "[1]", True]),)


def test_the_same_every_time(runner):
    program = "solve = lambda: [hash('a'), list({'x', 'y', 'z', 'w'}), hash((1, 'b'))]"
    first = runner.run(program, [()]).outputs
    assert all(runner.run(program, [()]).outputs == first for _ in range(5))


def test_many_at_once_and_nothing_left(runner):
    before = len(os.listdir("/proc/self/fd"))
    with ProcessRunner(Limits(seconds=1), workers=2, tier=runner.tier) as many:
        jobs = [Job(HONEST if i % 3 else "while True: print(1)", tuple(INPUTS)) for i in range(60)]
        results = list(many.run_many(jobs))
        assert [result.outputs == RIGHT for result in results] == [bool(i % 3) for i in range(60)]
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_dead_interpreter_is_replaced(runner):
    with ProcessRunner(Limits(seconds=1), tier=runner.tier) as item:
        item._all[0]._process.kill()
        item._all[0]._process.wait()
        assert item.run(HONEST, INPUTS).outputs == RIGHT


def test_being_kept_from_running_is_told_from_waiting():
    busy, idle = "while True: pass", "import time; time.sleep(60)"
    for program, limit, kept in ((busy, 100.0, True), (busy, 0.01, False), (idle, 100.0, False)):
        begun = time.monotonic()
        parent_code = (
            f"import subprocess, sys\none = subprocess.Popen([sys.executable, '-c', {program!r}])\nprint(flush=True)\ninput()\none.kill()"
        )
        with subprocess.Popen([sys.executable, "-c", parent_code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
            parent.stdout.readline()
            found, deadline = False, time.monotonic() + (20 if kept else 1)
            while time.monotonic() < deadline and not found:
                time.sleep(0.2)
                found = starved(parent.pid, time.monotonic() - begun, limit)
            parent.communicate(b"\n")
        assert found is kept, program
    assert not starved(0, 1.0, 1.0)
