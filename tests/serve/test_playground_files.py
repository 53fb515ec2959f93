"""The static playground in a browser, behind a plain file server."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from serve.browsing import browsers, files_served, of, photograph, window

import rlgym

pytestmark = pytest.mark.slow
expect = pytest.importorskip("playwright.sync_api", reason="the tests of the page need playwright").expect


@pytest.fixture(scope="module")
def browser():
    expect.set_options(timeout=60_000)
    with browsers() as found:
        yield found


def test_the_static_playground(browser, tmp_path):
    names = ["chain_sum", "calculator_and_lookup", "clobber", "sudoku", "higher_lower", "complete_function_holes"]
    words = [word for name in names for word in ("--names", name)]
    folder = tmp_path / "site"
    request = ["playground", "build", "--out", str(folder), *words, "--seeds", "1", "--levels", "0.5", "--workers", "1", "--json"]
    done = subprocess.run([sys.executable, "-m", "rlgym", *request], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["environments"] == 6
    with files_served(folder) as address, window(browser, address) as page:
        expect(of(page, "item")).to_have_count(6)
        expect(of(page, "files-note")).to_contain_text("rlgym serve")
        of(page, "item").filter(has_text="chain_sum").click()
        expect(of(page, "prompt")).to_have_text(re.compile(re.escape(rlgym.make("chain_sum", level=0.5).reset(seed=1)[0][:80])))
        of(page, "oracle").click()
        expect(of(page, "verdict")).to_have_attribute("data-outcome", "right")
        photograph(page, "files")
        of(page, "mistake").click()
        expect(of(page, "verdict")).to_have_attribute("data-outcome", "wrong")
        of(page, "answer").fill("no such number")
        of(page, "submit").click()
        expect(of(page, "problem")).to_have_attribute("data-code", "needs_service")
        page.evaluate("location.hash = '#/watch/clobber'")
        of(page, "watch-end").click()
        expect(of(page, "watch-result")).to_have_attribute("data-outcome", "right")
        page.evaluate("location.hash = '#/env/calculator_and_lookup'")
        of(page, "oracle").click()
        expect(of(page, "turns")).to_have_attribute("data-taken", "1")
        page.evaluate("location.hash = '#/runs'")
        expect(of(page, "needs-service")).to_be_visible()
