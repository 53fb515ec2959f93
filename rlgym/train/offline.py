"""Causal language models of Transformers that learn from files of responses: loading, and responses as batches of tokens.

Axes: N sequences, L positions of a padded batch.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import RowError
from rlgym.train.config.sections import TrainError

if TYPE_CHECKING:
    from torch import Tensor


HELD_OUT = 0.1
"""Share of the prompts that are measured and not learned from."""


@dataclass(frozen=True)
class TokenBatch:
    """Sequences padded on the right.

    tokens_NL    token ids
    attention_NL 1 where a token stands
    response_NL  True at the tokens of the response, which are scored
    """

    tokens_NL: Tensor
    attention_NL: Tensor
    response_NL: Tensor


def require_new_folder(out: Path) -> None:
    """Raise TrainError for a folder that holds something."""
    if out.exists() and any(out.iterdir()):
        raise TrainError(f"{str(out)!r} is not empty: choose another folder with --out, or remove it")


def load_causal(model: Path) -> tuple[Any, Any]:
    """The tokenizer and the causal language model of a folder, on the GPU if there is one."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(model, local_files_only=True, trust_remote_code=False)
        network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, KeyError) as error:
        raise TrainError(f"the model in {str(model)!r} cannot be loaded as a language model: {str(error).splitlines()[0]}") from None
    if tokenizer.eos_token_id is None:
        raise TrainError(f"the tokenizer in {str(model)!r} has no end-of-text token: set its eos_token")
    return tokenizer, network.to("cuda" if torch.cuda.is_available() else "cpu")


def encode(tokenizer: Any, prompt: Sequence[Mapping[str, str]], response: str, max_tokens: int) -> tuple[list[int], int]:
    """The tokens of a prompt and its response with the end-of-text token, and where the response begins; of a long prompt the end is kept.

    A response that alone has `max_tokens` or more loses its end.
    """
    if tokenizer.chat_template:
        text = tokenizer.apply_chat_template(list(prompt), tokenize=False, add_generation_prompt=True)
    else:
        text = "".join(f"{message['content']}\n\n" for message in prompt)
    before = tokenizer(text, add_special_tokens=False)["input_ids"]
    after = [*tokenizer(response, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id][: max_tokens - 1]
    before = before[-(max_tokens - len(after)) :]
    return [*before, *after], len(before)


def collate_rows(rows: Sequence[tuple[Sequence[int], int]], device: Any) -> TokenBatch:
    """Sequences, each with the position at which its response begins, as a batch."""
    import torch

    longest = max(len(tokens) for tokens, _ in rows)
    tokens = [[*row, *[0] * (longest - len(row))] for row, _ in rows]
    attention = [[1] * len(row) + [0] * (longest - len(row)) for row, _ in rows]
    response = [[first <= place < len(row) for place in range(longest)] for row, first in rows]
    return TokenBatch(torch.tensor(tokens, device=device), torch.tensor(attention, device=device), torch.tensor(response, device=device))


def hidden_states(network: Any, batch: TokenBatch) -> Tensor:
    """The last hidden states [N, L, H] of the trunk."""
    found: Tensor = network.base_model(input_ids=batch.tokens_NL, attention_mask=batch.attention_NL).last_hidden_state
    return found


def key_of(prompt: Sequence[Mapping[str, str]]) -> str:
    """What tells prompts apart."""
    return json.dumps([[message["role"], message["content"]] for message in prompt])


def is_held_out(prompt: Sequence[Mapping[str, str]]) -> bool:
    """Whether a prompt is among the `HELD_OUT` that are not learned from; the same in every file."""
    hashed = hashlib.sha256(json.dumps(prompt[-1]["content"]).encode()).digest()
    return int.from_bytes(hashed[:4], "big") / 2**32 < HELD_OUT


def prompt_of(line: Mapping[str, Any], number: int) -> list[dict[str, str]]:
    """The prompt of a line, a text or a list of messages, as messages. RowError for anything else."""
    return messages_of(line.get("prompt"), "prompt", "user", number)


def response_of(line: Mapping[str, Any], column: str, number: int) -> str:
    """The text of a response, given as a text or as messages. RowError for anything else."""
    return "\n\n".join(message["content"] for message in messages_of(line.get(column), column, "assistant", number))


def messages_of(content: Any, column: str, role: str, number: int) -> list[dict[str, str]]:
    """A text or a list of messages as messages; RowError that names line and column for anything else."""
    if isinstance(content, str) and content:
        return [{"role": role, "content": content}]
    if (
        isinstance(content, list)
        and content
        and all(isinstance(each, Mapping) and isinstance(each.get("content"), str) for each in content)
    ):
        return [{"role": str(each.get("role", role)), "content": each["content"]} for each in content]
    raise RowError(f"line {number} needs {column!r} as a text or a list of messages, got {content!r:.60}")
