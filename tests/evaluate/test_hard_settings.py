"""Settings beyond level 1: each makes tasks of a humane size that the oracle solves, and knobs go past their hard end by name alone."""

import json
from importlib import import_module
from pathlib import Path

import pytest

import rlgym
from rlgym.core.config import Config, knob
from rlgym.core.declare import Environment
from rlgym.core.errors import DeclarationError, KnobError
from rlgym.dataset import Session, missing_requirement
from rlgym.evaluate.hard_settings import HARD_SETTINGS, domain_of, mostly_unsolved, undone, unsolved_by_domain
from rlgym.evaluate.pinning import Part, draft, drawn, text_of, with_hashes
from rlgym.evaluate.readings import Reading
from rlgym.evaluate.suites import SuiteError, load, read

MOST_WORDS, MOST_ANSWER_CHARACTERS = 1500, 1000
# Those whose tasks are made quickly.
QUICK = """
boolean_function_synthesis chinese_postman_small elevator functional_dependencies josephus lfsr_predict multi_agent_paths normal_form_decompose optimal_bst
quantifier_game steiner_tree_small subgraph_isomorphism timeline_reconstruct transaction_schedule_serialisable vertex_cover
access_control_query datalog_query entity_resolution belief_tracking rule_book_apply boolean_function_learn decision_tree_fit analogical_mapping
selective_disclosure balance_equation pedigree_inference
""".split()
# Those of many turns; their cost is not asked here, because it takes a play.
PLAYED_QUICK = "frozen_lake_text guess_the_rule power_grid smart_home tool_budget delegation_two_agents inventory_procurement".split()


@pytest.mark.parametrize(
    "setting",
    [pytest.param(each, marks=() if each.name in [*QUICK, *PLAYED_QUICK] else pytest.mark.slow, id=each.name) for each in HARD_SETTINGS],
)
def test_a_task_is_of_a_humane_size_and_is_solved(setting):
    if missing := missing_requirement(setting.name):
        pytest.skip(missing)
    assert undone(setting.name, 5, setting.knobs) is None
    env = rlgym.make(setting.name, level=1.0, **setting.knobs)
    prompt, _ = env.reset(seed=5)
    assert len(prompt.split()) <= MOST_WORDS
    if rlgym.environment(setting.name).kind == "environment":
        assert len(env.oracle()) <= MOST_ANSWER_CHARACTERS * int(setting.knobs.get("task_count", 1))


@pytest.mark.parametrize(
    "setting",
    [pytest.param(each, marks=() if each.name in [*QUICK, *PLAYED_QUICK] else pytest.mark.slow, id=each.name) for each in HARD_SETTINGS],
)
def test_wrong_answers_are_refused(setting):
    declared = rlgym.environment(setting.name)
    if missing := missing_requirement(setting.name):
        pytest.skip(missing)
    env = rlgym.make(setting.name, level=1.0, **setting.knobs)
    if declared.kind != "environment":
        env.reset(seed=5)
        over, turns = False, 0
        while not over and turns < 400:
            *_, terminated, truncated, info = env.step("<answer>nothing</answer>")
            over, turns = terminated or truncated, turns + 1
        assert over
        assert info["score"].value < 1
        return
    env.reset(seed=6)
    other = env.oracle()
    env.reset(seed=5)
    if other != env.oracle():
        assert env.step(other)[-1]["score"].value < 1
    if not isinstance(declared, Environment) or declared.mistakes is None or declared.sandbox:
        return
    task = rlgym.task(setting.name, 5, level=1.0, **setting.knobs)
    right = declared.solve(task)
    values = [declared.verify(task, wrong).value for wrong in list(declared.mistakes(task, right))[:10]]
    assert values.count(1.0) < max(2, len(values))  # a mistake may happen to be another right answer


@pytest.mark.parametrize("setting", [each for each in HARD_SETTINGS if each.name in QUICK], ids=lambda setting: setting.name)
def test_a_setting_costs_more_than_level_1(setting):
    declared = rlgym.environment(setting.name)
    beyond, top = (
        sum(declared.cost(rlgym.task(setting.name, seed, level=1.0, **knobs)) for seed in range(2)) for knobs in (setting.knobs, {})
    )
    assert beyond > top


def test_each_name_has_one_setting_and_the_kinds_of_difficulty_are_there():
    assert len({each.name for each in HARD_SETTINGS}) == len(HARD_SETTINGS) >= 40
    assert {each.difficulty for each in HARD_SETTINGS} == {"insight", "search", "bookkeeping", "long text", "interaction"}


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


def test_each_domain_of_games_tools_sql_and_reading_has_settings():
    domains = [domain_of(each) for each in HARD_SETTINGS]
    assert all(domains.count(domain) >= 2 for domain in ("games", "tools", "sql", "reading", "writing", "science", "induction", "terminal"))


def test_a_domain_has_a_hard_suite_if_readers_failed_on_two_of_its_settings():
    of_tools = [each for each in HARD_SETTINGS if domain_of(each) == "tools"]
    of_games = next(each for each in HARD_SETTINGS if domain_of(each) == "games")
    failed = [reading(each, 0) for each in (*of_tools[:3], of_games)]
    assert unsolved_by_domain(failed) == {"tools": of_tools[:3]}
    # One of four solved is mostly unsolved, and one of two is not.
    once = failed[0].model_copy(update={"read": 3})
    solved = reading(of_tools[0], 1)
    assert unsolved_by_domain([once, solved, *failed[1:]]) == {"tools": of_tools[:3]}
    assert unsolved_by_domain([failed[0], solved, *failed[1:]]) == {"tools": of_tools[1:3]}
    assert unsolved_by_domain([solved, reading(of_tools[1], 1), failed[2]]) == {}


def test_the_hard_suite_of_a_domain_is_of_its_settings_and_is_done_by_the_oracle(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    script = import_module("pin_suites")
    settings = [each for each in HARD_SETTINGS if each.name in ("tool_budget", "delegation_two_agents")]
    monkeypatch.setattr(script, "unsolved_by_domain", lambda: {"tools": settings})
    description, parts = script.parts("hard-tools-v1")
    assert description.startswith("Tasks of tools ")
    assert [(part.name, part.levels, part.seeds, part.knobs) for part in parts] == [
        (each.name, (1.0,), 12, each.knobs) for each in settings
    ]
    assert script.named("hard-domains-v3") == ["hard-tools-v3"]
    assert script.named("hard-tools-v1") == ["hard-tools-v1"]
    with pytest.raises(SystemExit, match="readers mostly fail fewer than 2 settings of games"):
        script.parts("hard-games-v1")
    few = [Part(part.name, part.levels, 1, part.knobs) for part in parts]
    seeds = {part.name: drawn("hard-tools-v1", part) for part in few}
    made = with_hashes(*draft("hard-tools-v1", description, seeds, {part.name: part.knobs for part in few}))
    script.check_doable(made)
    assert made.domains == ["tools"]
    monkeypatch.setattr(script, "undone", lambda name, seed, knobs: "its derivation does not replay")
    with pytest.raises(SystemExit, match=r"of tool_budget with seed .* its derivation does not replay|of delegation_two_agents"):
        script.check_doable(made)


def test_a_task_that_the_oracle_does_not_solve_is_undone(monkeypatch):
    assert undone("chain_sum", 3, {}) is None
    monkeypatch.setattr("rlgym.episode.env.Env.oracle", lambda self: "<answer>x</answer>")
    assert undone("chain_sum", 3, {}).startswith("the oracle does not solve it")


def test_the_page_says_which_domains_have_a_hard_suite(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    script = import_module("hard_readings")
    assert script.domain_table() in script.PAGE.read_text(), "run scripts/hard_readings.py page"
    page = tmp_path / "page.md"
    page.write_text(f"before\n{script.MARKS[0]}\nold\n{script.MARKS[1]}\nafter\n")
    script.write_page(page)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "| matches | 0 | 0 | 0 | none |" in text


def test_a_task_of_many_turns_is_played_and_scored(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    script = import_module("hard_readings")
    settings = [each for each in HARD_SETTINGS if each.name in ("frozen_lake_text", "tool_budget", "smart_home")]
    monkeypatch.setattr(script, "HARD_SETTINGS", settings)
    script.prepare(tmp_path)
    assert "to be played (hard_readings.py play): frozen_lake_text smart_home tool_budget" in capsys.readouterr().out
    lake, home, budget = settings
    env, seen = script.environment(lake)
    assert script.play(tmp_path, lake.name, None) == seen == (tmp_path / "frozen_lake_text.txt").read_text()
    over = False
    while not over:
        response = env.oracle()
        seen, _, terminated, truncated, _ = env.step(response)
        over = terminated or truncated
        assert script.play(tmp_path, lake.name, response).startswith(seen)
    with pytest.raises(SystemExit, match="the play of frozen_lake_text is over"):
        script.play(tmp_path, lake.name, "<answer>north</answer>")
    script.play(tmp_path, home.name, "<answer>nothing</answer>")
    assert script.play(tmp_path, budget.name, "Give up.") == "The play has been given up."
    with pytest.raises(SystemExit, match="'sudoku' is no setting with many turns"):
        script.play(tmp_path, "sudoku", None)
    won, unfinished, gave_up = script.score(tmp_path, "a planted reader")
    assert (won.environment, won.solved, won.not_solved) == (lake.name, 1, "")
    assert (unfinished.solved, unfinished.not_solved) == (0, "limit of effort")
    assert (gave_up.environment, gave_up.solved, gave_up.not_solved) == (budget.name, 0, "limit of effort")


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


def test_a_table_of_more_variables_than_at_level_1_names_each():
    [setting] = [each for each in HARD_SETTINGS if each.name == "boolean_function_learn"]
    prompt, _ = rlgym.make(setting.name, level=1.0, **setting.knobs).reset(seed=5)
    header, first = (line.split() for line in prompt.splitlines()[1:3])
    assert len(header) == len(first) == int(setting.knobs["variables"]) + 1
