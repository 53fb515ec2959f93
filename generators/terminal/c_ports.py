"""Small modules in Python and their ports to C, with the faults that such a port tends to have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.terminal import names

MOST_VALUES, LARGEST = 8, 2 * 10**9
HEADER = "port.h"
FLOORS = """\
/* Division and remainder as in Python: the quotient is rounded down. */
static inline long long floor_div(long long a, long long b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }
static inline long long floor_mod(long long a, long long b) { return a - b * floor_div(a, b); }
"""

# What a module may take from the C library. It shall port a module, not ask Python, so it starts no program and reads no file. A module can find
# other functions by the addresses of these, so the checks also give it less memory than Python needs to start.
LIBRARY_CALLS = frozenset(
    "abs labs llabs imaxabs div ldiv lldiv imaxdiv malloc calloc realloc reallocarray aligned_alloc posix_memalign free qsort qsort_r bsearch "
    "memcpy memmove memset memcmp memchr memccpy mempcpy abort".split()
)
COMPILER_SYMBOLS = re.compile(r"_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__mem(?:cpy|pcpy|move|set)_chk|__\w+[dst]i[2345]")
MEMORY_MB = 6  # sh and a module need 3, Python 10


class Form(NamedTuple):
    """A module: its body in Python and in C, where K is a number, and faults of the port: a text and what stands in its place."""

    python: str
    c: str
    faults: tuple[tuple[str, str], ...]


FORMS = {
    "buckets": Form(
        "return sum(x // K for x in v)",
        "long long total = 0;\nfor (int i = 0; i < n; i++) total += floor_div(v[i], K);\nreturn total;",
        (("floor_div(v[i], K)", "v[i] / K"),),
    ),
    "backward": Form(
        "return max((i for i, x in enumerate(v) if x < K), default=-1)",
        "for (int i = n - 1; i >= 0; i--)\n    if (v[i] < K) return i;\nreturn -1;",
        (("i >= 0", "i > 0"), ("v[i] < K", "v[i] <= K")),
    ),
    "rise": Form(
        "best = run = min(len(v), 1)\nfor a, b in zip(v, v[1:]):\n    run = run + 1 if b > a else 1\n    best = max(best, run)\nreturn best",
        "int best = n > 0, run = n > 0;\n"
        "for (int i = 1; i < n; i++) {\n    run = v[i] > v[i - 1] ? run + 1 : 1;\n    if (run > best) best = run;\n}\nreturn best;",
        (("v[i] > v[i - 1]", "v[i] >= v[i - 1]"), ("run + 1 : 1", "run + 1 : 0")),
    ),
    "weights": Form(
        "return sum(x * (i + 1) * K for i, x in enumerate(v))",
        "long long total = 0;\nfor (int i = 0; i < n; i++) total += v[i] * (i + 1) * K;\nreturn total;",
        (("long long total", "int total"), ("(i + 1)", "i")),
    ),
    "middle": Form(
        "return sorted(v)[(len(v) - 1) // 2] if v else K",
        "long long s[64];\nfor (int i = 0; i < n; i++) {\n    int j = i;\n    for (; j > 0 && s[j - 1] > v[i]; j--) s[j] = s[j - 1];\n    s[j] = v[i];\n}\n"
        "return n ? s[(n - 1) / 2] : K;",
        (("s[(n - 1) / 2]", "s[n / 2]"), ("return n ? s[(n - 1) / 2] : K", "return s[(n - 1) / 2 * (n > 0)] * (n > 0)")),
    ),
    "wraps": Form(
        "return sum(x % K * (i + 1) for i, x in enumerate(v))",
        "long long total = 0;\nfor (int i = 0; i < n; i++) total += floor_mod(v[i], K) * (i + 1);\nreturn total;",
        (("floor_mod(v[i], K)", "v[i] % K"),),
    ),
    "gap": Form(
        "return max((abs(a - b) for a, b in zip(v, v[1:])), default=0)",
        "long long best = 0;\n"
        "for (int i = 1; i < n; i++) {\n    long long d = v[i] > v[i - 1] ? v[i] - v[i - 1] : v[i - 1] - v[i];\n    if (d > best) best = d;\n}\nreturn best;",
        (("v[i] > v[i - 1] ? v[i] - v[i - 1] : v[i - 1] - v[i]", "v[i] - v[i - 1]"), ("long long best", "int best")),
    ),
    "pairs": Form(
        "return sum((a + b) % K == 0 for i, a in enumerate(v) for b in v[i + 1 :])",
        "int count = 0;\nfor (int i = 0; i < n; i++)\n    for (int j = i + 1; j < n; j++) count += (v[i] + v[j]) % K == 0;\nreturn count;",
        (("int j = i + 1", "int j = i"),),
    ),
    "digits": Form(
        "return sum(int(digit) for x in v for digit in str(abs(x))) % K",
        "int sum = 0;\nfor (int i = 0; i < n; i++)\n    for (long long x = v[i] < 0 ? -v[i] : v[i]; x > 0; x /= 10) sum += x % 10;\nreturn sum % K;",
        (("v[i] < 0 ? -v[i] : v[i]", "v[i]"), ("x > 0", "x > 9")),
    ),
}


class Module(NamedTuple):
    """A module of the port: its name, its form, the number in it, and the fault of its C text, or nothing.

    tests  inputs with the right results
    """

    name: str
    form: str
    number: int
    fault: tuple[str, str] | None
    tests: tuple[tuple[tuple[int, ...], int], ...]


def sample_modules(rng: Rng, count: int, faulty: int, plain: bool) -> tuple[Module, ...]:
    """Modules of different forms, of which some have a fault that a test shows; with `plain`, of those forms that need few lines."""
    forms = rng.sample(list(FORMS)[: 5 if plain else None], count)
    titles = sorted(rng.sample(names.WORDS, count))
    found = []
    for number, (title, form) in enumerate(zip(titles, rng.shuffled(forms), strict=True)):
        fault = rng.choice(FORMS[form].faults) if number < faulty else None
        k = rng.integer(3, 9)
        inputs = [_values(rng, size) for size in (0, 1, 2, 3, 5, 6, MOST_VALUES)] + _corners(k)
        found.append(Module(title, form, k, fault, tuple((values, result(form, k, values)) for values in inputs)))
    return tuple(rng.shuffled(found))


def _values(rng: Rng, size: int) -> tuple[int, ...]:
    return tuple(rng.choice((rng.integer(-30, 30), rng.integer(-LARGEST, LARGEST))) for _ in range(size))


def _corners(k: int) -> list[tuple[int, ...]]:
    """Inputs that show each fault: negative values, equal neighbours, values at the number, one value below it at the beginning, large ones."""
    most = LARGEST
    return [
        (-1, -k - 1),
        (5, 5, 6),
        (k, k + 1),
        (k - 1, k + 1, k + 2),
        (most,) * MOST_VALUES,
        (-most, most, -most),
        (9, 1, 4, 2),
        (-k, 3 * k),
        (-12, 7),
        (1, 2, 3),
    ]


def result(form: str, k: int, values: Sequence[int]) -> int:
    """What a module gives, computed here."""
    v = list(values)
    match form:
        case "buckets":
            return sum((x - x % k) // k for x in v)
        case "backward":
            below = [at for at in range(len(v)) if v[at] < k]
            return below[-1] if below else -1
        case "rise":
            starts = [at for at in range(len(v)) if at == 0 or v[at] <= v[at - 1]]
            return max((end - begin for begin, end in zip(starts, [*starts[1:], len(v)], strict=False)), default=0)
        case "weights":
            return k * sum(sum(v[at:]) for at in range(len(v)))
        case "middle":
            return sorted(v, reverse=True)[len(v) // 2] if v else k
        case "wraps":
            return sum((at + 1) * (((x % k) + k) % k) for at, x in enumerate(v))
        case "gap":
            return max([max(pair) - min(pair) for pair in zip(v[1:], v, strict=False)] or [0])
        case "pairs":
            return sum((v[i] + v[j]) % k == 0 for j in range(len(v)) for i in range(j))
    return sum(sum(map(int, str(x).lstrip("-"))) for x in v) % k


def files(modules: Sequence[Module]) -> dict[str, str]:
    """The files of a port with its faults."""
    found = {f"src/{module.name}.c": c_text(module) for module in modules}
    found |= {f"py/{module.name}.py": _python_text(module) for module in modules}
    listed = "".join(f"long long {module.name}_of(const long long *v, int n);\n" for module in modules)
    branches = "".join(f'    if (!strcmp(argv[1], "{module.name}")) printf("%lld\\n", {module.name}_of(v, n));\n' for module in modules)
    found[f"src/{HEADER}"] = f"{listed}\n{FLOORS}"
    found["src/main.c"] = (
        f'#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include "{HEADER}"\n\nint main(int argc, char **argv) {{\n    long long v[64];\n'
        f"    int n = argc - 2;\n    if (n < 0 || n > 64) return 2;\n    for (int i = 0; i < n; i++) v[i] = atoll(argv[i + 2]);\n{branches}    return 0;\n}}\n"
    )
    found["build.sh"] = (
        "#!/bin/sh\n# Builds the port as /tmp/port, which is there until the command ends.\ngcc -std=c11 -O1 -o /tmp/port src/*.c\n"
    )
    return found


def c_text(module: Module, repaired: bool = False) -> str:
    """The C text of a module, with its fault unless it is repaired."""
    body = FORMS[module.form].c
    if module.fault and not repaired:
        body = body.replace(*module.fault, 1)
    return f'#include "{HEADER}"\n\nlong long {module.name}_of(const long long *v, int n) {{\n{_indented(body, module.number)}}}\n'


def _python_text(module: Module) -> str:
    body = _indented(FORMS[module.form].python, module.number)
    return f"import sys\n\n\ndef {module.name}(v):\n{body}\n\nif __name__ == '__main__':\n    print({module.name}([int(x) for x in sys.argv[1:]]))\n"


def _indented(body: str, number: int) -> str:
    return "".join(f"    {line}\n" for line in body.replace("K", str(number)).split("\n"))


def run_command_line(modules: Sequence[Module]) -> str:
    """The command that builds the port, and runs the tests of modules with little memory."""
    runs = [f"/tmp/port {module.name} {' '.join(map(str, values))}" for module in modules for values, _ in module.tests]
    return f"sh build.sh && ulimit -v {MEMORY_MB * 1000} && {{ {'; '.join(runs)}; }}"


def expected_lines(modules: Sequence[Module]) -> list[str]:
    return [str(right) for module in modules for _, right in module.tests]


def symbol_command(modules: Sequence[Module]) -> str:
    """The command that prints, after the name of each module, the symbols that its C text takes from elsewhere."""
    compiled = "gcc -std=c11 -O1 -w -c -o /tmp/module.o src/{name}.c && nm -u /tmp/module.o; rm -f /tmp/module.o"
    return "; ".join(f"echo '= {module.name}'; {compiled.format(name=module.name)}" for module in modules)


def ported_alone(modules: Sequence[Module], symbols: str) -> set[str]:
    """The names of the modules whose C text takes nothing but calculations from elsewhere, by what `symbol_command` printed."""
    taken = {name: set(lines.split()[1::2]) for name, _, lines in (part.partition("\n") for part in symbols.split("= ")[1:])}
    known = LIBRARY_CALLS | {f"{module.name}_of" for module in modules}
    return {name for name, found in taken.items() if all(symbol in known or COMPILER_SYMBOLS.fullmatch(symbol) for symbol in found)}


def repaired_files(modules: Sequence[Module]) -> Mapping[str, str]:
    """The C texts of the modules without faults."""
    return {f"src/{module.name}.c": c_text(module, True) for module in modules}
