"""Benchmarks: a training step of ours against one of TRL on the same work, and the peak FLOP rate of a device."""
