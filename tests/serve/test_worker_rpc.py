"""RPC between workers: the same responses and errors as at the owner, within a time limit."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from rlgym.serve.access.keys import ApiKey
from rlgym.serve.protocol.errors import ServiceError
from rlgym.serve.sessions.store import SessionLocation
from rlgym.serve.workers.shared_state import SharedState, WorkerState
from rlgym.serve.workers.worker_rpc import PeerClient, PeerServer, peer_socket_path

ANN = ApiKey("ann", reveal_answers=True, max_sessions=3, requests_per_second=0.5)
SESSION = "w1-0000002a-5e5510"


async def _handle_operation(key, operation, session, fields):
    if operation == "wait":
        await _released(fields)
    if operation == "refuse":
        raise ServiceError("session_busy", "not now", retry_after=0.1)
    if operation == "fail":
        raise ZeroDivisionError("the secret text")
    return json.dumps(
        {"key": key.name, "sessions": key.max_sessions, "reveal": key.reveal_answers, "operation": operation, "session": session, **fields}
    )


async def _released(fields):
    """Wait until the test creates a file."""
    while not Path(fields["until"]).exists():
        await asyncio.sleep(0.01)


def _together(tmp_path, play, handle_operation=_handle_operation, seconds=60.0, failed=lambda error: None):
    """Run a scenario between worker 0, which calls, and worker 1, which owns the session."""

    async def run():
        shared = SharedState.create(tmp_path / "shared", 2)
        shared.set_worker_state(1, WorkerState.READY, 0x2A, 1)
        server = PeerServer(handle_operation, peer_socket_path(tmp_path, SessionLocation(1, "0000002a")), failed)
        await server.start()
        client = PeerClient(shared, tmp_path, seconds)
        try:
            return await asyncio.wait_for(play(client, server, shared), 100)
        finally:
            client.close()
            await server.close()

    return asyncio.run(run())


def _code(task):
    with pytest.raises(ServiceError) as caught:
        task.result()
    return caught.value.code


def test_a_response_is_returned_unchanged(tmp_path):
    async def play(client, server, shared):
        return await client.call(ANN, "step", SESSION, {"response": "\ud800 é <answer>\n"})

    result = json.loads(_together(tmp_path, play))
    assert result == {
        "key": "ann",
        "sessions": 3,
        "reveal": True,
        "operation": "step",
        "session": SESSION,
        "response": "\ud800 é <answer>\n",
    }


def test_an_error_is_returned_unchanged(tmp_path):
    async def play(client, server, shared):
        await client.call(ANN, "refuse", SESSION, {})

    with pytest.raises(ServiceError) as caught:
        _together(tmp_path, play)
    assert caught.value.to_dict() == {"code": "session_busy", "message": "not now", "retryable": True, "retry_after": 0.1}


def test_internal_errors_are_logged_by_the_owner_and_redacted(tmp_path):
    noted = []

    async def play(client, server, shared):
        await client.call(ANN, "fail", SESSION, {})

    with pytest.raises(ServiceError) as caught:
        _together(tmp_path, play, failed=noted.append)
    assert caught.value.code == "internal_error"
    assert "secret" not in caught.value.message
    assert [type(error) for error in noted] == [ZeroDivisionError]


def test_slow_calls_do_not_block_and_large_frames_are_complete(tmp_path):
    async def play(client, server, shared):
        slow = asyncio.create_task(client.call(ANN, "wait", SESSION, {"until": str(tmp_path / "now"), "response": "slow"}))
        quick = await asyncio.gather(
            *(client.call(ANN, "step", SESSION, {"response": str(k) * (1 + 200_000 * (k % 2))}) for k in range(40))
        )
        first = not slow.done()
        (tmp_path / "now").touch()
        return first, [json.loads(item)["response"] for item in quick], json.loads(await slow)["response"]

    first, quick, slow = _together(tmp_path, play)
    assert first
    assert quick == [str(k) * (1 + 200_000 * (k % 2)) for k in range(40)]
    assert slow == "slow"


def test_a_silent_worker_times_out_with_a_retryable_error(tmp_path):
    async def play(client, server, shared):
        found = await asyncio.gather(client.call(ANN, "wait", SESSION, {"until": str(tmp_path / "now")}), return_exceptions=True)
        (tmp_path / "now").touch()
        return found

    (error,) = _together(tmp_path, play, seconds=0.2)
    assert (error.code, error.retryable, error.status) == ("worker_lost", True, 503)
    assert "did not respond" in error.message


def test_a_worker_that_dies_during_a_call_loses_the_session(tmp_path):
    async def play(client, server, shared):
        asking = asyncio.create_task(client.call(ANN, "wait", SESSION, {"until": str(tmp_path / "now")}))
        while not server._tasks:
            await asyncio.sleep(0.01)
        for connection in server._connections:
            connection.close()
        shared.mark_down(1)
        await asyncio.wait([asking])
        (tmp_path / "now").touch()
        return _code(asking)

    assert _together(tmp_path, play) == "session_lost"


def test_sessions_of_dead_workers_are_lost(tmp_path):
    async def play(client, server, shared):
        codes = []
        for session in ("w1-00000001-aa", "w0-0000002a-aa", "w7-0000002a-aa", "nonsense"):
            with pytest.raises(ServiceError) as caught:
                await client.call(ANN, "step", session, {})
            codes.append(caught.value.code)
        return codes

    assert _together(tmp_path, play) == ["session_lost"] * 4


def test_a_broken_connection_is_reopened(tmp_path):
    async def play(client, server, shared):
        first = await client.call(ANN, "step", SESSION, {"response": "1"})
        for connection in server._connections:
            connection.close()
        await asyncio.sleep(0.1)
        return first, await client.call(ANN, "step", SESSION, {"response": "2"})

    first, second = _together(tmp_path, play)
    assert [json.loads(item)["response"] for item in (first, second)] == ["1", "2"]
