"""A decoder of the Qwen3 family in plain torch, for training and for generation.

The attention function is an argument, so one network serves packed training, prefill and decoding. The projections to queries,
keys and values are one matrix, and so are the gate and the up projection; `weights` returns views of them under their Hugging
Face names.

Axes, as suffixes: T tokens, E width, M inner width, H heads of queries, K heads of keys and values, D width of a head,
V vocabulary, P positions.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from rlgym.train.model.shape import ModelShape, rotary_table

AttentionFunction = Callable[[int, Tensor, Tensor, Tensor], Tensor]
"""(layer, queries_THD, keys_TKD, values_TKD) -> mixed_THD"""


def project_qkv(
    x_TE: Tensor,
    norm_E: Tensor,
    qkv: Tensor,
    bias: Tensor | None,
    head_norms: Tensor | None,
    cosine_TD: Tensor,
    sine_TD: Tensor,
    shape: ModelShape,
    delta: nn.Module | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of a layer, normalised and rotated."""
    num_rotated = shape.num_heads + shape.num_kv_heads
    normed_TE = F.rms_norm(x_TE, (shape.hidden_size,), norm_E, shape.rms_norm_eps)
    qkv_TXD = linear(normed_TE, qkv, delta, bias).unflatten(1, (-1, shape.head_dim))
    both_TXD = qkv_TXD[:, :num_rotated]
    if head_norms is not None:
        both_TXD = F.rms_norm(both_TXD, (shape.head_dim,), None, shape.rms_norm_eps)
        scale_XD = torch.cat([head_norms[:1].expand(shape.num_heads, -1), head_norms[1:].expand(shape.num_kv_heads, -1)])
        both_TXD = both_TXD * scale_XD
    left, right = both_TXD.float().chunk(2, dim=-1)
    cosine, sine = cosine_TD[:, None], sine_TD[:, None]
    both_TXD = torch.cat([left * cosine - right * sine, right * cosine + left * sine], dim=-1).to(x_TE.dtype)
    return both_TXD[:, : shape.num_heads], both_TXD[:, shape.num_heads :], qkv_TXD[:, num_rotated:]


def project_output_and_mlp(
    x_TE: Tensor,
    mixed_THD: Tensor,
    out: Tensor,
    norm_E: Tensor,
    gate_up: Tensor,
    down: Tensor,
    epsilon: float,
    deltas: tuple[nn.Module | None, nn.Module | None, nn.Module | None] = (None, None, None),
) -> Tensor:
    """The rest of a layer: output projection, residual, gated MLP, residual."""
    x_TE = x_TE + linear(mixed_THD.flatten(1), out, deltas[0])
    gate_TM, up_TM = linear(F.rms_norm(x_TE, norm_E.shape, norm_E, epsilon), gate_up, deltas[1]).chunk(2, dim=-1)
    return x_TE + linear(F.silu(gate_TM) * up_TM, down, deltas[2])


def linear(x: Tensor, weight: Tensor, delta: nn.Module | None, bias: Tensor | None = None) -> Tensor:
    """A linear layer, plus what an adapter adds to it."""
    y = F.linear(x, weight, bias)
    return y if delta is None else y + delta(x).to(y.dtype)


class Layer(nn.Module):
    """One transformer block: attention and MLP."""

    def __init__(self, shape: ModelShape) -> None:
        super().__init__()
        self.shape = shape
        heads_out = (shape.num_heads + 2 * shape.num_kv_heads) * shape.head_dim
        self.norm_1 = nn.Parameter(torch.ones(shape.hidden_size))
        self.qkv = nn.Parameter(torch.empty(heads_out, shape.hidden_size))
        self.qkv_bias = nn.Parameter(torch.zeros(heads_out)) if shape.qkv_bias else None
        self.head_norms = nn.Parameter(torch.ones(2, shape.head_dim)) if shape.qk_norm else None
        self.out = nn.Parameter(torch.empty(shape.hidden_size, shape.num_heads * shape.head_dim))
        self.norm_2 = nn.Parameter(torch.ones(shape.hidden_size))
        self.gate_up = nn.Parameter(torch.empty(2 * shape.intermediate_size, shape.hidden_size))
        self.down = nn.Parameter(torch.empty(shape.hidden_size, shape.intermediate_size))
        self.deltas = nn.ModuleDict()
        self.deltas_enabled = True
        self.project_qkv: Callable[..., tuple[Tensor, Tensor, Tensor]] = project_qkv
        self.project_output_and_mlp: Callable[..., Tensor] = project_output_and_mlp

    def forward(self, index: int, x_TE: Tensor, cosine_TD: Tensor, sine_TD: Tensor, attend: AttentionFunction) -> Tensor:
        """The layer applied to every token; `attend` mixes the tokens."""
        queries, keys, values = self.project_qkv(
            x_TE, self.norm_1, self.qkv, self.qkv_bias, self.head_norms, cosine_TD, sine_TD, self.shape, self._delta("qkv")
        )
        mixed_THD = attend(index, queries, keys, values)
        deltas = self._delta("out"), self._delta("gate_up"), self._delta("down")
        weights = self.out, self.norm_2, self.gate_up, self.down
        return self.project_output_and_mlp(x_TE, mixed_THD, *weights, self.shape.rms_norm_eps, deltas)

    def _delta(self, matrix: str) -> nn.Module | None:
        return self.deltas[matrix] if self.deltas_enabled and matrix in self.deltas else None

    def merged(self, name: str, weight: Tensor) -> Tensor:
        """One of `weights`, with its adapter if it has one."""
        part = name.split(".")[-2]
        delta: Any = next((delta for delta in self.deltas.values() if name.endswith(".weight") and part in delta.factors), None)
        return weight if delta is None else delta.merged(part, weight)

    def weights(self) -> Iterator[tuple[str, Tensor]]:
        """Views of the weights by their Hugging Face names within a layer."""
        sizes = [self.shape.num_heads * self.shape.head_dim] + [self.shape.num_kv_heads * self.shape.head_dim] * 2
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
        yield "mlp.gate_proj.weight", self.gate_up[: self.shape.intermediate_size]
        yield "mlp.up_proj.weight", self.gate_up[self.shape.intermediate_size :]
        yield "mlp.down_proj.weight", self.down


class Decoder(nn.Module):
    """The whole network, from tokens to the last hidden states; `head_VE` maps those to logits.

    value_head        adds one output per token, computed by `values`
    config            the Hugging Face configuration of the model, written when it is saved
    gradient_checkpointing  recompute each layer in the backward pass instead of storing its activations
    lora              the adapter that is trained in place of the weights, or None
    """

    shares_prefixes = True
    head_transform = None

    def __init__(self, shape: ModelShape, config: dict[str, Any] | None = None, value_head: bool = False) -> None:
        super().__init__()
        self.shape = shape
        self.config = dict(config or {})
        self.gradient_checkpointing = False
        self.lora: Any = None
        self.embedding_VE = nn.Parameter(torch.empty(shape.vocab_size, shape.hidden_size))
        self.layers = nn.ModuleList([Layer(shape) for _ in range(shape.num_layers)])
        self.norm_E = nn.Parameter(torch.ones(shape.hidden_size))
        self.untied_head_VE = None if shape.tie_word_embeddings else nn.Parameter(torch.empty(shape.vocab_size, shape.hidden_size))
        self.value_1E = nn.Parameter(torch.zeros(1, shape.hidden_size)) if value_head else None
        cosine, sine = rotary_table(shape, shape.max_seq_len)
        self.register_buffer("cosine_PD", cosine, persistent=False)
        self.register_buffer("sine_PD", sine, persistent=False)

    @property
    def head_VE(self) -> Tensor:
        """The output head: the embedding table if the two are tied."""
        return self.embedding_VE if self.untied_head_VE is None else self.untied_head_VE

    @property
    def device(self) -> torch.device:
        return self.embedding_VE.device

    @property
    def dtype(self) -> torch.dtype:
        return self.embedding_VE.dtype

    def forward(self, tokens_T: Tensor, positions_T: Tensor, attend: AttentionFunction) -> Tensor:
        """Hidden states after the last norm, [T, E]; entry t has seen tokens up to t and predicts token t + 1."""
        x_TE = F.embedding(tokens_T, self.embedding_VE)
        cosine_TD, sine_TD = self.cosine_PD[positions_T], self.sine_PD[positions_T]
        for index, layer in enumerate(self.layers):
            if self.gradient_checkpointing and torch.is_grad_enabled():
                x_TE = checkpoint(layer, index, x_TE, cosine_TD, sine_TD, attend, use_reentrant=False)
            else:
                x_TE = layer(index, x_TE, cosine_TD, sine_TD, attend)
        return F.rms_norm(x_TE, (self.shape.hidden_size,), self.norm_E, self.shape.rms_norm_eps)

    def logits(self, hidden_TE: Tensor) -> Tensor:
        """Logits in float32, [T, V]. For many tokens use `logprobs.score`, which never holds them all."""
        return matmul_float32(hidden_TE, self.head_VE)

    def transformed(self, product_TV: Tensor) -> Tensor:
        """The logits from the product of hidden states and output head: the product itself."""
        return product_TV

    def enable_gradient_checkpointing(self, enabled: bool) -> None:
        """Recompute each layer in the backward pass, or not."""
        self.gradient_checkpointing = enabled

    def values(self, hidden_TE: Tensor) -> Tensor:
        """The value head's estimate from each hidden state, [T] in float32."""
        if self.value_1E is None:
            raise ValueError("this model has no value head; load or make it with value_head=True")
        return F.linear(hidden_TE, self.value_1E).squeeze(1).float()

    def weights(self) -> Iterator[tuple[str, Tensor]]:
        """Every weight by its Hugging Face name, as a view without gradient; a tied head is omitted, and an adapter is merged."""
        # No `no_grad` here: interleaved iteration over two of these generators would leave it switched on.
        yield "model.embed_tokens.weight", self.embedding_VE.detach()
        for index, layer in enumerate(self.layers):
            for name, weight in layer.weights():
                yield f"model.layers.{index}.{name}", layer.merged(name, weight.detach())
        yield "model.norm.weight", self.norm_E.detach()
        if self.untied_head_VE is not None:
            yield "lm_head.weight", self.untied_head_VE.detach()
        if self.value_1E is not None:
            yield "value_head.weight", self.value_1E.detach()

    def load_weights(self, weights: Iterable[tuple[str, Tensor]]) -> None:
        """Copy weights in by their Hugging Face names; views of this model's own memory are skipped.

        Raises ValueError for an unknown name, a different size, and a missing weight (except the value head, which starts at zero,
        and the head of a tied model, which is ignored).
        """
        assert self.lora is None, "the weights of a model with an adapter are fixed"
        mine = dict(self.weights())
        missing = set(mine) - {"value_head.weight"}
        for name, weight in weights:
            if name == "lm_head.weight" and self.shape.tie_word_embeddings:
                continue
            if name not in mine:
                raise ValueError(f"the model has no weight {name!r}: it has another architecture")
            if mine[name].shape != weight.shape:
                raise ValueError(f"{name} has size {tuple(weight.shape)}, but the model needs {tuple(mine[name].shape)}")
            missing.discard(name)
            if mine[name].data_ptr() != weight.data_ptr():
                mine[name].copy_(weight)
        if missing:
            raise ValueError(f"{len(missing)} weights are missing, for example {sorted(missing)[0]!r}")

    def to_dtype_copy(self, dtype: torch.dtype) -> Decoder:
        """A copy in another precision without gradients; the rotary angles stay in float32."""
        model = copy.deepcopy(self).to(dtype).requires_grad_(False)
        model.cosine_PD, model.sine_PD = self.cosine_PD.clone(), self.sine_PD.clone()
        return model

    def compile_blocks(self) -> None:
        """torch.compile the parts between attentions; useful on a GPU, where it fuses many small operations."""
        compiled_qkv, compiled_output = torch.compile(project_qkv), torch.compile(project_output_and_mlp)
        for layer in self.layers:
            layer.project_qkv, layer.project_output_and_mlp = compiled_qkv, compiled_output

    @torch.no_grad()
    def init_weights(self, seed: int) -> None:
        """Random weights: normal with standard deviation 0.02, and less for layers that write to the residual stream."""
        generator = torch.Generator().manual_seed(seed)
        residual_std = 0.02 / math.sqrt(2 * self.shape.num_layers)
        for name, weight in self.named_parameters():
            if weight.dim() == 2 and not name.endswith(("head_norms", "value_1E")):
                std = residual_std if name.endswith((".out", ".down")) else 0.02
                weight.copy_(torch.randn(weight.shape, generator=generator) * std)


def matmul_float32(hidden_TE: Tensor, head_VE: Tensor) -> Tensor:
    """hidden · headᵀ in float32; the result of a bfloat16 product is not rounded."""
    if hidden_TE.dtype == torch.float32:
        return F.linear(hidden_TE, head_VE)
    if hidden_TE.is_cuda:
        return torch.mm(hidden_TE, head_VE.t(), out_dtype=torch.float32)
    return F.linear(hidden_TE.float(), head_VE.float())
