"""Fix the JavaScript port of a Python package, which returns something else than its original for some inputs.

The faults are operators that mean something else in JavaScript, or small slips. From the middle level on, the package returns one number for all its
modules, so that the issue does not tell in which of them the faults are.
"""

from typing import Any

from pydantic import Field

from rlgym import Config, Game, Limits, Rng, Score, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.programs.javascript import LONGEST, as_list, write
from rlgym.generators.programs.repositories import program
from rlgym.generators.programs.suites import Test
from rlgym.generators.repository import progress, world
from rlgym.generators.repository.javascript import (
    INDEX,
    ORIGINAL,
    PORT,
    Fault,
    further_tests,
    module_text,
    program_of,
    sample_fault,
    sample_port,
)
from rlgym.generators.repository.javascript import Port as Package
from rlgym.generators.repository.tools import EditFile, ListFiles, ReadFile, Search, Submit, WriteFile
from rlgym.generators.repository.world import CALL, Repository, truncate, write_solution
from rlgym.sandbox import Returned, Runner
from rlgym.sandbox.grading import score_program


class Compare(Tool):
    """Calls a module, such as "index", of the port and of its original, and shows what both return."""

    module: str = Field(max_length=40)
    values: list[int] = Field(max_length=30)
    k: int = Field(ge=-1000, le=1000)


TOOLS = ToolCalls((ListFiles, ReadFile, Search, EditFile, WriteFile, Compare, Submit), max_characters=60_000)


class Knobs(Config):
    modules: int = knob(3, easy=2, hard=6, doc="modules of the package besides its index")
    blocks: int = knob(2, easy=2, hard=4, doc="loops and other blocks of a module")
    kinds: int = knob(4, easy=3, hard=12, doc="how many kinds of blocks there are to draw from, plain ones first")
    nesting: int = knob(0, easy=0, hard=2, doc="how deep conditions and loops are put into each other")
    helpers: int = knob(0, easy=0, hard=1, doc="further functions of a module")
    faults: int = knob(2, easy=1, hard=3, doc="faults, each in another module, as far as there are modules")
    index: str = knob(
        "total", easy="list", hard="total", order=("list", "total"), doc="whether the package returns a list of results or one number"
    )


class Port(Repository):
    """`issue` is the input that the issue names, and `right` what the original returns for it."""

    issue: tuple[tuple[int, ...], int] = ((), 0)
    right: str = ""


def start(rng: Rng, knobs: Knobs) -> Port:
    while True:
        port = sample_port(rng, knobs.modules, knobs.blocks, knobs.kinds, knobs.nesting, knobs.helpers, knobs.index == "total")
        if (found := _sample_faults(rng, port, min(knobs.faults, knobs.modules))) is not None:
            break
    faults, place = found
    files, right = port.files(faults), port.files()
    values, k = port.inputs[place]
    calls = 8 + 2 * len(files) // 3 + 2 * len(faults)
    text = (
        f"The JavaScript package in the folder {PORT} is a port of the Python package in the folder {ORIGINAL}. Each module of the port exports one "
        f"function: the port of the function solve in the Python module of the same name. The original is right and cannot be changed. For some inputs "
        f"the port returns something else. Find what is wrong in the port and fix it.\n\nThe issue:\n\n"
        f"    The index returns {port.whole(place, faults)!r} for values = "
        f"{list(values)} and k = {k}.\n    The original returns {port.whole(place)!r}.\n\n"
        f"The port is run by an engine from 2020; `require` loads files of the folder {PORT}, and Array.prototype.at does not exist yet. Hidden tests call "
        f"the index and the modules with lists of 1 to {LONGEST} integers from -9 to 20 and with k from 0 to 9. Tuples are arrays in JavaScript. "
        f"{world.files_text(files, texts=knobs.modules <= 2)}\n\n{world.manual(TOOLS, calls)}"
    )
    return Port(
        task=text, package=PORT, files=files, solution={path: right[path] for path in right if files[path] != right[path]},
        tests=_tests(rng.child("tests"), port), calls=calls, issue=(tuple(values), k), right=repr(port.whole(place)),
    )  # fmt: skip


def _sample_faults(rng: Rng, port: Package, count: int) -> tuple[list[Fault], int] | None:
    """Faults in different modules, and the shortest input for which each of them makes a difference, alone and among the others."""
    faults = list[Fault]()
    for name in rng.shuffled(list(port.modules)):
        if len(faults) < count and (fault := sample_fault(rng, port, name)) is not None:
            faults.append(fault)
    if len(faults) < count:
        return None
    places = [
        place
        for place in range(len(port.inputs))
        if all(
            port.whole(place, rest) not in (port.whole(place, faults), *(() if len(faults) == 1 else (port.whole(place),)))
            for rest in ([other for other in faults if other is not fault] for fault in faults)
        )
    ]
    return (faults, min(places, key=lambda place: len(port.inputs[place][0]))) if places else None


def _tests(rng: Rng, port: Package) -> tuple[Test, ...]:
    """Each module and the index on all inputs, and each module on further ones."""
    tests = [(repr((name, *given)), repr(value)) for name, given, value in further_tests(rng, port)]
    tests += [(repr((name, *given)), repr(value)) for name, right in port.outputs.items() for given, value in zip(port.inputs, right)]
    return (*tests, *((repr((INDEX, *given)), repr(port.whole(place))) for place, given in enumerate(port.inputs)))


def handle(state: Port, call: Tool, runner: Runner) -> tuple[Port, str] | None:
    if isinstance(call, EditFile | WriteFile) and call.path.lstrip("./").startswith(f"{ORIGINAL}/"):
        raise ValueError("the original cannot be changed")
    if not isinstance(call, Compare):
        return None
    name, given = call.module.removesuffix(".js").removesuffix(".py"), (list(call.values), call.k)
    port = runner.run(program_of(state.files), [(name, *given)], language="javascript")
    python = {path: text for path, text in state.files.items() if path.startswith(f"{ORIGINAL}/")}
    original = runner.run(program(python, CALL), [(f"{ORIGINAL}.{name}:solve", *given)])
    same = (tuple(call.values), call.k) == state.issue and name == INDEX
    shown = f"the port: {_result(port.answer())}\nthe original: {_result(original.answer())}"
    return state.model_copy(update={"reproduced": state.reproduced or same}), truncate(shown)


def _result(answer: Any) -> str:
    return repr(as_list(answer.value)) if isinstance(answer, Returned) else f"{answer.name}: {answer.reason}"


def judge(state: Port, runner: Runner) -> Score:
    score = score_program(runner, program_of(state.files), state.tests, language="javascript")
    passed = sum(score.parts.values()) / len(state.tests)
    return Score(score.value, score.outcome, score.reason, {**milestones(state), "hidden_tests": passed})


def milestones(state: Port) -> dict[str, float]:
    """Whether the input of the issue was compared, and the share of the files to change that were changed, less where others were changed too."""
    changed = {path for path in state.files if path.startswith(f"{PORT}/") and progress.is_changed(state, path)}
    return {"reproduced": float(state.reproduced), "files_changed": len(changed & set(state.solution)) / len(changed | set(state.solution))}


def mistakes(state: Port) -> list[Calls]:
    # Submits at once, returns what the issue names, fixes all but one file, or takes the operators of Python over as they are.
    constant = WriteFile(path=f"{PORT}/{INDEX}.js", text=f"module.exports = () => {state.right};\n")
    fixed = [WriteFile(path=path, text=str(text)) for path, text in state.solution.items()]
    plain = [
        WriteFile(path=path, text=module_text(write(state.files[path.replace(PORT, ORIGINAL, 1).replace(".js", ".py")])))
        for path in state.solution
    ]
    return [(Submit(),), (constant, Submit()), (*fixed[:-1], Submit()), (*plain, Submit())]


def cost(state: Port) -> float:
    return float(sum(map(len, state.files.values())) * len(state.solution))


environment = Game(
    Knobs, TOOLS, start, world.show, world.make_act(judge, handle), world.outcome, write_solution, mistakes, cost, world.turns,
    explain=world.make_explain(TOOLS, write_solution), milestones=milestones, planted=True,
    sandbox=Limits(seconds=2, memory_mb=128), needs=("quickjs",),
    version=4,
    no_rules="The goal is all that is stated.",
    concept="Compare the modules one by one on the input of the issue; then look for operators that treat negative numbers or sort differently.",
)  # fmt: skip
