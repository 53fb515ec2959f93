"""From a batch to new weights: policy forward and backward passes, the value head, learning rates, and the optimizer steps."""
