"""The device state of the native engine: cache, decoding state and CUDA graphs.

Axes: L layers, R rows, P positions, T tokens of a pack, N requests of a pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rlgym.train.model.attention import PackedAttention
from rlgym.train.model.decoder import Decoder
from rlgym.train.rollout.engines.base import SamplingParams
from rlgym.train.rollout.engines.decoding import MAX_STOP_TOKENS, MAX_UNIFORM, DecodingState, decode, empty_cache

STEPS_PER_SYNC = 16
"""Decoding steps between checks for ended rows: on a GPU a check waits for the device."""
PREFILL_TOKENS = 16_384
"""Approximate number of tokens per prefill pack."""


@dataclass(frozen=True)
class Prefill:
    """A prompt to prefill in a row, whose first `num_cached` tokens the row already contains."""

    row: int
    num_cached: int
    prompt: tuple[int, ...]


@dataclass(frozen=True)
class StartedRow:
    """A row whose prompt is in the cache except for the last token."""

    row: int
    prompt: tuple[int, ...]
    sampling: SamplingParams


@dataclass(frozen=True)
class FinishedRow:
    """The tokens sampled in a row, and their log-probabilities."""

    row: int
    tokens: list[int]
    logprobs: list[float]


class DeviceCache:
    """The engine's memory on the device, freed while it sleeps."""

    def __init__(self, model: Decoder, rows: int, max_seq_len: int) -> None:
        self.model = model
        self.max_seq_len = max_seq_len
        _check_cache_size(model, rows, max_seq_len)
        self.cache = empty_cache(model.shape, rows, max_seq_len, model.device, model.dtype)
        self.rows = DecodingState.empty(rows, max_seq_len, model.device)
        self.graphs: dict[tuple[int, bool], torch.cuda.CUDAGraph] = {}
        # Only one graph runs at a time, so all share one memory pool.
        self.workspace = torch.cuda.graph_pool_handle() if model.device.type == "cuda" else None

    def prefill(self, requests: Sequence[Prefill]) -> None:
        """Compute keys and values of prompts, except for their last tokens."""
        pack: list[Prefill] = []
        room = PREFILL_TOKENS
        for request in requests:
            new = len(request.prompt) - 1 - request.num_cached
            if new == 0:
                continue
            if pack and new > room:
                self._prefill_pack(pack)
                pack, room = [], PREFILL_TOKENS
            pack.append(request)
            room -= new
        if pack:
            self._prefill_pack(pack)

    def _prefill_pack(self, pack: Sequence[Prefill]) -> None:
        device = self.model.device
        kv_lengths = [len(request.prompt) - 1 for request in pack]
        cached = [request.num_cached for request in pack]
        query_lengths = [length - held for length, held in zip(kv_lengths, cached)]
        tokens_T = torch.tensor([token for request in pack for token in request.prompt[request.num_cached : -1]], device=device)
        row_N = torch.tensor([request.row for request in pack])
        row_T, position_T = _token_positions(row_N, cached, query_lengths, device)
        whole = _token_positions(row_N, [0] * len(pack), kv_lengths, device) if any(cached) else None
        attention = PackedAttention(query_lengths, kv_lengths, device)

        def attend(layer: int, queries_THD: Tensor, keys_TKD: Tensor, values_TKD: Tensor) -> Tensor:
            keys_RKPD, values_RKPD = self.cache[layer]
            keys_RKPD[row_T, :, position_T] = keys_TKD
            values_RKPD[row_T, :, position_T] = values_TKD
            if whole is not None:
                keys_TKD, values_TKD = keys_RKPD[whole[0], :, whole[1]], values_RKPD[whole[0], :, whole[1]]
            return attention(layer, queries_THD, keys_TKD, values_TKD)

        self.model(tokens_T, position_T, attend)

    def copy(self, source: int, targets: Sequence[int], tokens: int) -> None:
        """Copy the first tokens of a row to other rows."""
        if not targets:
            return
        self.cache[:, :, list(targets), :, :tokens] = self.cache[:, :, source : source + 1, :, :tokens]

    def move(self, sources: Sequence[int], targets: Sequence[int]) -> None:
        """Move rows with their contents."""
        longest = int(self.rows.length_R.max()) + 1
        for layer in self.cache:
            layer[:, list(targets), :, :longest] = layer[:, list(sources), :, :longest]
        device = self.model.device
        self.rows.move(torch.tensor(sources, device=device), torch.tensor(targets, device=device))

    def start(self, rows: Sequence[StartedRow]) -> None:
        """Set the decoding state of rows whose prompts are in the cache except for the last token."""
        if not rows:
            return
        device, state = self.model.device, self.rows
        index = torch.tensor([row.row for row in rows], device=device)
        limits = [min(row.sampling.max_new_tokens, self.max_seq_len - len(row.prompt)) for row in rows]
        uniforms = torch.zeros(len(rows), max(limits))
        for line, row, limit in zip(uniforms, rows, limits):
            torch.rand(limit, generator=torch.Generator().manual_seed(row.sampling.seed), out=line[:limit])
        samplings = [row.sampling for row in rows]
        columns = (
            (state.last_token_R, [row.prompt[-1] for row in rows]),
            (state.length_R, [len(row.prompt) - 1 for row in rows]),
            (state.num_generated_R, [0] * len(rows)),
            (state.max_new_tokens_R, limits),
            (state.active_R, [True] * len(rows)),
            (state.greedy_R, [sampling.temperature == 0 for sampling in samplings]),
            (state.temperature_R, [sampling.temperature or 1.0 for sampling in samplings]),
            (state.top_p_R, [sampling.top_p for sampling in samplings]),
            (state.top_k_R, [sampling.top_k for sampling in samplings]),
            (state.stop_tokens_RS, [list(sampling.stop) + [-1] * (MAX_STOP_TOKENS - len(sampling.stop)) for sampling in samplings]),
        )
        for column, values in columns:
            column[index] = torch.tensor(values, dtype=column.dtype, device=device)
        state.uniforms_RP[index, : uniforms.shape[1]] = uniforms.clamp_(max=MAX_UNIFORM).to(device)

    def decode(self, num_rows: int, filtered: bool) -> None:
        """Run up to 16 steps; on a CPU, stop when a row ends."""
        if self.model.device.type == "cuda":
            graph = self._graph(num_rows, filtered)
            for _ in range(STEPS_PER_SYNC):
                graph.replay()
            return
        longest = int(self.rows.length_R[:num_rows].max()) + 1
        alive = int(self.rows.active_R[:num_rows].sum())
        for step in range(STEPS_PER_SYNC):
            # An ended row that fills its context stays in its place, while the others go on.
            decode(self.model, self.cache, self.rows, num_rows, min(longest + step, self.max_seq_len), filtered)
            if int(self.rows.active_R[:num_rows].sum()) < alive:
                return

    def _graph(self, num_rows: int, filtered: bool) -> torch.cuda.CUDAGraph:
        """The CUDA graph of a step for the next power of two of rows."""
        bucket = min(1 << max(3, (num_rows - 1).bit_length()), len(self.rows.last_token_R))
        if (bucket, filtered) not in self.graphs:
            self.graphs[bucket, filtered] = self._record(bucket, filtered)
        return self.graphs[bucket, filtered]

    def _record(self, bucket: int, filtered: bool) -> torch.cuda.CUDAGraph:
        """Capture a step. The warm-up runs before it treat all rows as ended, so they change nothing that matters."""
        saved = [part[:bucket].clone() for part in (self.rows.active_R, self.rows.length_R)]
        self.rows.active_R[:bucket] = False
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                decode(self.model, self.cache, self.rows, bucket, self.max_seq_len, filtered)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.workspace):
            decode(self.model, self.cache, self.rows, bucket, self.max_seq_len, filtered)
        self.rows.active_R[:bucket], self.rows.length_R[:bucket] = saved
        return graph

    def ended(self, num_rows: int) -> list[int]:
        """Which of the first rows have ended or are empty."""
        return [row for row, alive in enumerate(self.rows.active_R[:num_rows].tolist()) if not alive]

    def take(self, ended: Sequence[int]) -> list[FinishedRow]:
        """The tokens sampled in these rows."""
        if not ended:
            return []
        counts = self.rows.num_generated_R[list(ended)].tolist()
        tokens = self.rows.generated_RP[list(ended), : max(counts)].tolist()
        logprobs = self.rows.logprobs_RP[list(ended), : max(counts)].tolist()
        return [FinishedRow(row, t[:count], p[:count]) for row, count, t, p in zip(ended, counts, tokens, logprobs)]


def _token_positions(row_N: Tensor, firsts: Sequence[int], counts: Sequence[int], device: torch.device) -> tuple[Tensor, Tensor]:
    """Row and position of each token of a pack whose sequences start at `firsts` in their rows."""
    positions = [torch.arange(first, first + count) for first, count in zip(firsts, counts)]
    return torch.repeat_interleave(row_N, torch.tensor(counts)).to(device), torch.cat(positions).to(device)


def _check_cache_size(model: Decoder, rows: int, max_seq_len: int) -> None:
    """Raise ValueError for a cache that exceeds the free memory."""
    if model.device.type != "cuda":
        return
    needed = rows * max_seq_len * model.shape.cache_bytes(model.embedding_VE.element_size())
    free, _ = torch.cuda.mem_get_info(model.device)
    if needed > free:
        raise ValueError(
            f"a cache of {rows} rows of {max_seq_len} tokens needs {needed / 2**30:.1f} GiB, but {free / 2**30:.1f} GiB are free: "
            "lower max_num_seqs or max_seq_len"
        )
