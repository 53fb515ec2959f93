"""Warm cells: what one command leaves is not there for the next, and no command reaches what serves it."""

import os
from contextlib import closing

import pytest

from rlgym.sandbox import SandboxError, terminal
from rlgym.sandbox.terminal import Cells, Entry, file_entry

NOW = 1_715_950_000
TREE = {"kept.txt": file_entry("kept\n", NOW)}


@pytest.fixture(scope="module")
def cells():
    with closing(Cells()) as own:
        try:
            own.run({}, ":", NOW)
        except SandboxError as why:
            pytest.skip(str(why))
        yield own


def python(cells, program):
    """What a program in the shell prints."""
    ended = cells.run(TREE, f"python3 - <<'END'\n{program}\nEND", NOW)
    return ended.stdout + ended.stderr


ALIVE = """
import os
alive = []
for number in range(1, 400):
    try:
        os.kill(number, 0)
        alive.append(number)
    except ProcessLookupError:
        pass
    except PermissionError:
        alive.append(number)
print(len(alive) <= 4, max(alive) < 12)
"""
OPEN = """
import os
found = []
for number in range(256):
    try:
        os.fstat(number)
        found.append(number)
    except OSError:
        pass
print(found)
"""


def test_a_command_finds_nothing_of_the_one_before(cells):
    cells.run(TREE, "echo secret > /tmp/left; echo secret > new.txt; (sleep 9 &) ; mkdir -p /work/deep", NOW)
    assert cells.run(TREE, "ls -A /tmp /work; echo $(ls -A /tmp | wc -l)", NOW).stdout == "/tmp:\n\n/work:\nkept.txt\n0\n"
    assert python(cells, ALIVE) == "True True\n"


def test_a_command_has_no_descriptor_but_its_streams(cells):
    assert python(cells, OPEN) == "[0, 1, 2]\n"


@pytest.mark.parametrize(
    "attempt",
    [
        "import socket; socket.socket()",
        "open('/usr/bin/new', 'w')",
        "open('/etc/shadow').read()",
        "import os; os.listdir('/root')",
        "import os; os.listdir('/proc')",
        "import os; os.setuid(0)",
        "import os; os.kill(1, 9); os.kill(os.getppid(), 0); import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0",
        "import ctypes; assert ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0",
        "import os; os.chroot('/work')",
    ],
)
def test_what_a_command_may_not_do_fails(cells, attempt):
    shown = python(cells, f"{attempt}\nprint('done')")
    assert "done" not in shown
    assert "Error" in shown or "refused" in shown or shown == ""
    assert cells.run(TREE, f"cat kept.txt # {len(attempt)}", NOW).stdout == "kept\n"


def test_the_cell_serves_on_after_every_kind_of_end(cells):
    before = cells.pids()
    for command in ("exit 7", "kill -SEGV $$", "exec sleep 0", "kill -9 $$", "ulimit -v 1000; python3 -c 1", "nothing-like-that"):
        cells.run(TREE, command, NOW)
    assert cells.pids() == before
    for command in ("yes", "python3 -c 'x = bytearray(10**9)'", "while :; do :; done"):
        cells.run(TREE, command, NOW)
    assert cells.run(TREE, "cat kept.txt; :", NOW).stdout == "kept\n"


def test_links_lead_nowhere_outside(cells):
    tree = {**TREE, "out": Entry("symlink", 0o777, NOW, "/etc/passwd"), "up": Entry("symlink", 0o777, NOW, "../../..")}
    ended = cells.run(tree, "cat out; ls up; ln -s /root mine", NOW)
    assert ended.stdout == ""
    assert ended.tree["mine"].content == "/root"


def test_a_process_that_forks_gets_cells_of_its_own():
    terminal.require_confinement()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        ended = terminal.run_command(TREE, "cat kept.txt; echo child", NOW)
        os.write(writing, ended.stdout.encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 100) == b"kept\nchild\n"
    assert terminal.run_command(TREE, "cat kept.txt; echo parent", NOW).stdout == "kept\nparent\n"
    for descriptor in (reading, writing):
        os.close(descriptor)
