"""Log-probabilities of given tokens, by a forward pass of a model, and requests from stored prefixes.

Axes: T tokens of a pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from rlgym.train.model.logprobs import score_pack
from rlgym.train.model.packing import micro_batches, pack
from rlgym.train.rollout.engines.base import Completion, Continuation, Engine, SamplingParams
from rlgym.train.rollout.engines.failures import engine_failures

if TYPE_CHECKING:
    from rlgym.train.model.backend import PolicyModel

SCORE_TOKENS = 16_384
"""Approximate number of tokens per forward pass."""


def sample_prefixes(engine: Engine, prefixes: Sequence[Sequence[int]], samplings: Sequence[SamplingParams]) -> list[Completion]:
    """Continue stored token prefixes, each with its own parameters; the completions in their order.

    Raises RuntimeError while the engine has other requests.
    """
    if engine.pending:
        raise RuntimeError("requests are in progress: step until none is pending, then sample from prefixes")
    completions: dict[int, Completion] = {}
    with engine_failures(engine, "while it continued prefixes"):
        for key, (prefix, sampling) in enumerate(zip(prefixes, samplings, strict=True)):
            engine.submit(key, prefix, sampling)
        while len(completions) < len(prefixes):
            completions.update(engine.step())
    return [completions[key] for key in range(len(prefixes))]


@torch.no_grad()
def score_continuations(
    model: PolicyModel, continuations: Sequence[Continuation], temperature: float, max_seq_len: int
) -> list[tuple[float, ...]]:
    """What `Engine.score` returns, by forward passes of this model."""
    check_continuations(continuations, max_seq_len, model.shape.vocab_size)
    sequences = [(*continuation.prefix, *continuation.tokens) for continuation in continuations]
    scores: list[tuple[float, ...]] = [()] * len(sequences)
    scored = [place for place, continuation in enumerate(continuations) if continuation.tokens]
    longest = max((len(sequences[place]) for place in scored), default=0)
    for batch in micro_batches([len(sequences[place]) for place in scored], max(SCORE_TOKENS, longest)):
        places = [scored[index] for index in batch]
        packed = pack([sequences[place] for place in places], model.device)
        own = [[False] * len(continuations[place].prefix) + [True] * len(continuations[place].tokens) for place in places]
        score_mask_T = torch.tensor([flag for flags in own for flag in flags], device=model.device)
        logprob_T = score_pack(model, packed, score_mask_T, temperature)[0]
        for place, logprobs in zip(places, logprob_T[score_mask_T].split([sum(flags) for flags in own])):
            scores[place] = tuple(logprobs.tolist())
    return scores


def check_continuations(continuations: Sequence[Continuation], max_seq_len: int, vocabulary: int | None = None) -> None:
    """Raise ValueError for an empty prefix, a sequence without room for another token, and tokens outside the vocabulary."""
    for continuation in continuations:
        tokens = (*continuation.prefix, *continuation.tokens)
        if not continuation.prefix:
            raise ValueError("the prefix of a continuation is empty: an engine needs at least one token before those that it scores")
        if len(tokens) >= max_seq_len:
            raise ValueError(f"a prefix and its continuation have {len(tokens)} tokens, and the engine scores at most {max_seq_len - 1}")
        if min(tokens) < 0 or (vocabulary is not None and max(tokens) >= vocabulary):
            raise ValueError(f"a continuation has tokens outside the vocabulary of {vocabulary}: {min(tokens)} to {max(tokens)}")
