"""Pages that programs write are up to date, and pages name files that exist."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from rlgym.laws import LAWS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
HELD = set(subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\n"))


def _run(script, *arguments):
    return subprocess.run([sys.executable, script, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_gallery_shows_what_the_environments_draw_today():
    done = _run("scripts/gallery.py", "--check")
    assert done.returncode == 0, done.stderr


def test_the_table_of_faults_shows_what_was_measured():
    done = _run("scripts/comparison.py", "--check")
    assert done.returncode == 0, done.stderr


def test_the_reference_of_algorithms_shows_what_is_registered():
    pytest.importorskip("torch", reason="the trainer needs torch")
    done = _run("scripts/train_reference.py", "--check")
    assert done.returncode == 0, done.stderr


def test_the_page_of_recipes_shows_their_files():
    pytest.importorskip("torch", reason="the trainer needs torch")
    done = _run("scripts/recipes.py", "--check")
    assert done.returncode == 0, done.stderr


def test_the_table_of_adapters_shows_their_records():
    page = ROOT / "docs" / "adapters" / "index.md"
    before = page.read_text(encoding="utf-8")
    try:
        assert _run("scripts/adapters_table.py").returncode == 0
        assert page.read_text(encoding="utf-8") == before, "run `python scripts/adapters_table.py`"
    finally:
        page.write_text(before, encoding="utf-8")


@pytest.mark.skipif(not any(HELD), reason="not a git checkout")
@pytest.mark.parametrize("page", [page for page in PAGES if "catalogue" not in page.parts], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_to_files_that_the_repository_holds(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text) + re.findall(r'src="([^"]+)"', text):
        if "://" in link or link.startswith("mailto:"):
            continue
        target = (page.parent / link).resolve().relative_to(ROOT)
        assert str(target) in HELD, f"{page.name} links to {link}"


def test_the_architecture_names_files_that_exist():
    page = ROOT / "docs" / "architecture.md"
    picture = ROOT / "docs" / "pictures" / "architecture.svg"
    for text in (page.read_text(encoding="utf-8"), picture.read_text(encoding="utf-8")):
        for name in re.findall(r"\b((?:rlgym|envs|generators|sandbox|tests)/[\w/]*(?:\.py)?)", text):
            assert (ROOT / name).exists() or name.startswith("envs/"), name


def test_the_table_of_openenvs_checks_names_laws_and_tests_that_exist():
    """Each of the 44 checks has a row, and what certifies it exists."""
    page = (ROOT / "docs" / "adapters" / "openenv_validation.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    assert [int(row[0].strip("| ")) for row in rows] == list(range(1, 45))
    assert {row[2] for row in rows} <= {"yes", "partly", "no", "operator", "dropped by the RFC"}
    named = {word for row in rows for cited in re.findall(r"laws? ([^.;|:]*)", row[3]) for word in re.findall(r"`([a-z_]+)`", cited)}
    assert len(named) > 10
    assert named <= set(LAWS)
    for file in re.findall(r"`(tests/[a-z_/.]+)`", page):
        assert (ROOT / file).exists(), file


def test_a_page_shows_how_a_small_model_learnt_the_environment(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import catalogue
    import learnability

    model, run = tmp_path / "start", tmp_path / "run"
    for folder in (model, run):
        folder.mkdir()
    save_file({"a": np.zeros((3, 4)), "b": np.zeros(5)}, str(model / "model.safetensors"))
    config = {"model": {"path": str(model)}, "sft": {"steps": 8}, "steps": 10, "rollout": {"groups_per_step": 2, "group_size": 4}}
    (run / "config.json").write_text(json.dumps(config))
    accuracy = {"avg": 0.5, "low": 0.4, "high": 0.6, "tasks": 60}
    lines = [{"label": label, "accuracy": {"chain_sum@0,terms=4": accuracy, "mean": accuracy}} for label in ("start", "middle")]
    (run / "evaluations.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(SystemExit, match="is not finished"):
        learnability.records("planted", run)
    (run / "evaluations.jsonl").write_text("\n".join(map(json.dumps, [*lines, {**lines[0], "label": "end"}])))
    monkeypatch.setattr(catalogue, "LEARNABILITY", tmp_path / "learnability.json")
    (tmp_path / "learnability.json").write_text(json.dumps(learnability.records("planted", run)))
    [row] = [line for line in catalogue.learnability("chain_sum") if "planted" in line]
    assert "| 0, terms=4 | 17 | 0.50 | 80 | 0.50 | 0.40 to 0.60 | 60 |" in row
    assert catalogue.learnability("zebra") == ["**Learnability:** not measured.", ""]
