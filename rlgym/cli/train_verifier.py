"""`rlgym train verifier`: a small verifier from labelled responses or pairs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlgym.cli.output import console, print_json
from rlgym.core.errors import RlgymError


def verifier_command(data: str | None, model: Path | None, out: Path, given: Mapping[str, Any], as_json: bool) -> None:
    """Train a verifier, and print its measures on held-out prompts. `given` are fields of VerifierOptions; None is the default."""
    if data is None or model is None:
        raise RlgymError("a verifier needs data and a model: rlgym train verifier DATA.jsonl --model FOLDER --out FOLDER")
    from rlgym.train.verifier import VerifierOptions, train_verifier

    options = VerifierOptions(**{name: value for name, value in given.items() if value is not None})
    metrics = train_verifier(Path(data), model, out, options)
    if as_json:
        print_json(metrics)
        return
    console.print(", ".join(f"{name} {value:.4g}" for name, value in metrics.items()), markup=False)
    console.print(f"{out} is a reward model: `rlgym audit --reward-model {out}` measures it", markup=False)
