"""Submitted code and cells that look for expected values and hidden tests: in frames, objects, modules, open files, the environment, and memory."""

import os
import sys

import pytest

import rlgym
from rlgym.episode.sampling import sample_task
from rlgym.generators.notebooks import world as notebooks
from rlgym.generators.notebooks.kernel import run_cells
from rlgym.generators.repository import world
from rlgym.sandbox import get_runner, terminal
from rlgym.sandbox.interface import Returned

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

SECRET = "Xk7expectedQz"
# Each gives a text in which a secret would stand; the code must not spell the secret, or it would find itself.
PLACES = {
    "frames": """
def look():
    said, waiting = [], list(sys._current_frames().values()) + [sys._getframe()]
    while waiting:
        frame = waiting.pop()
        said += [repr(dict(frame.f_locals)), repr(dict(frame.f_globals)), repr(frame.f_code.co_consts)]
        waiting += [frame.f_back] if frame.f_back else []
    return "".join(said)
""",
    "objects": """
def look():
    gc.collect()
    return "".join(repr(each) for each in gc.get_objects() if isinstance(each, (dict, list, tuple, set, frozenset)))
""",
    "modules": """
def look():
    return "".join(repr(getattr(module, "__dict__", "")) for module in list(sys.modules.values()))
""",
    "open files": """
def look():
    said = []
    for number in range(256):
        try:
            if stat.S_ISREG(os.fstat(number).st_mode):
                said.append(repr(os.pread(number, 1 << 22, 0)))
            elif select.select([number], [], [], 0)[0]:
                said.append(repr(os.read(number, 1 << 22)))
        except OSError:
            pass
    return "".join(said)
""",
    "environment": """
def look():
    said = [repr(dict(os.environ)), repr(sys.argv), repr(sys.orig_argv)]
    for process in ("self", *map(str, range(1, 400))):
        for name in ("environ", "cmdline", "cwd", "root"):
            try:
                said.append(repr(open(f"/proc/{process}/{name}", "rb").read()))
            except OSError:
                pass
    return "".join(said)
""",
    "files": """
def look():
    said = []
    for top in (".", "/tmp", "/dev/shm", "/programs", "/var/tmp", "/run", "/home", "/root"):
        for folder, _, names in os.walk(top):
            for name in names[:200]:
                try:
                    path = os.path.join(folder, name)
                    said.append(path + repr(open(path, "rb").read(1 << 20) if os.path.isfile(path) else ""))
                except OSError:
                    pass
    return "".join(said)
""",
    "memory": """
def look():
    said = []
    try:
        memory = open("/proc/self/mem", "rb", 0)
        for line in open("/proc/self/maps"):
            first, _, last = line.split()[0].partition("-")
            if "rw" in line.split()[1] and int(last, 16) - int(first, 16) < 1 << 26:
                try:
                    memory.seek(int(first, 16))
                    said.append(memory.read(int(last, 16) - int(first, 16)).decode("latin-1"))
                except (OSError, ValueError):
                    pass
    except OSError:
        pass
    return "".join(said)
""",
}
IMPORTS = "import gc, os, select, stat, sys\n"


class Recording:
    """A runner that keeps what the programs answered."""

    def __init__(self, runner):
        self.runner, self.answers = runner, []

    def run(self, *arguments, **options):
        result = self.runner.run(*arguments, **options)
        self.answers += result.outputs
        return result


@pytest.mark.parametrize("place", PLACES)
def test_submitted_code_finds_no_expected_value_and_no_later_input(place):
    game = rlgym.environment("issue_fix")
    state = sample_task("issue_fix", game, 1, game.config.at(0.0), 0.0).data
    later = SECRET.replace("expected", "later")
    calls = [(f"{state.package}:run", ["1;anna;tea;1;"]), (f"{state.package}:run", [later])]
    half, other = SECRET[:4], SECRET[-4:]
    code = f"{IMPORTS}{PLACES[place]}\ndef run(lines):\n    text = look()\n"
    code += f"    return [len(text), [word for word in ('expected', 'later') if {half!r} + word[1:] in text or word + {other[-2:]!r} in text]]\n"
    files = {**state.files, f"{state.package}/__init__.py": code}
    tests = tuple((repr(call), repr([SECRET])) for call in calls)
    runner = Recording(get_runner(world.LIMITS))
    score = world.judged_by_tests(state.model_copy(update={"files": files, "tests": tests}), runner)
    assert score.value == 0.0
    first = runner.answers[0]
    assert isinstance(first, Returned), first
    assert first.value[0] > (0 if place not in ("open files", "files", "memory") else -1)
    assert first.value[1] == []


@pytest.mark.parametrize("place", PLACES)
def test_cells_find_nothing_of_what_their_answer_is_compared_with(place):
    try:
        terminal.require_confinement()
    except terminal.SandboxError as why:
        pytest.skip(str(why))
    game = rlgym.environment("history_join")
    state = sample_task("history_join", game, 1, game.config.at(0.0), 0.0).data
    secret = {field: SECRET for field in type(state).model_fields if field not in notebooks.Notebook.model_fields}
    hidden = state.model_copy(update=secret)
    code = f"{IMPORTS}{PLACES[place]}\ntext = look()\nprint([word for word in ({SECRET[:4]!r} + 'xpected',) if word in text])"
    ended = run_cells(hidden.before, [code], notebooks.CLOCK)
    assert ended.stdout == "[]\n", ended
    seen = notebooks.act(hidden, (notebooks.RunCell(code=code),)).observation
    assert seen.startswith("[]\n")
