"""The command, as a user and as a program runs it."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from rlgym.cli import app


def _run(*words, exit_code=0, **given):
    done = CliRunner().invoke(app, list(words), catch_exceptions=False, **given)
    assert done.exit_code == exit_code, done.output
    return done.stdout


def _command(*words, text=None):
    code = "from rlgym.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *words], input=text, capture_output=True, text=True, check=False)


def test_list_and_show():
    listed = json.loads(_run("list", "--json"))
    assert "chain_sum" in {spec["name"] for spec in listed}
    assert {spec["domain"] for spec in json.loads(_run("list", "--domain", "sql", "--json"))} == {"sql"}
    assert "environments" in _run("list")
    shown = json.loads(_run("show", "chain_sum", "--json"))
    assert set(shown["samples"]) == {"0.0", "0.5", "1.0"}
    assert "how many integers are added" in _run("show", "chain_sum")


def test_sample_gives_what_the_seed_makes():
    import rlgym

    sampled = json.loads(_run("sample", "chain_sum", "-n", "2", "--seed", "5", "--level", "0.2", "-k", "terms=4", "--json"))
    assert [rlgym.load_task(one["task"]) for one in sampled] == [rlgym.task("chain_sum", seed, level=0.2, terms=4) for seed in (5, 6)]
    assert "oracle:" in _run("sample", "chain_sum")


def test_a_person_plays():
    import rlgym

    task = rlgym.task("chain_sum", 3, level=0.0)
    said = _run("play", "chain_sum", "--level", "0", "--seed", "3", input=f"/hint\n{task.data.total}\n")
    assert "Keep a running total" in said
    assert "score 1 (right)" in said
    game = rlgym.task("higher_lower", 3, level=0.0)
    said = _run("play", "higher_lower", "--level", "0", "--seed", "3", input=f"what?\n1\n{game.data.hidden}\n")
    assert "could not be read" in said
    assert "score 1 (right)" in said
    assert "stopped" in _run("play", "higher_lower", "--seed", "3", input="1\n")


def test_check_prints_numbers_and_fails_when_a_law_is_broken(monkeypatch):
    report = json.loads(_run("check", "chain_sum", "--seconds", "1", "--json"))
    assert report["certificates"][0]["passed"]
    assert report["bar"]["break any law"] == 0
    assert "ok     rich" in _run("check", "chain_sum", "--law", "rich", "--seconds", "0.2")
    import planted.faulty

    import rlgym

    declared = rlgym.environment("chain_sum")
    monkeypatch.setitem(declared.__dict__, "verify", planted.faulty.accepts_everything.verify)
    assert "BROKEN" in _run("check", "chain_sum", "--law", "unpaid", "--seconds", "0.2", exit_code=1)


def test_new_writes_an_environment_that_passes(tmp_path):
    from pathlib import Path

    from rlgym.laws import Subject, certify
    from rlgym.laws.other_process import load

    _run("new", "acme/largest_of_all", "--root", str(tmp_path / "a" / "envs"))
    file = tmp_path / "a" / "envs" / "acme" / "largest_of_all.py"
    certificate = certify(Subject("largest_of_all", load("largest_of_all", str(file)), str(file)), seconds=2)
    assert certificate.passed, certificate.to_dict()
    assert (file.parent / "__init__.py").exists()
    assert isinstance(file, Path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "chain_smu"), "error: no environment is called 'chain_smu'. Did you mean 'chain_sum'?"),
        (("sample", "chain_sum", "--level", "3"), "error: level must be from 0 (easiest) to 1 (hardest), got level=3.0"),
        (("sample", "chain_sum", "-k", "terms"), "error: a knob is given as NAME=VALUE, got 'terms'"),
        (("sample", "chain_sum", "-k", "terms=many"), "error: terms must be an integer from 2 to 40, got terms='many'"),
        (("list", "-d", "arithmetics"), "error: there is no domain 'arithmetics'; Did you mean 'arithmetic'?"),
        (("check",), "error: name the environments to check, or say --all"),
        (("check", "chain_sum", "--law", "rihc"), "error: there is no law 'rihc'; Did you mean 'rich'?"),
        (("new", "Bad Name"), "error: give DOMAIN/NAME in lower case letters"),
        (("new", "arithmetic/chain_sum"), "error: there is an environment called 'chain_sum' already"),
    ],
)
def test_errors_are_one_line_and_no_traceback(words, said):
    done = _command(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr
