"""One step of decoding for many requests at once: what lies on the device, and nothing of who asked for it.

Every request sits in a row. A step feeds each row's last token through the network, writes its keys and values into the
cache, and draws the next token. The rows at work are the first ones, so that no step gathers anything.

Axes: R rows, B the first rows, which a step works on, P positions, L layers, K heads of keys, G heads of queries per head
of keys, D width of a head, V vocabulary, S stop tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor
from torch.nn import functional as F

from rlgym.train.decoder import Decoder, Shape

MOST_STOPS = 8
LARGEST_DRAW = 1 - 2.0**-20
"""Draws stay this far below 1, so that rounding never leads past the last token."""


@dataclass(frozen=True)
class Rows:
    """The state of every row, and what has been drawn in it.

    token_R        the last token, not yet fed to the network
    length_R       tokens whose keys and values are in the cache
    made_R         tokens drawn so far, of at most limit_R
    alive_R        False once a row has ended, or is empty
    temperature_R  1 where the most likely token is taken (greedy_R)
    draws_RP       the numbers in [0, 1) that decide each token, so that a row depends on no other
    """

    token_R: Tensor
    length_R: Tensor
    made_R: Tensor
    limit_R: Tensor
    alive_R: Tensor
    greedy_R: Tensor
    temperature_R: Tensor
    top_p_R: Tensor
    top_k_R: Tensor
    stops_RS: Tensor
    draws_RP: Tensor
    drawn_RP: Tensor
    logprob_RP: Tensor

    @staticmethod
    def empty(rows: int, context: int, device: torch.device) -> Rows:
        """Rows with nothing in them."""
        whole = {"dtype": torch.int64, "device": device}
        return Rows(
            token_R=torch.zeros(rows, **whole),
            length_R=torch.zeros(rows, **whole),
            made_R=torch.zeros(rows, **whole),
            limit_R=torch.zeros(rows, **whole),
            alive_R=torch.zeros(rows, dtype=torch.bool, device=device),
            greedy_R=torch.zeros(rows, dtype=torch.bool, device=device),
            temperature_R=torch.ones(rows, device=device),
            top_p_R=torch.ones(rows, device=device),
            top_k_R=torch.zeros(rows, **whole),
            stops_RS=torch.full((rows, MOST_STOPS), -1, **whole),
            # One place more than a row can fill: an ended row writes there until it is taken away.
            draws_RP=torch.zeros(rows, context + 1, device=device),
            drawn_RP=torch.zeros(rows, context + 1, **whole),
            logprob_RP=torch.zeros(rows, context + 1, device=device),
        )

    def move(self, sources: Tensor, targets: Tensor) -> None:
        """Copy rows elsewhere; the two may overlap."""
        for field in fields(self):
            state = getattr(self, field.name)
            state[targets] = state[sources]


def empty_cache(shape: Shape, rows: int, context: int, device: torch.device, dtype: torch.dtype) -> Tensor:
    """Room for keys [:, 0] and values [:, 1] of every row: [L, 2, R, K, P, D]."""
    return torch.zeros(shape.layers, 2, rows, shape.key_heads, context, shape.head_width, device=device, dtype=dtype)


def decode(model: Decoder, cache: Tensor, rows: Rows, working: int, longest: int, filtered: bool) -> None:
    """Draw one token in each of the first `working` rows.

    longest   no row holds more tokens than this, the one fed now among them
    filtered  whether any row asks for top_p or top_k
    """
    positions_B = rows.length_R[:working]
    attend = _gpu_attention(cache, rows, working) if cache.is_cuda else CpuAttention(cache, positions_B, longest)
    hidden_BE = model(rows.token_R[:working], positions_B, attend)
    logits_BV = model.logits(hidden_BE)
    if cache.is_cuda and not filtered:
        from rlgym.train.rollout.kernels import draw

        chosen_B, logprob_B = draw(logits_BV, *_wishes(rows, working))
    else:
        chosen_B, logprob_B = draw_plainly(logits_BV, *_wishes(rows, working), *_filters(rows, working, filtered))
    _record(rows, working, chosen_B, logprob_B)


def _wishes(rows: Rows, working: int) -> tuple[Tensor, Tensor, Tensor]:
    draw_B = rows.draws_RP[:working].gather(1, rows.made_R[:working, None]).squeeze(1)
    return draw_B, rows.temperature_R[:working], rows.greedy_R[:working]


def _filters(rows: Rows, working: int, filtered: bool) -> tuple[Tensor | None, Tensor | None]:
    return (rows.top_p_R[:working], rows.top_k_R[:working]) if filtered else (None, None)


def draw_plainly(
    logits_BV: Tensor,
    draw_B: Tensor,
    temperature_B: Tensor,
    greedy_B: Tensor,
    top_p_B: Tensor | None = None,
    top_k_B: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The token in whose share of the probability each draw falls, and its log-probability before top_p and top_k."""
    log_BV = torch.log_softmax(logits_BV / temperature_B[:, None], 1)
    share_BV = log_BV.exp()
    if top_p_B is not None and top_k_B is not None:
        share_BV = share_BV * likely(share_BV, top_p_B, top_k_B)
    reached_BV = share_BV.cumsum(1)
    drawn_B = (reached_BV <= draw_B[:, None] * reached_BV[:, -1:]).sum(1)
    chosen_B = torch.where(greedy_B, logits_BV.argmax(1), drawn_B)
    return chosen_B, log_BV.gather(1, chosen_B[:, None]).squeeze(1)


def likely(share_BV: Tensor, top_p_B: Tensor, top_k_B: Tensor) -> Tensor:
    """Which tokens stay: the fewest likely ones that reach top_p together, and of those the top_k (0: all)."""
    sorted_BV, order_BV = torch.sort(share_BV, dim=1, descending=True, stable=True)
    before_BV = sorted_BV.cumsum(1) - sorted_BV
    rank_V = torch.arange(share_BV.shape[1], device=share_BV.device)
    stays_BV = (before_BV < top_p_B[:, None]) & ((rank_V < top_k_B[:, None]) | (top_k_B[:, None] == 0))
    return torch.zeros_like(stays_BV).scatter(1, order_BV, stays_BV)


def _record(rows: Rows, working: int, chosen_B: Tensor, logprob_B: Tensor) -> None:
    """Write down what was drawn; ended rows stay as they are."""
    made_B, alive_B = rows.made_R[:working], rows.alive_R[:working]
    rows.drawn_RP[:working].scatter_(1, made_B[:, None], chosen_B[:, None])
    rows.logprob_RP[:working].scatter_(1, made_B[:, None], logprob_B[:, None])
    rows.token_R[:working] = torch.where(alive_B, chosen_B, rows.token_R[:working])
    rows.length_R[:working] += alive_B
    made_B += alive_B
    ends_B = (rows.stops_RS[:working] == chosen_B[:, None]).any(1) | (made_B >= rows.limit_R[:working])
    alive_B &= ~ends_B


class CpuAttention:
    """Writes into the cache and attends to it; a row's first heads and positions lie together, so nothing is copied."""

    def __init__(self, cache: Tensor, positions_B: Tensor, longest: int) -> None:
        self.cache = cache
        self.positions_B = positions_B
        self.rows_B = torch.arange(len(positions_B))
        self.longest = longest
        unseen_BP = torch.arange(longest) > positions_B[:, None]
        self.mask = torch.zeros(unseen_BP.shape, dtype=cache.dtype).masked_fill_(unseen_BP, -torch.inf)

    def __call__(self, layer: int, queries_BHD: Tensor, keys_BKD: Tensor, values_BKD: Tensor) -> Tensor:
        keys_RKPD, values_RKPD = self.cache[layer]
        keys_RKPD[self.rows_B, :, self.positions_B] = keys_BKD
        values_RKPD[self.rows_B, :, self.positions_B] = values_BKD
        rows, heads, width = keys_BKD.shape
        keys_XPD = keys_RKPD[:rows, :, : self.longest].flatten(0, 1)
        values_XPD = values_RKPD[:rows, :, : self.longest].flatten(0, 1)
        queries_XGD = queries_BHD.reshape(rows * heads, -1, width) * width**-0.5
        scores_BKGP = torch.bmm(queries_XGD, keys_XPD.transpose(1, 2)).view(rows, heads, -1, self.longest)
        shares_XGP = F.softmax(scores_BKGP + self.mask[:, None, None], dim=-1).flatten(0, 1)
        return torch.bmm(shares_XGP, values_XPD).view(rows, -1, width)


def _gpu_attention(cache: Tensor, rows: Rows, working: int):  # type: ignore[no-untyped-def]  # kernels.py needs triton
    from rlgym.train.rollout.kernels import GpuAttention

    return GpuAttention(cache, rows.length_R[:working], rows.alive_R[:working])
