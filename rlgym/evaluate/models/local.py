"""What all models that run in this process share: the chat format, the batch queue, and the model's recommended sampling parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.evaluate.models.base import Completion, Message, ModelUnavailable, Sampling
from rlgym.evaluate.models.batching import BatchQueue, DecodingParams, GenerationRequest
from rlgym.evaluate.models.chat_format import ChatFormatter

DEFAULT_MAX_TOKENS = 4096
"""The token limit of a turn if neither the run nor the model's generation config sets one."""
EXTRA_OPTIONS = ("top_k", "chat_template", "stop", "continue_final_message", "add_generation_prompt", "logprobs", "top_logprobs")


class LocalModel:
    """A model that runs in this process. Subclasses set the formatter, the context length, the generation config and the queue."""

    kind = "local"

    def __init__(self, folder: str | Path, name: str | None, max_concurrency: int) -> None:
        self.name = name or Path(str(folder).rstrip("/")).name
        self.max_concurrency = max_concurrency
        self._folder = str(folder)
        self._formatter: ChatFormatter
        self._context_length = 0
        self._generation_config: Mapping[str, Any] = {}
        self._queue: BatchQueue

    @property
    def supports_native_tools(self) -> bool:
        """Whether the model's chat template supports tools."""
        return self._formatter.supports_tools()

    def metadata(self) -> dict[str, Any]:
        """The folder, the context length, and whether the model has a chat template."""
        return {"folder": self._folder, "context": self._context_length, "chat_template": self._formatter.has_chat_template}

    async def generate(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Completion:
        """The model's next turn."""
        if unknown := set(sampling.extra) - set(EXTRA_OPTIONS):
            raise ModelUnavailable(f"a local model has no option {min(unknown)!r}: the extra options are {', '.join(EXTRA_OPTIONS)}")
        stops, continues = sampling.extra.get("stop") or [], bool(sampling.extra.get("continue_final_message"))
        stop_strings = (stops,) if isinstance(stops, str) else tuple(stops)
        prompt = self._formatter.encode(messages, tools, sampling.extra.get("chat_template"), stop_strings, continues)
        available = self._context_length - len(prompt.tokens)
        if available < 1:
            return Completion({"role": "assistant", "content": ""}, len(prompt.tokens), 0, "context", requests=0)
        limit = sampling.max_tokens or self._generation_config.get("max_new_tokens") or DEFAULT_MAX_TOKENS
        wanted = bool(sampling.extra.get("logprobs"))
        request = GenerationRequest(prompt, self._decoding_params(sampling, seed), min(limit, available), wanted)
        generated = await self._queue.submit(request)
        turn = sum(message["role"] == "assistant" for message in messages)
        message, reasoning = self._formatter.decode(generated.tokens, prompt, bool(tools), turn)
        finish_reason = "tool_calls" if "tool_calls" in message else generated.finish_reason
        means = generated.means
        return Completion(
            message,
            len(prompt.tokens),
            len(generated.tokens),
            finish_reason,
            reasoning=reasoning,
            certainty=means.certainty if means else None,
            token_entropy=means.entropy if means else None,
        )

    async def close(self) -> None:
        """Stop the worker thread after its current batch."""
        self._queue.close()

    def _decoding_params(self, sampling: Sampling, seed: int) -> DecodingParams:
        defaults = self._generation_config if self._generation_config.get("do_sample") else {}
        temperature = sampling.temperature if sampling.temperature is not None else float(defaults.get("temperature") or bool(defaults))
        top_p = sampling.top_p if sampling.top_p is not None else float(defaults.get("top_p") or 1.0)
        top_k = int(sampling.extra.get("top_k") or defaults.get("top_k") or 0)
        return DecodingParams(temperature, top_p, top_k, seed % (1 << 63))


def context_length(config: Any) -> int:
    """The maximum number of tokens of a prompt and its completion together."""
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    return int(getattr(text, "max_position_embeddings", 0) or 0) or 1 << 20


def check_model_folder(folder: str | Path, packages: Sequence[str], install: str) -> None:
    """Raise RlgymError if a package is missing or the folder holds no model. A name such as org/model is looked up in the hub's cache."""
    if missing := [package for package in packages if find_spec(package) is None]:
        raise RlgymError(f"running a model here needs {' and '.join(missing)}: install it with `pip install {install}`")
    path = Path(folder)
    if not path.exists() and re.fullmatch(r"[\w-][\w.-]*/[\w.-]+", str(folder)):
        return
    problem = ""
    if not path.is_dir():
        problem = "there is no such folder"
    elif not (path / "config.json").is_file():
        problem = "it has no config.json"
    else:
        try:
            json.loads((path / "config.json").read_bytes())
        except ValueError:
            problem = "its config.json is not valid JSON"
    if problem:
        raise RlgymError(f"{str(folder)!r} is not a model folder: {problem}; give a folder in the Hugging Face format")
