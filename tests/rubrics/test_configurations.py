"""Published rubric rewards as configurations of Rubric."""

import json

import pytest

from rlgym.core.errors import RlgymError
from rlgym.rubrics import Check, Fact, FactSheet, FunctionJudge, JudgeCall, Rubric, Term, checks
from rlgym.rubrics.configurations import (
    RuleSet,
    checklist,
    extract_rules,
    nugget_rubric,
    pairwise_votes,
    principle,
    reference_chain,
    sampled_scores,
)


def test_a_checklist_counts_items_of_a_call_log_with_dependencies():
    def called(tool):
        return lambda log: any(call["tool"] == tool for call in json.loads(log))

    rubric = checklist(
        [
            Check(name="looked up", test=called("look_up"), weight=2),
            Check(name="booked", test=called("book"), weight=1, needs=("looked up",)),
            Check(name="confirmed", test=called("confirm"), weight=1, needs=("booked",)),
        ]
    )
    logs = {("look_up", "book", "confirm"): 1.0, ("look_up", "confirm"): 0.5, ("book", "confirm"): 0.0, (): 0.0}
    for tools, value in logs.items():
        assert rubric.score(json.dumps([{"tool": tool} for tool in tools])).value == value


def _fact(subject, number):
    return Fact(name=subject, terms=(Term(aliases=(subject,)), Term(aliases=("sold", "sales")), Term(aliases=(number,))), keys=2)


SHEET = FactSheet(facts=(_fact("Mill", "12"), _fact("Quay", "30")), vocabulary=(Term(aliases=("Mill",)), Term(aliases=("Quay",))))


def test_a_nugget_rubric_is_weighted_recall_and_a_contradiction_pays_nothing():
    rubric = nugget_rubric(SHEET, {"Mill": 3.0, "Quay": 1.0})
    assert rubric.score("Mill sold 12 boats.").value == pytest.approx(0.75, abs=1e-6)
    assert rubric.score("Mill sold 12 boats. The sales of Quay were thirty.").value == 1.0
    assert rubric.score("Mill sold 12 boats. Quay sold 31 boats.").value == 0.0
    assert (
        nugget_rubric(SHEET, {"Mill": 3.0, "Quay": 1.0}, veto_contradictions=False).score("Mill sold 12 boats. Quay sold 31.").value == 0.75
    )


def test_a_reference_chain_wants_key_terms_in_order_and_style():
    rubric = reference_chain(["open the tap", "fill the can", "water the bed"], [checks.max_words(30), checks.avoids(["please"])])
    assert rubric.score("First open the tap, then fill the can and water the bed.").value == 1.0
    assert rubric.score("Water the bed, fill the can, open the tap.").parts["content"] == pytest.approx(1 / 3)
    assert rubric.score("Water the bed, then open the tap and fill the can.").parts["content"] == pytest.approx(2 / 3)
    assert rubric.score("Please open the tap, fill the can and water the bed.").value == pytest.approx(0.85)
    assert rubric.score("Nothing.").value == pytest.approx(0.3)


def test_principles_are_chosen_at_run_time():
    judge = FunctionJudge(lambda prompt: "YES" if "short" in prompt.partition("Criterion")[2] else "NO", "fake")
    rubric = Rubric((principle("It is short."), principle("It gives its sources.", weight=3)), whole=False)
    score = rubric.score("Text.", judge=judge)
    assert score.value == 0.25
    assert score.parts == {"It is short.": 1.0, "It gives its sources.": 0.0}


def test_rules_are_extracted_in_three_stages_and_kept_with_their_version(tmp_path):
    stages = []

    def reply(prompt):
        stages.append(prompt.split(" ")[0])
        if prompt.startswith("Explain"):
            return "It is shorter and polite."
        if prompt.startswith("State"):
            return 'Rules: ["Is it short?", "Is it polite?"]'
        return '["Is it short?", "Is it polite?", "Is it short?"]'

    rules = extract_rules(FunctionJudge(reply, "fake"), [("task", "good", "bad")] * 2, "v1")
    assert stages == ["Explain", "State"] * 2 + ["Merge"]
    assert rules == RuleSet("v1", ("Is it short?", "Is it polite?"))
    rules.save(tmp_path / "rules.json")
    assert RuleSet.load(tmp_path / "rules.json") == rules
    judge = FunctionJudge(lambda prompt: "YES" if "polite?" in prompt else "NO", "fake")
    assert rules.rubric().score("Thank you.", judge=judge).value == 0.5
    with pytest.raises(RlgymError, match="not a JSON list"):
        extract_rules(FunctionJudge(lambda prompt: "I will not", "fake"), [("task", "good", "bad")], "v1")


def test_votes_of_criteria_are_summed_behind_a_gate():
    rubric = Rubric(
        (
            Check(name="safe", test=lambda text: "attack" not in text, veto=True),
            Check(name="short", test=lambda text: len(text) < 20, weight=2),
            Check(name="polite", test=lambda text: "please" in text, weight=1),
        ),
        whole=False,
    )
    long_and_polite, short = "please come to the hall in time", "come now"
    assert pairwise_votes(rubric, short, long_and_polite) == pytest.approx((2 - 1) / 4)
    assert pairwise_votes(rubric, long_and_polite, short) == pytest.approx(-1 / 4)
    assert pairwise_votes(rubric, "attack please", short) == -1
    assert pairwise_votes(rubric, "attack", "attack please") == 0
    assert pairwise_votes(Rubric((*rubric.criteria, JudgeCall(name="kind", question="Kind?")), whole=False), "a", "b") is None


def test_sampled_verdicts_are_summed_and_filtered_by_a_meta_score():
    def reply(prompt):
        sample = int(prompt.partition("(Sample ")[2].partition(")")[0])
        return {1: "careful\n[8, 2]", 2: "careless\n[1, 10]", 3: "no verdict", 4: "careful [1, 2, 3] then\n[7, 3]"}[sample]

    judge = FunctionJudge(reply, "fake")
    assert sampled_scores(judge, "task", ["a", "b"], samples=4) == [16, 15]
    assert sampled_scores(judge, "task", ["a", "b"], samples=4, keep=2, meta=lambda text: "careful" in text) == [15, 5]
    assert sampled_scores(judge, "task", ["a", "b"], samples=5) == [16, 15]  # the fifth raises
    assert sampled_scores(FunctionJudge(lambda prompt: "[11, 0]", "fake"), "task", ["a", "b"], samples=2) is None
