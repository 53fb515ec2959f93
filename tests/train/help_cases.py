"""Runs in which help for groups that all failed can be followed: their settings, and the model that they begin with."""

from train.small_models import small_model

LONG = {
    "tasks": [{"names": ["chain_sum"], "levels": [0.05]}],
    "rollout": {"groups_per_step": 3, "group_size": 4, "max_new_tokens": 40, "max_seq_len": 400},
}
PLAIN = {"advantage": "dr_grpo", "loss_options": {"clip_low": 1.0, "clip_high": 100.0}}
"""Gradients of these are written out in the tests: mean-only advantages and ratios that nothing cuts."""


def start_model(folder):
    """A small model with room for an explanation."""
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=400, loud=1.0)
    return folder
