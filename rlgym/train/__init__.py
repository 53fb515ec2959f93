"""The reference trainer: supervised fine-tuning (SFT), then reinforcement learning with verifiable rewards."""
