"""First errors by binary search, values at budgets and potentials of steps, with an engine whose chances are known."""

from itertools import pairwise
from math import exp

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import knowing, note, sums
from train.small_models import small_model
from train.test_prefix_values import LETTERS, OPEN, says

from rlgym.train.advantages import ADVANTAGES
from rlgym.train.config.rewards import TokenRewardConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.rollout import step_rewards
from rlgym.train.rollout.prefix_values import potential, prefix_ends
from rlgym.train.validate.token_rewards import check_token_rewards


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=400)
    return folder


def run(start, out, advantage="progress", log=None, **token_rewards):
    chosen = {"source": "prefix_values", "continuations": 4} | token_rewards
    algorithm = {"advantage": advantage, "token_rewards": chosen, "filter_zero_std": False}
    rollout = sums(start, out)["rollout"] | {"max_new_tokens": 60, "max_seq_len": 350}
    train(Config.from_dict(sums(start, out, algorithm=algorithm, rollout=rollout, steps=1, log=log or {})))
    return read_lines(out / "metrics.jsonl")[0]


@pytest.fixture
def labelled(monkeypatch):
    """The episodes whose steps runs label from now on, as a list that grows."""
    found, label = [], step_rewards.add_prefix_values

    def labelling(*given):
        episodes, metrics, records = label(*given)
        found.extend(episodes)
        return episodes, metrics, records

    monkeypatch.setattr(step_rewards, "add_prefix_values", labelling)
    return found


def test_binary_search_finds_the_step_that_spoils_a_wrong_response(start, tmp_path, monkeypatch):
    knowing(monkeypatch, says)
    gathered, _ = note(monkeypatch)
    line = run(start, tmp_path / "run", "first_error", search="binary")
    for episode in gathered[0].offered:
        kinds = [span.kind for span in episode.spans]
        assert kinds == (["right"] * 4 if episode.solved else ["right", "wrong", "unchecked", "unchecked"])
    # Of each of three groups the prompt, the first and the second prefix are continued, which its wrong responses share, four times each.
    assert line["prefix_continuations"] == 3 * 3 * 4


def test_the_search_needs_about_the_logarithm_of_the_steps(start, tmp_path, monkeypatch, labelled):
    def long_working(request):
        lines = [f"step {number}" if number != 11 else "slip" for number in range(1, 16)]
        if request.prompt.endswith(OPEN):
            return f"{request.total + ('slip' in request.prompt)}</answer>"
        return "\n".join([*lines, f"{OPEN}{request.total + 1}</answer>"])

    knowing(monkeypatch, long_working)
    out = tmp_path / "run"
    chosen = {"source": "prefix_values", "continuations": 1, "max_prefixes": 100, "search": "binary"}
    algorithm = {"advantage": "first_error", "token_rewards": chosen, "filter_zero_std": False}
    rollout = sums(start, out)["rollout"] | {"max_new_tokens": 200, "max_seq_len": 390, "groups_per_step": 1}
    train(Config.from_dict(sums(start, out, algorithm=algorithm, rollout=rollout, steps=1)))
    for episode in labelled:
        assert [span.kind for span in episode.spans].index("wrong") == 10
    # 16 steps: the prompt and four halvings, for the whole group of equal responses.
    assert read_lines(out / "metrics.jsonl")[0]["prefix_continuations"] == 5


def test_where_no_continuation_of_the_prompt_succeeds_all_steps_stay_unchecked(start, tmp_path, monkeypatch, labelled):
    knowing(
        monkeypatch, lambda request: f"{request.total + 1}</answer>" if request.prompt.endswith(OPEN) else f"one\ntwo\n{OPEN}x</answer>"
    )
    run(start, tmp_path / "run", "first_error", search="binary")
    assert {span.kind for episode in labelled for span in episode.spans} == {"unchecked"}


def test_prefixes_are_written_with_their_success_rates(start, tmp_path, monkeypatch):
    knowing(monkeypatch, says)
    run(start, tmp_path / "run", log={"prefix_values": True})
    records = read_lines(tmp_path / "run" / "prefix_values.jsonl")
    assert len(records) == 3 * (1 + 4 * 3)
    assert {(record["prefix"], record["value"]) for record in records} == {
        ("", 0.5),
        ("one\n", 0.5),
        *((f"one\n{word}\n{rest}", float(word == "fine")) for word in ("fine", "slip") for rest in ("", "three\n")),
    }
    assert {record["continuations"] for record in records} == {4}
    assert all(record["step"] == 1 and record["task"].startswith("chain_sum@") for record in records)
    run(start, tmp_path / "silent")
    assert not (tmp_path / "silent" / "prefix_values.jsonl").exists()


def test_budgets_cut_the_reasoning_alone():
    def cut(text, *budgets):
        options = TokenRewardConfig(source="prefix_values", budgets=budgets)
        return [text[:end] for end in prefix_ends(LETTERS, list(map(ord, text)), options)]

    text = "3 + 4 = 7\n<answer>7</answer>"
    assert cut(text, 8, 4) == ["3 + ", "3 + 4 = "]
    assert cut(text, 10) == ["3 + 4 = 7\n"]
    # Not within the answer, and not at or after the end.
    assert cut(text, 12, 27, 100) == []


def test_values_at_budgets_are_logged_and_rewards_start_from_zero(start, tmp_path, monkeypatch):
    engines = knowing(monkeypatch, says)
    gathered, _ = note(monkeypatch)
    line = run(start, tmp_path / "run", "budget_relative", budgets=[4, 9, 500], measure="value")
    for episode in gathered[0].offered:
        text = engines[-1].tokenizer.decode(episode.open_response)
        before = [text[:budget] for budget in (4, 9) if budget <= text.find(OPEN)]
        assert len(episode.spans) == len(before) + 1
        values = [sum(span.reward for span in episode.spans[: count + 1]) for count in range(len(episode.spans))]
        assert values == [0.5, float(episode.solved), float(episode.solved)]
    assert line["budget_value/4"] == pytest.approx(0.5)
    assert line["budget_value/9"] == line["budget_value/500"] == pytest.approx(0.5)


def test_the_potential_is_highest_for_sure_and_right_and_lowest_for_sure_and_wrong():
    assert potential(1, 1) == 1
    assert potential(0, 1) == -1
    assert potential(0, 0) == 0
    assert potential(1, 0) == 0.5
    # More success never lowers it; more confidence raises it only where success is above 2/3.
    assert potential(0.6, 0.9) < potential(0.6, 0.1)
    assert potential(0.8, 0.9) > potential(0.8, 0.1)


def test_steps_earn_the_change_of_the_potential(start, tmp_path, monkeypatch):
    knowing(monkeypatch, says)
    gathered, _ = note(monkeypatch)
    run(start, tmp_path / "run", "spae", measure="potential")
    for episode in gathered[0].offered:
        assert sum(span.reward for span in episode.spans) == pytest.approx(1 if episode.solved else -1)
        assert len(episode.spans) == 4


# Advantages by hand


def advantage(name, batch, **given):
    chosen = ADVANTAGES[name]
    return chosen(batch, chosen.options.from_dict(given))


def changes(*values):
    """Steps of one token whose rewards are the changes of these values from 0 on."""
    return [(1, "right", after - before) for before, after in pairwise((0.0, *values))]


def test_spae_by_hand(build, seen):
    batch = build([1, 0], logprobs=[[-1] * 3, [-1] * 2], steps=[changes(0.95, 0.95, 1.0), changes(-0.05, -1.0)])
    jumps = [exp((change + 0.95) / 1.9) for change in (0.95, 0.0, 0.05, -0.05, -0.95)]
    mean = sum(jumps) / 5
    kept = [1, 1 - 0.5 * (1 - exp(-1)), 1 - 0.5 * (1 - exp(-2)), 1, 1]
    raw = [outcome * share + 0.5 * (jump - mean) for outcome, share, jump in zip((0.5, 0.5, 0.5, -0.5, -0.5), kept, jumps, strict=True)]
    centre = sum(raw) / 5
    std = (sum((value - centre) ** 2 for value in raw) / 5) ** 0.5
    expected = [(value - centre) / std for value in raw]
    assert seen(advantage("spae", batch), batch) == [pytest.approx(expected[:3], abs=1e-4), pytest.approx(expected[3:], abs=1e-4)]


def test_spae_pays_less_for_checks_after_the_answer_is_known_and_more_for_the_step_that_finds_it(build, seen):
    late, early = changes(0.0, 0.0, 1.0), changes(1.0, 1.0, 1.0)
    batch = build([1, 1, 0], logprobs=[[-1] * 3] * 3, steps=[late, early, changes(0.0, 0.0, -1.0)])
    found_late, found_early, _ = seen(advantage("spae", batch), batch)
    assert found_late[2] > found_late[1]
    assert found_early[0] > found_early[1] > found_early[2]
    assert found_early[1] < found_late[1]


def test_budget_relative_by_hand(build, seen):
    batch = build([1, 0], logprobs=[[-1] * 2] * 2, steps=[changes(0.5, 1.0), changes(0.0, 0.0)])
    # Returns 0.75, 0.5 and 0, 0. First budget: less their mean 0.375. Second: less half of 0.5 * 1/2, of the rollout's own value, and half of 0.25.
    assert seen(advantage("budget_relative", batch), batch) == [pytest.approx([0.375, 0.25]), pytest.approx([-0.375, -0.125])]


def test_budget_relative_keeps_the_value_of_a_response_that_ended_earlier(build, seen):
    short, whole = [(2, "right", 1.0)], [(1, "right", 1.0), (1, "right", 0.0)]
    alone = build([1, 1], logprobs=[[-1] * 2] * 2, steps=[short, whole])
    # Both are right at either budget, so the first part of both earns nothing beyond the mean.
    first, second = seen(advantage("budget_relative", alone), alone)
    assert first == pytest.approx([0, 0])
    assert second[0] == pytest.approx(0)


def test_budget_relative_pays_for_early_answers(build, seen):
    batch = build([1, 1], logprobs=[[-1] * 3] * 2, steps=[changes(1.0, 1.0, 1.0), changes(0.0, 0.0, 1.0)])
    early, late = seen(advantage("budget_relative", batch), batch)
    assert early[0] > 0 > late[0]


@pytest.mark.parametrize(("name", "measure"), [("spae", "value"), ("budget_relative", "progress")])
def test_the_advantages_need_their_measure(start, tmp_path, name, measure):
    given = sums(start, tmp_path, algorithm={"advantage": name, "token_rewards": {"source": "prefix_values", "measure": measure}})
    with pytest.raises(TrainError, match=f"the advantage '{name}' needs values of prefixes"):
        check_token_rewards(Config.from_dict(given))
