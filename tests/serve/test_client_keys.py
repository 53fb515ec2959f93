"""The client with keys and quotas."""

import asyncio
import json

import pytest
from serve.conftest import serving

from rlgym.serve.client import AsyncClient, Client, Forbidden, QuotaExceeded, RetryPolicy, Unauthorized

QUICK = RetryPolicy(max_retries=2, first_seconds=0.01)


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A service with keys of different permissions and quotas."""
    keys = [
        {"name": "all", "key": "all-of-it", "reveal_answers": True},
        {"name": "some", "key": "some-of-it"},
        {"name": "few", "key": "few-of-it", "requests_per_second": 2.0, "max_sessions": 1},
        {"name": "slow", "key": "slow-of-it", "steps_per_minute": 1.0},
    ]
    file = tmp_path_factory.mktemp("keys") / "keys.json"
    file.write_text(json.dumps({"keys": keys}))
    with serving(key_file=str(file)) as address:
        yield address


@pytest.mark.parametrize("transport", ["rest", "ws"])
@pytest.mark.parametrize("key", [None, "wrong-key-here"])
def test_a_wrong_key_is_rejected(locked, transport, key):
    with Client(locked, key, transport=transport) as client, pytest.raises(Unauthorized):
        client.make("chain_sum")

    async def asynchronous():
        async with AsyncClient(locked, key, transport=transport) as client:
            with pytest.raises(Unauthorized):
                await client.make("chain_sum")

    asyncio.run(asynchronous())


def test_a_websocket_with_a_wrong_key_is_rejected(locked):
    with Client(locked, "all-of-it", transport="ws") as client:
        env = client.make("chain_sum")
        client._websocket._key = "wrong-key-here"
        with pytest.raises(Unauthorized):
            env.reset(seed=1)


@pytest.mark.parametrize("transport", ["rest", "ws"])
def test_answers_require_a_key_that_may_see_them(locked, transport):
    with Client(locked, "some-of-it", transport=transport) as client:
        env = client.make("chain_sum")
        env.reset(seed=1)
        for call in (env.oracle, env.mistake, lambda: env.hint("solution")):
            with pytest.raises(Forbidden, match="may not see answers"):
                call()
    with Client(locked, "all-of-it", transport=transport) as client:
        env = client.make("chain_sum")
        env.reset(seed=1)
        assert env.step(env.mistake())[1] == 0.0
        env.reset(seed=1)
        assert env.step(env.oracle())[1] == 1.0


def play_on(env):
    for _ in range(3):
        env.step("<answer>1</answer>")


@pytest.mark.parametrize("transport", ["rest", "ws"])
def test_the_client_waits_for_quotas_within_its_policy(locked, transport):
    with Client(locked, "slow-of-it", transport=transport, retries=RetryPolicy(max_seconds=5)) as client:
        env = client.make("higher_lower", level=0.5)
        env.reset(seed=1)
        with pytest.raises(QuotaExceeded) as caught:
            play_on(env)
        assert caught.value.retryable
        assert caught.value.retry_after > 5
    with Client(locked, "few-of-it", transport=transport) as client:
        env = client.make("higher_lower", level=0.5)
        for seed in range(6):
            env.reset(seed=seed)  # twice as many at once as the key may ask for; the client waits as long as the server says
        env.close()
