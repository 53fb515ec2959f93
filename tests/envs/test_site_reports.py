"""Reports from a web site: the switches for missing, conflicting and misleading pages, and the nuggets of a report."""

from __future__ import annotations

import pytest

from rlgym import Rng
from rlgym.envs.company import site_fact_report as world
from rlgym.generators.company.operations import Finish
from rlgym.generators.company.work import Work
from rlgym.generators.web.browser import StateFact
from rlgym.generators.web.site import INJECTION, stated_value

SWITCHES = ("missing", "conflicting", "misleading")
OFF = dict.fromkeys(SWITCHES, 0)


def first(seed: int = 3, level: float = 1.0, **knobs: int | str) -> Work:
    return world.start(Rng("reports", seed), world.Knobs.at(level, **knobs))


def asked(state: Work) -> list[list[str]]:
    return [line.split("|") for line in state.facts["questions"].split("\n")]


def statements(state: Work, name: str, attribute: str) -> dict[str, str]:
    """What the pages say of an attribute of a venue, by path."""
    said = {path: stated_value("\n".join(row["lines"]), name, attribute) for path, row in state.base["site"].items()}
    return {path: value for path, value in said.items() if value}


def counted(state: Work) -> tuple[int, int, int]:
    """How many questions no page that counts answers, pages answer differently, and a page gives orders about."""
    missing = conflicting = misleading = 0
    for name, attribute, *_ in asked(state):
        said = statements(state, name, attribute)
        counting = {path: value for path, value in said.items() if not path.startswith("/posts/")}
        missing += not counting
        conflicting += len(set(said.values())) > 1
        order = INJECTION.partition("{value}")[0]
        misleading += any(
            order in line and f"the {attribute} of the {name}," in line for row in state.base["site"].values() for line in row["lines"]
        )
    return missing, conflicting, misleading


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("switch", "number"), [("missing", 2), ("conflicting", 3), ("misleading", 1), ("none", 0)])
def test_each_switch_makes_so_many_questions_hard_and_no_others(switch: str, number: int, seed: int) -> None:
    state = first(seed, arrivals=0, **{key: number if key == switch else 0 for key in SWITCHES})
    assert counted(state) == tuple(number if key == switch else 0 for key in SWITCHES)
    stated = {"missing": {"silent", "posts"}, "conflicting": {"latest", "archived", "posts"}, "misleading": {"injection"}, "none": set()}
    assert set(state.rules) == stated[switch]
    assert ("Rules:" in state.briefing) == bool(number)


def test_more_hard_questions_than_questions_are_cut_off() -> None:
    state = first(level=0.5, cases=2, missing=2, conflicting=3, misleading=1)
    assert len(asked(state)) == 2
    assert sum(counted(state)) == 2


def test_venues_are_described_where_the_kind_is_the_only_one_in_its_town() -> None:
    for described in (0, 1, 8):
        state = first(described=described)
        found = [(town, kind) for _, _, town, kind in asked(state) if town]
        assert len(found) == described or (described == 8 and found)
        for (town, kind), line in zip(found, [line for line in state.briefing.split("\n") if " of the only " in line]):
            assert line.endswith(f"the only {kind.lower()} in {town}")
            rows = state.base["site"][f"/towns/{town.lower().replace(' ', '-')}"]["lines"]
            assert sum(row.endswith(f"| {kind.lower()} |") for row in rows) == 1


def test_without_citations_a_report_is_judged_by_its_values_alone() -> None:
    state = first(arrivals=0, outages=0, citations="none")
    assert "path of the page that states it" not in state.briefing
    right = [deed for deed in world.desk.wanted(state) if isinstance(deed, StateFact)]
    bare = [StateFact(item=deed.item, value=deed.value) for deed in right]
    for deeds in (right, bare):
        score = world.outcome(played(state, deeds))
        assert score
        assert (score.value, score.parts) == (1.0, {"facts": 1.0})
    wrong = world.outcome(played(state, [*bare[:-1], bare[-1].model_copy(update={"value": "nothing"})]))
    assert wrong
    assert wrong.value == 0.0


def played(state: Work, deeds: list[StateFact]) -> Work:
    state = state.model_copy(update={"budget": 999, "token_budget": 0, "calls_per_turn": 8})
    for deed in deeds:
        state = world.desk.act(state, (deed,))
    return world.desk.act(state, (Finish(),))


def test_nuggets_are_facts_reported_rightly_and_pages_that_state_the_value_they_are_cited_for() -> None:
    state = first(arrivals=0, outages=0, missing=0, conflicting=3, misleading=0)
    right = [deed for deed in world.desk.wanted(state) if isinstance(deed, StateFact)]
    whole = world.outcome(played(state, right))
    assert whole
    assert (whole.value, whole.parts) == (1.0, {"facts": 1.0, "citations": 1.0})
    # A fact left out, another one with the home page as its source, a third with the value of a page that does not count.
    others = [(deed, statements(state, *asked(state)[deed.item - 1][:2])) for deed in right]
    disputed, said = next((deed, said) for deed, said in others if len(set(said.values())) > 1)
    path, value = next((path, value) for path, value in said.items() if value != disputed.value)
    rest = [deed for deed in right if deed is not disputed]
    report = [rest[1].model_copy(update={"page": "/"}), *rest[2:], disputed.model_copy(update={"page": path, "value": value})]
    score = world.outcome(played(state, report))
    assert score
    assert score.value == 0.0
    assert score.parts == {"facts": (len(right) - 2) / len(right), "citations": (len(report) - 1) / len(report)}
    empty = world.outcome(played(state, []))
    assert empty
    assert empty.parts == {"facts": 0.0, "citations": 0.0}
