"""Value-based learning from programs, or other responses, with known verdicts: a Q function that starts as a language model's logits.

From "B-Coder: Value-Based Deep Reinforcement Learning for Program Synthesis". With the logits l of the network and a value head V,

    Q(s, a) = alpha (l(s, a) - max l(s, .)) + V(s)

so that the greedy action is the network's own. The target of a token is the verdict at the last token, and before it Q'(s', a'), where a' is the token that
the initial model would choose next (the conservative Bellman operator) and Q' has older weights. The head is learned first, with the network as it is.

Axes: N sequences, L positions.
"""

from __future__ import annotations

import copy
import json
import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import RowError
from rlgym.dataset.score import read_responses
from rlgym.train.config.sections import TrainError
from rlgym.train.offline import (
    collate_rows,
    encode,
    hidden_states,
    is_held_out,
    key_of,
    load_causal,
    prompt_of,
    require_new_folder,
    response_of,
)

if TYPE_CHECKING:
    from torch import Tensor

    from rlgym.train.offline import TokenBatch

HEAD, FACTS = "value_head.safetensors", "q_model.json"
LAST = 10
"""Over how many of the last steps a loss is averaged."""


@dataclass(frozen=True)
class Judged:
    """A response in tokens, where it begins, its verdict from 0 to 1, and the prompt that it belongs to."""

    tokens: list[int]
    first: int
    reward: float
    prompt: str
    held_out: bool


@dataclass(frozen=True)
class QOptions:
    """How the Q function is learned.

    value_steps   optimizer steps of the value head alone
    steps         optimizer steps of the network and the head
    batch_size    responses per step
    lr            learning rate of the network, constant
    value_lr      learning rate of the head
    alpha         weight of the logits in Q
    refresh_steps steps between copies of the weights into Q'
    max_tokens    tokens of a prompt with its response
    seed          of the head and of the order of the responses
    """

    value_steps: int = 200
    steps: int = 200
    batch_size: int = 16
    lr: float = 1e-5
    value_lr: float = 1e-3
    alpha: float = 0.1
    refresh_steps: int = 10
    max_tokens: int = 1024
    seed: int = 0


@dataclass(frozen=True)
class QModel:
    """A network with its value head; `alpha` weighs the logits."""

    tokenizer: Any
    network: Any
    head: Any
    alpha: float

    def values(self, batch: TokenBatch, choose: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Q [N, L-1] of the tokens of a batch (or of `choose`) in the states before them, and the values [N, L-1] of those states."""
        hidden_NLH = hidden_states(self.network, batch)[:, :-1]
        logits = self.network.get_output_embeddings()(hidden_NLH)
        tokens = batch.tokens_NL[:, 1:] if choose is None else choose
        chosen = logits.gather(-1, tokens[..., None]).squeeze(-1)
        value_NL = self.head(hidden_NLH).squeeze(-1)
        return self.alpha * (chosen - logits.max(-1).values) + value_NL, value_NL

    def greedy(self, batch: TokenBatch) -> Tensor:
        """The most likely token [N, L-1] in each state."""
        found: Tensor = self.network.get_output_embeddings()(hidden_states(self.network, batch)[:, :-1]).argmax(-1)
        return found


def train_q_model(data: Path, model: Path, out: Path, options: QOptions | None = None) -> dict[str, float]:
    """Learn Q from a file of responses with verdicts, and write network and value head to a new folder; the measures on held-out prompts.

    data  JSON lines or Parquet with `prompt`, `response` and `label` from 0 to 1, as `rlgym dataset solutions` writes them, of any models and authors

    The folder is an ordinary model folder, whose greedy responses are those of Q. Measures are those of `measures`, before (`initial_...`) and after.
    RowError for lines that cannot be read, TrainError for a model that cannot be and for a loss that is not finite.
    """
    import torch
    from safetensors.torch import save_file

    chosen = options or QOptions()
    require_new_folder(out)
    tokenizer, network = load_causal(model)
    rows = read_judged(read_responses(data), tokenizer, chosen.max_tokens)
    learned, held_out = [row for row in rows if not row.held_out], [row for row in rows if row.held_out]
    if not learned:
        raise RowError(
            f"{str(data)!r} has no response to learn from: {len(held_out)} are held out, as prompts of one tenth are; give more prompts"
        )
    torch.manual_seed(chosen.seed)
    head = torch.nn.Linear(network.config.hidden_size, 1).to(network.device)
    torch.nn.init.zeros_(head.weight)
    q_model, initial = QModel(tokenizer, network, head, chosen.alpha), copy.deepcopy(network).requires_grad_(False)
    conservative = QModel(tokenizer, initial, head, chosen.alpha)
    metrics = {f"initial_{name}": value for name, value in measures(q_model, held_out).items() if name.startswith("ordered")}
    generator = torch.Generator().manual_seed(chosen.seed)

    def batches(count: int) -> Iterable[list[Judged]]:
        for _ in range(count):
            yield [learned[place] for place in torch.randint(len(learned), (chosen.batch_size,), generator=generator).tolist()]

    network.requires_grad_(False)
    losses = _learn(
        q_model, q_model, conservative, head, [{"params": head.parameters(), "lr": chosen.value_lr}], batches(chosen.value_steps), 1
    )
    metrics["value_loss"] = fmean(losses[-LAST:] or [0.0])
    network.requires_grad_(True)
    older = copy.deepcopy(QModel(None, network, head, chosen.alpha))
    both = torch.nn.ModuleList([network, head])
    groups = [{"params": network.parameters(), "lr": chosen.lr}, {"params": head.parameters(), "lr": chosen.value_lr}]
    losses = _learn(q_model, older, conservative, both, groups, batches(chosen.steps), chosen.refresh_steps)
    metrics |= {"learned": float(len(learned)), "held_out": float(len(held_out)), "loss": fmean(losses[-LAST:] or [0.0])}
    metrics |= measures(q_model, held_out)
    out.mkdir(parents=True, exist_ok=True)
    network.save_pretrained(out)
    tokenizer.save_pretrained(out)
    save_file({name: weight.detach().cpu().contiguous() for name, weight in head.state_dict().items()}, out / HEAD)
    (out / FACTS).write_text(json.dumps({"options": asdict(chosen), "metrics": metrics}, indent=2) + "\n", encoding="utf-8")
    return metrics


def td_targets(rewards_N: Tensor, next_NL: Tensor, response_NL: Tensor) -> Tensor:
    """The targets [N, L]: the reward at the last token of a response, Q' of the next state before it, and 0 outside responses.

    By hand: with Q' = 0.2, 0.4, 0.6 in the states before the three tokens of a response with reward 1, its targets are 0.4, 0.6 and 1.
    """
    import torch

    after_NL = torch.nn.functional.pad(next_NL[:, 1:], (0, 1))
    ends_NL = response_NL & ~torch.nn.functional.pad(response_NL[:, 1:], (0, 1))
    return torch.where(ends_NL, rewards_N[:, None], after_NL) * response_NL


def _learn(
    q_model: QModel,
    older: QModel,
    conservative: QModel,
    module: Any,
    groups: list[dict[str, Any]],
    batches: Iterable[list[Judged]],
    refresh: int,
) -> list[float]:
    """Optimizer steps on the squared error of the targets; `older` gets the weights every `refresh` steps where it is another model."""
    import torch

    from rlgym.train.update.optimizers import clip_and_step

    optimizer, losses = torch.optim.AdamW(groups, weight_decay=0.0), list[float]()
    for step, rows in enumerate(batches):
        if older is not q_model and step % refresh == 0:
            older.network.load_state_dict(q_model.network.state_dict())
            older.head.load_state_dict(q_model.head.state_dict())
        batch = collate_rows([(row.tokens, row.first) for row in rows], q_model.network.device)
        rewards_N = torch.tensor([row.reward for row in rows], device=q_model.network.device)
        mask_NL = batch.response_NL[:, 1:]
        with torch.no_grad():
            target_NL = td_targets(rewards_N, older.values(batch, conservative.greedy(batch))[0], mask_NL)
        error_NL = (q_model.values(batch)[0] - target_NL) * mask_NL
        loss = (error_NL**2).sum() / mask_NL.sum()
        loss.backward()
        norm = clip_and_step(module, optimizer, 1.0)
        losses.append(float(loss.detach()))
        if not (math.isfinite(norm) and math.isfinite(losses[-1])):
            raise TrainError(f"the training diverged, with a loss of {losses[-1]} and a gradient norm of {norm}: use a smaller lr")
    return losses


def load_q_model(folder: Path) -> QModel:
    """The Q function in a folder of `train_q_model`. TrainError for another folder."""
    import torch
    from safetensors.torch import load_file

    if not (folder / HEAD).is_file():
        raise TrainError(f"{str(folder)!r} has no {HEAD}: train it with `rlgym train value`")
    tokenizer, network = load_causal(folder)
    head = torch.nn.Linear(network.config.hidden_size, 1).to(network.device)
    head.load_state_dict(load_file(folder / HEAD))
    return QModel(tokenizer, network, head, float(json.loads((folder / FACTS).read_text(encoding="utf-8"))["options"]["alpha"]))


def scores(q_model: QModel, rows: Sequence[Judged]) -> list[tuple[float, float]]:
    """For each response, the sum of the rewards that Q implies for its tokens, Q(s, a) - V(s'), and Q of its last token."""
    import torch

    out = []
    with torch.inference_mode():
        for row in rows:
            batch = collate_rows([(row.tokens, row.first)], q_model.network.device)
            q_NL, value_NL = q_model.values(batch)
            mask_NL = batch.response_NL[:, 1:]
            q, value = q_NL[mask_NL], value_NL[mask_NL]
            out.append((float(q.sum() - value[1:].sum()), float(q[-1])))
    return out


def measures(q_model: QModel, rows: Sequence[Judged]) -> dict[str, float]:
    """How often, over pairs of a response and a better one (of the same prompt where a prompt has both), the better has the higher score.

    `ordered_by_reward` and `ordered_by_value` are of the two scores of `scores`; `best_of_reward` and `best_of_value` the mean verdict of the response of
    each prompt that they choose, and `mean_label` that of all.
    """
    if not rows:
        return {}
    found, groups = scores(q_model, rows), dict[str, list[int]]()
    for place, row in enumerate(rows):
        groups.setdefault(row.prompt, []).append(place)
    mixed = any(len({rows[place].reward for place in places}) > 1 for places in groups.values())
    compared = list(groups.values()) if mixed else [list(range(len(rows)))]
    metrics = {"mean_label": fmean(row.reward for row in rows)}
    for number, name in enumerate(("reward", "value")):
        wins = [ordered_pairs([(rows[place].reward, found[place][number]) for place in places]) for places in compared]
        if pairs := sum(count for _, count in wins):
            metrics[f"ordered_by_{name}"] = sum(right for right, _ in wins) / pairs
        best = [max(places, key=lambda place, number=number: found[place][number]) for places in groups.values()]
        metrics[f"best_of_{name}"] = fmean(rows[place].reward for place in best)
    return metrics


def ordered_pairs(judged: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """Of verdicts with scores: the pairs of which the one with the better verdict has the higher score, and all pairs of different verdicts."""
    right, count, below = 0, 0, list[float]()
    for _, group in groupby(sorted(judged), key=itemgetter(0)):
        scored = [score for _, score in group]
        right += sum(bisect_left(below, score) for score in scored)
        count += len(scored) * len(below)
        below = sorted([*below, *scored])
    return right, count


def rank(data: Path, folder: Path, out: Path) -> dict[str, float]:
    """Write the lines of a file of responses with `q_reward` and `q_value`, the two scores of `scores`; the measures where all lines have labels."""
    q_model = load_q_model(folder)
    lines = list(read_responses(data))
    max_tokens = int(json.loads((folder / FACTS).read_text(encoding="utf-8"))["options"]["max_tokens"])
    labelled = all(line.get("label") is not None for line in lines)
    rows = read_judged([line if labelled else {**line, "label": 0.0} for line in lines], q_model.tokenizer, max_tokens)
    found = zip(lines, scores(q_model, rows), strict=True)
    text = "".join(json.dumps({**line, "q_reward": reward, "q_value": value}, default=str) + "\n" for line, (reward, value) in found)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise TrainError(f"--out={str(out)!r} cannot be written: {error.strerror}") from error
    return {"responses": float(len(rows)), **(measures(q_model, rows) if labelled else {})}


def read_judged(lines: Iterable[Mapping[str, Any]], tokenizer: Any, max_tokens: int) -> list[Judged]:
    """The responses of lines with `prompt`, `response` and `label`. RowError for other lines."""
    out = []
    for number, line in enumerate(lines, 1):
        prompt, label = prompt_of(line, number), line.get("label")
        if not isinstance(label, int | float) or not 0 <= label <= 1:
            raise RowError(f"line {number} needs a label from 0 to 1, got {label!r}")
        tokens, first = encode(tokenizer, prompt, response_of(line, "response", number), max_tokens)
        out.append(Judged(tokens, first, float(label), key_of(prompt), is_held_out(prompt)))
    return out
