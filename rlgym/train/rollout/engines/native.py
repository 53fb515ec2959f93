"""The native rollout engine: continuous batching on a cache of rows, on a CPU or one GPU.

Each request gets a row of the cache. The prompt except its last token is prefilled once for all waiting requests with the same
prompt, then every decoding step samples one token in each row. An ended row is given to the next request; until then it keeps its
contents, in case the same key returns with a longer context.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from rlgym.train.model.decoder import Decoder
from rlgym.train.rollout.engines.base import Completion, Continuation, SamplingParams
from rlgym.train.rollout.engines.cache import DeviceCache, Prefill, StartedRow
from rlgym.train.rollout.engines.decoding import check_request
from rlgym.train.rollout.engines.scores import score_continuations


@dataclass
class _Request:
    key: int
    prompt: tuple[int, ...]
    sampling: SamplingParams
    identity: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.identity = array("q", self.prompt).tobytes()


@dataclass
class _Slot:
    """The owner of a row. The row's keys and values are those of contents[:-1], computed by the weights number `weights`."""

    request: _Request
    contents: tuple[int, ...]
    weights: int
    version: int
    active: bool = True
    ended_at: int = 0


class NativeEngine:
    """Implements `Engine` for a `Decoder`, whose weights it uses in place.

    max_num_seqs  number of requests in progress at once
    max_seq_len   token limit of prompt and response; a prompt that leaves no room ends at once without a token

    The model may be the one being trained: `update_weights` then has nothing to copy. Raises ValueError if the cache is too large
    for the device.
    """

    def __init__(self, model: Decoder, max_num_seqs: int = 128, max_seq_len: int | None = None) -> None:
        self.model = model
        self.max_seq_len = min(max_seq_len or model.shape.max_seq_len, model.shape.max_seq_len)
        self.max_num_seqs = max_num_seqs
        self.version = 0
        self._weights = 0
        self._clock = 0
        self._waiting: deque[_Request] = deque()
        self._slots: list[_Slot | None] = [None] * max_num_seqs
        self._ended: list[tuple[int, Completion]] = []
        self._cache: DeviceCache | None = None

    def submit(self, key: int, prompt: Sequence[int], sampling: SamplingParams) -> None:
        """Queue a request. Raises ValueError for an empty prompt, tokens outside the vocabulary and invalid sampling parameters."""
        check_request(prompt, sampling, self.model.shape.vocab_size)
        if len(prompt) >= self.max_seq_len or sampling.max_new_tokens < 1:
            self._ended.append((key, Completion((), (), False, self.version)))
        else:
            self._waiting.append(_Request(key, tuple(prompt), sampling))

    def score(self, continuations: Sequence[Continuation], temperature: float = 1.0) -> list[tuple[float, ...]]:
        """Log-probabilities of given tokens under the present weights, by a forward pass beside the requests in progress."""
        return score_continuations(self.model, continuations, temperature, self.max_seq_len)

    @property
    def pending(self) -> int:
        return len(self._waiting) + len(self._ended) + self._num_active

    @torch.no_grad()
    def step(self) -> list[tuple[int, Completion]]:
        """Admit requests, sample up to 16 tokens in every row, and return the requests that ended."""
        self._admit()
        num_rows = self._compact_rows()
        if num_rows:
            cache = self._device_cache()
            filtered = any(_is_filtered(slot.request.sampling) for slot in self._slots[:num_rows] if slot and slot.active)
            cache.decode(num_rows, filtered)
            self._collect(num_rows)
        ended, self._ended = self._ended, []
        return ended

    def update_weights(self, weights: Iterable[tuple[str, Tensor]], version: int) -> None:
        """Load weights in place. Requests in progress keep their keys and values; no other cached prompt is reused."""
        self.model.load_weights(weights)
        self.version = version
        self._weights += 1

    def sleep(self) -> None:
        """Free the cache. Raises RuntimeError while requests are in progress."""
        if self._num_active:
            raise RuntimeError("requests are in progress: step until none is pending, then sleep")
        self._slots = [None] * self.max_num_seqs
        self._cache = None

    def close(self) -> None:
        """Drop all requests and free the cache."""
        self._waiting.clear()
        self._ended.clear()
        self._slots = [None] * self.max_num_seqs
        self._cache = None

    def _device_cache(self) -> DeviceCache:
        if self._cache is None:
            self._cache = DeviceCache(self.model, self.max_num_seqs, self.max_seq_len)
        return self._cache

    def _admit(self) -> None:
        """Give rows to waiting requests: prefill the prompts that no row holds yet, and copy the rest."""
        # A few prompts cost nearly as much as many, so a full engine waits for several free rows.
        free = self.max_num_seqs - self._num_active
        if not self._waiting or free < min(len(self._waiting), max(1, self.max_num_seqs // 16)):
            return
        admitted = [self._waiting.popleft() for _ in range(min(free, len(self._waiting)))]
        prefilled = {
            slot.request.identity: row
            for row, slot in enumerate(self._slots)
            if slot is not None and slot.active and slot.weights == self._weights
        }
        prefills: list[Prefill] = []
        copies: dict[int, list[int]] = {}
        rows = self._assign_rows(admitted)
        for request, (row, kept) in zip(admitted, rows):
            source = prefilled.get(request.identity)
            if kept == 0 and source is not None:
                copies.setdefault(source, []).append(row)
            else:
                prefills.append(Prefill(row, kept, request.prompt))
                # Waiting rows copy the first row with this prompt: it stays the source, whoever else prefills the same prompt.
                prefilled.setdefault(request.identity, row)
            self._slots[row] = _Slot(request, request.prompt, self._weights, self.version)
        cache = self._device_cache()
        cache.prefill(prefills)
        for request in {request.identity: request for request in admitted}.values():
            source = prefilled[request.identity]
            cache.copy(source, copies.get(source, []), len(request.prompt) - 1)
        cache.start([StartedRow(row, request.prompt, request.sampling) for request, (row, _) in zip(admitted, rows)])

    def _assign_rows(self, admitted: Sequence[_Request]) -> list[tuple[int, int]]:
        """A row for each request, and how many tokens of its prompt that row holds from an earlier turn.

        Requests without such a row get an empty one, or the one that ended longest ago.
        """
        empty = [row for row, slot in enumerate(self._slots) if slot is None]
        ended = {row: slot for row, slot in enumerate(self._slots) if slot is not None and not slot.active}
        oldest_first = sorted(ended, key=lambda row: ended[row].ended_at)
        row_of_key = {ended[row].request.key: row for row in oldest_first if ended[row].weights == self._weights}
        held = [row_of_key.pop(request.key, None) for request in admitted]
        taken = set(held)
        others = iter([row for row in [*empty, *oldest_first] if row not in taken])
        return [
            (next(others), 0)
            if row is None
            else (row, min(_common_prefix(ended[row].contents[:-1], request.prompt), len(request.prompt) - 1))
            for request, row in zip(admitted, held)
        ]

    @property
    def _num_active(self) -> int:
        return sum(slot is not None and slot.active for slot in self._slots)

    def _compact_rows(self) -> int:
        """Move active rows to the front if over an eighth of the rows before the last active one are idle; the number of rows in use."""
        active = [row for row, slot in enumerate(self._slots) if slot is not None and slot.active]
        count = len(active)
        if not active or active[-1] + 1 - count <= count // 8:
            return active[-1] + 1 if active else 0
        late = [row for row in active if row >= count]
        early = sorted(set(range(count)) - set(active))
        self._device_cache().move(late + early, early + late)
        for first, second in zip(late, early):
            self._slots[first], self._slots[second] = self._slots[second], self._slots[first]
        return count

    def _collect(self, num_rows: int) -> None:
        cache = self._device_cache()
        active = {row: slot for row, slot in enumerate(self._slots[:num_rows]) if slot is not None and slot.active}
        for finished in cache.take([row for row in cache.ended(num_rows) if row in active]):
            slot = active[finished.row]
            stopped = finished.tokens[-1] in slot.request.sampling.stop
            self._ended.append((slot.request.key, Completion(tuple(finished.tokens), tuple(finished.logprobs), stopped, slot.version)))
            self._clock += 1
            slot.contents, slot.active, slot.ended_at = slot.request.prompt + tuple(finished.tokens), False, self._clock


def _common_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    """The length of the common prefix of two contexts."""
    return next((i for i, (a, b) in enumerate(zip(first, second)) if a != b), min(len(first), len(second)))


def _is_filtered(sampling: SamplingParams) -> bool:
    return sampling.top_p < 1 or sampling.top_k > 0
