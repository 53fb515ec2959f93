"""TRL: datasets, a reward function, and many-turn episodes for its GRPOTrainer, as tools or as plain conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from inspect import Parameter, Signature
from typing import Any

import rlgym
from rlgym.core.packages import extra
from rlgym.dataset import Recipe, Session, from_task_json, sample
from rlgym.dataset.batch_scoring import LIMIT_SECONDS, score_batch
from rlgym.dataset.layouts import LAYOUTS
from rlgym.dataset.session import tool_calls_text

Columns = dict[str, Any]
Generate = Callable[[Any, list[list[int]], int], list[list[int]]]
"""(trainer, contexts as token ids, the most tokens) -> the token ids of one response to each."""

OVER = "The episode is over: no further call counts."


def dataset(names: str | list[str], count: int, *, layout: str = "trl", **recipe: Any) -> Any:
    """A `datasets.Dataset` of tasks drawn on the spot; `recipe` is that of `rlgym.dataset.sample`.

    layout  "trl" for GRPO and its kin, "sft" for SFTTrainer, "dpo" for DPOTrainer
    """
    with extra("trl"):
        from datasets import Dataset

    if layout not in ("trl", "sft", "dpo"):
        raise ValueError(f"layout must be 'trl', 'sft' or 'dpo', got {layout!r}")
    return Dataset.from_list([record for row in sample(names, count, **recipe) for record in LAYOUTS[layout](row)])


def score(completions: list[Any], task_json: list[str], played: list[float | None] | None = None, **columns: Any) -> list[float | None]:
    """The reward function of a GRPOTrainer: what `rlgym.score` says of each completion. The batch is scored in parallel.

    None, which TRL leaves out, where the score says nothing about the model, and where the environment of `environments`
    pays its own reward. RowError, which ends the run, for damaged task JSON.
    """
    return _rewards(completions, task_json, played, columns, score_batch)


def reward_function(
    *, workers: int | None = None, limit_seconds: float = LIMIT_SECONDS, asynchronous: bool = False
) -> Callable[..., list[float | None]] | Callable[..., Awaitable[list[float | None]]]:
    """`score` with another number of threads and another time limit for a batch; completions beyond the limit get None.

    asynchronous  a coroutine function, which TRL runs together with the other asynchronous reward functions
    """
    scored = partial(score_batch, workers=workers, limit_seconds=limit_seconds)
    scored([], [])  # refuses what no batch could be scored with

    def plain(completions: list[Any], task_json: list[str], played: Any = None, **columns: Any) -> list[float | None]:
        return _rewards(completions, task_json, played, columns, scored)

    async def waiting(completions: list[Any], task_json: list[str], played: Any = None, **columns: Any) -> list[float | None]:
        return await asyncio.to_thread(_rewards, completions, task_json, played, columns, scored)

    chosen = waiting if asynchronous else plain
    chosen.__name__ = chosen.__qualname__ = "score"  # TRL names the reward's column after it
    return chosen


def _rewards(
    completions: list[Any],
    task_json: list[str],
    played: list[float | None] | None,
    columns: Columns,
    scored: Callable[[list[Columns], list[str]], list[rlgym.Score]],
) -> list[float | None]:
    if played is not None:
        return [reward for reward, _, _ in zip(played, completions, task_json, strict=True)]
    playing = columns.get("environments") or [None] * len(completions)
    rewards: list[float | None] = [None] * len(completions)
    rows: dict[int, Columns] = {}
    for place, text in enumerate(task_json):
        if hasattr(playing[place], "get_reward"):
            continue
        rows[place] = from_task_json(text)
        if rlgym.environment(rows[place]["env"]).kind != "environment":
            raise ValueError(f"{rows[place]['env']} has many turns: play it with rlgym.adapters.trl.environments or Rollout")
    said = [_said(completion) for completion, _ in zip(completions, task_json, strict=True)]
    for place, found in zip(rows, scored(list(rows.values()), [said[place] for place in rows]), strict=True):
        rewards[place] = _reward(found)
    return rewards


def environments(names: str | list[str]) -> dict[str, Callable[[], Any]]:
    """The `environment_factory` of a GRPOTrainer, by environment: a many-turn one is played by calling tools.

    Those of a tool environment are its own. Every other many-turn environment has one, `respond`, which takes a response
    and gives what is read next. Single-turn ones have none, and are scored by `score`, so that both kinds mix in one run.
    """
    return {name: _player(name) for name in Recipe(names=names).environments()}


class Rollout:
    """The `rollout_func` of a GRPOTrainer: episodes of any number of turns as plain conversation, without tools.

    Tokens that the model said are never read again as text: what the environment says is appended to them, and masked out of
    the loss. `generate` may take the place of the model's own `generate`.
    """

    def __init__(self, tasks: Any, generate: Generate | None = None) -> None:
        self.task_jsons = {_key(record["prompt"]): record["task_json"] for record in tasks}
        self.generate = generate or _generate

    def __call__(self, prompts: list[Any], trainer: Any) -> Columns:
        tokenizer, limit = trainer.processing_class, trainer.args.max_completion_length
        episodes = [_Episode(prompt, self._task_json(prompt), tokenizer) for prompt in prompts]
        while live := [episode for episode in episodes if episode.lives(limit)]:
            left = max(limit - len(episode.said) for episode in live)
            for episode, response in zip(live, self.generate(trainer, [episode.prompt + episode.said for episode in live], left)):
                episode.hear(response, limit)
        return {
            "prompt_ids": [episode.prompt for episode in episodes],
            "completion_ids": [episode.said[:limit] for episode in episodes],
            "env_mask": [episode.mask[:limit] for episode in episodes],
            "logprobs": None,
            "played": [_paid(episode.session) for episode in episodes],
        }

    def _task_json(self, prompt: Any) -> str:
        if _key(prompt) not in self.task_jsons:
            raise ValueError(f"this prompt is not of the tasks that Rollout was made with: {_key(prompt)[:200]!r}")
        return str(self.task_jsons[_key(prompt)])


class _Episode:
    """One episode as tokens: what the model said and what it read, and a mask of which is which."""

    def __init__(self, prompt: Any, text: str, tokenizer: Any) -> None:
        self.session, self.tokenizer = Session(from_task_json(text)), tokenizer
        rendered = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=True, return_dict=True)
        self.prompt: list[int] = list(rendered["input_ids"])
        self.said: list[int] = []
        self.mask: list[int] = []

    def lives(self, limit: int) -> bool:
        return not self.session.done and len(self.said) < limit

    def hear(self, response: list[int], limit: int) -> None:
        """Take the model's tokens, and append the environment's reply to them."""
        ended = bool(response) and response[-1] == self.tokenizer.eos_token_id
        response = response[: limit - len(self.said)]
        self.said += response
        self.mask += [1] * len(response)
        reply = self.session.step(self.tokenizer.decode(response, skip_special_tokens=True))
        if reply and len(self.said) < limit:
            between = self.tokenizer(_between(self.tokenizer, reply, ended), add_special_tokens=False)["input_ids"]
            self.said += between
            self.mask += [0] * len(between)


def _between(tokenizer: Any, reply: str, ended: bool) -> str:
    """What the chat template puts from the end of a response to the start of the next, with the reply in it."""
    mark = "what the model said"
    messages = [{"role": "user", "content": "."}, {"role": "assistant", "content": mark}, {"role": "user", "content": reply}]
    text: str = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False).partition(mark)[2]
    return text.removeprefix(tokenizer.eos_token) if ended else text


def _generate(trainer: Any, contexts: list[list[int]], most: int) -> list[list[int]]:
    """One response to each context, by the model as it is now."""
    import torch
    from trl.models import unwrap_model_for_generation

    if trainer.use_vllm:
        raise ValueError("Rollout samples from the model itself: set use_vllm=False, give it a `generate`, or use `environments`")
    pad, width, device = trainer.processing_class.pad_token_id, max(map(len, contexts)), trainer.accelerator.device
    ids = torch.tensor([[pad] * (width - len(context)) + context for context in contexts], device=device)
    real = torch.tensor([[0] * (width - len(context)) + [1] * len(context) for context in contexts], device=device)
    with unwrap_model_for_generation(trainer.model_wrapped, trainer.accelerator) as model, torch.no_grad():
        out = model.generate(input_ids=ids, attention_mask=real, generation_config=trainer.generation_config, max_new_tokens=most)
    eos = trainer.processing_class.eos_token_id
    responses = [response.tolist() for response in out[:, width:]]
    return [response[: response.index(eos) + 1] if eos in response else response for response in responses]


def _key(prompt: Any) -> str:
    return prompt if isinstance(prompt, str) else "\n".join(f"{message['role']}: {message['content']}" for message in prompt)


def _said(completion: Any) -> str:
    """What the model said in a completion: a text, or messages."""
    return completion if isinstance(completion, str) else str(completion[-1].get("content") or "")


def _reward(scored: rlgym.Score) -> float | None:
    return None if scored.masked else scored.value


def _paid(session: Session) -> float | None:
    """The reward of an episode; an episode that was broken off is not won."""
    return 0.0 if session.score is None else _reward(session.score)


class _Single:
    """A single-turn environment has nothing to call."""

    def reset(self, **row: Any) -> None:
        """Nothing is to be set."""


class _Player:
    """An episode that is played by calls. It pays its own reward, which is that of `rlgym.score` for the same turns."""

    tells = ""

    def __init__(self) -> None:
        self._session: Session | None = None

    def reset(self, task_json: str, **row: Any) -> str:
        """Start the episode of a task JSON; what it returns is appended to the prompt."""
        self._session = Session(from_task_json(task_json))
        return f"\n\n{self.tells}"

    def get_reward(self) -> float | None:
        """The reward, which TRL asks for once the model has stopped to call."""
        assert self._session is not None
        return _paid(self._session)

    def _say(self, response: str) -> str:
        assert self._session is not None
        return OVER if self._session.done else self._session.step(response) or OVER


class _Talker(_Player):
    tells = "Give each of your responses by calling the tool `respond`."

    def respond(self, response: str) -> str:
        """
        Give one response of yours, and read what comes next.

        Args:
            response: The whole response, with the answer in the format that was asked for.
        """
        return self._say(response)


def _player(name: str) -> type:
    """The class that plays an environment."""
    declared = rlgym.environment(name)
    if declared.kind == "environment":
        return _Single
    schemas: list[Columns] = getattr(declared.answer, "schemas", list)()
    tools = {tool["function"]["name"]: _method(tool["function"]) for tool in schemas}
    if clashes := {"reset", "get_reward"} & set(tools):
        raise ValueError(f"{name} has a tool {min(clashes)!r}, a name that TRL takes for itself: play it with Rollout")
    # TRL names the reward's column after the class.
    body = {**tools, "tells": "Call the tools themselves."} if tools else {}
    return type(name, (_Player if tools else _Talker,), body)


def _method(schema: Columns) -> Callable[..., str]:
    """A method for a tool, as transformers reads it: from its signature and docstring."""
    fields, required = schema["parameters"]["properties"], schema["parameters"].get("required", [])

    def method(self: _Player, **given: Any) -> str:
        return self._say(tool_calls_text([(schema["name"], given)]))

    types = {name: _type(facts) for name, facts in fields.items()}
    own = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=types[name], default=Parameter.empty if name in required else None)
        for name in fields
    ]
    argument_lines = "\n".join(f"    {name}: {facts.get('description') or name.replace('_', ' ')}" for name, facts in fields.items())
    method.__name__ = method.__qualname__ = schema["name"]
    method.__doc__ = f"{schema['description']}\n\nArgs:\n{argument_lines}" if fields else schema["description"]
    method.__annotations__ = types
    method.__signature__ = Signature([own, *parameters])  # type: ignore[attr-defined]
    return method


def _type(facts: Columns) -> Any:
    """The Python type of a JSON Schema."""
    plain = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict}
    with suppress(KeyError, TypeError):
        if facts["type"] == "array":
            return list[_type(facts["items"])]
        return plain[facts["type"]]
    return str if all(isinstance(value, str) for value in facts.get("enum", ())) else Any


__all__: Sequence[str] = ["Rollout", "dataset", "environments", "reward_function", "score"]
