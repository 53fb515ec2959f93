"""Contamination: rows that other files have too are found, whatever the column is called; and tokens are counted by any tokenizer."""

import json

import pytest
from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.core.errors import RowError
from rlgym.dataset import Recipe, build, load
from rlgym.dataset.contamination import contamination, read_prompts
from rlgym.dataset.rows import masked
from rlgym.dataset.tokens import token_counts


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "data"
    build(Recipe(names=["gcd_lcm", "shortest_path", "higher_lower"], levels=[0.0, 0.5], count=60, seed=4), folder)
    return folder


@pytest.mark.parametrize("column", ["prompt", "question", "problem", "messages"])
def test_rows_of_a_benchmark_are_found_in_any_column(built, tmp_path, column):
    rows = list(load(built))
    taken, others = rows[::7], ["What is the capital of France?", "Write a haiku about the autumn wind."]
    texts = [row["prompt"].upper().replace("\n", " \n ") for row in taken] + others
    values = [[{"role": "user", "content": text}] if column == "messages" else text for text in texts]
    file = tmp_path / "benchmark.jsonl"
    file.write_text("".join(json.dumps({column: value}) + "\n" for value in values))
    report = contamination(built, read_prompts(file))
    assert (report.rows, report.references, report.exact) == (60, len(texts), len(taken))
    assert set(report.exact_ids) == {row["id"] for row in taken}
    assert sum(report.by_env.values()) == len(taken)
    clean = contamination(built, others)
    assert (clean.exact, clean.masked, clean.overlap) == (0, 0, 0)


def test_templates_and_long_overlaps_are_counted_apart_from_equal_prompts(built):
    rows = [row for row in load(built) if row["env"] == "shortest_path"]
    longest = max(rows, key=lambda row: len(row["prompt"]))
    other = longest["prompt"].replace(".", ". Indeed:", 1)
    report = contamination(built, [other])
    assert report.exact == 0
    assert report.overlap >= 1
    near = {masked(row["prompt"]) for row in load(built) if row["env"] == "gcd_lcm"}
    sample = next(row for row in load(built) if row["env"] == "gcd_lcm")
    changed = contamination(built, [sample["prompt"].replace("1", "2").replace("3", "4")])
    assert changed.masked == sum(masked(row["prompt"]) == masked(sample["prompt"]) for row in load(built) if masked(row["prompt"]) in near)


def test_the_command_compares_with_suites_and_files(built, tmp_path):
    rows = list(load(built))
    (tmp_path / "prompts.txt").write_text("a line that no task has\n")
    clean = CliRunner().invoke(app, ["dataset", "overlap", str(built), "--against", "smoke-v1", "--against", str(tmp_path / "prompts.txt")])
    assert clean.exit_code == 0, clean.output
    assert "equal but for case and spaces: 0" in clean.output
    (tmp_path / "leak.jsonl").write_text(json.dumps({"text": rows[3]["prompt"]}))
    leak = CliRunner().invoke(app, ["dataset", "overlap", str(built), "--against", str(tmp_path / "leak.jsonl"), "--json"])
    assert leak.exit_code == 1
    assert json.loads(leak.output)["exact_ids"] == [rows[3]["id"]]


def test_errors_name_what_was_found(built, tmp_path):
    (tmp_path / "odd.jsonl").write_text('{"answer": "5"}')
    with pytest.raises(RowError, match=r"none of the columns prompt, question.*it has answer"):
        contamination(built, read_prompts(tmp_path / "odd.jsonl"))
    with pytest.raises(RowError, match="no reference prompt"):
        contamination(built, [])
    unknown = CliRunner().invoke(app, ["dataset", "overlap", str(built), "--against", "smoke-v9"])
    assert "unknown suite 'smoke-v9'" in str(unknown.exception)


def test_tokens_are_counted_by_any_tokenizer(built, tmp_path):
    tokenizers = pytest.importorskip("tokenizers", reason="needs tokenizers")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    words.save(str(tmp_path / "tokenizer.json"))
    report = token_counts(built, tmp_path)
    lengths = [len(row["messages"][0]["content"].split()) for row in load(built)]
    assert report["rows"] == 60
    assert (report["prompt"]["total"], report["prompt"]["max"]) == (sum(lengths), max(lengths))
    answers = [m["content"] for row in load(built) for m in row["oracle_messages"] if m["role"] == "assistant"]
    assert report["oracle"]["total"] == sum(len(text.split()) for text in answers)
    assert sum(facts["rows"] for facts in report["by_level"].values()) == 60
    result = CliRunner().invoke(app, ["dataset", "tokens", str(built), "--tokenizer", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert str(sum(lengths)) in result.output
    with pytest.raises(RowError, match=r"folder with a tokenizer\.json"):
        token_counts(built, tmp_path / "nothing")
