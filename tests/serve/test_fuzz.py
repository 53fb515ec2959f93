"""Fuzzing: the service follows its OpenAPI schema, rejects invalid input with a reason, and stays alive."""

import json
import os
from functools import partial

import pytest
from serve.conftest import serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as connect_websocket

import rlgym
from rlgym.serve.api.app import create_app
from rlgym.serve.client import Client
from rlgym.serve.client.wire import websocket_url
from rlgym.serve.settings import Settings

connect = partial(connect_websocket, open_timeout=60)  # a handshake on a busy machine may take longer than the default of 10 s

KEY = "a-key-for-the-fuzz"
EXAMPLES = int(os.environ.get("RLGYM_FUZZ_EXAMPLES", "8"))  # of each route
# What an environment's knobs are, which combinations go together and how much may be asked for, a description cannot say: so 413 and 422, too.
CONFIG = {
    "seed": 1,
    "request-timeout": 120,  # a sample over all environments imports them all first
    "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "401", "403", "404", "409", "410", "413", "422", "429", "503"]}},
}


@pytest.mark.slow
def test_every_route_follows_its_openapi_schema(tmp_path):
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, Phase, given, settings

    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [{"name": "fuzz", "key": KEY, "reveal_answers": True}]}))
    app = create_app(Settings(key_file=str(keys), serve_page=False, score_timeout_seconds=5.0, generate_timeout_seconds=5.0))
    # Not from_asgi, which starts and ends the application's life before the first request.
    api = schemathesis.openapi.from_dict(app.openapi(), config=schemathesis.Config.from_dict(CONFIG))
    api.app = app
    bounds = settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    # The list of environments is another test's: it imports them all.
    found = [operation.ok() for operation in api.exclude(path="/v1/environments").get_all_operations()]
    failed = []
    for operation in found:

        @bounds
        @given(case=operation.as_strategy())
        def keeps_to_it(case):
            case.call_and_validate(headers={"Authorization": f"Bearer {KEY}"})

        try:
            keeps_to_it()
        except BaseExceptionGroup as error:
            failed.append(f"{operation.label}: {[str(exception) for exception in error.exceptions]}")
    assert len(found) >= 15
    assert not failed, "\n".join(failed)


OPERATIONS = ["open", "reset", "step", "snapshot", "restore", "render", "oracle", "mistake", "hint", "get", "close", "ping", "auth", "x"]
FIELDS = [
    "session",
    "name",
    "seed",
    "level",
    "knobs",
    "split",
    "answer_style",
    "response",
    "turn",
    "snapshot",
    "tier",
    "mode",
    "index",
    "keep",
]


def anything(rng, depth=0):
    """A random JSON value."""
    kind = rng.integer(0, 9 if depth < 3 else 6)
    plain = [None, rng.integer(0, 1) == 1, rng.integer(-(2**70), 2**70), rng.integer(-9, 9), float(rng.integer(-9, 9)) / 4, "", "chain_sum"]
    if kind < len(plain):
        return plain[kind]
    if kind == 7:
        return "".join(chr(rng.integer(0, 0xD7FF)) for _ in range(rng.integer(0, 30)))
    inside = [anything(rng, depth + 1) for _ in range(rng.integer(0, 3))]
    return inside if kind == 8 else {str(number): item for number, item in enumerate(inside)}


def message(rng, session):
    """A message that is valid, almost valid, or random."""
    kind = rng.integer(0, 9)
    if kind == 0:
        return bytes(rng.integer(0, 255) for _ in range(rng.integer(0, 200)))
    if kind == 1:
        return json.dumps(anything(rng))
    if kind == 2:
        opening = rng.choice(['{"a":', "["])
        return opening * rng.integer(1, 50_000)
    text = {"id": rng.integer(0, 99), "op": rng.choice(OPERATIONS), "session": session}
    for field in rng.shuffled(FIELDS)[: rng.integer(0, 4)]:
        text[field] = anything(rng)
    if kind == 3:
        text["id"] = anything(rng)
    if kind == 4:
        text["op"] = anything(rng)
    return json.dumps(text)


def alive(url):
    """Check that the service still works: an episode matches the local one."""
    with Client(url, transport="ws") as client:
        env, local = client.make("higher_lower", level=0.3), rlgym.make("higher_lower", level=0.3)
        assert env.reset(seed=3)[0] == local.reset(seed=3)[0]
        assert env.step("<answer>4</answer>")[:4] == local.step("<answer>4</answer>")[:4]


@pytest.mark.parametrize("seed", range(4))
def test_a_websocket_answers_any_message(url, seed):
    rng, answered = rlgym.Rng("fuzz", seed), 0
    with connect(websocket_url(url), max_size=None, compression=None) as socket:
        socket.send(json.dumps({"id": "mine", "op": "open", "name": "higher_lower", "seed": 1}))
        session = json.loads(socket.recv(timeout=60))["session"]
        for _ in range(150):
            socket.send(message(rng, session))
            result = json.loads(socket.recv(timeout=60))
            assert result["ok"] is True or result["error"]["code"] in {
                "invalid_request",
                "not_found",
                "forbidden",
                "episode_over",
                "stale_turn",
                "session_busy",
            }, result
            answered += result["ok"]
        socket.send(json.dumps({"id": "last", "op": "ping"}))
        assert json.loads(socket.recv(timeout=60)) == {"id": "last", "ok": True}
    assert answered > 0
    alive(url)


def test_a_websocket_rejects_huge_messages():
    with serving(max_body_bytes=100_000) as url:
        with connect(websocket_url(url), max_size=None, compression=None) as socket:
            for size, code in ((90_000, "invalid_request"), (150_000, "too_large")):
                socket.send("x" * size)
                assert json.loads(socket.recv(timeout=60))["error"]["code"] == code
            socket.send(json.dumps({"id": 1, "op": "ping"}))
            assert json.loads(socket.recv(timeout=60))["ok"]
        with connect(websocket_url(url), max_size=None, compression=None) as socket:
            try:
                socket.send("x" * 40_000_000)
                result = json.loads(socket.recv(timeout=60))
                assert result["error"]["code"] == "too_large"
            except ConnectionClosed as closed:
                frame = closed.rcvd or closed.sent
                assert frame is None or frame.code in (1006, 1009)
        alive(url)


def test_values_outside_json_are_rejected(url):
    with connect(websocket_url(url)) as socket:
        for text in (
            '{"id": NaN, "op": "ping"}',
            '{"id": 1, "op": "open", "name": "chain_sum", "level": NaN}',
            '{"id": 1, "op": "open", "level": 1e999}',
        ):
            socket.send(text)
            result = json.loads(socket.recv(timeout=60), parse_constant=lambda word: pytest.fail(f"the answer holds {word}"))
            assert result["ok"] or result["error"]["code"] == "invalid_request"
        socket.send('{"id": "\\ud800", "op": "open", "name": "\\ud800\\u0000"}')
        assert json.loads(socket.recv(timeout=60))["error"]["code"] in ("not_found", "invalid_request")
    alive(url)
