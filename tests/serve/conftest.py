"""Services for tests."""

import threading
import time
from contextlib import contextmanager

import pytest
from serve.browsing import FEW, Served, browsers
from serve.tiny_runs import evaluation, training

import rlgym

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


@pytest.fixture(scope="module")
def browser():
    """A browser for the tests of the page."""
    with browsers() as found:
        yield found


@pytest.fixture(scope="module")
def few():
    """Limit the list of environments, so that no test waits until all of them are imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rlgym, "names", lambda domain=None: sorted(FEW))
        yield


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two evaluations and two trainings, one of each unfinished."""
    root = tmp_path_factory.mktemp("runs")
    evaluation(root / "tiny", 24)
    evaluation(root / "half", 8, finished=False)
    training(root / "quickstart" / "run", 120)
    training(root / "growing", 100, finished=False)
    return root


@pytest.fixture(scope="module")
def service(few, runs):
    """The address of a service of a few environments that shows these runs."""
    served = Served(runs_dir=str(runs))
    yield served.address
    served.stop()
