"""Part 2: tokens a second of training, and the share of the rate at which the device multiplies large matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from measure import Place, Row, fresh, matmul_rate, seconds
from models import LARGE, folder, settings

from rlgym.train.data.collate import collate
from rlgym.train.model.pretrained import load_model
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.policy import PolicyForward


@dataclass(frozen=True)
class Way:
    """How the network is run: compiled between the attentions or not, with weights in float32 under autocast or in 16 bits."""

    name: str
    fused: bool
    halved: bool
    pack: int


def training(place: Place) -> list[Row]:
    """Forward, backward and optimizer, in packs of about 4k and 16k tokens. Every way results alone: one that fails costs no other."""
    ceiling = matmul_rate(place)
    out = [Row("training", "matmul of large squares", ceiling / 1e12, "TFLOP/s")]
    small, large = place.size((64, 128), (4096, 16_384))
    ways = [Way("autocast", False, False, small), Way("autocast", False, False, large)]
    if place.device == "cuda":
        ways += [Way("autocast, fused", True, False, large), Way("16 bits", False, True, large), Way("16 bits, fused", True, True, large)]
    for name, setting in settings(place).items():
        for variant in ways:
            fresh(place)
            what = f"{name}, {variant.name}, packs of {variant.pack:,}"
            try:
                rate, flops = one_way(place, folder(place, name, setting), variant)
            except Exception as error:  # a way that fails leaves the others to be measured
                out.append(Row("training", what, None, f"failed: {type(error).__name__}: {str(error)[:200]}"))
                continue
            goal = "best >= 45 %" if name == LARGE else ""
            out.append(Row("training", what, rate, "tokens/s", f"{flops / 1e12:,.2f} TFLOP/s", flops / ceiling, goal))
    return out


def one_way(place: Place, made: Any, variant: Way) -> tuple[float, float]:
    """Tokens a second, and floating-point operations a second."""
    model = load_model(made / "model").to(place.device)
    if variant.halved:
        angles = model.cosine_PD, model.sine_PD
        model = model.to(torch.bfloat16)
        model.cosine_PD, model.sine_PD = angles
    if variant.fused:
        model.compile_blocks()
    scorer = PolicyForward(model, variant.pack, dtype=torch.float32 if variant.halved else place.dtype)
    length, packs = place.size(32, 1024), place.size(1, 8)
    batch = collate(_episodes(packs * variant.pack // length, length, model.shape.vocab_size), place.device)
    grad_logprob_T = torch.where(batch.loss_mask_T, 1e-6, 0.0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, fused=place.device == "cuda")

    def update() -> None:
        scorer.backward(batch, grad_logprob_T, None)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    seconds_per_update = seconds(place.device, update, times=place.size(1, 3), before=place.size(1, 2))
    lengths = [length] * (packs * variant.pack // length)
    return sum(lengths) / seconds_per_update, model.shape.training_flops(lengths) / seconds_per_update


def _episodes(count: int, length: int, vocabulary: int) -> list[Any]:
    """Rollouts without prompts in common, so that every token goes through the network; all but the first count."""
    from rlgym.train.rollout.episodes import Episode

    random = torch.Generator().manual_seed(0)
    token_rows = torch.randint(vocabulary, (count, length), generator=random).tolist()
    mask = [False] + [True] * (length - 1)
    return [
        Episode(n, n, TaskSpec("chain_sum", 0.0, 1, "train"), [n % vocabulary, *row[1:]], list(mask), [0.0] * length, None)
        for n, row in enumerate(token_rows)
    ]
