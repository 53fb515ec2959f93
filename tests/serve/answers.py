"""What the service answers, for tests."""

from rlgym.serve.errors import CODES


def refused(answer, code):
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "retryable", "retry_after"}
    assert (answer.status_code, error["code"], error["retryable"]) == (CODES[code][0], code, CODES[code][1]), answer.text
    return error["message"]


def opened(client, name="chain_sum", **fields):
    return client.post("/v1/sessions", json={"name": name, "seed": 3, **fields}).json()
