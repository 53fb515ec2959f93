"""A program cannot put the blame for its failure on the machine: no exit, frame, signal, load or text ends in SandboxError."""

import os
import subprocess
import sys
import time

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import Raised, Returned, SandboxError, Stop
from rlgym.sandbox.grading import grade

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

from untrusted.sandboxes import FORGE, HONEST, confined_session, process_runner, unpaid

from rlgym.sandbox.process import accounts, run_channel
from rlgym.sandbox.process.inside import calls, kernel

SPIN = "import threading\ndef spin():\n    while True: pass\n"


@pytest.fixture(scope="module", params=["A", "B"])
def runner(request):
    with process_runner(Limits(seconds=0.5, memory_mb=256, output_kb=64), request.param, workers=1) as runner_:
        runner_.run(HONEST, [(1, 2)])
        yield runner_


LEAVES = {
    **{f"exits with {code} while loading": f"raise SystemExit({code})" for code in (0, 1, 2, 113, 126, 127, 137, 255)},
    "leaves with 113 while loading": "import os\nos._exit(113)",
    "leaves with 113 inside": "import os\nsolve = lambda a, b: os._exit(113)",
    "leaves with 113 from a thread": "import os, threading, time\nthreading.Thread(target=os._exit, args=(113,)).start()\ntime.sleep(9)",
    "leaves with 113 when freed": "import os\nclass F:\n    def __del__(self): os._exit(113)\nF()",
    "leaves with 113 from a trace": "import os, sys\nsys.settrace(lambda *a: os._exit(113))\ndef f(): pass\nf()",
    **{f"kills itself with {number}": f"import os\nos.kill(os.getpid(), {number})" for number in (2, 3, 6, 9, 11, 15, 24, 25, 27, 31)},
    "closes everything": "import os\nfor n in range(64):\n    try: os.close(n)\n    except OSError: pass\nos._exit(113)",
    "closes its socket and stays": "import os, time\nos.close(3)\ntime.sleep(0.2)",
    "writes to every descriptor": "import os\nfor n in range(64):\n    try: os.write(n, b'\\0\\0\\0\\x02{}' * 99)\n    except OSError: pass",
    "says that it has started": "import os\nfor n in range(64):\n    try: os.write(n, b'started')\n    except OSError: pass\nos._exit(113)",
    "says that it is not confined": "import os\nfor n in (1, 2, 3):\n"
    '    os.write(n, b\'{"why": "broken", "broken": 1, "started": false}\')\nos._exit(113)',
    "raises at the end": "import atexit, os\natexit.register(os._exit, 113)\nsolve = lambda a, b: exit()",
    "replaces what ends it": "import os, sys\nos._exit = sys.exit = None\nsys.stdout = None\nraise SystemExit(113)",
    "is killed from a thread": "import _thread, os, time\n_thread.start_new_thread(os.kill, (os.getpid(), 9))\ntime.sleep(9)",
    "shuts its socket down": "import socket\ns = socket.socket(fileno=3)\ns.shutdown(2)\ns.detach()\nsolve = lambda a, b: a + b",
    "reads its questions away": "import os, threading\nos.set_blocking(3, False)\ndef eat():\n    while True:\n        try: os.read(3, 1)\n"
    "        except OSError: pass\nthreading.Thread(target=eat, daemon=True).start()\nsolve = lambda a, b: 0",
    "stops itself by a timer": "import os, signal\nsignal.signal(14, lambda *a: os.kill(os.getpid(), 19))\nsignal.setitimer(0, 0.01)\nwhile True: pass",
    "leaves from an import hook": "import os, sys\nclass H:\n    def find_spec(s, *a): os._exit(113)\nsys.meta_path.insert(0, H())\nimport colorsys",
    "leaves from an audit hook": "import os, sys\nsys.addaudithook(lambda *a: os._exit(113))\nsolve = lambda a, b: 0",
    "leaves from a codec": "import codecs, os\ncodecs.register(lambda n: os._exit(113))\n'x'.encode('no-such-codec')",
    "leaves from a dump of its stack": "import faulthandler, time\nfaulthandler.dump_traceback_later(0.05, exit=True)\ntime.sleep(9)",
    "has another interpreter leave": "import os\ntry: import _xxsubinterpreters as i\nexcept ImportError: import _interpreters as i\n"
    "i.run_string(i.create(), 'import os; os._exit(113)')",
    "allows itself no memory": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1, 1))\nsolve = lambda a, b: 'x' * 100000",
    "allows itself no time": "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (0, 0))\nwhile True: pass",
    "writes zeros for frames": "import os\nsolve = lambda a, b: os.write(3, bytes(4000))",
    "an exception that causes itself": "e = ValueError('x')\ne.__cause__ = e.__context__ = e\nraise e",
    "a name in other letters": "def \U0001d530olve(a, b): return a + b + 1",
    "replaces the driver": "import sys\nd = sys.modules['inside.child']\nd._say = d._fail = d._read = None\nraise SystemExit(113)",
    "a code that is no number": "raise SystemExit([10 ** 5000])",
    "a code that raises": "class E(SystemExit):\n    code = property(lambda self: 1 / 0)\nraise E",
    "an exception whose class lies": "class M(type):\n    __name__ = property(lambda c: 1 / 0)\nclass E(BaseException, metaclass=M): pass\nraise E",
    "a memory error": "raise MemoryError",
    "a sandbox error": "class SandboxError(RuntimeError): pass\nraise SandboxError('the machine is gone')",
    "half of a pair": "solve = '\ud800'",
    "too long": "solve = 1 #" + "x" * (1 << 20),
    "too long in UTF-8": "solve = 1 #" + "\u20ac" * (1 << 19),
}


@pytest.mark.parametrize("name", LEAVES)
def test_leaving_is_not_the_machines_fault(runner, name):
    unpaid(runner, LEAVES[name])


WAITS = {
    "sleeps, then queues behind its threads": SPIN + "import time\ntime.sleep(LIMIT)\n"
    "for _ in range(8): threading.Thread(target=spin).start()\nspin()",
    "sleeps, then spins": SPIN + "import time\ntime.sleep(LIMIT)\nspin()",
    "threads that sleep, then one spins": SPIN + "import time\nfor _ in range(8): threading.Thread(target=time.sleep, args=(99,)).start()\n"
    "time.sleep(LIMIT)\nspin()",
    "writes and sleeps": "import os, time\nwhile True:\n    os.write(1, b'x')\n    time.sleep(0.0001)",
    "wakes all the time": "import time\nwhile True: time.sleep(0.0005)",
    "threads that wake all the time": "import threading, time\ndef wake():\n    while True: time.sleep(0)\n"
    "for _ in range(8): threading.Thread(target=wake).start()\nwake()",
    "stops itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "waits for a lock": "import threading\nl = threading.Lock()\nl.acquire()\nl.acquire()",
}


@pytest.mark.parametrize("name", WAITS)
def test_waiting_is_not_the_machines_fault(runner, name, monkeypatch):
    monkeypatch.setattr(run_channel, "WALL_EXTRA", 0.4)
    score = unpaid(runner, WAITS[name].replace("LIMIT", "0.8"), limits=Limits(seconds=0.2))
    assert score.outcome.value == "timed out"


def test_the_machine_is_to_blame_only_for_a_thread_that_was_ready_all_along(monkeypatch):
    def blamed(ready, used, waits=40, questions=5):
        monkeypatch.setattr(accounts, "waits", lambda pid: waits)
        monkeypatch.setattr(accounts, "children", lambda pid: [1])
        monkeypatch.setattr(accounts, "ready_seconds", lambda pid: ready)
        monkeypatch.setattr(accounts, "processor_seconds", lambda pid: used)
        return accounts.starved(1, wall=6.0, seconds=1.0, questions=questions)

    assert blamed(ready=5.9, used=0.5)
    assert not blamed(ready=5.9, used=0.95)  # its threads together had what they may have
    assert not blamed(ready=1.0, used=0.1)  # it slept for most of the time
    assert not blamed(ready=5.9, used=0.1, waits=400)  # it slept for moments, and queued after each
    assert not blamed(ready=5.9, used=0.1, waits=None)
    assert blamed(ready=5.9, used=0.1, waits=400, questions=200)


def test_moments_of_sleep_are_counted():
    program = "import time\nwhile True: time.sleep(0.01)"
    child = subprocess.Popen([sys.executable, "-c", program])
    try:
        time.sleep(1)
        before = accounts.waits(child.pid)
        time.sleep(1)
        assert before is not None
        assert accounts.waits(child.pid) >= before + 10
    finally:
        child.kill()
        child.wait()
    assert accounts.waits(child.pid) is None


def test_giving_way_succeeds_and_does_nothing(runner):
    # On a busy machine a program that gives way all the time hardly gets a processor, and seems to be kept waiting.
    assert calls.YIELD not in calls.PLAIN[kernel.MACHINE]
    assert runner.run("import os\nsolve = lambda: os.sched_yield()", [()]).outputs == (Returned(None),)


IGNORED = "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n"
COMPUTES = {
    "one thread": IGNORED + "while True: pass",
    "a handler": "import signal\nsignal.signal(signal.SIGXCPU, lambda *a: None)\nwhile True: pass",
    "blocked": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
    "threads in C": IGNORED + "import hashlib, threading\ndef work():\n    while True: hashlib.pbkdf2_hmac('sha256', b'x', b'y', 10**5)\n"
    "for _ in range(8): threading.Thread(target=work).start()\nwork()",
    "one call in C": IGNORED + "pow(3, 10**8)",
}


@pytest.mark.parametrize("name", COMPUTES)
def test_processor_time_is_enforced_whatever_is_ignored(runner, name):
    result = runner.run(COMPUTES[name], [(1, 2)])
    assert result.stopped_by is Stop.TIME
    assert result.seconds < 0.9, result.seconds


def test_what_a_run_used_is_reported(runner):
    result = runner.run("import time\nx = bytearray(60 << 20)\nwhile time.process_time() < 0.2: pass\n" + HONEST, [(1, 2)])
    assert result.stopped_by is Stop.FINISHED
    assert 0.2 <= result.seconds < 0.5
    assert 60 << 10 <= result.kilobytes < 256 << 10


def test_an_input_that_cannot_be_sent_is_an_answer(runner):
    deep = [1]
    for _ in range(200):
        deep = [deep]
    inputs = [(1,), (1j,), ("\ud800",), (deep,), ("x" * (5 << 20),), (object(),), (2,)]
    result = runner.run("solve = lambda x: x", inputs)
    kinds = [type(answer) for answer in result.outputs]
    assert kinds == [Returned, Raised, Raised, Raised, Raised, Raised, Returned]
    assert result.outputs[-1] == Returned(2)
    assert runner.run("solve = 1", [(1j,)]).outputs == (Raised("Unsendable", "the input is no plain data: a complex is no plain data"),)


def test_memory_of_the_grader_is_bounded_whatever_is_sent(runner):
    import resource

    flood = "while True: os.write(3, b'x' * 65536)"
    programs = [
        FORGE + 'say(b\'{"raised": ["a", "b"]}\')\n' + flood,
        FORGE + "say(b'{\"loaded\": true}')\n" + flood,
        FORGE + f'def solve(a, b):\n    say(b\'{{"number": %d, "raised": ["a", "b"]}}\' % number())\n    {flood}',
        FORGE + "def solve(a, b):\n    for _ in range(99): say(b'{\"number\": %d, \"x\": [' % number() + b'[],' * 600000 + b'[]]}')",
        FORGE
        + "def solve(a, b):\n    say(json.dumps({'number': number(), 'value': '[\"l\",[' + '[\"l\",[]],' * 116000 + 'null]]'}).encode())",
        flood.replace("while", "import os\nwhile"),
    ]
    begun, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for program in programs:
        unpaid(runner, program)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10
    assert time.process_time() - begun < 5


def test_answers_are_bounded_together(runner):
    each = runner.run("solve = lambda i: 'x' * 900000", [(i,) for i in range(9)])
    assert each.stopped_by is Stop.OUTPUT
    assert 3 <= len(each.outputs) <= 4
    many = runner.run("solve = lambda i: [0] * 60000", [(i,) for i in range(9)], Limits(seconds=5))
    assert many.stopped_by is Stop.OUTPUT
    assert grade(runner, "solve = lambda i: [0] * 30000", [((1,), [0] * 30000)], limits=Limits(seconds=5)).right


def test_a_run_ends_when_nothing_more_can_count(runner):
    begun = time.monotonic()
    result = runner.run(
        FORGE + 'print("seen")\nsys.stdout.flush()\nsay(b\'{"raised": ["E", "why"]}\')\nimport time\ntime.sleep(99)', [(1, 2)]
    )
    assert time.monotonic() - begun < 1
    assert (result.stdout, result.stderr, result.exit_code, result.stopped_by) == ("seen\n", "E: why", 1, Stop.ERROR)


@pytest.fixture
def session():
    return confined_session({"numbers": "40\n2\n"}, Limits(seconds=1, memory_mb=128, output_kb=64, processes=16))


COMMANDS = {
    "the words of a failure": "echo the command could not be started >&2; exit 113",
    "the words of a failure with 127": "echo unconfined: why >&2; exit 127",
    "words on every descriptor": "for n in 3 4 5 6 7 8 9; do echo 'unconfined: why' >&$n; done; exit 113",
    "113": "exit 113",
    "ends the first process": "kill -9 1; kill -9 -1; exit 113",
    "too long": ": " + "x" * 200_000,
    "NUL": "echo \0",
    "half of a pair": "echo \ud800",
    "ignores signals": "trap '' HUP INT TERM XCPU; exit 113",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_is_the_machines_fault(session, name):
    assert session.bash(COMMANDS[name]).stopped_by in (Stop.ERROR, Stop.CRASHED)
    assert session.bash("cat numbers").stdout == "40\n2\n"


def test_no_path_text_or_input_of_a_session_is_the_machines_fault(session):
    with pytest.raises(ValueError, match="surrogate"):
        session.write("a", "\ud800")
    for path in ("\udc80", "n" * 300, "\u20ac" * 100):
        with pytest.raises(ValueError, match="path must"):
            session.write(path, "")
    for i in range(32):
        session.write(f"{i}/" + "d/" * 60 + "f", "")
    with pytest.raises(ValueError, match="folders"):
        session.write("n/" + "d/" * 60 + "f", "")
    assert session.command(["/no/such/program"]).exit_code == 127
    assert session.command([]).stopped_by is Stop.ERROR
    assert session.python("print(1)", stdin="\ud800").stdout == "1\n"
    assert session.bash("cat numbers").stdout == "40\n2\n"


def test_a_command_that_cannot_be_confined_is_the_machines_fault(session, monkeypatch):
    from rlgym.sandbox import session_command

    monkeypatch.setattr(session_command, "INSIDE", 4_000_000)  # no such user in the name space
    with pytest.raises(SandboxError, match="confined"):
        session.bash("true")


def test_the_processor_time_of_all_processes_counts_those_that_have_ended():
    """A process that lives, below one that waits, and one that has ended and was waited for."""
    spin = "import time\nwhile time.process_time() < 0.25: pass"
    last = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {spin!r}])\nprint(flush=True)\nsys.stdin.read()"
    middle = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {last!r}])"
    first = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {middle!r}])"
    with subprocess.Popen([sys.executable, "-c", first], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"\n"
        used = accounts.usage_below(process.pid, accounts.Usage())
        process.stdin.close()
    assert used.total_seconds >= used.longest_seconds + 0.2
