"""Which tasks are drawn: task specifications, the curriculum, sampling rules, groups of rollouts, and hints."""
