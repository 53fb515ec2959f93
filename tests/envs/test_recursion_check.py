"""Recursion is found wherever a function comes back to itself, and programs without it pass."""

import pytest

from rlgym.generators.programs.recursion_check import recursion

RECURSIVE = {
    "by name": "def solve(n):\n    return solve(n - 1) if n else 0",
    "through a list": "def a(n):\n    return T[0](n - 1) if n else 0\nT = [a]\ndef solve(n):\n    return T[0](n)",
    "through a list filled later": "T = []\ndef a(n):\n    return T[0](n - 1) if n else 0\nT.append(a)\ndef solve(n):\n    return a(n)",
    "through an argument": "def a(n, fs):\n    return fs[0](n - 1, fs) if n else 0\ndef solve(n):\n    return a(n, [a])",
    "through a cache": "from functools import lru_cache\ndef a(n):\n    return g(n - 1) if n else 0\ng = lru_cache(None)(a)\nsolve = g",
    "through a parameter": "T = [0]\ndef a(n):\n    return T[0](n - 1) if n else 0\ndef put(f):\n    T[0] = f\nput(a)\ndef solve(n):\n    return a(n)",
    "through an attribute": "class A:\n    def go(self, n):\n        return self.t[0](n - 1) if n else 0\nx = A()\nx.t = [x.go]\nsolve = x.go",
    "through a class": "class A:\n    def __init__(self, n):\n        self.n = A(n - 1).n + 1 if n else 0\ndef solve(n):\n    return A(n).n",
    "through a list's own append": "T = []\ndef a(n):\n    return T[0](n - 1) if n else 0\nlist.append(T, a)\ndef solve(n):\n    return a(n)",
    "through a method that is handed on": "T = []\ndef a(n):\n    return T[0](n - 1) if n else 0\nlist(map(T.append, [a]))\n"
    "def solve(n):\n    return a(n)",
    "through a lambda": "solve = (lambda f: lambda n: f(f, n))(lambda f, n: f(f, n - 1) if n else 0)",
}
ITERATIVE = {
    "a table of results": "memo = {}\ndef one(n):\n    return memo.get(n, 0) + 1\ndef solve(n):\n"
    "    for k in range(n):\n        memo[k] = one(k)\n    return memo[n - 1]",
    "a table of functions": "def f(n, t):\n    return t[n - 1] + 1\ndef g(n, t):\n    return t[n - 1] * 2\nF = [f, g]\ndef solve(n):\n    t = [1]\n"
    "    for k in range(1, n + 1):\n        t.append(F[k % 2](k, t))\n    return t[n]",
}


@pytest.mark.parametrize("case", RECURSIVE)
def test_recursion_is_found(case):
    assert "refers to itself" in recursion(RECURSIVE[case])


@pytest.mark.parametrize("case", ITERATIVE)
def test_a_program_without_recursion_passes(case):
    assert recursion(ITERATIVE[case]) == ""


WAYS_ROUND = (
    "import sys", "from operator import methodcaller", "setattr(int, 'x', 1)", "solve.__code__", "collections._sys", "from collections import _sys",
    "class A:\n    def __call__(self, n):\n        return self(n - 1)", "class A(dict):\n    def __missing__(self, n):\n        return self[n - 1]",
    "(x for x in 'a').gi_frame", "match x:\n    case object(f_builtins=b): pass", "from functools import singledispatch",
    "functools.update_wrapper(solve, collections.namedtuple, (), ['__globals__'])", "from functools import wraps as w",
)  # fmt: skip


@pytest.mark.parametrize("program", WAYS_ROUND)
def test_ways_round_the_check_are_refused(program):
    assert "may not be" in recursion(program)


def test_deep_programs_are_refused():
    # What each level refers to would be gathered anew from all below it: 4 s of CPU for 2,900 levels.
    assert "levels deep" in recursion(f"def solve(n):\n    return n{'()' * 500}")
