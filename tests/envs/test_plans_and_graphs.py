"""What is special about plans and graphs as answers: programs that are too long, walks that only look right, witnesses that are too few."""

import pytest

from rlgym.core.config import Config
from rlgym.episode.sampling import sample_task
from rlgym.generators.puzzles import robot_programs
from rlgym.registry import environment


def _task(name: str, seed: int, level: float):
    declared = environment(name)
    config: type[Config] = declared.config
    return declared, sample_task(name, declared, seed, config.at(level))


def test_a_program_counts_each_letter_and_each_repeat():
    assert robot_programs.expand("2(ff3(lf))r") == ("fflflflf" * 2 + "r", 7)


@pytest.mark.parametrize("text", ["", "3", "(f)", "0(f)", "2(f", "f)", "2()", "99999(f)", "9(9(9(9(9(f)))))", "2(f)x"])
def test_what_is_no_program_or_runs_too_long_is_refused(text):
    if text:
        with pytest.raises(ValueError, match=r"program|wrong|bracket"):
            robot_programs.expand(text)
    else:
        assert robot_programs.expand(text) == ("", 0)


@pytest.mark.parametrize("moves", ["f", "fffrflfffrflfffrfffrflfffrflfffrffffl", "flflflfl", "ffrffrff"])
def test_a_shortened_program_makes_the_same_moves(moves):
    for late in (False, True):
        assert robot_programs.expand(robot_programs.shorten(moves, late=late))[0] == moves


def test_a_guard_named_twice_or_in_a_place_that_is_none_is_refused():
    declared, task = _task("vertex_cover", 3, 0.5)
    right = declared.solve(task)
    assert declared.verify(task, right).value == 1
    assert declared.verify(task, (*right, right[0])).value == declared.verify(task, (*right, "nowhere")).value == 0


def test_a_meeting_is_impossible_only_with_somebody_busy_for_every_start():
    for seed in range(60):
        declared, task = _task("meeting_scheduler", seed, 1.0)
        right = declared.solve(task)
        if len(right) > 1:
            assert declared.verify(task, right).value == 1
            assert declared.verify(task, right[1:]).value == declared.verify(task, (*right, right[0])).value == 0
            assert declared.verify(task, tuple(line.split(":")[0] for line in right)).value == 0
            return
    raise AssertionError("no task without a time in 60 seeds")


def test_robots_that_change_places_collide():
    declared, task = _task("multi_agent_paths", 1, 1.0)
    data = task.data.model_copy(update={"walls": (), "starts": (0, 1), "goals": (1, 0), "minutes": 4})
    changed = type(task)(task.prompt, data)
    assert declared.verify(changed, (("a", "r"), ("b", "l"))).value == 0
    assert declared.verify(changed, (("a", "drur"), ("b", "wlww"))).value == 0
    assert declared.verify(changed, (("a", "dru"), ("b", "wl"))).value == 1


def test_numbers_of_handshakes_that_prove_nothing_are_refused():
    for seed in range(60):
        declared, task = _task("degree_sequence", seed, 1.0)
        right = declared.solve(task)
        if right[0] == "impossible":
            word, k, claimed, allowed = right
            assert declared.verify(task, (word,)).value == 0
            assert declared.verify(task, (word, k, claimed, str(int(allowed) - 1))).value == 0
            assert declared.verify(task, (word, "0", "0", "0")).value == declared.verify(task, (word, "9999", claimed, allowed)).value == 0
            return
    raise AssertionError("no task without handshakes in 60 seeds")
