"""Studies: the same start, seeds and tasks for every member, and tables that come out alike when they are made again."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("matplotlib")

from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.core.errors import RlgymError, UnknownName
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.study import folder
from rlgym.train.study import run as study_run
from rlgym.train.study.folder import code_version, codes_of, mixed_code, note_code
from rlgym.train.study.page import study_page
from rlgym.train.study.run import Settings, introduction, member_config, run_study, start_folder
from rlgym.train.study.studies import BY_FAMILY, STUDIES, Study, study
from rlgym.train.study.summary import Estimate, estimate, pareto_front, summarize, table
from rlgym.train.validate.algorithms import check_algorithms

SMALL = Settings(steps=2, seeds=(0, 1), sft_steps=2, eval_tasks=1)


@pytest.mark.parametrize(("name", "label"), [(name, label) for name in STUDIES for label in STUDIES[name].members])
def test_every_member_is_a_valid_configuration(tmp_path, name, label):
    check_algorithms(member_config(tmp_path, tmp_path, 0, STUDIES[name].members[label], Settings()))


def test_a_toy_study_has_one_easy_environment_and_keeps_the_changes_of_its_members(tmp_path):
    config = member_config(tmp_path, tmp_path, 0, STUDIES["length-rewards"].members["LASER"], Settings(toy=True))
    check_algorithms(config)
    assert [part.names for part in config.tasks] == [["chain_sum"]]
    assert config.update.lr == 1e-4
    assert config.algorithm.group_rewards["length_target"]["easy_tokens"] == 12
    done = CliRunner().invoke(app, ["study", "transfer", "--toy", "--out", str(tmp_path)])
    assert "--toy applies to the other studies" in str(done.exception)


def test_the_pareto_front_by_hand():
    def row(accuracy, tokens):
        return {"after": {"mean": accuracy}, "response_tokens": {"mean": tokens}}

    rows = {"best": row(0.9, 20), "short": row(0.5, 5), "both worse": row(0.4, 6), "as good, longer": row(0.9, 21), "between": row(0.7, 10)}
    assert pareto_front(rows) == ["best", "short", "between"]


def test_tables_do_not_depend_on_the_number_of_cores(tmp_path):
    assert member_config(tmp_path, tmp_path, 0, {}, Settings()).compute.cpu_threads == 1


def test_members_of_a_study_differ():
    for chosen in STUDIES.values():
        assert len({json.dumps(dict(change), sort_keys=True) for change in chosen.members.values()}) == len(chosen.members)


def test_the_members_of_the_study_of_levels_are_measured_on_the_same_levels(tmp_path):
    chosen, toy = STUDIES["levels"], Settings(toy=True)
    configs = {label: member_config(tmp_path, tmp_path, 0, change, toy) for label, change in chosen.members.items()}
    assert {tuple(config.evaluation.levels) for config in configs.values()} == {(0.0, 0.02, 0.04)}
    rules = {label: config.tasks[0].levels.rule for label, config in configs.items() if not isinstance(config.tasks[0].levels, list)}
    assert rules == {"band": "band", "AdaRFT": "target", "SATURN": "step_up"}
    assert configs["SATURN"].evaluation.every_steps  # evaluations move its level
    assert configs["one task"].tasks[0].num_tasks == 1
    assert "`chain_sum` at levels 0, 0.02, 0.04 (" in introduction(chosen, toy)
    assert "`chain_sum` at level 0 (" in introduction(STUDIES["losses"], toy)
    # Studies whose toy models differ never share one.
    folders = {start_folder(tmp_path, 0, toy, STUDIES[name].toy_recipe).name for name in ("levels", "losses", "filters")}
    assert folders == {"toy-seed-0", "toy-beyond_variance-seed-0"}


def test_an_estimate_is_a_t_interval():
    # The mean of 1, 2, 3 is 2, its standard error 1 / sqrt(3), and the quantile of two degrees of freedom 4.303.
    assert estimate([1.0, 2.0, 3.0]) == Estimate(2.0, pytest.approx(4.303 / 3**0.5))
    assert estimate([0.5]) == Estimate(0.5, None)
    assert estimate([0.5, 0.5]).half_width == 0
    assert Estimate(0.25, None).text(sign=True) == "+0.250"


def run_of(before, after):
    return {"before": before, "after": after, "rollouts": 10.0, "tokens": 50.0, "solve_rate": [0.5]}


def test_differences_are_of_the_same_seeds():
    runs = {"one": {0: run_of(0.1, 0.2), 1: run_of(0.5, 0.6)}, "two": {0: run_of(0.1, 0.3), 1: run_of(0.5, 0.7)}}
    rows = summarize(runs, "one")
    assert rows["two"]["difference"] == {"mean": pytest.approx(0.1), "half_width": pytest.approx(0, abs=1e-9)}
    assert rows["two"]["after"]["half_width"] > 1
    assert "difference" not in rows["one"]
    assert "| two | 0.300" in table(rows)
    assert "+0.100 ± 0.000 | 10 | 50 |" in table(rows)


@pytest.fixture
def two_members(monkeypatch):
    monkeypatch.setitem(STUDIES, "small", Study("Which?", {"grpo": {}, "hints": STUDIES["guidance"].members["hints"]}))


@pytest.mark.slow
def test_a_study_resumes_and_gives_the_same_results_again(tmp_path, monkeypatch, two_members):
    trained, plain = [], study_run.train
    monkeypatch.setattr(study_run, "train", lambda config, callback: (trained.append(config.output_dir), plain(config, callback))[1])
    first = run_study("small", tmp_path / "one", SMALL)
    assert len(trained) == 4
    # Hinted rollouts of groups that are never solved are counted as well.
    assert first["runs"]["hints"][0]["rollouts"] > first["runs"]["grpo"][0]["rollouts"] == 2 * 12 * 8
    starts = {
        json.loads((tmp_path / "one" / "small" / label / "seed-1" / "config.json").read_text())["model"]["path"]
        for label in ("grpo", "hints")
    }
    assert len(starts) == 1
    for name in ("study.json", "table.md", "curves.png", "report.html", "settings.json"):
        assert (tmp_path / "one" / "small" / name).stat().st_size
    kept = (tmp_path / "one" / "small" / "study.json").read_bytes()
    run_study("small", tmp_path / "one", SMALL)
    assert len(trained) == 4
    assert (tmp_path / "one" / "small" / "study.json").read_bytes() == kept
    with pytest.raises(RlgymError, match="another settings"):
        run_study("small", tmp_path / "one", Settings(steps=3, seeds=(0, 1), sft_steps=2, eval_tasks=1))


@pytest.mark.slow
def test_two_runs_of_a_study_in_different_folders_are_equal(tmp_path, two_members):
    settings = Settings(steps=1, seeds=(3,), sft_steps=1, eval_tasks=1)
    both = [run_study("small", tmp_path / folder, settings) for folder in ("one", "two")]
    assert both[0] == both[1]
    lines = [read_lines(tmp_path / folder / "small" / "grpo" / "seed-3" / "metrics.jsonl") for folder in ("one", "two")]
    assert lines[0] == lines[1]


KILLED = """
import sys
from pathlib import Path
from rlgym.train.study import run as study_run
from rlgym.train.study.studies import STUDIES, Study
plain = study_run.train
def counted(config, callback):
    with open(Path(sys.argv[1]) / "trained", "a") as out:
        out.write(Path(config.output_dir).parent.name + "\\n")
    return plain(config, callback)
study_run.train, study_run.GROUPS_PER_STEP, study_run.GROUP_SIZE = counted, 3, 4
STUDIES["small"] = Study("Which?", {"grpo": {}, "rloo": {"algorithm.advantage": "rloo"}})
study_run.run_study("small", sys.argv[1], study_run.Settings(steps=3, seeds=(5,), sft_steps=3, eval_tasks=1))
"""


@pytest.mark.slow
def test_a_study_that_is_killed_at_any_moment_ends_with_the_same_tables(tmp_path):
    def start(folder):
        folder.mkdir(exist_ok=True)
        return subprocess.Popen([sys.executable, "-c", KILLED, str(folder)], cwd=os.getcwd())

    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert start(whole).wait(timeout=600) == 0
    deaths = 0
    sft = killed / "start" / "seed-5-sft-3" / "run" / "metrics.jsonl"
    for file in (sft, *(killed / "small" / member / "seed-5" / "metrics.jsonl" for member in ("grpo", "rloo"))):
        process, deadline = start(killed), time.monotonic() + 300
        while process.poll() is None and time.monotonic() < deadline and not (file.exists() and file.stat().st_size):
            time.sleep(0.005)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            deaths += 1
        process.wait()
    assert deaths == 3
    assert start(killed).wait(timeout=600) == 0
    for name in ("study.json", "table.md", "settings.json"):
        assert (killed / "small" / name).read_bytes() == (whole / "small" / name).read_bytes(), name
    # Each member was killed once and resumed; what had ended before the last kill was not trained again.
    assert (killed / "trained").read_text().split() == ["grpo", "grpo", "rloo", "rloo"]


def test_runs_by_different_versions_of_the_code_are_said_beside_the_numbers(tmp_path, monkeypatch):
    one, two, old = (tmp_path / name / "seed-0" for name in ("one", "two", "old"))
    note_code(one)
    note_code(one)
    monkeypatch.setattr(folder, "code_version", lambda: "another")
    note_code(two)
    assert codes_of([one]) == [code_version()]
    assert not one.exists()
    assert codes_of([one, two, old]) == sorted([code_version(), "another", "unknown"])
    assert mixed_code(["a"]) == []
    assert "different versions of the trainer's source (a, b)" in mixed_code(["a", "b"])[0]
    results = {"seeds": [0], "rlgym": "1", "code": ["a", "b"], "torch": "2", "python": "3", "settings": {}, "environments": {}}
    assert "different versions of the trainer" in study_page("title", results, [])


@pytest.mark.parametrize("given", [{"seeds": ()}, {"seeds": (1, 1)}, {"seeds": tuple(range(11))}, {"steps": 0}])
def test_settings_that_make_no_sense_are_refused(given):
    with pytest.raises(RlgymError):
        Settings(**given)


def test_an_unknown_study_is_named_with_the_nearest(tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'losses'"):
        study("loses")
    result = CliRunner().invoke(app, ["train", "study", "loses", "--out", str(tmp_path)])
    assert "losses" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_the_studies_are_listed():
    result = CliRunner().invoke(app, ["train", "study", "--json"])
    assert json.loads(result.stdout).keys() == STUDIES.keys() | BY_FAMILY.keys()
    assert len(STUDIES) >= 8


def test_the_short_command_lists_and_refuses_as_the_long_one_does(tmp_path):
    runner = CliRunner()
    assert runner.invoke(app, ["study", "--json"]).output == runner.invoke(app, ["train", "study", "--json"]).output
    for command in (["study"], ["train", "study"]):
        done = runner.invoke(app, [*command, "losses", "--env", "logic", "--out", str(tmp_path)])
        assert "--env applies to the studies transfer, methods, pairs, scaling and gap only" in str(done.exception)
        assert "apply to a study by its name" in str(runner.invoke(app, [*command, "--seeds", "2"]).exception)


def test_options_of_a_study_are_refused_elsewhere():
    result = CliRunner().invoke(app, ["train", "quickstart", "--seeds", "2"])
    assert "--seeds does not apply to `rlgym train quickstart`, but to `rlgym train study`" in str(result.exception)


def publisher():
    spec = importlib.util.spec_from_file_location("publish_study", Path(__file__).parents[2] / "scripts" / "publish_study.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_published_study_is_the_page_of_its_numbers():
    assert publisher().outdated() == []


def test_a_page_keeps_what_was_written_by_hand_and_a_new_one_says_what_intervals_say(tmp_path):
    script = publisher()
    ends = {"a": 0.7, "b": 0.8, "c": 0.71}
    runs = {
        label: {
            seed: {"before": start, "after": start + end - 0.5, "rollouts": 8, "tokens": 80} for seed, start in enumerate((0.4, 0.5, 0.6))
        }
        for label, end in ends.items()
    }
    runs["c"][0]["after"] += 0.2
    results = {
        "study": "three",
        "question": "Which?",
        "members": {label: {} for label in ends},
        "settings": {"steps": 16, "seeds": [0, 1, 2], "sft_steps": 800, "eval_tasks": 60},
        "summary": summarize(runs, "a"),
        "runs": {},
    }
    folder, pages = tmp_path / "run", tmp_path / "pages"
    folder.mkdir()
    pages.mkdir()
    (folder / "study.json").write_text(json.dumps(results))
    (folder / "curves.png").write_bytes(b"png")
    page = script.publish(folder, pages)
    text = page.read_text()
    assert "| b | 0.500" in text
    assert "`b` ends above `a`: +0.100 ± 0.000, an interval without 0." in text
    assert "would support: `c`." in text
    assert script.outdated(pages) == []
    page.write_text(text.replace(script.written_reading(text), "Only b helps."))
    script.publish(folder, pages)
    assert script.written_reading(page.read_text()) == "Only b helps."
    page.write_text(page.read_text().replace("0.800", "0.900"))
    assert script.outdated(pages) == ["three"]
