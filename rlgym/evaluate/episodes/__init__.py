"""Episodes: one model plays one task; its result row, the append-only log, run progress, cost estimates and the results table."""
