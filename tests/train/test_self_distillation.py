"""Self-distillation: divergences by hand, gradients against a plain network, what the teacher reads, and runs with its averaged weights."""

import shutil
from dataclasses import replace
from math import log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model
from train.test_filters import episodes

from rlgym.train.config.distillation import SelfDistillationConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.model.packing import pack
from rlgym.train.model.pretrained import load_model
from rlgym.train.run import Run
from rlgym.train.update.policy import PolicyForward
from rlgym.train.update.self_distillation import SelfDistillation, divergence_S, teacher_prompts, with_rest
from rlgym.train.validate.algorithms import check_algorithms


def rows(*given):
    return torch.tensor(given, dtype=torch.float64).log()


def test_divergences_by_hand():
    student, teacher = rows([0.5, 0.5]), rows([0.75, 0.25])
    forward = 0.75 * log(1.5) + 0.25 * log(0.5)
    reverse = 0.5 * log(2 / 3) + 0.5 * log(2)
    assert float(divergence_S(student, teacher, 0)) == pytest.approx(forward)
    assert float(divergence_S(student, teacher, 1)) == pytest.approx(reverse)
    # The mixture is 5/8 and 3/8.
    of_student = 0.5 * log(0.8) + 0.5 * log(4 / 3)
    of_teacher = 0.75 * log(1.2) + 0.25 * log(2 / 3)
    assert float(divergence_S(student, teacher, 0.5)) == pytest.approx((of_student + of_teacher) / 2)
    assert with_rest(rows([0.5, 0.2])).exp()[0].tolist() == pytest.approx([0.5, 0.2, 0.3])
    assert torch.isfinite(with_rest(rows([0.5, 0.5]))).all()  # nothing is left for the others


def test_divergences_are_never_negative_and_0_for_equals_alone():
    generator = torch.Generator().manual_seed(0)
    student, teacher = (torch.rand(50, 5, generator=generator, dtype=torch.float64).log_softmax(1) for _ in range(2))
    for alpha in (0, 0.3, 0.5, 1):
        assert (divergence_S(student, teacher, alpha) > 0).all()
        assert divergence_S(student, student, alpha).abs().max() < 1e-12


def said(*groups):
    """Episodes of groups with these rewards, each with a response that tells its place."""
    return [
        replace(episode, messages=[("user", "P"), ("assistant", f"response {place}")], feedback="two lines too many")
        for place, episode in enumerate(episodes(*groups))
    ]


def test_the_teacher_sees_the_first_other_right_response_and_feedback_where_there_is_none():
    prompts = teacher_prompts(said([0, 1, 1], [0]), SelfDistillationConfig())
    assert "response 1" in prompts[0]
    assert "response 2" in prompts[1]  # not its own
    assert "response 1" in prompts[2]
    assert "two lines too many" in prompts[3]
    assert "solution" not in prompts[3]
    assert "two lines" not in prompts[0]
    assert "two lines" in teacher_prompts(said([0, 1]), SelfDistillationConfig(feedback="always"))[0]
    # A right episode of several turns is shown as a whole.
    talk = [("user", "P"), ("assistant", "first try"), ("user", "too low"), ("assistant", "second try")]
    first, second = said([0, 1])
    shown = teacher_prompts([first, replace(second, messages=talk)], SelfDistillationConfig())[0]
    assert all(text in shown for text in ("first try", "too low", "second try"))
    # Alone in its group a right response has nothing to read, and without feedback a wrong one neither.
    assert list(teacher_prompts(said([1], [0]), SelfDistillationConfig(feedback="never"))) == []
    assert list(teacher_prompts(said([1]), SelfDistillationConfig(own_solution=True))) == [0]


@pytest.mark.parametrize("change", [{"hinted": True}, {"oracle": True}, {"answer_weights": [1.0]}])
def test_only_responses_of_the_policy_alone_are_taught_and_only_they_teach(change):
    wrong, right = said([0, 1])
    options = SelfDistillationConfig(own_solution=True, feedback="never")
    assert list(teacher_prompts([wrong, right], options)) == [0, 1]
    # The changed one is not taught, whatever else is in its group.
    assert list(teacher_prompts([replace(wrong, **change), right], options)) == [1]
    if "answer_weights" not in change:
        assert list(teacher_prompts([wrong, replace(right, **change)], options)) == []


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, max_seq_len=400, loud=2.0)
    return folder


def run_of(start, out, monkeypatch, steps=1, **options):
    knowing(monkeypatch, lambda request: f"try {request.turn} " + answer(request.turn == 0, request))
    algorithm = {"self_distillation": options, "filter_zero_std": False}
    return Config.from_dict(
        sums(start, out, algorithm=algorithm, steps=steps, update={"lr": 1e-3, "warmup_steps": 0, "max_grad_norm": 1e9})
    )


def distributions(model, tokens):
    """The log-probabilities of all tokens after each token, by one plain pass with gradient."""
    packed = pack([tokens])
    return torch.log_softmax(model.logits(model(packed.tokens_T, packed.positions_T, packed.attention)), -1)


@pytest.mark.parametrize(
    ("options", "old_logprobs"),
    [
        ({"top_k": 10_000, "divergence": 0.5, "max_ratio": 1.0}, "trainer"),
        ({"top_k": 3, "divergence": 1.0, "max_ratio": 1.0, "coef": 2.0}, "trainer"),
        ({"top_k": 3, "divergence": 0.0, "max_ratio": 1.2}, "rollout"),
    ],
)
def test_the_gradient_of_a_run_is_that_of_the_divergence_computed_by_hand(start, tmp_path, monkeypatch, options, old_logprobs):
    from rlgym.train import loop
    from rlgym.train.update.self_distillation import CLOSING, SOLUTION

    learned, gradients, plain, step = [], [], loop.update_policy, Run.optimizer_step

    def update(run, given, timer):
        for episode in given:
            episode.logprobs = [6 * logprob for logprob in episode.logprobs]  # the engine said -1 for each token
        learned.append((run, given))
        return plain(run, given, timer)

    monkeypatch.setattr(loop, "update_policy", update)
    monkeypatch.setattr(
        Run,
        "optimizer_step",
        lambda run, norm: gradients.append([weight.grad.clone() for weight in run.model.parameters()]) or step(run, norm),
    )
    config = run_of(start, tmp_path / "run", monkeypatch, teacher_rate=0.0, feedback="never", **options)
    train(config.model_copy(update={"update": config.update.model_copy(update={"old_logprobs": old_logprobs})}))
    run, given = learned[0]
    policy, teacher = load_model(start), load_model(start).requires_grad_(False)
    total, ratios, count = 0.0, [], 0
    for episode in given:
        other = next((each for each in given if each.group == episode.group and each.solved and each is not episode), None)
        if other is None:
            continue
        first, own = episode.loss_mask.index(True), sum(episode.loss_mask)
        text = episode.messages[0][1] + SOLUTION.format(solution=other.messages[-1][1]) + CLOSING
        longer = [*run.worker.chat.prompt_tokens(text), *episode.tokens[first:]]
        student = distributions(policy, episode.tokens)[first - 1 : first - 1 + own]
        taught = distributions(teacher, longer)[-own - 1 : -1]
        # With the policy's own probability as the old one every ratio is 1.
        new = student.detach().gather(1, torch.tensor(episode.tokens[first:])[:, None]).squeeze(1)
        ratios.append((new + 6).exp() if old_logprobs == "rollout" else torch.ones(own))
        if options["top_k"] < student.shape[1]:
            kept = student.topk(options["top_k"], 1).indices
            student, taught = (
                torch.cat([part.gather(1, kept), (1 - part.gather(1, kept).exp().sum(1, keepdim=True)).log()], 1)
                for part in (student, taught)
            )
        weight = options.get("coef", 1.0) * ratios[-1].clamp(max=options["max_ratio"])
        total = total + (weight * divergence_S(student, taught, options["divergence"])).sum()
        count += own
    assert count
    if old_logprobs == "rollout":  # some ratios are below the cap, and some above
        assert 0 < sum(int((ratio > options["max_ratio"]).sum()) for ratio in ratios) < count
    (total / count).backward()
    for found, weight in zip(gradients[0], policy.parameters(), strict=True):
        torch.testing.assert_close(found, weight.grad, atol=2e-5, rtol=2e-3)
    line = read_lines(tmp_path / "run" / "metrics.jsonl")[0]
    assert line["distilled_fraction"] == 0.75  # all but the one right response of each group
    assert line["distillation_loss"] == pytest.approx(float(total.detach()) / count / options.get("coef", 1.0), rel=1e-3)


def test_a_response_without_room_for_the_longer_prompt_has_no_teacher(start, tmp_path, monkeypatch):
    """The prompt, a long solution and a long response exceed the positions of the model; without the solution the response fits."""
    config = run_of(start, tmp_path / "run", monkeypatch, feedback="never")
    knowing(monkeypatch, lambda request: "so " * (45 if request.turn < 2 else 1) + answer(request.turn == 0, request))
    rollout = config.rollout.model_copy(update={"max_new_tokens": 300, "max_seq_len": 390})
    train(config.model_copy(update={"rollout": rollout}))
    [line] = read_lines(tmp_path / "run" / "metrics.jsonl")
    # Of four responses the first is the only right one, the second is as long as it, and two are short.
    assert line["distilled_fraction"] == line["distilled_by_solution"] == 0.5


def test_learning_moves_the_policy_to_the_teacher(start, tmp_path, monkeypatch):
    """With the same responses in every step the divergence falls, and the policy loss has no part in it."""
    config = run_of(start, tmp_path / "run", monkeypatch, steps=6, teacher_rate=0.0)
    monkeypatch.setattr("rlgym.train.tasks.curriculum.Curriculum.sample", _same_tasks(config))
    train(config)
    losses = [line["distillation_loss"] for line in read_lines(tmp_path / "run" / "metrics.jsonl")]
    assert losses[-1] < 0.7 * losses[0]


def _same_tasks(config):
    from rlgym.train.tasks.spec import TaskSpec

    return lambda self, step, count, attempt=0: [(0, TaskSpec("chain_sum", 0.0, place + 1, "train")) for place in range(count)]


def test_the_teacher_is_a_moving_average_of_the_policy():
    policy, teacher = (torch.nn.Linear(2, 2) for _ in range(2))
    before = teacher.weight.clone()
    distillation = SelfDistillation(PolicyForward(teacher.requires_grad_(False), 10), SelfDistillationConfig(teacher_rate=0.25))
    distillation.follow(policy)
    torch.testing.assert_close(teacher.weight, 0.75 * before + 0.25 * policy.weight.detach())


def test_a_resumed_run_keeps_the_teacher(start, tmp_path, monkeypatch):
    config = run_of(start, tmp_path / "run", monkeypatch, steps=3, teacher_rate=0.5)
    train(config)
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    for saved in list_checkpoints(tmp_path / "run" / "checkpoints")[1:]:
        shutil.rmtree(saved)
    knowing(monkeypatch, lambda request: f"try {request.turn} " + answer(request.turn == 0, request))
    train(config)
    assert read_lines(tmp_path / "run" / "metrics.jsonl") == lines


def test_one_task_alone_is_learnt_from_its_feedback(start, tmp_path, monkeypatch):
    """At test time: a single task, never solved, whose feedback is all there is."""
    knowing(monkeypatch, lambda request: f"try {request.key} " + answer(False, request))
    algorithm = {"self_distillation": {}, "filter_zero_std": False}
    given = sums(start, tmp_path / "run", algorithm=algorithm, steps=2, rollout={"groups_per_step": 1}) | {
        "tasks": [{"names": ["chain_sum"], "num_tasks": 1}]
    }
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert all(line["distilled_fraction"] == 1 and line["distilled_by_solution"] == 0 and line["distillation_loss"] > 0 for line in lines)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"model": {"path": "m", "lora": {}}}, "does not support model.lora"),
        (
            {"algorithm": {"self_distillation": {}, "hint_fraction": 0.5, "filter_zero_std": False}},
            "does not support algorithm.hint_fraction",
        ),
        ({"algorithm": {"self_distillation": {}}}, "set algorithm.filter_zero_std=false"),
    ],
)
def test_what_cannot_be_combined_is_refused(more, message):
    given = sums("m", "o", algorithm={"self_distillation": {}, "filter_zero_std": False}) | more
    with pytest.raises(TrainError, match=message):
        check_algorithms(Config.from_dict(given))
