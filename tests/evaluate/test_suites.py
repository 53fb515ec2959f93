"""Pinned suites hold what they say, and suites drawn by names."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import rlgym
from rlgym.cli.evaluate import suites_command
from rlgym.core.names import without_language
from rlgym.dataset import Session, rows, sample
from rlgym.derived.table import LANGUAGES
from rlgym.evaluate import suites
from rlgym.evaluate.hard_settings import HARD_SETTINGS
from rlgym.evaluate.suites import SuiteError, digest, from_names, load, names, read
from rlgym.registry import version

ROOT = Path(__file__).parents[2]
HELD_OUT = {"train": 0.9, "test": 0.1}
SANDBOXED = {"notebooks", "terminal", "repositories"}  # domains whose environments all need a sandbox


def newest():
    """Of each suite the highest number: older ones may pin versions that this library no longer has."""
    found = {}
    for name in names():
        stem, number = re.fullmatch(r"(.+)-v(\d+)", name).groups()
        found[stem] = max(found.get(stem, 0), int(number))
    return [f"{stem}-v{number}" for stem, number in found.items()]


@pytest.fixture(scope="module")
def smoke():
    return load("smoke-v1")


def changed(tmp_path, change, name="smoke-v1"):
    """A file like a pinned one, but for a change."""
    found = json.loads((suites.FOLDER / f"{name}.json").read_text())
    change(found)
    file = tmp_path / f"{name}.json"
    file.write_text(json.dumps(found))
    return file


def test_there_is_a_suite_of_each_domain_and_four_more():
    assert {name.rpartition("-v")[0] for name in names()} >= {"core", "hard", "smoke", "judge", "judge-hard", *rlgym.domains()}


@pytest.mark.parametrize("name", names())
def test_a_file_says_of_itself_what_is_so(name):
    pinned = read(name)
    places = [(env, level, seed) for env, pin in pinned.environments.items() for level, seeds in pin.seeds.items() for seed in seeds]
    assert pinned.name == name
    assert pinned.tasks == len(places) == len(set(places))
    assert all(0 <= level <= 1 for _, level, _ in places)
    assert pinned.description
    stem = name.rpartition("-v")[0]
    if stem in rlgym.domains():
        assert pinned.domains == [stem]
    elif stem == "judge-languages":
        by_language = Counter(env.split(":")[2] if env.count(":") == 2 else "en" for env in pinned.environments)
        assert by_language == dict.fromkeys(("en", *LANGUAGES), 12)
        for env, pin in pinned.environments.items():
            assert pin.seeds == pinned.environments[":".join(env.split(":")[:2])].seeds
    elif stem.startswith("judge"):
        assert {env.rpartition(":")[2] for env in pinned.environments} == {"grade_solution", "pairwise", "best_of", "first_error"}
        assert len(pinned.domains) >= 18
    elif name == "hard-v2":
        knobs_of = {each.name: each.knobs for each in HARD_SETTINGS}
        assert all(pin.knobs == knobs_of[env] for env, pin in pinned.environments.items())
        assert len(pinned.domains) >= 5
    elif stem.startswith("hard-"):
        assert pinned.domains == [stem.removeprefix("hard-")]
        assert len(pinned.environments) >= 2
    elif stem == "smoke":
        assert pinned.domains == [domain for domain in rlgym.domains() if domain not in SANDBOXED]
    else:
        assert pinned.domains == rlgym.domains()


@pytest.mark.parametrize("name", newest())
def test_this_library_has_the_versions_that_the_newest_suites_pin(name):
    other = {env: (pin.version, version(env)) for env, pin in read(name).environments.items() if pin.version != version(env)}
    assert not other, f"an environment has a new version: make a new suite with scripts/pin_suites.py {name.rpartition('-v')[0]}-vN"


@pytest.mark.parametrize("name", newest())
def test_a_sample_of_the_tasks_is_as_pinned_and_held_out(name):
    pinned = read(name)
    few = sorted(pinned.environments, key=lambda env: pinned.environments[env].hash)[:2]
    created = suites.pinned_rows(pinned, few)
    assert suites.differing(pinned, created) == []
    assert len({row["prompt"] for row in created}) == len(created)
    for row in created:
        english = without_language(row["env"])
        own = row | {
            "env": english.removesuffix(":with_confidence"),
            "prompt": rlgym.task(english, row["seed"], level=row["level"], **pinned.environments[row["env"]].knobs).prompt,
        }
        assert rows.split_of(rows.content_hash(own), HELD_OUT) == "test"


def test_a_suite_is_loaded_whole(smoke):
    pinned = read("smoke-v1")
    assert (smoke.name, smoke.hash, len(smoke.rows)) == ("smoke-v1", pinned.hash, pinned.tasks)
    assert len({row["id"] for row in smoke.rows}) == len({row["prompt"] for row in smoke.rows}) == len(smoke.rows)
    assert {row["domain"] for row in smoke.rows} == set(rlgym.domains()) - SANDBOXED
    assert not smoke.skipped
    columns = {"id", "env", "version", "domain", "kind", "level", "seed", "knobs", "prompt", "data", "answer_format", "difficulty", "split"}
    assert all(set(row) == columns for row in smoke.rows)


def test_the_tasks_can_be_played(smoke):
    for row in smoke.first(12).rows:
        session = Session(row)
        while not session.done:
            session.step(session.oracle())
        assert session.score.value == 1.0, row["id"]


def test_the_first_tasks_are_a_suite_of_their_own(smoke):
    few = smoke.first(10)
    assert few.rows == smoke.rows[:10]
    assert few.name == "smoke-v1 (first 10)"
    assert few.hash == digest(few.rows) != smoke.hash
    assert len({row["domain"] for row in few.rows}) >= 6
    assert smoke.first(1000) == smoke


def test_another_hash_seed_makes_the_same(smoke):
    script = "from rlgym.evaluate.suites import *\nprint(load('smoke-v1').hash, from_names('strings', count=15, seed=3, shift=True).hash)"
    environment = os.environ | {"PYTHONHASHSEED": "12345", "PYTHONPATH": str(ROOT)}
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.split() == [smoke.hash, from_names("strings", count=15, seed=3, shift=True).hash]


def test_the_rules_make_the_file_again():
    spec = importlib.util.spec_from_file_location("pin_suites", ROOT / "scripts" / "pin_suites.py")
    script = importlib.util.module_from_spec(spec)
    sys.modules["pin_suites"] = script  # dataclasses look their module up
    spec.loader.exec_module(script)

    pinned = read("smoke-v1")
    text, expected = script.parts("smoke-v1")
    assert text == pinned.description
    assert [part.name for part in expected] == list(pinned.environments)
    for part in expected[:6]:
        assert script.drawn("smoke-v1", part) == pinned.environments[part.name].seeds
    assert script.text_of(pinned) == (suites.FOLDER / "smoke-v1.json").read_text()


def test_a_pinned_suite_is_not_overwritten():
    found = subprocess.run(
        [sys.executable, "scripts/pin_suites.py", "smoke-v1"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert found.returncode == 1
    assert "smoke-v1 is pinned already, and a suite never changes" in found.stderr


def test_suites_by_names(monkeypatch):
    def never(*given):
        raise AssertionError("the oracle is not needed")

    monkeypatch.setattr(rows, "_oracle_plays", never)
    found = from_names(["strings", "nim"], levels=[0.0, 1.0], count=30, seed=4, shift=True, answer_style="boxed")
    assert len(found.rows) == len({row["id"] for row in found.rows}) == 30
    assert {row["level"] for row in found.rows} == {0.0, 1.0}
    assert all(row["split"] == ("shift" if row["env"].endswith(":shift") else "main") for row in found.rows)
    assert {row["split"] for row in found.rows} == {"main", "shift"}
    assert {row["domain"] for row in found.rows} == {"strings", "matches"}
    assert all(json.loads(row["answer_format"])["style"] == "boxed" for row in found.rows)
    assert found.hash != from_names(["strings", "nim"], levels=[0.0, 1.0], count=30, seed=5, shift=True).hash
    assert found.name == "strings,nim"
    named = from_names("nim", levels=[0.5], count=2, knobs={"nim": {"piles": 3}}, name="three piles")
    assert named.name == "three piles"
    assert all(json.loads(row["knobs"])["piles"] == 3 for row in named.rows)


def test_suites_by_names_of_one_split():
    found = from_names("chain_sum", levels=[0.5], count=12, split="test").rows
    usual = {"train": 0.9, "validation": 0.05, "test": 0.05}
    assert all(rows.split_of(rows.content_hash(row), usual) == "test" for row in found)


def test_rows_are_those_of_a_dataset_without_the_oracles_part():
    whole, bare = (list(sample(["chain_sum", "maze_walk", "nim"], 9, seed=2, solved=solved)) for solved in (True, False))
    for full, part in zip(whole, bare):
        assert set(full) - set(part) == {"messages", "oracle_response", "oracle_messages", "explanation", "turns"}
        assert {column: full[column] for column in part} == part


@pytest.fixture
def cli():
    app = typer.Typer()
    room = typer.Typer()
    app.add_typer(room, name="eval")
    room.command()(suites_command.suites)

    @room.command()
    def other() -> None:
        """Typer takes a group of one for a single command."""

    return lambda *given: CliRunner().invoke(app, ["eval", "suites", *given])


def test_the_command_lists_and_shows(cli):
    listed = json.loads(cli("--json").output)
    assert [item["name"] for item in listed] == names()
    core = next(item for item in listed if item["name"] == "core-v1")
    assert core["tasks"] > 900
    assert core["shifted"] >= 30
    assert re.search(r"smoke-v1 +52 +26 +26 +A light", cli().output)
    shown = cli("smoke-v1").output
    assert read("smoke-v1").hash in shown
    assert re.search(r"chain_sum +1 +1 +1", shown)


def test_the_command_verifies(cli, tmp_path):
    found = json.loads(cli("smoke-v1", "--verify", "--json").output)
    assert (found["verified"], found["missing"], found["problem"]) == (True, {}, "")
    broken = cli(str(changed(tmp_path, lambda found: found["environments"]["nim"].update(hash="00"))), "--verify")
    assert broken.exit_code == 1
    assert "the tasks of nim differ from those that smoke-v1 pins" in broken.output.replace("\n", " ")
    assert isinstance(cli("smoke-v9").exception, SuiteError)
