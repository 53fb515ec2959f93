"""Small verifiers: distilled from weak ones, trained on labels of runs, and on pairs with ties."""

import json
import math

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym import Rng
from rlgym.audit.case import Case
from rlgym.audit.scorers.reward_model import RewardModelScorer
from rlgym.cli import app
from rlgym.core.errors import RowError
from rlgym.rubrics.weak_ensemble import fit_weak_ensemble
from rlgym.train.config.sections import TrainError
from rlgym.train.verifier import Example, VerifierOptions, measures, train_verifier

OPTIONS = VerifierOptions(steps=80, lr=3e-3)
FILLER = " It was checked twice."


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=128, loud=1.0)
    return folder


def write(file, lines):
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def reward(folder, response, prompt="Colour 500?"):
    [verdict] = RewardModelScorer(folder).score([Case("", prompt, response, "", None, "", "")])
    return verdict.reward


def test_a_verifier_that_is_distilled_from_weak_ones_is_better_than_each(model, tmp_path):
    rng = Rng("weak verifiers")
    right = [rng.chance(0.5) for _ in range(300)]
    texts = ["It is red." if is_right else "It is blue." for is_right in right]
    rates = {"first": 0.75, "second": 0.7, "third": 0.7, "fourth": 0.65}
    scores = {name: [float(rng.chance(rate) == is_right) for is_right in right] for name, rate in rates.items()}
    labels = fit_weak_ensemble(scores).posterior(scores)
    data = [{"prompt": f"Colour {number}?", "response": text, "label": label} for number, (text, label) in enumerate(zip(texts, labels))]
    metrics = train_verifier(write(tmp_path / "labels.jsonl", data), model, tmp_path / "verifier", OPTIONS)
    assert metrics["learned"] + metrics["held_out"] == 300
    assert 10 < metrics["held_out"] < 60
    assert reward(tmp_path / "verifier", "It is red.") > 0.5 > reward(tmp_path / "verifier", "It is blue.")
    assert json.loads((tmp_path / "verifier" / "verifier.json").read_text())["metrics"] == metrics


def test_logits_of_any_size_are_measured():
    examples = [Example(("It is red.",), target, True) for target in (1.0, 0.0)]
    assert measures(examples, [800.0, -800.0]) == {"accuracy": 1, "brier": 0}
    assert measures(examples, [-800.0, 0.0])["brier"] == pytest.approx((1 + 0.25) / 2)


def test_ties_take_the_length_out_of_the_score(model, tmp_path):
    """Of the pairs with a better side, the better one is always the longer one, too."""
    mistakes = [
        {"prompt": f"Colour {number}?", "chosen": "It is red." + FILLER, "rejected": "It is blue.", "tie": False} for number in range(120)
    ]
    sides = ("It is red.", "It is blue.")
    ties = [
        {"prompt": f"Colour {number}?", "chosen": sides[number % 2] + FILLER, "rejected": sides[number % 2], "tie": True}
        for number in range(120)
    ]
    plain = train_verifier(write(tmp_path / "plain.jsonl", mistakes), model, tmp_path / "plain", OPTIONS)
    tied = train_verifier(write(tmp_path / "tied.jsonl", [*mistakes, *ties]), model, tmp_path / "tied", OPTIONS)
    assert plain["ordered"] == tied["ordered"] == 1
    assert "tie_gap" not in plain
    gaps = {}
    for name in ("plain", "tied"):
        long, short, wrong = (reward(tmp_path / name, text) for text in ("It is red." + FILLER, "It is red.", "It is blue." + FILLER))
        gaps[name] = math.log(long / (1 - long)) - math.log(short / (1 - short))
        assert long > wrong or name == "plain"
    assert gaps["plain"] > 1
    assert abs(gaps["tied"]) < 0.3 * gaps["plain"]
    assert tied["tie_gap"] < 0.3 * tied["pair_gap"]


def test_the_same_seed_gives_the_same_verifier(model, tmp_path):
    data = [{"prompt": str(number), "response": "ab"[number % 2], "label": number % 2} for number in range(60)]
    file, options = write(tmp_path / "data.jsonl", data), VerifierOptions(steps=5)
    first, second = (train_verifier(file, model, tmp_path / name, options) for name in "ab")
    assert first == second
    assert first != train_verifier(file, model, tmp_path / "c", VerifierOptions(steps=5, seed=1))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"prompt": "?", "response": "a", "label": 2}, "label from 0 to 1, got 2"),
        ({"prompt": "?", "response": "a"}, "got None"),
        ({"prompt": "?", "chosen": "a"}, "it has prompt, chosen"),
        ({"response": "a", "label": 1}, "needs prompt"),
    ],
)
def test_lines_that_are_no_examples_are_refused(model, tmp_path, line, message):
    with pytest.raises(RowError, match=message):
        train_verifier(write(tmp_path / "data.jsonl", [line]), model, tmp_path / "out")


def test_what_cannot_be_trained_is_refused(model, tmp_path):
    file = write(tmp_path / "data.jsonl", [{"prompt": str(number), "response": "a", "label": 1} for number in range(5)])
    with pytest.raises(TrainError, match="cannot be loaded"):
        train_verifier(file, tmp_path / "none", tmp_path / "out")
    with pytest.raises(TrainError, match="is not empty"):
        train_verifier(file, model, model)
    # A step of this size leaves weights of which the next loss is no number; a folder of them would be a verifier that says nothing.
    with pytest.raises(TrainError, match=r"the training diverged, with a loss of .*: use a smaller lr"):
        train_verifier(file, model, tmp_path / "diverged", VerifierOptions(steps=5, lr=1e36))
    assert not (tmp_path / "diverged").exists()
    done = CliRunner().invoke(app, ["train", "verifier"])
    assert "needs data and a model" in str(done.exception)


def test_from_runs_to_a_verifier_and_its_gain(model, tmp_path):
    """The responses of two models are labelled, a verifier learns from them, and its gain on the first run is measured."""
    runs = []
    for name in ("oracle", "mistake"):
        runs.append(str(tmp_path / name))
        given = ["eval", "run", "--suite", "chain_sum", "--count", "24", "--samples", "2", "--model", name, "--out", runs[-1]]
        assert CliRunner().invoke(app, given).exit_code == 0
    file, out = tmp_path / "solutions.jsonl", tmp_path / "verifier"
    done = CliRunner().invoke(app, ["dataset", "solutions", *runs, "--out", str(file), "--json"])
    assert done.exit_code == 0, done.output
    solutions = [json.loads(line) for line in file.read_text().splitlines()]
    assert json.loads(done.stdout) == {"solutions": len(solutions), "right": 24}
    assert {(solution["model"], solution["label"]) for solution in solutions} == {("oracle", 1.0), ("mistake", 0.0)}
    done = CliRunner().invoke(app, ["train", "verifier", str(file), "--model", str(model), "--out", str(out), "--steps", "3", "--json"])
    assert done.exit_code == 0, done.output
    assert 0 <= json.loads(done.stdout)["accuracy"] <= 1
    done = CliRunner().invoke(app, ["eval", "judge-gain", runs[0], "--reward-model", str(out), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)[str(out)]["unjudged"] == 0
