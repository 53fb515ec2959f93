"""Random models of the sizes that are measured, as Hugging Face folders."""

from __future__ import annotations

from pathlib import Path

from measure import Place

from rlgym.train.bench.setting import Setting, make_folder

LARGE = "0.5B"


def settings(place: Place) -> dict[str, Setting]:
    """The work of one step by size of the model."""
    given = {"device": place.device, "dtype": "bfloat16" if place.device == "cuda" else "float32"}
    if place.small:
        toy = {"groups": 2, "group": 4, "tokens": 6, "steps": 1, "unmeasured": 1, **given}
        return {"0.1M": Setting(layers=1, width=32, vocabulary=300, **toy), "0.3M": Setting(layers=2, width=64, vocabulary=300, **toy)}
    real = {"groups": 64, "group": 8, "tokens": 256, "passes": 16, "steps": 3, "unmeasured": 2, **given}
    return {
        "100M": Setting(layers=12, width=768, vocabulary=32_768, **real),
        LARGE: Setting(layers=24, width=1024, vocabulary=151_936, **real),
    }


def folder(place: Place, name: str, setting: Setting) -> Path:
    """The folder that holds `model`, made on first use."""
    made = Path(place.folder) / name
    if not (made / "model" / "config.json").is_file():
        make_folder(setting, made)
    return made
