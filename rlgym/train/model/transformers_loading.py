"""Loading models of transformers, without dropout and without progress bars."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import nn

from rlgym.train.model.pretrained import ModelError, read_config

DROPOUTS = ("dropout", "pdrop", "jitter")
"""Parts of the names of configuration fields that make a forward pass random."""
SAMPLING_FLAGS = ("temperature", "top_p", "top_k", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff")
"""Fields of a generation configuration that have an effect with `do_sample` only."""


def load_network(folder: Path) -> Any:
    """The network in a folder, in float32 on the CPU. Raises ModelError if transformers cannot load it."""
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM

    if read_config(folder).get("quantization_config"):
        raise ModelError(f"{folder} has quantised weights, which cannot be trained: use the folder of the unquantised model")
    try:
        with quiet_transformers():
            network = AutoModelForCausalLM.from_pretrained(str(folder), dtype=torch.float32, local_files_only=True)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"transformers cannot load the model in {str(folder)!r}: {str(error).splitlines()[0]:.300}") from error
    _drop_ignored_flags(getattr(network, "generation_config", None))
    return network


def _drop_ignored_flags(generation: Any) -> None:
    """Remove flags of sampling from a configuration of greedy generation, which ignores them: with them transformers 4 refuses to save it."""
    if generation is not None and not generation.do_sample:
        for name in SAMPLING_FLAGS:
            setattr(generation, name, None)


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Without the progress bars of transformers, which would break the display of a run."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def switch_off_dropout(network: Any) -> list[tuple[Any, str, float]]:
    """Set every probability of dropout to 0; the configuration fields with their values, to be written when the model is saved."""
    changed = []
    configs = {id(config): config for module in network.modules() if (config := getattr(module, "config", None)) is not None}
    for config in configs.values():
        for name, value in vars(config).items():
            if isinstance(value, float) and value > 0 and any(part in name for part in DROPOUTS):
                changed.append((config, name, value))
    for config, name, _ in changed:
        setattr(config, name, 0.0)
    for module in network.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        for name, value in vars(module).items():
            if isinstance(value, float) and any(part in name for part in DROPOUTS):
                setattr(module, name, 0.0)
    return changed
