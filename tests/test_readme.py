"""The examples of the README and of the tutorials run as they stand, and print what stands below them."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md", *sorted((ROOT / "docs").glob("tutorials/*.md"))]


def _files(text):
    """The files that a page shows, by name."""
    return dict(re.findall(r'```(?:yaml|python) title="(.+?)"\n(.*?)```', text, re.DOTALL))


@pytest.fixture
def own_algorithms():
    """The registries of the trainer hold what a page registers for this test only."""
    pytest.importorskip("torch", reason="the trainer needs torch")
    from rlgym.train.registry import restored_registries

    modules = set(sys.modules)
    with restored_registries():
        yield
    for name in set(sys.modules) - modules:
        # Only what the page wrote: libraries such as torch cannot be imported twice.
        file = getattr(sys.modules[name], "__file__", None) or ""
        if "pytest-of-" in file:
            del sys.modules[name]


def _examples():
    """Python blocks, each with the output that stands below it, if any."""
    for page in PAGES:
        if page.stem == "grpo-with-trl":  # tests/adapters/test_trl.py runs it, where TRL is installed
            continue
        text = page.read_text(encoding="utf-8")
        for i, match in enumerate(re.finditer(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)):
            yield pytest.param(match[1], match[2], _files(text), id=f"{page.stem}-{i}")


@pytest.mark.parametrize(("block", "output", "files"), list(_examples()))
def test_python_examples_run_and_print_what_the_page_shows(block, output, files, tmp_path, monkeypatch, capsys, request):
    monkeypatch.chdir(tmp_path)
    if any(name.endswith(".py") for name in files):
        request.getfixturevalue("own_algorithms")
        monkeypatch.syspath_prepend(tmp_path)
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    exec(compile(block, "example", "exec"), {"__name__": "example"})  # noqa: S102  our own text
    printed = capsys.readouterr().out
    assert output is None or printed.strip() == output.strip()


def _pages_with_commands():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        commands = [
            shlex.split(line, comments=True) for block in re.findall(r"```bash\n(.*?)```", text, re.DOTALL) for line in block.splitlines()
        ]
        commands = [command for command in commands if command[:1] == ["rlgym"]]
        if commands:
            files = _files(text)
            training = any(command[1] == "train" for command in commands)
            yield pytest.param(commands, files, marks=[pytest.mark.slow] if training else [], id=page.stem)


@pytest.mark.parametrize(("commands", "files"), list(_pages_with_commands()))
def test_the_commands_of_a_page_run(commands, files, tmp_path, monkeypatch, request):
    from rlgym.cli import app

    monkeypatch.chdir(tmp_path)
    if any(command[1] == "train" for command in commands):
        request.getfixturevalue("own_algorithms")
        from rlgym.train.quickstart import make_initial_model

        make_initial_model(Path("quickstart"), seed=0)  # the page's quickstart takes ten minutes
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    for command in commands:
        done = CliRunner().invoke(app, command[1:], catch_exceptions=False)
        assert done.exit_code == 0, f"{' '.join(command)}: {done.output}"


def test_pages_have_commands():
    assert len(list(_pages_with_commands())) >= 4
