"""Prompts that a dataset is compared with: of files and of suites."""

from __future__ import annotations

from collections.abc import Iterator


def reference_prompts(source: str) -> Iterator[str]:
    """The prompts of a file, or of a suite."""
    from rlgym.core.paths import local_path
    from rlgym.dataset.contamination import read_prompts
    from rlgym.evaluate import suites

    if local_path(source).exists():
        yield from read_prompts(source)
        return
    for row in suites.load(source).rows:
        yield row["prompt"]
