"""Training on several processes: the process group, the device of a rank, and sharded models (FSDP2)."""
