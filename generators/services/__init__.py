"""Service desks and offices: records, rules, simulated people, and the final check of what was changed."""
