"""How many tokens the prompts and the oracle's responses of a dataset have, by any tokenizer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rlgym.core.errors import RowError
from rlgym.core.packages import extra
from rlgym.core.paths import local_path
from rlgym.dataset.read import load
from rlgym.dataset.rows import Row

BATCH = 500


def token_counts(folder: str | Path, tokenizer: str | Path, *, split: str | None = None) -> dict[str, Any]:
    """Total, mean, median, 95th percentile and maximum of the tokens of prompts and of the oracle's turns: overall, by domain, by level.

    `tokenizer` is a folder with a tokenizer.json, as of any model on the Hugging Face Hub, or that file. Chat templates add a few tokens
    for each message, which are not counted.
    """
    with extra("tokens"):
        from tokenizers import Tokenizer

    file = local_path(tokenizer)
    file = file / "tokenizer.json" if file.is_dir() else file
    if not file.exists():
        raise RowError(f"there is no tokenizer at {str(file)!r}: give a folder with a tokenizer.json")
    read = Tokenizer.from_file(str(file))
    groups: dict[tuple[str, str], tuple[list[int], list[int]]] = {}
    rows = load(folder, split)
    while batch := list(islice(rows, BATCH)):
        prompts = [len(encoded.ids) for encoded in read.encode_batch([row["messages"][0]["content"] for row in batch])]
        oracles = [len(encoded.ids) for encoded in read.encode_batch([_oracle_text(row) for row in batch])]
        for row, prompt, oracle in zip(batch, prompts, oracles, strict=True):
            for key in (("all", "all"), ("by_domain", row["domain"]), ("by_level", f"{row['level']:g}")):
                counts = groups.setdefault(key, ([], []))
                counts[0].append(prompt)
                counts[1].append(oracle)
    report: dict[str, Any] = {"tokenizer": str(tokenizer), "by_domain": {}, "by_level": {}}
    for (part, name), (prompt_counts, oracle_counts) in sorted(groups.items()):
        facts = {"rows": len(prompt_counts), "prompt": _summary(prompt_counts), "oracle": _summary(oracle_counts)}
        report |= facts if part == "all" else {}
        if part != "all":
            report[part][name] = facts
    return report


def _oracle_text(row: Row) -> str:
    return "\n".join(_assistant(row))


def _assistant(row: Row) -> Iterator[str]:
    return (message["content"] for message in row["oracle_messages"] if message["role"] == "assistant")


def _summary(counts: list[int]) -> dict[str, float]:
    ordered = sorted(counts)
    median, p95 = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95))
    return {"total": sum(ordered), "mean": round(sum(ordered) / len(ordered), 1), "median": median, "p95": p95, "max": ordered[-1]}
