"""Labels of steps by source, their comparison and their exports, on worked sums with planted slips."""

import json
from collections import Counter

import pytest
from evaluate.step_cases import Continuing, records, result, slipped, working, write_run
from typer.testing import CliRunner

from rlgym import RlgymError
from rlgym.cli import app
from rlgym.evaluate.models.base import ModelUnavailable, RequestFailed, Sampling
from rlgym.evaluate.step_texts import critique_prompt, read_critique, step_ends
from rlgym.evaluate.steps import StepRecord, read_records
from rlgym.evaluate.steps.agreement import agrees, compare_sources, consensus, kappa
from rlgym.evaluate.steps.export import agreeing_chains, export_steps, merged
from rlgym.evaluate.steps.label import LabelOptions, label_steps, records_of_results
from rlgym.evaluate.steps.records import StepsError, first_wrong
from rlgym.evaluate.steps.sources import exact_labels, judge_labels

GOOD, BAD = 1.0, 0.0


def test_a_text_is_cut_at_its_separators_without_blank_pieces():
    text = "one \n\n two\nthree"
    assert [text[:end] for end in step_ends(text)] == ["one", "one \n\n two", text]
    assert [text[:end] for end in step_ends(text, "\n\n")] == ["one", text]
    assert step_ends(" \n ") == ()


def test_exact_labels_are_right_up_to_the_first_slip_and_unknown_after_it():
    steps = working(1)
    right, wrong, answer, prose = records(
        result(1, steps), result(1, slipped(steps, 1)), result(1, steps[:-1], answer=7), result(1, ["Let us add."])
    )
    assert exact_labels(right) == (GOOD,) * 7
    assert exact_labels(wrong) == (GOOD, BAD, *[None] * 5)
    # No step but the answer is wrong: the verifier says so.
    assert exact_labels(answer) == (GOOD,) * 5 + (BAD,)
    assert exact_labels(prose) == (None, None)


def test_a_response_whose_verdict_is_another_than_the_recorded_one_is_left_out():
    steps = working(1)
    given = [
        result(1, steps, right=False),
        result(1, steps, masked=True),
        result(1, steps, version=99),
        result(1, steps, kind="game"),
        result(1, steps, messages="[]"),
    ]
    found = records_of_results(given)
    assert not found.records
    assert found.skipped == {
        "with another verdict than the recorded one": 1,
        "masked, or of many turns": 2,
        "of other versions": 1,
        "empty": 1,
    }


def test_success_rates_are_those_of_continuations_and_nothing_is_asked_twice(tmp_path):
    steps = working(1)
    given = records(result(1, steps), result(1, slipped(steps, 2), sample=1))
    options = LabelOptions(("exact", "rates"), continuations=3)
    model = Continuing([1])
    right, wrong = label_steps(given, options, tmp_path, model)
    # The slip is at the third step; the last label is the response's own verdict, which is right all the same.
    assert right.labels["rates"] == (1.0,) * 7
    assert wrong.labels["rates"] == (1.0, 1.0, *[0.0] * 4, 1.0)
    assert len(set(model.requests)) == len(model.requests) == 3 * (6 + 4)  # two prefixes are the same
    assert read_records(tmp_path) == [right, wrong]
    again = Continuing([1])
    assert label_steps(given, options, tmp_path, again) == [right, wrong]
    assert not again.requests
    lucky = label_steps(given[1:], options, tmp_path / "lucky", Continuing([1], lucky=0.5))[0].labels["rates"]
    assert lucky[:2] == (1.0, 1.0)
    assert any(0 < rate < 1 for rate in lucky[2:6])


def test_critiques_are_read_step_by_step():
    assert read_critique("It holds.\nStep 1: right\n6 + 6 is 13, no.\n**Step 2: Wrong**", 3) == (GOOD, BAD, None)
    assert read_critique("Step 1: right\nStep 2: right", 2) == (GOOD, GOOD)
    for broken in ("Step 1: right", "Step 2: right\nStep 1: right", "Step 1: wrong\nStep 2: right", "all right", "Step 1: right\n" * 3):
        assert read_critique(broken, 2) is None
    chains = ["Step 1: right\nStep 2: wrong", "Step 1: right\nStep 2: right", "Step 1: wrong", "no verdict"]
    # Two of three readable critiques reach the second step, and one of them calls it right.
    assert judge_labels(chains, 2) == (2 / 3, 1 / 2)
    assert judge_labels(["?"], 2) == (None, None)


def test_the_judge_is_asked_for_critiques_of_all_steps(tmp_path):
    given = records(result(1, slipped(working(1), 1)))
    judge = Continuing([1], critique=lambda prompt: "Step 1: right\nStep 2: wrong")
    (record,) = label_steps(given, LabelOptions(("exact", "judge"), verdicts=2), tmp_path, judge=judge)
    assert record.labels["judge"] == record.labels["exact"] == (GOOD, BAD, *[None] * 5)
    assert len(record.chains) == len(judge.requests) == 2
    assert json.loads(judge.requests[0][0])[0]["content"] == critique_prompt(record.prompt, record.steps)
    assert "Step 7: <answer>" in critique_prompt(record.prompt, record.steps)


def test_a_source_that_needs_a_model_says_so(tmp_path):
    given = records(result(1, working(1)))
    for source in ("rates", "judge"):
        with pytest.raises(RlgymError, match=f"'{source}'"):
            label_steps(given, LabelOptions((source,)), tmp_path)
    with pytest.raises(StepsError, match=r"'exakt': the sources are exact, rates, judge"):
        LabelOptions(("exakt",))


def made(number, right, **labels):
    count = len(next(iter(labels.values())))
    response = "\n".join("abcdefgh"[:count])
    return StepRecord(f"t{number}", 0, "chain_sum", 1, 0.1, number, "?", response, right, step_ends(response), labels=labels)


COMPARED = [
    made(1, True, exact=(1, 1, 1), rates=(0.5, 0.25, 1), judge=(1, 1, 1)),
    made(2, False, exact=(1, 0, None), rates=(0.5, 0.25, 0), judge=(1, 0, None)),
    made(3, True, exact=(0, None, None), rates=(0, 0, 1), judge=(0, None, None)),
    made(4, False, exact=(1, 1, 0), rates=(1, 0, 0), judge=(1, 0.25, None)),
]


def test_sources_are_compared_by_hand():
    exact, rates, judge = compare_sources(COMPARED)
    assert (exact["agreement"], exact["kappa"], exact["f1"]) == (1, 1, 1)
    assert exact["labelled"] == 9 / 12
    # Of the nine steps that exact labels know, rates are right about seven: not about step 2 of the second and of the fourth.
    assert rates["agreement"] == pytest.approx(7 / 9)
    # Exact calls 3 of 9 wrong, rates 3 of 9: by chance they agree on 1/9 + 4/9.
    assert rates["kappa"] == pytest.approx((7 / 9 - 5 / 9) / (1 - 5 / 9))
    # The first wrong steps are none, 2, 1 and 3; rates say none, 3, 1 and 2.
    assert (rates["error_accuracy"], rates["sound_accuracy"]) == (pytest.approx(1 / 3), 1)
    assert rates["f1"] == pytest.approx(2 * (1 / 3) / (4 / 3))
    assert judge["error_accuracy"] == pytest.approx(2 / 3)
    # The third answer is right and its process wrong.
    assert [facts["right_wrong_process"] for facts in (exact, rates, judge)] == [0.5, 0.5, 0.5]
    # With a threshold of a half, rates find more wrong steps.
    assert compare_sources(COMPARED, at=0.5)[1]["wrong"] == pytest.approx(9 / 12)
    assert kappa([]) is None
    assert kappa([(True, True)]) is None
    assert kappa([(True, False), (False, True)]) == -1


def test_the_consensus_keeps_responses_with_one_first_error():
    assert consensus(COMPARED, ["exact", "judge"]) == COMPARED[:3]
    assert consensus(COMPARED, ["exact", "rates"]) == [COMPARED[0], COMPARED[2]]
    assert agrees(COMPARED[3], ["rates", "judge"])
    assert first_wrong(COMPARED[1].labels["rates"], "rates", 0.25) == 1
    with pytest.raises(StepsError, match="no labels of the source 'rates'; they have exact"):
        agrees(made(1, True, exact=(1,)), ["exact", "rates"])


def test_steps_in_the_columns_of_trainers():
    (sound, slip, *_), source = COMPARED, "exact"
    assert export_steps([sound], "trl", source) == [{"prompt": "?", "completions": ["a", "b", "c"], "labels": [True, True, True]}]
    # What depends on a wrong step has no label and is left out.
    assert export_steps([slip], "trl", source) == [{"prompt": "?", "completions": ["a", "b"], "labels": [True, False]}]
    gap = made(5, True, exact=(None, 1, 1))
    assert export_steps([gap], "trl", source)[0]["completions"] == ["a\nb", "c"]
    bench = export_steps(COMPARED, "processbench", source)
    assert [row["label"] for row in bench] == [-1, 1, 0, 2]
    assert bench[2]["final_answer_correct"]
    assert export_steps([made(6, True, exact=(None, None))], "trl", source) == []
    with pytest.raises(StepsError, match="'trll' of steps: use one of trl"):
        export_steps(COMPARED, "trll", source)


def test_merged_steps_have_the_label_of_the_second():
    record = made(1, True, rates=(1, 0, 1))  # the third step repairs the error of the second
    first, second = merged(record)
    assert (first.response, first.steps, first.labels["rates"]) == ("a b\nc", ["a b", "c"], (0, 1))
    assert (second.response, second.steps, second.labels["rates"]) == ("a\nb c", ["a", "b c"], (1, 1))
    rows = export_steps([record], "trl", "rates", merge=True)
    assert [row["labels"] for row in rows] == [[True, False, True], [False, True], [True, True]]
    (blank,) = merged(StepRecord("t", 0, "chain_sum", 1, 0.1, 1, "?", "ab\n\n  cd\n", True, (2, 8), labels={"exact": (1, 1)}))
    assert (blank.response, blank.steps) == ("ab cd\n", ["ab cd"])
    with pytest.raises(StepsError, match="for --for trl"):
        export_steps([record], "chains", "rates", merge=True)


def test_only_critiques_that_agree_with_the_labels_are_kept():
    right, late, broken = "Step 1: right\nStep 2: wrong", "Step 1: right\nStep 2: right\nStep 3: wrong", "Step 2: wrong"
    record = made(2, False, exact=(1, 0, None)).with_labels("judge", (1, 0.5, 0), [right, late, broken])
    assert agreeing_chains(record, "exact") == [right]
    (row,) = export_steps([record], "chains", "exact")
    assert row["messages"] == [{"role": "user", "content": critique_prompt("?", ["a", "b", "c"])}, {"role": "assistant", "content": right}]


def test_the_commands_label_compare_and_export(tmp_path):
    steps = working(1)
    run = write_run(tmp_path / "run", [result(1, steps), result(1, slipped(steps, 3), answer=1, sample=1)])

    def rlgym(*words, code=0):
        done = CliRunner().invoke(app, ["steps", *map(str, words)])
        assert done.exit_code == code, (done.output, done.exception)
        return done

    out = tmp_path / "steps"
    assert json.loads(rlgym("label", run, "--out", out, "--json").stdout) == {"responses": 2, "steps": 14, "skipped": {}, "failed": {}}
    (facts,) = json.loads(rlgym("compare", out, "--json").stdout)
    assert (facts["source"], facts["f1"], facts["wrong"]) == ("exact", 1, 1 / 11)
    assert "right wrong process" in rlgym("compare", out).stdout
    assert "2 rows from 2 of 2 responses" in rlgym("export", out, "--for", "processbench", "--out", tmp_path / "bench.jsonl").stdout
    bench = [json.loads(line) for line in (tmp_path / "bench.jsonl").read_text().splitlines()]
    assert [row["label"] for row in bench] == [-1, 3]
    assert {row["generator"] for row in bench} == {json.loads((run / "run.json").read_text())["model"]["name"]} != {""}
    failed = rlgym("compare", out, "--reference", "judge", code=1)
    assert "no labels of the source 'judge'" in str(failed.exception)
    failed = rlgym("label", run, "--out", out, "--sources", "rates", code=1)
    assert "needs a model" in str(failed.exception)
    (out / "steps.jsonl").write_text("{}\n")
    assert "line 1" in str(rlgym("compare", out, code=1).exception)


def test_a_failed_request_leaves_one_response_without_labels_until_the_command_is_repeated(tmp_path):
    class Failing(Continuing):
        async def generate(self, messages, tools, sampling, seed):
            if messages[0]["content"] == given[1].prompt:
                raise RequestFailed("no answer")
            return await super().generate(messages, tools, sampling, seed)

    given, options, failures = records(result(1, working(1)), result(2, working(2))), LabelOptions(("rates",), continuations=2), Counter()
    sound, failed = label_steps(given, options, tmp_path, Failing([1, 2]), failures=failures)
    assert failures == {"rates": 1}
    assert sound.labels["rates"] == (1.0,) * len(sound.ends)
    assert failed.labels["rates"] == (None,) * len(failed.ends)
    assert export_steps([sound, failed], "trl", "rates") == export_steps([sound], "trl", "rates")
    again = Continuing([1, 2])
    assert label_steps(given, options, tmp_path, again)[1].labels["rates"] == (1.0,) * len(failed.ends)
    assert len(again.requests) == 2 * (len(failed.ends) - 1)
    with pytest.raises(ModelUnavailable, match="of every response a request for the source 'rates' failed"):
        label_steps(given[1:], options, tmp_path / "all", Failing([1, 2]))


def test_sampling_reaches_the_continuations(tmp_path):
    class Seen(Continuing):
        async def generate(self, messages, tools, sampling, seed):
            self.sampling = sampling
            return await super().generate(messages, tools, sampling, seed)

    model = Seen([1])
    label_steps(
        records(result(1, working(1))), LabelOptions(("rates",), continuations=1), tmp_path, model, sampling=Sampling(temperature=0.7)
    )
    assert model.sampling.temperature == 0.7
    assert model.sampling.extra["continue_final_message"] is True


def test_a_folder_with_replies_of_another_model_is_refused(tmp_path):
    given = records(result(1, working(1)))
    label_steps(given, LabelOptions(("exact",)), tmp_path)
    # A model may be added to a folder without one, and left out again.
    label_steps(given, LabelOptions(("rates",), continuations=1), tmp_path, Continuing([1]))
    label_steps(given, LabelOptions(("exact",)), tmp_path)
    other = Continuing([1])
    other.name = "other"
    with pytest.raises(StepsError, match=r"another model \(\['simulated', 'continuing'\], now \['simulated', 'other'\]\)"):
        label_steps(given, LabelOptions(("rates",), continuations=1), tmp_path, other)
    with pytest.raises(StepsError, match="another sampling"):
        label_steps(given, LabelOptions(("rates",), continuations=1), tmp_path, Continuing([1]), sampling=Sampling(temperature=0.5))
    assert not other.requests
