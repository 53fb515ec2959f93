"""The rules of tool worlds: tasks are drawn so that a rule decides them, and the verdicts check it."""

import pytest

from rlgym import Rng
from rlgym.core.config import Config
from rlgym.envs.sql import incident_investigation
from rlgym.envs.tools import (
    file_system_tasks,
    form_filling_html,
    long_horizon_errands,
    negotiation_with_rules,
    permissions_admin,
    science_lab_text,
    smart_home,
)
from rlgym.generators.corpus.questions import make_unanswerable, sample, trail
from rlgym.generators.corpus.world import about, corpus, decisive, introduce, misread, state, truth
from rlgym.generators.simulations.haggling import bargain as haggle
from rlgym.generators.simulations.haggling import buys_boldly, price_of
from rlgym.generators.simulations.home import SIREN, after, breadth_first_search, without_siren
from rlgym.generators.simulations.town_errands import WAITING, Here, soonest
from rlgym.generators.tables.incidents import trace
from rlgym.generators.worlds.files import files_after_all


def first_states(world, level, count=20):
    knobs: Config = world.Knobs.at(level)
    return [world.start(Rng("rules", world.__name__, level, seed), knobs) for seed in range(count)]


def test_jobs_on_files_leave_other_files_in_the_opposite_order():
    states = first_states(file_system_tasks, 1.0)
    assert sum(files_after_all(one.before, one.jobs) != files_after_all(one.before, one.jobs[::-1]) for one in states) >= 18


def test_the_shortest_plan_for_a_home_sets_off_the_siren_for_one_who_does_not_heed_it():
    ringing = 0
    for one in first_states(smart_home, 0.5):
        now = one.first
        for move in breadth_first_search(without_siren(one.home), one.first)[one.wanted]:
            now = after(one.home, now, move)
            if now[SIREN] == "on":
                ringing += 1
                break
    assert ringing >= 15


def test_a_time_for_an_errand_mostly_rules_out_the_soonest_way():
    slower = 0
    for one in first_states(long_horizon_errands, 1.0):
        free = one.town._replace(errands=tuple(errand._replace(until=0) for errand in one.town.errands))
        at_home = Here(0, (WAITING,) * len(one.town.errands))
        slower += soonest(one.town, at_home, one.town.begin)[0] > soonest(free, at_home, one.town.begin)[0]
    assert slower >= 14


def test_a_buyer_who_does_not_care_about_units_mostly_pays_too_much():
    states = first_states(negotiation_with_rules, 1.0)
    assert sum(buys_boldly(one.seller, one.bound, one.talk) for one in states) <= 8
    for one in states:
        talk = haggle(one.seller)
        assert one.bound == price_of(talk)
        assert talk.bid <= price_of(talk)


def test_what_a_letter_says_first_of_a_corrected_fact_is_wrong():
    for one in first_states(form_filling_html, 1.0):
        facts = dict(one.form.facts)
        assert len(one.form.slips) == one.form.letter.count("Ignore") > 0
        assert all(facts[key] != value for key, value in one.form.slips)


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_a_form_states_only_what_it_has(level):
    for one in first_states(form_filling_html, level):
        prompt = form_filling_html.show(one)
        assert ("appear only" in prompt) == any(
            field.key in ("firm", "day", "branch", "value", "due", "card", "pupils") for field in one.form.fields
        )
        assert ("corrects itself" in prompt) == bool(one.form.slips)


def test_the_second_jar_may_only_be_filled_in_once_it_has_foamed():
    one = next(one for one in first_states(science_lab_text, 1.0) if one.wish.partner)
    first = science_lab_text.target(one.jars, one.wish)
    partner = science_lab_text.Fill(jar=one.jars[one.jars[first].reacts[0]].name)
    mixed = science_lab_text.act(one, (science_lab_text.Mix(jar=one.jars[first].name, other=partner.jar),))
    assert science_lab_text.act(one, (partner,)).guessed
    assert not science_lab_text.act(mixed, (partner,)).guessed
    assert science_lab_text.act(mixed, (science_lab_text.Fill(jar=one.jars[first].name),)).guessed


def test_a_silent_library_has_a_page_that_does_not_count_and_speaks_all_the_same():
    rumours = 0
    for seed in range(20):
        rng = Rng("silence", seed)
        library = corpus(rng, 80, "rank")
        question = sample(rng, library, 3)
        silent = make_unanswerable(rng, library, question)
        step = trail(silent, question)[-1]
        assert step.page == ""
        believed = truth(misread(silent)["void"], step.thing, step.relation)
        rumours += believed is not None
        assert all(page.source == silent.rule.void for page in about(silent, step.thing) if state(page, step.relation))
    assert rumours >= 15


def test_questions_are_decided_by_the_rules_about_pages():
    decided = []
    for seed in range(12):
        rng = Rng("decided", seed)
        library = corpus(rng, 60, "latest")
        steps = trail(library, sample(rng, library, 3))
        decided.append(decisive(library, [(step.thing, step.relation) for step in steps]))
    assert [rules for _, rules in decided] == [1] * 12
    assert sum(count for count, _ in decided) >= 10


def test_a_library_without_a_void_source_ranks_all_four():
    library = corpus(Rng("void"), 60, "rank", void=False)
    assert sorted(library.rule.order) == ["chronicle", "letter", "newspaper", "register"]
    assert "never counts" not in introduce(library)
    assert introduce(library).count("before a") == 3
    assert set(misread(library)) == {"latest", "sources"}


def test_a_mail_after_the_write_is_not_the_origin():
    later = 0
    for one in first_states(incident_investigation, 0.5):
        right, hasty = trace(one.logs), trace(one.logs, "before_the_write")
        later += hasty is None or hasty.entity != right.entity
    assert later >= 8


def test_tickets_about_rights_depend_on_nested_groups_and_on_denials():
    desk, misled = permissions_admin.desk, dict.fromkeys(("flat", "ignores_denials"), 0)
    for one in first_states(permissions_admin, 0.5):
        for slip in misled:
            misled[slip] += desk.wanted(one) != desk.wanted(one, slip)
    assert min(misled.values()) >= 10
