"""What a newcomer meets first: install lines that work, extras that exist and fit together, and imports that say what is missing."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rlgym.core.errors import PackageMissing
from rlgym.core.packages import extra

ROOT = Path(__file__).parents[2]
ADAPTERS = sorted(path for path in (ROOT / "rlgym" / "adapters").rglob("*.py") if "extra(" in path.read_text())
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TOGETHER = "trl verl inspect mcp pettingzoo openenv verifiers reasoning-gym art skyrl atropos lm-eval serve eval ray".split()
# Their own requirements exclude those of verl (OpenRLHF) and of every current transformers (lighteval).
APART = ["openrlhf", "lighteval", "openreward"]

HIDE = """
import importlib, sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
from rlgym.core.errors import PackageMissing
try:
    importlib.import_module({module!r})
except PackageMissing as error:
    print(error)
"""


def _guards(file: Path) -> list[ast.With]:
    """The blocks `with extra(...)` of a file."""
    return [
        node
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.With) and getattr(getattr(node.items[0].context_expr, "func", None), "id", "") == "extra"
    ]


def _packages(guard: ast.With) -> set[str]:
    names = [alias.name for node in ast.walk(guard) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in ast.walk(guard) if isinstance(node, ast.ImportFrom) and node.module]
    return {name.partition(".")[0] for name in names} - {"pydantic"}


@pytest.mark.parametrize("file", ADAPTERS, ids=lambda file: str(file.relative_to(ROOT)))
def test_an_adapter_without_its_package_names_the_extra(file):
    guards = [node for node in _guards(file) if node.col_offset == 0]
    if not guards:
        assert _guards(file), "the package is imported in a function, under a guard of its own"
        return
    call = guards[0].items[0].context_expr
    module = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    code = HIDE.format(packages=_packages(guards[0]), module=module)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    if call.keywords:
        assert "checkout" in done.stdout
    else:
        assert f"pip install 'rlvrgym[{call.args[0].value}]'" in done.stdout
        assert call.args[0].value in EXTRAS


def test_no_adapter_imports_a_foreign_package_unguarded():
    allowed = set(sys.stdlib_module_names) | {"rlgym", "gymnasium", "numpy", "pydantic", "pyarrow", "torch", "__future__"}
    for file in (ROOT / "rlgym" / "adapters").rglob("*.py"):
        for node in ast.parse(file.read_text()).body:
            names = (
                [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names] if isinstance(node, ast.Import) else []
            )
            assert {name.partition(".")[0] for name in names} <= allowed, f"{file} imports {names} outside `with extra(...)`"


def test_a_failed_import_of_ours_is_no_missing_package():
    with pytest.raises(ModuleNotFoundError) as caught, extra("trl"):
        import rlgym.no_such_module  # noqa: F401
    assert not isinstance(caught.value, PackageMissing)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_install_lines_work_from_a_clone(page):
    text = page.read_text(encoding="utf-8")
    for line in re.findall(r"pip install [^`\n#]*", text):
        assert not re.search(r"""install ["']?rlvrgym""", line), f"{line!r} needs a published package: write `pip install '.[EXTRA]'`"
        for named in re.findall(r"\.\[([^\]]*)\]", line):
            assert set(named.split(",")) <= set(EXTRAS), line


@pytest.mark.slow
def test_the_extras_resolve_together():
    """With a package index: pip-compile's resolution of all adapters that can share an environment, and of the two that cannot join."""
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    if not Path(uv).exists():
        pytest.skip("uv is not installed")

    def resolve(*extras: str) -> subprocess.CompletedProcess[str]:
        named = [word for name in extras for word in ("--extra", name)]
        return subprocess.run(
            [uv, "pip", "compile", "-q", "--python-version", "3.11", str(ROOT / "pyproject.toml"), *named],
            capture_output=True,
            text=True,
            check=False,
        )

    done = resolve(*TOGETHER)
    if re.search("dns error|error sending request|client error", done.stderr):
        pytest.skip("no package index can be reached from here")
    assert done.returncode == 0, done.stderr
    for name in APART:
        assert resolve(name).returncode == 0, f"{name} does not resolve alone"
