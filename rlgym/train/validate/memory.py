"""Estimates the memory of a run from its configuration and the model's sizes, before anything is allocated.

Axes of sizes: E width, M inner width, H heads of queries, K heads of keys and values, D width of a head, V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from rlgym.train.config.schema import Config
from rlgym.train.config.second_models import SecondModelConfig
from rlgym.train.config.sections import ModelConfig, TrainError
from rlgym.train.model.backend import adapter_parameters, read_policy_shape
from rlgym.train.model.decoder import Decoder
from rlgym.train.model.logprobs import MAX_LOGITS_AT_ONCE
from rlgym.train.model.shape import ModelShape
from rlgym.train.model.summed import SummedShape
from rlgym.train.model.transformers_shape import TransformersShape
from rlgym.train.rollout.second_models import folder_of
from rlgym.train.update.optimizers import moment_bytes

GIB = 2**30
NATIVE_MAX_NUM_SEQS = 128
"""Rows of the native engine's cache by default."""


@dataclass(frozen=True)
class MemoryEstimate:
    """Bytes that a run needs on the device of one rank.

    parameters   number of all weights, `trained` of those that are trained: with an adapter its own and a value head's
    weights      the weights, this rank's share of them, and the reference policy's; in float32, on a GPU matrices frozen by an adapter
                 in the precision of the forward pass
    gradients    of the trained weights, in float32
    optimizer    two moments of AdamW for each trained weight, in float32 or 8 bits
    compute      copies of the weights in the precision of the forward pass
    engine       the native engine's own copy of the weights, if it needs one
    cache        keys and values of the native engine
    activations  of one micro-batch, with the logits that are in memory at a time
    second_models  weights and caches of the models of `second_models`
    """

    parameters: int
    trained: int
    weights: int
    gradients: int
    optimizer: int
    compute: int
    engine: int
    cache: int
    activations: int
    second_models: int = 0

    def parts(self) -> dict[str, int]:
        """The bytes by part, without the number of parameters."""
        names = ("weights", "gradients", "optimizer", "compute", "engine", "cache", "activations", "second_models")
        return {name: getattr(self, name) for name in names}

    @property
    def total(self) -> int:
        """The sum of all parts; the cache counts only while the trainer updates if it is not freed then."""
        return sum(self.parts().values())


def estimate_memory(config: Config, shape: ModelShape, device_type: str, num_ranks: int = 1) -> MemoryEstimate:
    """The memory of a run. Parts that a rollout engine of its own process needs are not counted."""
    adapter, head = adapter_parameters(config.model, shape), shape.hidden_size if config.algorithm.uses_critic else 0
    parameters = model_parameters(shape) + head + adapter
    others = sum(model_parameters(part) for part in shape.parts[1:]) if isinstance(shape, SummedShape) else 0
    trained = adapter + head if config.model.lora else parameters - others
    half = config.compute.dtype_on(device_type) == "bfloat16"
    native = config.rollout.engine == "native"
    copied = bool(config.rollout.async_steps) or num_ranks > 1 or config.model.lora is not None
    engine_dtype_bytes = 2 if half and device_type == "cuda" else 4
    engine = (parameters - adapter) * engine_dtype_bytes if native and (copied or engine_dtype_bytes == 2) else 0
    # Of the weights that a rollout in the background still waits for, a copy each.
    if native and config.rollout.async_steps > 1:
        engine += (config.rollout.async_steps - 1) * 4 * (parameters - adapter)
    rows = config.rollout.engine_options.get("max_num_seqs", NATIVE_MAX_NUM_SEQS)
    length = min(config.rollout.engine_options.get("max_seq_len") or config.rollout.max_seq_len, shape.max_seq_len)
    frozen = parameters - trained
    halved = min(frozen, half_precision_parameters(shape)) if config.model.lora and half and device_type == "cuda" else 0
    frozen_bytes = 4 * frozen - 2 * halved
    weights = -(-(4 * trained + frozen_bytes) // num_ranks)
    own_reference = (config.algorithm.uses_reference or bool(config.rollout.recorded)) and config.model.lora is None
    # A process model has weights and moments of its own; its gradients are freed before those of the policy come.
    process_model = config.algorithm.process_model is not None
    trained_model = None if config.algorithm.judge_training is None else config.algorithm.judge_training.model
    activations = activation_bytes(shape, config.update.tokens_per_micro_batch, half, config.compute.gradient_checkpointing)
    return MemoryEstimate(
        parameters=parameters,
        trained=trained,
        weights=weights * (1 + own_reference + process_model + (config.algorithm.self_distillation is not None)),
        gradients=-(-4 * trained // num_ranks),
        optimizer=-(-moment_bytes(config) * trained // num_ranks) + (8 * trained if process_model else 0),
        compute=2 * (parameters - halved) if half else 0,
        engine=engine,
        cache=rows * length * shape.cache_bytes(engine_dtype_bytes) if native else 0,
        # Rows of the transformers backend are padded, and its layers keep more than ours.
        activations=2 * activations if isinstance(shape, TransformersShape) else activations,
        second_models=sum(
            second_model_bytes(chosen, folder_of(chosen, config), 2 if half else 4, trained_model == name)
            for name, chosen in config.second_models.items()
        ),
    )


def second_model_bytes(chosen: SecondModelConfig, folder: Path, dtype_bytes: int, is_trained: bool = False) -> int:
    """Weights and cache of a second model; of one that is trained also another copy of the weights with gradients and optimizer, in float32."""
    shape = read_policy_shape(ModelConfig(path=str(folder), backend=chosen.backend))
    length = min(chosen.max_seq_len, shape.max_seq_len)
    parameters = model_parameters(shape)
    return (dtype_bytes + 16 * is_trained) * parameters + chosen.max_num_seqs * length * shape.cache_bytes(dtype_bytes)


def model_parameters(shape: ModelShape) -> int:
    """The number of weights of a model of these sizes, without a value head."""
    if isinstance(shape, TransformersShape):
        return shape.parameters
    if isinstance(shape, SummedShape):
        return sum(model_parameters(part) for part in shape.parts)
    with torch.device("meta"):
        return sum(weight.numel() for weight in Decoder(shape).parameters())


def half_precision_parameters(shape: ModelShape) -> int:
    """The weights that `store_frozen_matrices` stores in 16 bits: linear layers, without embeddings, output head and fused experts."""
    if isinstance(shape, TransformersShape):
        return sum(inputs * outputs for _, inputs, outputs in shape.linear_layers)
    return shape.matrix_parameters() - shape.vocab_size * shape.hidden_size


def activation_bytes(shape: ModelShape, tokens: int, half: bool, gradient_checkpointing: bool) -> int:
    """What a forward pass of `tokens` tokens keeps for the backward pass."""
    e, m, d = shape.hidden_size, shape.intermediate_size, shape.head_dim
    h, k = shape.num_heads, shape.num_kv_heads
    b = 2 if half else 4
    # Two residual streams in float32 and their norms, queries and keys before and after the rotation, attention, and the gated MLP.
    layer = 8 * e + 2 * b * e + 12 * d * (h + k) + b * d * (h + 2 * k) + 2 * b * d * h + 4 * b * m
    layers = 4 * e * shape.num_layers + layer if gradient_checkpointing else layer * shape.num_layers
    logits = 2 * 4 * min(MAX_LOGITS_AT_ONCE, tokens * shape.vocab_size)
    return tokens * (layers + 12 * e + 4 * d) + logits


def available_memory(device: torch.device) -> int:
    """Free bytes of a GPU, or bytes of main memory that a process may still use; 0 if the system does not tell."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    try:
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    kib = next((line.split()[1] for line in lines if line.startswith("MemAvailable")), "0")
    return 1024 * int(kib)


def memory_advice(config: Config, shape: ModelShape, estimate: MemoryEstimate, available: int, num_ranks: int = 1) -> list[str]:
    """What to change so that a run fits: the changes that help most come first."""
    excess, advice = estimate.total - available, []
    if estimate.cache:
        rows = config.rollout.engine_options.get("max_num_seqs", NATIVE_MAX_NUM_SEQS)
        fitting = int(rows * (estimate.cache - excess) / estimate.cache) if excess < estimate.cache else 0
        smaller = f"rollout.engine_options.max_num_seqs={max(8, fitting)}" if fitting >= 8 else "rollout.engine_options.max_num_seqs=8"
        advice.append((estimate.cache, f"set {smaller} (now {rows}), or lower rollout.max_seq_len={config.rollout.max_seq_len}"))
    if not config.compute.gradient_checkpointing:
        advice.append((estimate.activations, "set compute.gradient_checkpointing=true"))
    elif config.update.tokens_per_micro_batch > config.rollout.max_seq_len:
        advice.append((estimate.activations, f"lower update.tokens_per_micro_batch={config.update.tokens_per_micro_batch}"))
    if config.algorithm.process_model is not None:
        advice.append((2 * estimate.weights // 3, "leave algorithm.process_model out, with another advantage than 'prime'"))
    elif config.algorithm.uses_reference and config.model.lora is None:
        advice.append((estimate.weights // 2, "set algorithm.kl_coef=0, so that no reference policy is loaded"))
    states = estimate.weights + estimate.gradients + estimate.optimizer
    if config.model.lora is None:
        advice.append((estimate.gradients + estimate.optimizer, "train an adapter instead of all weights: set model.lora={rank: 16}"))
    advice.append((states, "use a smaller model, or shard over more GPUs with torchrun" if num_ranks == 1 else "use more ranks"))
    return [text for _, text in sorted(advice, key=lambda pair: -pair[0])]


def check_memory(config: Config, shape: ModelShape, device: torch.device, num_ranks: int = 1) -> MemoryEstimate:
    """The estimate. Raises TrainError, with what to change, if the run does not fit."""
    estimate, available = estimate_memory(config, shape, device.type, num_ranks), available_memory(device)
    if available and estimate.total > available:
        parts = ", ".join(f"{name} {size / GIB:.1f}" for name, size in estimate.parts().items() if size)
        raise TrainError(
            f"the run needs about {estimate.total / GIB:.1f} GiB ({parts}), but {available / GIB:.1f} GiB of {device.type} memory are "
            f"available: {'; or '.join(memory_advice(config, shape, estimate, available, num_ranks)[:2])}"
        )
    return estimate
