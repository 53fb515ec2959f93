"""Own solutions that are graded in the same step, with an engine that knows who is right."""

from dataclasses import replace

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.group_cases import episode
from train.scripted import answer, knowing, sums
from train.small_models import small_model

import rlgym
from rlgym.dataset.own_solutions import can_be_graded, grading_start
from rlgym.derived.judge_words import ONE_GRADED_BY
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.preferences import preference_pairs
from rlgym.train.loop import train
from rlgym.train.rollout.self_verification import choose_solutions
from rlgym.train.validate.config import check_config

GRADES = "Judge the solution by its final answer"
LONG = {"rollout": {"max_seq_len": 900}}


def configured(folder, **algorithm):
    return Config.from_dict(sums(folder / "start", folder / "run", algorithm={"filter_zero_std": False, **algorithm}, **LONG))


def run(tmp_path, monkeypatch, grade, **options):
    """A run in which three of four solutions are right, and gradings say what `grade` makes of what is shown; its metrics and requests."""
    small_model(tmp_path / "start", max_seq_len=900)

    def says(request):
        return grade(request) if GRADES in request.prompt else answer(request.key % 4 != 0, request)

    engines = knowing(monkeypatch, says)
    train(configured(tmp_path, self_verification={"fraction": 1.0, **options}))
    return read_lines(tmp_path / "run" / "metrics.jsonl"), [said for engine in engines for said in engine.asked]


def shown_right(request):
    return f"Final answer: {request.total}\n" in request.prompt


def test_own_solutions_of_the_step_are_graded_and_learned(tmp_path, monkeypatch):
    lines, asked = run(tmp_path, monkeypatch, lambda request: f"<answer>{'right' if shown_right(request) else 'wrong'}</answer>")
    graded = [said for said in asked if GRADES in said.prompt]
    # Two steps of three groups, each with one solution that is graded four times; both kinds occur.
    assert len(graded) == 2 * 3 * 4
    assert {shown_right(said) for said in graded} == {True, False}
    for line in lines:
        assert line["verifications"] == 12
        assert line["verification_accuracy"] == 1
        assert 0 < line["verified_right"] < 1
        assert line["solve_rate"] == 0.75, "gradings do not count as solutions"
        assert line["kept_fraction"] == 2, "as many gradings as solutions are learned"
        assert line["rollouts"] == 24, "gradings are rollouts too"
        assert line["rollout_tokens"] > 12 * 6, "and cost tokens"


def test_a_grading_is_paid_for_the_verifiers_verdict(tmp_path, monkeypatch):
    always, _ = run(tmp_path, monkeypatch, lambda request: "<answer>right</answer>", group_size=2)
    for line in always:
        assert line["verifications"] == 6
        assert line["verification_accuracy"] == line["verified_right"]


def test_gradings_are_no_preference_pairs():
    pair = [episode(right, group=0, key=right) for right in (1, 0)]
    graded = [replace(one, group=-1) for one in pair]
    assert [row["env"] for row in preference_pairs([*pair, *graded], 1)] == ["chain_sum"]
    assert preference_pairs(graded, 1) == []


def test_solutions_are_balanced_as_far_as_their_groups_allow():
    mixed = [episode(right, group=group, key=4 * group + right) for group in range(20) for right in (1, 1, 1, 0)]
    chosen = choose_solutions(mixed, 1.0, 0)
    assert len({one.group for one in chosen}) == 20
    assert sum(one.solved for one in chosen) == 10
    # Ten groups are solved throughout: the mixed ones make up for them.
    half = [episode(1 if group < 10 else right, group=group) for group in range(20) for right in (1, 0)]
    assert sum(one.solved for one in choose_solutions(half, 1.0, 0)) == 10
    assert len(choose_solutions(mixed, 0.24, 0)) == 5
    assert choose_solutions([], 1.0, 0) == []


def test_a_solution_is_shown_alone_and_judged_by_the_verifier():
    task = rlgym.task("chain_sum", 3, level=0.2)
    right = rlgym.environment("chain_sum").solve(task)
    for text, verdict in ((f"<answer>{right}</answer>", "right"), (f"<answer>{right + 1}</answer>", "wrong"), ("None.", "invalid")):
        start = grading_start(task, text)
        assert ONE_GRADED_BY in start.transcript[0][1]
        assert start.observation.count("--- Solution") == 1
        assert task.prompt in start.observation
        env = rlgym.make("chain_sum:grade_solution")
        env.restore(start)
        assert env.oracle() == f"<answer>{verdict}</answer>"
    assert can_be_graded("chain_sum")
    assert not can_be_graded("higher_lower")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tasks": [{"names": ["higher_lower"]}]}, "higher_lower has no tasks"),
        ({"rollout": {"answer_style": "boxed"}}, "answer_style='tag'"),
        ({"algorithm": {"self_verification": {}, "token_rewards": {"source": "outcome"}}}, "does not support algorithm.token_rewards"),
        ({"algorithm": {"self_verification": {}, "shuffle_rewards": True}}, "does not support algorithm.shuffle_rewards"),
    ],
)
def test_what_cannot_be_graded_is_refused(tmp_path, change, message):
    small_model(tmp_path / "start", max_seq_len=300)
    given = {"algorithm": {"self_verification": {}}} | change
    with pytest.raises(TrainError, match=message):
        check_config(Config.from_dict(sums(tmp_path / "start", tmp_path / "run", **given)))
