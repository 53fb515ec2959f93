"""Processes: the supervisor, its workers, their shared memory and the RPC between them."""
