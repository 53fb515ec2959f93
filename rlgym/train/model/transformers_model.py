"""Any causal language model of transformers behind the interface of the native decoder.

Sequences of a pack are computed as right-padded rows, groups of similar length at a time. Hidden states are read at the input of
the output head, so that log-probabilities are computed as for the native decoder, without the logits of all tokens at once.

Axes: T tokens of a pack, N rows, L positions of a row, E width, S scored tokens, V vocabulary.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from rlgym.train.model.attention import PackedAttention, group_by_length, padded_indices
from rlgym.train.model.decoder import matmul_float32
from rlgym.train.model.lora import LoraAdapter
from rlgym.train.model.peft_adapter import merged_state
from rlgym.train.model.pretrained import ModelError
from rlgym.train.model.transformers_head import HeadTransform, find_head_transform
from rlgym.train.model.transformers_loading import quiet_transformers, switch_off_dropout
from rlgym.train.model.transformers_shape import TransformersShape, shape_of_network


class TransformersModel(nn.Module):
    """A network of transformers, with the methods of `Decoder` that training and generation use.

    network         the model as transformers loads it; dropout is off, so that a policy has one probability for each token
    value_1E        the value head, or None
    lora            the adapter that is trained in place of the network's weights, or None
    head_transform  what follows the product of hidden states and output head, such as a bias or a soft cap; None if nothing
    """

    shares_prefixes = False

    def __init__(self, network: Any, value_head: bool = False, transform_of: TransformersModel | None = None) -> None:
        super().__init__()
        self.network = network
        self.shape: TransformersShape = shape_of_network(network)
        self.config: dict[str, Any] = network.config.to_dict()
        self.lora: LoraAdapter | None = None
        self.gradient_checkpointing = False
        self.value_1E = nn.Parameter(torch.zeros(1, self.head_VE.shape[1])) if value_head else None
        self._random_fields = switch_off_dropout(network)
        self._captured: Tensor | None = None
        self._last_only = False
        network.eval()
        self.head.register_forward_pre_hook(self._capture)
        self.head_transform: HeadTransform | None = self._find_head_transform() if transform_of is None else transform_of.head_transform

    @property
    def head(self) -> Any:
        """The module of the output head."""
        head = self.network.get_output_embeddings()
        if head is None or getattr(head, "weight", None) is None:
            raise ModelError(f"a model of the type {self.network.config.model_type!r} has no linear output head: choose another model")
        return head

    @property
    def head_VE(self) -> Tensor:
        """The weight of the output head."""
        weight: Tensor = self.head.weight
        return weight

    @property
    def device(self) -> torch.device:
        return self.head_VE.device

    @property
    def dtype(self) -> torch.dtype:
        return self.head_VE.dtype

    def forward(self, tokens_T: Tensor, positions_T: Tensor, attend: PackedAttention) -> Tensor:
        """Hidden states at the output head, [T, E], of a pack whose sequences `attend` keeps apart."""
        own, kv_lengths = attend.query_lengths, attend.kv_lengths
        index_C = torch.arange(len(tokens_T), device=tokens_T.device) if attend.kv_index_C is None else attend.kv_index_C
        starts = [0, *accumulate(kv_lengths)]
        parts, order = [], []
        for members in group_by_length(kv_lengths):
            real_NL, padded_NL = padded_indices([starts[n] for n in members], torch.tensor([kv_lengths[n] for n in members]))
            index_NL = index_C[padded_NL.to(index_C.device)]
            mask_NL = None if bool(real_NL.all()) else real_NL.to(index_NL.device)
            hidden_NLE = self._hidden_states(tokens_T[index_NL], mask_NL)
            # A sequence whose prompt another one provides contributes its last tokens only.
            new_NL = real_NL & (torch.arange(real_NL.shape[1]) >= torch.tensor([[kv_lengths[n] - own[n]] for n in members]))
            new_NL = new_NL.to(index_NL.device)
            parts.append(hidden_NLE[new_NL])
            order.append(index_NL[new_NL])
        hidden_TE = torch.cat(parts)
        return torch.empty_like(hidden_TE).index_copy(0, torch.cat(order), hidden_TE)

    def _hidden_states(self, tokens_NL: Tensor, mask_NL: Tensor | None) -> Tensor:
        """The hidden states of right-padded rows: no token sees the padding behind it."""
        training = self.gradient_checkpointing and torch.is_grad_enabled()
        if self.network.training != training:
            self.network.train(training)
        with self._capture_hidden_states(last_only=False):
            self.network(input_ids=tokens_NL, attention_mask=None if mask_NL is None else mask_NL.long(), use_cache=False)
            return self._take()

    @cached_property
    def _cache_name(self) -> str:
        """How the network calls its cache of keys and values: `cache` from transformers 5.24 on, `past_key_values` before."""
        network: Any = self.network
        forward = getattr(network, "get_base_model", lambda: network)().forward
        return "cache" if "cache" in inspect.signature(forward).parameters else "past_key_values"

    def next_hidden(self, last_only: bool = True, cache: Any = None, **inputs: Any) -> tuple[Tensor, Any]:
        """Hidden states at the last position of each row, [N, E], and the updated cache of keys and values."""
        if self.network.training:
            self.network.eval()
        with self._capture_hidden_states(last_only):
            given = {} if cache is None else {self._cache_name: cache}
            output = self.network(use_cache=True, **given, **inputs)
            return self._take()[:, -1], getattr(output, self._cache_name, None)

    def hidden_at_ends(self, tokens_NL: Tensor, lengths_N: Tensor) -> Tensor:
        """Hidden states at the last token of each right-padded row, [N, E], without a cache."""
        positions_L = torch.arange(tokens_NL.shape[1], device=tokens_NL.device)
        hidden_NLE = self._hidden_states(tokens_NL, positions_L < lengths_N[:, None])
        return hidden_NLE[torch.arange(len(tokens_NL), device=tokens_NL.device), lengths_N - 1]

    @contextmanager
    def _capture_hidden_states(self, last_only: bool) -> Iterator[None]:
        self._last_only = last_only
        try:
            yield
        finally:
            self._captured = None

    def _take(self) -> Tensor:
        assert self._captured is not None
        return self._captured

    def _capture(self, module: nn.Module, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Keep what enters the output head, and let the head itself compute one position only."""
        (hidden_NLE,) = inputs
        self._captured = hidden_NLE[:, -1:] if self._last_only else hidden_NLE
        return (hidden_NLE[:, -1:],)

    def logits(self, hidden_TE: Tensor) -> Tensor:
        """Logits in float32, [T, V]."""
        return self.transformed(matmul_float32(hidden_TE, self.head_VE))

    def transformed(self, product_TV: Tensor) -> Tensor:
        """The logits from the product of hidden states and output head."""
        return product_TV if self.head_transform is None else self.head_transform(product_TV, self.head)

    def values(self, hidden_TE: Tensor) -> Tensor:
        """The value head's estimate from each hidden state, [T] in float32."""
        assert self.value_1E is not None
        return nn.functional.linear(hidden_TE, self.value_1E).squeeze(1).float()

    @torch.no_grad()
    def _find_head_transform(self) -> HeadTransform | None:
        tokens_NL = torch.arange(3, device=self.device)[None] % self.shape.vocab_size
        with self._capture_hidden_states(last_only=True):
            logits_NLV = self.network(input_ids=tokens_NL, use_cache=False).logits
            return find_head_transform(self.network, self._take()[0], logits_NLV[0, -1:].float())

    def module_weights(self) -> Iterator[tuple[str, Tensor]]:
        """Every weight by its name in the network, as transformers holds it in memory; the adapter is merged."""
        yield from self._merged_state_dict(self.network.state_dict()).items()
        if self.value_1E is not None:
            yield "value_head.weight", self.value_1E.detach()

    def _merged_state_dict(self, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
        if self.lora is None:
            return dict(state)
        return merged_state(self.network, state)

    def weights(self) -> Iterator[tuple[str, Tensor]]:
        """Every weight by its name in a Hugging Face folder; the adapter is merged."""
        weights: dict[str, Tensor] = {}
        for name, weight in self.module_weights():
            if not any(weight.data_ptr() == other.data_ptr() and weight.shape == other.shape for other in weights.values()):
                weights[name] = weight  # of tied weights the first
        value = weights.pop("value_head.weight", None)
        yield from _names_on_disk(self.network, weights).items()
        if value is not None:
            yield "value_head.weight", value

    @torch.no_grad()
    def load_module_weights(self, weights: Iterable[tuple[str, Tensor]]) -> None:
        """Copy weights in by their names in the network; views of this model's own memory are skipped.

        Raises ValueError for an unknown name and for a missing weight; a value head may be missing on either side.
        """
        assert self.lora is None, "the weights of a model with an adapter are fixed"
        mine = self.network.state_dict()
        if self.value_1E is not None:
            mine["value_head.weight"] = self.value_1E.detach()
        missing = set(mine) - {"value_head.weight"}
        for name, weight in weights:
            missing.discard(name)
            if name not in mine:
                if name != "value_head.weight":
                    raise ValueError(f"the network has no weight {name!r}")
            elif mine[name].data_ptr() != weight.data_ptr():
                mine[name].copy_(weight)
        if missing:
            raise ValueError(f"{len(missing)} weights are missing, for example {sorted(missing)[0]!r}")

    def engine_copy(self, dtype: torch.dtype) -> TransformersModel:
        """A copy without gradients for a rollout engine; an adapter is merged into its weights."""
        with torch.device("meta"):
            network = type(self.network)(self.network.config)
        network = network.to(dtype).to_empty(device=self.device).requires_grad_(False)
        network.tie_weights()
        for name, buffer in network.named_buffers():  # rotary frequencies among others, which stay in float32
            buffer.data = self.network.get_buffer(name).detach().clone()
        copied = TransformersModel(network, transform_of=self)
        copied.load_module_weights(self.module_weights())
        return copied

    def enable_gradient_checkpointing(self, enabled: bool) -> None:
        """Recompute each layer in the backward pass, or not. Raises ModelError if the architecture cannot."""
        if not enabled:
            return
        if not getattr(self.network, "supports_gradient_checkpointing", False):
            raise ModelError(
                f"the model type {self.network.config.model_type!r} has no gradient checkpointing: set compute.gradient_checkpointing=false"
            )
        # Transformers 5 renamed it.
        enable = getattr(self.network, "activation_checkpointing_enable", None) or self.network.gradient_checkpointing_enable
        enable({"use_reentrant": False})
        self.gradient_checkpointing = True

    def save(self, folder: Path) -> None:
        """Write the model, with a merged adapter, as a folder that transformers loads."""
        folder.mkdir(parents=True, exist_ok=True)
        for config, name, value in self._random_fields:
            setattr(config, name, value)
        try:
            with quiet_transformers():
                self.network.save_pretrained(
                    folder, state_dict={k: v.cpu() for k, v in self._merged_state_dict(self.network.state_dict()).items()}
                )
        finally:
            for config, name, _ in self._random_fields:
                setattr(config, name, 0.0)
        # Without this a folder written from an in-memory copy names no architecture.
        written = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if not written.get("architectures"):
            written["architectures"] = [type(self.network).__name__]
            (folder / "config.json").write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")


def _names_on_disk(network: Any, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights as `save_pretrained` writes them: transformers fuses some of them, such as experts, in memory."""
    try:
        from transformers.core_model_loading import revert_weight_conversion
    except ImportError:
        return weights
    return revert_weight_conversion(network, weights)
