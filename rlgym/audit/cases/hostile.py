"""Hostile texts: what takes a careless parser seconds or gigabytes, and code that a scorer must not run."""

from __future__ import annotations

from rlgym.audit.scorers.process import CANARY_FILE
from rlgym.audit.scorers.worker import CANARY

SLOW = {
    "power tower": "9**9**9**9",
    "caret tower": "9^{9^{9^{9}}}",
    "factorials": "((10000!)!)!",
    "binomial": "\\binom{100000000}{50000000}",
    "long number": "9" * 100_000,
    "long exponent": "1e999999999",
    "long decimal": "0." + "3" * 50_000,
    "open brackets": "(" * 10_000,
    "nested brackets": "(" * 3_000 + "1" + ")" * 3_000,
    "nested fractions": "\\frac{" * 1_000 + "1" + "}{2}" * 1_000,
    "nested roots": "\\sqrt{" * 500 + "x" + "}" * 500,
    "open boxes": "\\boxed{" * 5_000,
    "open tags": "<answer>" * 5_000,
    "long sum": "+".join(f"x^{n}" for n in range(2_000)),
    "large power": "(x+1)^{5000}",
    "many numbers": " ".join(map(str, range(20_000))),
    "spaces": "1" + " " * 100_000 + "x",
    "repeated pattern": "a" * 50_000 + "!",
    "commas": "1," * 30_000,
    "long text": "lorem ipsum 12 " * 70_000,
    "nested JSON": "[" * 20_000,
    "wide matrix": "\\begin{pmatrix}" + " & ".join(["1"] * 5_000) + "\\end{pmatrix}",
    "large range": "range(10**12)",
    "digit limit": "1" * 5_000,
}
"""Answers by name; the standard set puts each between the marks of the scorer."""

CODE = {
    "import": f"__import__('pathlib').Path('{CANARY_FILE}').touch()",
    "import, added to a number": f"1+len(str(__import__('pathlib').Path('{CANARY_FILE}').touch()))",
    "open": f"open('{CANARY_FILE}', 'w')",
    "exec": f"exec(\"open('{CANARY_FILE}', 'w')\")",
    "name": CANARY,
    "name in a sum": f"1 + {CANARY}",
    "call": f"{CANARY}(1)",
    "text": f"'{CANARY}'",
    "list": f"['{CANARY}', 1]",
    "class walk": f"().__class__.__bases__[0].__subclasses__() or '{CANARY}'",
    "shell": f"os.system('touch {CANARY_FILE}')",
    "shell substitution": f"$(touch {CANARY_FILE})",
    "LaTeX": f"\\text{{{CANARY}}}",
}
"""Texts that name the canary: a scorer that compiles and runs one of them is caught, even if its names are restricted."""
