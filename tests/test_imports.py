"""No file imports itself through others: the graph of imports between the project's files has no cycle."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from import_statements import import_statements

ROOT = Path(__file__).parent.parent
FOLDERS = ("rlgym", "envs", "generators", "sandbox")
LINKED = {"envs", "generators", "sandbox"}
"""Folders that are installed as packages of rlgym: `rlgym/envs` is a link to `envs`."""


def _module(file: Path, root: Path) -> str:
    parts = list(file.relative_to(root).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(["rlgym", *parts] if parts[0] in LINKED else parts)


def _modules(root: Path) -> dict[str, Path]:
    """Every module by name, with its file. Links are left out: each file counts once, under the name that it is imported by."""
    files = [file for folder in FOLDERS for file in sorted((root / folder).rglob("*.py"))]
    real = [file for file in files if not any(parent.is_symlink() for parent in file.parents if parent != root)]
    return {_module(file, root): file for file in real}


def _imported(node: ast.Import | ast.ImportFrom, module: str, is_package: bool, known: Mapping[str, Path]) -> set[str]:
    """The modules that an import statement names: `from package import module` names the module, not the package around it."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names if alias.name in known}
    base = node.module or ""
    if node.level:
        parents = module.split(".")[: None if is_package and node.level == 1 else -(node.level - is_package)]
        base = ".".join([*parents, base] if base else parents)
    inside = {f"{base}.{alias.name}" for alias in node.names}
    return {name if name in known else base for name in inside if name in known or base in known}


@cache
def import_graph(root: Path = ROOT) -> dict[str, set[str]]:
    """For each module of the project the modules of the project that it imports."""
    known = _modules(root)
    graph: dict[str, set[str]] = {}
    for module, file in known.items():
        statements = [node for node, for_type_checkers in import_statements(file) if not for_type_checkers]
        is_package = file.name == "__init__.py"
        graph[module] = {name for node in statements for name in _imported(node, module, is_package, known)} - {module}
    return graph


def strongly_connected_components(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Tarjan's algorithm, with a stack of its own, since the graph is deep."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    components: list[list[str]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(sorted(graph[successor]))))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = stack[stack.index(node) :]
                    del stack[stack.index(node) :]
                    on_stack.difference_update(component)
                    components.append(component)
    return components


def import_cycles(graph: Mapping[str, set[str]]) -> list[str]:
    """Each cycle as `a -> b -> a`: one for every group of modules that reach each other."""
    cycles = []
    for component in strongly_connected_components(graph):
        if len(component) < 2:
            continue
        start = min(component)
        paths, seen = [[start]], {start}
        for path in paths:  # breadth first, so that the cycle named is a shortest one
            targets = sorted(graph[path[-1]] & set(component))
            if start in targets:
                cycles.append(" -> ".join([*path, start]))
                break
            paths += [[*path, target] for target in targets if target not in seen]
            seen.update(targets)
    return cycles


def test_no_file_imports_itself_through_others():
    assert not import_cycles(import_graph())


def _plant(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def test_a_planted_cycle_is_found_and_named(tmp_path):
    _plant(
        tmp_path,
        {
            "rlgym/__init__.py": "",
            "rlgym/core/__init__.py": "",
            "rlgym/core/a.py": "from rlgym.core import b\n",
            "rlgym/core/b.py": "def late():\n    from ..generators.c import value\n    return value\n",
            "generators/__init__.py": "",
            "generators/c.py": "import rlgym.core.a\nvalue = 1\n",
        },
    )
    assert import_cycles(import_graph(tmp_path)) == ["rlgym.core.a -> rlgym.core.b -> rlgym.generators.c -> rlgym.core.a"]


def test_imports_for_type_checkers_close_no_cycle(tmp_path):
    _plant(
        tmp_path,
        {
            "rlgym/a.py": "from rlgym.b import f\n",
            "rlgym/b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rlgym.a import g\nelse:\n    g = None\n",
        },
    )
    assert import_graph(tmp_path) == {"rlgym.a": {"rlgym.b"}, "rlgym.b": set()}
    assert not import_cycles(import_graph(tmp_path))


def test_the_graph_covers_the_whole_project():
    graph = import_graph()
    assert "rlgym.core.answer" in graph["rlgym.answers.words"]
    assert {"rlgym.generators.graphs.random_graphs", "rlgym.envs.graphs.shortest_path", "rlgym.sandbox.session"} <= graph.keys()
    assert any(name.startswith("rlgym.generators.") for name in graph["rlgym.envs.graphs.shortest_path"])
