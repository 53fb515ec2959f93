"""Syntax trees are read in threads while the collector runs Python, as under hypothesis or a profiler."""

import ast
import gc
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rlgym
from rlgym.core import syntax

SOURCE = "def solve(values):\n" + "\n".join(f"    values = [value + {i} * (value - {i}) for value in values]" for i in range(40))
ROOT = Path(rlgym.__file__).parents[1]


@pytest.fixture
def collected():
    """A collector that runs often, and lets other threads in each time it does."""

    def noted(phase: str, info: dict[str, int]) -> None:
        threading.Event().wait(0.0001)

    before = gc.get_threshold()
    gc.callbacks.append(noted)
    gc.set_threshold(50, 5, 5)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(noted)


def test_trees_are_read_in_threads(collected):
    expected = ast.dump(ast.parse(SOURCE))
    with ThreadPoolExecutor(4) as threads:
        assert {ast.dump(tree) for tree in threads.map(syntax.program, [SOURCE] * 12)} == {expected}


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="later Pythons hold the depth apart")
def test_without_the_lock_it_fails(collected):
    """Else the test above shows nothing."""

    def fails(_: int) -> bool:
        try:
            ast.parse(SOURCE)
        except SystemError:
            return True
        return False

    with ThreadPoolExecutor(4) as threads:
        assert any(threads.map(fails, range(40)))


def test_a_child_is_forked_while_another_thread_reads():
    """In a process of its own, since a fork in a process with threads is a warning on Python 3.12."""
    program = f"""
import os, threading
from rlgym.core import syntax
source = {SOURCE!r}
done = threading.Event()
def read():
    while not done.is_set():
        syntax.program(source)
reader = threading.Thread(target=read)
reader.start()
for _ in range(20):
    child = os.fork()
    if not child:
        syntax.program("1")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
done.set()
reader.join()
print("done")
"""
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout == "done\n"


def test_no_file_reads_a_tree_by_itself():
    """What is judged, generated or looked up in threads goes through `rlgym.core.syntax`."""
    rooms = ("envs", "generators", "sandbox", "rlgym/answers", "rlgym/derived", "rlgym/episode")
    files = [ROOT / "rlgym/registry.py", *(file for room in rooms for file in (ROOT / room).rglob("*.py"))]
    assert len(files) > 600
    calls = {
        (file, node)
        for file in files
        if "ast.parse" in (text := file.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
    }
    assert [file for file, node in calls if ast.unparse(node.func) == "ast.parse"] == []
