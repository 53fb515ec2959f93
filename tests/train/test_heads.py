"""Heads of several objectives on one trunk, and their mixtures."""

import json
import shutil

import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.cli import app
from rlgym.core.errors import RowError
from rlgym.train.config.sections import TrainError
from rlgym.train.heads import HeadsOptions, mix_heads, train_heads
from rlgym.train.offline import collate_rows, encode, hidden_states, load_causal

SIDES = ("It is red.", "It is blue.")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=128, loud=1.0)
    return folder


@pytest.fixture(scope="module")
def trained(model, tmp_path_factory):
    """Two objectives that contradict each other on the same prompts."""
    folder = tmp_path_factory.mktemp("heads")
    lines = []
    for number in range(80):
        for part, (chosen, rejected) in {"warm": SIDES, "cold": SIDES[::-1]}.items():
            sides = {"chosen": [{"role": "assistant", "content": chosen}], "rejected": [{"role": "assistant", "content": rejected}]}
            lines.append({"prompt": [{"role": "user", "content": f"Colour {number}?"}], "part": part, **sides})
    (folder / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = HeadsOptions(steps=60, batch_size=8, lr=3e-3, max_tokens=64)
    return folder / "out", train_heads(folder / "pairs.jsonl", model, folder / "out", options)


def preference(folder):
    """How much more likely than the initial order a model finds red than blue: log P(red) - log P(blue)."""
    tokenizer, network = load_causal(folder)
    rows = [encode(tokenizer, [{"role": "user", "content": "Colour 500?"}], side, 64) for side in SIDES]
    batch = collate_rows(rows, network.device)
    with torch.inference_mode():
        logprobs = torch.log_softmax(network.get_output_embeddings()(hidden_states(network, batch))[:, :-1], -1)
        chosen = logprobs.gather(-1, batch.tokens_NL[:, 1:, None]).squeeze(-1) * batch.response_NL[:, 1:]
        red, blue = chosen.sum(1).tolist()
    return red - blue


def test_each_head_prefers_what_its_objective_prefers(trained):
    _, metrics = trained
    for part in ("warm", "cold"):
        assert metrics[f"{part}/accuracy"] == 1
        assert metrics[f"{part}/other_heads"] == 0, "the objectives contradict each other, so one head cannot meet both"


def test_a_mixture_is_a_model_between_its_heads(model, trained, tmp_path):
    folder, _ = trained
    found = {}
    for warm in (0.0, 0.5, 1.0):
        shares = mix_heads(folder, {"warm": 2 * warm, "cold": 2 * (1 - warm)}, tmp_path / str(warm))
        assert shares == {"warm": warm, "cold": 1 - warm}
        found[warm] = preference(tmp_path / str(warm))
    assert found[0.0] < found[0.5] < found[1.0]
    assert found[0.0] < preference(model) < found[1.0]


def test_a_mixture_is_loaded_by_the_trainer_and_its_logits_are_the_mean_of_those_of_the_heads(trained, tmp_path):
    from safetensors.torch import load_file

    from rlgym.train.config.sections import ModelConfig
    from rlgym.train.model.backend import load_policy_model

    folder, _ = trained
    mix_heads(folder, {"warm": 1.0, "cold": 3.0}, tmp_path / "mixed")
    tokenizer, network = load_causal(tmp_path / "mixed")
    batch = collate_rows([encode(tokenizer, [{"role": "user", "content": "Colour?"}], SIDES[0], 64)], network.device)
    heads = load_file(folder / "heads.safetensors")
    with torch.inference_mode():
        hidden = hidden_states(network, batch)
        mean = (hidden @ heads["warm"].T + 3 * (hidden @ heads["cold"].T)) / 4
        assert torch.allclose(network.get_output_embeddings()(hidden), mean, atol=1e-4)
    loaded = load_policy_model(ModelConfig(path=str(tmp_path / "mixed")))
    assert torch.allclose(loaded.head_VE, (heads["warm"] + 3 * heads["cold"]) / 4, atol=1e-5)


@pytest.mark.parametrize(
    ("weights", "message"),
    [({"war": 1.0}, "no part 'war'. Did you mean 'warm'"), ({"warm": -1.0}, "numbers of at least 0"), ({"warm": 0.0}, "not all 0")],
)
def test_weights_of_no_mixture_are_refused(trained, tmp_path, weights, message):
    with pytest.raises(TrainError, match=message):
        mix_heads(trained[0], weights, tmp_path / "mixed")


def test_the_command_mixes_heads_and_refuses_pairs_without_an_objective(model, trained, tmp_path):
    given = ["train", "mix-heads", str(trained[0]), "--weight", "warm=3", "--weight", "cold=1", "--out", str(tmp_path / "mixed"), "--json"]
    result = CliRunner().invoke(app, given)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"warm": 0.75, "cold": 0.25}
    (tmp_path / "pairs.jsonl").write_text(json.dumps({"prompt": "Colour?", "chosen": "Red.", "rejected": "Blue."}) + "\n")
    with pytest.raises(RowError, match="line 1 needs 'part'"):
        train_heads(tmp_path / "pairs.jsonl", model, tmp_path / "none")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(RowError, match="has no pairs"):
        train_heads(tmp_path / "empty.jsonl", model, tmp_path / "none")


def test_heads_whose_logits_are_not_linear_are_refused(model, tmp_path):
    capped = tmp_path / "capped"
    shutil.copytree(model, capped)
    config = json.loads((capped / "config.json").read_text())
    (capped / "config.json").write_text(json.dumps(config | {"final_logit_softcapping": 30.0}))
    (tmp_path / "pairs.jsonl").write_text(
        "".join(json.dumps({"prompt": f"{k}?", "chosen": "a", "rejected": "b", "part": "p"}) + "\n" for k in range(9))
    )
    with pytest.raises(TrainError, match="has final_logit_softcapping"):
        train_heads(tmp_path / "pairs.jsonl", capped, tmp_path / "out")
