"""Models that run here: what a conversation becomes, batches, settings, and a whole evaluation with a small model."""

import asyncio
import json
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from evaluate.local_cases import GREEDY, HERMES, TEXTS, TOOL, alone, together, user
from train.small_models import small_model

from rlgym import RlgymError
from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import ModelUnavailable, Sampling
from rlgym.evaluate.models.batching import DecodingParams
from rlgym.evaluate.models.chat_format import ChatFormatter, EncodedPrompt, parse_tool_calls, split_reasoning
from rlgym.evaluate.models.transformers_model import SamplingProcessor, TransformersModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.evaluate.suites import from_names


def test_what_is_asked_together_is_answered_as_alone(model, monkeypatch):
    batches = []
    generated = model._generate_batch
    monkeypatch.setattr(model, "_generate_batch", lambda jobs: batches.append(len(jobs)) or generated(jobs))
    completion = together(model, TEXTS, GREEDY)
    assert batches == [4]
    assert completion == alone(model, TEXTS, GREEDY)
    assert batches[1:] == [1] * 4
    assert len({item.message["content"] for item in completion}) > 1  # the model's choices differ, so that a mixed-up batch would be seen
    sampled = Sampling(temperature=0.9, top_p=0.9, max_tokens=12)
    assert together(model, TEXTS, sampled) == alone(model, TEXTS, sampled)


def test_a_seed_decides_what_is_sampled(model):
    how = Sampling(temperature=1.0, max_tokens=10)
    first, second, repeated = alone(model, ["Say"] * 3, how, [1, 2, 1])
    assert first == repeated
    assert first.message != second.message


def test_greedy_is_what_the_models_own_generate_says(model, folder, tokenizer):
    from transformers import AutoModelForCausalLM

    plain = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    for text, completion in zip(TEXTS, together(model, TEXTS, GREEDY)):
        ids = tokenizer(
            tokenizer.apply_chat_template(user(text), tokenize=False, add_generation_prompt=True), return_tensors="pt"
        ).input_ids
        mask = torch.ones_like(ids)
        out = plain.generate(ids, attention_mask=mask, max_new_tokens=12, do_sample=False, pad_token_id=0, eos_token_id=1)[
            0, ids.shape[1] :
        ]
        ended = (out == 1).nonzero()
        out = out[: int(ended[0]) + 1] if len(ended) else out
        assert completion.message["content"] == tokenizer.decode(out, skip_special_tokens=True).lstrip("\n")
        assert (completion.prompt_tokens, completion.completion_tokens) == (ids.shape[1], len(out))
        assert completion.finish_reason == ("stop" if len(ended) else "length")


def test_lengths_and_what_is_too_long(model):
    short, long = together(model, ["a", "a"], Sampling(temperature=0.0, max_tokens=3)), together(model, ["x" * 400], GREEDY)[0]
    assert all(item.completion_tokens <= 3 for item in short)
    assert (long.finish_reason, long.message["content"], long.completion_tokens) == ("context", "", 0)
    almost = together(model, ["x" * (256 - 5 - together(model, [""], GREEDY)[0].prompt_tokens)], Sampling(temperature=1.0, max_tokens=50))[
        0
    ]
    assert almost.prompt_tokens == 251
    assert almost.completion_tokens <= 5


def test_tokens_are_drawn_with_their_probabilities():
    scores = torch.log(torch.tensor([[0.5, 0.2, 0.2, 0.1]]))

    def drawn(choice, draws=2000):
        chooser = SamplingProcessor([choice], [False])
        return [int(chooser(None, scores).argmax()) for _ in range(draws)]

    found = drawn(DecodingParams(1.0))
    assert [abs(found.count(token) / 2000 - share) < 0.05 for token, share in enumerate((0.5, 0.2, 0.2, 0.1))] == [True] * 4
    assert set(drawn(DecodingParams(1.0, top_k=1), 50)) == {0}
    assert set(drawn(DecodingParams(1.0, top_p=0.6), 200)) == {0, 1}
    assert set(drawn(DecodingParams(1.0, top_k=3), 300)) == {0, 1, 2}
    assert set(drawn(DecodingParams(0.0), 20)) == {0}
    cold = drawn(DecodingParams(0.25))
    assert cold.count(0) / 2000 == pytest.approx(0.5**4 / (0.5**4 + 2 * 0.2**4 + 0.1**4), abs=0.03)


def test_what_is_advised_holds_where_nothing_is_asked(folder, tmp_path):
    from shutil import copytree

    place = copytree(folder, tmp_path / "advised")
    (place / "generation_config.json").write_text(
        json.dumps({"do_sample": True, "temperature": 0.3, "top_p": 0.8, "top_k": 5, "max_new_tokens": 4})
    )
    model_ = TransformersModel(place, batch_size=2)
    try:
        assert model_._decoding_params(Sampling(), 9) == DecodingParams(0.3, 0.8, 5, 9)
        assert model_._decoding_params(Sampling(temperature=0.0, extra={"top_k": 2}), 9) == DecodingParams(0.0, 0.8, 2, 9)
        assert all(item.completion_tokens <= 4 for item in together(model_, ["a", "b"], Sampling()))
    finally:
        asyncio.run(model_.close())


def test_without_advice_it_takes_the_likeliest(model):
    assert model._decoding_params(Sampling(), 5).temperature == 0.0


def test_without_a_template_turns_are_written_as_titles(tokenizer):
    from copy import deepcopy

    bare = deepcopy(tokenizer)
    bare.chat_template = None
    writer = ChatFormatter(bare)
    request = writer.encode(
        [{"role": "system", "content": "Be brief."}, *user("Hi?"), {"role": "assistant", "content": "Yes."}, *user("Why?")]
    )
    assert bare.decode(request.tokens) == "System: Be brief.\n\nUser: Hi?\n\nAssistant: Yes.\n\nUser: Why?\n\nAssistant:"
    text = bare(" Because.\n\nUser: And then?")["input_ids"]
    assert writer.decode(text, request, False, 0) == ({"role": "assistant", "content": "Because."}, "")
    with pytest.raises(ModelUnavailable, match="no chat template: use tools as text"):
        writer.encode(user("Hi?"), [TOOL])


def test_a_plain_model_ends_where_it_would_speak_for_the_user(folder, tokenizer, tmp_path, monkeypatch):
    from shutil import copytree

    place = copytree(folder, tmp_path / "plain")
    for file in ("tokenizer_config.json", "chat_template.jinja"):
        if (place / file).exists():
            report = (place / file).read_text()
            (place / file).unlink() if file.endswith("jinja") else (place / file).write_text(
                json.dumps({key: value for key, value in json.loads(report).items() if key != "chat_template"})
            )
    model_ = TransformersModel(place, batch_size=2)
    script = tokenizer(" Four.\n\nUser: 3?")["input_ids"]
    start = []

    def speak(self, ids, scores):
        start.append(ids.shape[1])
        forced = script[min(ids.shape[1] - start[0], len(script) - 1)]
        return torch.full_like(scores, -torch.inf).index_fill_(1, torch.tensor([forced]), 0.0)

    monkeypatch.setattr(SamplingProcessor, "__call__", speak)
    try:
        completion = together(model_, ["2 + 2?"], Sampling(temperature=0.0, max_tokens=40))[0]
    finally:
        asyncio.run(model_.close())
    assert (completion.message["content"], completion.finish_reason) == ("Four.", "stop")
    assert completion.completion_tokens == len(tokenizer(" Four.\n\nUser:")["input_ids"])


def test_templates_without_a_system_prompt_have_it_said_first(tokenizer):
    from copy import deepcopy

    strict = deepcopy(tokenizer)
    strict.chat_template = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + tokenizer.chat_template
    request = ChatFormatter(strict).encode([{"role": "system", "content": "Be brief."}, *user("Hi?")])
    assert strict.decode(request.tokens) == "<|user|>Be brief.\n\nHi?<|end|><|assistant|>"
    refusing = deepcopy(tokenizer)
    refusing.chat_template = "{{ raise_exception('never') }}"
    with pytest.raises(ModelUnavailable, match="rejects the conversation: never"):
        ChatFormatter(refusing).encode(user("Hi?"))


def test_tools_go_through_a_template_that_has_them(tokenizer):
    from copy import deepcopy

    assert not ChatFormatter(tokenizer).supports_tools()
    with pytest.raises(ModelUnavailable, match="its chat template has no tools"):
        ChatFormatter(tokenizer).encode(user("Hi?"), [TOOL])
    able = deepcopy(tokenizer)
    able.chat_template = HERMES
    writer = ChatFormatter(able)
    assert writer.supports_tools()
    call = {"id": "call00000", "type": "function", "function": {"name": "look", "arguments": '{"at": "it"}'}}
    earlier = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call00000", "content": "a box"},
    ]
    text = able.decode(writer.encode([*user("Look"), *earlier], [TOOL]).tokens)
    assert '"description": "Looks."' in text
    assert (
        '<tool_call>{"arguments": {"at": "it"}, "name": "look"}</tool_call>' in text
        or '{"name": "look", "arguments": {"at": "it"}}' in text
    )
    assert "<|tool|>a box<|end|>" in text
    said = able('I look.<tool_call>{"name": "look", "arguments": {"at": "it"}}</tool_call><|end|>')["input_ids"]
    message, _ = writer.decode(said, EncodedPrompt(()), True, 3)
    assert (message["content"], [item["function"] for item in message["tool_calls"]]) == ("I look.", [call["function"]])


@pytest.mark.parametrize(
    ("text", "message", "names"),
    [
        ('<tool_call>{"name": "a", "arguments": {"x": {"y": 1}}}</tool_call>\n<tool_call>{"name": "b"}</tool_call>', "", ["a", "b"]),
        ('[TOOL_CALLS] [{"name": "a", "arguments": {}}]', "", ["a"]),
        ('{"name": "a", "parameters": {"x": 1}}', "", ["a"]),
        ('<|python_tag|>{"name": "a", "parameters": {"x": 1}}', "", ["a"]),
        ("<tool_call>{nonsense}</tool_call>", "<tool_call>{nonsense}</tool_call>", []),
        ('<tool_call>{"name": "a"}</tool_call><tool_call>{"nome": 1}</tool_call>', None, []),
        ('{"answer": 3}', None, []),
        ("No call at all.", None, []),
    ],
)
def test_calls_are_read_in_the_forms_that_templates_teach(text, message, names):
    found, calls = parse_tool_calls(text, 2)
    assert [call["function"]["name"] for call in calls] == names
    assert found == (text if message is None else message)
    assert all(len(call["id"]) == 9 and isinstance(json.loads(call["function"]["arguments"]), dict) for call in calls)


def test_thoughts_are_kept_apart():
    assert split_reasoning("<think>two</think>\n\nFour.", False) == ("two", "Four.")
    assert split_reasoning("two</think>Four.", True) == ("two", "Four.")
    assert split_reasoning("<think>and on and on", False) == ("and on and on", "")
    assert split_reasoning("Four, not </think>", False) == ("", "Four, not </think>")


def test_options_that_there_are_not(model):
    with pytest.raises(ModelUnavailable, match="no option 'min_p'"):
        together(model, ["a"], Sampling(extra={"min_p": 0.1}))


def test_folders_that_are_no_model(tmp_path, folder):
    with pytest.raises(RlgymError, match="there is no such folder"):
        TransformersModel(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(RlgymError, match="has no config"):
        TransformersModel(tmp_path / "empty")
    (tmp_path / "empty" / "config.json").write_text("{")
    with pytest.raises(RlgymError, match="is not valid JSON"):
        TransformersModel(tmp_path / "empty")
    (tmp_path / "empty" / "config.json").write_text('{"model_type": "no_such_thing"}')
    with pytest.raises(RlgymError, match="cannot be loaded"):
        TransformersModel(tmp_path / "empty")


def test_missing_packages_are_said(folder):
    hidden = "import sys; sys.modules['transformers'] = None"
    script = f"{hidden}\nfrom rlgym.evaluate.models.transformers_model import TransformersModel\nTransformersModel({str(folder)!r})"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "needs transformers: install it with `pip install 'rlvrgym[train]'`" in found.stderr


def test_an_evaluation_from_end_to_end(tmp_path):
    small_model(tmp_path / "model", num_layers=1, max_seq_len=2048)
    suite = from_names(["chain_sum", "higher_lower"], levels=[0.0], count=4)
    own = TransformersModel(tmp_path / "model", batch_size=4)
    done = evaluate(EvaluationPlan(suite, own, EpisodeConfig(Sampling(samples=2, temperature=0.7, max_tokens=8))), tmp_path / "run")
    rows = [json.loads(line) for line in (tmp_path / "run" / "episodes.jsonl").read_text().splitlines()]
    assert (len(rows), done.stopped) == (8, "")
    assert {row["env"] for row in rows} == {"chain_sum", "higher_lower"}
    for row in rows:
        assert (row["error"], row["masked"], row["value"]) == (None, False, 0.0)
        assert 1 <= row["completion_tokens"] <= 8 * row["turns"]
        assert row["prompt_tokens"] > row["completion_tokens"]
        assert row["finish_reason"] in ("stop", "length")
    info = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (info["model"]["kind"], info["model"]["context"], info["model"]["device"]) == ("transformers", 2048, "cpu")
