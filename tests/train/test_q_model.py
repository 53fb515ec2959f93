"""A Q function from a language model's logits, learned from responses with verdicts."""

import json

import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym import Rng
from rlgym.cli import app
from rlgym.core.errors import RowError
from rlgym.train.config.sections import TrainError
from rlgym.train.offline import collate_rows, load_causal
from rlgym.train.q_model import QModel, QOptions, load_q_model, ordered_pairs, rank, read_judged, td_targets, train_q_model

OPTIONS = QOptions(value_steps=40, steps=60, batch_size=16, lr=3e-3, value_lr=1e-2, refresh_steps=2, max_tokens=48)
PROGRAMS = ("return a + b", "return a - b")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=128, loud=1.0)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Programs for sums of several authors, of which the tests accept the first."""
    file = tmp_path_factory.mktemp("data") / "programs.jsonl"
    lines = [
        {"prompt": f"Sum {number}", "response": text, "label": float(text == PROGRAMS[0])} for number in range(80) for text in PROGRAMS
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


@pytest.fixture(scope="module")
def trained(model, data, tmp_path_factory):
    out = tmp_path_factory.mktemp("value") / "out"
    return out, train_q_model(data, model, out, OPTIONS)


def test_targets_by_hand():
    response = torch.tensor([[False, True, True, True, False], [True, True, False, False, False]])
    older = torch.tensor([[0.9, 0.2, 0.4, 0.6, 0.8], [0.1, 0.3, 0.5, 0.7, 0.9]])
    expected = torch.tensor([[0.0, 0.4, 0.6, 1.0, 0.0], [0.3, 0.0, 0.0, 0.0, 0.0]])
    assert torch.allclose(td_targets(torch.tensor([1.0, 0.0]), older, response), expected)


def test_the_greedy_action_of_the_q_function_is_the_language_models(model):
    tokenizer, network = load_causal(model)
    head = torch.nn.Linear(network.config.hidden_size, 1)
    q_model = QModel(tokenizer, network, head, 0.5)
    [row] = read_judged([{"prompt": "Sum", "response": PROGRAMS[0], "label": 1}], tokenizer, 48)
    batch = collate_rows([(row.tokens, row.first)], network.device)
    with torch.inference_mode():
        greedy = q_model.greedy(batch)
        best, values = q_model.values(batch, greedy)
        other, _ = q_model.values(batch, (greedy + 1) % network.config.vocab_size)
    assert torch.allclose(best, values, atol=1e-5), "the logits add nothing for the most likely token"
    assert (other < best).all()


def test_right_programs_are_worth_more_on_prompts_that_were_held_out(trained):
    _, metrics = trained
    assert metrics["held_out"] > 4
    assert metrics["mean_label"] == 0.5
    assert metrics["ordered_by_reward"] == metrics["best_of_reward"] == 1
    assert metrics["ordered_by_value"] == metrics["best_of_value"] == 1
    assert metrics["loss"] < 0.1


def test_programs_are_ranked_by_the_command(trained, data, tmp_path):
    folder, _ = trained
    result = CliRunner().invoke(
        app, ["train", "rank", str(data), "--model", str(folder), "--out", str(tmp_path / "ranked.jsonl"), "--json"]
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["best_of_value"] == 1
    lines = [json.loads(line) for line in (tmp_path / "ranked.jsonl").read_text().splitlines()]
    assert len(lines) == 160
    assert all(right["q_value"] > wrong["q_value"] for right, wrong in zip(lines[::2], lines[1::2]))
    assert load_q_model(folder).alpha == OPTIONS.alpha


def test_lines_without_labels_are_ranked_and_prompts_with_several_turns_are_told_apart(trained, tmp_path):
    folder, _ = trained
    turns = [[{"role": "user", "content": text}, {"role": "user", "content": "Go on"}] for text in ("One", "Two")]
    lines = [{"prompt": prompt, "response": text, "label": None} for prompt in turns for text in PROGRAMS]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert rank(tmp_path / "data.jsonl", folder, tmp_path / "new" / "ranked.jsonl") == {"responses": 4.0}
    ranked = [json.loads(line) for line in (tmp_path / "new" / "ranked.jsonl").read_text().splitlines()]
    assert [line["label"] for line in ranked] == [None] * 4
    rows = read_judged([line | {"label": 1} for line in lines], load_q_model(folder).tokenizer, 48)
    assert len({row.prompt for row in rows}) == 2
    with pytest.raises(TrainError, match="cannot be written"):
        rank(tmp_path / "data.jsonl", folder, tmp_path)


def test_ordered_pairs_are_those_that_are_counted_one_by_one():
    rng = Rng("pairs", 1)
    judged = [(rng.integer(0, 3) / 3, float(rng.integer(0, 9))) for _ in range(60)]
    pairs = [(better, worse) for better in judged for worse in judged if better[0] > worse[0]]
    assert ordered_pairs(judged) == (sum(better[1] > worse[1] for better, worse in pairs), len(pairs))
    assert ordered_pairs([(1.0, 0.2), (1.0, 0.9)]) == (0, 0)


def test_what_holds_no_verdicts_or_no_values_is_refused(model, tmp_path):
    (tmp_path / "data.jsonl").write_text(json.dumps({"prompt": "Sum", "response": "x", "label": 2}) + "\n")
    with pytest.raises(RowError, match="line 1 needs a label from 0 to 1"):
        train_q_model(tmp_path / "data.jsonl", model, tmp_path / "out")
    with pytest.raises(TrainError, match="train it with `rlgym train value`"):
        load_q_model(model)
