"""Programs in JavaScript that want to be paid for nothing."""

import os
import sys

import pytest
from untrusted.sandboxes import TESTS, nothing_left

from rlgym.sandbox.grading import score_program

if sys.platform != "linux" or os.uname().machine != "x86_64":
    pytest.skip("the process backend runs on Linux on x86-64", allow_module_level=True)

JAVASCRIPT = {
    "H11 exit": "function solve(a, b) { process.exit(0); }",
    "H11 exit of the engine": "function solve(a, b) { std.exit(0); return a + b; }",
    "H11 prototypes": "Object.prototype.passed = true; Array.prototype.toJSON = () => [3]; Number.prototype.toJSON = () => true;\n"
    "Array.prototype[0] = 3; Object.defineProperty(Object.prototype, 'value', {get: () => 3}); function solve(a, b) { return a - a; }",
    "H11 child": "const c = require('child_process'); c.execSync('touch /tmp/rlgym-attack-was-here'); function solve(a, b) { return 1; }",
    "H11 waits": "function solve(a, b) { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1e9); return 1; }",
    "H11 array": "function solve(a, b) { return new Array(2 ** 32 - 1).fill(1).length; }",
    "H11 text": "function solve(a, b) { let s = 'x'; while (true) s += s; }",
    "H11 later": "async function solve(a, b) { return a + b; }",
    "H11 generator": "function* solve(a, b) { yield a + b; }",
    "H11 proxy": "function solve(a, b) { return new Proxy({}, {get: () => a + b, ownKeys: () => ['x']}); }",
    "H11 value of": "function solve(a, b) { return {valueOf: () => a + b, toString: () => String(a + b)}; }",
    "H11 number object": "function solve(a, b) { return [a + b]; }",
    "H11 large": "function solve(a, b) { return BigInt(a + b); }",
    "H11 print": "print = __print = () => 3; console.log('3'); function solve(a, b) { __print('3'); }",
    "H11 pattern": "function solve(a, b) { return /(a+)+$/.test('a'.repeat(40) + 'b') ? 3 : 1; }",
    "B07": "function solve(a, b) { return NaN; }",
}


@pytest.mark.parametrize("name", JAVASCRIPT)
def test_no_program_in_javascript_is_paid(runner, name):
    if "javascript" not in runner.languages:
        pytest.skip("no JavaScript engine is installed")
    with nothing_left():
        assert score_program(runner, JAVASCRIPT[name], TESTS, language="javascript").value == 0
    assert score_program(runner, "const solve = (a, b) => a + b", TESTS, language="javascript").value == 1
