"""A tokenizer made on the spot: every byte a token, and a chat template that only adds to what there is."""

from __future__ import annotations

from typing import Any

BEGIN, END = "<|begin|>", "<|end|>"
TEMPLATE = (
    "{% for message in messages %}<|begin|>{{ message.role }}\n{{ message.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|begin|>assistant\n{% endif %}"
)


def byte_tokenizer() -> Any:
    """The tokenizer; it decodes to exactly the text that was encoded."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(alphabet)}, merges=[]))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = decoders.ByteLevel()
    completion = PreTrainedTokenizerFast(tokenizer_object=plain, eos_token=END, pad_token="<|pad|>", clean_up_tokenization_spaces=False)
    completion.add_special_tokens({"additional_special_tokens": [BEGIN]})
    completion.chat_template = TEMPLATE
    return completion
