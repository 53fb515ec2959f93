"""Word problems are worded widely: with names, goods and numbers blotted out, hardly a wording comes twice."""

import re
from collections import Counter

import pytest

import rlgym
from rlgym.generators.stories import ANIMALS, GOODS, LIQUIDS, PEOPLE, PLACES, SHOPS, TRADES, VEHICLES
from rlgym.generators.stories.herds import LEGS
from rlgym.generators.stories.measures import UNITS
from rlgym.generators.stories.mixing import SALTS, VESSELS

NAMES = [
    "leg_counting",
    "percentage_chain",
    "ratio_split",
    "shopping_change",
    "unit_conversion",
    "word_problem_ages",
    "word_problem_chain",
    "word_problem_mixture",
    "word_problem_rates",
]
TASKS = 1000
MOST = {0: 0.012, 0.5: 0.002}  # by level; at level 0 there are two or three sentences

_PHRASES = (*PEOPLE, *PLACES, *SHOPS, *TRADES, *LIQUIDS, *VEHICLES, *LEGS, *SALTS, *VESSELS, *UNITS, *(f"{unit}s" for unit in UNITS))
_BLOTTED = {word.lower() for phrase in (*_PHRASES, *(form for pair in (*GOODS, *ANIMALS) for form in pair)) for word in phrase.split()} - {
    "the"
}


def _wording(prompt):
    words = re.findall(r"[A-Za-z]+(?:'s)?|[0-9.]+|[^\w\s]", prompt)
    return " ".join("#" if word[0].isdigit() or word.lower() in _BLOTTED else word for word in words)


@pytest.mark.parametrize("name", [*NAMES, *(f"{name}:shift" for name in NAMES)])
def test_no_wording_is_common(name):
    for level, most in MOST.items():
        wordings = Counter(_wording(rlgym.task(name, seed, level=level).prompt) for seed in range(TASKS))
        (wording, times), *_ = wordings.most_common(1)
        assert times <= most * TASKS, f"{times} of {TASKS} tasks at level {level} read {wording!r}"


def test_no_two_irrelevant_sentences_about_a_person_are_of_one_kind():
    """Two ages of the same person would contradict each other."""
    for level in (0.5, 1.0):
        for seed in range(100):
            prompt = rlgym.task("ratio_split:shift", seed, level=level).prompt
            asides = re.findall(r"(\w+) (had to wait|is \d+ years|once got|came with|lives|paid)\b", prompt)
            kinds = Counter((name, re.sub(r"\d+", "", kind)) for name, kind in asides)
            assert max(kinds.values()) == 1, prompt
