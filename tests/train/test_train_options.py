"""Options of `rlgym train` and `rlgym steps train` that do not belong to a target are refused by name, and those of a verifier reach it."""

import json
import re

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

from rlgym.cli import app
from rlgym.cli.train_options import APPLY
from rlgym.train import verifier


def refused(*arguments):
    return str(CliRunner().invoke(app, ["train", *arguments]).exception)


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("verifier", "labels.jsonl", "--model", "m", "--check"), "--check"),
        (("verifier", "labels.jsonl", "--model", "m", "--toy"), "--toy"),
        (("verifier", "labels.jsonl", "more", "--model", "m"), "a third argument"),
        (("recipe", "run", "dapo", "--toy", "--check"), "--check"),
        (("recipe", "run", "dapo", "--toy", "--steps", "3"), "--steps"),
        (("study", "losses", "--model", "m"), "--model"),
        (("init", "--model", "m", "--seed", "3"), "--seed"),
        (("quickstart", "--check"), "--check"),
        (("quickstart", "--lr", "0.1"), "--lr"),
        (("run.yaml", "--minutes", "3"), "--minutes"),
        (("run.yaml", "--model", "m"), "--model"),
        (("run.yaml", "again"), "a second argument"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused_by_name(arguments, option, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(*arguments).startswith(f"{option} does not apply to `rlgym train {arguments[0]}`, but to `rlgym train ")
    assert not list(tmp_path.iterdir())


def test_the_table_has_every_option_of_the_command():
    shown = CliRunner().invoke(app, ["train", "--help"], env={"COLUMNS": "200"}).output
    options = set(re.findall(r"--[a-z-]+", shown)) - {"--help"}
    known = {option for options in APPLY.values() for option in options if option.startswith("--")}
    assert known <= options
    for option in ("--lr", "--batch-size", "--tie-weight", "--max-tokens", "--check", "--minutes", "--seeds", "--until", "--teacher"):
        assert option in known


def test_all_options_of_a_verifier_reach_it(monkeypatch, tmp_path):
    given = []
    monkeypatch.setattr(verifier, "train_verifier", lambda data, model, out, options: given.append(options) or {"accuracy": 1.0})
    words = "--steps 7 --lr 0.01 --batch-size 3 --tie-weight 0.5 --max-tokens 64 --seed 9 --json".split()
    done = CliRunner().invoke(app, ["train", "verifier", "d.jsonl", "--model", str(tmp_path), "--out", str(tmp_path / "v"), *words])
    assert json.loads(done.output) == {"accuracy": 1.0}
    assert given == [verifier.VerifierOptions(7, 3, 0.01, 0.5, 64, 9)]


def test_a_scorer_is_not_overwritten_and_options_of_other_objectives_are_refused(tmp_path):
    (tmp_path / "scorer.json").write_text("{}")
    words = ["steps", "train", "steps.jsonl", "--model", "m", "--out", str(tmp_path)]
    for given, message in (
        ((), "is not empty: choose another folder with --out"),
        (("--objective", "outcome", "--labels", "rates"), "--labels applies to the objective 'steps' only, not to 'outcome'"),
        (("--decay", "0.9"), "--decay applies to the objective 'td' only, not to 'steps'"),
    ):
        assert message in str(CliRunner().invoke(app, [*words, *given]).exception)
