"""Shift registers: no row shows its whole state twice, since its next bits could then be copied."""

import pytest

import rlgym


@pytest.mark.parametrize("name", ["lfsr_predict", "lfsr_predict:shift"])
def test_the_next_bits_are_no_copy_of_bits_shown(name):
    """Before, one in eight tasks of the shifted family could be copied."""
    for seed in range(40):
        data = rlgym.task(name, seed, level=0.5).data
        state = data.bits[-data.length :]
        assert state not in data.bits[:-1]
