"""Services for tests."""

import threading
import time
from contextlib import contextmanager

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("websockets")


@contextmanager
def serving(**settings):
    """Run a service with these settings in a thread on a free port; yields its URL."""
    import uvicorn

    from rlgym.serve.api.app import create_app
    from rlgym.serve.settings import Settings

    server = uvicorn.Server(uvicorn.Config(create_app(Settings(**settings)), host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        until = time.monotonic() + 60
        while not server.started:
            assert thread.is_alive(), "the service did not start"
            assert time.monotonic() < until, "the service did not start in a minute"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive(), "the service did not stop"


@pytest.fixture(scope="session")
def url():
    """The URL of a service without keys."""
    with serving() as address:
        yield address
