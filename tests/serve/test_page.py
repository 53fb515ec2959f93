"""The files of the playground: complete, typed, revalidated and independent of other hosts."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the service needs rlvrgym[serve]")

from fastapi.testclient import TestClient

import rlgym
from rlgym.serve.api.app import create_app
from rlgym.serve.api.page_routes import CONTENT_SECURITY_POLICY, load_page_files
from rlgym.serve.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "rlgym" / "serve" / "page"
OURS = sorted(path for path in PAGE.glob("*") if path.is_file())


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app(Settings()), base_url="http://localhost") as client_:
        yield client_


def test_the_page_and_every_file_it_names_are_served(client):
    index = client.get("/")
    assert index.status_code == 200
    assert index.headers["content-type"] == "text/html; charset=utf-8"
    named = re.findall(r'(?:src|href)="(page/[^"]+)"', index.text)
    assert len(named) >= 6
    for name in named:
        assert client.get(f"/{name}").status_code == 200, name


def test_every_file_has_its_type_and_its_content(client):
    for path, file in load_page_files().items():
        answer = client.get(f"/page/{path}")
        assert answer.content == (PAGE / path).read_bytes()
        assert answer.headers["content-type"] == file.media_type
    assert load_page_files()["app.js"].media_type.startswith("text/javascript")
    assert load_page_files()["icon.svg"].media_type.startswith("image/svg+xml")


@pytest.mark.parametrize("path", ["/", "/page/app.js", "/page/vendor/preact.js"])
def test_the_policy_forbids_external_content(client, path):
    policy = client.get(path).headers["content-security-policy"]
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert policy == CONTENT_SECURITY_POLICY
    assert allowed["default-src"] == "'self'"
    assert allowed["img-src"] == "'self' data:"
    assert "script-src" not in allowed, "scripts fall back to default-src"
    assert client.get(path).headers["x-content-type-options"] == "nosniff"


def test_cached_files_are_revalidated(client):
    first = client.get("/page/style.css")
    assert first.headers["cache-control"] == "no-cache"
    for known in (first.headers["etag"], f"W/{first.headers['etag']}", f'"other", {first.headers["etag"]}'):
        repeated = client.get("/page/style.css", headers={"if-none-match": known})
        assert (repeated.status_code, repeated.content) == (304, b"")
    assert client.get("/page/style.css", headers={"if-none-match": '"other"'}).status_code == 200


def test_head_returns_the_length_without_content(client):
    answer = client.head("/")
    assert answer.content == b""
    assert int(answer.headers["content-length"]) == len((PAGE / "index.html").read_bytes())


@pytest.mark.parametrize(
    "path",
    [
        "/page/../settings.py",
        "/page/..%2fsettings.py",
        "/page/%2e%2e/settings.py",
        "/page//etc/passwd",
        "/page/",
        "/page/vendor",
        "/page/no.js",
    ],
)
def test_only_files_of_the_page_are_served(client, path):
    assert client.get(path).status_code == 404


def test_the_page_can_be_disabled():
    with TestClient(create_app(Settings(serve_page=False)), base_url="http://localhost") as client:
        assert client.get("/").status_code == 404
        assert client.get("/page/app.js").status_code == 404


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.name)
def test_no_file_references_another_host(file):
    text = file.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?://|//[a-z0-9-]+\.[a-z]{2,}/|\burl\(", text)


@pytest.mark.parametrize("file", [path for path in OURS if path.suffix == ".js"], ids=lambda file: file.name)
def test_scripts_never_evaluate_text(file):
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setTimeout\(\s*['\"]|srcdoc", text)


@pytest.mark.parametrize("file", [path for path in OURS if path.suffix == ".js"], ids=lambda file: file.name)
def test_scripts_import_existing_files_only(file):
    named = re.findall(r"""(?:from|import\()\s*["']([^"']+)["']""", file.read_text(encoding="utf-8"))
    for name in named:
        assert name.startswith("./"), name
        assert (PAGE / name).is_file(), name


def test_vendored_files_match_their_hashes():
    listed = dict(
        line.split()[::-1] for line in re.findall(r"^[0-9a-f]{64}  \S+$", (ROOT / "scripts" / "vendor_page.sh").read_text(), re.MULTILINE)
    )
    there = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (PAGE / "vendor").iterdir()}
    assert there == listed
    assert {"preact.js", "LICENSE-htm", "LICENSE-preact"} <= set(listed)


def test_the_package_contains_the_published_certificates(client):
    published = json.loads((ROOT / "docs" / "certificates.json").read_text())["certificates"]
    carried = json.loads((files("rlgym.serve") / "certificates.json").read_text())["certificates"]
    assert carried == published
    result = client.get("/v1/environments/chain_sum").json()["certificate"]
    mine = next(item for item in published if item["name"] == "chain_sum")
    assert result["version"] == mine["version"] == rlgym.spec("chain_sum")["version"]
    assert result["laws"]["monotonic_difficulty"]["measured"] == mine["laws"]["monotonic_difficulty"]["measured"]


def _in_node(program: str, given: object) -> object:
    """Run a JavaScript module that imports files of the page, with JSON as input and output."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    start = "import { readFileSync } from 'node:fs'; const given = JSON.parse(readFileSync(0, 'utf8'));"
    source = re.sub(r'from "\./', f'from "{PAGE.as_uri()}/', f"{start}\n{program}")
    command = [node, "--input-type=module", "--eval", source]
    ran = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


KNOBS = ["chain_sum", "sudoku", "knights_and_knaves", "calculator_and_lookup", "clobber", "predict_output", "blotto", "hanoi"]
LEVELS = [step / 40 for step in range(41)]


def test_sliders_compute_knobs_like_the_library():
    names = [name for name in KNOBS if name in rlgym.names()]
    facts = {name: rlgym.spec(name)["knobs"] for name in names}
    program = """
import { at, levelOf } from "./knobs.js";
const found = {};
for (const [name, knobs] of Object.entries(given.facts)) {
  found[name] = given.levels.map((level) => Object.fromEntries(Object.entries(knobs).map(([knob, facts]) => [knob, at(facts, level)])));
  for (const facts of Object.values(knobs)) {
    const there = at(facts, levelOf(facts, at(facts, 0.5)));
    if (there !== at(facts, 0.5)) throw new Error(`${name}: ${there} instead of ${at(facts, 0.5)}`);
  }
}
console.log(JSON.stringify(found));
"""
    found = _in_node(program, {"facts": facts, "levels": LEVELS})
    for name in names:
        config = rlgym.environment(name).config
        assert found[name] == [config.at(level).model_dump() for level in LEVELS]


@pytest.mark.parametrize("style", ["tag", "boxed", "fence"])
def test_a_wrapped_answer_is_parsed_back(style):
    declared = rlgym.environment("chain_sum")
    client_ = _in_node(
        """
import { splitResponse, wrapAnswer } from "./answer_tags.js";
const text = wrapAnswer("-12", given);
console.log(JSON.stringify([text, ...splitResponse(text, given)]));
""",
        style,
    )
    assert declared.answer.parse_response(client_[0], style) == -12
    assert client_[2] == "-12"
    repeated = _in_node(
        'import { wrapAnswer } from "./answer_tags.js";\nconsole.log(JSON.stringify(wrapAnswer(given.text, given.style)));',
        {"text": client_[0], "style": style},
    )
    assert repeated == client_[0]


def test_search_results_are_ranked():
    environments = [
        {
            "name": name,
            "domain": rlgym.registry.locate(name).domain,
            "title": "Find a path",
            "kind": "environment",
            "has_shift": False,
            "has_picture": False,
        }
        for name in rlgym.names()
    ]
    program = """
import { buildIndex, searchEnvironments } from "./search.js";
const index = buildIndex(given.environments);
console.log(JSON.stringify(given.searches.map((search) => searchEnvironments(index, { search }).map((one) => one.name))));
"""
    searches = ["sudoku", "chain sum", "CHAIN_SUM", "graphs", "no such thing", ""]
    sudoku, words, written, domain, none, everything = _in_node(program, {"environments": environments, "searches": searches})
    assert sudoku[0] == "sudoku"
    assert words[0] == "chain_sum"
    assert words == written
    assert set(rlgym.names("graphs")) <= set(domain)
    assert none == []
    assert everything == rlgym.names()
