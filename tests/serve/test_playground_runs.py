"""Evaluations and trainings in the playground, in a browser."""

from __future__ import annotations

import json
import re

import pytest
from serve.browsing import of, photograph, window

pytestmark = pytest.mark.slow
expect = pytest.importorskip("playwright.sync_api", reason="the tests of the page need playwright").expect
expect.set_options(timeout=60_000)


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
