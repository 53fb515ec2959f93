"""Model folders in the layout of Hugging Face: read, written, and made from nothing.

`config.json`, `model.safetensors` (or shards with an index) and the tokenizer's files. The value head, where there is one,
lies in `value_head.safetensors` beside the folder, so that other programs, which may take all weights in it, read it as usual.
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
from rlgym.train.decoder import Decoder, Shape
from rlgym.train.tokenizer import make_tokenizer

__all__ = ["Decoder", "ModelError", "Shape", "load_model", "make_model", "make_tokenizer", "save_model"]

FAMILIES = ("qwen3", "qwen2", "llama")
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
    """A model folder is missing something, or holds an architecture this trainer does not have."""


def load_model(
    folder: str | Path, device: torch.device | str = "cpu", dtype: torch.dtype | None = None, value_head: bool = False
) -> Decoder:
    """The decoder in a folder. `dtype` None keeps what the folder says on a GPU and takes float32 on a CPU.

    With `value_head` it has one, which expects 0 everywhere if none was saved beside the folder.
    Raises ModelError, saying what to change, for a folder that is no model or one of another architecture.
    """
    folder = Path(folder)
    config = _read_config(folder)
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


def save_model(
    model: Decoder,
    folder: str | Path,
    tokenizer_from: str | Path | None = None,
    weights_from: Iterable[tuple[str, Tensor]] | None = None,
) -> None:
    """Write a model so that transformers, vLLM and `load_model` read it; the tokenizer's files come from another folder.

    `weights_from` are the whole weights of a model that is divided over several processes.
    """
    from safetensors.torch import save_file

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.cpu().clone() for name, weight in weights_from or model.weights()}
    value = weights.pop("value_head.weight", None)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    if value is not None:
        save_file({"value_head.weight": value}, head_file(folder), metadata={"format": "pt"})
    config = {**model.config, "dtype": str(model.dtype).removeprefix("torch.")}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    for name in TOKENIZER_FILES:
        if tokenizer_from is not None and Path(tokenizer_from).resolve() != folder.resolve() and (Path(tokenizer_from) / name).exists():
            shutil.copyfile(Path(tokenizer_from) / name, folder / name)


def make_model(
    folder: str | Path,
    *,
    layers: int = 3,
    width: int = 128,
    heads: int | None = None,
    key_heads: int | None = None,
    head_width: int = 32,
    inner: int | None = None,
    context: int = 512,
    vocabulary: int | None = None,
    tied: bool = True,
    seed: int = 0,
) -> Decoder:
    """A small random decoder of the Qwen3 architecture, saved in a folder and returned.

    Sizes left out follow from the width: as many heads as fit, half as many of keys, an inner width of three times the
    width. The vocabulary is that of the tokenizer in the folder unless given. The same seed makes the same weights.
    """
    folder = Path(folder)
    heads = heads or max(1, width // head_width)
    shape = Shape(
        vocabulary=_tokenizer_size(folder) if vocabulary is None else vocabulary,
        layers=layers,
        width=width,
        heads=heads,
        key_heads=key_heads or max(1, heads // 2),
        head_width=head_width,
        inner=inner or 3 * width,
        context=context,
        tied=tied,
    )
    if shape.heads % shape.key_heads:
        raise ModelError(
            f"{shape.heads} heads cannot share {shape.key_heads} heads of keys evenly; make the first a multiple of the second"
        )
    model = Decoder(shape, _config_of(shape, folder))
    model.initialise(seed)
    save_model(model, folder)
    return model


def head_file(folder: str | Path) -> Path:
    """Where the value head of the model in a folder lies: beside the folder."""
    return Path(folder).parent / "value_head.safetensors"


def shape_of(config: dict[str, Any]) -> Shape:
    """The sizes that a Hugging Face configuration states. Raises ModelError for what this decoder does not do."""
    family = config.get("model_type")
    if family not in FAMILIES:
        raise ModelError(f"model_type is {family!r}; this trainer has {', '.join(FAMILIES)}. Use another model folder")
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    refused = {
        "hidden_act": config.get("hidden_act", "silu") != "silu",
        "rope type": (rope.get("rope_type") or rope.get("type") or "default") != "default",
        "sliding attention": bool(config.get("use_sliding_window")) or "sliding_attention" in (config.get("layer_types") or ()),
        "quantization_config": bool(config.get("quantization_config")),
        "attention_bias": bool(config.get("attention_bias")),
        "mlp_bias": bool(config.get("mlp_bias")),
    }
    if any(refused.values()):
        raise ModelError(f"the model uses {', '.join(name for name, is_so in refused.items() if is_so)}, which this trainer does not have")
    heads, width = config["num_attention_heads"], config["hidden_size"]
    return Shape(
        vocabulary=config["vocab_size"],
        layers=config["num_hidden_layers"],
        width=width,
        heads=heads,
        key_heads=config.get("num_key_value_heads") or heads,
        head_width=config.get("head_dim") or width // heads,
        inner=config["intermediate_size"],
        context=config["max_position_embeddings"],
        rope_base=float(rope.get("rope_theta") or config.get("rope_theta") or 10_000.0),
        epsilon=float(config["rms_norm_eps"]),
        tied=bool(config.get("tie_word_embeddings", False)),
        norms_heads=family == "qwen3",
        biased=family == "qwen2",
    )


def _config_of(shape: Shape, folder: Path) -> dict[str, Any]:
    """The Hugging Face configuration of a Qwen3 model, with the special tokens of the tokenizer in the folder."""
    return {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "intermediate_size": shape.inner,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.key_heads,
        "head_dim": shape.head_width,
        "hidden_act": "silu",
        "max_position_embeddings": shape.context,
        "rms_norm_eps": shape.epsilon,
        "rope_theta": shape.rope_base,
        "attention_bias": False,
        "attention_dropout": 0.0,
        "use_sliding_window": False,
        "tie_word_embeddings": shape.tied,
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
        raise ModelError(f"{folder} has no tokenizer.json to take the vocabulary from; call make_tokenizer first, or give vocabulary")
    from transformers import AutoTokenizer

    return len(AutoTokenizer.from_pretrained(folder))


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise ModelError(
            f"{folder} is no model folder: it has no config.json. Give the folder that holds config.json and model.safetensors"
        )
    config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return config


def _read_weights(folder: Path, value_head: bool) -> Iterator[tuple[str, Tensor]]:
    from safetensors import safe_open

    index = folder / "model.safetensors.index.json"
    if index.exists():
        names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
    elif (folder / "model.safetensors").exists():
        names = ["model.safetensors"]
    else:
        raise ModelError(f"{folder} has no model.safetensors; save the model with safe_serialization=True")
    files = [folder / name for name in names]
    if value_head and head_file(folder).exists():
        files.append(head_file(folder))
    for place in files:
        with safe_open(place, framework="pt") as file:
            for weight in file.keys():  # noqa: SIM118 - an open file is no mapping
                yield weight, file.get_tensor(weight)
