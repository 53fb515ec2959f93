"""Rewards of steps from the success rates of their prefixes: by hand, with an engine whose chances are known, and in runs."""

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import knowing, note, sums
from train.small_models import small_model

from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout.prefix_values import progress_spans, step_ends
from rlgym.train.validate.token_rewards import check_token_rewards

OPEN = "<answer>"
LETTERS = SimpleNamespace(decode=lambda tokens: "".join(map(chr, tokens)), character_ends=lambda tokens: list(range(1, len(tokens) + 1)))
"""A tokenizer with one token for each character."""


def prefixes(text, **options):
    """The text up to the end of each step."""
    return [text[:end] for end in step_ends(LETTERS, list(map(ord, text)), TokenRewardConfig(source="prefix_values", **options))]


def test_steps_end_after_the_separator_and_before_the_answer():
    text = "3 + 4 = 7\n7 + 5 = 12\n<answer>12\n</answer>"
    assert prefixes(text) == ["3 + 4 = 7\n", "3 + 4 = 7\n7 + 5 = 12\n"]
    assert prefixes(text, separator="=") == ["3 + 4 =", "3 + 4 = 7\n7 + 5 ="]
    assert prefixes("\n\nno step") == []
    assert prefixes("a\nb\n") == ["a\n"]  # the last step ends with the response
    lines = "".join(f"{number}\n" for number in range(9)) + "end"
    assert [len(prefix) for prefix in prefixes(lines, max_prefixes=3)] == [6, 12, 18]


def test_what_steps_earn_adds_up_to_the_score_less_the_value_of_the_prompt():
    spans = progress_spans({10: 0.25, 14: 0.75, 20: 0.75, 26: 0.5}, 30, 1.0)
    assert [(span.start, span.end, span.reward, span.kind) for span in spans] == [
        (10, 14, 0.5, "right"),
        (14, 20, 0.0, "unchecked"),
        (20, 26, -0.25, "wrong"),
        (26, 30, 0.5, "right"),
    ]
    assert sum(span.reward for span in spans) == 1 - 0.25
    # A prefix without a value is part of the step that follows, and without the prompt's value the first step has no reward.
    assert [(span.start, span.reward) for span in progress_spans({10: 0.25, 14: None, 20: 0.75}, 30, 0.0)] == [(10, 0.5), (20, -0.75)]
    assert [span.start for span in progress_spans({10: None, 14: 0.5}, 30, 0.0)] == [14]


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=400)
    return folder


def says(request):
    """A response of three steps whose second one spoils it in every other rollout; who continues is right half of the time before it."""
    if request.prompt.endswith(OPEN):
        certain = "one\nfine" in request.prompt
        spoiled = "one\nslip" in request.prompt
        return f"{request.total if certain or (not spoiled and request.turn % 2) else request.total + 1}</answer>"
    return (
        f"one\n{'fine' if request.turn % 2 else 'slip'}\nthree\n{OPEN}{request.total if request.turn % 2 else request.total + 1}</answer>"
    )


def run(start, out, **token_rewards):
    chosen = {"source": "prefix_values", "continuations": 4} | token_rewards
    algorithm = {"advantage": "progress", "token_rewards": chosen}
    rollout = {"max_new_tokens": 60, "max_seq_len": 350}
    train(Config.from_dict(sums(start, out, algorithm=algorithm, rollout={**sums(start, out)["rollout"], **rollout}, steps=1)))
    return read_lines(out / "metrics.jsonl")[0]


def test_the_step_that_decides_has_the_whole_reward(start, tmp_path, monkeypatch):
    engines = knowing(monkeypatch, says)
    gathered, gradients = note(monkeypatch)
    line = run(start, tmp_path / "run")
    for episode in gathered[0].offered:
        assert [span.reward for span in episode.spans] == ([0, 0.5, 0, 0] if episode.solved else [0, -0.5, 0, 0])
        texts = [engines[-1].tokenizer.decode(episode.tokens[span.start : span.end]) for span in episode.spans]
        assert texts[:3] == ["one\n", "fine\n" if episode.solved else "slip\n", "three\n"]
    # Three groups: the prompt, and three prefixes of each of their four responses, four times each.
    assert line["prefix_continuations"] == 3 * (1 + 4 * 3) * 4
    assert line["prefix_tokens"] > line["prefix_continuations"]
    assert line["prefix_value"] == pytest.approx((0.5 * 5 + 2 * 2) / 13)
    assert line["solve_rate"] == 0.5
    assert any(float(gradient.abs().max()) > 0 for gradient in gradients[0])


def test_the_best_of_several_is_another_prover(start, tmp_path, monkeypatch):
    knowing(monkeypatch, says)
    gathered, _ = note(monkeypatch)
    run(start, tmp_path / "run", best_of=2)
    assert {tuple(span.reward for span in episode.spans) for episode in gathered[0].offered} == {(0, 0.25, 0, 0), (0, -0.75, 0, 0)}


def test_a_continuation_may_be_the_rest_of_the_response(start, tmp_path, monkeypatch):
    def rest(request):
        if "one\n" not in request.prompt:
            return says(request)
        right = "slip" not in request.prompt
        return f"go on\n{OPEN}{request.total if right else request.total + 1}</answer>"

    knowing(monkeypatch, rest)
    gathered, _ = note(monkeypatch)
    run(start, tmp_path / "run", force_answer=False)
    for episode in gathered[0].offered:
        first, second, *others = (span.reward for span in episode.spans)
        assert (first > 0, second, others) == (True, 0 if episode.solved else -1, [0, 0])


REFUSED = [
    ({"rollout": {"answer_style": "boxed"}}, r"force_answer needs rollout\.answer_style='tag', not 'boxed'"),
    ({"tasks": [{"names": ["mastermind"]}]}, "mastermind has many turns"),
    ({"algorithm": {"oracle_fraction": 0.25}}, r"does not support algorithm\.oracle_fraction"),
    ({"algorithm": {"reward_shaping": {"flawed_positive": {}}}}, "'flawed_positive' reads the steps while a response is scored"),
]


@pytest.mark.parametrize(("more", "message"), REFUSED)
def test_what_cannot_be_continued_is_refused(start, tmp_path, more, message):
    given = sums(start, tmp_path, **more)
    given["algorithm"] = {"advantage": "progress", "token_rewards": {"source": "prefix_values"}, **given["algorithm"]}
    with pytest.raises(TrainError, match=message):
        check_token_rewards(Config.from_dict(given))


def test_the_same_seed_gives_the_same_values(start, tmp_path):
    chosen = {"source": "prefix_values", "continuations": 2, "separator": " ", "continuation_tokens": 5}
    algorithm = {"advantage": "progress", "token_rewards": chosen, "filter_zero_std": False}
    for name in ("one", "two"):
        train(Config.from_dict(sums(start, tmp_path / name, algorithm=algorithm)))
    one, two = (read_lines(tmp_path / name / "metrics.jsonl") for name in ("one", "two"))
    assert [line["prefix_tokens"] for line in one] == [line["prefix_tokens"] for line in two]
    assert [line["loss"] for line in one] == [line["loss"] for line in two]
