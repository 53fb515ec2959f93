"""Small tokenizers: one token per byte, or byte pairs trained on texts; every digit is a token of its own.

They are lossless. Each marker that opens or closes a turn of a conversation is a single token.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

PAD, END = "<|pad|>", "<|end|>"
ROLES = ("system", "user", "assistant", "tool")
SPECIALS = (PAD, END, *(f"<|{role}|>" for role in ROLES))
BYTES = 256
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


def load_tokenizer(folder: str | Path) -> Any:
    """The tokenizer in a model folder, as transformers returns it. Raises TrainError if it cannot be read."""
    from transformers import AutoTokenizer

    from rlgym.train.config.sections import TrainError

    try:
        return AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError) as error:
        raise TrainError(f"cannot read the tokenizer in {str(folder)!r}: {str(error).splitlines()[0]}") from None


def make_tokenizer(folder: str | Path, texts: Iterable[str] = (), vocab_size: int | None = None, multi_word_tokens: bool = False) -> Any:
    """A new tokenizer, saved in a folder for `AutoTokenizer`, as transformers returns it.

    vocab_size         None for one token per byte; above 262, at most that many tokens of byte pairs trained on `texts`
    multi_word_tokens  let a token span several words, so that common phrases are a token or two: for small models with few tasks

    Special tokens come first: padding 0, end of turn (and of text) 1, then one per role.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    smallest = len(SPECIALS) + BYTES
    if vocab_size is not None and vocab_size < smallest:
        raise ValueError(f"vocab_size must be at least {smallest} ({BYTES} bytes and {len(SPECIALS)} special tokens), got {vocab_size}")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = {token: index for index, token in enumerate([*SPECIALS, *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=tokens, merges=[]))
    pieces = r"\p{N}|[^\p{N}]+" if multi_word_tokens else r"\p{N}|\s+|[^\s\p{N}]+"
    digits_apart = pre_tokenizers.Split(Regex(pieces), behavior="isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits_apart, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    if vocab_size is not None and vocab_size > smallest:
        trainer = trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=list(SPECIALS), initial_alphabet=alphabet, show_progress=False)
        tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens([AddedToken(special, special=True, normalized=False) for special in SPECIALS])
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, pad_token=PAD, clean_up_tokenization_spaces=False, chat_template=CHAT_TEMPLATE
    )
    wrapped.save_pretrained(folder)
    return wrapped
