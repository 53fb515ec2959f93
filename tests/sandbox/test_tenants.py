"""A service with several tenants: each has a key and a quota, and they take turns."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from rlgym.cli.sandbox import read_keys
from rlgym.core.errors import KnobError
from rlgym.sandbox import SandboxError
from rlgym.sandbox.process import ProcessRunner
from rlgym.sandbox.remote.fair_queue import FairQueue, QuotaExceeded
from rlgym.sandbox.remote.service import service


def test_tenants_take_turns_whatever_each_has_waiting():
    order = []

    async def run(queue, tenant, number):
        async with queue.turn(tenant):
            order.append((tenant, number))
            await asyncio.sleep(0)

    async def main():
        queue = FairQueue(running=1, queued=100)
        async with queue.turn("first"):
            runs = [asyncio.create_task(run(queue, "greedy", i)) for i in range(6)]
            await asyncio.sleep(0)
            runs += [asyncio.create_task(run(queue, "modest", i)) for i in range(2)]
            await asyncio.sleep(0)
            assert queue.held == 9
        await asyncio.gather(*runs)
        assert queue.held == 0

    asyncio.run(main())
    assert order[:4] == [("greedy", 0), ("modest", 0), ("greedy", 1), ("modest", 1)]
    assert order[4:] == [("greedy", i) for i in range(2, 6)]


def test_no_more_than_the_quota_and_no_more_than_the_queue():
    async def main():
        queue = FairQueue(running=1, queued=2, quota=2)
        async with queue.turn("a"):
            waiting = asyncio.create_task(queue.turn("a").__aenter__())
            await asyncio.sleep(0)
            with pytest.raises(QuotaExceeded, match="a has 2 runs") as refused:
                await queue.turn("a").__aenter__()
            assert refused.value.tenant
            other = asyncio.create_task(queue.turn("b").__aenter__())
            await asyncio.sleep(0)
            with pytest.raises(QuotaExceeded, match="too many") as refused:
                await queue.turn("c").__aenter__()
            assert not refused.value.tenant
            # Those who leave while they wait give their places back.
            for task in (waiting, other):
                task.cancel()
            await asyncio.gather(waiting, other, return_exceptions=True)
        async with queue.turn("a"), asyncio.timeout(5):
            assert queue.held == 1
        assert queue.held == 0

    asyncio.run(main())


def test_a_client_that_leaves_as_its_turn_comes_gives_it_back():
    async def main():
        queue = FairQueue(running=1, queued=5)
        first = queue.turn("a")
        await first.__aenter__()
        task = asyncio.create_task(queue.turn("b").__aenter__())
        await asyncio.sleep(0)
        await first.__aexit__(None, None, None)  # the turn is the other's now
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with asyncio.timeout(5), queue.turn("c"):
            pass

    asyncio.run(main())


def test_keys_of_tenants():
    assert read_keys("one key of several words\n") == {"default": "one key of several words"}
    assert read_keys("# tenants\nann key1\n\nbob key2\n") == {"ann": "key1", "bob": "key2"}
    assert read_keys("\n") == {}
    for text in ("ann key1\nann key2", "ann key\nbob key", "ann\nbob", "ann a key\nbob key"):
        with pytest.raises(KnobError, match="NAME KEY"):
            read_keys(text)


def body(program):
    return {"program": program, "inputs": ['["t",[]]'], "entry": "solve", "seconds": 2.0}


def test_a_service_knows_its_tenants_and_keeps_their_quotas():
    try:
        ProcessRunner().close()
    except SandboxError as why:
        pytest.skip(str(why))
    app = service(keys={"ann": "key1", "bob": "key2"}, workers=1, quota=2)
    with TestClient(app) as client, ThreadPoolExecutor(8) as threads:

        def post(key, program):
            return client.post("/run", json=body(program), headers={"Authorization": f"Bearer {key}"})

        assert post("key3", "solve = int").status_code == 401
        # Two of ann's sleep; her next run exceeds her quota; bob is served at once.
        asleep = [threads.submit(post, "key1", "import time\ndef solve():\n    time.sleep(2)\n    return 1") for _ in range(2)]
        deadline = time.monotonic() + 20
        while app.state.queue.held < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        refused = post("key1", "solve = int")
        assert refused.status_code == 429
        assert "ann" in refused.json()["detail"]
        assert refused.headers["Retry-After"] == "1"
        answer = post("key2", "solve = int")
        assert answer.status_code == 200
        assert answer.json()["answers"] == [{"value": '["i","0"]', "raised": None}]
        assert answer.json()["kilobytes"] > 0
        assert not all(future.done() for future in asleep)
        assert [future.result().status_code for future in asleep] == [200, 200]
        metrics = client.get("/metrics").text
        assert 'rlgym_sandbox_runs_total{stopped_by="finished",tenant="ann"} 2.0' in metrics
        assert 'rlgym_sandbox_processor_seconds_total{tenant="bob"}' in metrics
        # What no honest client sends is answered, and breaks nothing.
        odd = post("key2", "solve = int")
        assert odd.status_code == 200
        sent = client.post("/run", json={**body("solve = int"), "inputs": ["[" * 9000]}, headers={"Authorization": "Bearer key2"})
        assert sent.json()["answers"][0]["raised"][0] in ("Unsendable", "RecursionError")
