"""The studies over families of tasks: each run and each measurement is made once, tables come out alike, and bad input is refused in words."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("matplotlib")

from typer.testing import CliRunner

from rlgym import Outcome, Score
from rlgym.cli import app
from rlgym.core.errors import RlgymError
from rlgym.train.rollout.episodes import Episode
from rlgym.train.study import measure, methods, transfer
from rlgym.train.study.families import Families, chosen_families
from rlgym.train.study.measure import accuracy, summarize_responses
from rlgym.train.study.methods import METHODS, MethodSettings, TeacherData, run_methods
from rlgym.train.study.methods_page import summarize_methods
from rlgym.train.study.transfer import TransferSettings, run_transfer
from rlgym.train.study.transfer_summary import clear, groups_of, summarize_support, summarize_transfer
from rlgym.train.tasks.spec import TaskSpec

TOY = Families(trained=("chain_sum", "random_calculation"), apart=("partial_derivatives",), sft_steps=2)
SMALL = TransferSettings(
    families=TOY,
    steps=2,
    seeds=(0,),
    groups_per_step=2,
    group_size=2,
    eval_tasks=2,
    support=("chain_sum",),
    support_tasks=2,
    support_samples=4,
)


def measurement(*right, samples=4, **more):
    return {
        "right": list(right),
        "samples": [samples] * len(right),
        "tokens": 5.0,
        "readable": 1.0,
        "worked": 0.5,
        "worked_right": 0.5,
    } | more


def test_gains_are_of_the_same_seed_and_averaged_over_groups():
    families = Families(trained=("chain_sum", "random_calculation", "modular_arithmetic"), apart=("string_rewriting",))
    places = families.main + families.shifted
    base = {seed: {place: measurement(seed, seed) for place in places} for seed in (0, 1)}
    trained = {row: {seed: dict(base[seed]) for seed in (0, 1)} for row in families.trained}
    for seed in (0, 1):
        trained["chain_sum"][seed] |= {
            "chain_sum": measurement(seed + 2, seed + 2, worked=0.75),
            "modular_arithmetic": measurement(seed + 1, seed),
        }
    support = {"chain_sum": {seed: {"base": measurement(0, 2), "trained": measurement(4, 0)} for seed in (0, 1)}}
    summary = summarize_transfer({"base": base, "trained": trained, "support": support}, families)
    assert summary["matrix"]["chain_sum"]["chain_sum"] == {"mean": 0.5, "half_width": 0.0}
    assert summary["matrix"]["chain_sum"]["modular_arithmetic"]["mean"] == 0.125
    assert summary["means"]["chain_sum"]["same domain"]["mean"] == 0
    assert summary["means"]["chain_sum"]["other domains"]["mean"] == 0.125
    assert "same domain" not in summary["means"]["modular_arithmetic"]
    assert summary["overall"]["own"]["mean"] == pytest.approx(0.5 / 3)
    assert summary["working"]["chain_sum"]["own"] == {"mean": 0.25, "half_width": 0.0}
    assert summary["working"]["chain_sum"]["others"]["mean"] == 0
    assert summary["working"]["modular_arithmetic"]["own"]["mean"] == 0
    # The base accuracy differs between the seeds, and its interval is that of two values 0 and 0.25.
    assert summary["base"]["chain_sum"]["half_width"] == pytest.approx(12.706 * 0.125)


def test_an_interval_of_no_width_is_no_finding():
    assert clear({"mean": -0.2, "half_width": 0.1})
    assert not clear({"mean": 0.1, "half_width": 0.2})
    assert not clear({"mean": 0.1, "half_width": 0.0})
    assert not clear({"mean": 0.1, "half_width": None})


def test_every_other_family_is_in_one_group():
    families = Families()
    for row in families.trained:
        chosen = [name for group in groups_of(row, families).values() for name in group]
        assert sorted(chosen) == sorted(families.main + families.shifted)


def test_pass_at_k_is_the_unbiased_estimate_and_counts_what_only_one_model_solves():
    found = summarize_support({0: {"base": measurement(1, 0), "trained": measurement(0, 2)}})
    assert list(found["pass_at"]) == ["1", "2", "4"]
    assert found["pass_at"]["2"]["base"]["mean"] == pytest.approx(0.25)
    assert found["pass_at"]["4"]["trained"]["mean"] == 0.5
    assert (found["tasks"], found["only_base"], found["only_trained"]) == (2, 1, 1)


def episode(group, text, score):
    task = TaskSpec("chain_sum", 0.0, group, "test")
    return Episode(group, group, task, [1, 2], [False, True], [0.0, 0.0], None, score=score, messages=[("user", "?"), ("assistant", text)])


def test_a_measurement_tells_working_from_a_bare_answer():
    found = summarize_responses(
        "chain_sum",
        [
            episode(0, "1 + 2 = 3\n<answer>3</answer>", Score(1.0, Outcome.RIGHT)),
            episode(0, "<answer>4</answer>", Score.wrong("no")),
            episode(1, "1 + 1 = 3\n<answer>3</answer>", Score.wrong("no")),
        ],
    )
    assert (found["right"], found["samples"]) == ([1, 0], [2, 1])
    assert (found["worked"], found["worked_right"]) == (pytest.approx(2 / 3), 0.5)
    assert accuracy(found) == 0.25


def test_an_empty_evaluation_is_said_plainly():
    with pytest.raises(RlgymError, match=r"evaluation of chain_sum is empty: none of 0 responses"):
        summarize_responses("chain_sum", [])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"trained": ()}, "at least one family"),
        ({"trained": ("chain_sum", "chain_sum")}, "more than once"),
        ({"trained": ("chain_sum",), "apart": ("long_division",)}, "its domain 'arithmetic' is also that of chain_sum"),
        ({"trained": ("chain_sun",)}, "Did you mean 'chain_sum'"),
        ({"level": 2.0}, "level must be from 0"),
        ({"sft_steps": 0}, "sft_steps must be at least 1"),
    ],
)
def test_families_that_make_no_sense_are_refused(given, words):
    with pytest.raises(RlgymError, match=words):
        Families(**given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"steps": 0}, "steps must be at least 1"),
        ({"group_size": 1}, "group_size must be at least 2"),
        ({"seeds": (1, 1)}, "different seeds"),
        ({"support": ("string_rewriting",)}, "string_rewriting is not trained on"),
    ],
)
def test_settings_of_transfer_that_make_no_sense_are_refused(given, words):
    with pytest.raises(RlgymError, match=words):
        TransferSettings(**given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"explained": 1.5}, "share from 0 to 1"),
        ({"on": ()}, "some of the trained families"),
        ({"on": ("string_rewriting",)}, "string_rewriting"),
    ],
)
def test_settings_of_methods_that_make_no_sense_are_refused(given, words):
    with pytest.raises(RlgymError, match=words):
        MethodSettings(**given)


def test_chosen_families_keep_only_other_domains_apart():
    chosen = chosen_families(["partial_derivatives", "chain_sum"])
    assert chosen.trained == ("chain_sum", "partial_derivatives")
    assert "partial_derivatives" not in chosen.apart
    assert "string_rewriting" in chosen.apart


def test_families_are_refused_by_studies_that_have_tasks_of_their_own(tmp_path):
    result = CliRunner().invoke(app, ["train", "study", "losses", "--env", "chain_sum", "--out", str(tmp_path)])
    assert "--env applies to the studies transfer, methods, pairs, scaling and gap only" in str(result.exception)
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studies")
    return folder, run_transfer(folder, SMALL)


@pytest.mark.slow
def test_a_toy_study_writes_its_results(finished):
    folder, results = finished
    place = folder / "transfer"
    for name in ("study.json", "settings.json", "matrix.csv", "table.md", "matrix.png", "shift.png", "report.html"):
        assert (place / name).stat().st_size
    assert results["environments"].keys() == {"chain_sum", "random_calculation", "partial_derivatives"}
    assert results["summary"]["support"]["chain_sum"]["pass_at"].keys() == {"1", "2", "4"}
    assert len((place / "matrix.csv").read_text().splitlines()) == 1 + 2 * 6
    page = (place / "report.html").read_text()
    assert 'name="viewport"' in page
    assert page.count("src=") == page.count('src="data:image/png;base64,') == 2
    assert "one seed, so no interval" in page


@pytest.mark.slow
def test_a_finished_study_repeats_nothing_and_gives_the_same_files(finished, monkeypatch):
    folder, _ = finished
    names = ("study.json", "matrix.csv", "table.md", "matrix.png", "report.html")
    before = {name: (folder / "transfer" / name).read_bytes() for name in names}
    for module, name in ((transfer, "train"), (measure, "measure")):
        monkeypatch.setattr(module, name, lambda *_: pytest.fail("a finished part is repeated"))
    run_transfer(folder, SMALL)
    assert {name: (folder / "transfer" / name).read_bytes() for name in names} == before
    with pytest.raises(RlgymError, match="another settings"):
        run_transfer(folder, replace(SMALL, steps=3))


KILLED = """
import sys
from tests.train.test_transfer_study import SMALL
from rlgym.train.study.transfer import run_transfer
run_transfer(sys.argv[1], SMALL)
"""


@pytest.mark.slow
def test_a_killed_study_ends_with_the_same_tables(finished, tmp_path):
    first = tmp_path / "transfer" / "runs" / "chain_sum" / "seed-0.json"
    running = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], cwd=os.getcwd())
    deadline = time.monotonic() + 300
    while not first.exists() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert first.exists()
    assert not (tmp_path / "transfer" / "study.json").exists()
    written = first.stat().st_mtime_ns
    run_transfer(tmp_path, SMALL)
    assert first.stat().st_mtime_ns == written
    for name in ("study.json", "table.md"):
        assert (tmp_path / "transfer" / name).read_bytes() == (finished[0] / "transfer" / name).read_bytes()


class Teacher:
    """Solves nothing, and counts how often it is asked."""

    asked = 0

    def rollout(self, specs, group_size, seed):
        self.asked += 1
        return [episode(0, "", Score.wrong("no")) for _ in specs]


def test_a_teacher_that_solves_nothing_is_given_up_in_words():
    teacher = Teacher()
    with pytest.raises(RlgymError, match="solved none of 40 tasks of chain_sum"):
        TeacherData(teacher, ["chain_sum"], MethodSettings(groups_per_step=8), 0).batch(0)
    assert teacher.asked == methods.ROUNDS


def test_methods_are_compared_with_reinforcement_learning():
    families = Families(trained=("chain_sum", "random_calculation"), apart=("string_rewriting",))
    places = families.main + families.shifted
    base = {0: {place: measurement(1, 1) for place in places}}
    trained = {label: {0: base[0] | {"chain_sum": measurement(2, number)}} for number, label in enumerate(METHODS)}
    runs = {label: {0: {"responses": 10.0}} for label in METHODS}
    summary = summarize_methods({"base": base, "trained": trained, "runs": runs}, families, ["chain_sum"])
    assert summary["rl"]["trained"]["mean"] == 0
    assert summary["sft"]["difference"]["mean"] == 0.125
    assert summary["sft"]["others"]["mean"] == 0
    assert "difference" not in summary["rl"]


@pytest.mark.slow
def test_methods_share_the_base_model_and_repeat_nothing(finished, monkeypatch):
    folder, _ = finished
    # A model after two steps of SFT solves nothing, so the oracle stands in for what a teacher gets right.
    monkeypatch.setattr(methods.TeacherData, "batch", lambda self, step: self.oracle_batch(step), raising=False)
    monkeypatch.setattr(methods.TeacherData, "oracle_batch", oracle_batch, raising=False)
    settings = MethodSettings(families=TOY, on=("chain_sum",), steps=2, seeds=(0,), groups_per_step=2, group_size=2, eval_tasks=2)
    bases = len(list(folder.glob("base-*")))
    run_methods(folder, settings)
    assert len(list(folder.glob("base-*"))) == bases == 1
    files = ("study.json", "table.md", "report.html")
    before = {name: (folder / "methods" / name).read_bytes() for name in files}
    assert set(json.loads(before["study.json"])["trained"]) == set(METHODS)
    monkeypatch.setattr(methods.TeacherData, "batch", lambda self, step: pytest.fail("a finished run is repeated"))
    run_methods(folder, settings)
    assert {name: (folder / "methods" / name).read_bytes() for name in files} == before


def oracle_batch(data, step):
    from rlgym.train.sft.data import build_example

    specs = [TaskSpec(name, 0.0, step, "train") for name in data.names]
    return [build_example(data.teacher.chat, spec, data.teacher.settings, True) for spec in specs]
