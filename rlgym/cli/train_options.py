"""Which options belong to which target of `rlgym train`; the others are refused by name."""

from __future__ import annotations

from collections.abc import Iterable

from rlgym.core.errors import RlgymError

QUICKSTART, INIT, STUDY, RECIPE, VERIFIER, CONFIG = "quickstart", "init", "study", "recipe", "verifier", "CONFIG.yaml"
HEADS, MIX_HEADS, VALUE, RANK = "heads", "mix-heads", "value", "rank"
APPLY = {
    QUICKSTART: ("--out", "--seed", "--minutes", "--control", "--json"),
    INIT: ("--out", "--model", "--preset", "--env"),
    STUDY: ("a second argument", "--out", "--env", "--seeds", "--steps", "--toy", "--json"),
    RECIPE: ("a second argument", "a third argument", "--out", "--seed", "--model", "--teacher", "--toy", "--until", "--json"),
    VERIFIER: (
        "a second argument", "--out", "--seed", "--model", "--steps", "--lr", "--batch-size", "--tie-weight", "--max-tokens", "--json",
    ),
    HEADS: ("a second argument", "--out", "--seed", "--model", "--steps", "--lr", "--batch-size", "--max-tokens", "--beta", "--json"),
    MIX_HEADS: ("a second argument", "--out", "--weight", "--json"),
    VALUE: ("a second argument", "--out", "--seed", "--model", "--steps", "--lr", "--batch-size", "--max-tokens", "--value-steps", "--json"),
    RANK: ("a second argument", "--out", "--model", "--json"),
    CONFIG: ("--out", "--seed", "--control", "--check", "--json"),
}  # fmt: skip
"""The options of each target; a configuration file is `CONFIG.yaml`."""
OFFLINE = (HEADS, MIX_HEADS, VALUE, RANK)
"""The targets that learn from files, or use what did."""


def refuse_foreign(target: str, given: Iterable[str]) -> None:
    """Raise RlgymError for an option that was given and that the target would ignore."""
    known = target if target in APPLY else CONFIG
    for option in given:
        if option not in APPLY[known]:
            others = [f"`rlgym train {name}`" for name, options in APPLY.items() if option in options]
            instead = ": set it in the configuration file" if known == CONFIG else ""
            raise RlgymError(f"{option} does not apply to `rlgym train {target}`, but to {' and '.join(others)}{instead}")
