"""The playground in a browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from serve.browsing import Served, browsers, is_as_wide_as_the_window, of, photograph, window
from serve.tiny_runs import evaluation, training

import rlgym

pytestmark = pytest.mark.slow
expect = pytest.importorskip("playwright.sync_api", reason="the tests of the page need playwright").expect
expect.set_options(timeout=60_000)

NAMES = "chain_sum calculator_and_lookup clobber sudoku higher_lower wordle_like predict_output knights_and_knaves".split()
HOSTILE = "<script>document.title='gone'</script><img src=x onerror=\"document.title='gone'\">"


@pytest.fixture(scope="module")
def browser():
    with browsers() as found:
        yield found


@pytest.fixture(scope="module")
def few():
    """Limit the list of environments, so that no test waits until all of them are imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rlgym, "names", lambda domain=None: sorted(NAMES))
        yield


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    evaluation(root / "tiny", 24)
    evaluation(root / "half", 8, finished=False)
    training(root / "quickstart" / "run", 120)
    training(root / "growing", 100, finished=False)
    return root


@pytest.fixture(scope="module")
def service(few, runs):
    served = Served(runs_dir=str(runs))
    yield served.address
    served.stop()


def _prompt(name, level, seed):
    return rlgym.make(name, level=level).reset(seed=seed)[0]


def test_from_a_search_to_a_score(browser, service):
    with window(browser, service) as page:
        expect(of(page, "item")).to_have_count(len(NAMES))
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


def test_an_evaluation_is_shown(browser, service):
    with window(browser, service, "#/runs") as page:
        expect(of(page, "run")).to_have_count(4)
        photograph(page, "runs")
        page.get_by_role("link", name=re.compile("tiny model finished")).click()
        expect(of(page, "headline")).to_contain_text("50.0 %")
        expect(of(page, "difficulty").locator("circle")).to_have_count(2)
        of(page, "episode-right").get_by_text("Not right").click()
        expect(of(page, "episode-count")).to_have_text("12 episodes")
        of(page, "episode-env").select_option("chain_sum")
        expect(of(page, "episode-count")).to_have_text("6 episodes")
        of(page, "episode").first.locator("summary").click()
        expect(of(page, "episode").first).to_contain_text("<img src=x onerror=alert(1)>")
        expect(page.locator("img[src=x]")).to_have_count(0)
        photograph(page, "evaluation", full_page=True)
        with page.context.expect_page() as opened:
            of(page, "report").click()
        report = opened.value
        report.wait_for_load_state()
        expect(report.locator("h1")).to_have_text("A report")
        assert report.title() == "Drawn"
        assert report.evaluate("window.origin") == "null"
        assert report.evaluate("fetch('/v1/runs').then(() => 'reached', () => 'kept out')") == "kept out"


def test_an_unfinished_evaluation_says_so(browser, service):
    with window(browser, service, "#/runs/half") as page:
        expect(of(page, "unfinished")).to_contain_text("8 of 16")
        expect(of(page, "report")).to_have_count(0)


def test_a_training_is_shown(browser, service):
    with window(browser, service, "#/runs/quickstart~run") as page:
        solve = page.locator("[data-metric=solve_rate]").first
        expect(solve.locator("svg path")).to_have_count(3)
        solve.locator("svg").focus()
        page.keyboard.press("End")
        expect(solve).to_contain_text("step 120")
        expect(solve).to_contain_text("0.8 (0.7 to 0.9)")
        smooth = solve.locator("path:not(.faint)").first.get_attribute("d")
        of(page, "smoothing").fill("0")
        expect(solve.locator("svg path")).to_have_count(2)
        assert solve.locator("path").first.get_attribute("d") != smooth
        of(page, "metric").select_option("outcome/right")
        expect(page.locator("[data-metric='outcome/right'] svg")).to_be_visible()
        expect(of(page, "held-out")).to_contain_text("at the end")
        of(page, "episode").first.locator("summary").click()
        expect(of(page, "episode").first).to_contain_text("What is 120 + 1?")
        photograph(page, "training", full_page=True)


def test_a_running_training_is_updated(browser, service, runs):
    with window(browser, service, "#/runs/growing") as page:
        expect(of(page, "headline")).to_contain_text("step 50 of 100")
        with open(runs / "growing" / "metrics.jsonl", "a") as out:
            out.write(json.dumps({"step": 51, "solve_rate": 0.625, "reward": 0.625}) + "\n")
        expect(of(page, "headline")).to_contain_text("step 51 of 100")
        expect(of(page, "headline")).to_contain_text("0.625")


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
