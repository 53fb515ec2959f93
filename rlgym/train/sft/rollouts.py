"""Supervised examples from the responses of another model: those of an evaluation, right ones, wrong ones or all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import rlgym
from rlgym import Rng
from rlgym.core.errors import RlgymError
from rlgym.dataset.rows import content_hash, knobs_set_by_name, messages_of, split_of, task_of_row
from rlgym.evaluate.episodes.results import load
from rlgym.evaluate.steps.label import STEPS
from rlgym.evaluate.steps.records import read_records
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.rollout.chat import Chat
from rlgym.train.sft.data import SftExample
from rlgym.train.sft.selection import best_rows
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

CRITIQUE_COLUMNS = {"messages", "id", "env", "version", "level", "seed", "knobs", "masked", "right"}


class RolloutData:
    """Examples drawn from the responses of an evaluation, or of trees of steps, with replacement. The step alone determines its batch.

    From "Incentivizing Strong Reasoning from Weak Supervision". Tasks that the run holds out, masked episodes, other versions of an environment and
    responses that exceed `rollout.max_seq_len` are left out. Raises TrainError if nothing is left.
    """

    def __init__(
        self, config: Config, chat: Chat, settings: TaskSettings, score: Callable[[list[dict[str, Any]]], list[float]] | None = None
    ) -> None:
        assert config.sft is not None
        self._batch_size, self._seed = config.sft.batch_size, settings.seed
        rows = read_rows(Path(config.sft.rollouts))
        kept = [row for row in rows if is_usable(row, settings) and config.sft.keep in ("all", "right" if row["right"] else "wrong")]
        if score is not None and config.sft.trace_fraction < 1:
            kept = best_rows(kept, score(kept), config.sft.trace_fraction)
        examples = [example_of(row, chat) for row in kept]
        if config.sft.length == "shortest":
            examples = shortest(examples)
        self.examples = [example for example in examples if len(example.tokens) <= config.rollout.max_seq_len]
        if not self.examples:
            raise TrainError(
                f"sft.rollouts={config.sft.rollouts!r} has no response to learn from: of {len(rows)} rows {len(kept)} are of tasks for training with "
                f"sft.keep={config.sft.keep!r}, and none has at most rollout.max_seq_len={config.rollout.max_seq_len} tokens"
            )

        self.families = sorted({example.task.name for example in self.examples})
        self._of_family = [[example for example in self.examples if example.task.name == name] for name in self.families]
        self.shares = [len(own) / len(self.examples) for own in self._of_family]
        self.weights: list[float] | None = None

    def batch(self, step: int) -> list[SftExample]:
        """The examples of a step."""
        rng = Rng("sft rollouts", self._seed, step)
        if self.weights is None:
            return [rng.choice(self.examples) for _ in range(self._batch_size)]
        shares = [round(1_000 * weight * len(own)) for weight, own in zip(self.weights, self._of_family, strict=True)]
        return [rng.choice(rng.weighted(self._of_family, shares)) for _ in range(self._batch_size)]

    def family_batch(self, step: int, family: int, count: int) -> list[SftExample]:
        """Examples of one family, which is an environment; the step alone determines them."""
        rng = Rng("sft rollouts family", self._seed, step, family)
        return [rng.choice(self._of_family[family]) for _ in range(count)]


def shortest(examples: Sequence[SftExample]) -> list[SftExample]:
    """Of every task the example with the fewest tokens of responses, the first of equal ones (short traces of "Stop Overthinking")."""
    best: dict[tuple[Any, ...], SftExample] = {}
    for example in examples:
        key = (example.task.label, example.task.seed)
        if key not in best or sum(example.loss_mask) < sum(best[key].loss_mask):
            best[key] = example
    return list(best.values())


def read_rows(place: Path) -> list[dict[str, Any]]:
    """The responses of an evaluation, or of a folder or file of labelled steps (`rlgym steps label` and `tree`), or exported critiques of steps.

    Critiques are those of `rlgym steps export --for chains`, from which a model learns to judge steps in words ("Process Reward Models That Think").
    """
    if place.is_file() and (critiques := read_critiques(place)):
        return critiques
    if place.is_file() or (place / STEPS).is_file():
        return [record.to_dict() for record in read_records(place)]
    return load(place).rows


def read_critiques(file: Path) -> list[dict[str, Any]]:
    """The critiques in a file; empty if its first line is none. Raises TrainError for a line without the columns of its task."""
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").rstrip("\n").split("\n"), 1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if number == 1 and (not isinstance(row, dict) or "messages" not in row or "ends" in row):
            return []
        if not isinstance(row, dict) or (lacking := CRITIQUE_COLUMNS - row.keys()):
            shown = "is no JSON object" if not isinstance(row, dict) else f"lacks {', '.join(sorted(lacking))}"
            raise TrainError(f"line {number} of sft.rollouts={str(file)!r} {shown}: write the file with `rlgym steps export --for chains`")
        rows.append(row)
    return rows


def example_of(row: Mapping[str, Any], chat: Chat) -> SftExample:
    """The episode of a row as an example, with the loss on its responses."""
    tokens: list[int] = []
    loss_mask: list[bool] = []
    for number, message in enumerate(turns_of(row)):
        if message["role"] == "assistant":
            added = chat.response_tokens(message["content"])
        else:
            added = chat.turn_tokens(message["content"], stopped=True) if number else chat.prompt_tokens(message["content"])
        tokens += added
        loss_mask += [message["role"] == "assistant"] * len(added)
    task = TaskSpec(row["env"], row["level"], 0, "train", knobs_set_by_name(row), seed=int(row["seed"]))
    return SftExample(task, tuple(tokens), tuple(loss_mask))


def turns_of(row: Mapping[str, Any]) -> list[dict[str, str]]:
    """The conversation without a system prompt."""
    messages = messages_of(row)
    return [message for message in messages if message["role"] != "system"]


def is_usable(row: Mapping[str, Any], settings: TaskSettings) -> bool:
    """Whether a row may be learned from: a whole conversation on a task for training, of this version of its environment."""
    turns = turns_of(row)
    texts: Iterable[Any] = (turn.get("content") for turn in turns)
    roles = [turn["role"] for turn in turns]
    alternate = bool(roles) and roles == ["user", "assistant"] * (len(roles) // 2)
    if row["masked"] or not alternate or not all(isinstance(text, str) for text in texts):
        return False
    try:
        if rlgym.environment(row["env"]).version != row["version"]:
            return False
        prompt = task_of_row(row).prompt
    except RlgymError:
        return False
    splits = {"train": 1 - settings.held_out_fraction, "test": settings.held_out_fraction}
    return split_of(content_hash({"env": row["env"], "prompt": prompt}), splits) == "train"
