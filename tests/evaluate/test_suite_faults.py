"""Suites that are damaged, of other versions, or cannot be judged here: what is said, and what is left out."""

import pytest
from evaluate.test_suites import changed

from rlgym.evaluate import suites
from rlgym.evaluate.suites import SuiteError, from_names, load, read
from rlgym.registry import version


@pytest.fixture(scope="module")
def smoke():
    return load("smoke-v1")


def test_an_unknown_suite_is_said_with_the_nearest():
    with pytest.raises(SuiteError, match=r"unknown suite 'smokev1'. Did you mean 'smoke-v1'\? The suites are "):
        load("smokev1")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: found.pop("hash"), "hash: Field required"),
        (lambda found: found.update(hash="abc"), "hash: String should match"),
        (lambda found: found.update(format=2), "format: Input should be 1"),
        (lambda found: found["environments"]["nim"].pop("seeds"), r"environments\.nim\.seeds: Field required"),
        (lambda found: found["environments"]["nim"].update(seeds={"low": [1]}), r"environments\.nim\.seeds\.low"),
    ],
)
def test_a_damaged_file_is_said(tmp_path, change, message):
    with pytest.raises(SuiteError, match=f"'smoke-v1.json' is damaged: {message}"):
        load(changed(tmp_path, change))


def test_a_file_that_is_no_json_is_said(tmp_path):
    (tmp_path / "mine.json").write_text("{")
    with pytest.raises(SuiteError, match=r"'mine.json' is damaged"):
        load(tmp_path / "mine.json")


def test_other_versions_are_said_with_what_to_do(tmp_path, monkeypatch):
    there = version("chain_sum")
    file = changed(tmp_path, lambda found: found["environments"]["chain_sum"].update(version=there + 1) or found.update(rlgym="9.8.7"))
    with pytest.raises(SuiteError, match=rf"smoke-v1 pins chain_sum v{there + 1}, this rlgym has v{there}: install rlvrgym==9.8.7$"):
        load(file)
    for later in ("smoke-v2", "smoke-v10", "smokers-v3"):
        (tmp_path / f"{later}.json").write_text("{}")
    monkeypatch.setattr(suites, "FOLDER", tmp_path)
    with pytest.raises(SuiteError, match=r"install rlvrgym==9.8.7, or use smoke-v10$"):
        load("smoke-v1")


def test_an_environment_that_is_lacking_is_said(tmp_path):
    file = changed(tmp_path, lambda found: found["environments"].update(chain_som=found["environments"].pop("chain_sum")))
    with pytest.raises(SuiteError, match=r"smoke-v1 pins chain_som v1, which this rlgym lacks .*Did you mean 'chain_sum'"):
        load(file)


def test_tasks_that_are_not_those_pinned_are_said(tmp_path):
    def other_seed(found):
        found["environments"]["nim"]["seeds"]["0.0"][0] += 1

    file = changed(tmp_path, other_seed)
    with pytest.raises(SuiteError, match="the tasks of nim differ from those that smoke-v1 pins"):
        load(file)
    assert load(file, verify=False).hash != read(file).hash

    def one_less(found):
        del found["environments"]["nim"]

    with pytest.raises(SuiteError, match="differ from those that smoke-v1 pins"):
        load(changed(tmp_path, one_less))


def test_what_cannot_be_judged_is_left_out_and_said(monkeypatch, smoke):
    monkeypatch.setattr(suites, "missing_requirement", lambda name: "nim needs sticks" if name == "nim" else "")
    found = load("smoke-v1")
    assert found.name == "smoke-v1 (without nim)"
    assert dict(found.skipped) == {"nim": "nim needs sticks"}
    assert found.hash not in (smoke.hash, read("smoke-v1").hash)
    assert [row for row in smoke.rows if row["env"] != "nim"] == list(found.rows)
    drawn = from_names("nim,chain_sum", count=4, levels=[0.0])
    assert (drawn.name, {row["env"] for row in drawn.rows}) == ("nim,chain_sum (without nim)", {"chain_sum"})
    monkeypatch.setattr(suites, "missing_requirement", lambda name: "a sandbox is missing")
    assert "without" not in smoke.name
    with pytest.raises(SuiteError, match="no environment of smoke-v1 can run here: a sandbox is missing"):
        load("smoke-v1")
    with pytest.raises(SuiteError, match="no environment of nim can run here"):
        from_names("nim")


def test_many_that_are_left_out_are_counted(monkeypatch):
    left_out = ("nim", "sudoku", "chain_sum", "maze_walk")
    monkeypatch.setattr(suites, "missing_requirement", lambda name: "no" if name in left_out else "")
    assert from_names(["nim", "sudoku", "chain_sum", "maze_walk", "bezout"], count=3).name.endswith("(without 4 of 5 environments)")
