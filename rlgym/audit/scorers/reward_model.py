"""A reward model in a folder of Hugging Face Transformers: a sequence classifier that scores a prompt and a response."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlgym.audit.case import Case, Verdict
from rlgym.audit.cases.tasks import sample_tasks
from rlgym.audit.scorers.base import Progress, Scorer, ScorerUnavailable, no_progress
from rlgym.audit.styles import AnswerStyle, probe
from rlgym.core.errors import PackageMissing

if TYPE_CHECKING:
    from torch import Tensor

CALIBRATION_TASKS = 8
"""Tasks of each type of answer from which a threshold is measured."""
LONGEST_TOKEN = 16
"""Characters of a long token: a text of so many characters for each token is cut before it is tokenized, which takes long for a megabyte."""


class RewardModelScorer:
    """Scores with `AutoModelForSequenceClassification` and the folder's tokenizer, on a GPU if there is one. Nothing of the folder is executed.

    With one label the reward is the sigmoid of its logit, with two the probability of the second. The text is the chat template's if the
    tokenizer has one, otherwise the prompt, an empty line and the response; what exceeds `max_tokens` is cut off at the beginning. Reference
    answers are not shown. ScorerUnavailable if the folder holds no such model, PackageMissing without torch and transformers.
    """

    kind, batched = "reward_model", False

    def __init__(self, folder: Path, max_tokens: int = 4096) -> None:
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError as error:
            raise PackageMissing(f"a reward model needs torch and transformers: pip install 'rlvrgym[train]' ({error})") from None
        if not (folder / "config.json").is_file():
            raise ScorerUnavailable(f"{str(folder)!r} is not a folder of a reward model: it has no config.json")
        try:
            with _without_progress_bars():
                self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
                self._model: Any = AutoModelForSequenceClassification.from_pretrained(
                    folder, local_files_only=True, trust_remote_code=False
                )
        except (OSError, ValueError, KeyError) as error:
            raise ScorerUnavailable(f"the reward model in {str(folder)!r} cannot be loaded: {' '.join(str(error).split())[:300]}") from None
        labels = self._model.config.num_labels
        if labels not in (1, 2):
            raise ScorerUnavailable(f"a reward model has 1 or 2 labels, and this one has {labels}")
        self._model.eval().to("cuda" if torch.cuda.is_available() else "cpu")
        self._tokenizer.truncation_side = "left"
        positions = getattr(self._model.config, "max_position_embeddings", max_tokens)
        self._max_tokens = min(max_tokens, positions)
        self.shape = "chat template" if self._tokenizer.chat_template else "prompt and response"

    def score(self, cases: Sequence[Case], progress: Progress = no_progress) -> list[Verdict]:
        """One verdict for each case. Texts are scored one by one: padding changes the last digits, and equal texts must have equal rewards."""
        verdicts = []
        for case in cases:
            begun = time.perf_counter()
            reward = self._reward(self._text(case))
            verdicts.append(Verdict(reward, "", time.perf_counter() - begun))
            progress(1)
        return verdicts

    def _text(self, case: Case) -> str:
        longest = LONGEST_TOKEN * self._max_tokens
        prompt, response = (text[-longest:].encode("utf-8", "replace").decode() for text in (case.prompt, case.response))
        if self._tokenizer.chat_template:
            messages = [{"role": "user", "content": prompt}, {"role": "assistant", "content": response}]
            return str(self._tokenizer.apply_chat_template(messages, tokenize=False))
        return f"{prompt}\n\n{response}"

    def _reward(self, text: str) -> float:
        import torch

        tokens = self._tokenizer(text, return_tensors="pt", truncation=True, max_length=self._max_tokens).to(self._model.device)
        with torch.inference_mode():
            logits: Tensor = self._model(**tokens).logits[0].float()
        return float(logits[0].sigmoid() if len(logits) == 1 else logits.softmax(-1)[1])

    def close(self) -> None:
        """Nothing stays open."""


@contextmanager
def _without_progress_bars() -> Iterator[None]:
    """Standard output belongs to the report."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.enable_progress_bar()


def calibrated_threshold(scorer: Scorer, types: Sequence[str], style: AnswerStyle, seed: int) -> float:
    """The reward from which a response counts as accepted: midway between the median rewards of reference answers and of wrong ones."""
    tasks = [task for task in sample_tasks(types, CALIBRATION_TASKS, seed) if task.unequal]
    right = [probe(task, style) for task in tasks]
    wrong = [replace(case, response=style.respond(task.unequal[0]), right=False) for case, task in zip(right, tasks, strict=True)]
    rewards = [verdict.reward or 0.0 for verdict in scorer.score([*right, *wrong])]
    return (statistics.median(rewards[: len(right)]) + statistics.median(rewards[len(right) :])) / 2
