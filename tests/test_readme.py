"""The examples of the README and of the tutorials run as they stand."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("tutorials/*.md"))]


def _blocks(language):
    found = []
    for page in PAGES:
        for i, block in enumerate(re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)):
            found.append(pytest.param(block, id=f"{page.stem}-{i}"))
    return found


@pytest.mark.parametrize("block", _blocks("python"))
def test_python_examples_run(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "example", "exec"), {"__name__": "example"})  # noqa: S102  our own text


def test_commands_run(tmp_path, monkeypatch):
    from rlgym.cli import app

    ran = 0
    for page in PAGES:
        (tmp_path / page.stem).mkdir()
        monkeypatch.chdir(tmp_path / page.stem)
        for block in re.findall(r"```bash\n(.*?)```", page.read_text(), re.DOTALL):
            for line in block.splitlines():
                command = shlex.split(line, comments=True)
                if command[:1] == ["rlgym"]:
                    done = CliRunner().invoke(app, command[1:], catch_exceptions=False)
                    assert done.exit_code == 0, f"{line}: {done.output}"
                    ran += 1
    assert ran >= 4
