"""Our trainer beside others: the same work for both, in turns, in one run."""
