"""The `rollout_func` of a GRPOTrainer: episodes as plain conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlgym.adapters.trl.rewards import Columns, episode_reward
from rlgym.dataset import Session, from_task_json

Generate = Callable[[Any, list[list[int]], int], list[list[int]]]
"""(trainer, contexts as token ids, the most tokens) -> the token ids of one response to each."""


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
            "played": [episode_reward(episode.session) for episode in episodes],
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
