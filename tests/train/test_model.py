"""The decoder is the one that transformers has, and its folders are read and written as usual."""

import json

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.train.model.packing import pack
from rlgym.train.model.pretrained import ModelError, load_model, make_model, save_model
from rlgym.train.model.tokenizer import load_tokenizer, make_tokenizer


def logits_of(model, sequence):
    packed = pack([sequence])
    with torch.no_grad():
        return model.logits(model(packed.tokens_T, packed.positions_T, packed.attention))


@pytest.mark.parametrize("tied", [True, False])
def test_our_logits_are_those_of_transformers_on_our_folder(tmp_path, tied):
    model = small_model(tmp_path, tie_word_embeddings=tied)
    theirs = transformers.AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)
    sequence = [3, 40, 50, 60, 70, 1, 200, 5]
    with torch.no_grad():
        expected = theirs(torch.tensor([sequence])).logits[0]
    torch.testing.assert_close(logits_of(model, sequence), expected, atol=2e-5, rtol=1e-4)


CONFIGS = {
    "qwen3": {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 24, "tie_word_embeddings": False},
    "qwen2": {"num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": True},
    "llama": {"num_attention_heads": 4, "num_key_value_heads": 4, "tie_word_embeddings": False},
    "llama 3": {
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "rope_scaling": {
            "rope_type": "llama3",
            "rope_theta": 10_000.0,
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 16,
        },
    },
    "mistral": {"num_attention_heads": 4, "num_key_value_heads": 2, "sliding_window": None},
}
"""Configurations of transformers, by family; a family may have several, distinguished by a second word."""


@pytest.mark.parametrize("family", CONFIGS)
def test_folders_that_transformers_wrote_are_read(tmp_path, family):
    sizes = {"vocab_size": 97, "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3, "max_position_embeddings": 64}
    config = transformers.AutoConfig.for_model(family.split()[0], **sizes, **CONFIGS[family])
    torch.manual_seed(0)
    theirs = transformers.AutoModelForCausalLM.from_config(config)
    with torch.no_grad():
        for weight in theirs.parameters():
            weight.add_(torch.randn_like(weight) * 0.2)
    theirs.save_pretrained(tmp_path)
    sequence = [1, 5, 9, 90, 33, 2, 2, 7] * 5
    with torch.no_grad():
        expected = theirs(torch.tensor([sequence])).logits[0]
    model = load_model(tmp_path)
    torch.testing.assert_close(logits_of(model, sequence), expected, atol=1e-4, rtol=1e-3)
    save_model(model, tmp_path / "again")
    with torch.no_grad():
        repeated = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "again")(torch.tensor([sequence])).logits[0]
    torch.testing.assert_close(repeated, expected)


def test_the_same_seed_makes_the_same_weights(tmp_path):
    make_tokenizer(tmp_path)
    first, same, second = (dict(make_model(tmp_path, num_layers=1, hidden_size=32, seed=seed).weights()) for seed in (5, 5, 6))
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert not all(torch.equal(first[name], second[name]) for name in first)


def test_recomputing_in_the_backward_pass_changes_no_gradient(tmp_path):
    from rlgym.train.model.logprobs import score_pack

    gradients = []
    for saves in (False, True):
        model = small_model(tmp_path)
        model.gradient_checkpointing = saves
        score_pack(model, pack([[3, 9, 8, 7], [4, 9, 1]]))[0].sum().backward()
        gradients.append([weight.grad for weight in model.parameters()])
    assert all(torch.equal(first, second) for first, second in zip(*gradients, strict=True))


def test_what_is_missing_or_foreign_is_said(tmp_path):
    with pytest.raises(ModelError, match=r"no config\.json"):
        load_model(tmp_path)
    small_model(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"model_type": "mamba"}))
    with pytest.raises(ModelError, match="'mamba' is not supported: use a model of the type qwen3"):
        load_model(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config | {"rope_scaling": {"rope_type": "yarn"}}))
    with pytest.raises(ModelError, match="rope type"):
        load_model(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config | {"model_type": "mistral", "sliding_window": 64}))
    with pytest.raises(ModelError, match="sliding attention"):
        load_model(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config | {"hidden_size": 32}))
    with pytest.raises(ModelError, match="has size"):
        load_model(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"no model\.safetensors"):
        load_model(tmp_path)


TEXTS = ("3 + 44 = 47", "Grüße, 世界! \n\t x", "", "<|end|> is a token, <|not|> is none", "\u0000\ud7ff 12345")
WORDS = [
    f"{start}{middle}{end}"
    for start in ("syn", "ana", "para", "hyper")
    for middle in ("the", "ly", "gra", "met")
    for end in ("sise", "tic", "sis")
]


@pytest.mark.parametrize("vocabulary", [None, 290])
def test_tokenizers_lose_nothing_and_keep_digits_apart(tmp_path, vocabulary):
    created = make_tokenizer(tmp_path, WORDS, vocab_size=vocabulary)
    read = load_tokenizer(tmp_path)
    assert len(read) == (vocabulary or 262)
    for text in TEXTS:
        tokens = read(text, add_special_tokens=False)["input_ids"]
        assert tokens == created(text, add_special_tokens=False)["input_ids"]
        assert read.decode(tokens, skip_special_tokens=False) == text
    assert len(read("12345", add_special_tokens=False)["input_ids"]) == 5
    if vocabulary:
        assert len(read("synthesise", add_special_tokens=False)["input_ids"]) < 6
    with pytest.raises(ValueError, match="at least 262"):
        make_tokenizer(tmp_path, vocab_size=100)


def test_going_through_weights_leaves_gradients_on(tmp_path):
    model, other = small_model(tmp_path / "one"), small_model(tmp_path / "other")
    for (_, mine), (_, theirs) in zip(model.weights(), other.weights(), strict=True):
        assert not mine.requires_grad
        assert mine.shape == theirs.shape
    next(model.weights())
    assert torch.is_grad_enabled()
