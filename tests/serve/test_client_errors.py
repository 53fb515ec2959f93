"""The client when the service rejects requests, loses sessions, dies or answers outside the protocol."""

import socket
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from serve.conftest import serving

import rlgym
from rlgym import NeedsReset
from rlgym.serve.client import (
    Client,
    ConnectionLost,
    InvalidRequest,
    InvalidResponse,
    ReplayMismatch,
    RetryPolicy,
    ServiceError,
    SessionExpired,
    SessionLost,
    StaleTurn,
    TooLarge,
    Unreachable,
)

QUICK = RetryPolicy(max_retries=2, first_seconds=0.01)


@pytest.fixture
def game(url):
    """A client, an Env of several turns, and the equivalent local Env."""
    with Client(url, retries=QUICK) as client:
        env, local = client.make("higher_lower", level=0.5), rlgym.make("higher_lower", level=0.5)
        assert env.reset(seed=4)[0] == local.reset(seed=4)[0]
        yield client, env, local


def losing(client, lost, after):
    """Make the client lose the responses to some calls, after or before the service processes them."""
    send, number = client._http.send, iter(range(1000))

    def sent(call):
        removed = next(number) in lost
        if removed and not after:
            raise ConnectionLost("the cable was pulled before", retryable=True)
        result = send(call)
        if removed:
            raise ConnectionLost("the cable was pulled after", retryable=True)
        return result

    client._http.send = sent


@pytest.mark.parametrize("after", [True, False])
def test_a_step_whose_response_was_lost_is_taken_once(game, after):
    client, env, local = game
    losing(client, {0, 1}, after)
    for guess in (1, 9, 5):
        mine, theirs = local.step(f"<answer>{guess}</answer>"), env.step(f"<answer>{guess}</answer>")
        assert theirs[:4] == mine[:4]
        assert theirs[4]["turn"] == mine[4]["turn"]
    assert env.messages == local.messages


def test_a_final_step_whose_response_was_lost_keeps_its_score(url):
    with Client(url, retries=QUICK) as client:
        env = client.make("chain_sum")
        env.reset(seed=1)
        right = env.oracle()
        losing(client, {0}, True)
        assert env.step(right)[1] == 1.0


def test_a_batch_whose_response_was_lost_is_taken_once(url):
    with Client(url, retries=QUICK) as client:
        envs, local = ([maker.make("higher_lower", level=0.5) for _ in range(4)] for maker in (client, rlgym))
        for number, (env, mine) in enumerate(zip(envs, local, strict=True)):
            assert env.reset(seed=number)[0] == mine.reset(seed=number)[0]
        losing(client, {0}, True)
        for guess in (2, 8):
            result = client.step_batch([(env, f"<answer>{guess}</answer>") for env in envs])
            assert [item[:4] for item in result] == [mine.step(f"<answer>{guess}</answer>")[:4] for mine in local]


def test_a_persistent_connection_error_is_raised(game):
    client, env, _ = game
    losing(client, set(range(50)), False)
    with pytest.raises(ConnectionLost, match="pulled") as caught:
        env.step("<answer>1</answer>")
    assert caught.value.retryable


def test_two_clients_on_one_session_do_not_step_past_each_other(game, url):
    client, env, _ = game
    with Client(url, retries=QUICK) as second:
        other = second.attach(env.session_id)
        assert other.messages == env.messages
        other.step("<answer>3</answer>")
        with pytest.raises(StaleTurn, match="turn 1"):
            env.step("<answer>9</answer>")
        assert [message["content"] for message in other.messages if message["role"] == "assistant"] == ["<answer>3</answer>"]
        over = False
        while not over:
            over = other.step(other.oracle())[2]
        env = client.attach(other.session_id)
        with pytest.raises(NeedsReset):
            env.step("<answer>1</answer>")


def test_a_closed_session_raises_session_lost(game, url):
    _, env, _ = game
    with Client(url) as second:
        second.attach(env.session_id).close()
    for call in (lambda: env.step("<answer>1</answer>"), env.oracle, lambda: env.messages):
        with pytest.raises(SessionLost):
            call()
    assert env.reset(seed=5)[1]["seed"] == 5  # which needs nothing of the old one


def cut(client):
    client._websocket.close()


def forgotten(client, env):
    with Client(client.url) as second:
        second.attach(env.session_id).close()


@pytest.mark.parametrize("name", ["higher_lower", "nim", "bank_support"])
@pytest.mark.parametrize("transport", ["rest", "ws"])
def test_a_lost_episode_is_recreated(url, transport, name):
    with Client(url, transport=transport) as client:
        env, local = client.make(name, level=0.4, recover=True), rlgym.make(name, level=0.4)
        assert env.reset(seed=6)[0] == local.reset(seed=6)[0]
        over, sessions = False, {env.session_id}
        while not over:
            cut(client) if transport == "ws" else forgotten(client, env)
            response = local.oracle()
            mine, theirs = local.step(response), env.step(response)
            assert theirs[:4] == mine[:4]
            over = mine[2]
            sessions.add(env.session_id)
        assert mine[1] == 1.0
        assert theirs[4]["score"] == mine[4]["score"]
        assert env.messages == local.messages
        assert len(sessions) > 2


def test_a_snapshot_outlives_its_session(url):
    with Client(url) as client:
        env = client.make("higher_lower", level=0.5, recover=True)
        env.reset(seed=2)
        env.step("<answer>1</answer>")
        kept, text = env.snapshot(), env.render()
        env.step("<answer>2</answer>")
        forgotten(client, env)
        assert env.restore(kept) == kept.observation
        assert env.render() == text


def test_a_broken_websocket_loses_its_sessions(url):
    with Client(url, transport="ws") as client:
        env = client.make("higher_lower", level=0.5)
        env.reset(seed=2)
        cut(client)
        with pytest.raises(SessionLost):
            env.step("<answer>1</answer>")
        env.reset(seed=3)
        env.step("<answer>1</answer>")


def test_a_persistent_session_continues_over_rest(url):
    with Client(url, transport="ws") as client, Client(url) as second:
        env = client.make("higher_lower", level=0.5, persistent=True)
        env.reset(seed=2)
        env.step("<answer>1</answer>")
        cut(client)
        assert second.attach(env.session_id).step("<answer>2</answer>")[4]["turn"] == 2


def test_a_recreated_episode_that_differs_raises(game):
    client, env, _ = game
    env.core.episode.recover = True
    env.step("<answer>1</answer>")
    history = env.core.episode.history
    env.core.episode.history = replace(history, observations=("another game", *history.observations[1:]))
    forgotten(client, env)
    with pytest.raises(ReplayMismatch, match="turn 0: expected 'another game'"):
        env.step("<answer>2</answer>")


@pytest.mark.parametrize("recover", [False, True])
def test_an_idle_session_expires(recover):
    with serving(session_timeout_seconds=0.2) as url, Client(url) as client:
        env, local = client.make("higher_lower", level=0.5, recover=recover), rlgym.make("higher_lower", level=0.5)
        env.reset(seed=1)
        local.reset(seed=1)
        time.sleep(0.5)
        if recover:
            assert env.step("<answer>1</answer>")[:4] == local.step("<answer>1</answer>")[:4]
        else:
            with pytest.raises(SessionExpired, match="open another"):
                env.step("<answer>1</answer>")


@pytest.mark.parametrize("transport", ["rest", "ws"])
def test_a_response_that_is_too_long_is_rejected(url, transport):
    with Client(url, transport=transport) as client:
        env = client.make("higher_lower", level=0.5)
        env.reset(seed=1)
        with pytest.raises(TooLarge, match="1000000 characters"):
            env.step("x" * 1_000_001)
        with pytest.raises(TooLarge, match="16777216 bytes"):
            env.step("x" * 20_000_000)
        env.step("<answer>1</answer>")  # and the session is where it was


@pytest.mark.parametrize("transport", ["rest", "ws"])
def test_a_missing_service_is_unreachable(transport):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # but does not listen
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with Client(address, transport=transport, retries=QUICK) as client:
            with pytest.raises(Unreachable, match="cannot reach a service at") as caught:
                client.make("chain_sum")
            assert caught.value.retryable
            assert not client.ready()
        for bad in ("localhost:8000", "ftp://x", ""):
            with pytest.raises(InvalidRequest, match="must look like"):
                Client(bad)


@pytest.mark.parametrize("transport", ["rest", "ws"])
def test_a_dead_service_raises_a_retryable_error(transport):
    with serving() as url:
        client = Client(url, transport=transport, retries=QUICK, timeout=20)
        env = client.make("higher_lower", level=0.5, recover=True)
        env.reset(seed=1)
    with pytest.raises(ServiceError) as caught:
        env.step("<answer>1</answer>")
    assert caught.value.retryable
    env.close()
    client.close()


@pytest.mark.parametrize(
    ("status", "kind", "body", "error"),
    [
        (200, "text/html", b"<html>welcome</html>", InvalidResponse),
        (200, "application/json", b"{broken", InvalidResponse),
        (200, "application/json", b'{"task": 1}', InvalidResponse),
        (500, "text/plain", b"oops", InvalidResponse),
        (502, "text/html", b"bad gateway", Unreachable),
        (418, "application/json", b'{"error": {"code": "teapot", "message": "I am one", "retryable": false}}', ServiceError),
    ],
)
def test_responses_outside_the_protocol_raise(status, kind, body, error):
    class Nonsense(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Nonsense) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with Client(f"http://127.0.0.1:{server.server_port}", retries=QUICK) as client, pytest.raises(error) as caught:
            client.make("chain_sum")
        server.shutdown()
        thread.join()
    assert type(caught.value) is error


def test_a_silent_service_times_out():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Client(address, timeout=0.2, retries=0) as client, pytest.raises(ConnectionLost, match="before the response"):
            client.make("chain_sum")
