"""A small JavaScript package that ports Python modules: drawn, with faults in the port, and put together as one program for the sandbox."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rlgym.core.rng import Rng
from rlgym.generators.programs import drawing, javascript, mutants
from rlgym.generators.programs.bounded_operators import Stopped
from rlgym.generators.programs.drawing import Arguments
from rlgym.generators.programs.grammar_expressions import Shape
from rlgym.generators.programs.javascript import QUIRKS, write

NAMES = ("batches", "credits", "deltas", "extents", "folds", "grades", "hops", "items", "joins", "keys", "levels", "marks")
PORT, ORIGINAL, INDEX = "src", "original", "index"
MARKS = {"rest": "%", "quotient": "//", "order": "sorted("}
POOL, FEW, MUTANTS, FURTHER = 32, 5, 5, 64
LEAST, MOST = 3, 24
"""Of the inputs, how many a fault must change, and how many at most."""
_LOADER = """\
const files = %s;
const loaded = {};
function load(path) {
  if (!(path in files)) { throw new Error("there is no file " + path); }
  if (!(path in loaded)) {
    const module = { exports: {} };
    loaded[path] = module;
    const require = (name) => load(path.replace(/[^\\/]*$/, "") + name.replace(/^\\.\\//, "").replace(/(\\.js)?$/, ".js"));
    try {
      new Function("module", "exports", "require", files[path])(module, module.exports, require);
    } catch (error) {
      throw new Error(path + ": " + error);
    }
  }
  return loaded[path].exports;
}
function solve(name, values, k) {
  return load("src/" + name + ".js")(values, k);
}
"""
_TOTAL = {
    "js": "const total = (value) => (Array.isArray(value) ? value.reduce((sum, part) => sum + total(part), 0) : Number(value));\n",
    "py": "def total(value):\n    return sum(map(total, value)) if isinstance(value, (list, tuple)) else int(value)\n",
}


@dataclass(frozen=True)
class Fault:
    """A wrong text of a module in JavaScript, and what it returns for the inputs."""

    module: str
    text: str
    outputs: tuple[Any, ...]


@dataclass(frozen=True)
class Port:
    """A package: the Python text of each module, inputs, and what each module returns for them.

    summed  whether the index returns one number instead of the results of all modules
    """

    modules: Mapping[str, str]
    inputs: tuple[Arguments, ...]
    outputs: Mapping[str, tuple[Any, ...]]
    summed: bool

    def files(self, faults: Sequence[Fault] = ()) -> dict[str, str]:
        """All files, with faults in the port."""
        wrong = {fault.module: fault.text for fault in faults}
        port = {f"{PORT}/{name}.js": module_text(wrong.get(name) or _translated(text)) for name, text in self.modules.items()}
        original = {f"{ORIGINAL}/{name}.py": f"{text}\n" for name, text in self.modules.items()}
        original |= {f"{ORIGINAL}/__init__.py": "", f"{ORIGINAL}/{INDEX}.py": self._python_index()}
        return {**original, **port, f"{PORT}/{INDEX}.js": self._javascript_index()}

    def whole(self, place: int, faults: Sequence[Fault] = ()) -> Any:
        """What the index returns for an input."""
        wrong = {fault.module: fault.outputs for fault in faults}
        parts = [wrong.get(name, self.outputs[name])[place] for name in self.modules]
        return sum(weight * _total(part) for weight, part in enumerate(parts, 1)) if self.summed else parts

    def _javascript_index(self) -> str:
        head = "".join(f'const {name} = require("./{name}");\n' for name in self.modules)
        calls = [f"{name}(values, k)" for name in self.modules]
        if not self.summed:
            return f"{head}\nmodule.exports = function (values, k) {{\n  return [{', '.join(calls)}];\n}};\n"
        terms = " + ".join(f"{weight} * total({call})" for weight, call in enumerate(calls, 1))
        return f"{head}\n{_TOTAL['js']}\nmodule.exports = function (values, k) {{\n  return {terms};\n}};\n"

    def _python_index(self) -> str:
        head = f"from {ORIGINAL} import {', '.join(self.modules)}\n"
        calls = [f"{name}.solve(values, k)" for name in self.modules]
        if not self.summed:
            return f"{head}\n\ndef solve(values, k):\n    return [{', '.join(calls)}]\n"
        terms = " + ".join(f"{weight} * total({call})" for weight, call in enumerate(calls, 1))
        return f"{head}\n\n{_TOTAL['py']}\n\ndef solve(values, k):\n    return {terms}\n"


def module_text(functions: str) -> str:
    """A module with the function `solve` as what it exports."""
    return f"{functions}\n\nmodule.exports = solve;\n"


def program_of(files: Mapping[str, str]) -> str:
    """The port as one program: `solve(name, values, k)` calls what the module of this name exports."""
    return _LOADER % json.dumps({path: text for path, text in files.items() if path.endswith(".js")})


def sample_port(rng: Rng, modules: int, blocks: int, kinds: int, nesting: int, helpers: int, summed: bool) -> Port:
    """A package of so many modules."""
    inputs = tuple(drawing.arguments(rng, "both", rng.integer(1, javascript.LONGEST)) for _ in range(POOL))
    texts, outputs = dict[str, str](), dict[str, tuple[Any, ...]]()
    for name in rng.sample(NAMES, modules):
        while name not in texts:
            source = drawing.lively(
                rng, Shape("both", blocks, kinds, nesting, helpers), longest=javascript.LONGEST, inputs=4
            ).program.source
            found = javascript.run_program(source, inputs)
            if found is None or not all(map(_is_numeric, found)) or not _is_writable(source):
                continue
            texts[name], outputs[name] = source, tuple(found)
    return Port(texts, inputs, outputs, summed)


def further_tests(rng: Rng, port: Port) -> list[tuple[str, Arguments, Any]]:
    """More inputs for each module, with what it returns: slips that show for few inputs are found by these alone."""
    tests = list[tuple[str, Arguments, Any]]()
    for name, source in port.modules.items():
        for _ in range(FURTHER):
            given = drawing.arguments(rng, "both", rng.integer(1, javascript.LONGEST))
            if (found := javascript.run_program(source, [given])) is not None and _is_numeric(found[0]):
                tests.append((name, given, found[0]))
    return tests


def sample_fault(rng: Rng, port: Port, name: str) -> Fault | None:
    """A fault of a module that shows for some inputs and not for too many: operators of the other language, or a small change."""
    source = port.modules[name]
    small = mutants.sample_mutants(rng.child("mutants"), source, MUTANTS)
    for slip in rng.shuffled([*(slip for slip in QUIRKS if MARKS[slip] in source), *[""] * MUTANTS]):
        text = source if slip else next(small, source)
        meaning = javascript.as_if_javascript(source, [slip]) if slip else text
        exact = [each for each in QUIRKS if each != slip]
        few = javascript.run_program(meaning, port.inputs[:FEW])
        if few is None or few == list(port.outputs[name][:FEW]):  # most that are no use are found out by the first inputs
            continue
        outputs = javascript.run_program(meaning, port.inputs)
        if outputs is None or not all(map(_is_numeric, outputs)) or not _is_writable(text):
            continue
        if LEAST <= sum(one != other for one, other in zip(outputs, port.outputs[name], strict=True)) <= MOST:
            return Fault(name, _translated(text, tuple(exact)), tuple(outputs))
    return None


@lru_cache(maxsize=256)
def _translated(source: str, exact: tuple[str, ...] = QUIRKS) -> str:
    return write(source, exact)


def _is_writable(source: str) -> bool:
    try:
        _translated(source)
    except Stopped:
        return False
    return True


def _is_numeric(value: Any) -> bool:
    return all(map(_is_numeric, value)) if isinstance(value, list) else isinstance(value, int)


def _total(value: Any) -> int:
    return sum(map(_total, value)) if isinstance(value, list) else int(value)
