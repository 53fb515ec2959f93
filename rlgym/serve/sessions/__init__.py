"""Episodes that clients play, and everything computed for them: operations, session store, tasks, scoring, catalogue."""
