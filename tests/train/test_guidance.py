"""Guidance from the environment: feedback on failed attempts, plans of agents, preference pairs, tasks with growing hints, and evaluation by hint."""

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.help_cases import LONG, PLAIN, start_model
from train.scripted import answer, knowing, note, opened, sums

import rlgym
from rlgym import Outcome, Score
from rlgym.train import evaluations
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.config.tasks import TaskConfig
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.curriculum import Curriculum
from rlgym.train.tasks.hints import feedback_text
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.validate.algorithms import check_algorithms


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return start_model(tmp_path_factory.mktemp("model") / "start")


def test_a_failed_group_is_retried_with_what_the_environment_says_about_it(model, tmp_path, monkeypatch):
    gathered, _ = note(monkeypatch)
    engines = knowing(monkeypatch, lambda request: answer("An earlier attempt failed." in request.prompt and request.key % 2 == 0, request))
    algorithm = PLAIN | {"hint_tiers": ["feedback"]}
    train(Config.from_dict(sums(model, tmp_path / "run", **LONG, algorithm=algorithm, steps=1, log={"preferences": True})))
    asked = [request for request in engines[0].asked if "A hint:" in request.prompt]
    assert len(asked) == 12
    for request in asked:
        hint = request.prompt.split("A hint:")[1]
        assert "An earlier attempt failed." in hint
        assert str(request.total) not in hint.split()
    offered = gathered[0].offered
    said = {episode.feedback for episode in offered[:12]}
    assert all(said)
    assert all(any(text.split("\n")[0] in request.prompt for text in said) for request in asked)
    # The pairs: guided and right against unguided and wrong, after the prompt without guidance.
    pairs = read_lines(tmp_path / "run" / "preferences.jsonl")
    assert len(pairs) == 3
    for pair in pairs:
        assert (pair["guided"], pair["chosen_value"], pair["rejected_value"]) == (True, 1, 0)
        [prompt], [chosen], [rejected] = pair["prompt"], pair["chosen"], pair["rejected"]
        assert "A hint:" not in prompt["content"]
        env = rlgym.make(pair["env"], level=pair["level"])
        for said, value in ((chosen, 1), (rejected, 0)):
            assert env.reset(seed=pair["seed"])[0] == prompt["content"]
            assert env.step(said["content"])[4]["score"].value == value


def test_feedback_shows_no_line_with_the_answer():
    env = rlgym.make("chain_sum", level=0.3)
    env.reset(seed=4)
    right = env.hint("solution").rpartition("The answer is: ")[2]
    assert feedback_text(env, f"the sum is too large\nit should be {right}") == "An earlier attempt failed. the sum is too large"
    assert feedback_text(env, f"it should be {right}") == feedback_text(env, "") == env.hint("concept")


def test_the_plan_of_a_repository_names_the_functions_that_are_wrong():
    env = rlgym.make("repo_fix", level=0.3)
    env.reset(seed=3)
    plan = env.hint("plan")
    state = env.snapshot().state
    wrong = [path for path in state.files if state.files[path] != state.repaired[path]]
    assert wrong
    assert all(f"In {path} the function" in plan for path in wrong)
    assert not any(f"In {path} " in plan for path in state.files if path not in wrong)
    assert "old" not in plan.split()  # no edit is told


# --- growing hints


def cells(**part):
    return Curriculum([TaskConfig(names=["chain_sum"], levels=[0.1], **part)], seed=1)


def test_each_task_is_sampled_with_each_fraction_in_turn():
    drawn = [task for _, task in cells(hint_fractions=(0, 0.25, 0.5, 0.75)).sample(0, 10)]
    assert [task.hint_fraction for task in drawn[:8]] == [0, 0.25, 0.5, 0.75] * 2
    assert [task.index for task in drawn] == [1] * 4 + [2] * 4 + [3] * 2
    assert [task.hint_fraction for _, task in cells().sample(0, 3)] == [0, 0, 0]


def test_no_fraction_is_drawn_more_often_than_another_where_a_step_has_no_room_for_all():
    """Six groups of four fractions: two of the second task's are drawn at random, where the first two always came before."""
    curriculum = cells(hint_fractions=(0, 0.25, 0.5, 0.75))
    drawn = [task.hint_fraction for step in range(400) for _, task in curriculum.sample(step, 6)]
    assert [drawn.count(fraction) for fraction in (0, 0.25, 0.5, 0.75)] == pytest.approx([600] * 4, abs=50)
    last = [[task.hint_fraction for _, task in curriculum.sample(step, 6)][4:] for step in range(20)]
    assert all(first < second for first, second in last)
    assert len({tuple(pair) for pair in last}) > 3


def test_prompts_grow_and_only_unhinted_groups_move_curriculum_and_store(model, tmp_path, monkeypatch):
    def shown(request):
        return request.prompt.split("A hint:")[1].strip().count("\n") + 1 if "A hint:" in request.prompt else 0

    seen = opened(monkeypatch)
    engines = knowing(monkeypatch, lambda request: answer(shown(request) > 0, request))
    tasks = [{"names": ["chain_sum"], "levels": [0.05], "knobs": {"terms": 5}, "hint_fractions": [0, 0.25, 0.75]}]
    store = tmp_path / "rates.sqlite"
    more = LONG | {"tasks": tasks, "pass_rates": {"file": str(store), "model": "m"}, "evaluation": {"tasks_per_level": 1}}
    train(Config.from_dict(sums(model, tmp_path / "run", **more, algorithm=PLAIN, steps=1)))
    trained = [request for request in engines[0].asked if request.turn < 4][1:13]
    assert [shown(request) for request in trained[::4]] == [0, 1, 3]
    assert len({request.total for request in trained}) == 1  # one task
    for request in trained:
        assert str(request.total) not in request.prompt.split("A hint:")[-1].split()
    line = read_lines(tmp_path / "run" / "metrics.jsonl")[0]
    assert line["solve_rate"] == pytest.approx(2 / 3)
    from rlgym.dataset.pass_rates import PassRates

    with PassRates(str(store)) as rates:
        recorded = [(entry.samples, entry.right) for entry in rates.entries("m")]
    assert recorded == [(4, 0)]  # of the group without a hint
    assert list(seen[0].curriculum.cells[0].window) == [0]


def test_accuracy_is_measured_by_plan_knowledge_and_solved_part(model, tmp_path, monkeypatch):
    """An engine that needs three steps of five, and one that needs the concept."""

    def says(request):
        hint = request.prompt.split("A hint:")[1] if "A hint:" in request.prompt else ""
        return answer(hint.count(" = ") >= 3 or "_" in hint, request)

    knowing(monkeypatch, says)
    tasks = [{"names": ["chain_sum"], "levels": [0.05], "knobs": {"terms": 5}}]
    evaluation = {"tasks_per_level": 3, "hints": ["concept", "plan", "partial", 0.25, 0.75]}
    train(Config.from_dict(sums(model, tmp_path / "run", **(LONG | {"tasks": tasks, "evaluation": evaluation}), algorithm=PLAIN, steps=0)))
    line = read_lines(tmp_path / "run" / "evaluations.jsonl")[-1]
    assert line["accuracy"]["mean"]["avg"] == 0
    by_hint = {name: (table["mean"]["avg"], table["gain"]) for name, table in line["hints"].items()}
    assert by_hint["concept"] == by_hint["0.25"] == (0, 0)
    assert by_hint["plan"] == by_hint["0.75"] == (1, 1)


def test_the_gain_of_a_hint_is_over_the_tasks_that_have_room_for_it(model, tmp_path, monkeypatch):
    """Of a solved and a failed task the hinted prompt of the failed one is too long: the hint helped nowhere."""

    def played(solved, valid=True):
        episodes = []
        for group in (0, 1):
            episode = Episode(group, group, TaskSpec("chain_sum", 0.0, group, "test"), [1], [True], [0.0], None)
            episode.finish(Score.exact(solved[group]) if valid or not group else Score.nothing(Outcome.ERROR, "no room"), 0.0)
            episodes.append(episode)
        return episodes

    plain = played([True, False])
    given = Config.from_dict(sums(model, tmp_path / "run", evaluation={"hints": ["plan"]}))
    run = SimpleNamespace(config=given, process_group=None)

    def gain(hinted):
        monkeypatch.setattr("rlgym.train.evaluations.evaluation_episodes", lambda *given: hinted)
        return evaluations.hinted_accuracies(run, None, [each.task for each in plain], plain)["hints"]["plan"]["gain"]

    assert gain(played([True, True], valid=False)) == 0
    assert gain(played([True, True])) == 0.5
    unscored = played([True, True], valid=False)[1:]
    assert gain(unscored) is None


def test_more_fractions_than_groups_are_refused(model, tmp_path):
    tasks = [{"names": ["chain_sum"], "hint_fractions": [0, 0.2, 0.4, 0.6]}]
    with pytest.raises(TrainError, match=r"tasks.hint_fractions has 4 entries, more than rollout.groups_per_step=3"):
        check_algorithms(Config.from_dict(sums(model, tmp_path, tasks=tasks)))


@pytest.mark.parametrize(
    ("follower", "message"),
    [
        ({"levels": {}}, "tasks.levels counts groups without hints alone"),
        ({"task_sampling": "learnability"}, "task_sampling='learnability' counts"),
        ({"pass_rates": {"file": "rates.sqlite"}}, "pass_rates.record counts"),
    ],
)
def test_a_follower_of_solve_rates_needs_groups_without_hints(model, tmp_path, follower, message):
    more, levels = dict(follower), follower.get("levels", [0.0])
    more.pop("levels", None)
    for fractions in ([0.5, 0.25], [0, 0.5]):
        tasks = [{"names": ["chain_sum"], "levels": levels, "hint_fractions": fractions}]
        given = Config.from_dict(sums(model, tmp_path / "run", tasks=tasks, **more))
        if 0 in fractions:
            check_algorithms(given)
        else:
            with pytest.raises(TrainError, match=rf"{message}.* and tasks.hint_fractions=\[0.5, 0.25\] has none: add 0 to it"):
                check_algorithms(given)
