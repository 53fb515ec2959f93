"""Built-in models to test an evaluation without a language model: `oracle` is always right, `mistake` is always wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from rlgym import RlgymError
from rlgym.dataset import Session, wrong_response
from rlgym.dataset.session import first_message, message_text
from rlgym.evaluate.models.base import Completion, Message, RequestFailed, Sampling

BUILTIN_MODELS = ("oracle", "mistake")


class BuiltinModel:
    """Answers the tasks in `rows`, which it recognises by their first message. It counts words as tokens."""

    max_concurrency = 4

    def __init__(self, kind: Literal["oracle", "mistake"], rows: Iterable[Mapping[str, Any]]) -> None:
        self.kind, self.name = kind, kind
        self._rows: dict[str, Mapping[str, Any]] = {}
        for row in rows:
            session = Session(row)
            self._rows |= {first_message(row, session, native_tools): row for native_tools in (False, True)}

    def metadata(self) -> dict[str, Any]:
        """No further facts."""
        return {}

    async def generate(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Completion:
        """The right answer, or a declared mistake."""
        first = next(message["content"] for message in messages if message["role"] == "user")
        earlier = [message for message in messages if message["role"] == "assistant"]
        row = self._rows.get(first)
        if row is None:
            raise RequestFailed(f"the built-in model {self.name!r} does not know this task")
        text = await asyncio.to_thread(_oracle if self.kind == "oracle" else _mistake, row, earlier)
        prompt_words = sum(len(str(message["content"]).split()) for message in messages)
        return Completion({"role": "assistant", "content": text}, prompt_words, len(text.split()), requests=0)

    async def close(self) -> None:
        """Holds no resources."""


def _oracle(row: Mapping[str, Any], earlier: Sequence[Message]) -> str:
    session = Session(row)
    for message in earlier:
        session.step(message_text(message))
    return session.oracle()


def _mistake(row: Mapping[str, Any], earlier: Sequence[Message]) -> str:
    try:
        wrong = wrong_response(dict(row))
    except RlgymError:  # the task declares no mistake
        return "I do not know."
    turns = [wrong] if isinstance(wrong, str) else wrong
    return turns[min(len(earlier), len(turns) - 1)]
