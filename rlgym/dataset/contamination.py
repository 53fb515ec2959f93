"""Which rows of a dataset a benchmark, a suite or another file of prompts has too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rlgym.core.errors import RowError
from rlgym.core.paths import local_path
from rlgym.dataset.read import load
from rlgym.dataset.rows import masked
from rlgym.dataset.score import read_responses

NGRAM = 13
"""Words in a row that two texts must share; the length that reports on language models commonly use."""
SHARE = 0.8
"""The share of a prompt's n-grams that must occur in the references for it to count as overlapping."""
COLUMNS = ("prompt", "question", "problem", "instruction", "input", "text", "messages")
_WORD = re.compile(r"\w+")


@dataclass
class Contamination:
    """Rows of a dataset that the references have too.

    exact    equal but for case and white space
    masked   equal once numbers and capitalised words are masked, too; such rows have the same template
    overlap  most of the prompt's runs of 13 words occur in the references
    """

    rows: int = 0
    references: int = 0
    exact: int = 0
    masked: int = 0
    overlap: int = 0
    by_env: dict[str, int] = field(default_factory=dict)
    exact_ids: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The counts as JSON-able data."""
        return asdict(self)


def contamination(folder: str | Path, references: Iterable[str], *, split: str | None = None) -> Contamination:
    """Compare the prompts of a dataset with reference prompts. `by_env` counts the rows that are in the references exactly."""
    exact, masks, ngrams, result = set[str](), set[str](), set[int](), Contamination()
    for text in references:
        result.references += 1
        exact.add(_normalize(text))
        masks.add(masked(text))
        ngrams |= _ngrams(text)
    if not result.references:
        raise RowError("there is no reference prompt to compare with")
    for row in load(folder, split):
        # References may hold the problem alone, or with the line that asks for the answer.
        texts = [row["prompt"], row["messages"][0]["content"]]
        result.rows += 1
        result.masked += any(masked(text) in masks for text in texts)
        own = _ngrams(row["prompt"])
        result.overlap += len(own) > 0 and len(own & ngrams) >= SHARE * len(own)
        if any(_normalize(text) in exact for text in texts):
            result.exact += 1
            result.by_env[row["env"]] = result.by_env.get(row["env"], 0) + 1
            result.exact_ids.append(row["id"])
    return result


def read_prompts(file: str | Path) -> Iterator[str]:
    """The prompts of a file: JSONL or Parquet with a column such as prompt, question, problem or messages, or text, a prompt a line."""
    path = local_path(file)
    if path.suffix in (".txt", ".md"):
        try:
            yield from (line for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
        except OSError as error:
            raise RowError(f"{str(path)!r} cannot be read: {error.strerror}") from None
        return
    for number, line in enumerate(read_responses(path), 1):
        column = next((name for name in COLUMNS if line.get(name)), None)
        if column is None:
            raise RowError(f"line {number} of {str(path)!r} has none of the columns {', '.join(COLUMNS)}; it has {', '.join(line)}")
        yield prompt_text(line[column])


def prompt_text(value: Any) -> str:
    """A prompt, which may be chat messages: then what the user says."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(message, dict) for message in value):
        return "\n".join(str(message.get("content") or "") for message in value if message.get("role") == "user")
    return json.dumps(value, ensure_ascii=False)


def _normalize(text: str) -> str:
    return " ".join(text.lower().split())


def _ngrams(text: str) -> set[int]:
    words = _WORD.findall(text.lower())
    return {hash(tuple(words[i : i + NGRAM])) for i in range(len(words) - NGRAM + 1)}
