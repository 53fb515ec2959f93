"""The playground's files as they are served: whole, typed, revalidated, and standing on nothing from elsewhere."""

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
from rlgym.serve.app import application
from rlgym.serve.page import POLICY, held
from rlgym.serve.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "rlgym" / "serve" / "page"
OURS = sorted(path for path in PAGE.glob("*") if path.is_file())


@pytest.fixture(scope="module")
def client():
    with TestClient(application(Settings()), base_url="http://localhost") as made:
        yield made


def test_the_page_and_every_file_it_names_are_served(client):
    index = client.get("/")
    assert index.status_code == 200
    assert index.headers["content-type"] == "text/html; charset=utf-8"
    named = re.findall(r'(?:src|href)="(page/[^"]+)"', index.text)
    assert len(named) >= 6
    for name in named:
        assert client.get(f"/{name}").status_code == 200, name


def test_every_file_has_its_type_and_its_content(client):
    for path, file in held().items():
        answer = client.get(f"/page/{path}")
        assert answer.content == (PAGE / path).read_bytes()
        assert answer.headers["content-type"] == file.media
    assert held()["app.js"].media.startswith("text/javascript")
    assert held()["icon.svg"].media.startswith("image/svg+xml")


@pytest.mark.parametrize("path", ["/", "/page/app.js", "/page/vendor/preact.js"])
def test_nothing_from_elsewhere_may_run(client, path):
    policy = client.get(path).headers["content-security-policy"]
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert policy == POLICY
    assert allowed["default-src"] == "'self'"
    assert allowed["img-src"] == "'self' data:"
    assert "script-src" not in allowed, "scripts fall back to default-src"
    assert client.get(path).headers["x-content-type-options"] == "nosniff"


def test_what_a_browser_has_is_not_sent_again(client):
    first = client.get("/page/style.css")
    assert first.headers["cache-control"] == "no-cache"
    for known in (first.headers["etag"], f"W/{first.headers['etag']}", f'"other", {first.headers["etag"]}'):
        again = client.get("/page/style.css", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
    assert client.get("/page/style.css", headers={"if-none-match": '"other"'}).status_code == 200


def test_head_tells_the_length_without_the_content(client):
    answer = client.head("/")
    assert answer.content == b""
    assert int(answer.headers["content-length"]) == len((PAGE / "index.html").read_bytes())


@pytest.mark.parametrize(
    "path", ["/page/../page.py", "/page/..%2fpage.py", "/page/%2e%2e/page.py", "/page//etc/passwd", "/page/", "/page/vendor", "/page/no.js"]
)
def test_only_files_of_the_page_are_served(client, path):
    assert client.get(path).status_code == 404


def test_a_service_may_do_without_the_page():
    with TestClient(application(Settings(page=False)), base_url="http://localhost") as client:
        assert client.get("/").status_code == 404
        assert client.get("/page/app.js").status_code == 404


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.name)
def test_no_file_names_another_place(file):
    text = file.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?://|//[a-z0-9-]+\.[a-z]{2,}/|\burl\(", text)


@pytest.mark.parametrize("file", [path for path in OURS if path.suffix == ".js"], ids=lambda file: file.name)
def test_scripts_turn_no_text_into_code_or_markup(file):
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setTimeout\(\s*['\"]|srcdoc", text)


@pytest.mark.parametrize("file", [path for path in OURS if path.suffix == ".js"], ids=lambda file: file.name)
def test_scripts_import_only_what_is_there(file):
    named = re.findall(r"""(?:from|import\()\s*["']([^"']+)["']""", file.read_text(encoding="utf-8"))
    for name in named:
        assert name.startswith("./"), name
        assert (PAGE / name).is_file(), name


def test_vendored_files_are_those_that_the_script_fetches():
    listed = dict(
        line.split()[::-1] for line in re.findall(r"^[0-9a-f]{64}  \S+$", (ROOT / "scripts" / "vendor_page.sh").read_text(), re.MULTILINE)
    )
    there = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (PAGE / "vendor").iterdir()}
    assert there == listed
    assert {"preact.js", "LICENSE-htm", "LICENSE-preact"} <= set(listed)


def test_the_package_carries_the_certificates_that_are_published(client):
    published = json.loads((ROOT / "docs" / "certificates.json").read_text())["certificates"]
    carried = json.loads((files("rlgym.serve") / "certificates.json").read_text())["certificates"]
    assert carried == published
    told = client.get("/v1/environments/chain_sum").json()["certificate"]
    mine = next(one for one in published if one["name"] == "chain_sum")
    assert told["version"] == mine["version"] == rlgym.spec("chain_sum")["version"]
    assert told["laws"]["harder"]["measured"] == mine["laws"]["harder"]["measured"]


def _in_node(program: str, given: object) -> object:
    """What a module that is run beside the page's files writes, given JSON on its standard input."""
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


def test_a_slider_sets_knobs_as_the_library_does():
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
def test_an_answer_put_into_its_marks_is_read_back(style):
    declared = rlgym.environment("chain_sum")
    made = _in_node(
        'import { marked, parted } from "./marks.js";\nconst text = marked("-12", given); console.log(JSON.stringify([text, ...parted(text, given)]));',
        style,
    )
    assert declared.answer.read(made[0], style) == -12
    assert made[2] == "-12"
    again = _in_node(
        'import { marked } from "./marks.js";\nconsole.log(JSON.stringify(marked(given.text, given.style)));',
        {"text": made[0], "style": style},
    )
    assert again == made[0]


def test_a_search_puts_the_best_first():
    environments = [
        {
            "name": name,
            "domain": rlgym.registry.place(name).domain,
            "title": "Find a path",
            "kind": "environment",
            "shift": False,
            "picture": False,
        }
        for name in rlgym.names()
    ]
    program = """
import { found, indexed } from "./find.js";
const index = indexed(given.environments);
console.log(JSON.stringify(given.searches.map((search) => found(index, { search }).map((one) => one.name))));
"""
    searches = ["sudoku", "chain sum", "CHAIN_SUM", "graphs", "no such thing", ""]
    sudoku, words, written, domain, none, everything = _in_node(program, {"environments": environments, "searches": searches})
    assert sudoku[0] == "sudoku"
    assert words[0] == "chain_sum"
    assert words == written
    assert set(rlgym.names("graphs")) <= set(domain)
    assert none == []
    assert everything == rlgym.names()
