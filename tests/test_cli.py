"""The command, as a user and as a program runs it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rlgym import cli
from rlgym.cli import app
from rlgym.core.errors import RlgymError


def _run(*words, exit_code=0, **given):
    done = CliRunner().invoke(app, list(words), catch_exceptions=False, **given)
    assert done.exit_code == exit_code, done.output
    return done.stdout


def _command(*words, text=None):
    code = "from rlgym.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *words], input=text, capture_output=True, text=True, check=False)


def test_list_has_one_line_per_environment_and_agrees_with_the_declarations():
    import rlgym

    listed = json.loads(_run("list", "--json"))
    assert [entry["name"] for entry in listed] == sorted(rlgym.names(), key=lambda name: (rlgym.spec(name)["domain"], name))
    for entry in listed:
        spec = rlgym.spec(entry["name"])
        assert (entry["domain"], entry["kind"], entry["description"]) == (spec["domain"], spec["kind"], spec["doc"].split("\n")[0])
        declared = rlgym.environment(entry["name"])
        assert entry["needs"] == [*getattr(declared, "needs", ()), *getattr(declared, "programs", ())]
    lines = _run("list").splitlines()
    assert [line.split()[0] for line in lines] == [entry["name"] for entry in listed]
    assert all(entry["description"] in line for entry, line in zip(listed, lines))
    assert _run("list", "--names").split() == [entry["name"] for entry in listed]


def test_list_takes_a_domain_and_searches():
    assert {entry["domain"] for entry in json.loads(_run("list", "sql", "--json"))} == {"sql"}
    found = _run("list", "--search", "SHORTEST path", "--names").split()
    assert "shortest_path" in found
    assert len(found) < 20
    assert "[needs quickjs]" in _run("list", "code")


def test_list_cuts_descriptions_on_a_terminal_but_never_names(monkeypatch):
    from rich.console import Console

    from rlgym.cli import catalog

    for width in (20, 80, 140):
        monkeypatch.setattr(catalog, "console", Console(width=width, force_terminal=True))
        lines = _run("list", "graphs").splitlines()[1:-1]
        assert [line.split()[0] for line in lines] == _run("list", "graphs", "--names").split()
        longest = max(len(line.split()[0]) for line in lines)
        assert all(len(line) <= max(width, longest) for line in lines)
        assert any("…" in line for line in lines) == (width == 80 or width == 140)


def test_version_is_printed():
    import rlgym

    assert _run("--version") == f"rlgym {rlgym.__version__}\n"


def test_show_tells_knobs_and_samples():
    shown = json.loads(_run("show", "chain_sum", "--json"))
    assert set(shown["samples"]) == {"0.0", "0.5", "1.0"}
    assert "how many integers are added" in _run("show", "chain_sum")


def test_sample_gives_what_the_seed_makes():
    import rlgym

    sampled = json.loads(_run("sample", "chain_sum", "-n", "2", "--seed", "5", "--level", "0.2", "-k", "terms=4", "--json"))
    assert [rlgym.load_task(item["task"]) for item in sampled] == [rlgym.task("chain_sum", seed, level=0.2, terms=4) for seed in (5, 6)]
    assert "oracle:" in _run("sample", "chain_sum")


def test_a_person_plays():
    import rlgym

    task = rlgym.task("chain_sum", 3, level=0.0)
    output = _run("play", "chain_sum", "--level", "0", "--seed", "3", input=f"/hint\n{task.data.total}\n")
    assert "Keep a running total" in output
    assert "score 1 (right)" in output
    game = rlgym.task("higher_lower", 3, level=0.0)
    output = _run("play", "higher_lower", "--level", "0", "--seed", "3", input=f"what?\n1\n{game.data.hidden}\n")
    assert "could not be read" in output
    assert "score 1 (right)" in output
    assert "stopped" in _run("play", "higher_lower", "--seed", "3", input="1\n")


def test_a_lost_game_shows_the_solution_and_offers_another_try():
    import rlgym

    task = rlgym.task("chain_sum", 3, level=0.0)
    output = _run("play", "chain_sum", "--level", "0", "--seed", "3", input=f"5000\ny\n{task.data.total}\n")
    lost, solution, won = (
        output.index("score 0 (wrong)"),
        output.index(f"The answer is: {task.data.total}"),
        output.index("score 1 (right)"),
    )
    assert lost < solution < output.index("Try this task again? [y/N]") < won
    output = _run("play", "higher_lower", "--level", "0", "--seed", "3", input="x\n" * 20)
    assert "score 0" in output
    assert "turn 1: " in output
    assert "These answers score 1." in output


def test_a_drawing_is_written_to_a_file(tmp_path):
    assert "--picture FILE" in _run("play", "shortest_path", "--seed", "3", input="/quit\n")
    output = _run("play", "shortest_path", "--seed", "3", "--picture", str(tmp_path / "map.svg"), input="/quit\n")
    assert f"picture: {tmp_path / 'map.svg'}" in output
    assert (tmp_path / "map.svg").read_text().startswith("<svg")


def test_check_prints_numbers_and_fails_when_a_law_is_broken(monkeypatch):
    report = json.loads(_run("check", "chain_sum", "--effort", "least", "--json"))
    assert report["certificates"][0]["passed"]
    assert report["bar"]["break any law"] == 0
    assert "ok     diversity" in _run("check", "chain_sum", "--law", "diversity", "--effort", "least")
    import planted.faulty

    import rlgym

    declared = rlgym.environment("chain_sum")
    monkeypatch.setitem(declared.__dict__, "verify", planted.faulty.accepts_everything.verify)
    assert "BROKEN" in _run("check", "chain_sum", "--law", "no_free_reward", "--effort", "least", exit_code=1)


def test_check_shows_a_failing_oracle_once_with_its_prompt_and_answer(monkeypatch):
    import rlgym
    from rlgym.laws import determinism

    # The shifted family may have been made before, with the right oracle.
    both = [rlgym.environment(name) for name in ("chain_sum", "chain_sum:shift")]
    solve = both[0].solve
    monkeypatch.setattr(determinism, "frozen", lambda subject: None)  # as for a new environment; frozen samples hold the oracle's answer
    for declared in both:
        monkeypatch.setitem(declared.__dict__, "solve", lambda task: solve(task) + 1)
    output = _run("check", "chain_sum", "--effort", "least", exit_code=1)
    prompt = rlgym.task("chain_sum", 1, level=0.0).prompt
    assert output.count(f"prompt: {prompt}\n") == 1
    assert "oracle: <answer>" in output
    assert "score:  0 (wrong): the sum is another number" in output
    assert [line.split()[1] for line in output.splitlines() if line.strip().startswith("BROKEN")] == ["oracle_accuracy"] * 2
    assert "no_free_reward         not measured: the oracle fails" in output


def test_check_notes_a_right_answer_among_the_mistakes_and_missing_frozen_samples(monkeypatch):
    import rlgym
    from rlgym.laws import determinism

    declared = rlgym.environment("chain_sum")
    mistakes = declared.mistakes
    monkeypatch.setitem(declared.__dict__, "mistakes", lambda task, right: [right, *mistakes(task, right)])
    output = _run("check", "chain_sum", "--law", "mistakes_rejected", "--effort", "least")
    assert "note: a declared mistake is the right answer and was skipped" in output
    monkeypatch.setattr(determinism, "frozen", lambda subject: None)
    output = _run("check", "chain_sum", "--law", "determinism", "--effort", "least")
    assert "todo   determinism" in output
    assert "run `rlgym freeze chain_sum`" in output


def test_check_shows_every_law_of_an_environment_and_of_its_shifted_family():
    output = _run("check", "shortest_path", "--law", "diversity", "--law", "clean_source", "--effort", "least")
    assert "shortest_path:shift v" in output
    assert output.count("ok     diversity") == output.count("ok     clean_source") == 2


def test_new_writes_an_environment_that_passes_once_it_is_described(tmp_path):
    from rlgym.laws import Subject, certify
    from rlgym.laws.clean_source import PLACEHOLDER
    from rlgym.laws.second_process import load

    _run("new", "acme/spread_of_numbers", "--root", str(tmp_path / "a" / "envs"))
    file = tmp_path / "a" / "envs" / "acme" / "spread_of_numbers.py"
    assert (file.parent / "__init__.py").exists()
    subject = Subject("spread_of_numbers", load("spread_of_numbers", str(file)), str(file))
    broken = {law: finding.failures for law, finding in certify(subject, effort="least").findings.items() if not finding.passed}
    assert list(broken) == ["clean_source"]
    assert "placeholder of `rlgym new`" in broken["clean_source"][0]
    file.write_text(file.read_text().replace(PLACEHOLDER, "Subtract the smallest of several integers from the largest."))
    certificate = certify(Subject("spread_of_numbers", load("spread_of_numbers", str(file)), str(file)), effort="least")
    assert certificate.passed, certificate.to_dict()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "chain_smu"), "error: no environment is called 'chain_smu'. Did you mean 'chain_sum'?"),
        (("sample", "chain_sum", "--level", "3"), "error: level must be from 0 (easiest) to 1 (hardest), got level=3.0"),
        (("sample", "chain_sum", "-k", "terms"), "error: give a knob as NAME=VALUE, got 'terms'"),
        (("sample", "chain_sum", "-k", "terms=many"), "error: terms must be an integer from 2 to 40, got terms='many'"),
        (("list", "arithmetics"), "error: there is no domain 'arithmetics'. Did you mean 'arithmetic'?"),
        (("list", "--search", "zzz"), "error: no environment matches 'zzz'"),
        (("check",), "error: name the environments to check, or give --all"),
        (("check", "chain_sum", "--law", "divercity"), "error: there is no law 'divercity'. Did you mean 'diversity'?"),
        (("check", "chain_sum", "--effort", "leest"), "error: there is no effort 'leest'. Did you mean 'least'?"),
        (("new", "Bad Name"), "error: give DOMAIN/NAME in lower case letters"),
        (("new", "arithmetic/chain_sum"), "error: an environment called 'chain_sum' exists already"),
    ],
)
def test_errors_are_one_line_and_no_traceback(words, message):
    done = _command(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(message)
    assert "Traceback" not in done.stderr


def test_the_environment_of_the_tutorial_passes_every_law(tmp_path):
    from pathlib import Path

    from rlgym.laws import Subject, certify
    from rlgym.laws.second_process import load

    page = Path(__file__).parents[1] / "docs" / "tutorials" / "add-an-environment.md"
    file = tmp_path / "envs" / "arithmetic" / "sum_in_range.py"
    file.parent.mkdir(parents=True)
    file.write_text("\n\n".join(re.findall(r"```py\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)))
    certificate = certify(Subject("sum_in_range", load("sum_in_range", str(file)), str(file)), effort="least")
    assert certificate.passed, certificate.to_dict()


@pytest.mark.parametrize(
    "command",
    [
        ["dataset", "build", "--names", "chain_sum", "--out", "s3://bucket/x"],
        ["dataset", "score", "hf://datasets/x", "--responses", "oracle"],
        ["dataset", "export", "data", "--for", "trl", "--out", "gs://bucket/x.parquet"],
        ["demo", "--out", "s3://bucket/x"],
        ["eval", "run", "smoke-v1", "--out", "s3://bucket/x"],
        ["train", "quickstart", "--out", "s3://bucket/x"],
        ["play", "chain_sum", "--picture", "https://host/x.svg"],
    ],
)
def test_a_url_is_refused_and_never_a_folder_with_a_colon(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, command)
    assert isinstance(done.exception, RlgymError), done.output
    assert "://" in str(done.exception)
    assert "is a URL" in str(done.exception)
    assert not list(tmp_path.iterdir())


def test_every_path_of_the_command_line_refuses_urls():
    """An option of type Path that a plain typer.Option reads turns s3://x into the folder `s3:`."""
    for file in Path(cli.__file__).parent.rglob("*.py"):
        assert not re.search(r"Annotated\[Path[^\]]*?typer\.(Option|Argument)\(", file.read_text()), file
