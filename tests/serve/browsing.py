"""Helpers of the page tests: a browser, a service in a thread, and checks of the requests and console messages of a page."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCREENSHOTS = Path(os.environ.get("RLGYM_SCREENSHOTS") or ROOT / "build" / "screenshots")
PATIENCE_MS = 60_000
FEW = "chain_sum calculator_and_lookup clobber sudoku higher_lower wordle_like predict_output knights_and_knaves".split()
"""The environments that the service of the page tests lists."""
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
).split()


def chromium() -> str:
    """The path of Chromium; skips the test if it is not installed."""
    named = os.environ.get("RLGYM_CHROMIUM")
    found = named if named and Path(named).exists() else shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("there is no chromium here: install Debian's package, or name one in RLGYM_CHROMIUM")
    return found


@contextmanager
def browsers() -> Iterator[Any]:
    """A browser."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the tests of the page need playwright")
    program = chromium()
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=ARGUMENTS, timeout=PATIENCE_MS)
        yield browser
        browser.close()


class Served:
    """A service in a thread of this process; `stop` ends it while pages are still open."""

    def __init__(self, **settings: Any) -> None:
        import uvicorn

        from rlgym.serve.api.app import create_app
        from rlgym.serve.settings import Settings

        config = uvicorn.Config(
            create_app(Settings(**settings)), host="127.0.0.1", port=0, ws="none", log_level="error", timeout_graceful_shutdown=5
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        ends = time.monotonic() + 60
        while not self._server.started:
            assert self._thread.is_alive(), "the service ended at once"
            assert time.monotonic() < ends, "the service did not start"
            time.sleep(0.02)
        self.address = f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}/"

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(60)
        assert not self._thread.is_alive(), "the service did not stop"


@contextmanager
def files_served(folder: Path) -> Iterator[str]:
    """Serve a directory with a plain file server, below a path of its own as on static hosts."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *text: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder.parent)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/{folder.name}/"
    server.shutdown()
    server.server_close()
    thread.join(60)


@contextmanager
def window(browser: Any, address: str, where: str = "", expected: tuple[str, ...] = (), **options: Any) -> Iterator[Any]:
    """A page in a new window. It must request nothing from other hosts and log no unexpected errors or warnings."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.set_default_timeout(PATIENCE_MS)
    page, elsewhere, complaints = context.new_page(), [], []
    context.on("request", lambda request: None if request.url.startswith((address, "data:", "blob:")) else elsewhere.append(request.url))
    page.on("console", lambda text: complaints.append(text.text) if text.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address + where)
    yield page
    context.close()
    assert elsewhere == []
    assert [text for text in complaints if not any(part in text for part in expected)] == []


def photograph(page: Any, name: str, **options: Any) -> None:
    """Save a screenshot."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", **options)


def of(page: Any, test: str) -> Any:
    """The elements with this data-test attribute."""
    return page.locator(f"[data-test={test}]")


def is_as_wide_as_the_window(page: Any) -> bool:
    """Whether nothing overflows horizontally."""
    found: bool = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    return found
