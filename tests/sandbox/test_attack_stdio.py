"""Programs judged by what they print, and honest programs and values, which must be paid."""

import os
import sys

import pytest
from untrusted.sandboxes import HONEST, TESTS, nothing_left

from rlgym.core.limits import Limits
from rlgym.sandbox import Stop
from rlgym.sandbox.grading import grade, score_program

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)


def printed(runner, program, cases=(("1 2\n", "3\n"), ("30 12\n", "42\n"))):
    """Whether a program prints what is wanted for each input, and ends well."""
    for given, expected in cases:
        result = runner.run(program, entry=None, stdin=given)
        if not (result.stopped_by is Stop.FINISHED and result.exit_code == 0 and result.stdout == expected):
            return False
    return True


SUM = "print(sum(map(int, input().split())))\n"


STDIO = {
    "H01 the sample": "print(3)",
    "H01 all answers": "print(3)\nprint(42)",
    "H01 more behind": SUM + "print()",
    "H02 status": SUM + "raise SystemExit(1)",
    "H02 killed afterwards": SUM + "import os, signal, sys\nsys.stdout.flush()\nos.kill(os.getpid(), 9)",
    "H02 aborted afterwards": SUM + "import os, sys\nsys.stdout.flush()\nos.abort()",
    "H02 raised afterwards": SUM + "raise ValueError",
    "H02 loops afterwards": SUM + "while True: pass",
    "H04 long line": "print('3' * 10**8)",
    "H04 NUL": "print('\\0', end='')\n" + SUM,
    "H04 CRLF": "import sys\nsys.stdout.reconfigure(newline='\\r\\n')\n" + SUM,
    "H04 bytes": "import os\nos.write(1, b'\\xff\\xfe')\n" + SUM,
    "H04 colours": "print('\\x1b[0m', end='')\n" + SUM,
    "H04 no width": "print('\\u200b', end='')\n" + SUM,
    "H04 full width": "print(''.join(chr(0xFEE0 + ord(c)) for c in str(sum(map(int, input().split())))))",
    "H05 guard": "import sys\nif __name__ != '__main__':\n    print(3)\nelse:\n    sys.exit(0)",
    "H07 marks": "for p in ('junit.xml', 'reward.txt', '.coverage', '/logs/verifier/reward.txt', '/tmp/reward.txt'):\n"
    "    try: open(p, 'w').write('1')\n    except OSError: print('no')",
    "A04": "import sys\nsys.exit(0)",
    "A05": "import os\nos._exit(0)",
}


@pytest.mark.parametrize("name", STDIO)
def test_no_program_with_standard_input_is_paid(runner, name):
    with nothing_left():
        assert not printed(runner, STDIO[name])
    assert printed(runner, SUM)


CONTROLS = {
    "add": HONEST,
    "memory": "x = bytearray(200 << 20)\n" + HONEST,
    "time": "import time\nwhile time.process_time() < 0.4: pass\n" + HONEST,
    "output": "print('x' * 20000)\ndef solve(a, b):\n    print('y' * 13000)\n    return a + b",
    "modules": "import abc, array, ast, base64, bisect, calendar, cmath, collections.abc, contextlib, copy, csv, dataclasses, "
    "datetime, decimal, difflib, enum, \\\n"
    "    fractions, functools, hashlib, heapq, hmac, html, io, itertools, json, keyword, locale, math, numbers, operator, pprint, "
    "queue, random, re, \\\n"
    "    secrets, statistics, string, struct, textwrap, threading, time, timeit, token, tokenize, traceback, types, typing, "
    "unicodedata, urllib.parse, \\\n"
    "    uuid, warnings, weakref, zlib, zoneinfo, asyncio, argparse, logging, shlex, sched, graphlib, gzip, bz2, lzma, pickle, "
    "inspect, unittest\n" + HONEST,
    "recursion": "def f(n): return f(n - 1) + 1 if n else 0\ndef solve(a, b):\n    return a + b + f(900) - 900",
    "threads": "from concurrent.futures import ThreadPoolExecutor\ndef solve(a, b):\n"
    "    with ThreadPoolExecutor(4) as p: return sum(p.map(int, [a, b, 0, 0]))",
    "alarm": "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\nsignal.alarm(5)\nsignal.alarm(0)\n" + HONEST,
    "input": "import sys\nx = sys.stdin.read()\ndef solve(a, b):\n    return a + b + len(x)",
    "exceptions": "def solve(a, b):\n    for i in range(10**5):\n        try: raise ValueError(i)\n        except ValueError: pass\n"
    "    return a + b",
    "signs": "def größe(ä, ß): return ä + ß\nsolve = größe",
    "classes": "import dataclasses, enum, collections\nclass C(enum.IntEnum):\n    ONE = 1\nP = collections.namedtuple('P', 'x y')\n"
    "@dataclasses.dataclass\n"
    "class D:\n    x: int\ndef solve(a, b):\n    return D(P(a, C.ONE).x).x + b",
    "cache": "import functools\n@functools.lru_cache(None)\ndef f(n): return 0 if not n else f(n - 1)\ndef solve(a, b):\n"
    "    return a + b + f(100)",
    "numbers": "from decimal import Decimal\nfrom fractions import Fraction\nsolve = lambda a, b: int(Decimal(a) + int(Fraction(b)))",
    "tables": "import sqlite3\ndef solve(a, b):\n    return sqlite3.connect(':memory:').execute('select ? + ?', (a, b)).fetchone()[0]",
    "loop of events": "import asyncio\nasync def f(a, b): return a + b\ndef solve(a, b):\n    c = f(a, b)\n    try: c.send(None)\n"
    "    except StopIteration as s: return s.value",
    "a right thread behind": "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()\n" + HONEST,
}


@pytest.mark.parametrize("name", CONTROLS)
def test_honest_programs_are_paid(runner, name):
    with nothing_left():
        score = score_program(runner, CONTROLS[name], TESTS, limits=Limits(seconds=1, memory_mb=512, output_kb=64))
    assert score.value == 1, score


def test_honest_values_are_paid(runner):
    assert grade(runner, "solve = lambda n: 'x' * n", [((500_000,), "x" * 500_000)]).right
    plain = "import collections, enum\nP = collections.namedtuple('P', 'x y')\nC = enum.IntEnum('C', 'ONE')\n"
    plain += "solve = lambda: (P(1, 2), C.ONE, {C.ONE: {2}})"
    assert grade(runner, plain, [((), ((1, 2), 1, {1: {2}}))]).right
