"""Askings that wait for one another to be worked on together."""

import asyncio
import threading

import pytest

from rlgym.evaluate.models.base import RequestFailed
from rlgym.evaluate.models.batching import BatchQueue, DecodingParams, GeneratedTokens, GenerationRequest
from rlgym.evaluate.models.chat_format import EncodedPrompt


def job(seed=0):
    return GenerationRequest(EncodedPrompt((3,)), DecodingParams(seed=seed), 5)


def test_a_model_that_breaks_down_fails_its_askings_and_goes_on():
    def work(queue):
        for item in queue.take_batch(1):
            if item.decoding.seed == 1:
                raise ValueError("a bug")
            item.future.set_result(GeneratedTokens((item.decoding.seed,), "stop"))

    queue = BatchQueue(work, "test")

    async def all_of_them():
        return await asyncio.gather(*(queue.submit(job(seed)) for seed in (0, 1, 2)), return_exceptions=True)

    first, broken, last = asyncio.run(all_of_them())
    assert (first.tokens, last.tokens) == ((0,), (2,))
    assert isinstance(broken, RequestFailed)
    assert "ValueError: a bug" in str(broken)
    queue.close()
    with pytest.raises(RequestFailed, match="has been closed"):
        asyncio.run(queue.submit(job()))


def test_what_waits_when_the_model_is_closed_fails():
    begun, go_on = threading.Event(), threading.Event()

    def work(queue):
        for item in queue.take_batch(1):
            begun.set()
            go_on.wait(60)
            item.future.set_result(GeneratedTokens((), "stop"))

    queue = BatchQueue(work, "test")

    async def two():
        askings = [asyncio.create_task(queue.submit(job(seed))) for seed in (0, 1)]
        await asyncio.to_thread(begun.wait, 60)
        closing = asyncio.create_task(asyncio.to_thread(queue.close))
        while not queue.closed:
            await asyncio.sleep(0.01)
        go_on.set()
        await closing
        return await asyncio.gather(*askings, return_exceptions=True)

    done, waiting = asyncio.run(two())
    assert done.finish_reason == "stop"
    assert isinstance(waiting, RequestFailed)


def test_an_asking_that_is_given_up_is_not_worked_on():
    worked = []

    def work(queue):
        for item in queue.take_batch(8, window_seconds=0.5):
            worked.append(item.decoding.seed)
            item.future.set_result(GeneratedTokens((), "stop"))

    queue = BatchQueue(work, "test")

    async def one_is_given_up():
        given_up = asyncio.create_task(queue.submit(job(1)))
        blocked = asyncio.create_task(queue.submit(job(0)))
        given_up.cancel()
        await blocked

    asyncio.run(one_is_given_up())
    queue.close()
    assert worked == [0]
