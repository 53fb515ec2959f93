"""Checks of responses, for tests."""

from rlgym.serve.protocol.errors import CODES


def refused(answer, code):
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "retryable", "retry_after"}
    assert (answer.status_code, error["code"], error["retryable"]) == (CODES[code].status, code, CODES[code].retryable), answer.text
    return error["message"]


def opened(client, name="chain_sum", **fields):
    return client.post("/v1/sessions", json={"name": name, "seed": 3, **fields}).json()
