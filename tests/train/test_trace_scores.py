"""Scores of thinking traces: steps by a judge, outlines by another model that follows them, and the reward, by hand and in a run."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import Knowing, answer, knowing, sums
from train.small_models import policy_and_judge
from train.test_filters import episodes
from train.test_judge_rewards import Fixed, Letters

import rlgym
from rlgym.train import loop
from rlgym.train.config.schema import Config
from rlgym.train.config.second_models import TraceRewardConfig
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.second_models import SecondModel
from rlgym.train.rollout.trace_scores import Trace, outline_of, step_scores, trace_of
from rlgym.train.run import Run
from rlgym.train.tasks.hints import answer_spellings, contains_answer
from rlgym.train.validate.algorithms import check_algorithms
from rlgym.train.validate.second_models import check_second_models


def test_the_thinking_is_split_from_the_response_by_hand():
    assert trace_of("<think>a\nb\n</think>So <answer>1</answer>", "\n", 9) == Trace(("a", "b"), "So <answer>1</answer>")
    assert trace_of("a\n\nb\n<answer>1</answer>", "\n", 9) == Trace(("a", "b"), "<answer>1</answer>")
    assert trace_of("a\nb\nc", "\n", 2) == Trace(("a", "b\nc"), "")
    assert trace_of("<answer>1</answer>", "\n", 2) == Trace((), "<answer>1</answer>")


def test_an_outline_tells_neither_numbers_nor_the_answer():
    trace = Trace(("3 + 4 = 7", "the word is plum", "then 7 * -2 = -14"), "")
    assert outline_of(trace, ["plum"]) == "_ + _ = _\nthen _ * _ = _"
    assert outline_of(trace, ["-14"]) == "_ + _ = _\nthe word is plum"


def test_an_outline_has_the_answer_in_none_of_its_spellings():
    trace = Trace(("The result is Yes.", "that is 1,200", "1200.0 in all", "a yesterday of 12001"), "")
    assert outline_of(trace, ["yes"]) == "that is _,_\n_ in all\na yesterday of _"
    sums = rlgym.make("chain_sum", level=0.2)
    sums.reset(seed=3)
    spellings = answer_spellings(sums)
    total = int(spellings[0])
    assert {str(total), f"{total:,}", f"{total}.0"} <= {*spellings}
    assert outline_of(Trace((f"so {total:,}", f"so {total}.0 in all", "so on"), ""), spellings) == "so on"
    assert contains_answer("the answer is A", ["A"])
    assert not contains_answer("a letter", ["A"])


def test_the_step_score_is_the_mean_over_the_steps_by_hand():
    """A judge that finds the step "good" right and others wrong, and sees what came before and what comes last."""
    engine = Fixed(lambda text, first: 0.0 if ("[good]" in text) == first else -50.0)
    judge = SecondModel("judge", engine, Letters(), 400)
    said = ["good\nbad\n<answer>1</answer>", "good\ngood\n<answer>2</answer>", "<answer>3</answer>", "bad"]
    listed = [
        replace(episode, messages=[("user", "P"), ("assistant", text)]) for episode, text in zip(episodes([1] * 4), said, strict=True)
    ]
    options = TraceRewardConfig(model="judge", question="{before}[{step}]{response}")
    assert step_scores(judge, listed, options) == pytest.approx([0.5, 1, 0, 0])
    assert "good[bad]<answer>1</answer>" in engine.asked


def test_a_long_trace_is_cut_to_the_room_of_the_judge():
    engine = Fixed(lambda text, first: 0.0)
    judge = SecondModel("judge", engine, Letters(), 120)
    text = "\n".join(["x" * 50] * 8) + "\n<answer>" + "9" * 300 + "</answer>"
    listed = [replace(episodes([1])[0], messages=[("user", "P"), ("assistant", text)])]
    step_scores(judge, listed, TraceRewardConfig(model="judge", question="{before}[{step}]{response}"))
    assert all(len(asked) < 120 and "[" + "x" * 50 + "]" in asked for asked in engine.asked)


@pytest.mark.parametrize("text", ["x" * 1000, "a\n" + "b" * 900 + "\n<answer>1</answer>", "<answer>" + "9" * 500 + "</answer>"])
def test_a_step_or_a_prompt_of_any_length_is_cut_to_the_room_of_the_judge(text):
    """The step is what is cut last, but for the prompt: as much of it is shown as there is room for."""
    engine = Fixed(lambda text, first: 0.0)
    judge = SecondModel("judge", engine, Letters(), 120)
    listed = [replace(episodes([1])[0], messages=[("user", prompt), ("assistant", text)]) for prompt in ("P", "P" * 500)]
    step_scores(judge, listed, TraceRewardConfig(model="judge", question="{prompt}|{before}[{step}]{response}"))
    assert all(len(asked) < 120 for asked in engine.asked)
    assert any("x" * 90 in asked or "b" * 90 in asked for asked in engine.asked) or "<answer>" in text[:8]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return policy_and_judge(tmp_path_factory.mktemp("models"), max_seq_len=400)


def config(models, out, trace, **more):
    second = {"second_models": {name: {"path": str(models / "judge"), "max_seq_len": 900} for name in ("judge", "solver")}}
    algorithm = {"advantage": "dr_grpo", "filter_zero_std": False, "trace_reward": trace}
    return Config.from_dict(sums(models / "policy", out, algorithm=algorithm, steps=1, rollout={"max_seq_len": 400}, **more) | second)


def test_a_trace_along_which_a_solver_succeeds_is_rewarded(models, tmp_path, monkeypatch):
    """Right answers without a useful trace earn less than right answers with one, and a useful trace earns something below a wrong answer."""
    texts = ["plan\n{right}", "plan\n{wrong}", "hm\n{right}", "hm\n{wrong}"]
    knowing(monkeypatch, lambda request: texts[request.turn % 4].format(right=answer(True, request), wrong=answer(False, request)))
    monkeypatch.setattr("rlgym.train.rollout.trace_scores.step_scores", lambda judge, given, options: [0.25] * len(given))
    followed = Knowing(load_tokenizer(models / "judge"), lambda request: answer("plan" in request.prompt and request.key % 2 == 0, request))
    learned, plain, opened = [], loop.update_policy, Run.open.__func__

    def with_solver(cls, given):
        run = opened(cls, given)
        run.second_models["solver"] = replace(run.second_models["solver"], engine=followed)
        return run

    monkeypatch.setattr(Run, "open", classmethod(with_solver))
    monkeypatch.setattr(loop, "update_policy", lambda run, given, timer: learned.append(given) or plain(run, given, timer))
    train(config(models, tmp_path / "run", {"model": "judge", "solver": "solver", "alpha": 0.4, "samples": 2}))
    assert followed.asked
    assert all("Follow this outline" in request.prompt for request in followed.asked)
    for group in range(3):
        rewards = [episode.reward for episode in learned[0] if episode.group == group]
        # 0.6 for a right answer, 0.4 (0.25 + 0.5) for a trace along which half of the solver's responses are right.
        assert rewards == pytest.approx([0.6 + 0.4 * 0.75, 0.4 * 0.75, 0.6 + 0.4 * 0.25, 0.4 * 0.25])
    line = read_lines(tmp_path / "run" / "metrics.jsonl")[0]
    assert (line["trace_steps"], line["trace_trajectory"]) == (0.25, 0.25)


def test_the_response_with_the_best_trace_is_chosen_of_several(models, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: ("good\n" if request.turn == 2 else "bad\n") + answer(request.turn == 2, request))
    monkeypatch.setattr(
        "rlgym.train.evaluations.step_scores", lambda judge, given, options: [float("good" in episode.transcript) for episode in given]
    )
    evaluation = {"tasks_per_level": 2, "samples_per_task": 4}
    train(config(models, tmp_path / "run", {"model": "judge", "solver": "solver"}, evaluation=evaluation).model_copy(update={"steps": 0}))
    votes = read_lines(tmp_path / "run" / "evaluations.jsonl")[0]["votes"]
    assert votes["trace"] == 1
    assert votes["majority"] == 0


def test_what_is_only_measured_has_a_single_turn_as_well(models, tmp_path):
    given = config(models, tmp_path, {"model": "judge"}, evaluation={"transfer": ["higher_lower"]})
    with pytest.raises(TrainError, match=r"algorithm.trace_reward scores single responses, and higher_lower has many turns"):
        check_second_models(given.model_copy(update={"second_models": {"judge": given.second_models["judge"]}}))


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        ({"model": "judge", "solver": "sovler"}, r"algorithm.trace_reward.solver='sovler' is not in second_models"),
        ({"model": "judge", "solver": "solver", "question": "{response}"}, r"trace_reward.question must show \{step\}"),
        ({"model": "judge", "solver": "solver", "question": "{step} {answer}"}, r"trace_reward.question shows \{answer\}"),
    ],
)
def test_what_cannot_work_is_refused(models, tmp_path, trace, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(config(models, tmp_path, trace))
