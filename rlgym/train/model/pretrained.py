"""Model folders in the Hugging Face layout: loading, saving, and new random models.

`config.json`, `model.safetensors` (or shards with an index) and the tokenizer's files. A value head is
saved in `value_head.safetensors` next to the folder, so that other programs can load the folder as usual.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from rlgym.core.errors import RlgymError
from rlgym.train.model.decoder import Decoder
from rlgym.train.model.shape import ModelShape, RopeScaling

__all__ = ["Decoder", "ModelError", "ModelShape", "load_model", "make_model", "save_model"]

FAMILIES = ("qwen3", "qwen2", "llama", "mistral")
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.jinja",
    "generation_config.json",
)


class ModelError(RlgymError, ValueError):
    """A model folder is incomplete, or has an architecture that this trainer does not support."""


def load_model(
    folder: str | Path, device: torch.device | str = "cpu", dtype: torch.dtype | None = None, value_head: bool = False
) -> Decoder:
    """The decoder in a folder. `dtype` None uses the folder's dtype on a GPU and float32 on a CPU.

    With `value_head` it has a value head, which outputs 0 if none was saved next to the folder.
    Raises ModelError for a folder without a model, or with an unsupported architecture.
    """
    folder = Path(folder)
    config = read_config(folder)
    shape = shape_of(config)
    on_cpu = torch.device(device).type == "cpu"
    dtype = dtype or (torch.float32 if on_cpu else getattr(torch, str(config.get("dtype") or config.get("torch_dtype") or "bfloat16")))
    with torch.device(device):
        model = Decoder(shape, config, value_head).to(dtype=dtype)
    model.cosine_PD, model.sine_PD = model.cosine_PD.float(), model.sine_PD.float()
    try:
        model.load_weights(_read_weights(folder, value_head))
    except ValueError as refusal:
        raise ModelError(f"{folder}: {refusal}") from refusal
    return model


def read_shape(folder: str | Path) -> ModelShape:
    """The sizes of the model in a folder, without its weights. Raises ModelError as `load_model` does."""
    return shape_of(read_config(Path(folder)))


def save_model(
    model: Decoder, folder: str | Path, tokenizer_from: str | Path | None = None, weights_from: Iterable[tuple[str, Tensor]] | None = None
) -> None:
    """Save a model for transformers, vLLM and `load_model`; the tokenizer's files are copied from another folder.

    `weights_from` are the full weights of a model that is sharded over several processes.
    """
    from safetensors.torch import save_file

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.cpu().clone() for name, weight in weights_from or model.weights()}
    value = weights.pop("value_head.weight", None)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    if value is not None:
        save_file({"value_head.weight": value}, value_head_file(folder), metadata={"format": "pt"})
    config = {**model.config, "dtype": str(model.dtype).removeprefix("torch.")}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    for name in TOKENIZER_FILES:
        if tokenizer_from is not None and Path(tokenizer_from).resolve() != folder.resolve() and (Path(tokenizer_from) / name).exists():
            shutil.copyfile(Path(tokenizer_from) / name, folder / name)


def make_model(
    folder: str | Path,
    *,
    num_layers: int = 3,
    hidden_size: int = 128,
    num_heads: int | None = None,
    num_kv_heads: int | None = None,
    head_dim: int = 32,
    intermediate_size: int | None = None,
    max_seq_len: int = 512,
    vocab_size: int | None = None,
    tie_word_embeddings: bool = True,
    seed: int = 0,
) -> Decoder:
    """A small random decoder of the Qwen3 architecture, saved in a folder and returned.

    Omitted sizes follow from the hidden size: as many heads as fit, half as many key-value heads, an MLP three times as wide. The
    vocabulary size defaults to that of the tokenizer in the folder. The same seed gives the same weights.
    """
    folder = Path(folder)
    num_heads = num_heads or max(1, hidden_size // head_dim)
    shape = ModelShape(
        vocab_size=_tokenizer_size(folder) if vocab_size is None else vocab_size,
        num_layers=num_layers,
        hidden_size=hidden_size,
        num_heads=num_heads,
        num_kv_heads=num_kv_heads or max(1, num_heads // 2),
        head_dim=head_dim,
        intermediate_size=intermediate_size or 3 * hidden_size,
        max_seq_len=max_seq_len,
        tie_word_embeddings=tie_word_embeddings,
    )
    if shape.num_heads % shape.num_kv_heads:
        raise ModelError(f"num_heads={shape.num_heads} is not a multiple of num_kv_heads={shape.num_kv_heads}: make it one")
    model = Decoder(shape, _hf_config(shape, folder))
    model.init_weights(seed)
    save_model(model, folder)
    return model


def value_head_file(folder: str | Path) -> Path:
    """The file of the value head of the model in a folder, next to the folder."""
    return Path(folder).parent / "value_head.safetensors"


def shape_of(config: dict[str, Any]) -> ModelShape:
    """The sizes in a Hugging Face configuration. Raises ModelError for what this decoder does not support."""
    family = config.get("model_type")
    if family not in FAMILIES:
        raise ModelError(f"model_type {family!r} is not supported: use a model of the type {', '.join(FAMILIES)}")
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    rope_type = rope.get("rope_type") or rope.get("type") or "default"
    unsupported = {
        "hidden_act": config.get("hidden_act", "silu") != "silu",
        "rope type": rope_type not in ("default", "llama3"),
        "sliding attention": bool(config.get("use_sliding_window"))
        or "sliding_attention" in (config.get("layer_types") or ())
        or (family == "mistral" and bool(config.get("sliding_window"))),
        "quantization_config": bool(config.get("quantization_config")),
        "attention_bias": bool(config.get("attention_bias")),
        "mlp_bias": bool(config.get("mlp_bias")),
    }
    if any(unsupported.values()):
        raise ModelError(
            f"the model uses {', '.join(name for name, used in unsupported.items() if used)}, which the native decoder does not support"
        )
    heads, width = config["num_attention_heads"], config["hidden_size"]
    return ModelShape(
        vocab_size=config["vocab_size"],
        num_layers=config["num_hidden_layers"],
        hidden_size=width,
        num_heads=heads,
        num_kv_heads=config.get("num_key_value_heads") or heads,
        head_dim=config.get("head_dim") or width // heads,
        intermediate_size=config["intermediate_size"],
        max_seq_len=config["max_position_embeddings"],
        rope_theta=float(rope.get("rope_theta") or config.get("rope_theta") or 10_000.0),
        rms_norm_eps=float(config["rms_norm_eps"]),
        tie_word_embeddings=bool(config.get("tie_word_embeddings", False)),
        qk_norm=family == "qwen3",
        qkv_bias=family == "qwen2",
        rope_scaling=_rope_scaling(rope) if rope_type == "llama3" else None,
    )


def _rope_scaling(rope: dict[str, Any]) -> RopeScaling:
    return RopeScaling(
        factor=float(rope["factor"]),
        low_freq_factor=float(rope["low_freq_factor"]),
        high_freq_factor=float(rope["high_freq_factor"]),
        original_max_seq_len=int(rope["original_max_position_embeddings"]),
    )


def _hf_config(shape: ModelShape, folder: Path) -> dict[str, Any]:
    """The Hugging Face configuration of a Qwen3 model, with the special tokens of the tokenizer in the folder."""
    return {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": shape.vocab_size,
        "hidden_size": shape.hidden_size,
        "intermediate_size": shape.intermediate_size,
        "num_hidden_layers": shape.num_layers,
        "num_attention_heads": shape.num_heads,
        "num_key_value_heads": shape.num_kv_heads,
        "head_dim": shape.head_dim,
        "hidden_act": "silu",
        "max_position_embeddings": shape.max_seq_len,
        "rms_norm_eps": shape.rms_norm_eps,
        "rope_theta": shape.rope_theta,
        "attention_bias": False,
        "attention_dropout": 0.0,
        "use_sliding_window": False,
        "tie_word_embeddings": shape.tie_word_embeddings,
        "initializer_range": 0.02,
        "use_cache": True,
        **_special_tokens(folder),
    }


def _special_tokens(folder: Path) -> dict[str, int | None]:
    if not (folder / "tokenizer.json").exists():
        return {"bos_token_id": None, "eos_token_id": None, "pad_token_id": None}
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    return {"bos_token_id": None, "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}


def _tokenizer_size(folder: Path) -> int:
    if not (folder / "tokenizer.json").exists():
        raise ModelError(f"{folder} has no tokenizer.json to take the vocabulary size from: call make_tokenizer first, or pass vocab_size")
    from transformers import AutoTokenizer

    return len(AutoTokenizer.from_pretrained(folder))


def read_config(folder: Path) -> dict[str, Any]:
    """The Hugging Face configuration in a folder."""
    path = folder / "config.json"
    if not path.is_file():
        raise ModelError(
            f"{folder} is not a model folder: it has no config.json. Pass the folder that contains config.json and model.safetensors"
        )
    try:
        config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"{path} is damaged ({error}): download or copy the model again") from None
    return config


def _read_weights(folder: Path, value_head: bool) -> Iterator[tuple[str, Tensor]]:
    from safetensors import SafetensorError, safe_open

    index = folder / "model.safetensors.index.json"
    if index.exists():
        names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
    elif (folder / "model.safetensors").exists():
        names = ["model.safetensors"]
    else:
        raise ModelError(f"{folder} has no model.safetensors: save the model with safe_serialization=True")
    files = [folder / name for name in names]
    if value_head and value_head_file(folder).exists():
        files.append(value_head_file(folder))
    for path in files:
        try:
            with safe_open(path, framework="pt") as file:
                for weight in file.keys():  # noqa: SIM118 - an open file is not a mapping
                    yield weight, file.get_tensor(weight)
        except (SafetensorError, OSError) as error:
            raise ModelError(f"{path} is damaged ({error}): download or copy the model again") from None
