"""Answers that a guesser tries first, whatever the question: small numbers, simple fractions, short lists, everyday words."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import Any

from rlgym.core.answer import Answer, Unreadable

INTEGERS = (
    *range(13),
    15,
    16,
    18,
    20,
    21,
    24,
    25,
    28,
    30,
    35,
    36,
    40,
    42,
    45,
    48,
    50,
    60,
    64,
    72,
    75,
    80,
    90,
    100,
    120,
    180,
    360,
    1000,
    -1,
    -2,
    -3,
)
FRACTIONS = "1/2 1/3 2/3 1/4 3/4 1/5 2/5 1/6 5/6 1/8 3/8 1/10 1/12 1/16 1/36 3/2 4/3 5/2 5/3 7/2 0.5 0.25".split()
WORDS = """yes no none true false both neither impossible unknown same equal valid invalid follows knight knave never empty
sat unsat open order tie both nobody different stag hare cooperate defect wait take a b c A B C x y n
R L U D N S up down left right north red blue green black white monday Monday table""".split()
LINES = (
    "yes 1",
    "no 1",
    "yes 2 3",
    "no 2",
    "no 3",
    "no 5",
    "no 7",
    "no 11",
    "true true",
    "true false",
    "false false",
    "A B",
    "B A",
    "A B C",
    "A C",
    "B C",
    "R D",
    "R R",
    "a b",
    "x y",
    "a-b",
    "b-a",
    "A-B",
    "c-b",
    "1 to 2",
)
EXPRESSIONS = "x n -x 2*x x+1 x-1 x^2 x^3 1/x n^2 n+1 2*n n*(n+1)/2 2^n n! x*y x+y sin(x) cos(x) exp(x) log(x) C".split()
LITERALS = """None [] [0] [1] [2] [-1] [1,1] [1,0] [0,1] [2,1] [1,1,2] [1,3,0] [2,2,1] [4,4] [5,3,1,2] [3,1,2] [1,-1] [-1,1,0]
[3,-7,12,0,5,5,-20,44] [1,1,2,3,5,8,13] [-50,-25,0,25,50] [9,8,7,6,5,4,3,2,1,0] [50,-50,49,-49,7,7,0,1,-1,2] ([1,2],3) ([3,1,2],2) ([],0)
(1,2) (0,0) (2,1) (3,3) {} null "" "a" {"a":1} 0 True (1,1/2) (0,1) {1,2}""".split()
SPELLINGS = (
    "()",
    "(())",
    "()()",
    ")",
    "))",
    ")))",
    "]",
    ")]",
    "(A(BC))",
    "((AB)C)",
    "ab",
    "aab",
    "abab",
    "ba",
    "aa",
    "abc",
    "I",
    "V",
    "X",
    "XX",
)
INTERVALS = "(-oo,oo) (0,oo) (-oo,0) [0,1] (0,1) [1,2] all x>0 x<0 x>=0 x>1 x!=0 x>0,y>0".split()
MAPPINGS = (
    "x = 1, y = 2",
    "x = 1, y = 1",
    "x = 0, y = 0",
    "x = 2, y = 3",
    "x: true, y: true",
    "A: 1, B: 2",
    "A: 1, B: 1",
    "a: 0, b: 0",
    "0 = 1/2, 1 = 1/2",
    "00 = 1/2, 11 = 1/2",
    "00 = 1/4, 01 = 1/4, 10 = 1/4, 11 = 1/4",
)
PROGRAMS = ("values", "0", "None", "True", "[]", "sum(values)", "len(values)", "sorted(values)")
GRIDS = ("0", "1", "1 0\n0 1", "0 0\n0 0", "1 1\n1 1", "1 2\n2 1", "1 2\n3 4", ". .\n. .", "# #\n# #", "0 1\n1 0")
OTHERS = ("a*", "(a|b)*", ".*", "SELECT 1", "2000-01-01", "12:00", "00:00", "y = x", "skip", "stop", "halt")
LONGEST_LIST = 6


def natural_guesses(answer: Answer[Any], most: int) -> list[str]:
    """The first guesses that an answer format can read, no more than `most`: the most natural first, each value once."""
    guesses: dict[str, str] = {}
    for text in (*_options(answer), *_bank()):
        if len(guesses) >= most:
            break
        try:
            guesses.setdefault(repr(answer.parse(text)), text)
        except Unreadable:
            continue
    return list(guesses.values())


def _options(answer: Answer[Any]) -> list[str]:
    return [answer.render(option) for option in getattr(answer, "options", ())]


@cache
def _bank() -> list[str]:
    numbers = [*map(str, INTEGERS), *FRACTIONS]
    operators = ["".join(signs) for length in (1, 2, 3) for signs in product("+-*", repeat=length)]
    bits = ["".join(digits) for length in (2, 3, 4) for digits in product("01", repeat=length)]
    programs = [f"def solve(values):\n    return {value}" for value in PROGRAMS]
    codes = ["\n".join(f"{name}: {code}" for name, code in zip("abc", codes, strict=True)) for codes in permutations(("0", "10", "11"))]
    texts = (
        numbers,
        WORDS,
        _lists(),
        operators,
        bits,
        LITERALS,
        EXPRESSIONS,
        LINES,
        SPELLINGS,
        INTERVALS,
        MAPPINGS,
        codes,
        GRIDS,
        OTHERS,
        programs,
    )
    return [text for group in texts for text in group]


def _lists() -> list[str]:
    """Short lists of small numbers: counting up and down, all alike, two different ones; with commas, and with spaces."""
    lists: dict[tuple[int, ...], None] = {}
    for length in range(1, LONGEST_LIST + 1):
        up = tuple(range(1, length + 1))
        lists.update(dict.fromkeys((up, up[::-1], tuple(range(length)), (0,) * length, (1,) * length, (2,) * length, up[::2])))
    lists.update(dict.fromkeys(product(range(4), repeat=2)))
    return [separator.join(map(str, each)) for separator in (", ", " ") for each in lists if len(each) > 1]
