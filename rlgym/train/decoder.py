"""A decoder of the Qwen3 family in plain torch, for training and for generation alike.

What attention does is handed in, so that one network serves packed training, the filling of a cache and decoding.
The projections to queries, keys and values are one matrix, and so are the gate and the up projection; `weights` gives
them out under their Hugging Face names, as views.

Axes, as suffixes: T tokens, E width, M inner width, H heads of queries, K heads of keys and values, D width of a head,
V vocabulary, P positions.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

Attend = Callable[[int, Tensor, Tensor, Tensor], Tensor]
"""(layer, queries_THD, keys_TKD, values_TKD) -> mixed_THD"""


@dataclass(frozen=True)
class Shape:
    """Sizes and switches of a decoder; `context` is the most positions it is meant for."""

    vocabulary: int
    layers: int
    width: int
    heads: int
    key_heads: int
    head_width: int
    inner: int
    context: int
    rope_base: float = 10_000.0
    epsilon: float = 1e-6
    tied: bool = True
    norms_heads: bool = True
    biased: bool = False

    def matrix_parameters(self) -> int:
        """Weights that multiply every token, the output head among them and the table of embeddings not."""
        attention = self.width * self.head_width * (2 * self.heads + 2 * self.key_heads)
        return self.layers * (attention + 3 * self.width * self.inner) + self.vocabulary * self.width

    def training_flops(self, lengths: Sequence[int], shared: Sequence[int] | None = None) -> float:
        """Floating-point operations of forward and backward over sequences of these lengths, recomputation not counted.

        shared   how many of each sequence's first tokens another one brings along, so that only its attention reads them
        """
        shared = [0] * len(lengths) if shared is None else shared
        tokens = sum(lengths) - sum(shared)
        pairs = sum(length * (length + 1) / 2 - kept * (kept + 1) / 2 for length, kept in zip(lengths, shared, strict=True))
        return 6.0 * self.matrix_parameters() * tokens + 12.0 * self.layers * self.heads * self.head_width * pairs

    def cache_bytes(self, bytes_per_number: int = 2) -> int:
        """Bytes of keys and values that one token leaves in a cache."""
        return 2 * self.layers * self.key_heads * self.head_width * bytes_per_number


def rotation_table(shape: Shape, positions: int) -> tuple[Tensor, Tensor]:
    """Cosine and sine of the rotary angles, each [P, D / 2] in float32."""
    frequencies = shape.rope_base ** (-torch.arange(0, shape.head_width, 2, dtype=torch.float32) / shape.head_width)
    angles = torch.outer(torch.arange(positions, dtype=torch.float32), frequencies)
    return angles.cos(), angles.sin()


def before_attention(
    x_TE: Tensor,
    norm_E: Tensor,
    qkv: Tensor,
    bias: Tensor | None,
    head_norms: Tensor | None,
    cosine_TD: Tensor,
    sine_TD: Tensor,
    shape: Shape,
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of a layer, normed and rotated."""
    turned = shape.heads + shape.key_heads
    qkv_TXD = F.linear(F.rms_norm(x_TE, (shape.width,), norm_E, shape.epsilon), qkv, bias).unflatten(1, (-1, shape.head_width))
    both_TXD = qkv_TXD[:, :turned]
    if head_norms is not None:
        both_TXD = F.rms_norm(both_TXD, (shape.head_width,), None, shape.epsilon)
        scale_XD = torch.cat([head_norms[:1].expand(shape.heads, -1), head_norms[1:].expand(shape.key_heads, -1)])
        both_TXD = both_TXD * scale_XD
    left, right = both_TXD.float().chunk(2, dim=-1)
    cosine, sine = cosine_TD[:, None], sine_TD[:, None]
    both_TXD = torch.cat([left * cosine - right * sine, right * cosine + left * sine], dim=-1).to(x_TE.dtype)
    return both_TXD[:, : shape.heads], both_TXD[:, shape.heads :], qkv_TXD[:, turned:]


def after_attention(x_TE: Tensor, mixed_THD: Tensor, out: Tensor, norm_E: Tensor, gate_up: Tensor, down: Tensor, epsilon: float) -> Tensor:
    """The rest of a layer: output projection, residual, gated feed-forward network, residual."""
    x_TE = x_TE + F.linear(mixed_THD.flatten(1), out)
    gate_TM, up_TM = F.linear(F.rms_norm(x_TE, norm_E.shape, norm_E, epsilon), gate_up).chunk(2, dim=-1)
    return x_TE + F.linear(F.silu(gate_TM) * up_TM, down)


class Layer(nn.Module):
    """One block of attention and feed-forward network."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        heads_out = (shape.heads + 2 * shape.key_heads) * shape.head_width
        self.norm_1 = nn.Parameter(torch.ones(shape.width))
        self.qkv = nn.Parameter(torch.empty(heads_out, shape.width))
        self.qkv_bias = nn.Parameter(torch.zeros(heads_out)) if shape.biased else None
        self.head_norms = nn.Parameter(torch.ones(2, shape.head_width)) if shape.norms_heads else None
        self.out = nn.Parameter(torch.empty(shape.width, shape.heads * shape.head_width))
        self.norm_2 = nn.Parameter(torch.ones(shape.width))
        self.gate_up = nn.Parameter(torch.empty(2 * shape.inner, shape.width))
        self.down = nn.Parameter(torch.empty(shape.width, shape.inner))
        self.before: Callable[..., tuple[Tensor, Tensor, Tensor]] = before_attention
        self.after: Callable[..., Tensor] = after_attention

    def forward(self, index: int, x_TE: Tensor, cosine_TD: Tensor, sine_TD: Tensor, attend: Attend) -> Tensor:
        """The layer applied to every token; `attend` mixes the tokens."""
        queries, keys, values = self.before(x_TE, self.norm_1, self.qkv, self.qkv_bias, self.head_norms, cosine_TD, sine_TD, self.shape)
        mixed_THD = attend(index, queries, keys, values)
        return self.after(x_TE, mixed_THD, self.out, self.norm_2, self.gate_up, self.down, self.shape.epsilon)

    def weights(self) -> Iterator[tuple[str, Tensor]]:
        """Views of the weights by their Hugging Face names within a layer."""
        sizes = [self.shape.heads * self.shape.head_width] + [self.shape.key_heads * self.shape.head_width] * 2
        yield "input_layernorm.weight", self.norm_1
        for name, part in zip(("q", "k", "v"), self.qkv.split(sizes)):
            yield f"self_attn.{name}_proj.weight", part
        if self.qkv_bias is not None:
            for name, part in zip(("q", "k", "v"), self.qkv_bias.split(sizes)):
                yield f"self_attn.{name}_proj.bias", part
        if self.head_norms is not None:
            yield "self_attn.q_norm.weight", self.head_norms[0]
            yield "self_attn.k_norm.weight", self.head_norms[1]
        yield "self_attn.o_proj.weight", self.out
        yield "post_attention_layernorm.weight", self.norm_2
        yield "mlp.gate_proj.weight", self.gate_up[: self.shape.inner]
        yield "mlp.up_proj.weight", self.gate_up[self.shape.inner :]
        yield "mlp.down_proj.weight", self.down


class Decoder(nn.Module):
    """The whole network, from tokens to the last hidden states; `head_VE` turns those into logits.

    value_head        adds one number per token, read with `values`
    config            the Hugging Face configuration it was made from, written back when it is saved
    saves_memory      recompute each layer in the backward pass instead of keeping its insides
    """

    def __init__(self, shape: Shape, config: dict[str, Any] | None = None, value_head: bool = False) -> None:
        super().__init__()
        self.shape = shape
        self.config = dict(config or {})
        self.saves_memory = False
        self.embedding_VE = nn.Parameter(torch.empty(shape.vocabulary, shape.width))
        self.layers = nn.ModuleList([Layer(shape) for _ in range(shape.layers)])
        self.norm_E = nn.Parameter(torch.ones(shape.width))
        self.own_head_VE = None if shape.tied else nn.Parameter(torch.empty(shape.vocabulary, shape.width))
        self.value_1E = nn.Parameter(torch.zeros(1, shape.width)) if value_head else None
        cosine, sine = rotation_table(shape, shape.context)
        self.register_buffer("cosine_PD", cosine, persistent=False)
        self.register_buffer("sine_PD", sine, persistent=False)

    @property
    def head_VE(self) -> Tensor:
        """The output head: the table of embeddings where the two are tied."""
        return self.embedding_VE if self.own_head_VE is None else self.own_head_VE

    @property
    def device(self) -> torch.device:
        return self.embedding_VE.device

    @property
    def dtype(self) -> torch.dtype:
        return self.embedding_VE.dtype

    def forward(self, tokens_T: Tensor, positions_T: Tensor, attend: Attend) -> Tensor:
        """Hidden states after the last norm, [T, E]; entry t has seen tokens up to t and predicts token t + 1."""
        x_TE = F.embedding(tokens_T, self.embedding_VE)
        cosine_TD, sine_TD = self.cosine_PD[positions_T], self.sine_PD[positions_T]
        for index, layer in enumerate(self.layers):
            if self.saves_memory and torch.is_grad_enabled():
                x_TE = checkpoint(layer, index, x_TE, cosine_TD, sine_TD, attend, use_reentrant=False)
            else:
                x_TE = layer(index, x_TE, cosine_TD, sine_TD, attend)
        return F.rms_norm(x_TE, (self.shape.width,), self.norm_E, self.shape.epsilon)

    def logits(self, hidden_TE: Tensor) -> Tensor:
        """Logits in float32, [T, V]. For many tokens use `logprobs.score`, which never holds them all."""
        return product_in_float32(hidden_TE, self.head_VE)

    def values(self, hidden_TE: Tensor) -> Tensor:
        """The value head's estimate from each hidden state, [T] in float32."""
        if self.value_1E is None:
            raise ValueError("this model has no value head; load or make it with value_head=True")
        return F.linear(hidden_TE, self.value_1E).squeeze(1).float()

    def weights(self) -> Iterator[tuple[str, Tensor]]:
        """Every weight by its Hugging Face name, as a view without gradient; a tied head is left out."""
        # No `no_grad` here: two of these gone through side by side would leave it switched on.
        yield "model.embed_tokens.weight", self.embedding_VE.detach()
        for index, layer in enumerate(self.layers):
            for name, weight in layer.weights():
                yield f"model.layers.{index}.{name}", weight.detach()
        yield "model.norm.weight", self.norm_E.detach()
        if self.own_head_VE is not None:
            yield "lm_head.weight", self.own_head_VE.detach()
        if self.value_1E is not None:
            yield "value_head.weight", self.value_1E.detach()

    def load_weights(self, weights: Iterable[tuple[str, Tensor]]) -> None:
        """Copy weights in by their Hugging Face names; those that are this model's own memory already are left alone.

        Raises ValueError for a name that is not there, a size that differs, and a weight that never came (except the
        value head, which starts at zero, and the head of a tied model, which is ignored).
        """
        mine = dict(self.weights())
        missing = set(mine) - {"value_head.weight"}
        for name, weight in weights:
            if name == "lm_head.weight" and self.shape.tied:
                continue
            if name not in mine:
                raise ValueError(f"the model has no weight called {name!r}; it is of another architecture")
            if mine[name].shape != weight.shape:
                raise ValueError(f"{name} has size {tuple(weight.shape)}, the model's is {tuple(mine[name].shape)}")
            missing.discard(name)
            if mine[name].data_ptr() != weight.data_ptr():
                mine[name].copy_(weight)
        if missing:
            raise ValueError(f"{len(missing)} weights are missing, {sorted(missing)[0]!r} among them")

    def copied(self, dtype: torch.dtype) -> Decoder:
        """A copy in another precision that takes no gradient; the rotary angles stay in float32."""
        made = copy.deepcopy(self).to(dtype).requires_grad_(False)
        made.cosine_PD, made.sine_PD = self.cosine_PD.clone(), self.sine_PD.clone()
        return made

    def fuse(self) -> None:
        """Compile what lies between the attentions; worth it on a GPU, where it joins many small operations into few."""
        before, after = torch.compile(before_attention), torch.compile(after_attention)
        for layer in self.layers:
            layer.before, layer.after = before, after

    @torch.no_grad()
    def initialise(self, seed: int) -> None:
        """Random weights: normal with deviation 0.02, and less where a layer writes to the residual stream."""
        generator = torch.Generator().manual_seed(seed)
        into_stream = 0.02 / math.sqrt(2 * self.shape.layers)
        for name, weight in self.named_parameters():
            if weight.dim() == 2 and not name.endswith(("head_norms", "value_1E")):
                deviation = into_stream if name.endswith((".out", ".down")) else 0.02
                weight.copy_(torch.randn(weight.shape, generator=generator) * deviation)


def product_in_float32(hidden_TE: Tensor, head_VE: Tensor) -> Tensor:
    """hidden · headᵀ in float32, without rounding the result of a bfloat16 product."""
    if hidden_TE.dtype == torch.float32:
        return F.linear(hidden_TE, head_VE)
    if hidden_TE.is_cuda:
        return torch.mm(hidden_TE, head_VE.t(), out_dtype=torch.float32)
    return F.linear(hidden_TE.float(), head_VE.float())
