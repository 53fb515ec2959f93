"""A policy whose logits are the sum of those of a trained model and of frozen ones with the same vocabulary.

From "Universal Reasoner: A Single, Composable Plug-and-Play Reasoner for Frozen LLMs" (UniR). The hidden states of all models stand side by side, and so do
their output heads, so that one product sums the logits: scoring, sampling and losses see one decoder.

Axes: T tokens, E width, V vocabulary.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import torch
from torch import Tensor, nn

from rlgym.train.model.decoder import AttentionFunction, Decoder, matmul_float32
from rlgym.train.model.pretrained import ModelError
from rlgym.train.model.shape import ModelShape


@dataclass(frozen=True)
class SummedShape(ModelShape):
    """The sizes of the trained model, `parts[0]`, with the layers of all models; `parts[1:]` are the frozen ones."""

    parts: tuple[ModelShape, ...] = ()

    def matrix_parameters(self) -> int:
        """Weights that multiply every token, of all models."""
        return sum(part.matrix_parameters() for part in self.parts)

    def training_flops(self, lengths: Sequence[int], shared: Sequence[int] | None = None) -> float:
        """Floating-point operations of forward and backward; of the frozen models of the forward pass alone."""
        own, *others = (part.training_flops(lengths, shared) for part in self.parts)
        return own + sum(others) / 3

    def cache_bytes(self, bytes_per_number: int = 2) -> int:
        """Bytes of keys and values of one token in the caches of all models."""
        return sum(part.cache_bytes(bytes_per_number) for part in self.parts)


def summed_shape(parts: Sequence[ModelShape]) -> SummedShape:
    """The sizes of a sum, the trained model first. Raises ModelError for models that cannot be summed."""
    own = parts[0]
    for other in parts[1:]:
        for name in ("vocab_size", "num_kv_heads", "head_dim"):
            if getattr(other, name) != getattr(own, name):
                raise ModelError(
                    f"model.summed_with: the trained model has {name}={getattr(own, name)} and a frozen one {getattr(other, name)}: logits are summed "
                    "over one vocabulary, and the cache has one size of keys; use models that agree"
                )
    own_fields = {field.name: getattr(own, field.name) for field in fields(ModelShape)}
    changed = {"num_layers": sum(part.num_layers for part in parts), "max_seq_len": min(part.max_seq_len for part in parts)}
    return SummedShape(**(own_fields | changed), parts=tuple(parts))


class SummedDecoder(Decoder):
    """The trained model with the logits of frozen ones added. `weights` are those of the trained model alone."""

    def __init__(self, trained: Decoder, frozen: Sequence[Decoder]) -> None:
        with torch.device("meta"):
            super().__init__(replace(trained.shape, num_layers=0), trained.config)
        for name in ("_parameters", "_modules", "_buffers"):
            getattr(self, name).update(getattr(trained, name))
        self.shape = summed_shape([trained.shape, *(model.shape for model in frozen)])
        self.frozen = nn.ModuleList([model.requires_grad_(False) for model in frozen])

    def forward(self, tokens_T: Tensor, positions_T: Tensor, attend: AttentionFunction) -> Tensor:
        """The hidden states of all models side by side, [T, sum of the widths]; layers are counted through."""
        hidden, first = [super().forward(tokens_T, positions_T, attend)], len(self.layers)
        with torch.no_grad():
            for model in self.frozen:
                hidden.append(model(tokens_T, positions_T, _shifted(attend, first)))
                first += len(model.layers)
        return torch.cat(hidden, dim=1)

    @property
    def head_VE(self) -> Tensor:
        """The output heads side by side."""
        return torch.cat([self._own_head, *(model.head_VE for model in self.frozen)], dim=1)

    @property
    def _own_head(self) -> Tensor:
        return self.embedding_VE if self.untied_head_VE is None else self.untied_head_VE

    def logits(self, hidden_TE: Tensor) -> Tensor:
        """The summed logits in float32, [T, V], without a copy of the heads."""
        heads = [self._own_head, *(model.head_VE for model in self.frozen)]
        parts = hidden_TE.split([head.shape[1] for head in heads], dim=1)
        return torch.stack([matmul_float32(part, head) for part, head in zip(parts, heads, strict=True)]).sum(0)

    def to_dtype_copy(self, dtype: torch.dtype) -> Decoder:
        """A copy in another precision without gradients; the rotary angles stay in float32."""
        model = copy.deepcopy(self).to(dtype).requires_grad_(False)
        for copied, own in zip([model, *model.frozen], [self, *self.frozen], strict=True):
            mine: Any = own
            copied.cosine_PD, copied.sine_PD = mine.cosine_PD.clone(), mine.sine_PD.clone()
        return model


def _shifted(attend: AttentionFunction, first: int) -> AttentionFunction:
    """The attention of a model whose layers are counted from `first` on."""
    return lambda layer, queries, keys, values: attend(first + layer, queries, keys, values)
