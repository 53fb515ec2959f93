"""Refactor a Python package under tests: extract a computation that is copied into many functions, and rename a function everywhere.

Judged by the structure of the code and by hidden tests of its behaviour. Copies that only look alike round in another way and must stay.
"""

import ast
import re
from dataclasses import replace

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.repository import progress, tasks, world
from rlgym.generators.repository.components import Component, Site
from rlgym.generators.repository.helpers import HALF, INLINE, ROUNDED
from rlgym.generators.repository.layout import function_of
from rlgym.generators.repository.package import Package, sample_package
from rlgym.generators.repository.structure import modules_of
from rlgym.generators.repository.tools import TOOLS
from rlgym.generators.repository.world import LIMITS, Repository, write_solution
from rlgym.sandbox import Runner

NEW_NAMES = ("price_of", "unit_price", "price_on", "list_price")


class Knobs(Config):
    rules: int = knob(9, easy=5, hard=20, doc="rules of the package")
    linked: int = knob(4, easy=2, hard=11, doc="rules that use the calendar or earlier entries")
    stages: int = knob(4, easy=1, hard=10, doc="optional parts of reading and of the report")
    layout: str = knob("layers", easy="few", hard="deep", order=("few", "layers", "deep"), doc="how the code is split into files")
    alike: int = knob(1, easy=0, hard=3, doc="rules whose computation only looks like the others")
    tests: int = knob(4, easy=3, hard=9, doc="tests of the repository")


class State(Repository):
    module: str  # the path in which `percent` must stand
    callers: tuple[str, ...]  # the functions that must call it
    alike: tuple[str, ...]  # those that must not
    renamed: str  # the new name of `rate`


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        drawn = sample_package(rng, knobs.rules, knobs.linked, knobs.stages, knobs.layout)
        users = [rule.key for rule in drawn.layer("rules") if "percent" in rule.needs]
        if len(users) >= knobs.alike + 2:
            break
    alike = rng.sample(users, knobs.alike)
    right = _with_alike(rng, drawn, alike)
    before = replace(right, styles={"percent": INLINE}, chosen=dict(right.chosen))
    callers = tuple(component.key for component in right.components if "percent" in component.needs and component.key not in alike)
    found = tasks.cases(rng.child("inputs"), right, 30, 5 + knobs.rules // 4)
    tests = tasks.own_tests(rng, found, right, knobs.tests)
    files, new_name = tasks.all_files(before, tests), rng.choice(NEW_NAMES)
    mended = {
        path: re.sub(r"\brate\b(?=[,(]|\n|$)", new_name, text) if not path.startswith("tests/") else text
        for path, text in tasks.all_files(right, tests).items()
    }
    module, _, _ = function_of(right, "percent").partition(":")
    path, package = f"{module.replace('.', '/')}.py", right.theme.package
    calls = 8 + len(files) // 4 + 2 * len(callers)
    kept = " Where a rule rounds in another way, as its description says, its computation stays in its function." if alike else ""
    shown = world.files_text(files, texts=knobs.layout == "few")
    text = (
        f"Refactor the Python package {package} without changing what it does.\n\n1. Several functions compute a percentage of an amount in place. "
        f"Write a function `percent(amount, share)` in {path} that gives `share` percent of an amount in cents, {ROUNDED[_half(right)]}, and call it "
        f"from every function that computes such a percentage.{kept}\n2. Rename the function `rate` to `{new_name}`, with all its calls and imports: "
        "no module of the package may use the name `rate` any more. Modules keep their names, and no other function is added, renamed or "
        f"removed.\n\nThe structure of the code is checked, and hidden tests call {package}.run with other lines and the two functions. {shown}\n\n"
        f"{world.manual(TOOLS, calls)}"
    )
    rate = tuple((arguments.replace(":rate'", f":{new_name}'", 1), value) for arguments, value in tasks.helper_tests(right, "rate"))
    near = [replace(right, chosen={site: option for site, option in right.chosen.items() if site.component != key}) for key in alike]
    return State(
        task=text, package=package, files=files, solution=tasks.kept(files, mended), calls=calls, module=path, callers=callers,
        alike=tuple(alike), renamed=new_name,
        tests=(*tasks.hidden_tests(rng, found, [*near, *tasks.near_faults(right, [], 6, rng)]), *tasks.helper_tests(right, "percent"), *rate),
    )  # fmt: skip


def _half(package: Package) -> str:
    return next(iter(package.component("percent").sites["half"]))


def _with_alike(rng: Rng, package: Package, keys: list[str]) -> Package:
    """The package in which some rules compute their percentage in place, with another rounding, and say so."""
    chosen, components = dict(package.chosen), list[Component]()
    for component in package.components:
        if component.key in keys:
            half = rng.choice([each for each in HALF if each != _half(package)])
            chosen[Site(component.key, "percent")] = f"{INLINE} {half}"
            component = replace(component, words=f"{component.words} This percentage is {ROUNDED[half]}.")
        components.append(component)
    return replace(package, components=tuple(components), chosen=chosen)


def judge(state: State, runner: Runner) -> Score:
    problem = _problem(state)
    if problem:
        return Score.wrong(problem, structure=0.0)
    score = world.judged_by_tests(state, runner)
    return Score(score.value, score.outcome, score.reason, {"structure": 1.0, **score.parts})


def _problem(state: State) -> str:
    """What is wrong with the structure; empty where nothing is."""
    try:
        modules = modules_of(state.files, state.package)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"a module cannot be read: {type(error).__name__}"
    old = modules_of({**state.files, **{path: text for path, text in state.solution.items() if text is not None}}, state.package)
    functions = [name for module in modules.values() for name in module.functions]
    if sorted(functions) != sorted(name for module in old.values() for name in module.functions):
        return "the functions are not those that there should be"
    if state.module not in modules or "percent" not in modules[state.module].functions:
        return f"there is no function percent in {state.module}"
    if any("rate" in module.names for module in modules.values()):
        return "the old name is still in use"
    bodies = {name: body for module in modules.values() for name, body in module.functions.items()}
    for name in (*state.callers, *state.alike):
        calls = [
            node
            for node in ast.walk(bodies[name])
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "percent"
        ]
        divides = any(
            isinstance(node, ast.FloorDiv | ast.Div | ast.Mod) or getattr(node, "id", "") == "divmod" for node in ast.walk(bodies[name])
        )
        if name in state.callers and (not calls or divides):
            return "a function that computes a percentage does not leave that to percent"
    return ""


def mistakes(state: State) -> list[Calls]:
    """Players who also leave one copy where it is."""
    kept = next(path for path in sorted(state.solution) if path.endswith(".py") and state.solution[path] is not None)
    partly = {path: text for path, text in state.solution.items() if path != kept}
    return world.shortcuts(state, (*write_solution(state.model_copy(update={"solution": partly})),))


def cost(state: State) -> float:
    return float(sum(map(len, state.files.values())) * len(state.callers))


environment = Game(
    Knobs, TOOLS, start, world.show, progress.make_act(judge), world.outcome, write_solution, mistakes, cost, world.turns,
    explain=world.make_explain(TOOLS, write_solution), milestones=progress.of_repair, planted=True, sandbox=LIMITS, version=3,
    no_rules="The new structure is the goal, and nothing else is asked for.",
    concept="Search for every copy by its form, compare the rounding of each with its description, and change one function at a time.",
)  # fmt: skip
