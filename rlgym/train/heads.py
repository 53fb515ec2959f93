"""One trunk with a head for each objective, trained by DPO on pairs of that objective, and mixed when it is used.

From "Simultaneous Multi-objective Alignment Across Verifiable and Non-verifiable Rewards" (MAH-DPO). Logits are linear in the weights of a head, so a
mixture of the heads' logits is one head with the mixed weights: a mixture is an ordinary model folder.

Axes: N sequences, L positions, V vocabulary, H hidden size.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import RowError, suggestion
from rlgym.dataset.score import read_responses
from rlgym.train.config.sections import TrainError
from rlgym.train.offline import collate_rows, encode, hidden_states, is_held_out, load_causal, prompt_of, require_new_folder, response_of

if TYPE_CHECKING:
    from torch import Tensor

HEADS, FACTS = "heads.safetensors", "heads.json"

Row = tuple[list[int], int]


@dataclass(frozen=True)
class Pair:
    """Two responses to a prompt, of which the first is better in one objective: their tokens, and where each response begins."""

    part: str
    chosen: Row
    rejected: Row
    held_out: bool


@dataclass(frozen=True)
class HeadsOptions:
    """How trunk and heads are trained.

    steps       optimizer steps
    batch_size  pairs of each objective per step
    lr          learning rate, constant
    beta        coefficient of the log-ratios to the initial model
    max_tokens  tokens of a prompt with its response
    seed        of the order of the pairs
    """

    steps: int = 200
    batch_size: int = 8
    lr: float = 1e-5
    beta: float = 0.1
    max_tokens: int = 1024
    seed: int = 0


def train_heads(data: Path, model: Path, out: Path, options: HeadsOptions | None = None) -> dict[str, float]:
    """Train a trunk and a head for each `part` in the data, and write them to a new folder; the measures on held-out prompts.

    data  JSON lines or Parquet with `prompt`, `chosen`, `rejected` and `part`, as `rlgym dataset export --for part-dpo` writes them

    Every head starts as the model's own. The loss is the sum over the objectives of -log sigmoid(beta (log-ratio of the chosen - that of the rejected)),
    each under its own head, so the trunk learns from all and a head from its own pairs. Measures are `PART/accuracy`, how often the head of an objective
    prefers the better side of its pairs more than the initial model does, and `PART/other_heads`, the mean of that of the other heads. RowError for lines
    that cannot be read, TrainError for a model that cannot be and for a loss that is not finite.
    """
    import torch
    from safetensors.torch import save_file

    from rlgym.train.update.optimizers import clip_and_step

    chosen = options or HeadsOptions()
    require_new_folder(out)
    tokenizer, network = load_causal(model)
    pairs = read_pairs(read_responses(data), tokenizer, chosen.max_tokens)
    learned = {part: [pair for pair in found if not pair.held_out] for part, found in by_part(pairs).items()}
    if not learned:
        raise RowError(f"{str(data)!r} has no pairs")
    if empty := [part for part, found in learned.items() if not found]:
        raise RowError(
            f"{str(data)!r} has no pair of the part {empty[0]!r} to learn from: a tenth of the prompts is held out; give more prompts"
        )
    _require_linear_head(network, model)
    initial_VH = network.get_output_embeddings().weight.detach().clone()
    heads = torch.nn.ParameterDict({name: torch.nn.Parameter(initial_VH.clone()) for name in _keys(learned)})
    keys = dict(zip(learned, heads, strict=True))
    with torch.inference_mode():
        reference = {id(pair): _margins(network, initial_VH, [pair]) for pair in pairs}
    # The head of the folder takes no part: the trunk and the heads are what is learned.
    trunk = [weight for weight in network.base_model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW([*trunk, *heads.parameters()], lr=chosen.lr, weight_decay=0.0)
    generator = torch.Generator().manual_seed(chosen.seed)
    holder = torch.nn.Module()
    holder.trunk, holder.heads = network.base_model, heads
    for _ in range(chosen.steps):
        total = torch.zeros((), device=network.device)
        for part, found in learned.items():
            places = torch.randint(len(found), (chosen.batch_size,), generator=generator).tolist()
            batch = [found[place] for place in places]
            ratio_N = _margins(network, heads[keys[part]], batch) - torch.cat([reference[id(pair)] for pair in batch])
            total = total - torch.nn.functional.logsigmoid(chosen.beta * ratio_N).mean()
        total.backward()
        norm = clip_and_step(holder, optimizer, 1.0)
        if not (math.isfinite(norm) and math.isfinite(float(total.detach()))):
            raise TrainError(
                f"the training diverged, with a loss of {float(total.detach())} and a gradient norm of {norm}: use a smaller lr"
            )
    held_out = by_part([pair for pair in pairs if pair.held_out])
    metrics = {"pairs": float(sum(map(len, learned.values()))), "held_out": float(sum(map(len, held_out.values())))}
    with torch.inference_mode():
        for part, found in held_out.items():
            own = {name: _accuracy(network, heads[key], found, reference) for name, key in keys.items()}
            metrics[f"{part}/accuracy"] = own[part]
            if others := [value for name, value in own.items() if name != part]:
                metrics[f"{part}/other_heads"] = sum(others) / len(others)
        trained = {part: heads[key].detach().cpu().contiguous() for part, key in keys.items()}
    out.mkdir(parents=True, exist_ok=True)
    _save_with_head(network, tokenizer, torch.stack(list(trained.values())).mean(0), out)
    save_file(trained, out / HEADS)
    facts = {"parts": list(trained), "options": asdict(chosen), "metrics": metrics}
    (out / FACTS).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return metrics


def mix_heads(folder: Path, weights: Mapping[str, float], out: Path) -> dict[str, float]:
    """Write an ordinary model folder whose logits are the weighted mean of the heads' logits; the weights as shares.

    `folder` is one of `train_heads`. TrainError for objectives that it does not have, and for weights that are negative or all 0.
    """
    from safetensors.torch import load_file

    require_new_folder(out)
    if not (folder / HEADS).is_file():
        raise TrainError(f"{str(folder)!r} has no {HEADS}: train it with `rlgym train heads`")
    heads = load_file(folder / HEADS)
    if unknown := [name for name in weights if name not in heads]:
        raise TrainError(f"the heads have no part {unknown[0]!r}.{suggestion(unknown[0], list(heads))} There are {', '.join(heads)}")
    if any(not math.isfinite(weight) or weight < 0 for weight in weights.values()) or not sum(weights.values()):
        raise TrainError(f"the weights of heads must be numbers of at least 0 that are not all 0, got {dict(weights)}")
    shares = {name: weight / sum(weights.values()) for name, weight in weights.items()}
    tokenizer, network = load_causal(folder)
    _save_with_head(network, tokenizer, sum(share * heads[name] for name, share in shares.items()), out)
    return shares


def read_pairs(lines: Iterable[Mapping[str, Any]], tokenizer: Any, max_tokens: int) -> list[Pair]:
    """The pairs of lines with `prompt`, `chosen`, `rejected` and `part`. RowError for other lines."""
    out = []
    for number, line in enumerate(lines, 1):
        part, prompt = line.get("part"), prompt_of(line, number)
        if not isinstance(part, str) or not part:
            raise RowError(f"line {number} needs 'part', the objective in which one side is better, got {part!r}")
        sides = [encode(tokenizer, prompt, response_of(line, column, number), max_tokens) for column in ("chosen", "rejected")]
        out.append(Pair(part, sides[0], sides[1], is_held_out(prompt)))
    return out


def by_part(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """The pairs of each objective, the objectives in alphabetical order."""
    return {part: [pair for pair in pairs if pair.part == part] for part in sorted({pair.part for pair in pairs})}


def _require_linear_head(network: Any, model: Path) -> None:
    """Raise TrainError for a model whose logits are more than its hidden states times the weights of its head."""
    plain = {"final_logit_softcapping": None, "logit_scale": 1, "logits_scaling": 1}
    found = [name for name, value in plain.items() if getattr(network.config, name, None) not in (None, value)]
    if network.get_output_embeddings().bias is not None:
        found.append("a bias")
    if found:
        raise TrainError(
            f"the output head of {str(model)!r} has {found[0]}: logits of several heads are mixed only where they are linear in the weights"
        )


def _keys(parts: Iterable[str]) -> list[str]:
    """Names of parameters: those of objectives may have dots, which parameters may not."""
    return [f"head{number}" for number, _ in enumerate(parts)]


def _margins(network: Any, head_VH: Tensor, pairs: Sequence[Pair]) -> Tensor:
    """log P(chosen) - log P(rejected) [N] of each pair under a head."""
    import torch

    batch = collate_rows([side for pair in pairs for side in (pair.chosen, pair.rejected)], network.device)
    logits = torch.log_softmax(hidden_states(network, batch)[:, :-1] @ head_VH.T, -1)
    logprob_NL = logits.gather(-1, batch.tokens_NL[:, 1:, None]).squeeze(-1)
    sum_N = (logprob_NL * batch.response_NL[:, 1:]).sum(1)
    return sum_N[0::2] - sum_N[1::2]


def _accuracy(network: Any, head_VH: Tensor, pairs: Sequence[Pair], reference: Mapping[int, Tensor]) -> float:
    return sum(float(_margins(network, head_VH, [pair]) > reference[id(pair)]) for pair in pairs) / len(pairs)


def _save_with_head(network: Any, tokenizer: Any, head_VH: Tensor, out: Path) -> None:
    """Write the trunk with an output head of its own, which no longer shares the weights of the input embeddings."""
    import torch

    _, size = head_VH.shape
    head = torch.nn.Linear(size, head_VH.shape[0], bias=False)
    head.weight = torch.nn.Parameter(head_VH.detach().clone())
    network.config.tie_word_embeddings = False
    network.set_output_embeddings(head)
    network.save_pretrained(out)
    tokenizer.save_pretrained(out)
