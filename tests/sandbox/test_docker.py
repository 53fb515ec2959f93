"""Programs in containers: the attacks on the embedded backend again, and what only containers have: a daemon, an image, limits."""

import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from untrusted.containers import ensure_image

import rlgym
from rlgym import sandbox
from rlgym.core.errors import PackageMissing, SandboxMissing
from rlgym.core.limits import Limits
from rlgym.sandbox import Returned, SandboxError, Stop
from rlgym.sandbox.docker import DockerRunner, container, image
from rlgym.sandbox.grading import grade
from rlgym.sandbox.interface import Job

spec = importlib.util.spec_from_file_location("process_attacks", Path(__file__).with_name("test_process.py"))
attacks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(attacks)
HONEST, INPUTS, RIGHT = attacks.HONEST, attacks.INPUTS, attacks.RIGHT
test_no_answer_is_forged = attacks.test_no_answer_is_forged
test_every_run_ends = attacks.test_every_run_ends
test_nothing_outside_is_reached = attacks.test_nothing_outside_is_reached
test_what_honest_programs_need = attacks.test_what_honest_programs_need
test_programs_with_standard_input = attacks.test_programs_with_standard_input
test_runs_do_not_touch_each_other = attacks.test_runs_do_not_touch_each_other
test_the_same_every_time = attacks.test_the_same_every_time


@pytest.fixture(scope="module")
def client():
    with contextlib.closing(container.connected()) as runner_:
        yield runner_


@pytest.fixture(scope="module", autouse=True)
def its_image(client):
    ensure_image(client)


@pytest.fixture(scope="module")
def runner(its_image):
    with DockerRunner(Limits(seconds=1, memory_mb=256, output_kb=64), workers=1) as runner_:
        yield runner_


def test_a_container_is_as_hard_as_said(runner):
    facts = runner._all[0].facts()
    host, config = facts["HostConfig"], facts["Config"]
    assert host["ReadonlyRootfs"]
    assert host["AutoRemove"]
    assert not host["Privileged"]
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["NetworkMode"] == "none"
    assert host["IpcMode"] == "none"
    assert "no-new-privileges:true" in host["SecurityOpt"]
    assert host["Memory"] == host["MemorySwap"] == runner._all[0].memory_mb << 20
    assert host["PidsLimit"] == container.PROCESSES
    assert list(host["Tmpfs"]) == ["/tmp"]
    assert not host["Binds"]
    user = int(config["User"].split(":")[0])
    assert container.USERS[0] <= user < container.USERS[1]
    assert config["Labels"][container.PID] == str(os.getpid())
    assert runner._all[0].tier == "B"


def test_the_image_holds_neither_environments_nor_tests():
    file = io.BytesIO()
    image.root_file_system(file)
    file.seek(0)
    with tarfile.open(fileobj=file) as archive:
        names = [entry.name for entry in archive if not entry.isdir()]
    ours = {name for name in names if name.startswith("opt/rlgym/rlgym/") and name.endswith(".py")}
    rooms = {name.split("/")[3] for name in ours}
    assert rooms == {"__init__.py", "core", "sandbox"}
    assert not any(part in ("envs", "generators", "tests", "site-packages", "grading.py") for name in names for part in name.split("/"))
    places = (f"{sys.base_prefix[1:]}/", "opt/rlgym/", "etc/ld.so.cache", "etc/python", "lib", "usr/")
    assert all(name.startswith(places) for name in names)


def test_an_image_is_built_from_the_containerfile(client, monkeypatch):
    # On top of an image of this Python, since none can be counted on to be pulled.
    file = io.BytesIO()
    image.context(file)
    with tarfile.open(fileobj=io.BytesIO(file.getvalue())) as context:
        assert "Containerfile" in context.getnames()
    base = image.build_from_host(client, tag="rlgym-sandbox-test:base")
    assert image.build(client, base=base, target="plain", tag="rlgym-sandbox-test:built") == "rlgym-sandbox-test:built"
    try:
        config = client.images.get("rlgym-sandbox-test:built").attrs["Config"]
        assert config["User"] == "65534:65534"
        assert config["Entrypoint"][-1] == image.SERVE
        monkeypatch.setenv("RLGYM_DOCKER_IMAGE", "rlgym-sandbox-test:built")
        with DockerRunner(workers=1) as item:
            assert item.run(HONEST, INPUTS).outputs == RIGHT
    finally:
        for tag in ("built", "base"):
            client.images.remove(f"rlgym-sandbox-test:{tag}", force=True)


def test_what_a_container_says_is_not_believed(runner):
    said = runner._all[0]
    for text in (b"\xff" * 4, b"\0\0\0\x02{}", b"\0\0\0\x02[]", b"\0\0\0\x01x", b"\0\0\0\x24" + b'{"answers":[["s"]],"out":"","err":""}'):
        said._said += text
        with pytest.raises(SandboxError):
            said.run(Job(HONEST, ((1, 2),)), Limits())
        assert said.lost
        runner._all.clear()
        runner._free.clear()
        runner._count = 0
        said.close()
        assert runner.run(HONEST, INPUTS).outputs == RIGHT
        said = runner._all[0]


def test_gvisor_has_a_tier_of_its_own(client):
    if "runsc" not in client.info()["Runtimes"]:
        pytest.skip("the daemon offers no runtime called runsc")
    with DockerRunner(Limits(seconds=1), workers=1, runtime="runsc") as item:
        assert item.tier == "G"
        assert item.run(HONEST, INPUTS).outputs == RIGHT
        for name in ("forks", "runs", "connects", "kills the parent", "writes", "descriptors", "unshare", "fork in code"):
            result = item.run(attacks.REACHES[name], [("/etc/passwd",)])
            assert not any(isinstance(answer, Returned) and answer.value for answer in result.outputs), (name, result)
        for name in ("loop that swallows", "sleep", "memory", "output", "crash"):
            program, allowed = attacks.ENDS[name]
            assert item.run(program, INPUTS).stopped_by in allowed, name
        for name in ("equal to everything", "early answers", "exit inside"):
            assert item.run(attacks.ANSWERS[name], INPUTS).outputs != RIGHT
        assert item.run(HONEST, INPUTS).outputs == RIGHT


def test_memory_is_limited_in_the_container_too(runner):
    with pytest.raises(SandboxError, match="RLGYM_DOCKER_MEMORY_MB"):
        runner.run(HONEST, INPUTS, Limits(memory_mb=100_000))
    with DockerRunner(workers=1, memory_mb=container.OVERHEAD_MB + 256) as small:
        hog = "def solve(a, b):\n    x = bytearray(200 << 20)\n    return a + b"
        assert small.run(hog, INPUTS, Limits(memory_mb=64)).stopped_by is Stop.MEMORY
        # A program that the container's own limit hits first is ended; what forked it is not.
        facts = small._all[0]
        facts.memory_mb = 10_000
        first = facts._id
        result = small.run("x = []\nwhile True: x.append(bytearray(1 << 20))", [()], Limits(seconds=5, memory_mb=2000))
        assert result.stopped_by in (Stop.MEMORY, Stop.CRASHED)
        assert small.run(HONEST, INPUTS).outputs == RIGHT
        assert small._all[0]._id == first


def test_what_is_missing_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("RLGYM_DOCKER_IMAGE", "rlgym-sandbox:nothing-has-this-name")
    with pytest.raises(SandboxError, match="rlgym sandbox image"):
        DockerRunner()
    monkeypatch.delenv("RLGYM_DOCKER_IMAGE")
    monkeypatch.setenv("RLGYM_DOCKER_CONTAINERS", "many")
    with pytest.raises(SandboxError, match="'many'"):
        DockerRunner()
    monkeypatch.delenv("RLGYM_DOCKER_CONTAINERS")
    with pytest.raises(SandboxError, match="no-such-runtime"):
        DockerRunner(runtime="no-such-runtime")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nothing.sock")
    with pytest.raises(SandboxError, match="no Docker daemon answers"):
        DockerRunner()


@pytest.mark.skipif(os.geteuid() != 0, reason="root can become somebody without rights")
def test_a_daemon_that_may_not_be_used_is_said():
    if not os.environ.get("DOCKER_HOST", "unix://").startswith("unix://"):
        pytest.skip("the daemon is not asked over a socket with rights")
    program = "import os, sys\nfrom rlgym.sandbox import SandboxError\nfrom rlgym.sandbox.docker import DockerRunner\n"
    program += "import docker\nos.setuid(65534)\ntry: DockerRunner()\nexcept SandboxError as why: print(why)"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True
    ).stdout
    assert "may not talk to" in output


def test_an_environment_is_judged_in_it(monkeypatch):
    import rlgym
    from rlgym import sandbox

    monkeypatch.setenv("RLGYM_SANDBOX", "docker")
    monkeypatch.setattr(sandbox, "_running", {})
    task = rlgym.task("function_from_tests", seed=1, level=0.5)
    declared = rlgym.environment("function_from_tests")
    assert rlgym.score(task, declared.answer.render_response(declared.solve(task), "tag")).value == 1
    assert rlgym.score(task, declared.answer.render_response(task.data.wrong[0], "tag")).value == 0
    for runner in sandbox._running.values():
        runner.close()
    monkeypatch.setattr(sandbox, "_running", {})
    monkeypatch.setenv("RLGYM_DOCKER_IMAGE", "rlgym-sandbox:nothing-has-this-name")
    with pytest.raises(SandboxMissing, match="docker"):
        sandbox.get_runner(Limits())


def test_grading_keeps_what_is_expected_outside(runner):
    assert grade(runner, HONEST, [((1, 2), 3), ((3, 4), 7)]).right
    assert not grade(runner, "def solve(a, b):\n    return 3", [((1, 2), 3), ((3, 4), 7)]).right
    if "javascript" in runner.languages:
        assert runner.run("function solve(a, b) { return a + b; }", INPUTS, language="javascript").outputs == RIGHT


@pytest.mark.parametrize("name", ["git_merge", "makefile_repair", "service_chain"])
def test_terminal_worlds_are_played_beside_it(its_image, name, monkeypatch):
    """Programs go to containers; shell commands run in cells of this machine, whatever runs programs."""
    monkeypatch.setenv("RLGYM_SANDBOX", "docker")
    monkeypatch.setattr(sandbox, "_running", {})
    try:
        env = rlgym.make(name, level=0.5)
    except PackageMissing as why:
        pytest.skip(str(why))
    [runner_] = sandbox._running.values()
    with contextlib.closing(runner_):
        assert isinstance(runner_, DockerRunner)
        env.reset(seed=1)
        over, reward = False, 0.0
        while not over:
            _, reward, over, *_ = env.step(env.oracle())
        assert reward == 1.0
