"""Playing environments: drawing tasks, scoring answers, and the one Env with reset and step."""
