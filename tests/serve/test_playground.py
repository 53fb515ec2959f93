"""The playground in a browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from serve.browsing import FEW, Served, is_as_wide_as_the_window, of, photograph, window

import rlgym

pytestmark = pytest.mark.slow
expect = pytest.importorskip("playwright.sync_api", reason="the tests of the page need playwright").expect
expect.set_options(timeout=60_000)

HOSTILE = "<script>document.title='gone'</script><img src=x onerror=\"document.title='gone'\">"


def _prompt(name, level, seed):
    return rlgym.make(name, level=level).reset(seed=seed)[0]


def test_from_a_search_to_a_score(browser, service):
    with window(browser, service) as page:
        expect(of(page, "item")).to_have_count(len(FEW))
        photograph(page, "list")
        of(page, "search").fill("integers run")
        expect(of(page, "item")).to_have_count(1)
        of(page, "item").click()
        expect(of(page, "name")).to_have_text("chain_sum")
        first = of(page, "prompt").inner_text()
        of(page, "level").fill("0.1")
        expect(page).to_have_url(re.compile(r"level=0\.1"))
        seed = int(of(page, "seed").input_value())
        expect(of(page, "prompt")).to_have_text(_prompt("chain_sum", 0.1, seed))
        assert of(page, "prompt").inner_text() != first
        of(page, "answer").fill("7")
        of(page, "submit").click()
        expect(of(page, "verdict")).to_have_attribute("data-outcome", "wrong")
        expect(of(page, "verdict")).to_have_attribute("data-value", "0")
        expect(of(page, "certificate")).to_have_attribute("data-passed", "true")
        expect(of(page, "curve").first).to_be_visible()
        photograph(page, "environment", full_page=True)


def test_the_oracle_is_right_and_a_mistake_is_not(browser, service):
    with window(browser, service, "#/env/sudoku?level=0.2&seed=5") as page:
        of(page, "oracle").click()
        expect(of(page, "verdict")).to_have_attribute("data-outcome", "right")
        expect(of(page, "drawing").locator("img")).to_be_visible()
        photograph(page, "right")
        of(page, "mistake").click()
        expect(of(page, "verdict")).to_have_attribute("data-outcome", "wrong")


def test_tool_calls_and_returning_to_a_turn(browser, service):
    with window(browser, service, "#/env/calculator_and_lookup?level=0&seed=1") as page:
        page.locator("[data-test=tool][value=calculate]").check()
        page.locator("[data-test=tool-field][data-name=expression]").fill("17*3")
        of(page, "tool-send").click()
        expect(of(page, "observation")).to_contain_text("51")
        of(page, "oracle").click()
        expect(of(page, "turns")).to_have_attribute("data-taken", "2")
        photograph(page, "tools", full_page=True)
        page.locator("[data-test=back][data-turn='1']").click()
        expect(of(page, "turns")).to_have_attribute("data-taken", "1")
        expect(of(page, "earlier")).to_be_visible()
        page.locator("[data-test=tool][value=calculate]").check()
        page.locator("[data-test=tool-field][data-name=expression]").fill("100-1")
        of(page, "tool-send").click()
        expect(of(page, "observation").last).to_contain_text("99")


def test_a_match_is_watched_to_its_end(browser, service):
    with window(browser, service, "#/watch/clobber?level=0.5&seed=1") as page:
        expect(of(page, "drawing").locator("img")).to_be_visible()
        shared = of(page, "drawing").locator("img").get_attribute("src")
        of(page, "watch-speed").select_option("fast")
        of(page, "watch-play").click()
        expect(of(page, "watch-result")).to_have_attribute("data-outcome", "right")
        assert of(page, "drawing").locator("img").get_attribute("src") != shared
        photograph(page, "match")
        moves = of(page, "move").count()
        assert moves >= 2
        expect(of(page, "move").first).to_contain_text("the opponent")
        page.keyboard.press("ArrowLeft")
        expect(of(page, "watch-at")).to_have_text(f"move {moves - 1} of {moves}")
        page.keyboard.press("Home")
        expect(of(page, "drawing").locator("img")).to_have_attribute("src", shared)
        of(page, "player").select_option("mistakes")
        page.keyboard.press("Escape")
        of(page, "watch-end").click()
        expect(of(page, "watch-result")).to_have_attribute("data-outcome", re.compile("wrong|refused"))
        of(page, "player").select_option("both")
        of(page, "watch-end").click()
        expect(of(page, "watch-result")).to_be_visible()


def test_copied_code_generates_the_same_task(browser, service):
    with window(browser, service, "#/env/knights_and_knaves?level=0.3&seed=12", permissions=["clipboard-read", "clipboard-write"]) as page:
        shown = of(page, "prompt").inner_text()
        of(page, "copy-code").click()
        expect(of(page, "copy-code")).to_have_text("Copied")
        code = page.evaluate("navigator.clipboard.readText()")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(shown)
    assert "0.0 Score(" in done.stdout


def test_everything_can_be_done_by_keyboard(browser, service):
    with window(browser, service, "#/runs") as page:
        expect(of(page, "run").first).to_be_visible()
        page.keyboard.press("/")
        expect(of(page, "search")).to_be_focused()
        page.keyboard.type("chain_sum")
        expect(of(page, "item")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(of(page, "prompt")).to_be_visible()
        seed = of(page, "seed").input_value()
        page.keyboard.press("n")
        expect(of(page, "seed")).not_to_have_value(seed)
        level = float(of(page, "level").input_value())
        expect(of(page, "prompt")).to_have_text(_prompt("chain_sum", level, int(of(page, "seed").input_value())))
        page.keyboard.press("a")
        page.keyboard.type("12")
        page.keyboard.press("Control+Enter")
        expect(of(page, "verdict")).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        expect(of(page, "keys-box")).to_be_visible()
        page.keyboard.press("Escape")
        expect(of(page, "keys-box")).to_be_hidden()


PAGES = {
    "": "item",
    "#/env/chain_sum?level=0.6&seed=1": "certificate",
    "#/env/clobber?level=0.5&seed=1": "drawing",
    "#/env/calculator_and_lookup?level=0.5&seed=1": "tool-form",
    "#/watch/clobber?level=0.5&seed=1": "moves",
    "#/watch/wordle_like?level=0.5&seed=1": "moves",
    "#/runs": "run",
    "#/runs/tiny": "episode",
    "#/runs/quickstart~run": "episode",
}


def test_nothing_overflows_on_a_phone(browser, service):
    size = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    with window(browser, service, **size) as page:
        wide = []
        for number, (where, last) in enumerate(PAGES.items()):
            page.evaluate("where => { location.hash = where }", where or "#/")
            expect(of(page, last).first).to_be_visible()
            if not is_as_wide_as_the_window(page):
                wide.append(where)
            if number in (0, 1, 4, 8):
                photograph(page, f"phone{number}")
        assert wide == []


def test_responses_are_inserted_as_text(browser, service):
    with window(browser, service, "#/env/chain_sum?level=0&seed=1") as page:
        of(page, "answer").fill(HOSTILE)
        of(page, "submit").click()
        expect(of(page, "verdict")).to_have_attribute("data-outcome", "unreadable")
        of(page, "answer").fill(f"<answer>{HOSTILE}</answer>")
        of(page, "submit").click()
        expect(of(page, "verdict")).to_be_visible()
        expect(page.locator("main script, img[src=x]")).to_have_count(0)
        expect(page.locator("main")).to_contain_text(HOSTILE)
        assert "gone" not in page.title()


def test_a_wrong_key_and_a_dead_service_are_explained(browser, few, runs, tmp_path):
    keys = tmp_path / "keys.json"
    keys.write_text(
        json.dumps({"keys": [{"name": "me", "key": "correct-key", "reveal_answers": True}, {"name": "guest", "key": "a-guest-key"}]})
    )
    served = Served(key_file=str(keys), runs_dir=str(runs))
    failed = ("Failed to load resource",)
    with window(browser, served.address, expected=failed) as page:
        for given in ("wrong-key-here", "a-guest-key"):
            expect(of(page, "problem")).to_have_attribute("data-code", "unauthorized")
            of(page, "enter-key").click()
            of(page, "key-field").fill(given)
            photograph(page, "key")
            of(page, "key-keep").click()
        of(page, "item").first.wait_for()
        page.evaluate("location.hash = '#/env/chain_sum?level=0&seed=1'")
        of(page, "oracle").click()
        expect(of(page, "problem")).to_have_attribute("data-code", "forbidden")
        page.evaluate("location.hash = '#/runs/tiny'")
        with page.expect_download() as saved:  # a link carries no key
            of(page, "report-save").click()
        assert "A report" in saved.value.path().read_text()
        expect(of(page, "report")).to_have_count(0)
        page.go_back()
        expect(of(page, "prompt")).to_be_visible()
        served.stop()
        of(page, "answer").fill("1")
        of(page, "submit").click()
        expect(of(page, "problem")).to_have_attribute("data-code", "unreachable")
        photograph(page, "dead")
        expect(of(page, "answer")).to_have_value("1")
