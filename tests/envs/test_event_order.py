"""Shuffled events: knobs under which few events differ, and rules that only the events there are need."""

import rlgym


def test_events_happen_twice_where_fewer_differ_than_are_asked_for():
    task = rlgym.task("event_order", 1, events=15, people=2, rooms=3, things=1, detail="brief")
    assert len(task.data.events) == 15
    assert len(set(task.data.events)) < 15
    declared = rlgym.environment("event_order")
    assert declared.verify(task, declared.solve(task)).value == 1


def test_a_prompt_has_the_rules_that_its_events_need():
    seen = set()
    for seed in range(12):
        task = rlgym.task("event_order", seed, level=0.5)
        is_given = any(event.kind == "hand" for event in task.data.events)
        several = len({event.what for event in task.data.events if event.kind == "take"}) > 1
        assert ("can be given" in task.prompt) == is_given
        assert ("more than one thing" in task.prompt) == several
        seen.add((is_given, several))
    assert len(seen) > 1
