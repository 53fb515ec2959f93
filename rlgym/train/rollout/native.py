"""The rollout engine of our own: continuous batching on a cache of rows, on a CPU or one GPU.

A request gets a row of the cache. The prompt but for its last token is filled in once for all waiting requests with the
same prompt, then every step of decoding draws one token in each row. A row that ends goes to the next request at once, and
until then keeps its contents, in case the same key comes back with a longer context.

Axes: L layers, R rows, P positions.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from rlgym.train.attention import PackedAttention
from rlgym.train.decoder import Decoder
from rlgym.train.rollout import Completion, Sampling
from rlgym.train.rollout.decoding import LARGEST_DRAW, MOST_STOPS, Rows, decode, empty_cache

STEPS_BETWEEN_LOOKS = 16
"""How many steps run before ended rows are looked for: on a GPU looking waits for the device."""
PREFILL_TOKENS = 16_384
"""Prompts are filled in by packs of about this many tokens."""


@dataclass
class _Request:
    key: int
    prompt: tuple[int, ...]
    sampling: Sampling
    identity: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.identity = array("q", self.prompt).tobytes()


@dataclass
class _Tenant:
    """Who a row of the cache belongs to. Its keys and values are those of contents[:-1], made by weights `weights`."""

    request: _Request
    contents: tuple[int, ...]
    weights: int
    version: int
    working: bool = True
    ended_at: int = 0


class NativeEngine:
    """Implements `Engine` for a `Decoder`, whose weights it uses where they lie.

    rows     how many requests are worked on at once
    context  the most tokens of prompt and answer together; a prompt that leaves no room ends at once without a token

    The model may be the one that is being trained: `load` then has nothing to copy. Raises ValueError if the cache is too
    large for the device.
    """

    def __init__(self, model: Decoder, rows: int = 128, context: int | None = None) -> None:
        self.model = model
        self.context = min(context or model.shape.context, model.shape.context)
        self.rows = rows
        self.version = 0
        self._loads = 0
        self._clock = 0
        self._waiting: deque[_Request] = deque()
        self._tenants: list[_Tenant | None] = [None] * rows
        self._ended: list[tuple[int, Completion]] = []
        self._memory: _Memory | None = None

    def submit(self, key: int, prompt: Sequence[int], sampling: Sampling) -> None:
        """Queue a request. Raises ValueError for an empty prompt, tokens outside the vocabulary and impossible sampling."""
        _refuse_impossible(prompt, sampling, self.model.shape.vocabulary)
        if len(prompt) >= self.context or sampling.most_tokens < 1:
            self._ended.append((key, Completion((), (), False, self.version)))
        else:
            self._waiting.append(_Request(key, tuple(prompt), sampling))

    @property
    def pending(self) -> int:
        return len(self._waiting) + len(self._ended) + self._at_work

    @torch.no_grad()
    def step(self) -> list[tuple[int, Completion]]:
        """Let requests in, draw up to 16 tokens in every row, and hand out those that ended."""
        self._admit()
        working = self._gather_working()
        if working:
            memory = self._awake()
            filtered = any(_filters(tenant.request.sampling) for tenant in self._tenants[:working] if tenant and tenant.working)
            memory.decode(working, filtered)
            self._collect(working)
        ended, self._ended = self._ended, []
        return ended

    def load(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Take over weights in place. Requests under way go on with the keys and values they have; nothing older is reused."""
        self.model.load_weights(weights)
        self.version = version
        self._loads += 1

    def sleep(self) -> None:
        """Free the cache. Raises RuntimeError while requests are under way."""
        if self._at_work:
            raise RuntimeError("requests are under way; step until none is pending, then sleep")
        self._tenants = [None] * self.rows
        self._memory = None

    def close(self) -> None:
        """Drop all requests and free the cache."""
        self._waiting.clear()
        self._ended.clear()
        self._tenants = [None] * self.rows
        self._memory = None

    def _awake(self) -> _Memory:
        if self._memory is None:
            self._memory = _Memory(self.model, self.rows, self.context)
        return self._memory

    def _admit(self) -> None:
        """Give rows to waiting requests: fill in the prompts that no row holds yet, and copy the rest."""
        # A few prompts at a time cost nearly as much as many, so a full engine lets some rows gather first.
        free = self.rows - self._at_work
        if not self._waiting or free < min(len(self._waiting), max(1, self.rows // 16)):
            return
        admitted = [self._waiting.popleft() for _ in range(min(free, len(self._waiting)))]
        known = {
            tenant.request.identity: row
            for row, tenant in enumerate(self._tenants)
            if tenant is not None and tenant.working and tenant.weights == self._loads
        }
        fills: list[tuple[int, int, tuple[int, ...]]] = []
        copies: dict[int, list[int]] = {}
        places = self._places(admitted)
        for request, (row, kept) in zip(admitted, places):
            source = known.get(request.identity)
            if kept == 0 and source is not None:
                copies.setdefault(source, []).append(row)
            else:
                fills.append((row, kept, request.prompt))
                # Rows that wait for a copy wait for that of the first: it stays the source, whoever else fills in the same prompt.
                known.setdefault(request.identity, row)
            self._tenants[row] = _Tenant(request, request.prompt, self._loads, self.version)
        memory = self._awake()
        memory.fill(fills)
        for request in {request.identity: request for request in admitted}.values():
            source = known[request.identity]
            memory.copy(source, copies.get(source, []), len(request.prompt) - 1)
        memory.start([(row, request) for request, (row, _) in zip(admitted, places)])

    def _places(self, admitted: Sequence[_Request]) -> list[tuple[int, int]]:
        """A row for each request, and how many tokens of its prompt that row holds from an earlier turn.

        Requests without such a row get an empty one, or else that which ended longest ago.
        """
        resting = [(row, tenant) for row, tenant in enumerate(self._tenants) if tenant is None or not tenant.working]
        resting.sort(key=lambda pair: (0, pair[0]) if pair[1] is None else (1, pair[1].ended_at))
        by_key = {tenant.request.key: (row, tenant) for row, tenant in resting if tenant is not None and tenant.weights == self._loads}
        held = [by_key.pop(request.key, None) for request in admitted]
        taken = {pair[0] for pair in held if pair is not None}
        others = iter([row for row, _ in resting if row not in taken])
        return [
            (next(others), 0) if pair is None else (pair[0], min(_common(pair[1].contents[:-1], request.prompt), len(request.prompt) - 1))
            for request, pair in zip(admitted, held)
        ]

    @property
    def _at_work(self) -> int:
        return sum(tenant is not None and tenant.working for tenant in self._tenants)

    def _gather_working(self) -> int:
        """Bring the rows at work to the front once more than an eighth of those before the last are idle; how far they reach."""
        working = [row for row, tenant in enumerate(self._tenants) if tenant is not None and tenant.working]
        count = len(working)
        if not working or working[-1] + 1 - count <= count // 8:
            return working[-1] + 1 if working else 0
        late = [row for row in working if row >= count]
        early = sorted(set(range(count)) - set(working))
        self._awake().move(late + early, early + late)
        for one, other in zip(late, early):
            self._tenants[one], self._tenants[other] = self._tenants[other], self._tenants[one]
        return count

    def _collect(self, working: int) -> None:
        memory = self._awake()
        at_work = {row: tenant for row, tenant in enumerate(self._tenants[:working]) if tenant is not None and tenant.working}
        for row, drawn, logprobs in memory.take([row for row in memory.ended(working) if row in at_work]):
            tenant = at_work[row]
            stopped = drawn[-1] in tenant.request.sampling.stop
            self._ended.append((tenant.request.key, Completion(tuple(drawn), tuple(logprobs), stopped, tenant.version)))
            self._clock += 1
            tenant.contents, tenant.working, tenant.ended_at = tenant.request.prompt + tuple(drawn), False, self._clock


class _Memory:
    """What the engine holds on the device, gone when it sleeps."""

    def __init__(self, model: Decoder, rows: int, context: int) -> None:
        self.model = model
        self.context = context
        _refuse_too_large(model, rows, context)
        self.cache = empty_cache(model.shape, rows, context, model.device, model.dtype)
        self.rows = Rows.empty(rows, context, model.device)
        self.graphs: dict[tuple[int, bool], torch.cuda.CUDAGraph] = {}
        # Only one graph runs at a time, so that all may work in the same memory.
        self.workspace = torch.cuda.graph_pool_handle() if model.device.type == "cuda" else None

    def fill(self, fills: Sequence[tuple[int, int, tuple[int, ...]]]) -> None:
        """Compute keys and values of prompts, each (row, how many tokens the row holds already, prompt)."""
        part: list[tuple[int, int, tuple[int, ...]]] = []
        room = PREFILL_TOKENS
        for row, kept, prompt in fills:
            new = len(prompt) - 1 - kept
            if new == 0:
                continue
            if part and new > room:
                self._fill(part)
                part, room = [], PREFILL_TOKENS
            part.append((row, kept, prompt))
            room -= new
        if part:
            self._fill(part)

    def _fill(self, part: Sequence[tuple[int, int, tuple[int, ...]]]) -> None:
        device = self.model.device
        contexts = [len(prompt) - 1 for _, _, prompt in part]
        kept = [held for _, held, _ in part]
        news = [context - held for context, held in zip(contexts, kept)]
        tokens_T = torch.tensor([token for _, held, prompt in part for token in prompt[held:-1]], device=device)
        row_N = torch.tensor([row for row, _, _ in part])
        row_T, position_T = _places(row_N, kept, news, device)
        whole = _places(row_N, [0] * len(part), contexts, device) if any(kept) else None
        mix = PackedAttention(news, contexts, device)

        def attend(layer: int, queries_THD: Tensor, keys_TKD: Tensor, values_TKD: Tensor) -> Tensor:
            keys_RKPD, values_RKPD = self.cache[layer]
            keys_RKPD[row_T, :, position_T] = keys_TKD
            values_RKPD[row_T, :, position_T] = values_TKD
            if whole is not None:
                keys_TKD, values_TKD = keys_RKPD[whole[0], :, whole[1]], values_RKPD[whole[0], :, whole[1]]
            return mix(layer, queries_THD, keys_TKD, values_TKD)

        self.model(tokens_T, position_T, attend)

    def copy(self, source: int, targets: Sequence[int], tokens: int) -> None:
        """Give rows the same first tokens as another."""
        if not targets:
            return
        self.cache[:, :, list(targets), :, :tokens] = self.cache[:, :, source : source + 1, :, :tokens]

    def move(self, sources: Sequence[int], targets: Sequence[int]) -> None:
        """Rearrange rows, contents and all."""
        longest = int(self.rows.length_R.max()) + 1
        for layer in self.cache:
            layer[:, list(targets), :, :longest] = layer[:, list(sources), :, :longest]
        device = self.model.device
        self.rows.move(torch.tensor(sources, device=device), torch.tensor(targets, device=device))

    def start(self, newcomers: Sequence[tuple[int, _Request]]) -> None:
        """Set the state of rows whose prompts are in the cache but for the last token."""
        if not newcomers:
            return
        device, state = self.model.device, self.rows
        places = torch.tensor([row for row, _ in newcomers], device=device)
        asked = [(request.prompt, request.sampling) for _, request in newcomers]
        limits = [min(sampling.most_tokens, self.context - len(prompt)) for prompt, sampling in asked]
        draws = torch.zeros(len(asked), max(limits))
        for line, (_, sampling), limit in zip(draws, asked, limits):
            torch.rand(limit, generator=torch.Generator().manual_seed(sampling.seed), out=line[:limit])
        columns = (
            (state.token_R, [prompt[-1] for prompt, _ in asked]),
            (state.length_R, [len(prompt) - 1 for prompt, _ in asked]),
            (state.made_R, [0] * len(asked)),
            (state.limit_R, limits),
            (state.alive_R, [True] * len(asked)),
            (state.greedy_R, [sampling.temperature == 0 for _, sampling in asked]),
            (state.temperature_R, [sampling.temperature or 1.0 for _, sampling in asked]),
            (state.top_p_R, [sampling.top_p for _, sampling in asked]),
            (state.top_k_R, [sampling.top_k for _, sampling in asked]),
            (state.stops_RS, [list(sampling.stop) + [-1] * (MOST_STOPS - len(sampling.stop)) for _, sampling in asked]),
        )
        for column, values in columns:
            column[places] = torch.tensor(values, dtype=column.dtype, device=device)
        state.draws_RP[places, : draws.shape[1]] = draws.clamp_(max=LARGEST_DRAW).to(device)

    def decode(self, working: int, filtered: bool) -> None:
        """Up to 16 steps; on a CPU no more than until a row ends."""
        if self.model.device.type == "cuda":
            graph = self._graph(working, filtered)
            for _ in range(STEPS_BETWEEN_LOOKS):
                graph.replay()
            return
        longest = int(self.rows.length_R[:working].max()) + 1
        alive = int(self.rows.alive_R[:working].sum())
        for step in range(STEPS_BETWEEN_LOOKS):
            decode(self.model, self.cache, self.rows, working, longest + step, filtered)
            if int(self.rows.alive_R[:working].sum()) < alive:
                return

    def _graph(self, working: int, filtered: bool) -> torch.cuda.CUDAGraph:
        """The recorded step for the next power of two of rows."""
        bucket = min(1 << max(3, (working - 1).bit_length()), len(self.rows.token_R))
        if (bucket, filtered) not in self.graphs:
            self.graphs[bucket, filtered] = self._record(bucket, filtered)
        return self.graphs[bucket, filtered]

    def _record(self, bucket: int, filtered: bool) -> torch.cuda.CUDAGraph:
        """Record a step. The trials before it run on rows set aside as ended, so that they change nothing that counts."""
        kept = [part[:bucket].clone() for part in (self.rows.alive_R, self.rows.length_R)]
        self.rows.alive_R[:bucket] = False
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                decode(self.model, self.cache, self.rows, bucket, self.context, filtered)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.workspace):
            decode(self.model, self.cache, self.rows, bucket, self.context, filtered)
        self.rows.alive_R[:bucket], self.rows.length_R[:bucket] = kept
        return graph

    def ended(self, working: int) -> list[int]:
        """Which of the first rows have ended, or were empty."""
        return [row for row, alive in enumerate(self.rows.alive_R[:working].tolist()) if not alive]

    def take(self, ended: Sequence[int]) -> list[tuple[int, list[int], list[float]]]:
        """What was drawn in these rows, and its log-probabilities."""
        if not ended:
            return []
        made = self.rows.made_R[list(ended)].tolist()
        drawn = self.rows.drawn_RP[list(ended), : max(made)].tolist()
        logprobs = self.rows.logprob_RP[list(ended), : max(made)].tolist()
        return [(row, d[:m], p[:m]) for row, m, d, p in zip(ended, made, drawn, logprobs)]


def _places(row_N: Tensor, firsts: Sequence[int], counts: Sequence[int], device: torch.device) -> tuple[Tensor, Tensor]:
    """Row and position of each token of a pack whose sequences start at `firsts` in their rows."""
    positions = [torch.arange(first, first + count) for first, count in zip(firsts, counts)]
    return torch.repeat_interleave(row_N, torch.tensor(counts)).to(device), torch.cat(positions).to(device)


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two contexts have in common from the start."""
    return next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def _filters(sampling: Sampling) -> bool:
    return sampling.top_p < 1 or sampling.top_k > 0


def _refuse_impossible(prompt: Sequence[int], sampling: Sampling, vocabulary: int) -> None:
    if not prompt:
        raise ValueError("the prompt is empty; an engine needs at least one token to go on from")
    if min(prompt) < 0 or max(prompt) >= vocabulary:
        raise ValueError(f"the prompt has tokens outside the vocabulary of {vocabulary}: {min(prompt)} to {max(prompt)}")
    if sampling.temperature < 0 or not 0 < sampling.top_p <= 1 or sampling.top_k < 0:
        raise ValueError(f"temperature and top_k must not be below 0 and top_p must lie in (0, 1], got {sampling!r}")
    if len(sampling.stop) > MOST_STOPS:
        raise ValueError(f"at most {MOST_STOPS} stop tokens are looked for, got {len(sampling.stop)}")


def _refuse_too_large(model: Decoder, rows: int, context: int) -> None:
    """A cache that does not fit is refused in words, before the device runs out."""
    if model.device.type != "cuda":
        return
    needed = rows * context * model.shape.cache_bytes(model.embedding_VE.element_size())
    free, _ = torch.cuda.mem_get_info(model.device)
    if needed > free:
        raise ValueError(
            f"a cache of {rows} rows of {context} tokens takes {needed / 2**30:.1f} GiB, and {free / 2**30:.1f} GiB are free;"
            " ask for fewer rows or a shorter context"
        )
