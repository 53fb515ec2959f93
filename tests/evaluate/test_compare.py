"""Two runs compared: paired differences, tests of chance, what training added."""

import itertools
import json
import math

import numpy as np
import pytest
from evaluate import result_rows

from rlgym.evaluate.compare import compare, compare_report, compare_rows
from rlgym.evaluate.comparison.pairs import SuitesDiffer
from rlgym.evaluate.comparison.significance import holm, mcnemar, sign_flips
from rlgym.evaluate.comparison.solved import crossover
from rlgym.evaluate.episodes.episode_log import EPISODE_LOG
from rlgym.evaluate.metrics.pass_at_k import pass_at_each_k
from rlgym.evaluate.report.comparison_page import render_comparison


def _task(number, rights, env="sums", **given):
    return [result_rows.row(f"{env}-v1-{number}-00000000", sample, bool(right), env=env, **given) for sample, right in enumerate(rights)]


def _compare(a, b, /, common=False, **runs):
    report = {side: result_rows.run(rows, label=side, **runs.get(side, {})) for side, rows in (("a", a), ("b", b))}
    return compare_rows((a, report["a"]), (b, report["b"]), common, draws=200).facts


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (1, 0), (5, 1), (1, 5), (7, 7), (30, 12)])
def test_mcnemar_is_the_binomial_sum(gained, lost):
    changed = gained + lost
    each = [math.comb(changed, count) / 2**changed for count in range(changed + 1)]
    expected = sum(share for share in each if share <= each[gained] * (1 + 1e-9))  # all that is as unlikely: both tails
    assert mcnemar(gained, lost) == pytest.approx(min(1.0, expected))


def test_mcnemar_of_thousands_of_tasks():
    assert mcnemar(3000, 3000) == 1.0
    # the normal approximation with its correction for continuity
    z = (abs(1600 - 1400) - 1) / math.sqrt(3000)
    assert mcnemar(1600, 1400) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=0.02)
    assert 0 <= mcnemar(6000, 0) < 1e-300


def test_sign_flips_of_few_changes_are_all_gone_through():
    changes = np.array([0.5, 0.25, -0.25, 0.75, 0.0, 1.0])
    moved = [change for change in changes if change]
    sums = [
        abs(sum(sign * change for sign, change in zip(signs, moved, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(moved))
    ]
    assert sign_flips(changes) == pytest.approx(sum(total >= abs(sum(moved)) - 1e-9 for total in sums) / len(sums))
    assert sign_flips(np.zeros(5)) == 1.0


def test_where_nothing_changed_p_values_are_spread_evenly():
    rng = np.random.default_rng(8)
    found = np.array([sign_flips(rng.normal(0, 1, 25), seed) for seed in range(200)])
    for bar in (0.05, 0.25, 0.5, 0.75):
        assert abs((found <= bar).mean() - bar) < 3.3 * math.sqrt(bar * (1 - bar) / len(found))


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_differences_are_paired():
    # Tasks differ widely, and B is right on one more task of each ten: the interval of the difference knows, two intervals would not.
    a = [row for number in range(100) for row in _task(number, [number % 10 < 5])]
    b = [row for number in range(100) for row in _task(number, [number % 10 < 6])]
    found = _compare(a, b)
    change = found["overall"]["change"]
    assert change["mean"] == pytest.approx(0.1)
    assert 0.03 <= change["low"] < 0.1 < change["high"] <= 0.17
    assert found["overall"]["a"]["high"] > found["overall"]["b"]["low"]
    assert found["overall"]["test"].startswith("McNemar")
    assert found["overall"]["p"] == pytest.approx(mcnemar(10, 0))
    assert found["improvement"]["mean"] == pytest.approx(0.55)


def test_a_run_beside_itself_shows_no_change():
    rows = result_rows.many(tasks=3)
    found = _compare(rows, rows)
    assert found["overall"]["change"]["mean"] == 0
    assert found["overall"]["p"] == 1.0
    assert found["improvement"]["mean"] == 0.5
    assert (found["solved"]["expanded"], found["solved"]["shrunk"]) == (0, 0)
    assert all(row["p_holm"] == 1.0 for row in found["by"]["environment"])


def test_the_probability_of_improvement_counts_pairs_of_samples():
    found = _compare(_task(0, [1, 0, 0]), _task(0, [1, 1, 0]))
    pairs = [(two > item) + (two == item) / 2 for item in (1, 0, 0) for two in (1, 1, 0)]
    assert found["improvement"]["mean"] == pytest.approx(sum(pairs) / len(pairs))


def test_the_crossover_is_found_where_it_was_planted():
    # A solves every task now and then, B half of the tasks always: pass@k of A reaches one half at some k, which is counted here.
    samples, right = 32, 3
    a = [row for number in range(20) for row in _task(number, [1] * right + [0] * (samples - right))]
    b = [row for number in range(20) for row in _task(number, [number < 10] * samples)]
    expected = 1 + next(k for k, value in enumerate(pass_at_each_k(samples, right)) if value >= 0.5)
    found = _compare(a, b)["pass_at_k"]
    assert (found["crossover"]["k"], found["crossover"]["ahead_before"], found["crossover"]["ahead_after"]) == (expected, "b", "a")
    assert 2 < expected < samples
    assert crossover(np.array([0.1, 0.2]), np.array([0.3, 0.4])) is None


def test_the_interval_of_the_crossover_holds_the_truth():
    """Tasks of two kinds: A solves all in a fifth of its samples; B solves always what it can, which are six tasks in ten."""
    samples, kept, widths, rng = 16, [], [], np.random.default_rng(5)
    truth = 1 + next(k for k in range(samples) if 1 - 0.8 ** (k + 1) >= 0.6)
    for _ in range(60):
        draws, able = rng.random((40, samples)) < 0.2, rng.random(40) < 0.6
        a = [row for number in range(40) for row in _task(number, draws[number].tolist())]
        b = [row for number in range(40) for row in _task(number, [bool(able[number])] * samples)]
        found = _compare(a, b)["pass_at_k"]["crossover"]
        kept.append(found is not None and found["low"] <= truth <= (found["high"] or samples + 1))
        widths.append((found["high"] or samples + 1) - found["low"])
    assert sum(kept) / len(kept) >= 0.85
    assert np.median(widths) <= samples / 2  # an interval of all there is would hold it, too


def test_curves_that_cross_now_and_then_say_so():
    a = [row for number in range(8) for row in _task(number, [number < 6, 0, 0, 0])]
    b = [row for number in range(8) for row in _task(number, [number >= 3] * 4)]
    found = _compare(a, b)["pass_at_k"]["crossover"]
    assert found["k"] == 4
    assert found["high"] is None  # beyond the last k
    assert 0.5 < found["share"] < 1


def test_gains_are_told_apart_by_what_a_could_do():
    a = _task(0, [0, 0, 0, 0]) + _task(1, [0, 1, 0, 0]) + _task(2, [1, 1, 1, 1]) + _task(3, [0, 0, 1, 0])
    b = _task(0, [1, 1, 0, 0]) + _task(1, [1, 1, 1, 0]) + _task(2, [1, 1, 1, 1]) + _task(3, [0, 0, 0, 0])
    found = _compare(a, b)
    assert (found["solved"]["gained"], found["solved"]["lost"]) == (["sums-v1-0-00000000"], ["sums-v1-3-00000000"])
    assert (found["solved"]["retention"], found["solved"]["discovery"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    moved = found["compression"]
    assert (moved["sharpened"], moved["newly_solved"], moved["newly_sure"]) == (1, 1, 1)
    assert moved["change_where_a_never_solved"] == pytest.approx(0.5 / 4)
    assert moved["change_where_a_solved"] + moved["change_where_a_never_solved"] == pytest.approx(moved["change"])


def test_buckets_do_not_take_luck_for_change():
    # Both runs are right half of the time on every task. Choosing and comparing the same samples would show gains where A was unlucky.
    rng = np.random.default_rng(2)
    a, b = ([row for number in range(300) for row in _task(number, rng.random(4) < 0.5)] for _ in range(2))
    found = _compare(a, b)["buckets"]
    assert found["split"]
    for bucket in found["buckets"]:
        assert abs(bucket["mean"]) < 0.12, bucket


def test_runs_of_different_suites_are_refused_unless_asked_for():
    a = [row for number in range(4) for row in _task(number, [1])]
    b = [row for number in range(2, 7) for row in _task(number, [0])]
    runs = {"a": {"suite": "core", "digest": "a" * 64}, "b": {"suite": "hard", "digest": "b" * 64}}
    with pytest.raises(SuitesDiffer) as refused:
        _compare(a, b, **runs)
    for text in ("'core'", "'hard'", "share 2 tasks", "2 are only in A", "3 are only in B", "sums-v1-0-00000000", "--common"):
        assert text in str(refused.value)
    found = _compare(a, b, common=True, **runs)
    assert found["tasks"] == 2
    assert any("suites differ" in note for note in found["notes"])
    with pytest.raises(SuitesDiffer, match="share no task"):
        _compare(a[:2], b, common=True, **runs)


def test_of_half_a_run_only_what_both_have_is_compared():
    a = [row for number in range(10) for row in _task(number, [1])]
    found = _compare(a, a[:6], b={"finished": None, "tasks": 10})
    assert found["tasks"] == 6
    assert any("B is unfinished: it has 6 of 10" in note for note in found["notes"])
    assert any("4 tasks of A are excluded" in note for note in found["notes"])


def test_a_finished_run_that_lost_episodes_is_half_a_run(tmp_path):
    rows = [row for number in range(6) for row in _task(number, [1])]
    places = [_folder(tmp_path / name, rows) for name in ("a", "b")]
    log = places[1] / EPISODE_LOG
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
    assert any("B is unfinished: it has 4 of 6 tasks" in note for note in compare(*places).notes)


def test_masked_tasks_are_left_out_and_told():
    a = [row for number in range(5) for row in _task(number, [1])]
    b = [row for number in range(5) for row in _task(number, [1], masked=number == 0)]
    found = _compare(a, b)
    assert found["tasks"] == 4
    assert any("1 tasks of A" in note for note in found["notes"])


def test_other_ways_of_asking_are_told():
    rows = _task(0, [1, 0])
    found = compare_rows((rows, result_rows.run(rows)), (rows, result_rows.run(rows) | {"tools": "native"}), draws=20).facts
    assert any("tools (text and native)" in note for note in found["notes"])


def _folder(place, rows, **given):
    place.mkdir()
    (place / "run.json").write_text(json.dumps(result_rows.run(rows, **given)))
    (place / EPISODE_LOG).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


def test_from_folders_to_a_page_and_the_terminal(tmp_path):
    from typer.testing import CliRunner

    from rlgym.cli import app

    a = _folder(tmp_path / "a", result_rows.many(tasks=2), label="<script>alert(1)</script>")
    b = _folder(tmp_path / "b", result_rows.many(seed=1, skill=1.0, tasks=2), label="trained")
    assert compare(a, b).change > 0
    page = compare_report(a, b, tmp_path / "out" / "compare.html").read_text()
    assert "<script>alert" not in page
    result = CliRunner().invoke(app, ["eval", "compare", str(a), str(b), "--out", str(tmp_path / "page.html")])
    assert result.exit_code == 0, result.output
    assert "newly solved by B" in result.output
    assert (tmp_path / "page.html").exists()
    result = CliRunner().invoke(app, ["eval", "compare", str(a), str(b), "--json"])
    assert json.loads(result.output)["overall"]["change"]["mean"] == pytest.approx(compare(a, b).change)


def test_the_smallest_comparison_has_a_page():
    rows = _task(0, [1])
    assert "<h2>" in render_comparison(_compare(rows, _task(0, [0])))
