"""The parts of asking, each alone: the limiter, refusals, and what a stream is put together to."""

import asyncio
import json

import pytest
from evaluate.endpoint import delta

from rlgym import RlgymError
from rlgym.evaluate.models.base import replace_lone_surrogates
from rlgym.evaluate.models.http_errors import ErrorAction, classify_error, parse_retry_after
from rlgym.evaluate.models.rate_limit import Backoff, RateLimiter
from rlgym.evaluate.models.streaming import InvalidResponse, StreamedCompletion, parse_completion


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds


def _begun(limiter, clock, tokens):
    async def begin():
        begun = []
        for many in tokens:
            await limiter.acquire(many)
            begun.append(clock.now - 100)
        return begun

    return asyncio.run(begin())


def test_requests_are_spaced_within_a_minute():
    clock = Clock()
    assert _begun(RateLimiter(requests=30, clock=clock, sleep=clock.sleep), clock, [1] * 4) == pytest.approx([0, 2, 4, 6])


def test_no_request_begins_before_a_pause_is_over():
    clock = Clock()
    limiter = RateLimiter(clock=clock, sleep=clock.sleep)
    limiter.pause(30)
    limiter.pause(5)
    assert _begun(limiter, clock, [1, 1]) == [30, 30]


def test_no_minute_takes_more_tokens_than_are_allowed():
    clock = Clock()
    begun = _begun(RateLimiter(tokens=100, clock=clock, sleep=clock.sleep), clock, [40, 40, 40, 500, 10])
    assert begun == pytest.approx([0, 0, 60, 120, 180])


def test_tokens_that_were_not_taken_leave_room():
    clock = Clock()
    limiter = RateLimiter(tokens=100, clock=clock, sleep=clock.sleep)

    async def begin():
        use = await limiter.acquire(90)
        use.tokens = 20
        await limiter.acquire(70)
        return clock.now

    assert asyncio.run(begin()) == 100.0


def test_patience_doubles_up_to_its_most_and_is_cut_by_chance():
    backoff = Backoff(first=1.0, longest=8.0)
    for tries in range(1, 9):
        longest = min(8.0, 2.0 ** (tries - 1))
        assert longest / 2 <= backoff.delay(tries) <= longest
    assert len({backoff.delay(9) for _ in range(5)}) == 5


@pytest.mark.parametrize("given", [{"requests": 0}, {"tokens": -1}])
def test_a_pace_of_nothing_is_refused(given):
    with pytest.raises(RlgymError, match="per minute must be above 0"):
        RateLimiter(**given)


def test_waits_are_read_as_seconds_and_as_dates():
    assert parse_retry_after({"retry-after": "7"}) == 7
    assert parse_retry_after({"retry-after-ms": "250"}) == 0.25
    assert parse_retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert parse_retry_after({"retry-after": "soon"}) is None
    assert parse_retry_after({}) is None


def test_a_content_filter_is_of_a_task_even_at_first():
    data = b'{"error": {"message": "filtered", "code": "content_filter"}}'
    assert classify_error(400, data, {}, {}).action is ErrorAction.FAIL_TASK


def test_calls_are_put_together_from_their_pieces():
    reply = StreamedCompletion(1000)
    events = [
        delta({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "look", "arguments": '{"at'}}]}),
        delta({"tool_calls": [{"index": 1, "function": {"name": "go", "arguments": {}}}]}),
        delta({"tool_calls": [{"index": 0, "function": {"arguments": '": 1}'}}], "reasoning_content": "hm"}),
        delta({}, "tool_calls"),
    ]
    text = b": hello\n\n" + b"".join(b"event: x\r\ndata: " + json.dumps(event).encode() + b"\r\n\r\n" for event in events)
    for at in range(0, len(text), 3):
        reply.feed(text[at : at + 3])
    completion = reply.completion()
    first, second = completion.message["tool_calls"]
    assert first == {"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
    assert second["function"]["name"] == "go"
    assert second["id"] == "call_1"
    assert (completion.message["content"], completion.reasoning, completion.finish_reason) == (None, "hm", "tool_calls")


def test_a_line_without_end_is_not_kept():
    reply = StreamedCompletion(10)
    reply.feed(b"x" * 900_000)
    with pytest.raises(InvalidResponse, match="never ends"):
        reply.feed(b"x" * 900_000)


def test_halves_of_signs_are_made_whole():
    completion = parse_completion(b'{"choices": [{"message": {"content": "a\\ud83d b \\ud83d\\ude00"}}]}', 100)
    assert completion.message["content"] == "a� b \U0001f600"
    assert replace_lone_surrogates("plain") == "plain"


def test_an_error_within_a_stream_is_said_in_its_own_words():
    with pytest.raises(InvalidResponse, match=r"sent an error: .*overloaded"):
        StreamedCompletion(10).feed(b'data: {"error": {"message": "overloaded"}}\n\n')
