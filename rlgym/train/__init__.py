"""The reference trainer: supervised warm-up, then reinforcement learning with verifiable rewards."""
