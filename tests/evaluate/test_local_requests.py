"""Fields of a request that local models take as endpoints do: stop strings, a message to continue, and log-probabilities."""

import asyncio
import math
from copy import deepcopy
from dataclasses import replace

import pytest

from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.certainty import LOGPROBS
from rlgym.evaluate.models.chat_format import STOP_STRINGS, ChatFormatter
from rlgym.evaluate.strategies.problem import CONTINUE

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from evaluate.local_cases import GREEDY, TEXTS, together, user


def generated(model, messages, extra):
    return asyncio.run(model.generate(messages, (), replace(GREEDY, extra=extra), 0))


def test_a_stop_string_ends_the_completion(model):
    whole = together(model, ["Say"], GREEDY)[0].message["content"]
    stop = whole[3:5]
    stopped = generated(model, user("Say"), {"stop": [stop]})
    assert stopped.message["content"] == whole[: whole.index(stop)]
    assert stopped.finish_reason == "stop"
    assert generated(model, user("Say"), {"stop": stop}).message == stopped.message


def test_the_assistants_message_is_continued(model, folder, tokenizer):
    from transformers import AutoModelForCausalLM

    begun = [*user("Say"), {"role": "assistant", "content": "It is"}]
    prompt = ChatFormatter(tokenizer).encode(begun, continues=True)
    assert tokenizer.decode(prompt.tokens).endswith("It is")
    plain = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    ids = torch.tensor([prompt.tokens])
    out = plain.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=12, do_sample=False, pad_token_id=0, eos_token_id=1)
    expected = tokenizer.decode(out[0, ids.shape[1] :], skip_special_tokens=True)
    assert generated(model, begun, CONTINUE).message["content"] == expected
    assert together(model, ["Say"], GREEDY)[0].message["content"] != expected


def test_a_model_without_a_template_continues_its_turn(tokenizer):
    bare = deepcopy(tokenizer)
    bare.chat_template = None
    begun = [*user("Say"), {"role": "assistant", "content": "It is"}]
    prompt = ChatFormatter(bare).encode(begun, stop_strings=("\n\n",), continues=True)
    assert bare.decode(prompt.tokens) == "User: Say\n\nAssistant: It is"
    assert prompt.stop_strings == (*STOP_STRINGS, "\n\n")


def test_the_certainty_is_that_of_the_models_distributions(model, folder, tokenizer):
    from transformers import AutoModelForCausalLM

    plain = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    assert together(model, ["Say"], GREEDY)[0].certainty is None
    for text, completion in zip(TEXTS, together(model, TEXTS, Sampling(temperature=0.0, max_tokens=12, extra=LOGPROBS))):
        text = tokenizer.apply_chat_template(user(text), tokenize=False, add_generation_prompt=True)
        ids = tokenizer(text, return_tensors="pt").input_ids
        out = plain.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=12, do_sample=False, pad_token_id=0, eos_token_id=1)
        count = completion.completion_tokens
        with torch.inference_mode():
            logprobs = torch.log_softmax(plain(out[:, : ids.shape[1] + count]).logits[0, ids.shape[1] - 1 : -1].double(), -1)
        expected = (-math.log(logprobs.shape[-1]) - logprobs.mean(-1)).mean().item()
        assert completion.certainty == pytest.approx(expected, rel=1e-3)
        assert completion.token_entropy == pytest.approx(-(logprobs.exp() * logprobs).sum(-1).mean().item(), rel=1e-3)
