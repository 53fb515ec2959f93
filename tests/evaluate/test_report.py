"""The report of a run: one file that loads nothing, in which what a model wrote stays text."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from evaluate import result_rows

from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
from rlgym.evaluate.report.html_report import render_report, warnings, write_report
from rlgym.evaluate.report.summary import summary
from rlgym.evaluate.report.transcripts import cut, embedded_json, safe_json, select_transcripts

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'><!-- &lt;/pre&gt; \u2028 \ud800 <answer>"
CHROMIUM = Path("/usr/bin/chromium")


def _page(rows, **given):
    return render_report(summary(rows, result_rows.run(rows, **given), draws=50), rows)


class _Reader(HTMLParser):
    """Notes what a browser would find: tags, and what is inside the JSON island."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.links, self.inside, self.island = [], [], None, ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        found = dict(attributes)
        self.inside = found.get("id") if tag == "script" else self.inside
        self.links += [value for name, value in found.items() if name in ("src", "href", "srcset", "action", "data")]

    def handle_endtag(self, tag):
        self.inside = None if tag == "script" else self.inside

    def handle_data(self, data):
        self.island += data if self.inside == "transcripts-data" else ""


def _hostile_rows():
    rows = result_rows.many(tasks=2, samples=2)
    text = json.dumps([{"role": "user", "content": HOSTILE}, {"role": "assistant", "content": HOSTILE}])
    for row in rows:
        row |= {"messages": text, "reason": "" if row["right"] else HOSTILE, "answer": HOSTILE, "finish_reason": HOSTILE}
        row["error"] = HOSTILE if row["masked"] else None
    return rows


def test_what_a_model_wrote_stays_text():
    page = _page(_hostile_rows(), label=HOSTILE)
    read = _Reader(page)
    assert read.tags.count("script") == 2
    assert "img" not in read.tags
    assert "<script>window" not in page
    transcripts = json.loads(read.island)
    assert transcripts
    assert all(text == HOSTILE for transcript in transcripts for _, text in transcript["messages"])


def test_json_in_a_script_holds_no_tag():
    assert not set("<>&") & set(safe_json([HOSTILE, "<!--", "]]>", "&amp;"]))
    assert json.loads(safe_json(HOSTILE)) == HOSTILE


def test_the_page_loads_nothing():
    read = _Reader(_page(result_rows.many(tasks=2, samples=2)))
    assert [link for link in read.links if not link.startswith(("#", "data:"))] == []


def test_a_long_run_keeps_within_its_size(tmp_path):
    rows = result_rows.many(tasks=20, samples=4)
    assert len(rows) >= 2000
    long = json.dumps([{"role": "user", "content": "é<" * 3000}, {"role": "assistant", "content": "<b>" * 40_000}])
    for row in rows:
        row["messages"] = long
    page = _page(rows)
    assert len(page.encode()) < 5_000_000
    assert "characters left out" in _Reader(page).island
    assert "300 of 2,400, chosen so that" in page


def test_transcripts_meet_every_environment_and_outcome():
    rows = [result_rows.row(f"sums-v1-{number}-00000000") for number in range(500)]
    rows += [result_rows.row(f"env{number}-v1-0-00000000", 0, number % 2 == 0) for number in range(30)]
    rows += [result_rows.row("sums-v1-900-00000000", 0, False, outcome="refused")]
    kept = select_transcripts(rows, 40)
    assert len(kept) == 40
    assert {row["env"] for row in kept} == {row["env"] for row in rows}
    assert {row["outcome"] for row in kept} == {"right", "wrong", "refused"}
    assert len({(row["id"], row["sample"]) for row in kept}) == 40


def test_where_there_are_too_many_environments_all_outcomes_are_met():
    rows = [result_rows.row(f"env{number}-v1-{right}-00000000", 0, right) for number in range(100) for right in (True, False)]
    kept = select_transcripts(rows, 50)
    assert len({row["env"] for row in kept}) == 50
    assert {row["outcome"] for row in kept} == {"right", "wrong"}


def test_a_cut_text_says_by_how_much():
    assert cut("abc", 3) == "abc"
    assert cut("a" * 50 + "b" * 50, 20) == "a" * 10 + "\n[… 80 characters left out …]\n" + "b" * 10


def test_an_island_of_marks_is_cut_to_its_size():
    rows = [
        result_rows.row(f"sums-v1-{number}-00000000", messages=json.dumps([{"role": "assistant", "content": "<" * 50_000}]))
        for number in range(50)
    ]
    assert len(embedded_json(rows, 500_000)) <= 500_000


def test_messages_that_cannot_be_read_are_shown_as_they_are():
    rows = [result_rows.row("sums-v1-0-00000000", messages="{torn")]
    call = [
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "content": [{"type": "text", "text": "seen"}]},
    ]
    rows.append(result_rows.row("sums-v1-1-00000000", messages=json.dumps(call)))
    texts = [text for dump in json.loads(embedded_json(rows)) for _, text in dump["messages"]]
    assert texts == ["{torn", "→ look({})", "seen"]


def test_half_a_run_is_marked():
    rows = result_rows.many(tasks=2, samples=2)
    page = _page(rows, tasks=500, finished=None)
    assert f"unfinished: {len(rows)} of 1,000 episodes" in page
    assert not [text for text in warnings(summary(rows, result_rows.run(rows), draws=20)) if "unfinished" in text]


def test_cells_without_a_counted_sample_are_named_above_the_numbers():
    rows = [result_rows.row(f"{env}-v1-{task}-00000000", level=level) for env in ("sums", "roads") for task, level in enumerate((0.0, 0.5))]
    rows.append(result_rows.row("maze-v1-0-00000000", split="shift"))
    assert warnings(summary(rows, result_rows.run(rows), draws=20)) == []
    gone = [row | {"masked": row["level"] == 0.5 or row["env"] == "maze"} for row in rows]
    found = warnings(summary(gone, result_rows.run(gone), draws=20))
    assert "No number covers maze:shift at level 0, roads at level 0.5, sums at level 0.5: every sample there is masked." in found
    many = [result_rows.row(f"e{number}-v1-0-00000000", masked=True) for number in range(8)]
    assert any("and 3 more: every sample" in text for text in warnings(summary(many, result_rows.run(many), draws=20)))


def test_a_model_that_never_answers_is_said_to_fail_at_the_format():
    rows = [result_rows.row(f"sums-v1-{task}-00000000", right=False, outcome="unreadable", reason="no answer") for task in range(6)]
    assert "None of 6 counted episodes has a readable answer" in _page(rows)
    rows[0] |= {"outcome": "wrong"}
    assert warnings(summary(rows, result_rows.run(rows), draws=20)) == []


@pytest.mark.parametrize("finished", ["2026-01-02T00:00:00Z", None])
def test_a_folder_gets_its_summary_and_report(tmp_path, finished):
    rows = result_rows.many(tasks=2, samples=2)
    folder(tmp_path, rows, result_rows.run(rows, finished=finished, tasks=len({row["id"] for row in rows}) + (finished is None)))
    page = write_report(tmp_path)
    assert page == tmp_path / "report.html"
    found = json.loads((tmp_path / "summary.json").read_text())
    assert found["progress"]["finished"] is (finished is not None)
    assert ("unfinished" in page.read_text()) is (finished is None)


def folder(place, rows, run):
    """A run on disk, as its journal has it."""
    place.mkdir(exist_ok=True)
    (place / "run.json").write_text(json.dumps(run))
    (place / EPISODE_LOG).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


@pytest.mark.parametrize(
    "rows", [[], [result_rows.row()], [result_rows.row(masked=True, right=False, outcome="error")]], ids=["none", "one", "masked"]
)
def test_the_smallest_runs_have_a_report(rows):
    run = result_rows.run(rows or [result_rows.row()])
    assert "<h2>" in render_report(summary(rows, run, draws=20), rows)


def test_the_command_tells_the_numbers(tmp_path):
    from typer.testing import CliRunner

    from rlgym.cli import app

    rows = result_rows.many(tasks=2, samples=2)
    folder(tmp_path, rows, result_rows.run(rows))
    result = CliRunner().invoke(app, ["eval", "report", str(tmp_path)])
    assert result.exit_code == 0, result.output
    for word in ("accuracy", "pass@2", "arithmetic", "report.html"):
        assert word in result.output


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists() and not shutil.which("chromium"):
        pytest.skip("there is no chromium")
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(
            executable_path=str(CHROMIUM) if CHROMIUM.exists() else shutil.which("chromium"), args=["--no-sandbox"]
        )
        yield found
        found.close()


@pytest.fixture
def shown(browser, tmp_path):
    """Opens a page, and notes what goes wrong and what it asks of the network."""
    file, noted = tmp_path / "report.html", []
    opened = browser.new_page(viewport={"width": 390, "height": 800})
    opened.set_default_timeout(60_000)
    opened.on("console", lambda message: noted.append(message.text))
    opened.on("pageerror", lambda error: noted.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else noted.append(request.url))

    def show(page):
        file.write_bytes(page.encode("utf-8", "replace"))
        opened.goto(file.as_uri())
        return opened

    yield show, noted
    opened.close()


@pytest.mark.slow
def test_in_a_browser_the_report_sorts_filters_and_reads(shown):
    show, noted = shown
    rows = _hostile_rows()
    page = show(_page(rows))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    accuracies = "Array.from(document.querySelectorAll('#environment tbody tr'), row => Number(row.cells[1].dataset.v))"
    page.click("#environment th:nth-child(2) button")
    assert page.evaluate(accuracies) == sorted(page.evaluate(accuracies), reverse=True)
    page.click("#environment th:nth-child(2) button")
    assert page.evaluate(accuracies) == sorted(page.evaluate(accuracies))
    page.select_option("#environment select >> nth=0", "graphs")
    assert page.locator("#environment tbody tr:visible").count() == 2
    page.click("#tab-each")
    page.fill("#each input[type=search]", "maze")
    assert page.locator("#each tbody tr:visible").count() == 5

    page.select_option("#reader-tools select[name=env]", "maze")
    page.select_option("#reader-tools select[name=verdict]", "wrong")
    listed = page.locator("#reader li button")
    assert 0 < listed.count() == sum(row["env"] == "maze" and not row["right"] and not row["masked"] for row in rows)
    listed.first.press("ArrowDown")
    assert listed.nth(1).get_attribute("aria-current") == "true"
    assert "<script>window.hacked = 1</script>" in page.locator(".said pre").first.text_content()
    theme = page.evaluate("document.documentElement.dataset.theme")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") != theme
    assert page.evaluate("window.hacked") is None
    assert noted == []


@pytest.mark.slow
def test_a_script_that_is_not_the_pages_own_does_not_run(shown):
    show, noted = shown
    page = show(re.sub("<main", "<script>window.hacked = 1</script><main", _page(result_rows.many(tasks=1, samples=1)), count=1))
    assert page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in text for text in noted)
