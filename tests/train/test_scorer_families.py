"""Weights of environments in the training of a scorer of steps, judged by held-out responses."""

import json
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.test_scorer import stepwise_records
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.evaluate.steps.records import StepsError, write_records
from rlgym.train.config.sections import DomainWeightsConfig
from rlgym.train.model.pretrained import make_model
from rlgym.train.model.tokenizer import make_tokenizer
from rlgym.train.scorer.families import FamilyWeights
from rlgym.train.scorer.objectives import Example
from rlgym.train.scorer.train import ScorerOptions


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A model, steps of one environment and the same steps of another with every label turned round, and held-out steps."""
    folder = tmp_path_factory.mktemp("families")
    found = stepwise_records(4)
    texts = [text for record in found for text in (record.prompt, record.response)]
    make_tokenizer(folder / "model", texts, vocab_size=420, multi_word_tokens=True)
    make_model(folder / "model", num_layers=1, hidden_size=64, max_seq_len=1024, seed=3)
    ids = sorted({record.id for record in found})
    held_out = [record for record in found if record.id in ids[::3]]
    learned = [record for record in found if record.id not in ids[::3]]
    turned = [
        replace(record, env="other", id=f"other-{record.id}", labels={"exact": tuple(1 - label for label in record.labels["exact"])})
        for record in learned
    ]
    write_records(folder / "steps.jsonl", [*learned, *turned])
    write_records(folder / "held_out.jsonl", held_out)
    write_records(folder / "alone.jsonl", learned)
    return folder


def trained(files, out, *words, data="steps.jsonl"):
    given = ["steps", "train", files / data, "--model", files / "model", "--out", out, "--lr", "0.003", *words]
    return CliRunner().invoke(app, [str(word) for word in given])


def test_an_environment_whose_labels_mislead_loses_its_weight(files, tmp_path):
    words = ["--held-out", files / "held_out.jsonl", "--weight-every", "2", "--epochs", "4", "--batch-size", "12"]
    done = trained(files, tmp_path / "scorer", *words)
    assert done.exit_code == 0, (done.output, done.exception)
    facts = json.loads((tmp_path / "scorer" / "scorer.json").read_text())
    lines = [json.loads(line) for line in (tmp_path / "scorer" / "train.jsonl").read_text().splitlines()]
    [name] = facts["weights"].keys() - {"other"}
    assert facts["weights"] == lines[-1]["weights"]
    assert sum(facts["weights"].values()) == pytest.approx(2, abs=1e-5)
    assert facts["weights"]["other"] < 0.3
    assert lines[0]["weights"][name] == lines[1]["weights"][name] < lines[2]["weights"][name]
    again = trained(files, tmp_path / "again", *words)
    assert again.exit_code == 0
    assert (tmp_path / "again" / "train.jsonl").read_text() == (tmp_path / "scorer" / "train.jsonl").read_text()


def test_batches_follow_the_weights():
    families = {
        name: [Example(f"{name}{number}", (1, 2), 1, (1,), (1.0,)) for number in range(count)] for name, count in (("a", 30), ("b", 10))
    }
    weights = FamilyWeights(families, [Example("h", (1, 2), 1, (1,), (1.0,))], DomainWeightsConfig(), 0)

    def share():
        drawn = [example for step in range(40) for example in weights.batch(step, 50)]
        return sum(example.group.startswith("a") for example in drawn) / len(drawn)

    assert share() == pytest.approx(0.75, abs=0.03)
    weights.weights = [0.5, 1.5]
    assert share() == pytest.approx(0.5, abs=0.03)


def test_what_cannot_be_weighed_is_refused(files, tmp_path):
    for words, data, message in (
        (["--held-out", files / "held_out.jsonl"], "alone.jsonl", "weigh environments, and the data has"),
        (["--held-out", files / "alone.jsonl"], "steps.jsonl", "is learned from and held out"),
        (["--weight-every", "2"], "steps.jsonl", "--weight-every applies to weights of environments: give --held-out"),
        (["--held-out", files / "held_out.jsonl", "--objective", "pairs"], "steps.jsonl", "leave --held-out out for 'pairs'"),
    ):
        done = trained(files, tmp_path / "out", *words, data=data)
        assert isinstance(done.exception, RlgymError)
        assert message in str(done.exception)
        assert not (tmp_path / "out").exists()
    with pytest.raises(StepsError, match="weight_lr from above 0 to 10"):
        ScorerOptions(held_out="x", weight_lr=0)
