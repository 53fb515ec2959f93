"""Clients and errors of the client survive pickling."""

import pickle

from rlgym.serve.client import Client, QuotaExceeded, RetryPolicy


def copied(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own bytes


def test_clients_and_errors_can_be_pickled(url):
    with Client(url, "key", transport="ws", retries=3) as client:
        with copied(client) as copy:
            assert (copy.url, copy.transport, copy.retry_policy) == (client.url, "ws", RetryPolicy(max_retries=3))
            assert copy.make("chain_sum").reset(seed=1) == client.make("chain_sum").reset(seed=1)
        error = QuotaExceeded("too much", retryable=True, retry_after=3.5, status=429)
        copy = copied(error)
        assert (type(copy), str(copy), copy.__dict__) == (QuotaExceeded, "too much", error.__dict__)
