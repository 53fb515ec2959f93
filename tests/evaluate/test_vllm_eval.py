"""Real vLLM as the model of an evaluation, in this process and as a server of its own, compared with transformers."""

import asyncio
import importlib.util
import json
import os
import time
from dataclasses import replace

import pytest

if importlib.util.find_spec("vllm") is None:
    pytest.skip("vLLM is not installed (scripts/vllm_cpu.sh makes an environment with it)", allow_module_level=True)

import torch
from train.small_models import small_model

from rlgym import RlgymError
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import ModelUnavailable, Sampling
from rlgym.evaluate.models.certainty import LOGPROBS, TOP_LOGPROBS, token_means
from rlgym.evaluate.models.transformers_model import TransformersModel
from rlgym.evaluate.models.vllm_in_process import VllmModel
from rlgym.evaluate.models.vllm_server import VllmServer
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.strategies.problem import CONTINUE
from rlgym.evaluate.suites import from_names

pytestmark = pytest.mark.filterwarnings("ignore")
CONTEXT = 1024
TEXTS = ["2 + 2?", "What is the answer to a much longer question than the first one?", "", "7"]
GREEDY = Sampling(temperature=0.0, max_tokens=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("model")
    small_model(place, max_seq_len=CONTEXT)
    return place


@pytest.fixture(scope="module")
def inside(folder):
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # of this thread alone; the engine's own needs the setting too
    model = VllmModel(folder, max_concurrency=8)
    yield model
    asyncio.run(model.close())
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def plain(folder):
    model = TransformersModel(folder, batch_size=4)
    yield model
    asyncio.run(model.close())


@pytest.fixture(scope="module")
def served(folder):
    model = VllmServer(folder, max_concurrency=8, arguments=["--dtype", "float32", "--enforce-eager", "--max-num-seqs", "8"])
    yield model
    model.stop()


def alive(pid):
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    return True


def asked(model, texts, sampling, seeds=None):
    async def all_of_them():
        try:
            return await asyncio.gather(
                *(
                    model.generate([{"role": "user", "content": text}], (), sampling, seed)
                    for text, seed in zip(texts, seeds or range(len(texts)))
                )
            )
        finally:
            if endpoint := getattr(model, "_endpoint", None):  # its connections belong to this event loop
                await endpoint.close()

    return asyncio.run(all_of_them())


def told(completion):
    return [(item.message["content"], item.prompt_tokens, item.completion_tokens, item.finish_reason) for item in completion]


@pytest.mark.parametrize("kind", ["inside", "served"])
def test_vllm_says_what_transformers_says(request, kind, folder):
    model, plain = request.getfixturevalue(kind), TransformersModel(folder, batch_size=4)
    try:
        assert told(asked(model, TEXTS, GREEDY)) == told(asked(plain, TEXTS, GREEDY))
    finally:
        asyncio.run(plain.close())


@pytest.mark.parametrize("kind", ["inside", "served"])
def test_a_seed_decides_what_is_sampled(request, kind):
    model, how = request.getfixturevalue(kind), Sampling(temperature=1.0, top_p=0.95, max_tokens=10)
    first, second, repeated = (asked(model, ["Say"], how, [seed])[0] for seed in (1, 2, 1))
    assert first.message == repeated.message
    assert first.message != second.message


@pytest.mark.parametrize("kind", ["inside", "served"])
def test_what_is_too_long_is_said_to_be(request, kind):
    model = request.getfixturevalue(kind)
    long, short = asked(model, ["x" * 2000, "x"], GREEDY)
    assert (long.finish_reason, long.message["content"]) == ("context", "")
    assert short.completion_tokens >= 1


@pytest.mark.parametrize("kind", ["inside", "served"])
def test_an_evaluation_from_end_to_end(request, kind, folder, tmp_path):
    if kind == "inside":
        model = request.getfixturevalue(kind)
        asked(model, ["warm"], GREEDY)
        model.close = still_open
    else:
        model = VllmServer(folder, max_concurrency=8, arguments=["--dtype", "float32", "--enforce-eager"], log=tmp_path / "log")
    suite = from_names(["chain_sum", "maze_walk"], levels=[0.0], count=4)
    done = evaluate(EvaluationPlan(suite, model, EpisodeConfig(Sampling(samples=2, temperature=0.7, max_tokens=8))), tmp_path / "run")
    rows = [json.loads(line) for line in (tmp_path / "run" / "episodes.jsonl").read_text().splitlines()]
    assert (len(rows), done.stopped) == (8, "")
    assert all((row["error"], row["masked"]) == (None, False) and 1 <= row["completion_tokens"] <= 8 * row["turns"] for row in rows)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["model"]["kind"] == "vllm"
    if kind == "served":  # the server stops with the evaluation
        deadline = time.monotonic() + 120
        while alive(model.pid):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        with pytest.raises(ModelUnavailable, match="the vLLM server exited with"):
            asked(model, ["a"], GREEDY)


async def still_open():
    """Other tests need the model after this evaluation."""


def test_a_server_that_does_not_start_says_why(folder, tmp_path):
    with pytest.raises(RlgymError, match=r"exited with 2: .*--no-such-argument"):
        VllmServer(folder, arguments=["--no-such-argument"], log=tmp_path / "log")


def test_a_model_that_vllm_does_not_know_is_said(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "no_such_thing", "architectures": ["NoSuchThing"]}')
    with pytest.raises(RlgymError, match="cannot load the model"):
        VllmModel(tmp_path)


def conversation(model, messages, sampling):
    async def one():
        try:
            return await model.generate(messages, (), sampling, 0)
        finally:
            if endpoint := getattr(model, "_endpoint", None):
                await endpoint.close()

    return asyncio.run(one()).message["content"]


@pytest.mark.parametrize("kind", ["inside", "served"])
def test_a_message_is_continued_up_to_a_stop_string_as_with_transformers(request, kind, plain):
    model = request.getfixturevalue(kind)
    begun = [{"role": "user", "content": "Say"}, {"role": "assistant", "content": "It is"}]
    continued = conversation(model, begun, replace(GREEDY, extra=CONTINUE))
    assert continued == conversation(plain, begun, replace(GREEDY, extra=CONTINUE))
    stop = continued[2:4]
    assert conversation(model, begun, replace(GREEDY, extra={**CONTINUE, "stop": [stop]})) == continued[: continued.index(stop)]


@pytest.mark.parametrize("kind", ["inside", "served"])
def test_the_certainty_is_that_of_the_most_likely_tokens(request, kind, folder, plain):
    from transformers import AutoModelForCausalLM

    model = request.getfixturevalue(kind)
    assert asked(model, ["Say"], GREEDY)[0].certainty is None
    weights = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    for text, completion in zip(TEXTS, asked(model, TEXTS, replace(GREEDY, extra=LOGPROBS))):
        prompt = torch.tensor([plain._formatter.encode([{"role": "user", "content": text}]).tokens])
        mask = torch.ones_like(prompt)
        out = weights.generate(prompt, attention_mask=mask, max_new_tokens=12, do_sample=False, pad_token_id=0, eos_token_id=1)
        with torch.inference_mode():
            logits = weights(out[:, : prompt.shape[1] + completion.completion_tokens]).logits[0, prompt.shape[1] - 1 : -1]
        top = torch.log_softmax(logits, -1).topk(TOP_LOGPROBS).values.tolist()
        assert (completion.certainty, completion.token_entropy) == pytest.approx(token_means(top), rel=1e-2)
