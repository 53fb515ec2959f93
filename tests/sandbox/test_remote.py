"""A sandbox on another machine: a real service on this one, what it refuses, and what is made of its death."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")

import rlgym  # noqa: E402
from rlgym import sandbox  # noqa: E402
from rlgym.core.errors import PackageMissing  # noqa: E402
from rlgym.core.limits import Limits  # noqa: E402
from rlgym.episode import play  # noqa: E402
from rlgym.sandbox import Raised, Returned, SandboxError, Stop  # noqa: E402
from rlgym.sandbox import remote as remote_backend  # noqa: E402
from rlgym.sandbox.grading import grade  # noqa: E402
from rlgym.sandbox.process import ProcessRunner  # noqa: E402
from rlgym.sandbox.remote import RemoteRunner  # noqa: E402
from rlgym.sandbox.terminal import Cell, Cells, Entry, file_entry  # noqa: E402

KEY, NOW = "a key for tests", 1_715_950_000

try:
    ProcessRunner().close()
except SandboxError as why:
    pytest.skip(str(why), allow_module_level=True)


def started(folder, port=0):
    (folder / "key").write_text(f"{KEY}\n")
    if not port:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    command = [sys.executable, "-m", "rlgym", "sandbox", "serve", "--port", str(port), "--key-file", str(folder / "key"), "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    for _ in range(200):
        try:
            httpx.get(f"{url}/ready", timeout=5)
            return process, url, port
        except httpx.TransportError:
            assert process.poll() is None, "the service ended at once"
            time.sleep(0.1)
    raise AssertionError("the service did not become ready")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    process, url, _ = started(tmp_path_factory.mktemp("service"))
    yield url
    process.send_signal(signal.SIGTERM)
    assert process.wait(40) is not None


@pytest.fixture(scope="module")
def remote(service):
    with RemoteRunner(service, KEY, Limits(seconds=1)) as runner:
        yield runner


PROGRAMS = {
    "right": "def solve(a, b):\n    return a + b",
    "wrong": "def solve(a, b):\n    return a - b",
    "raises": "def solve(a, b):\n    raise KeyError(a)",
    "ends": "import os\ndef solve(a, b):\n    os._exit(0)",
    "prints": "def solve(a, b):\n    print('passed', chr(0xD800).encode('utf-8', 'surrogatepass'))\n    return a + b",
    "hangs": "def solve(a, b):\n    while True: pass",
    "no program": "def solve(a, b) return",
    "null": "\0",
    "forges": "class E:\n    def __eq__(self, other): return True\ndef solve(a, b):\n    return E()",
    "many types": "def solve(a, b):\n    return (float('nan'), 10**40, {1, 2}, b'x', {'a': (None, True)}, '\\ud83d\\ude00')",
    "looks": "import os\ndef solve(a, b):\n    return dict(os.environ)",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_gives_what_the_embedded_backend_gives(remote, name):
    with ProcessRunner(Limits(seconds=1)) as local:
        there, near = (runner.run(PROGRAMS[name], [(1, 2), (3, 4)]) for runner in (remote, local))
    assert (repr(there.outputs), there.stopped_by, there.stdout) == (repr(near.outputs), near.stopped_by, near.stdout)
    right = [((1, 2), 3), ((3, 4), 7)]
    assert grade(remote, PROGRAMS[name], right).right is (name in ("right", "prints"))


def test_many_at_once_do_not_mix(remote):
    with ThreadPoolExecutor(40) as pool:
        found = list(pool.map(lambda i: remote.run("def solve(x):\n    return x", [(i,)]).outputs, range(200)))
    assert found == [(Returned(i),) for i in range(200)]


def test_other_languages_and_standard_input(remote):
    assert remote.run("print(input()[::-1])", entry=None, stdin="abc\n").stdout == "cba\n"
    if "javascript" in remote.languages:
        assert remote.run("function solve(a) { return a; }", [(5,)], language="javascript").outputs == (Returned(5),)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ({"content": b"{"}, 422),
        ({"content": b"\xff\xfe"}, 422),
        ({"json": {"program": "x", "surprise": 1}}, 422),
        ({"json": {"program": "x", "seconds": 1e9}}, 422),
        ({"json": {"program": "x", "memory_mb": 10**6}}, 422),
        ({"json": {"program": "x" * (2 << 20)}}, 422),
        ({"content": b"x" * (33 << 20)}, 413),
        ({"json": {"program": "x"}, "headers": {"Authorization": "Bearer wrong"}}, 401),
        ({"json": {"program": "x"}, "headers": {"Authorization": ""}}, 401),
    ],
)
def test_what_is_refused(service, request_, status):
    headers = request_.pop("headers", {"Authorization": f"Bearer {KEY}"})
    assert httpx.post(f"{service}/run", headers=headers, timeout=30, **request_).status_code == status
    assert httpx.get(f"{service}/health").json() == {"status": "ok"}


def test_a_refusal_is_no_verdict(service):
    with RemoteRunner(service, "wrong") as runner, pytest.raises(SandboxError, match="401"):
        runner.run("def solve(): return 1", [()])
    with pytest.raises(SandboxError, match="RLGYM_SANDBOX_URL"):
        RemoteRunner("")
    with pytest.raises(SandboxError, match="did not answer"):
        RemoteRunner("http://127.0.0.1:9")


def test_it_counts(service, remote):
    remote.run("def solve(): return 1", [()])
    text = httpx.get(f"{service}/metrics").text
    assert 'rlgym_sandbox_runs_total{stopped_by="finished",tenant="default"}' in text
    assert 'rlgym_sandbox_refused_total{status="401"}' in text


def test_a_service_that_dies_scores_nobody_and_may_come_back(tmp_path):
    process, url, port = started(tmp_path)
    with RemoteRunner(url, KEY, Limits(seconds=2)) as runner:
        slow = "def solve(x):\n    for _ in range(10**7): pass\n    return x"
        with ThreadPoolExecutor(4) as pool:
            running = [pool.submit(runner.run, slow, [(i,)]) for i in range(4)]
            time.sleep(0.2)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            for future in running:
                with contextlib.suppress(SandboxError):
                    assert future.result().stopped_by is Stop.FINISHED
        process, _, _ = started(tmp_path, port)
        try:
            assert runner.run("def solve(x):\n    return x", [(1,)]).outputs == (Returned(1),)
            assert isinstance(runner.run("def solve(x):\n    return 1 / 0", [(1,)]).outputs[0], Raised)
        finally:
            process.terminate()
            process.wait(40)


def test_a_public_service_needs_a_key():
    command = [sys.executable, "-m", "rlgym", "sandbox", "serve", "--host", "0.0.0.0"]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode != 0
    assert "--key-file" in refused.stderr + refused.stdout


def test_an_environment_is_judged_over_it(service, monkeypatch):
    import rlgym
    from rlgym import sandbox

    monkeypatch.setenv("RLGYM_SANDBOX", "remote")
    monkeypatch.setenv("RLGYM_SANDBOX_URL", service)
    monkeypatch.setenv("RLGYM_SANDBOX_KEY", KEY)
    monkeypatch.setattr(sandbox, "_running", {})
    task = rlgym.task("function_from_tests", seed=1, level=0.5)
    declared = rlgym.environment("function_from_tests")
    assert rlgym.score(task, declared.answer.render_response(declared.solve(task), "tag")).value == 1
    assert rlgym.score(task, declared.answer.render_response(task.data.wrong[0], "tag")).value == 0


@pytest.fixture
def commands(service, monkeypatch):
    """Shell commands run by the service alone: here no cell starts."""
    from rlgym.sandbox import terminal

    monkeypatch.setenv("RLGYM_SANDBOX", "remote")
    monkeypatch.setenv("RLGYM_SANDBOX_URL", service)
    monkeypatch.setenv("RLGYM_SANDBOX_KEY", KEY)
    monkeypatch.setattr(sandbox, "_running", {})

    def refused(*_):
        raise SandboxError("a command of this machine")

    monkeypatch.setattr(terminal, "Cell", refused)
    with contextlib.closing(terminal.Cells(terminal._remote_cell)) as cells:
        monkeypatch.setattr(terminal, "_remote", cells)
        yield cells


def test_commands_do_there_what_they_do_here(commands):
    tree = {"a": Entry("folder", 0o755, NOW, ""), "a/x": file_entry("one\n", NOW), "b": file_entry(b"\xff\0", NOW, 0o600)}
    script = "ln a/x hard; ln -s a soft; cat b; yes line | head -n 300 > long; chmod 4750 b; touch -d 1960-01-01 a/x; printf '\\xed\\xa0' >&2; exit 3"
    with contextlib.closing(Cells()) as own:
        own._start = Cell
        assert commands.run(tree, script, NOW + 60) == own.run(tree, script, NOW + 60)
    endless = commands.run(tree, "rm -r a; yes", NOW)
    assert (endless.undone, endless.tree) == ("output", tree)
    assert commands.run(tree, "echo \0", NOW).exit_code == 127


@pytest.mark.parametrize("name", ["git_merge", "makefile_repair", "service_chain", "mode_audit"])
def test_terminal_worlds_are_played_over_it(commands, name):
    try:
        env = rlgym.make(name, level=0.5)
    except PackageMissing as why:
        pytest.skip(str(why))
    env.reset(seed=1)
    over, reward = False, 0.0
    while not over:
        _, reward, over, *_ = env.step(env.oracle())
    assert reward == 1.0
    env.reset(seed=1)
    assert env.step('<answer>{"tool": "done", "arguments": {}}</answer>')[1] == 0.0


def test_a_program_that_the_service_lacks_is_named(commands):
    with pytest.raises(PackageMissing, match="git_merge needs the program no-such-program, which is not installed on the machine"):
        play._check_programs_elsewhere("git_merge", ("bash", "no-such-program"))


def test_a_service_that_is_gone_masks_the_episode(commands, monkeypatch):
    env = rlgym.make("mode_audit", level=0.0)
    env.reset(seed=1)
    commands.close()
    monkeypatch.setattr(remote_backend, "PAUSES", (0.01,))
    monkeypatch.setenv("RLGYM_SANDBOX_URL", "http://127.0.0.1:9")
    *_, over, truncated, info = env.step(env.oracle())
    assert over or truncated
    assert info["score"].masked


LINE = ["text", 420, 0, "x"]


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        ({"../x": LINE}, "leads elsewhere"),
        ({"/etc/x": LINE}, "leads elsewhere"),
        ({"a//x": LINE}, "leads elsewhere"),
        ({"a\0": LINE}, "leads elsewhere"),
        ({"": LINE}, "leads elsewhere"),
        ({"a": ["symlink", 511, 0, "/tmp"], "a/x": LINE}, "lies below an entry that is no folder"),
        ({"a": ["hardlink", 420, 0, "/etc/passwd"]}, "is a hard link to no file"),
        ({"a": ["lines", 420, 0, "999999999\nabc\n"]}, "more than 8388608"),
        ({"a": ["lines", 420, 0, "many\nabc\n"]}, "invalid literal"),
        ({"a": ["lines", 420, 0, "-9\nabc\n"]}, "says no number of lines"),
        ({"a": ["base64", 420, 0, "x"]}, "Invalid base64"),
        ({"a": ["device", 420, 0, "x"]}, "tree.a.0"),
        ({"a": ["text", 1 << 16, 0, "x"]}, "tree.a.1"),
        ({"a": ["text", 420, 1 << 60, "x"]}, "tree.a.2"),
        ({str(number): LINE for number in range(5000)}, "at most 4096"),
    ],
)
def test_trees_that_are_none_are_refused(service, tree, why):
    headers = {"Authorization": f"Bearer {KEY}"}
    reply = httpx.post(f"{service}/command", headers=headers, json={"command": "true", "tree": tree, "now": 0}, timeout=30)
    assert reply.status_code == 422
    assert why in reply.text
