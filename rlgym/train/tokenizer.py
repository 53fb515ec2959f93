"""Tokenizers made for a purpose: every byte a token, or byte pairs learned from texts; digits always stand alone.

They lose nothing: any text comes back as it was. What closes and opens the turns of a conversation are single tokens.
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
    """The tokenizer in a model folder, as transformers returns it; a TrainError says what it lacks."""
    from transformers import AutoTokenizer

    from rlgym.train.config import TrainError

    try:
        return AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError) as error:
        raise TrainError(f"the tokenizer in {str(folder)!r} cannot be read: {str(error).splitlines()[0]}") from None


def make_tokenizer(folder: str | Path, texts: Iterable[str] = (), vocabulary: int | None = None, phrases: bool = False) -> Any:
    """A tokenizer that `AutoTokenizer` loads, saved in a folder and returned as transformers returns it.

    vocabulary  None for one token per byte; above 262, that many tokens of byte pairs learned from `texts`, or as many as there are
    phrases     let a token reach over several words, so that what all texts say is a token or two: for small models with few tasks

    Special tokens come first: padding 0, the end of a turn (also the end of the text) 1, then one per role.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    smallest = len(SPECIALS) + BYTES
    if vocabulary is not None and vocabulary < smallest:
        raise ValueError(f"a vocabulary holds at least the {BYTES} bytes and {len(SPECIALS)} special tokens, got {vocabulary}")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = {token: index for index, token in enumerate([*SPECIALS, *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=tokens, merges=[]))
    pieces = r"\p{N}|[^\p{N}]+" if phrases else r"\p{N}|\s+|[^\s\p{N}]+"
    digits_apart = pre_tokenizers.Split(Regex(pieces), behavior="isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits_apart, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    if vocabulary is not None and vocabulary > smallest:
        trainer = trainers.BpeTrainer(vocab_size=vocabulary, special_tokens=list(SPECIALS), initial_alphabet=alphabet, show_progress=False)
        tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens([AddedToken(special, special=True, normalized=False) for special in SPECIALS])
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, pad_token=PAD, clean_up_tokenization_spaces=False, chat_template=CHAT_TEMPLATE
    )
    wrapped.save_pretrained(folder)
    return wrapped
