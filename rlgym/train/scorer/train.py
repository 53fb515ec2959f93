"""The training loop of a scorer of steps, and the folder that it writes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from rlgym import Rng
from rlgym.dataset.files import write_atomically
from rlgym.evaluate.models.step_scorer import FACTS, MODEL
from rlgym.evaluate.steps.records import StepRecord, StepsError, read_records
from rlgym.train.config.sections import DomainWeightsConfig, ModelConfig
from rlgym.train.data.collate import collate
from rlgym.train.model.backend import load_policy_model
from rlgym.train.model.state import save_policy_model
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.episodes import Episode
from rlgym.train.scorer.data import balanced, examples_of, pair_examples, read_pairs
from rlgym.train.scorer.families import FamilyWeights
from rlgym.train.scorer.objectives import LOGITS, OBJECTIVES, Example, objective_loss
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.optimizers import clip_and_step
from rlgym.train.update.policy import PolicyForward, loss_gradients
from rlgym.train.update.process_model import head_outputs

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.data.batch import Batch

TOKENS_PER_MICRO_BATCH = 8192
LOG = "train.jsonl"


@dataclass(frozen=True)
class ScorerOptions:
    """How a scorer is trained.

    objective  steps, outcome, tokens, td or pairs
    source     whose labels `steps` learns: exact, rates or judge
    merge      `steps`: add responses in which two consecutive steps are one
    decay      `td`: the lambda of the returns
    balance    `steps`: leave out responses until as many end in a wrong step as in a right one
    held_out   labelled steps of other tasks, by which each environment gets a weight; not for `pairs`
    weight_every, weight_lr  steps between updates of the weights, and how far the logarithm of a weight moves for a cosine of 1
    """

    objective: str = "steps"
    source: str = "exact"
    merge: bool = False
    decay: float = 0.5
    epochs: int = 1
    batch_size: int = 16
    lr: float = 1e-5
    max_grad_norm: float = 1.0
    seed: int = 0
    balance: bool = False
    held_out: str = ""
    weight_every: int = 10
    weight_lr: float = 0.5

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise StepsError(f"there is no objective {self.objective!r}: use one of {', '.join(OBJECTIVES)}")
        if self.merge and self.objective != "steps":
            raise StepsError(f"merged steps need labels: they are for the objective 'steps', not for {self.objective!r}")
        if self.balance and self.objective != "steps":
            raise StepsError(f"balance needs labels: it is for the objective 'steps', not for {self.objective!r}")
        if self.weight_every < 1 or not 0 < self.weight_lr <= 10:
            raise StepsError(
                f"weight_every must be at least 1 and weight_lr from above 0 to 10, got {self.weight_every} and {self.weight_lr}"
            )
        if self.held_out and self.objective == "pairs":
            raise StepsError("held-out responses weigh environments, which preferences do not name: leave --held-out out for 'pairs'")


def train_scorer(
    data: Path, model: Path, out: Path, options: ScorerOptions, on_step: Callable[[int, int, float], None] | None = None
) -> list[float]:
    """Train a scorer on labelled steps (or for `pairs` on preferences) from the model in a folder; the loss of each step.

    It has a new value head, or the one next to the model's folder. Raises StepsError without data and for a folder `out` that is not empty, and
    RlgymError for a folder without a model.
    """
    if out.exists() and any(out.iterdir()):
        raise StepsError(f"{str(out)!r} is not empty: choose another folder with --out, or remove it")
    tokenizer = load_tokenizer(model)
    network = load_policy_model(ModelConfig(path=str(model)), value_head=True)
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    passes = PolicyForward(network, TOKENS_PER_MICRO_BATCH, 1.0)
    limit = network.shape.max_seq_len
    items: Sequence[Sequence[Example]]
    weights: FamilyWeights | None = None
    if options.objective == "pairs":
        items = pair_examples(read_pairs(data), tokenizer, limit)
    else:
        records = read_records(data)
        examples = examples_of(records, tokenizer, limit, options.objective, options.source, options.merge)
        examples = balanced(examples, options.seed) if options.balance else examples
        items = [(example,) for example in examples]
        weights = _family_weights(records, examples, tokenizer, limit, options) if options.held_out else None
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.lr, betas=(0.9, 0.95), weight_decay=0.0)
    losses: list[float] = []
    logged: list[dict[str, Any]] = []
    parameters = [weight for weight in network.parameters() if weight.requires_grad]
    total = options.epochs * math.ceil(len(items) / options.batch_size)
    for epoch in range(options.epochs):
        order = Rng("scorer", options.seed, epoch).shuffled(items)
        for first in range(0, len(order), options.batch_size):
            examples = [example for item in order[first : first + options.batch_size] for example in item]
            if weights is not None:
                weights.update(len(losses), parameters, partial(_gradient, passes, optimizer, parameters, options))
                examples = weights.batch(len(losses), len(examples))
            losses.append(_step(passes, optimizer, examples, options))
            logged.append({"step": len(losses), "loss": losses[-1]} | ({"weights": weights.by_name()} if weights else {}))
            if on_step is not None:
                on_step(len(losses), total, losses[-1])
    out.mkdir(parents=True, exist_ok=True)
    save_policy_model(network, out / MODEL, str(model), True)
    tokenizer.save_pretrained(out / MODEL)
    facts = asdict(options) | {"output": "logit" if options.objective in LOGITS else "value", "data": str(data), "examples": len(items)}
    facts |= {"weights": weights.by_name()} if weights else {}
    write_atomically(out / FACTS, (json.dumps(facts, indent=1) + "\n").encode())
    write_atomically(out / LOG, "".join(json.dumps(line) + "\n" for line in logged).encode())
    return losses


def scorer_outputs(passes: PolicyForward, batch: Batch) -> Tensor:
    """The output of the value head at each token of the responses, 0 elsewhere, without gradient."""
    return passes.measure(batch, partial(head_outputs, None))


def batch_of(examples: Sequence[Example], device: torch.device | str = "cpu") -> Batch:
    """Examples as a batch whose loss is on the tokens of the responses."""
    task = TaskSpec("", 0.0, 0, "train")
    episodes = [
        Episode(
            number, number, task, list(example.tokens), [place >= example.start for place in range(len(example.tokens))],
            [0.0] * len(example.tokens), None,
        )
        for number, example in enumerate(examples)
    ]  # fmt: skip
    return collate(episodes, device)


def _family_weights(
    records: Sequence[StepRecord], examples: Sequence[Example], tokenizer: Any, limit: int, options: ScorerOptions
) -> FamilyWeights:
    """The weights of the environments of the examples, judged by the held-out responses."""
    env_of = {record.id: record.env for record in records}
    families: dict[str, list[Example]] = {}
    for example in examples:
        families.setdefault(env_of[example.group], []).append(example)
    held_out = examples_of(read_records(Path(options.held_out)), tokenizer, limit, options.objective, options.source)
    chosen = DomainWeightsConfig(every_steps=options.weight_every, lr=options.weight_lr)
    return FamilyWeights(dict(sorted(families.items())), held_out, chosen, options.seed)


def _gradient(
    passes: PolicyForward,
    optimizer: torch.optim.Optimizer,
    parameters: Sequence[Tensor],
    options: ScorerOptions,
    examples: Sequence[Example],
) -> list[Tensor]:
    """The gradient of the loss on some examples; the gradients of the model are cleared."""
    optimizer.zero_grad(set_to_none=True)
    _backward(passes, examples, options)
    found = [torch.zeros_like(weight) if weight.grad is None else weight.grad.detach().clone() for weight in parameters]
    optimizer.zero_grad(set_to_none=True)
    return found


def _step(passes: PolicyForward, optimizer: torch.optim.Optimizer, examples: Sequence[Example], options: ScorerOptions) -> float:
    """One optimizer step; the loss before it. Raises StepsError for a loss or gradients that are not finite."""
    loss = _backward(passes, examples, options)
    norm = clip_and_step(passes.model, optimizer, options.max_grad_norm)
    if not (math.isfinite(norm) and math.isfinite(loss)):
        raise StepsError(f"the training diverged, with a loss of {loss} and a gradient norm of {norm}: use a smaller lr")
    return loss


def _backward(passes: PolicyForward, examples: Sequence[Example], options: ScorerOptions) -> float:
    """Add the gradient of the loss on some examples; the loss."""
    batch = batch_of(examples, passes.model.device)
    output_T = scorer_outputs(passes, batch)

    def objective(new_T: Tensor, unused_T: Tensor) -> tuple[Tensor, dict[str, float]]:
        loss = objective_loss(options.objective, examples, new_T, options.decay)
        return loss, {"loss": float(loss.detach())}

    gradient_T, _, metrics = loss_gradients(objective, output_T, torch.zeros_like(output_T))
    passes.backward_of(batch, torch.ones_like(batch.valid_N), partial(head_outputs, gradient_T), 1.0)
    return metrics["loss"]
