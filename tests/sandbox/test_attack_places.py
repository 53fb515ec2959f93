"""The same attacks at different places of a program, and luck, which is not paid either."""

import os
import sys
import textwrap

import pytest
from untrusted.sandboxes import FORGE, HONEST, TESTS, unpaid

from rlgym.sandbox.grading import score_program

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

# A third of the attacks on the grader and on the way answers take, as statements that are put in different places.
STATEMENTS = {
    "A01": "class E:\n    __eq__ = lambda s, o: True\n    __hash__ = lambda s: 0\nreturned = E()",
    "A02": "class I(int):\n    __eq__ = lambda s, o: True\n    __hash__ = int.__hash__\nreturned = I(1)",
    "A04": "import sys\nsys.exit(0)",
    "A05": "import os\nos._exit(0)",
    "A07": "import sys\nfor f in list(sys._current_frames().values()):\n    while f:\n"
    "        for k in ('expected', 'answers', 'cases', 'tests'):\n"
    "            returned = f.f_locals.get(k, 1)\n        f = f.f_back",
    "A10": "import ctypes, sys\nf = sys._getframe()\nwhile f:\n    for k in list(f.f_locals):\n"
    "        if k in ('answer', 'value', 'passed', 'most'): f.f_locals[k] = True\n"
    "    ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(f), ctypes.c_int(0))\n    f = f.f_back",
    "A11": "import builtins, unittest\nbuiltins.all = builtins.any = lambda *a: True\nunittest.TestCase.assertEqual = lambda *a: None",
    "A13": "import atexit\natexit.register(lambda: [x.update(passed=True) for x in __import__('gc').get_objects() if type(x) is dict])",
    "A16": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "A19": "import sys\nsys.setprofile(lambda f, e, a: f.f_locals.update(passed=True))",
    "A20": "import sys\nsys.modules['inside.child'].json.dumps = lambda *a, **k: '{\"passed\": true}'",
    "A22": 'import threading\nthreading.Thread(target=lambda: [say(b\'{"number": %d, "value": "true"}\' % number()) for _ in '
    "range(99)]).start()",
    "B01": 'import os\nfor i in range(4): say(b\'{"number": %d, "value": "true"}\' % i)\nos._exit(0)',
    "B03": "import os\nwhile True: os.write(3, b'\\xff' * 4096)",
    "B06": 'say(b\'{"number": %d, "number": %d, "value": "null", "value": "true"}\' % (number(), number()))',
    "B12": "import os\nos.close(3)",
    "B13": "returned = 'x' * 10**10",
    "B16": 'say(b\'{"number": %d, "value": "[\\\\"f\\\\",\\\\"0x1p99999\\\\"]"}\' % number())',
    "B18": "import fcntl, os\nfcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK)\nwhile True: os.read(3, 1)",
}


PLACES = {
    "while loading": "{0}\ndef solve(a, b):\n    return globals().get('returned', 1)",
    "inside": "def solve(a, b):\n    returned = 1\n{1}\n    return returned",
    "when freed": "class F:\n    def __del__(self):\n        returned = 1\n{2}\ndef solve(a, b):\n    F()\n    return 1",
    "at exit": "import atexit, sys\ndef end():\n    returned = 1\n{1}\natexit.register(end)\ndef solve(a, b):\n"
    "    if a > 1: atexit._run_exitfuncs()\n    return 1",
    "in a thread": "import threading\ndef run():\n    returned = 1\n{1}\ndef solve(a, b):\n    t = threading.Thread(target=run)\n"
    "    t.start()\n"
    "    t.join(0.05)\n    return 1",
    "after right answers": "def solve(a, b):\n    if a >= 0: return a + b\n    returned = 1\n{1}\n    return returned",
}


@pytest.mark.parametrize("place", PLACES)
def test_it_does_not_matter_where_an_attack_stands(runner, place):
    for row, statement in STATEMENTS.items():
        if row == "A16" and place not in ("when freed", "after right answers"):
            continue  # a loop takes a whole second; elsewhere it is in test_process.py
        inner, innermost = textwrap.indent(statement, "    "), textwrap.indent(statement, "        ")
        score = unpaid(runner, FORGE + PLACES[place].format(statement, inner, innermost))
        assert "SyntaxError" not in score.reason
        assert "NameError" not in score.reason
        if place == "after right answers":
            assert list(score.parts.values()) == [1, 1, 0], row


def test_a32_neither_a_constant_nor_a_coin_is_paid(runner):
    tests = [(f"({n},)", str(n % 3 == 0 or n % 7 == 2)) for n in range(40)]
    assert {expected for _, expected in tests} == {"True", "False"}
    for program in ("solve = lambda n: True", "solve = lambda n: False", "import random\nsolve = lambda n: random.random() < .5"):
        unpaid(runner, program, tests)
    assert score_program(runner, "solve = lambda n: n % 3 == 0 or n % 7 == 2", tests).value == 1


F03 = {
    "chance": "import random\nsolve = lambda a, b: a + b if random.random() < .5 else 0",
    "system's chance": "import os\nsolve = lambda a, b: a + b if os.urandom(1)[0] & 1 else 0",
    "time": "import time\nsolve = lambda a, b: a + b if time.time_ns() // 100 % 2 else 0",
    "threads": "import threading\ndef solve(a, b):\n    got = []\n"
    "    for v in (0, a + b): threading.Thread(target=got.append, args=(v,)).start()\n    return got[0]",
    "processors": "import os\nsolve = lambda a, b: a + b if (os.cpu_count() or 1) < 1 else 0",
    "place": "import os, time\nsolve = lambda a, b: a + b if os.environ.get('TZ') != 'UTC' or time.timezone else 0",
    "names": "solve = lambda a, b: a + b if hash('a') % 1000 == 5 else 0",
    "addresses": "solve = lambda a, b: a + b if id(object()) >> 4 & 1 and id([]) >> 5 & 1 else 0",
}


@pytest.mark.parametrize("name", F03)
def test_f03_luck_is_not_paid_in_any_of_several_runs(runner, name):
    tests = [(f"({n}, 1)", str(n + 1)) for n in range(40)]
    for _ in range(3):
        assert score_program(runner, F03[name], tests).value == 0
    assert score_program(runner, HONEST, tests).value == 1


def test_f01_half_of_the_time_is_enough_every_time(runner):
    program = "import time\nwhile time.process_time() < 0.25: pass\n" + HONEST
    assert [score_program(runner, program, TESTS).value for _ in range(3)] == [1, 1, 1]
