"""The parts of the name of an environment, such as `chain_sum:pairwise:de`."""

from __future__ import annotations


def name_parts(name: str) -> tuple[str, str, str]:
    """The environment, the derived kind and the language; the last two are empty where the name has none."""
    base, kind, language = (*name.split(":"), "", "")[:3]
    return base, kind, language


def without_language(name: str) -> str:
    """The name without its language, as `NAME:pairwise` for `NAME:pairwise:de`. Judge tasks of all languages have the same instances."""
    base, kind, language = name_parts(name)
    return f"{base}:{kind}" if language else name
