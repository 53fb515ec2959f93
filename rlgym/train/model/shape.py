"""The sizes of a decoder, what follows from them, and its rotary angles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class RopeScaling:
    """How Llama 3 stretches its rotary angles: slow rotations by `factor`, fast ones not, and those in between gradually.

    A rotation is slow if it turns fewer than `low_freq_factor` times over `original_max_seq_len` positions, and fast above
    `high_freq_factor` times.
    """

    factor: float
    low_freq_factor: float
    high_freq_factor: float
    original_max_seq_len: int


@dataclass(frozen=True)
class ModelShape:
    """Sizes and switches of a decoder; `max_seq_len` is the largest number of positions it supports."""

    vocab_size: int
    num_layers: int
    hidden_size: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    intermediate_size: int
    max_seq_len: int
    rope_theta: float = 10_000.0
    rms_norm_eps: float = 1e-6
    tie_word_embeddings: bool = True
    qk_norm: bool = True
    qkv_bias: bool = False
    rope_scaling: RopeScaling | None = None

    def matrix_parameters(self) -> int:
        """Weights that multiply every token, including the output head but not the embedding table."""
        attention = self.hidden_size * self.head_dim * (2 * self.num_heads + 2 * self.num_kv_heads)
        return self.num_layers * (attention + 3 * self.hidden_size * self.intermediate_size) + self.vocab_size * self.hidden_size

    def training_flops(self, lengths: Sequence[int], shared: Sequence[int] | None = None) -> float:
        """Floating-point operations of forward and backward over sequences of these lengths, without recomputation.

        shared   how many first tokens of each sequence are provided by another sequence, so that only its attention reads them
        """
        shared = [0] * len(lengths) if shared is None else shared
        tokens = sum(lengths) - sum(shared)
        pairs = sum(length * (length + 1) / 2 - cached * (cached + 1) / 2 for length, cached in zip(lengths, shared, strict=True))
        return 6.0 * self.matrix_parameters() * tokens + 12.0 * self.num_layers * self.num_heads * self.head_dim * pairs

    def cache_bytes(self, bytes_per_number: int = 2) -> int:
        """Bytes of keys and values of one token in a cache."""
        return 2 * self.num_layers * self.num_kv_heads * self.head_dim * bytes_per_number


def rotary_table(shape: ModelShape, positions: int) -> tuple[Tensor, Tensor]:
    """Cosine and sine of the rotary angles, each [P, D / 2] in float32."""
    frequencies = shape.rope_theta ** (-torch.arange(0, shape.head_dim, 2, dtype=torch.float32) / shape.head_dim)
    if (scaling := shape.rope_scaling) is not None:
        turns = scaling.original_max_seq_len * frequencies / (2 * math.pi)
        fast = ((turns - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor)).clamp(0, 1)
        frequencies = frequencies * (fast + (1 - fast) / scaling.factor)
    angles = torch.outer(torch.arange(positions, dtype=torch.float32), frequencies)
    return angles.cos(), angles.sin()
