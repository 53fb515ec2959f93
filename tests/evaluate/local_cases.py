"""Conversations, tools and requests for the tests of local models."""

import asyncio

from rlgym.evaluate.models.base import Sampling

TOOL = {
    "type": "function",
    "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}},
}


HERMES = (
    "{% if tools %}<|system|>tools: {{ tools | tojson }}<|end|>{% endif %}"
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %}"
    "<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


GREEDY = Sampling(temperature=0.0, max_tokens=12)


def user(text):
    return [{"role": "user", "content": text}]


def together(model, texts, sampling, seeds=None):
    async def all_of_them():
        return await asyncio.gather(
            *(model.generate(user(text), (), sampling, seed) for text, seed in zip(texts, seeds or range(len(texts))))
        )

    return asyncio.run(all_of_them())


def alone(model, texts, sampling, seeds=None):
    return [together(model, [text], sampling, [seed])[0] for text, seed in zip(texts, seeds or range(len(texts)))]


TEXTS = ["2 + 2?", "What is the answer to a much longer question than the first one?", "", "7"]
