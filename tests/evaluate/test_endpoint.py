"""An endpoint over HTTP: its responses, its failures, and its rate limits."""

import asyncio
import json
import socket

import pytest
from evaluate.endpoint import Odd, delta, error, serving

from rlgym import RlgymError
from rlgym.dataset import Session
from rlgym.evaluate.models.base import ModelUnavailable, RequestFailed, Sampling
from rlgym.evaluate.models.endpoint import Endpoint, RequestLimits
from rlgym.evaluate.models.rate_limit import Backoff, RateLimiter
from rlgym.evaluate.suites import from_names

ROWS = from_names("chain_sum", levels=[0.0], count=4).rows
HELLO = [{"role": "user", "content": Session(ROWS[0]).observation}]


def _model(url, *, key=None, name="oracle", stream=True, rate_limiter=None, **limits):
    given = RequestLimits(**{"seconds": 20.0, "retries": 3} | limits)
    return Endpoint(url, name, key, stream=stream, limits=given, rate_limiter=rate_limiter, backoff=Backoff(0.001, 0.02))


def _ask(model, messages=HELLO, tools=(), seed=5, **sampling):
    async def request():
        try:
            return await model.generate(messages, tools, Sampling(**sampling), seed)
        finally:
            await model.close()

    return asyncio.run(request())


def _first(*odds):
    """Misbehave at the first requests, then no more."""
    return lambda request, number: odds[number] if number < len(odds) else None


@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_and_what_was_asked(stream):
    with serving(ROWS) as server:
        completion = _ask(_model(server.url, key="sesame", stream=stream), temperature=0.5, top_p=0.9, max_tokens=77, extra={"top_k": 20})
    assert "<answer>" in completion.message["content"]
    assert (completion.prompt_tokens, completion.completion_tokens, completion.finish_reason, completion.requests) == (10, 5, "stop", 1)
    [request] = server.asked
    assert request | {"model": "oracle", "temperature": 0.5, "top_p": 0.9, "max_tokens": 77, "top_k": 20, "seed": 5} == request
    assert request.get("stream", False) is stream
    assert server.headers[0]["authorization"] == "Bearer sesame"


def test_what_is_not_set_is_left_to_the_model():
    with serving(ROWS) as server:
        _ask(_model(server.url))
    assert set(server.asked[0]) == {"model", "messages", "seed", "stream", "stream_options"}
    assert "authorization" not in server.headers[0]


def test_an_endpoint_that_does_not_stream_though_asked_to_is_understood():
    body = {"choices": [{"message": {"role": "assistant", "content": "hm"}, "finish_reason": "length"}]}
    with serving(ROWS, _first(Odd(body=json.dumps(body).encode()))) as server:
        completion = _ask(_model(server.url))
    assert (completion.message["content"], completion.finish_reason, completion.prompt_tokens, completion.completion_tokens) == (
        "hm",
        "length",
        None,
        None,
    )


@pytest.mark.parametrize(
    "odd",
    [
        error(429, "slow down", retry_after="0.05"),
        error(500, "oh no"),
        error(503, "busy", retry_after="0"),
        Odd(status=502, body=b"<html>bad gateway</html>", kind="text/html"),
        Odd(body=b"{not json"),
        Odd(body=b"[1, 2]"),
        Odd(body=b'{"id": "1"}'),
        Odd(body=b'{"choices": []}'),
        Odd(body=b'{"choices": [{"message": "hello"}]}'),
        Odd(body=b'{"choices": [{"message": {"content": [1]}}]}'),
        Odd(body=b"<!doctype html><p>sign in</p>", kind="text/html"),
        Odd(body=b"data: {broken\n\n", kind="text/event-stream"),
        Odd(body=b'data: {"error": {"message": "overloaded"}}\n\n', kind="text/event-stream"),
        Odd(body=b"data: " + json.dumps(delta({"content": "half an ans"})).encode() + b"\n\n", kind="text/event-stream"),
        Odd(body=b"data: [DONE]\n\n", kind="text/event-stream"),
        Odd(breaks=True),
    ],
)
def test_what_goes_wrong_is_tried_again(odd):
    with serving(ROWS, _first(odd, odd)) as server:
        completion = _ask(_model(server.url))
    assert "<answer>" in completion.message["content"]
    assert completion.requests == len(server.asked) == 3


@pytest.mark.parametrize("odd", [error(500, "oh no"), Odd(body=b"<html>"), Odd(breaks=True)])
def test_what_goes_on_going_wrong_fails_this_asking(odd):
    with serving(ROWS, lambda request, number: odd) as server, pytest.raises(RequestFailed) as failed:
        _ask(_model(server.url))
    assert failed.value.requests == len(server.asked) == 4
    assert "(4 requests)" in str(failed.value)


def test_slowing_down_is_asked_for_more_often_than_failures_are_allowed():
    with serving(ROWS, _first(*[error(429, "slow down", retry_after_ms="1")] * 12)) as server:
        assert _ask(_model(server.url)).requests == 13


def test_a_wait_that_is_asked_for_holds_for_all_requests():
    paused = []

    class Told(RateLimiter):
        def pause(self, seconds):
            paused.append(seconds)

    with serving(ROWS, _first(error(429, "slow down", retry_after_ms="30"), error(500, "oh no"))) as server:
        assert _ask(_model(server.url, rate_limiter=Told())).requests == 3
    assert paused == [0.03]  # a server that fails does not stop the others


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        (error(401, "bad key"), "rejects the API key (HTTP 401: bad key)"),
        (error(403, "not yours"), "rejects the API key"),
        (error(402, "pay first"), "no credit left"),
        (error(429, "quota", "insufficient_quota"), "no credit left"),
        (error(404, "no model 'x'"), "unknown model"),
        (error(400, "no model 'x'", "model_not_found"), "unknown model"),
        (Odd(status=302, headers={"location": "http://elsewhere/"}), "http://elsewhere/"),
        (error(429, "come back tomorrow", retry_after="86400"), "wait 86400 seconds"),
    ],
)
def test_what_ends_the_run_is_asked_once(odd, message):
    with serving(ROWS, lambda request, number: odd) as server, pytest.raises(ModelUnavailable) as stopped:
        _ask(_model(server.url, key="sesame"))
    assert len(server.asked) == 1
    assert message in str(stopped.value)
    assert server.url in str(stopped.value)
    assert "sesame" not in str(stopped.value)


def test_an_endpoint_that_refuses_tools_is_told_how_to_be_asked():
    tools = [{"type": "function", "function": {"name": "look", "description": "", "parameters": {}}}]
    with serving(ROWS, lambda request, number: error(400, "tool use is not enabled")) as server, pytest.raises(RequestFailed) as failed:
        _ask(_model(server.url), tools=tools)
    assert len(server.asked) == 1
    assert failed.value.systemic
    assert "use --tools text" in str(failed.value)


def test_a_refusal_after_an_answer_is_of_that_task_alone():
    async def twice(model):
        try:
            await model.generate(HELLO, (), Sampling(), 1)
            with pytest.raises(RequestFailed, match="strange characters") as failed:
                await model.generate(HELLO, (), Sampling(), 2)
            assert not failed.value.systemic
        finally:
            await model.close()

    with serving(ROWS, lambda request, number: error(400, "strange characters") if number else None) as server:
        asyncio.run(twice(_model(server.url)))


def test_a_dead_endpoint_ends_the_run():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        with pytest.raises(ModelUnavailable, match=r"cannot be reached.*is it running"):
            _ask(_model(f"http://127.0.0.1:{taken.getsockname()[1]}/v1"))


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).",
        "the request exceeds the available context size, try increasing it",
        "prompt is too long: 210000 tokens > 200000 maximum",
    ],
)
def test_a_conversation_that_is_too_long_is_an_outcome(message):
    with serving(ROWS, lambda request, number: error(400, message)) as server:
        completion = _ask(_model(server.url))
    assert (completion.finish_reason, completion.message["content"], len(server.asked)) == ("context", "", 1)


def test_room_for_answers_that_no_task_could_have_ends_the_run():
    message = "'max_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 39 input tokens"
    with serving(ROWS, lambda request, number: error(400, message)) as server, pytest.raises(ModelUnavailable, match="--max-tokens"):
        _ask(_model(server.url), max_tokens=5000)


def test_fields_that_an_endpoint_does_not_know_are_left_out_and_told():
    def odd(request, number):
        if "max_tokens" in request:
            return error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "unsupported_parameter")
        if "seed" in request:
            return Odd(422, b'{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}')
        return error(400, "unknown field stream_options") if "stream_options" in request else None

    with serving(ROWS, odd) as server:
        model = _model(server.url)
        completion = _ask(model, max_tokens=9)
    assert "<answer>" in completion.message["content"]
    assert server.asked[-1]["max_completion_tokens"] == 9
    assert len(model.notes) == 3


def test_a_model_that_talks_for_ever_is_cut_at_its_characters():
    with serving(ROWS, lambda request, number: Odd(forever=True)) as server:
        completion = _ask(_model(server.url, characters=400))
    assert completion.finish_reason == "length"
    assert 400 <= len(completion.message["content"]) < 4000
    assert completion.completion_tokens is None


def test_a_model_that_talks_for_ever_is_cut_at_its_time():
    with serving(ROWS, lambda request, number: Odd(forever=True)) as server:
        completion = _ask(_model(server.url, seconds=1.0))
    assert completion.finish_reason == "timed_out"
    assert completion.message["content"].startswith("and so on and so on")
    assert len(server.asked) == 1


def test_an_endpoint_that_says_nothing_in_time_has_failed():
    with (
        serving(ROWS, lambda request, number: Odd(silent=1.2)) as server,
        pytest.raises(RequestFailed, match=r"did not answer within 0\.2 seconds"),
    ):
        _ask(_model(server.url, seconds=0.2, retries=1))


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://host/v1", "http://", "http://[::1", "http:///v1"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(RlgymError, match="looks like http://localhost:8000/v1, got"):
        Endpoint(url, "x")


def test_a_key_is_stripped_and_never_told():
    with pytest.raises(RlgymError, match="the API key contains a space") as refused:
        Endpoint("http://localhost/v1", "x", "open sesame")
    assert "sesame" not in str(refused.value)
    with serving(ROWS) as server:
        _ask(_model(server.url, key="sesame\n"))
    assert server.headers[0]["authorization"] == "Bearer sesame"
