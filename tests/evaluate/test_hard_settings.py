"""Settings beyond level 1: each makes tasks of a humane size that the oracle solves, and knobs go past their hard end by name alone."""

import json
from importlib import import_module
from pathlib import Path

import pytest

import rlgym
from rlgym.core.config import Config, knob
from rlgym.core.errors import DeclarationError, KnobError
from rlgym.dataset import Session, missing_requirement
from rlgym.evaluate.hard_settings import HARD_SETTINGS, mostly_unsolved
from rlgym.evaluate.pinning import Part, draft, drawn, text_of, with_hashes
from rlgym.evaluate.readings import Reading
from rlgym.evaluate.suites import SuiteError, load, read

MOST_WORDS, MOST_ANSWER_CHARACTERS = 1500, 500
# Those whose tasks are made quickly.
QUICK = """
boolean_function_synthesis chinese_postman_small elevator functional_dependencies josephus lfsr_predict multi_agent_paths normal_form_decompose optimal_bst
quantifier_game steiner_tree_small subgraph_isomorphism timeline_reconstruct transaction_schedule_serialisable vertex_cover
""".split()


@pytest.mark.parametrize(
    "setting", [pytest.param(each, marks=() if each.name in QUICK else pytest.mark.slow, id=each.name) for each in HARD_SETTINGS]
)
def test_a_task_is_of_a_humane_size_and_is_solved(setting):
    if missing := missing_requirement(setting.name):
        pytest.skip(missing)
    declared, task = rlgym.environment(setting.name), rlgym.task(setting.name, 5, level=1.0, **setting.knobs)
    right = declared.solve(task)
    assert declared.verify(task, right).value == 1.0
    assert len(task.prompt.split()) <= MOST_WORDS
    assert len(declared.answer.render(right)) <= MOST_ANSWER_CHARACTERS * int(setting.knobs.get("task_count", 1))
    if declared.explain is not None and declared.replay is not None:
        assert declared.replay(task, declared.explain(task)) is None


@pytest.mark.parametrize("setting", [each for each in HARD_SETTINGS if each.name in QUICK], ids=lambda setting: setting.name)
def test_a_setting_costs_more_than_level_1(setting):
    declared = rlgym.environment(setting.name)
    beyond, top = (
        sum(declared.cost(rlgym.task(setting.name, seed, level=1.0, **knobs)) for seed in range(2)) for knobs in (setting.knobs, {})
    )
    assert beyond > top


def test_each_name_has_one_setting_and_the_kinds_of_difficulty_are_there():
    assert len({each.name for each in HARD_SETTINGS}) == len(HARD_SETTINGS) >= 40
    assert {each.difficulty for each in HARD_SETTINGS} == {"insight", "search", "bookkeeping", "long text"}


def test_a_suite_file_keeps_knobs_that_are_set_by_name(tmp_path):
    part = Part("vertex_cover", (1.0,), 1, {"corners": 50})
    pinned = with_hashes(*draft("mine-v1", "A large cover", {"vertex_cover": drawn("mine-v1", part)}, {"vertex_cover": part.knobs}))
    file = tmp_path / "mine-v1.json"
    file.write_text(text_of(pinned))
    assert read(file) == pinned
    (row,) = load(file).rows
    assert json.loads(row["knobs"])["corners"] == 50
    session = Session(row)
    session.step(session.oracle())
    assert session.score.value == 1.0
    file.write_text(text_of(pinned).replace('{"corners": 50}', '{"corners": 49}'))
    with pytest.raises(SuiteError, match="the tasks of vertex_cover differ"):
        load(file)


def reading(setting, solved, version=None):
    facts = {"version": version or rlgym.environment(setting.name).version, "date": "2026-11-28", "reader": "a planted reader", "read": 1}
    return Reading.model_validate({"environment": setting.name, "level": 1.0, "knobs": setting.knobs_text, "solved": solved, **facts})


def test_a_hard_suite_holds_what_readers_fail_on_and_at_most_a_fifth_that_they_solve():
    found = [reading(setting, solved=place >= 8) for place, setting in enumerate(HARD_SETTINGS[:14])]
    assert mostly_unsolved(found) == list(HARD_SETTINGS[:10])
    assert mostly_unsolved([*found, reading(HARD_SETTINGS[0], solved=1)]) == list(HARD_SETTINGS[:8])
    with_knobs = next(each for each in HARD_SETTINGS if each.knobs)
    assert mostly_unsolved([reading(with_knobs, 0, version=99)]) == []


def test_numbers_past_a_level_1_that_readers_failed_count_as_failed():
    numbers = next(each for each in HARD_SETTINGS if each.name == "vertex_cover")
    words = next(each for each in HARD_SETTINGS if each.name == "kenken")
    at_1 = [reading(each, 0).model_copy(update={"knobs": ""}) for each in (numbers, words)]
    assert mostly_unsolved(at_1) == [numbers]
    assert mostly_unsolved([each.model_copy(update={"solved": 1}) for each in at_1]) == []
    assert mostly_unsolved([*at_1, reading(numbers, 1)]) == []
    # One reader failed on level 1 and another solved it: that is no level at which readers failed.
    solved_too = at_1[0].model_copy(update={"reader": "another planted reader", "read": 5, "solved": 5})
    assert mostly_unsolved([at_1[0], solved_too]) == []


def test_answers_of_readers_are_scored(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    script = import_module("hard_readings")
    settings = [each for each in HARD_SETTINGS if each.name in ("josephus", "bytecode_trace:several", "elevator", "twiddle")]
    monkeypatch.setattr(script, "HARD_SETTINGS", settings)
    script.prepare(tmp_path)
    assert "people stand in a circle" in (tmp_path / "josephus.txt").read_text()
    answers = tmp_path / "answers"
    for setting in settings[:3]:
        env, _ = script.environment(setting)
        (answers / script.file_name(setting)).write_text(env.oracle())
    (answers / script.file_name(settings[1])).write_text("Give up")
    (tmp_path / script.file_name(settings[2])).write_text("another task")
    solved, gave_up = script.score(tmp_path, "a planted reader")
    assert (solved.solved, solved.not_solved, solved.knobs) == (1, "", settings[0].knobs_text)
    assert (gave_up.solved, gave_up.not_solved) == (0, "limit of effort")
    assert f"{settings[2].name}: the task has changed since it was read" in capsys.readouterr().out


class Knobs(Config):
    size: int = knob(5, easy=4, hard=9, beyond=12, doc="rows")
    spare: int = knob(3, easy=4, hard=2, beyond=0, doc="moves to spare")


def test_a_knob_goes_past_its_hard_end_by_name_alone():
    assert Knobs.at(1.0) == Knobs(size=9, spare=2)
    assert Knobs.at(1.0, size=12, spare=0) == Knobs(size=12, spare=0)
    assert Knobs.knobs()["size"]["beyond"] == 12
    with pytest.raises(KnobError, match="size must be an integer from 4 to 12, got size=13"):
        Knobs.at(1.0, size=13)
    with pytest.raises(KnobError, match="spare must be an integer from 0 to 4, got spare=5"):
        Knobs.at(1.0, spare=5)


@pytest.mark.parametrize("beyond", [9, 8, 3])
def test_beyond_lies_past_the_hard_end(beyond):
    with pytest.raises(DeclarationError, match="must lie past hard=9"):
        knob(5, easy=4, hard=9, beyond=beyond, doc="rows")
