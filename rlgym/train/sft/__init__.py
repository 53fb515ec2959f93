"""Supervised fine-tuning (SFT) on reference solutions, before reinforcement learning."""
