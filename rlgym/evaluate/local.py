"""Models that run in this process with transformers, and what all models that run here share.

Askings that arrive within a moment are worked on together. Each has its own random numbers, made from its seed alone, so that what it is
answered does not depend on what it is worked on together with, but for the last bits of a sum.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlgym import RlgymError
from rlgym.evaluate.conversation import Writer
from rlgym.evaluate.gathering import Choice, Gathering, Job, Made
from rlgym.evaluate.models import Message, ModelStops, Said, Sampling

MOST_TOKENS = 4096
"""What a model may say in a turn where neither the run nor the model's own settings say it."""
MOMENT = 0.05
EXTRA = ("top_k", "chat_template")


class Local:
    """What models that run here share: a writer of conversations, a thread, and the settings that the model's folder recommends."""

    kind = "local"

    def __init__(self, folder: str | Path, name: str | None, at_once: int) -> None:
        self.name = name or Path(str(folder).rstrip("/")).name
        self.at_once = at_once
        self._folder = str(folder)
        self._writer: Writer
        self._context = 0
        self._advised: Mapping[str, Any] = {}
        self._gathering: Gathering

    @property
    def calls_tools(self) -> bool:
        """Whether the model can be given tools natively."""
        return self._writer.takes_tools()

    def about(self) -> dict[str, Any]:
        """The folder, and how conversations are written."""
        return {"folder": self._folder, "context": self._context, "chat_template": self._writer.templated}

    async def ask(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sampling: Sampling, seed: int) -> Said:
        """The model's next turn."""
        if strange := set(sampling.extra) - set(EXTRA):
            raise ModelStops(f"a model that runs here has no option {min(strange)!r}: the further options are {', '.join(EXTRA)}")
        asked = self._writer.write(messages, tools, sampling.extra.get("chat_template"))
        room = self._context - len(asked.tokens)
        if room < 1:
            return Said({"role": "assistant", "content": ""}, len(asked.tokens), 0, "context", requests=0)
        most = sampling.max_tokens or self._advised.get("max_new_tokens") or MOST_TOKENS
        made = await self._gathering.ask(Job(asked, self._choice(sampling, seed), min(most, room)))
        turn = sum(message["role"] == "assistant" for message in messages)
        message, thoughts = self._writer.read(made.tokens, asked, bool(tools), turn)
        finish = "tool_calls" if "tool_calls" in message else made.finish
        return Said(message, len(asked.tokens), len(made.tokens), finish, reasoning=thoughts)

    async def close(self) -> None:
        """End the thread; what it is at is finished first."""
        self._gathering.close()

    def _choice(self, sampling: Sampling, seed: int) -> Choice:
        advised = self._advised if self._advised.get("do_sample") else {}
        temperature = sampling.temperature if sampling.temperature is not None else float(advised.get("temperature") or bool(advised))
        top_p = sampling.top_p if sampling.top_p is not None else float(advised.get("top_p") or 1.0)
        top_k = int(sampling.extra.get("top_k") or advised.get("top_k") or 0)
        return Choice(temperature, top_p, top_k, seed % (1 << 63))


class Transformers(Local):
    """A causal language model of transformers, from a folder or from the hub's cache.

    batch   how many askings are worked on together
    device  "cpu", "cuda", "cuda:1" ...; by default a GPU, where there is one
    dtype   of the weights: by default float32 on a CPU, and as saved on a GPU
    moment  seconds to wait for more askings after the first
    """

    kind = "transformers"

    def __init__(
        self, folder: str | Path, *, name: str | None = None, batch: int = 16, device: str | None = None, dtype: str | None = None,
        moment: float = MOMENT,
    ) -> None:  # fmt: skip
        check_folder(folder, ("torch", "transformers"), "'rlvrgym[train]'")
        super().__init__(folder, name, at_once=2 * batch)
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._dtype = dtype or ("float32" if self._device == "cpu" else "auto")
        try:
            tokenizer = AutoTokenizer.from_pretrained(self._folder)
            model: Any = AutoModelForCausalLM.from_pretrained(self._folder, dtype=self._dtype).to(self._device).eval()
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise RlgymError(f"the model {self._folder!r} cannot be loaded: {str(error).strip().splitlines()[0]}") from None
        self._model, self._tokenizer, self._batch, self._moment = model, tokenizer, batch, moment
        self._writer, self._context = Writer(tokenizer), context_of(model.config)
        self._advised = model.generation_config.to_diff_dict()
        self._gathering = Gathering(self._work, "transformers")

    def about(self) -> dict[str, Any]:
        """The folder and how conversations are written; where and in what numbers it runs."""
        return super().about() | {"device": self._device, "dtype": str(self._model.dtype).removeprefix("torch.")}

    def _work(self, gathering: Gathering) -> None:
        if jobs := gathering.take(self._batch, moment=self._moment):
            self._answer(jobs)

    def _answer(self, jobs: Sequence[Job]) -> None:
        import torch

        try:
            found = self._generated(jobs)
        except torch.OutOfMemoryError:
            if len(jobs) == 1:
                raise
            torch.cuda.empty_cache()
            half = len(jobs) // 2
            self._answer(jobs[:half])
            self._answer(jobs[half:])
            return
        for job, made in zip(jobs, found):
            job.done.set_result(made)

    def _generated(self, jobs: Sequence[Job]) -> list[Made]:
        import torch
        from transformers import GenerationConfig

        ends = _ends(self._model.generation_config, self._tokenizer)
        pad = self._tokenizer.pad_token_id if self._tokenizer.pad_token_id is not None else ends[0] if ends else 0
        longest = max(len(job.asked.tokens) for job in jobs)
        # Padded on the left, so that all go on at the same place.
        ids = [[pad] * (longest - len(job.asked.tokens)) + list(job.asked.tokens) for job in jobs]
        mask = [[0] * (longest - len(job.asked.tokens)) + [1] * len(job.asked.tokens) for job in jobs]
        how = GenerationConfig(
            max_new_tokens=max(job.most_tokens for job in jobs), do_sample=False, pad_token_id=pad, eos_token_id=ends or None,
            repetition_penalty=self._advised.get("repetition_penalty") or 1.0,
        )  # fmt: skip
        with torch.inference_mode():
            out = self._model.generate(
                input_ids=torch.tensor(ids, device=self._device),
                attention_mask=torch.tensor(mask, device=self._device),
                generation_config=how,
                logits_processor=[Chooser([job.choice for job in jobs])],
                stopping_criteria=[Ends(self._tokenizer, longest, [job.most_tokens for job in jobs], [job.asked.stops for job in jobs])],
            )
        return [_cut(tokens, job, ends, self._tokenizer) for tokens, job in zip(out[:, longest:].tolist(), jobs)]


class Chooser:
    """Chooses the next token of each row of a batch, by its own random numbers, and leaves nothing else to choose from."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        import torch

        self._choices = choices
        self._random = [torch.Generator().manual_seed(choice.seed) for choice in choices]

    def __call__(self, ids_BT: Any, scores_BV: Any) -> Any:  # B: rows, T: tokens so far, V: vocabulary
        import torch

        chosen_B = scores_BV.argmax(-1)
        for row, (choice, random) in enumerate(zip(self._choices, self._random)):
            if choice.temperature > 0:
                draw = torch.rand((), generator=random, dtype=torch.float64).item()
                chosen_B[row] = _drawn(scores_BV[row], choice, draw)
        return torch.full_like(scores_BV, -torch.inf).scatter_(1, chosen_B[:, None], 0.0)


def _drawn(scores_V: Any, choice: Choice, draw: float) -> Any:
    """The token where the probabilities, added up, pass a number between 0 and 1."""
    import torch

    order_V = None
    shares_V = torch.softmax(scores_V.double() / choice.temperature, -1)
    if choice.top_p < 1 or choice.top_k:
        shares_V, order_V = shares_V.sort(descending=True, stable=True)
        if choice.top_k:
            shares_V = shares_V[: choice.top_k]
        shares_V = shares_V / shares_V.sum()
        shares_V = shares_V[shares_V.cumsum(-1) - shares_V < choice.top_p]
    sums_V = shares_V.cumsum(-1)
    place = torch.searchsorted(sums_V, draw * sums_V[-1], right=True).clamp(max=len(sums_V) - 1)
    return place if order_V is None else order_V[place]


class Ends:
    """Which rows of a batch are at their end, beside those that said so: at their most tokens, or at a text that ends a turn."""

    def __init__(self, tokenizer: Any, start: int, most: Sequence[int], stops: Sequence[tuple[str, ...]]) -> None:
        self._tokenizer, self._start, self._most, self._stops = tokenizer, start, most, stops

    def __call__(self, ids_BT: Any, scores: Any, **more: Any) -> Any:
        import torch

        said = ids_BT.shape[1] - self._start
        ended = [said >= most or self._stopped(ids, stops) for ids, most, stops in zip(ids_BT, self._most, self._stops)]
        return torch.tensor(ended, device=ids_BT.device)

    def _stopped(self, ids_T: Any, stops: tuple[str, ...]) -> bool:
        if not stops:
            return False
        last = self._tokenizer.decode(ids_T[max(self._start, len(ids_T) - 24) :].tolist())
        return any(stop in last for stop in stops)


def _cut(tokens: Sequence[int], job: Job, ends: Sequence[int], tokenizer: Any) -> Made:
    """The tokens up to what ends the turn, and why they end."""
    kept = tuple(tokens[: job.most_tokens])
    ended = next((place + 1 for place, token in enumerate(kept) if token in ends), None)
    if job.asked.stops:
        # The shortest beginning that holds a stop; a longer one holds it too.
        said = range(1, (ended or len(kept)) + 1)
        place = bisect_left(said, True, key=lambda most: any(stop in tokenizer.decode(list(kept[:most])) for stop in job.asked.stops))
        ended = said[place] if place < len(said) else ended
    return Made(kept[:ended], "length" if ended is None else "stop")


def _ends(config: Any, tokenizer: Any) -> list[int]:
    found = config.eos_token_id
    named = [] if found is None else [found] if isinstance(found, int) else list(found)
    return list(dict.fromkeys([*named, *([tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else [])]))


def context_of(config: Any) -> int:
    """The most tokens of a conversation that a model can read and say together."""
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    return int(getattr(text, "max_position_embeddings", 0) or 0) or 1 << 20


def check_folder(folder: str | Path, packages: Sequence[str], install: str) -> None:
    """RlgymError where packages are missing, or where a folder is no model; a name such as org/model is left to the hub's cache."""
    if lacking := [package for package in packages if find_spec(package) is None]:
        raise RlgymError(f"running a model here needs {' and '.join(lacking)}: install it with `pip install {install}`")
    place = Path(folder)
    if not place.exists() and re.fullmatch(r"[\w-][\w.-]*/[\w.-]+", str(folder)):
        return
    why = ""
    if not place.is_dir():
        why = "there is no such folder"
    elif not (place / "config.json").is_file():
        why = "it has no config.json"
    else:
        try:
            json.loads((place / "config.json").read_bytes())
        except ValueError:
            why = "its config.json is no JSON"
    if why:
        raise RlgymError(f"{str(folder)!r} is no model: {why}; give a folder as transformers saves it")
