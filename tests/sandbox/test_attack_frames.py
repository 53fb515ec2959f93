"""Answers that a program forges byte by byte, and inputs that it never reads."""

import json
import os
import sys
import time

import pytest
from untrusted.sandboxes import FORGE, nothing_left, unpaid

from rlgym.sandbox.grading import grade
from rlgym.sandbox.process.inside import values

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

# What stands for the value of an answer, or for a whole frame with the right number, in the bytes that a program may write itself.
FORGED_VALUES = (
    *(
        '["f","0x1p99999"]',
        '["f","1e400"]',
        '["f","nan"]',
        '["f",""]',
        '["i","1e400"]',
        '["i","-0"]',
        '["i",3]',
        '["i",null]',
        '["i","' + "7" * 9000 + '"]',
    ),
    *(
        '["s","\\ud800"]',
        '["b","0"]',
        '["b","zz"]',
        '["l",3]',
        '["l",["3"]]',
        '["u",[["i","1"],["i","1"]]]',
        '["u",[["l",[]]]]',
        '["u",[["d",[]]]]',
    ),
    *(
        '["d",[[["l",[]],null]]]',
        '["d",[[1]]]',
        '["d",[3]]',
        '["d",[[["i","1"],null],[["f","0x1p0"],null]]]',
        '["x",[]]',
        '[["i"],"3"]',
        "[]",
        "3",
    ),
    *("1e400", "-0", "01", "1E2", "NaN", "{}", '{"i":"3","i":"3"}', "", "\\u0000", "\\ufeff[]", "\\ud800", '["i","3"] x', "[" * 3000),
)


FORGED_FRAMES = (
    *(
        b"",
        b"[]",
        b"3",
        b"null",
        b"true",
        b'"x"',
        b"{}",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"\0",
        b"[" * 9000,
        b'{"number":1e400,"value":""}',
        b'{"number":01}',
    ),
    *(b'{"number":NUMBER}', b'{"number":NUMBER,"value":null}', b'{"number":NUMBER,"value":3}', b'{"number":NUMBER,"number":NUMBER}'),
    *(
        b'{"number":NUMBER,"raised":5}',
        b'{"number":NUMBER,"raised":["\\ud800","\\u001b[2J\\ud800"]}',
        b'{"number":NUMBER,"raised":[[],{}]}',
    ),
    *(b'{"number":NUMBER,"unsendable":null}', b'{"number":true,"value":"true"}', b'{"number":"NUMBER","value":"true"}', b'{"loaded":true}'),
    *(b'{"number":NUMBER,"value":"true","passed":true}', b'{"number":' + b"9" * 5000 + b',"value":"true"}', b'["number","value"]'),
)


def test_b16_no_forged_value_is_taken_or_gets_through(runner):
    for forged in FORGED_VALUES:
        text = json.dumps(forged).replace("\\\\u", "\\u")
        frame = f"b'{{\"number\": %d, \"value\": ' % number() + {text.encode()!r} + b'}}'"
        unpaid(runner, f"{FORGE}\ndef solve(a, b):\n    say({frame})\n    return 0")


def test_b16_no_forged_frame_is_taken_or_gets_through(runner):
    for forged in FORGED_FRAMES:
        unpaid(runner, f"{FORGE}\ndef solve(a, b):\n    say({forged!r}.replace(b'NUMBER', b'%d' % number()))\n    return 0")
        unpaid(runner, f"{FORGE}\nsay({forged!r}.replace(b'NUMBER', b'0'))\nsolve = lambda a, b: 0")


def test_b16_an_answer_is_as_long_as_an_honest_one_and_spelled_like_it(runner):
    program = f"{FORGE}\ndef solve(n):\n    say(json.dumps({{'number': number(), 'value': '[\"s\",\"' + 'x' * n + '\"]'}}).encode())\n"
    program += "    import time\n    time.sleep(0.2)"
    expected = {n: grade(runner, program, [((n,), "x" * n)]).passed for n in (10, 1_000_000, 2_000_000)}
    assert list(expected.values()) == [(True,), (True,), (False,)]
    for text in (b'["f","1"]', b'["f","0x1p0"]', b'["f"," inf"]', b'["f","1e400"]', b'["f","-0x0.0p+0"]'):
        with pytest.raises(values.Unsendable):
            values.decode(text)
    for number in (0.1, -1e300, 5e-324, float("inf"), 3.0):
        assert values.decode(values.encode(number)) == number


def test_c27_keys_that_hash_alike_do_not_keep_the_grader_busy(runner):
    for kind, item in (("d", '[["i","%x"],null]'), ("u", '["i","%x"]')):
        keys = f"','.join({item!r} % (i * (2**61 - 1)) for i in range(60000))"
        program = f"{FORGE}\nkeys = {keys}\ndef solve(a, b):\n"
        program += f"    say(json.dumps({{'number': number(), 'value': '[\"{kind}\",[' + keys + ']]'}}).encode())\n    return 0"
        begun = time.monotonic()
        unpaid(runner, program)
        assert time.monotonic() - begun < 5
    distinct = "def solve(n):\n    return {i: -i for i in range(n)} | {-2: 1, -1: 2}, {(i, -i) for i in range(n)}"
    expected = {i: -i for i in range(9000)} | {-2: 1, -1: 2}, {(i, -i) for i in range(9000)}
    assert grade(runner, distinct, [((9000,), expected)]).right


def test_b19_an_input_that_is_never_read_does_not_keep_the_grader(runner, soon):
    large = ("x" * 3_000_000,)
    for program in (
        "import time\ntime.sleep(99)",
        "import os\nos.read(3, 10)\nimport time\ntime.sleep(99)",
        "import os\nos.close(3)\nsolve = len",
    ):
        with nothing_left():
            assert not grade(runner, program, [(large, 3_000_000)]).right
    assert grade(runner, "solve = len", [(large, 3_000_000)]).right
