"""Is it right? Before anything is timed: what the engine says against the trainer's forward pass, and kernels against plain code."""

from __future__ import annotations

import torch
from measure import Place, Row
from models import folder, settings

from rlgym.train.model.decoder import Decoder
from rlgym.train.model.pretrained import load_model
from rlgym.train.rollout.engines.base import SamplingParams
from rlgym.train.rollout.engines.native import NativeEngine


class Wrong(AssertionError):
    """A check has failed."""


def checks(place: Place) -> list[Row]:
    """Raises Wrong with what is off and by how much."""
    rows = [engine_row(place), sharing_row(place)]
    return rows + ([attention_row(), draw_row()] if place.device == "cuda" else [])


def within(what: str, off: float, allowed: float) -> Row:
    """A row for a difference; Wrong where it is too large."""
    if not off <= allowed:
        raise Wrong(f"{what}: off by {off:.3g}, at most {allowed:.3g} is right")
    return Row("checks", what, off, "off", f"at most {allowed:g}")


def _model(place: Place) -> Decoder:
    name, setting = next(iter(settings(place).items()))
    return load_model(folder(place, name, setting) / "model").to(place.device)


def engine_row(place: Place) -> Row:
    """Log-probabilities of sampled tokens, by the engine and by the trainer. Prompts come twice, and rows end at different times."""
    from rlgym.train.model.logprobs import score_pack
    from rlgym.train.model.packing import pack

    model = _model(place)
    engine = NativeEngine(model.to_dtype_copy(place.dtype), max_num_seqs=12, max_seq_len=128)
    prompts = {key: [7 + key // 2 % 5, *range(20, 24 + key // 2), 4] for key in range(40)}
    for key, prompt in prompts.items():
        engine.submit(key, prompt, SamplingParams(5 + key, temperature=0.8, seed=key))
    off = []
    while engine.pending:
        for key, completion in engine.step():
            packed = pack([[*prompts[key], *completion.tokens]], place.device)
            with torch.no_grad(), torch.autocast(place.device, place.dtype, enabled=place.dtype != torch.float32):
                expected = score_pack(model, packed, temperature=0.8)[0][len(prompts[key]) :].cpu()
            if len(completion.tokens) != 5 + key:
                raise Wrong(f"request {key} has {len(completion.tokens)} tokens instead of {5 + key}")
            off.append((torch.tensor(completion.logprobs) - expected).abs())
    engine.close()
    return within("engine's log-probabilities, mean", float(torch.cat(off).mean()), 2e-2 if place.device == "cuda" else 1e-4)


def sharing_row(place: Place) -> Row:
    """The gradient of rollouts that share prompts, against that of the same rollouts one at a time."""
    from rlgym.train.model.logprobs import score_pack
    from rlgym.train.model.packing import pack
    from rlgym.train.model.prefix_sharing import group_by_prompt, pack_prefix_groups

    model = _model(place)
    sequences = [[5, 6, 7, 8 + group, 9, *range(30 + n, 40 + 3 * n)] for group in range(2) for n in range(4)]
    opening = [5] * len(sequences)
    rows = []
    for packs in (
        [pack([sequence], place.device) for sequence in sequences],
        [pack_prefix_groups(sequences, opening, members, place.device) for members in group_by_prompt(sequences, opening, 10_000)],
    ):
        model.zero_grad()
        for packed in packs:
            with torch.autocast(place.device, place.dtype, enabled=place.dtype != torch.float32):
                score_pack(model, packed, packed.positions_T >= 5)[0].sum().backward()
        rows.append(torch.cat([weight.grad.flatten() for weight in model.parameters()]))
    off = float((rows[0] - rows[1]).norm() / rows[0].norm())
    return within("gradient with shared prompts, relative", off, 5e-2 if place.device == "cuda" else 1e-4)


def attention_row() -> Row:
    """The kernel of decoding against plain attention in float32, at widths and numbers of heads of real models."""
    from rlgym.train.rollout.engines.decoding import CpuAttention
    from rlgym.train.rollout.engines.kernels import GpuAttention

    worst = 0.0
    for heads, key_heads, width in ((16, 8, 64), (32, 8, 128), (14, 2, 64), (12, 12, 96)):
        rows, context = 6, 300
        torch.manual_seed(0)
        lengths = torch.tensor([0, 1, 63, 64, 200, 299])
        cache = torch.randn(1, 2, rows, key_heads, context, width).bfloat16()
        queries = torch.randn(rows, heads, width).bfloat16()
        keys, values = (torch.randn(rows, key_heads, width).bfloat16() for _ in range(2))
        expected = CpuAttention(cache.float(), lengths, context)(0, queries.float(), keys.float(), values.float())
        alive = torch.ones(rows, dtype=torch.bool, device="cuda")
        output = GpuAttention(cache.cuda(), lengths.cuda(), alive)(0, queries.cuda(), keys.cuda(), values.cuda())
        worst = max(worst, float((output.float().cpu() - expected).abs().max()))
    return within("attention kernel, most", worst, 3e-2)


def draw_row() -> Row:
    """The kernels that draw tokens against plain code: the share of draws that differ, which rounding alone makes."""
    from rlgym.train.rollout.engines.decoding import sample_tokens
    from rlgym.train.rollout.engines.kernels import sample_tokens as sample_tokens_on_gpu

    torch.manual_seed(0)
    rows, vocabulary = 512, 151_936
    logits = 3 * torch.randn(rows, vocabulary, device="cuda")
    where, temperature = torch.rand(rows, device="cuda") * 0.999, torch.linspace(0.5, 1.5, rows, device="cuda")
    greedy = torch.arange(rows, device="cuda") % 5 == 4
    (expected, _), (tokens, logprob) = (
        sample_tokens(logits, where, temperature, greedy),
        sample_tokens_on_gpu(logits, where, temperature, greedy),
    )
    exact = torch.log_softmax(logits / temperature[:, None], 1).gather(1, tokens[:, None]).squeeze(1)
    within("drawn log-probabilities, most", float((logprob - exact).abs().max()), 1e-3)
    return within("draws that differ from plain code, share", float((expected != tokens).float().mean()), 0.05)
