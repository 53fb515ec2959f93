"""A trained scorer of steps: a language model with a value head, whose output at the last token of a step scores the text so far.

Its folder is what `rlgym steps train` writes, or a checkpoint of a run with the advantage `ppo`: the model in the subfolder `model`, and next to it
`value_head.safetensors` and, where the scorer has one, `scorer.json`. Several scorers are an ensemble, whose score is their mean.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from rlgym import RlgymError
from rlgym.evaluate.models.base import Completion, Message, RequestFailed, Sampling
from rlgym.evaluate.models.chat_format import ChatFormatter
from rlgym.evaluate.models.local import check_model_folder, context_length
from rlgym.evaluate.step_texts import SEPARATOR, step_ends

MODEL, HEAD, FACTS = "model", "value_head.safetensors", "scorer.json"


@dataclass(frozen=True)
class EncodedSteps:
    """The tokens of a conversation that ends with text of the assistant.

    start   the number of tokens before that text
    places  the place of the last token of each step
    """

    tokens: tuple[int, ...]
    start: int
    places: tuple[int, ...]


def encode_steps(tokenizer: Any, messages: Sequence[Message], text: str, ends: Sequence[int]) -> EncodedSteps:
    """The tokens of a conversation and of the assistant's text after it, with the last token of each step of that text.

    Raises RlgymError for a tokenizer that cannot tell which characters a token covers.
    """
    if not getattr(tokenizer, "is_fast", False):
        raise RlgymError(
            "scoring steps needs a tokenizer of the library tokenizers (tokenizer.json), which tells the characters of a token"
        )
    prompt = ChatFormatter(tokenizer).encode(messages).tokens
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    starts = [start for start, _ in encoded["offset_mapping"]]
    places = [len(prompt) + sum(start < end for start in starts) - 1 for end in ends]
    return EncodedSteps((*prompt, *encoded["input_ids"]), len(prompt), tuple(places))


class _Member:
    """One scorer of an ensemble."""

    def __init__(self, folder: Path, device: str) -> None:
        import torch
        from safetensors.torch import load_file
        from transformers import AutoModel, AutoTokenizer

        if not (folder / HEAD).is_file():
            raise RlgymError(
                f"{str(folder)!r} is no scorer: it has no {HEAD}. Train one with `rlgym steps train`, or with the advantage ppo"
            )
        check_model_folder(folder / MODEL, ("torch", "transformers"), "'rlvrgym[train]'")
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8")) if (folder / FACTS).is_file() else {}
        self.is_logit, self._device = facts.get("output") == "logit", device
        self.tokenizer = AutoTokenizer.from_pretrained(folder / MODEL)
        dtype = torch.float32 if device == "cpu" else "auto"
        self.network: Any = AutoModel.from_pretrained(folder / MODEL, dtype=dtype).to(device).eval()
        self._head_1E = load_file(folder / HEAD)["value_head.weight"].to(device)
        self._context = context_length(self.network.config)

    def scores(self, messages: Sequence[Message], text: str, ends: Sequence[int]) -> tuple[list[float], int]:
        """The score of the text up to each end, from 0 to 1, and the number of tokens."""
        import torch

        encoded = encode_steps(self.tokenizer, messages, text, ends)
        if len(encoded.tokens) > self._context:
            raise RequestFailed(f"a text of {len(encoded.tokens)} tokens exceeds the scorer's context of {self._context}")
        with torch.inference_mode():
            hidden_TE = self.network(torch.tensor([encoded.tokens], device=self._device)).last_hidden_state[0]
            outputs = hidden_TE[list(encoded.places)].float() @ self._head_1E[0].float()
            scores: list[float] = (outputs.sigmoid() if self.is_logit else outputs.clamp(0.0, 1.0)).tolist()
        return scores, len(encoded.tokens)


def scorer_name(folder: str | Path) -> str:
    """The name of a scorer's folder with the first digits of the hash of its value head, so that kept scores are never those of another training."""
    head = (Path(folder) / HEAD).read_bytes()
    return f"{Path(folder).resolve().name}-{hashlib.sha256(head).hexdigest()[:8]}"


class StepScorer:
    """One or several trained scorers as a model that is asked: it replies to a conversation with the scores of the steps of its last message.

    folders  of the scorers of an ensemble
    device   "cpu", "cuda" ...; a GPU if there is one, by default
    """

    kind, max_concurrency = "scorer", 8

    def __init__(self, folders: Sequence[str | Path], device: str | None = None) -> None:
        if not folders:
            raise RlgymError("name the folder of a scorer")
        try:
            import torch
        except ModuleNotFoundError:
            raise RlgymError("a scorer needs torch and transformers: install them with `pip install 'rlvrgym[train]'`") from None
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._members = [_Member(Path(folder), device) for folder in folders]
        self._lock = threading.Lock()
        self.name = "+".join(map(scorer_name, folders))

    def metadata(self) -> dict[str, Any]:
        """The number of scorers."""
        return {"scorers": len(self._members)}

    def scores(self, messages: Sequence[Message], text: str, ends: Sequence[int]) -> tuple[list[float], int]:
        """The mean score of the assistant's text up to each end, and the number of tokens that all scorers read."""
        if not ends:
            return [], 0
        with self._lock:
            found = [member.scores(messages, text, ends) for member in self._members]
        return [fmean(each) for each in zip(*(scores for scores, _ in found), strict=True)], sum(tokens for _, tokens in found)

    async def generate(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Completion:
        """The scores of the steps of the last message, as a JSON list; `separator` of the extra options ends a step."""
        *before, last = messages
        text = str(last["content"])
        ends = step_ends(text, str(sampling.extra.get("separator", SEPARATOR)))
        scores, tokens = await asyncio.to_thread(self.scores, before, text, ends)
        return Completion({"role": "assistant", "content": json.dumps(scores)}, tokens, 0)

    async def close(self) -> None:
        """Nothing to release."""
