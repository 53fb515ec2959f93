"""A model of a few thousand random weights, with a tokenizer of bytes and Qwen's marks, for trainers that want a real one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MARKS = ["<|im_start|>", "<|im_end|>"]


def tiny(folder: Path, template: str, *, width: int = 32, context: int = 16384) -> tuple[Any, Any]:
    """A model and its tokenizer, saved in a folder too."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    from rlgym.train.model.tokenizer import make_tokenizer

    tokenizer = make_tokenizer(folder)
    tokenizer.add_tokens(MARKS, special_tokens=True)
    tokenizer.eos_token, tokenizer.chat_template = MARKS[1], template
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=width,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=width // 2,
        max_position_embeddings=context,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = Qwen3ForCausalLM(config)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return model, tokenizer


CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
