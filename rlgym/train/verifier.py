"""Trains a small verifier: a sequence classifier of Transformers on labelled responses, or on pairs of which one is better or both are equally good.

Labels may be probabilities, such as those of `rlgym.rubrics.weak_ensemble` ("Shrinking the Generation-Verification Gap with Weak Verifiers"), or the
verdicts of an environment ("Improving LLM Reasoning through Scaling Inference Computation with Collaborative Verification"). Pairs with ties are those of
"Robust Reward Modeling via Causal Rubrics" (Crome). The folder that is written is a reward model that `rlgym audit --reward-model` measures.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import RowError
from rlgym.dataset.score import read_responses
from rlgym.train.config.sections import TrainError

if TYPE_CHECKING:
    import torch

METRICS = "verifier.json"
HELD_OUT = 0.1
"""Share of the prompts that are measured and not learned from."""


@dataclass(frozen=True)
class Example:
    """One or two texts to score. With one, `target` is the probability that it is right; with two, that the first is better: 1, or 1/2 for a tie."""

    texts: tuple[str, ...]
    target: float
    held_out: bool

    @property
    def tie(self) -> bool:
        """Whether it is a pair of equals."""
        return len(self.texts) == 2 and self.target == 0.5


@dataclass(frozen=True)
class VerifierOptions:
    """How a verifier is trained.

    steps       optimizer steps
    batch_size  labelled responses or pairs per step
    lr          learning rate, constant
    tie_weight  weight of a tie beside a pair with a better side
    max_tokens  tokens of a text; of a longer one the end is kept
    seed        of the classifier's head and of the order of the examples
    """

    steps: int = 200
    batch_size: int = 16
    lr: float = 1e-4
    tie_weight: float = 1.0
    max_tokens: int = 1024
    seed: int = 0


def train_verifier(data: Path, model: Path, out: Path, options: VerifierOptions | None = None) -> dict[str, float]:
    """Train the verifier that starts from the model folder, write it to a new folder, and return its measures on held-out prompts.

    data  JSON lines or Parquet: `prompt`, `response` and `label` from 0 to 1; or `prompt`, `chosen`, `rejected` and perhaps `tie`, as
          `rlgym dataset export --for reward-pairs` writes them. Prompts and responses are texts or lists of messages.

    The loss of a response is -y log s - (1 - y) log(1 - s) with s the sigmoid of its logit, that of a pair the same with the difference of two logits; so a
    tie is lowest at equal logits. A tenth of the prompts is held out. RowError for lines that cannot be read, TrainError for a model that cannot be and for
    a loss that is not finite.
    """
    import torch

    from rlgym.train.update.optimizers import clip_and_step

    chosen = options or VerifierOptions()
    if out.exists() and any(out.iterdir()):
        raise TrainError(f"{str(out)!r} is not empty: choose another folder with --out, or remove it")
    tokenizer, network = _load(model, chosen.seed)
    examples = read_examples(read_responses(data), tokenizer)
    learned = [example for example in examples if not example.held_out]
    if not learned:
        raise RowError(
            f"{str(data)!r} has no example to learn from: {len(examples)} are held out, as prompts of one tenth are; give more prompts"
        )
    optimizer = torch.optim.AdamW(network.parameters(), lr=chosen.lr)
    generator = torch.Generator().manual_seed(chosen.seed)
    order: list[int] = []
    for _ in range(chosen.steps):
        if len(order) < chosen.batch_size:
            order += torch.randperm(len(learned), generator=generator).tolist()
        batch, order = [learned[place] for place in order[: chosen.batch_size]], order[chosen.batch_size :]
        logit_B = _logits(network, tokenizer, batch, chosen.max_tokens)
        target_B = torch.tensor([example.target for example in batch], device=logit_B.device)
        weight_B = torch.tensor([chosen.tie_weight if example.tie else 1.0 for example in batch], device=logit_B.device)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logit_B, target_B, weight_B)
        loss.backward()
        norm = clip_and_step(network, optimizer, math.inf)
        if not (math.isfinite(norm) and math.isfinite(float(loss.detach()))):
            raise TrainError(
                f"the training diverged, with a loss of {float(loss.detach())} and a gradient norm of {norm}: use a smaller lr"
            )
    network.eval()
    held_out = [example for example in examples if example.held_out]
    with torch.inference_mode():
        logits = [float(_logits(network, tokenizer, [example], chosen.max_tokens)[0]) for example in held_out]
    metrics = {"learned": float(len(learned)), "held_out": float(len(held_out)), **measures(held_out, logits)}
    network.save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / METRICS).write_text(json.dumps({"options": asdict(chosen), "metrics": metrics}, indent=2) + "\n", encoding="utf-8")
    return metrics


def read_examples(lines: Iterable[Mapping[str, Any]], tokenizer: Any) -> list[Example]:
    """The examples of lines with labels or pairs. RowError for a line that is neither."""
    out = []
    for number, line in enumerate(lines, 1):
        prompt = _messages(line.get("prompt"), "user")
        pair = "chosen" in line or "rejected" in line
        sides = [_messages(line.get(column), "assistant") for column in (("chosen", "rejected") if pair else ("response",))]
        if prompt is None or None in sides:
            raise RowError(f"line {number} needs prompt, response and label, or prompt, chosen and rejected; it has {', '.join(line)}")
        label = (0.5 if line.get("tie") else 1.0) if pair else line.get("label")
        if not isinstance(label, int | float) or not 0 <= label <= 1:
            raise RowError(f"line {number} needs a label from 0 to 1, got {label!r}")
        hashed = hashlib.sha256(json.dumps(prompt[-1]["content"]).encode()).digest()
        held_out = int.from_bytes(hashed[:4], "big") / 2**32 < HELD_OUT
        out.append(Example(tuple(_text(tokenizer, [*prompt, *side]) for side in sides if side), float(label), held_out))
    return out


def measures(examples: Sequence[Example], logits: Sequence[float]) -> dict[str, float]:
    """What the logits are worth, the difference of two for a pair.

    accuracy, brier  of labelled responses: s on the same side of 1/2 as the label, and the mean squared difference
    ordered          of pairs: the better side has the higher score
    tie_gap          of ties: the mean absolute difference of the logits
    pair_gap         of pairs with a better side: the mean of their difference
    """
    import torch

    rows = list(zip(examples, logits, strict=True))
    scores = torch.tensor(list(logits), dtype=torch.float64).sigmoid().tolist()
    single = [(score, example.target) for example, score in zip(examples, scores, strict=True) if len(example.texts) == 1]
    ordered = [logit for example, logit in rows if len(example.texts) == 2 and not example.tie]
    ties = [abs(logit) for example, logit in rows if example.tie]
    found: dict[str, float] = {}
    if single:
        found["accuracy"] = sum((score > 0.5) == (label > 0.5) for score, label in single) / len(single)
        found["brier"] = sum((score - label) ** 2 for score, label in single) / len(single)
    if ordered:
        found |= {"ordered": sum(gap > 0 for gap in ordered) / len(ordered), "pair_gap": sum(ordered) / len(ordered)}
    if ties:
        found["tie_gap"] = sum(ties) / len(ties)
    return found


def _load(model: Path, seed: int) -> tuple[Any, Any]:
    """The tokenizer, and the model with a new head of one logit where it has none."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(seed)
    try:
        tokenizer = AutoTokenizer.from_pretrained(model, local_files_only=True, trust_remote_code=False)
        network = AutoModelForSequenceClassification.from_pretrained(
            model, num_labels=1, dtype=torch.float32, local_files_only=True, trust_remote_code=False
        )
    except (OSError, ValueError, KeyError) as error:
        raise TrainError(f"the model in {str(model)!r} cannot be loaded as a sequence classifier: {str(error).splitlines()[0]}") from None
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side, tokenizer.truncation_side = "right", "left"
    network.config.pad_token_id = tokenizer.pad_token_id
    return tokenizer, network.train().to("cuda" if torch.cuda.is_available() else "cpu")


def _logits(network: Any, tokenizer: Any, batch: Sequence[Example], max_tokens: int) -> torch.Tensor:
    """The logit [B] of each labelled response, and the difference of the two logits of each pair."""
    import torch

    texts = [text for example in batch for text in example.texts]
    longest = min(max_tokens, getattr(network.config, "max_position_embeddings", max_tokens))
    tokens = tokenizer(texts, return_tensors="pt", padding=True, truncation=True, max_length=longest).to(network.device)
    logits = network(input_ids=tokens["input_ids"], attention_mask=tokens["attention_mask"]).logits[:, 0].float()
    out, place = [], 0
    for example in batch:
        out.append(logits[place] - logits[place + 1] if len(example.texts) == 2 else logits[place])
        place += len(example.texts)
    return torch.stack(out)


def _messages(content: Any, role: str) -> list[dict[str, str]] | None:
    """A text or a list of messages as messages; None for anything else."""
    if isinstance(content, str):
        return [{"role": role, "content": content}]
    if isinstance(content, list) and content and all(isinstance(each, Mapping) and {"role", "content"} <= each.keys() for each in content):
        return [{"role": each["role"], "content": each["content"]} for each in content]
    return None


def _text(tokenizer: Any, messages: Sequence[Mapping[str, str]]) -> str:
    """The text that is scored, as `rlgym audit --reward-model` writes it: the chat template's, otherwise the messages with empty lines between them."""
    if tokenizer.chat_template:
        return str(tokenizer.apply_chat_template(list(messages), tokenize=False))
    return "\n\n".join(message["content"] for message in messages)
