"""Parts of tasks about a generated package: inputs with what they should give, visible and hidden tests, a history, and issues."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice

from rlgym.core.rng import Rng
from rlgym.generators.programs.suites import Test
from rlgym.generators.repository.commits import Commit
from rlgym.generators.repository.components import Component, Site, options_of
from rlgym.generators.repository.helpers import Helpers
from rlgym.generators.repository.inputs import Lines, broad_inputs, sample_inputs
from rlgym.generators.repository.layout import documents, function_of, source_files
from rlgym.generators.repository.package import ORDER, Package, faults_of
from rlgym.generators.repository.traces import FAILED, Cases, results


def cases(rng: Rng, package: Package, count: int, lines: int, about: Sequence[Component] = ()) -> Cases:
    return Cases(package, sample_inputs(rng, package, count, lines, about))


def hidden_tests(rng: Rng, found: Cases, wrong: Sequence[Package], least: int = 20, twice: int = 2, broad: int = 64) -> tuple[Test, ...]:
    """Tests: the first inputs, later ones that find out wrong packages which those before have not, and `broad` that are spread over all rules."""
    chosen = list(range(min(least, len(found.inputs))))
    for package in wrong:
        changed = found.changed(package)
        lacking = twice - len(changed.first_failing(chosen, twice))
        chosen += changed.first_failing([place for place in range(len(found.inputs)) if place not in chosen], lacking) if lacking else []
    inputs = broad_inputs(rng, found.package, broad, 6)
    pairs = [(found.inputs[place], found.right[place]) for place in chosen] + list(zip(inputs, results(found.package, inputs), strict=True))
    return tuple(test_of(found.package, lines, rows) for lines, rows in pairs if rows != FAILED)


def test_of(package: Package, lines: Lines, rows: list[str]) -> Test:
    return repr((f"{package.theme.package}:run", lines)), repr(rows)


def helper_tests(package: Package, key: str) -> tuple[Test, ...]:
    """Tests of a helper by itself, in the style in which the documents describe it."""
    options = {component.key: options_of(component, package.chosen) for component in package.components}
    helpers = Helpers(options, package.prices, package.first, package.styles, package.styles)
    return tuple(
        (repr((function_of(package, key), *arguments)), repr(helpers.plain(key, *arguments))) for arguments in _ARGUMENTS[key](package)
    )


_ARGUMENTS: Mapping[str, Callable[[Package], list[tuple[object, ...]]]] = {
    "percent": lambda _: [(1000, 10), (999, 10), (1, 1), (145, 10), (333, 15), (0, 5)],
    "weekday": lambda _: [(day,) for day in range(1, 9)],
    "month": lambda _: [(day,) for day in (1, 30, 31, 60, 61, 360)],
    "rate": lambda package: [(kind, day) for kind, days in package.prices.items() for day, _ in days],
}


def near_faults(package: Package, sites: Sequence[Site], most: int, rng: Rng) -> list[Package]:
    """Packages with one fault each: at the sites, in their components, and elsewhere, up to a number."""
    keys = {site.component for site in sites}
    found = faults_of(package)
    near = [fault for fault in found if fault[0].component in keys or fault[0].component == ORDER]
    rest = [fault for fault in found if fault not in near]
    chosen = [*near, *rng.sample(rest, min(len(rest), max(0, most - len(near))))]
    return [package.with_fault(*fault) for fault in chosen]


def test_file(package: Package, tests: Sequence[tuple[str, Lines, list[str]]]) -> str:
    """A module of tests: name, lines and the report that they give."""
    functions = "".join(
        f"\n\ndef test_{name}():\n    lines = {_render_lines(lines)}\n    assert run(lines) == {rows!r}, f'the report is {{run(lines)}}'\n"
        for name, lines, rows in tests
    )
    return f"from {package.theme.package} import run\n{functions}"


def _render_lines(lines: Lines) -> str:
    return "[\n" + "".join(f"        {line!r},\n" for line in lines) + "    ]"


def own_tests(rng: Rng, found: Cases, package: Package, count: int, first: Sequence[int] = ()) -> dict[str, str]:
    """The tests of the repository: up to `count` inputs for which a package gives what is right, in one file or in several.

    first  inputs that are preferred
    """
    changed = found.changed(package)
    others = (place for place in reversed(range(len(found.inputs))) if place not in first and not changed.fails(place))
    passing = list(islice(chain(first, others), count))
    if package.layout == "few":
        return {
            "tests/test_run.py": test_file(package, [(f"report_{k}", found.inputs[at], found.right[at]) for k, at in enumerate(passing, 1)])
        }
    groups: dict[str, list[tuple[str, Lines, list[str]]]] = {}
    for k, at in enumerate(passing):
        groups.setdefault(("rules", "reading", "reports")[k % 3], []).append((f"report_{k + 1}", found.inputs[at], found.right[at]))
    return {f"tests/test_{name}.py": test_file(package, tests) for name, tests in groups.items()}


def all_files(package: Package, tests: Mapping[str, str], described: Package | None = None) -> dict[str, str]:
    """All files of a repository. The documents describe another package where one is given."""
    return dict(sorted({**source_files(package), **documents(described or package), **tests}.items()))


def commit_id(*key: object) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:8]


def commits_of(stages: Sequence[tuple[str, Mapping[str, str]]], key: object) -> tuple[Commit, ...]:
    """Commits that lead from one state of the files to the next."""
    found, before = list[Commit](), dict[str, str]()
    for message, files in stages:
        changed: dict[str, str | None] = {path: text for path, text in files.items() if before.get(path) != text}
        changed |= {path: None for path in before if path not in files}
        if changed:
            found.append(Commit(id=commit_id(key, len(found), message, sorted(changed)), message=message, files=changed))
        before = dict(files)
    return tuple(found)


def growth(
    rng: Rng, package: Package, tests: Mapping[str, str], steps: int, described: Package | None = None
) -> list[tuple[str, dict[str, str]]]:
    """The states of a repository that got its last rules and parts one after the other, with messages."""
    added = [component for component in package.components if component.layer in ("rules", "reports", "reading")]
    late = rng.sample(added, min(steps, max(0, len(added) - 2)))

    def files(missing: Sequence[str], tests: Mapping[str, str]) -> dict[str, str]:
        return all_files(package.without(missing), tests, described and described.without(missing))

    stages = [("First version", files([component.key for component in late], {}))]
    for place, component in enumerate(late, 1):
        missing = [each.key for each in late[place:]]
        stages.append((f"{rng.choice(('Add', 'Introduce', 'New:'))} {component.title}", files(missing, {})))
    return [*stages, (rng.choice(("Tests for the report", "More tests")), files([], tests))]


def kept(files: Mapping[str, str], right: Mapping[str, str]) -> dict[str, str | None]:
    """The files that differ from the right ones: what the oracle writes."""
    return {path: text for path, text in right.items() if files.get(path) != text}


def issue(rng: Rng, lines: Lines, got: list[str], right: list[str], person: str) -> str:
    """An issue in words, with the lines, the report and what it should be."""
    first = rng.choice((
        f"{person} asks why the report for these lines is not as the documents say:",
        f"I checked the following lines by hand, as {person} had complained, and the documents lead to another report:",
        "Something is wrong in the report for this input:",
        f"{person} reports a wrong amount. These were the lines:",
    ))  # fmt: skip
    return f"{first}\n\n{indented(lines)}\n\nThe report is\n\n{indented(got)}\n\nbut it should be\n\n{indented(right)}"


def indented(lines: Sequence[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)
