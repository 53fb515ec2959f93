"""Sessions: files that stay, commands that are confined, and nothing that outlives them."""

import os
import shutil
import subprocess
import time

import pytest

from rlgym.core.limits import Limits
from rlgym.sandbox import SandboxError, Stop
from rlgym.sandbox.session import Session

LIMITS = Limits(seconds=1, memory_mb=256, output_kb=64, processes=16)


@pytest.fixture
def session():
    session_ = Session({"notes.txt": "one\ntwo\n", "src/double.py": "def double(x):\n    return 2 * x\n"}, LIMITS)
    try:
        session_.bash("true")
    except SandboxError as why:
        pytest.skip(str(why))
    return session_


def test_files_stay_between_commands(session):
    assert session.bash("sort -r notes.txt > sorted.txt && mkdir -p deep/er && echo hi > deep/er/file").stopped_by is Stop.FINISHED
    assert session.read("sorted.txt") == "two\none\n"
    assert session.bash("cat sorted.txt deep/er/file; rm notes.txt").stdout == "two\none\nhi\n"
    assert session.list() == ["deep/er/file", "sorted.txt", "src/double.py"]
    assert session.python("from src.double import double\nprint(double(21))").stdout == "42\n"


def test_tools_work_on_the_files(session):
    session.edit("src/double.py", "2 * x", "x + x")
    assert session.search("x + x") == [("src/double.py", 2, "    return x + x")]
    assert session.list("src") == ["src/double.py"]
    for wrong in ("nowhere", "x", ""):
        with pytest.raises(ValueError, match="exactly once"):
            session.edit("src/double.py", wrong, "y")
    with pytest.raises(FileNotFoundError):
        session.read("nothing.txt")
    session.remove("notes.txt")
    assert session.bash("ls").stdout == "src\n"


def test_folders_are_seen_at_the_root(session):
    rooted = Session({"app/in.txt": "7\n"}, LIMITS, roots=["app", "logs"])
    result = rooted.bash("mkdir -p logs && cd /app && cat in.txt > /logs/out.txt && ls /app && touch /new")
    assert rooted.read("logs/out.txt") == "7\n"
    assert result.stdout == "in.txt\n"
    assert "touch" in result.stderr
    assert session.bash("ls /app").exit_code != 0
    assert rooted.bash("cat /app/../etc/shadow").exit_code != 0


@pytest.mark.parametrize("name", ["usr", "tmp", "work", "etc", "proc", "a/b", "..", ""])
def test_the_systems_folders_are_not_replaced(name):
    with pytest.raises(ValueError, match="cannot be a folder at the root"):
        Session(roots=[name])


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "a/../../b", "x\0y", ".", "y" * 600])
def test_no_path_leads_elsewhere(path):
    with pytest.raises(ValueError, match="below the session's folder"):
        Session().write(path, "")


def test_a_session_holds_so_much_and_no_more():
    with pytest.raises(ValueError, match="at most"):
        Session({"big": b"x" * (9 << 20)})
    with pytest.raises(ValueError, match="a file and a folder"):
        Session({"a": "", "a/b": ""})


def test_a_copy_goes_its_own_way(session):
    other = Session(session.files, LIMITS)
    other.bash("echo three >> notes.txt")
    assert (session.read("notes.txt"), other.read("notes.txt")) == ("one\ntwo\n", "one\ntwo\nthree\n")


ATTACKS = {
    "reads the host's users": "cat /etc/passwd",
    "reads the host's home": "ls /root /home",
    "writes the system": "echo x > /usr/x",
    "becomes root": "unshare -r id -u | grep -x 0",
    "mounts": "mount -t tmpfs x /tmp",
    "opens a connection": "exec 3<>/dev/tcp/127.0.0.1/22",
    "imports what grades it": "python3 -c 'import rlgym'",
    "finds what grades it": "find / -name grading.py 2>/dev/null | grep .",
    "signals the first process": "kill -9 1",
    "looks at processes": "ls /proc/1",
    "makes a device": "mknod d b 8 0 && cat d",
    "fills the memory": "head -c 900m /dev/zero | tail",
    "writes a huge file": "head -c 30000000 /dev/zero > big",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_fails_and_the_next_command_works(session, attack):
    result = session.bash(ATTACKS[attack])
    assert result.exit_code != 0, result
    assert session.bash("echo fine").stdout == "fine\n"


@pytest.mark.parametrize(
    ("command", "stop"),
    [
        ("while :; do :; done", Stop.TIME),
        ("yes", Stop.OUTPUT),
        ("kill -SEGV $$", Stop.CRASHED),
        ("exit 3", Stop.ERROR),
        ("no-such-command", Stop.ERROR),
    ],
)
def test_why_a_command_ended(session, command, stop):
    assert session.bash(command).stopped_by is stop


def test_nothing_outlives_its_command(session):
    mark = f"{os.getpid()}.{time.monotonic_ns()}"
    session.bash(f"(setsid sh -c 'exec -a x{mark} sleep 300' &) ; sleep 300 & disown; :(){{ :|:& }}; : ; echo {mark}")
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert "sleep 300" not in listed
    assert mark not in listed


def test_links_and_pipes_are_not_brought_out(session):
    session.bash("ln -s /etc/passwd link; mkfifo pipe; ln notes.txt hard")
    assert session.list() == ["hard", "notes.txt", "src/double.py"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_c_programs_are_compiled_and_run(session):
    program = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); return 0; }'
    assert session.compile_and_run(program, stdin="3 4").stdout == "7\n"
    refused = session.compile_and_run("int main(void) { return x; }")
    assert refused.stopped_by is Stop.ERROR
    assert "undeclared" in refused.stderr
    assert session.compile_and_run("int main(void) { for (;;); }").stopped_by is Stop.TIME
    assert session.compile_and_run("int main(void) { return *(volatile int *)0; }").stopped_by is Stop.CRASHED
    with pytest.raises(ValueError, match=r"c or c\+\+"):
        session.compile_and_run("", language="cobol")


def test_an_unconfined_session_must_be_asked_for():
    with pytest.raises(SandboxError, match="tier"):
        Session(tier="B")
    plain = Session({"a": "1"}, LIMITS, tier="C")
    assert plain.bash("cat a; echo new > n").stdout == "1"
    assert plain.list() == ["a", "n"]


def test_a_long_standard_input_comes_in_whole(session):
    text = "0123456789abcde\n" * 12_500
    assert session.bash("wc -c", stdin=text).stdout.strip() == str(len(text))
    assert session.bash("head -c 3; tail -c 3", stdin=text).stdout == "012de\n"
