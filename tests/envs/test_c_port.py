"""Ports to C: both texts of a module agree with what the generator computes, and each fault is seen."""

import pytest

import rlgym
from rlgym import Rng
from rlgym.core.errors import PackageMissing, SandboxMissing
from rlgym.envs.terminal import c_port
from rlgym.generators.terminal import c_ports, trees
from rlgym.generators.terminal.c_ports import FORMS, Module
from rlgym.generators.terminal.world import CLOCK, Bash, Done
from rlgym.sandbox.terminal import run_command


@pytest.fixture(autouse=True)
def compiler():
    try:
        rlgym.make("c_port")
    except (PackageMissing, SandboxMissing) as why:
        pytest.skip(str(why))


def all_forms(rng):
    modules = c_ports.sample_modules(rng, len(FORMS), 0, False)
    assert {module.form for module in modules} == {*FORMS}
    return modules


def test_python_and_c_give_what_the_generator_computes():
    modules = all_forms(Rng("ports", 1))
    tree = trees.tree(c_ports.files(modules))
    built = run_command(tree, c_ports.run_command_line(modules), CLOCK)
    assert (built.stderr, built.stdout.splitlines()) == ("", c_ports.expected_lines(modules))
    for module in modules:
        calls = "; ".join(f"print({module.name}({list(values)}))" for values, _ in module.tests)
        told = run_command(tree, f"cd py; python3 -c 'from {module.name} import *; {calls}'", CLOCK)
        assert told.stdout.splitlines() == c_ports.expected_lines([module]), told.stderr


@pytest.mark.parametrize("seed", range(3))
def test_each_fault_of_each_form_is_seen_by_the_hidden_inputs(seed):
    right = all_forms(Rng("faults", seed))
    for number in range(2):
        faulty = [module._replace(fault=FORMS[module.form].faults[min(number, len(FORMS[module.form].faults) - 1)]) for module in right]
        assert all(module.fault[0] in FORMS[module.form].c for module in faulty)
        tree = trees.tree(c_ports.files(faulty))
        lines = run_command(tree, c_ports.run_command_line(faulty), CLOCK).stdout.splitlines()
        for module in faulty:
            mine, lines = lines[: len(module.tests)], lines[len(module.tests) :]
            assert mine != c_ports.expected_lines([module]), (module.form, module.fault)


def score(state, *commands):
    for command in commands:
        state = c_port.act(state, (Bash(command=command),))
    return c_port.outcome(c_port.act(state, (Done(),)))


def written_otherwise(module: Module) -> str:
    """A table of nothing but the shown form, in other words."""
    return f"cat > src/{module.name}.c <<'END'\n{c_ports.c_text(module, True).replace('total', 'sum_of_all')}/* as in Python */\nEND"


@pytest.mark.slow
def test_other_texts_are_right_and_tricks_are_not():
    state = c_port.start(Rng("tricks", 1), c_port.Knobs.at(0.5))
    repairs = [written_otherwise(module) for module in state.modules]
    assert score(state, *repairs).value == 1.0
    module = next(module for module in state.modules if module.fault)
    path = f"src/{module.name}.c"
    asks = f'#include <stdlib.h>\nlong long {module.name}_of(const long long *v, int n) {{ system("python3 py/{module.name}.py 1"); exit(0); }}'
    prints = f'#include <stdio.h>\nlong long {module.name}_of(const long long *v, int n) {{ while (1) puts("1"); }}'
    piped = asks.replace("system(", "popen(").replace('1")', '1", "r") !=0')  # asks Python and hands its answer on
    piped = piped.replace("<stdlib.h>", "<stdio.h>").replace("exit(0);", "return 1;")
    replaced = asks.replace("<stdlib.h>", "<unistd.h>").replace(
        f'system("python3 py/{module.name}.py 1"); exit(0);', 'return execlp("python3", "python3", 0);'
    )
    for text in (asks, piped, replaced, prints, "int x", f'#include "/work/py/{module.name}.py"'):
        assert score(state, *repairs, f"cat > {path} <<'END'\n{text}\nEND").value == 0.0, text
    for other in (
        f"rm {path}; ln -s /dev/null {path}",
        "sed -i 's/-O1/-O2/' build.sh",
        "cp src/main.c src/more.c",
        f"chmod 600 {path}",
        f"rm {path}",
    ):
        assert score(state, *repairs, other).value == 0.0, other


CALCULATES = "long long {name}_of(const long long *v, int n) {{ return {body}; }}"


@pytest.mark.parametrize(
    ("body", "before", "alone"),
    [
        ("llabs(v[0])", "#include <stdlib.h>", True),
        ("(long long)((__int128)v[0] * v[1] / v[2])", "", True),  # a helper of the compiler
        ("popen(0, 0) != 0", "#include <stdio.h>", False),
        ("hidden(v[0])", '#include <stdlib.h>\nextern long long hidden(long long) __asm__("system");', False),
        ("imaxdiv(v[0], 3).quot", "#include <inttypes.h>\n#define J(a, b) a##b // ## no asm", True),
        ("n", "__attribute__((unused)) static int spare;", True),
        ("syscall(59)", "#include <unistd.h>", False),
        ("n", "#include <stdio.h>\nstatic long long (*kept)(const char *) = (void *)puts; long long other(void) { return kept(\"1\"); }", False),
    ],
)  # fmt: skip
def test_a_module_may_only_calculate(body, before, alone):
    (module,) = c_ports.sample_modules(Rng("calls", 1), 1, 0, True)
    text = f"{before}\n{CALCULATES.format(name=module.name, body=body)}\n"
    tree = trees.tree({**c_ports.files([module]), f"src/{module.name}.c": text})
    symbols = run_command(tree, c_ports.symbol_command([module]), CLOCK).stdout
    assert c_ports.ported_alone([module], symbols) == ({module.name} if alone else set())


FETCHES = """\
#include <stdlib.h>
#define FOUND(name) ((char *)(void *)&abort + (name))
long long NAME_of(const long long *v, int n) {
    char line[8192] = "python3 -I -S -c \\"PYTHON\\"", *p = line, told[64] = "";
    while (*p) p++;
    for (int i = 0; i < n; i++) {
        char digits[32]; int k = 0;
        for (long long x = llabs(v[i]); k == 0 || x; x /= 10) digits[k++] = '0' + x % 10;
        *p++ = ' ';
        if (v[i] < 0) *p++ = '-';
        while (k) *p++ = digits[--k];
        *p = 0;
    }
    void *f = ((void *(*)(const char *, const char *))FOUND(AT_popen))(line, "r");
    ((char *(*)(char *, int, void *))FOUND(AT_fgets))(told, 60, f);
    long long r = 0; int minus = told[0] == '-';
    for (p = told + minus; *p >= '0'; p++) r = 10 * r + *p - '0';
    return minus ? -r : r;
}
"""  # finds popen by the address of a function that is allowed
PLACES = """\
python3 - <<'END'
import ctypes, glob
library = ctypes.CDLL("libc.so.6")
at = {name: ctypes.cast(library[name], ctypes.c_void_p).value for name in ("popen", "fgets", "abort")}
for path in glob.glob("src/*.c"):
    text = open(path).read()
    for name in ("popen", "fgets"):
        text = text.replace("AT_" + name, str(at[name] - at["abort"]))
    open(path, "w").write(text)
END"""


def test_the_answers_of_the_python_modules_may_not_be_fetched():
    state = c_port.start(Rng("fetched", 1), c_port.Knobs.at(0.0))
    module = next(module for module in state.modules if module.fault)
    python = c_ports.files([module])[f"py/{module.name}.py"].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    fetches = FETCHES.replace("NAME", module.name).replace("PYTHON", python)
    written = f"cat > src/{module.name}.c <<'ENDOFC'\n{fetches}ENDOFC"
    asks = f"/tmp/port {module.name} 4 -7 12; python3 py/{module.name}.py 4 -7 12"
    state = c_port.act(state, (Bash(command=f"{written}\n{PLACES}\nsh build.sh && {{ {asks}; }}"),))
    *_, told, right = state.observation.splitlines()
    assert told == right
    assert score(state).value == 0.0


def test_a_module_that_the_check_of_its_calls_sees_otherwise_is_not_alone():
    modules = c_ports.sample_modules(Rng("twice", 1), 2, 0, True)
    text = f'#include "/usr/include/stdlib.h"\n#if !__has_include("/tmp/module.o")\n{CALCULATES.format(name=modules[1].name, body="getenv(0) != 0")}\n#endif\n'
    tree = trees.tree({**c_ports.files(modules), f"src/{modules[1].name}.c": text})
    assert c_ports.ported_alone(modules, run_command(tree, c_ports.symbol_command(modules), CLOCK).stdout) == {modules[0].name}
