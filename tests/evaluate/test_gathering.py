"""Askings that wait for one another to be worked on together."""

import asyncio
import threading

import pytest

from rlgym.evaluate.conversation import Asked
from rlgym.evaluate.gathering import Choice, Gathering, Job, Made
from rlgym.evaluate.models import AskingFailed


def job(seed=0):
    return Job(Asked((3,)), Choice(seed=seed), 5)


def test_a_model_that_breaks_down_fails_its_askings_and_goes_on():
    def work(gathering):
        for one in gathering.take(1):
            if one.choice.seed == 1:
                raise ValueError("a bug")
            one.done.set_result(Made((one.choice.seed,), "stop"))

    gathering = Gathering(work, "test")

    async def all_of_them():
        return await asyncio.gather(*(gathering.ask(job(seed)) for seed in (0, 1, 2)), return_exceptions=True)

    first, broken, last = asyncio.run(all_of_them())
    assert (first.tokens, last.tokens) == ((0,), (2,))
    assert isinstance(broken, AskingFailed)
    assert "ValueError: a bug" in str(broken)
    gathering.close()
    with pytest.raises(AskingFailed, match="has been closed"):
        asyncio.run(gathering.ask(job()))


def test_what_waits_when_the_model_is_closed_fails():
    begun, go_on = threading.Event(), threading.Event()

    def work(gathering):
        for one in gathering.take(1):
            begun.set()
            go_on.wait(60)
            one.done.set_result(Made((), "stop"))

    gathering = Gathering(work, "test")

    async def two():
        askings = [asyncio.create_task(gathering.ask(job(seed))) for seed in (0, 1)]
        await asyncio.to_thread(begun.wait, 60)
        closing = asyncio.create_task(asyncio.to_thread(gathering.close))
        while not gathering.closed:
            await asyncio.sleep(0.01)
        go_on.set()
        await closing
        return await asyncio.gather(*askings, return_exceptions=True)

    done, waiting = asyncio.run(two())
    assert done.finish == "stop"
    assert isinstance(waiting, AskingFailed)


def test_an_asking_that_is_given_up_is_not_worked_on():
    worked = []

    def work(gathering):
        for one in gathering.take(8, moment=0.5):
            worked.append(one.choice.seed)
            one.done.set_result(Made((), "stop"))

    gathering = Gathering(work, "test")

    async def one_is_given_up():
        given_up = asyncio.create_task(gathering.ask(job(1)))
        blocked = asyncio.create_task(gathering.ask(job(0)))
        given_up.cancel()
        await blocked

    asyncio.run(one_is_given_up())
    gathering.close()
    assert worked == [0]
