"""Random models of the sizes that are measured, as Hugging Face folders."""

from __future__ import annotations

from pathlib import Path

from measure import Place

from rlgym.train.bench.workload import Workload, make_folder

LARGE = "0.5B"


def settings(place: Place) -> dict[str, Workload]:
    """The work of one step by size of the model."""
    given = {"device": place.device, "dtype": "bfloat16" if place.device == "cuda" else "float32"}
    if place.small:
        toy = {"groups_per_step": 2, "group_size": 4, "response_tokens": 6, "steps": 1, "warmup_steps": 1, **given}
        return {
            "0.1M": Workload(num_layers=1, hidden_size=32, vocab_size=300, **toy),
            "0.3M": Workload(num_layers=2, hidden_size=64, vocab_size=300, **toy),
        }
    real = {"groups_per_step": 64, "group_size": 8, "response_tokens": 256, "micro_batches": 16, "steps": 3, "warmup_steps": 2, **given}
    return {
        "100M": Workload(num_layers=12, hidden_size=768, vocab_size=32_768, **real),
        LARGE: Workload(num_layers=24, hidden_size=1024, vocab_size=151_936, **real),
    }


def folder(place: Place, name: str, setting: Workload) -> Path:
    """The folder that holds `model`, made on first use."""
    path = Path(place.folder) / name
    if not (path / "model" / "config.json").is_file():
        make_folder(setting, path)
    return path
