"""Programs run without privileges whoever starts them, and with room for threads."""

import os
import sys
import time
from pathlib import Path

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import Returned, SandboxError, Stop

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

from untrusted.sandboxes import HONEST, in_time, process_runner

from rlgym.sandbox.process import ProcessRunner, accounts, warm_interpreters


@pytest.fixture(scope="module", params=["A", "B"])
def runner(request):
    with process_runner(Limits(seconds=2, memory_mb=256), request.param, workers=1) as runner_:
        yield runner_


def facts_of_a_run(runner):
    """What the kernel says of the process of a run, seen from outside."""
    from concurrent.futures import ThreadPoolExecutor

    def find():
        for child in accounts.children(runner._all[0]._process.pid):
            status = dict(line.split(":\t", 1) for line in Path(f"/proc/{child}/status").read_text().split("\n") if ":\t" in line)
            if int(status["Threads"]) == 2:  # the program's mark; the child in waiting has one
                return status
        return None

    program = "import threading, time\nt = threading.Thread(target=time.sleep, args=(2,))\nt.start()\nt.join()"
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(runner.run, program, entry=None)
        assert in_time(lambda: find() is not None)
        status = find()
        running.result()
    return status


def test_a_program_has_no_capability_and_is_not_root(runner):
    status = facts_of_a_run(runner)
    assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {"0" * 16}
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    if os.geteuid() == 0:
        assert "0" not in status["Uid"].split() + status["Gid"].split()
        assert status["Groups"].split() in (
            [],
            ["65534"],
            status["Gid"].split()[:1],
            status["Groups"].split() if runner.tier == "A" else [],
        )


THREADS = """
import threading, time
def solve():
    started = 0
    try:
        for _ in range(1000):
            threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
            started += 1
    except (RuntimeError, MemoryError):
        pass
    return started
"""


def test_the_number_of_threads_is_limited(runner):
    (answer,) = runner.run(THREADS, [()], Limits(seconds=2, memory_mb=2000)).outputs
    assert isinstance(answer, Returned)
    assert 16 <= answer.value <= warm_interpreters.THREADS


@pytest.mark.parametrize("count", [6, 12, 40])
def test_right_programs_with_threads_have_room(runner, count):
    program = (
        "from concurrent.futures import ThreadPoolExecutor\nimport time\ndef work(n):\n    x = bytearray(1 << 16)\n    time.sleep(0.05)\n"
    )
    program += f"    return n\ndef solve():\n    with ThreadPoolExecutor({count}) as p:\n        return sum(p.map(work, range({count})))"
    result = runner.run(program, [()])
    assert result.outputs == (Returned(sum(range(count))),), result


def test_a_thread_has_room_for_recursion(runner):
    program = "import sys, threading\ndef deep(n): return deep(n - 1) + 1 if n else 0\ndef solve():\n    got = []\n"
    program += "    t = threading.Thread(target=lambda: got.append(deep(900)))\n    t.start()\n    t.join()\n    return got"
    assert runner.run(program, [()]).outputs == (Returned([900]),)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to give up")
def test_root_is_refused_where_its_programs_could_not_read_the_library(monkeypatch, tmp_path):
    (tmp_path / "library").mkdir()
    tmp_path.chmod(0o700)
    monkeypatch.setattr(warm_interpreters, "_files", lambda: ([str(tmp_path / "library")], []))
    with pytest.raises(SandboxError, match="instead of root, who cannot read"):
        ProcessRunner(tier="B")


def test_an_interpreter_that_cannot_start_is_no_crash(monkeypatch):
    monkeypatch.setattr(warm_interpreters, "BOOT", "raise SystemExit(1)")
    begun = time.monotonic()
    with pytest.raises(SandboxError):
        ProcessRunner()
    assert time.monotonic() - begun < 30


def test_an_honest_run_ends_well(runner):
    result = runner.run(HONEST, [(1, 2)])
    assert (result.outputs, result.stopped_by, result.exit_code) == ((Returned(3),), Stop.FINISHED, 0)
