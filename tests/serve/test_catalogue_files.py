"""The static playground contains what the service returns, and reports problems clearly."""

from __future__ import annotations

import json
import shutil
from html.parser import HTMLParser

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import rlgym
from rlgym.cli import app
from rlgym.cli.playground import build
from rlgym.serve.api.app import create_app
from rlgym.serve.sessions.recordings import RecordError
from rlgym.serve.settings import Settings

NAMES = ["absolute_value_equation:shift", "chain_sum", "clobber", "higher_lower"]


def _build(folder, names, *more):
    words = [word for name in names for word in ("--names", name)]
    options = ["playground", "build", "--out", str(folder), *words, "--seeds", "1", "--levels", "0,0.5", "--workers", "1", *more]
    return CliRunner().invoke(app, options, catch_exceptions=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "playground"
    done = _build(folder, NAMES, "--json")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert result == {"environments": len(NAMES), "files": len(written), "bytes": sum(path.stat().st_size for path in written)}
    return folder


def _file(site, name):
    return json.loads((site / "data" / "env" / f"{name.replace(':', '.')}.json").read_text())


def test_files_match_the_service(site):
    listed = json.loads((site / "data" / "environments.json").read_text())
    assert [line["name"] for line in listed] == NAMES
    with TestClient(create_app(Settings()), base_url="http://localhost") as client:
        for name in NAMES:
            assert _file(site, name)["environment"] == client.get(f"/v1/environments/{name}").json()
            for sample in _file(site, name)["samples"]:
                ask = {"name": name, "level": sample["level"], "seed": sample["seed"]}
                assert sample["task"] == client.post("/v1/tasks", json=ask).json()
        # The list of the service imports every environment; one line of it is made here by the same words.
        from rlgym.serve.sessions.catalogue import catalogue_entry

        assert listed[1] == catalogue_entry(rlgym.spec("chain_sum"))


def test_a_sample_contains_the_oracles_episode_and_mistakes(site):
    for name in NAMES:
        assert [sample["level"] for sample in _file(site, name)["samples"]] == [0, 0.5]
        for sample in _file(site, name)["samples"]:
            nodes = sample["nodes"]
            at = nodes[0]
            while not at["view"]["done"]:
                at = nodes[at["next"][at["oracle"]]]
            assert at["view"]["score"]["outcome"] == "right"
            wrong = [nodes[nodes[0]["next"][text]]["view"] for text in nodes[0].get("mistakes", [])]
            assert wrong
            assert all(view["score"]["value"] < 1 for view in wrong if view["done"])
            assert "data" not in sample["task"]
    clobber = _file(site, "clobber")["samples"][1]["nodes"]
    assert all(node["svg"].startswith("<svg") for node in clobber[1:])
    assert any(event["kind"] == "opponent" for node in clobber for event in node.get("events", []))


def test_the_page_requests_only_its_own_files(site):
    class Links(HTMLParser):
        def __init__(self):
            super().__init__()
            self.found = []

        def handle_starttag(self, tag, given):
            self.found += [value for name, value in given if name in ("src", "href")]

    text = (site / "index.html").read_text()
    page = Links()
    page.feed(text)
    files = [link for link in page.found if not link.startswith("#")]
    assert files
    assert all((site / link).is_file() for link in files)
    assert 'name="rlgym-backend" content="static"' in text


def test_a_playground_is_overwritten_but_no_other_directory(site, tmp_path):
    playground, foreign = tmp_path / "playground", tmp_path / "foreign"
    shutil.copytree(site, playground)
    (playground / "page" / "old.js").write_text("old")
    assert _build(playground, ["chain_sum"]).exit_code == 0
    assert not (playground / "page" / "old.js").exists()
    assert [path.name for path in (playground / "data" / "env").iterdir()] == ["chain_sum.json"]
    foreign.mkdir()
    (foreign / "mine.txt").write_text("mine")
    refused = _build(foreign, ["chain_sum"])
    assert refused.exit_code != 0
    assert "does not hold a playground" in str(refused.exception)
    assert [path.name for path in foreign.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(("levels", "text"), [("0,2", "from 0 to 1"), ("easy", "numbers separated by commas"), ("nan", "from 0 to 1")])
def test_levels_are_checked(tmp_path, levels, text):
    with pytest.raises(rlgym.RlgymError, match=text):
        build(tmp_path / "new", ["chain_sum"], levels=levels)
    assert not (tmp_path / "new").exists()


def test_a_missing_sandbox_is_reported_on_the_page(tmp_path, monkeypatch):
    monkeypatch.setenv("RLGYM_SANDBOX", "nowhere")
    done = _build(tmp_path / "site", ["chain_sum", "complete_function_holes"])
    assert done.exit_code == 0, done.output
    assert _file(tmp_path / "site", "chain_sum")["missing"] is None
    found = _file(tmp_path / "site", "complete_function_holes")
    assert found["samples"] == []
    assert "nowhere" in found["missing"]


def test_an_environment_that_fails_is_named(tmp_path, monkeypatch):
    def broken(task):
        raise ZeroDivisionError("planted")

    declared = rlgym.environment("chain_sum")
    solve = declared.solve
    object.__setattr__(declared, "solve", broken)  # declarations are frozen
    try:
        done = _build(tmp_path / "site", ["bezout", "chain_sum"])
    finally:
        object.__setattr__(declared, "solve", solve)
    assert isinstance(done.exception, RecordError)
    assert "chain_sum (level 0, seed 1)" in str(done.exception)
    assert not (tmp_path / "site").exists()
