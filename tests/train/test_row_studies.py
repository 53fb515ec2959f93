"""Studies whose rows are ways of training: which rows there are, what they change, and what is compared with what."""

import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from typer.testing import CliRunner

from rlgym.cli import app
from rlgym.core.errors import RlgymError
from rlgym.train.config.tasks import AdaptiveLevels
from rlgym.train.sft.data import SftData
from rlgym.train.study import rows as study
from rlgym.train.study.families import Families
from rlgym.train.study.rows import ROWS, RowSettings, gap_rows, pair_rows, row_config, run_rows, scaling_rows
from rlgym.train.study.rows_page import Row, summarize_rows

SETTINGS = RowSettings()
TOY = Families(trained=("chain_sum", "random_calculation"), apart=("partial_derivatives",), sft_steps=2)
SMALL = RowSettings(
    families=TOY, on=("chain_sum",), steps=1, seeds=(0,), groups_per_step=2, group_size=2, eval_tasks=2, num_tasks=(2,), levels=(0.0,)
)


def test_more_families_than_a_study_takes_are_refused_and_none_is_dropped(tmp_path, monkeypatch):
    four = ("chain_sum", "random_calculation", "partial_derivatives", "roman_numerals")
    words = [word for name in four for word in ("--env", name)]
    done = CliRunner().invoke(app, ["train", "study", "pairs", *words, "--out", str(tmp_path)])
    assert "pairs trains on every pair of its families, so it takes 3 of them at most, got 4" in str(done.exception)
    given = []
    monkeypatch.setattr(study, "run_rows", lambda name, out, settings, callback: given.append(settings) or {})
    assert CliRunner().invoke(app, ["train", "study", "gap", *words, "--out", str(tmp_path), "--json"]).exit_code == 0
    assert set(given[0].on) == set(four)


def configured(row, tmp_path):
    return row_config(row, tmp_path / "run", tmp_path / "model", 0, SETTINGS)


def test_pairs_train_on_one_two_and_all_families_and_vary_one_of_them(tmp_path):
    rows = pair_rows(SETTINGS)
    one, two, three = SETTINGS.on
    assert [rows[label].on for label in (one, f"{one} + {two}", f"{one} + {two} + {three}")] == [(one,), (one, two), SETTINGS.on]
    assert sum(len(row.on) == 2 for row in rows.values()) == 3
    plain = configured(rows[one], tmp_path)
    different = {label.split(", ")[1]: configured(row, tmp_path).differences(plain) for label, row in rows.items() if row.pair}
    assert different == {
        "levels mixed": ["tasks"],
        "easy levels first": ["tasks"],
        "partial reward": ["algorithm.reward_shaping"],
        "boxed template": ["rollout.answer_style"],
        "German prompts": ["tasks"],
    }
    mixed, ordered = (configured(rows[f"{one}, {label}"], tmp_path).tasks[0].levels for label in ("levels mixed", "easy levels first"))
    assert isinstance(ordered, AdaptiveLevels)
    assert (ordered.start_level, ordered.max_level) == (mixed[0], mixed[-1])
    assert configured(rows[f"{one}, German prompts"], tmp_path).tasks[0].names == [f"{one}:de"]
    assert all(row.pair in rows for row in rows.values() if row.pair)


def test_more_families_have_the_same_number_of_responses(tmp_path):
    rows = scaling_rows(SETTINGS)
    counts = [len(row.on) for row in rows.values()]
    assert counts == [1, 2, 4, 8, 12]
    sizes = {
        (config.steps, config.rollout.groups_per_step, config.rollout.group_size)
        for config in (configured(row, tmp_path) for row in rows.values())
    }
    assert len(sizes) == 1
    assert all(set(small.on) < set(large.on) for small, large in zip(list(rows.values()), list(rows.values())[1:], strict=False))


def test_the_gap_is_between_methods_on_the_same_tasks_with_the_same_number_of_responses(tmp_path):
    rows = gap_rows(SETTINGS)
    assert len(rows) == 2 * len(SETTINGS.num_tasks) * len(SETTINGS.levels)
    pairs = [(row, rows[row.pair]) for row in rows.values() if row.pair]
    assert len(pairs) == len(rows) // 2
    for sft, rl in pairs:
        mine, its = configured(sft, tmp_path), configured(rl, tmp_path)
        assert (sft.method, rl.method, mine.tasks) == ("sft", "rl", its.tasks)
        assert mine.sft.steps * mine.sft.batch_size == its.steps * its.rollout.groups_per_step * its.rollout.group_size
        assert its.sft is None
    assert {config.tasks[0].num_tasks for config in (configured(row, tmp_path) for row in rows.values())} == set(SETTINGS.num_tasks)


def test_supervised_examples_keep_to_the_number_of_different_tasks(tmp_path):
    from train.small_models import small_model

    from rlgym.train.model.tokenizer import load_tokenizer
    from rlgym.train.rollout.chat import Chat
    from rlgym.train.rollout.setup import task_settings

    small_model(tmp_path / "model", num_layers=1, hidden_size=32, max_seq_len=512)
    chat = Chat(load_tokenizer(tmp_path / "model"))
    found = {}
    for count in (0, 3):
        row = Row(
            ("chain_sum",), "sft", change={"tasks": [{"names": ["chain_sum"], "levels": [0.0], "num_tasks": count}], "sft.batch_size": 20}
        )
        config = configured(row, tmp_path)
        examples = SftData(config, chat, task_settings(config))
        found[count] = {one.task.index for step in range(2) for one in examples.batch(step)}
    assert found[3] == {1, 2, 3}
    assert len(found[0]) == 40


def measurement(right, tokens=5.0):
    return {"right": [right], "samples": [4], "tokens": tokens, "readable": 1.0, "worked": 0.5, "worked_right": 0.5}


def test_gains_are_against_the_base_model_at_the_level_of_the_row_and_differences_within_pairs():
    rows = {"rl": Row(("chain_sum",), level=0.1), "sft": Row(("chain_sum",), "sft", 0.1, pair="rl"), "easy": Row(("chain_sum",))}
    places = TOY.main + TOY.shifted
    base = {level: {0: {place: measurement(right) for place in places}} for level, right in (("0", 2), ("0.1", 1))}
    trained = {label: {0: base["0.1"][0] | {"chain_sum": measurement(right, 7.0)}} for label, right in (("rl", 3), ("sft", 2), ("easy", 3))}
    found = summarize_rows({"base": base, "trained": trained, "runs": {label: {0: {"responses": 8.0}} for label in rows}}, TOY, rows)
    assert (found["rl"]["base"]["mean"], found["rl"]["trained"]["mean"], found["easy"]["trained"]["mean"]) == (0.25, 0.5, 0.25)
    assert found["sft"]["difference"]["mean"] == -0.25
    assert "difference" not in found["rl"]
    assert (found["rl"]["others"]["mean"], found["rl"]["tokens"]["mean"]) == (0.0, 7.0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"on": ("string_rewriting",)}, "some of the trained families"),
        ({"levels": (1.5,)}, "levels must be from 0"),
        ({"num_tasks": (0,)}, "num_tasks must be at least 1"),
        ({"steps": 0}, "steps must be at least 1"),
        ({"group_size": 1}, "group_size must be at least 2"),
        ({"seeds": (1, 1)}, "different seeds"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given, words):
    with pytest.raises(RlgymError, match=words):
        RowSettings(**given)


def test_the_studies_are_listed_with_their_rows():
    listed = json.loads(CliRunner().invoke(app, ["train", "study", "--json"]).stdout)
    for name, rows in ROWS.items():
        assert listed[name]["members"] == list(rows(SETTINGS))


@pytest.mark.slow
def test_a_toy_study_writes_its_results_and_repeats_nothing(tmp_path, monkeypatch):
    results = run_rows("gap", tmp_path, SMALL)
    files = ("study.json", "table.md", "report.html", "settings.json")
    before = {name: (tmp_path / "gap" / name).read_bytes() for name in files}
    assert set(results["summary"]) == {"rl, 2 tasks, level 0", "sft, 2 tasks, level 0"}
    assert "one seed, so no interval" in before["report.html"].decode()
    monkeypatch.setattr(study, "train", lambda *_: pytest.fail("a finished run is repeated"))
    run_rows("gap", tmp_path, SMALL)
    assert {name: (tmp_path / "gap" / name).read_bytes() for name in files} == before
