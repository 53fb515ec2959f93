"""Jobs that become ready later and jobs in chains: the quick solutions are right, and taking what is best at once is not."""

import pytest

from rlgym import Rng
from rlgym.generators.programs import schedules
from rlgym.generators.programs.specifications import Specification, pose


@pytest.mark.parametrize("name", ["releases", "chains"])
def test_the_quick_solution_finds_what_trying_everything_finds(name: str) -> None:
    plain, swift, hasty, shape = schedules.SHAPES[name]
    beaten = 0
    for seed in range(12):
        rng = Rng("held back", name, seed)
        _, rules, _, _ = shape(rng, rng.integer(0, 4), False)
        for arguments in schedules.inputs(rng, 25, name):
            right = plain(*arguments, **rules)
            assert swift(*arguments, **rules) == right
            beaten += hasty(*arguments, **rules) != right
    assert beaten > 5


def test_the_worker_waits_for_an_urgent_job() -> None:
    plain, swift, hasty, _ = schedules.SHAPES["releases"]
    rules = {"goal": "late", "long": 3, "start": 0, "pause": 0, "signed": False, "roomy": 0}
    jobs = [(0, 20), (1, 4)]
    assert (plain(jobs, **rules), swift(jobs, **rules), hasty(jobs, **rules)) == (0, 0, 2)


def test_an_example_shows_more_than_that_the_jobs_cannot_end_in_time() -> None:
    plain, swift, hasty, _ = schedules.SHAPES["releases"]
    rules = {"goal": "end", "long": 2, "start": 0, "pause": 0, "signed": False, "roomy": 0}
    impossible = [([(k, k + 1), (k, k + 9)],) for k in range(30)]
    inputs = [*impossible[:20], ([(0, 20), (3, 9)],), *impossible[20:]]
    specification = Specification(
        "", plain, swift, rules, [{**rules, "long": 1}], inputs, 1, hasty=[hasty], kind="releases", trivial=(-1, 0)
    )
    for seed in range(5):
        assert "solve([(0, 20), (3, 9)]) returns 5" in pose(Rng("examples", seed), specification, 1).prompt
