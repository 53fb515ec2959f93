"""No answer is common between the easiest tasks and the middle ones either, where certificates of little effort do not look."""

from collections import Counter

import pytest

from rlgym import registry
from rlgym.episode.play import oracle_answer, start_episode
from rlgym.episode.sampling import sample_task

MOST_COMMON = 0.08
"""The share of the most common of 150 right answers; one of 0.05 in the long run stays below it. Those below stood at 0.087 to 0.113."""
NAMES = (
    "chromatic_count:shift",
    "l_system",
    "number_sequence_rule:shift",
    "order_statistics",
    "polynomial_congruence",
    "polynomial_gcd:shift",
    "ratio_split:shift",
)


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_is_common_at_level_015(name):
    declared = registry.environment(name)
    config = declared.config.at(0.15)
    answers = Counter()
    for seed in range(1, 151):
        task = sample_task(name, declared, seed, config, 0.15)
        answers[declared.answer.render_response(oracle_answer(declared, start_episode(declared, task, "tag")), "tag")] += 1
    ((answer, count),) = answers.most_common(1)
    assert count <= MOST_COMMON * 150, answer
