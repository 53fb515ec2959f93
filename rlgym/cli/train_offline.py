"""`rlgym train heads`, `mix-heads`, `value` and `rank`: models that learn from files of pairs or verdicts, and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlgym.cli.output import console, print_json
from rlgym.core.errors import RlgymError


def offline_command(
    target: str, data: str | None, model: Path | None, out: Path, given: Mapping[str, Any], weights: Sequence[str], as_json: bool
) -> None:
    """Run one of the four, and print its measures. `given` are options of the training; None is the default."""
    chosen = {name: value for name, value in given.items() if value is not None}
    if target == "mix-heads":
        if data is None:
            raise RlgymError("mix-heads needs a folder of heads: rlgym train mix-heads FOLDER --weight PART=0.5 --out FOLDER")
        from rlgym.train.heads import mix_heads

        metrics = mix_heads(Path(data), _weights(weights), out)
        done = f"{out} is a model folder with this mixture of heads"
    elif data is None or model is None:
        raise RlgymError(
            f"{target} needs data and a model: rlgym train {target} DATA.jsonl --model FOLDER --out {'FILE' if target == 'rank' else 'FOLDER'}"
        )
    elif target == "heads":
        from rlgym.train.heads import HeadsOptions, train_heads

        metrics = train_heads(Path(data), model, out, HeadsOptions(**chosen))
        done = f"{out} has a head for each objective: `rlgym train mix-heads {out} --weight PART=1` writes a model of one mixture"
    elif target == "value":
        from rlgym.train.q_model import QOptions, train_q_model

        metrics = train_q_model(Path(data), model, out, QOptions(**chosen))
        done = f"{out} is a model folder with its values: `rlgym train rank DATA.jsonl --model {out}` ranks responses by them"
    else:
        from rlgym.train.q_model import rank

        metrics = rank(Path(data), model, out)
        done = f"{out} has the responses with their scores"
    if as_json:
        print_json(metrics)
        return
    console.print(", ".join(f"{name} {value:.4g}" for name, value in metrics.items()), markup=False)
    console.print(done, markup=False)


def _weights(texts: Sequence[str]) -> dict[str, float]:
    """PART=WEIGHT, each part once."""
    out: dict[str, float] = {}
    for text in texts:
        part, sign, weight = text.rpartition("=")
        try:
            out[part] = float(weight)
        except ValueError:
            sign = ""
        if not sign or not part:
            raise RlgymError(f"--weight needs PART=WEIGHT, got {text!r}")
    if not out:
        raise RlgymError("mix-heads needs the weight of at least one part: --weight PART=1")
    return out
