"""What the client does with keys and quotas."""

import asyncio
import json

import pytest
from serve.conftest import serving

from rlgym.serve.client import (
    AsyncClient,
    Client,
    Forbidden,
    Quota,
    Tries,
    Unauthorized,
)

QUICK = Tries(most=2, first=0.01)


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A service with keys: one may see answers, one may not, one may hardly do anything."""
    keys = [
        {"name": "all", "key": "all-of-it", "reveal": True},
        {"name": "some", "key": "some-of-it"},
        {"name": "few", "key": "few-of-it", "requests_per_second": 2.0, "sessions": 1},
        {"name": "slow", "key": "slow-of-it", "steps_per_minute": 1.0},
    ]
    file = tmp_path_factory.mktemp("keys") / "keys.json"
    file.write_text(json.dumps({"keys": keys}))
    with serving(keys=str(file)) as address:
        yield address


@pytest.mark.parametrize("transport", ["rest", "ws"])
@pytest.mark.parametrize("key", [None, "wrong-key-here"])
def test_a_wrong_key_is_refused(locked, transport, key):
    with Client(locked, key, transport=transport) as client, pytest.raises(Unauthorized):
        client.make("chain_sum")

    async def asynchronous():
        async with AsyncClient(locked, key, transport=transport) as client:
            with pytest.raises(Unauthorized):
                await client.make("chain_sum")

    asyncio.run(asynchronous())


def test_a_socket_with_a_wrong_key_is_refused(locked):
    with Client(locked, "all-of-it", transport="ws") as client:
        env = client.make("chain_sum")
        client._socket._key = "wrong-key-here"
        with pytest.raises(Unauthorized):
            env.reset(seed=1)


@pytest.mark.parametrize("transport", ["rest", "ws"])
def test_answers_are_for_keys_that_may_reveal_them(locked, transport):
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
def test_a_quota_is_waited_for_where_there_is_patience(locked, transport):
    with Client(locked, "slow-of-it", transport=transport, retries=Tries(longest=5)) as client:
        env = client.make("higher_lower", level=0.5)
        env.reset(seed=1)
        with pytest.raises(Quota) as caught:
            play_on(env)
        assert caught.value.retryable
        assert caught.value.retry_after > 5
    with Client(locked, "few-of-it", transport=transport) as client:
        env = client.make("higher_lower", level=0.5)
        for seed in range(6):
            env.reset(seed=seed)  # twice as many at once as the key may ask for; the client waits as long as it is told
        env.close()
