"""What one worker asks of another: the same answers and refusals as there, and never a wait without end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from rlgym.serve.board import Board, State
from rlgym.serve.errors import ServiceError
from rlgym.serve.keys import Key
from rlgym.serve.relay import Colleagues, Ear, socket_of

ANN = Key("ann", reveal=True, sessions=3, requests_per_second=0.5)
SESSION = "w1-0000002a-5e5510"


async def _desk(key, operation, session, fields):
    if operation == "wait":
        await _released(fields)
    if operation == "refuse":
        raise ServiceError("busy", "not now", retry_after=0.1)
    if operation == "fail":
        raise ZeroDivisionError("the secret text")
    return json.dumps(
        {"key": key.name, "sessions": key.sessions, "reveal": key.reveal, "operation": operation, "session": session, **fields}
    )


async def _released(fields):
    """Wait until the test says so: all of it is played in one process."""
    while not Path(fields["until"]).exists():
        await asyncio.sleep(0.01)


def _together(tmp_path, play, desk=_desk, seconds=60.0, failed=lambda error: None):
    """Play something between worker 0, which asks, and worker 1, which has the session."""

    async def run():
        board = Board.make(tmp_path / "board", 2)
        board.sit(1, State.READY, 0x2A, 1)
        ear = Ear(desk, socket_of(tmp_path, 1, "0000002a"), failed)
        await ear.open()
        colleagues = Colleagues(board, tmp_path, seconds)
        try:
            return await asyncio.wait_for(play(colleagues, ear, board), 100)
        finally:
            colleagues.close()
            await ear.close()

    return asyncio.run(run())


def _code(task):
    with pytest.raises(ServiceError) as caught:
        task.result()
    return caught.value.code


def test_an_answer_comes_back_as_it_was_given(tmp_path):
    async def play(colleagues, ear, board):
        return await colleagues.ask(ANN, "step", SESSION, {"response": "\ud800 é <answer>\n"})

    told = json.loads(_together(tmp_path, play))
    assert told == {"key": "ann", "sessions": 3, "reveal": True, "operation": "step", "session": SESSION, "response": "\ud800 é <answer>\n"}


def test_a_refusal_comes_back_as_it_was_given(tmp_path):
    async def play(colleagues, ear, board):
        await colleagues.ask(ANN, "refuse", SESSION, {})

    with pytest.raises(ServiceError) as caught:
        _together(tmp_path, play)
    assert caught.value.to_dict() == {"code": "busy", "message": "not now", "retryable": True, "retry_after": 0.1}


def test_a_failure_is_noted_where_it_happened_and_its_words_stay_there(tmp_path):
    noted = []

    async def play(colleagues, ear, board):
        await colleagues.ask(ANN, "fail", SESSION, {})

    with pytest.raises(ServiceError) as caught:
        _together(tmp_path, play, failed=noted.append)
    assert caught.value.code == "broken"
    assert "secret" not in caught.value.message
    assert [type(error) for error in noted] == [ZeroDivisionError]


def test_a_slow_one_holds_up_nobody_and_large_ones_come_whole(tmp_path):
    async def play(colleagues, ear, board):
        slow = asyncio.create_task(colleagues.ask(ANN, "wait", SESSION, {"until": str(tmp_path / "now"), "response": "slow"}))
        quick = await asyncio.gather(
            *(colleagues.ask(ANN, "step", SESSION, {"response": str(k) * (1 + 200_000 * (k % 2))}) for k in range(40))
        )
        first = not slow.done()
        (tmp_path / "now").touch()
        return first, [json.loads(one)["response"] for one in quick], json.loads(await slow)["response"]

    first, quick, slow = _together(tmp_path, play)
    assert first
    assert quick == [str(k) * (1 + 200_000 * (k % 2)) for k in range(40)]
    assert slow == "slow"


def test_a_silent_worker_is_given_up_and_the_request_may_be_made_again(tmp_path):
    async def play(colleagues, ear, board):
        found = await asyncio.gather(colleagues.ask(ANN, "wait", SESSION, {"until": str(tmp_path / "now")}), return_exceptions=True)
        (tmp_path / "now").touch()
        return found

    (error,) = _together(tmp_path, play, seconds=0.2)
    assert (error.code, error.retryable, error.status) == ("worker_lost", True, 503)
    assert "silent" in error.message


def test_a_worker_that_dies_while_it_is_asked_loses_the_session(tmp_path):
    async def play(colleagues, ear, board):
        asking = asyncio.create_task(colleagues.ask(ANN, "wait", SESSION, {"until": str(tmp_path / "now")}))
        while not ear._under_way:
            await asyncio.sleep(0.01)
        for connection in ear._connections:
            connection.close()
        board.leave(1)
        await asyncio.wait([asking])
        (tmp_path / "now").touch()
        return _code(asking)

    assert _together(tmp_path, play) == "session_lost"


def test_sessions_of_workers_that_are_no_more_are_lost(tmp_path):
    async def play(colleagues, ear, board):
        codes = []
        for session in ("w1-00000001-aa", "w0-0000002a-aa", "w7-0000002a-aa", "nonsense"):
            with pytest.raises(ServiceError) as caught:
                await colleagues.ask(ANN, "step", session, {})
            codes.append(caught.value.code)
        return codes

    assert _together(tmp_path, play) == ["session_lost"] * 4


def test_a_connection_that_broke_is_made_again(tmp_path):
    async def play(colleagues, ear, board):
        first = await colleagues.ask(ANN, "step", SESSION, {"response": "1"})
        for connection in ear._connections:
            connection.close()
        await asyncio.sleep(0.1)
        return first, await colleagues.ask(ANN, "step", SESSION, {"response": "2"})

    first, second = _together(tmp_path, play)
    assert [json.loads(one)["response"] for one in (first, second)] == ["1", "2"]
