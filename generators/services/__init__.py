"""Service desks and offices: records, rules, people who are asked, and the judging of what was changed."""
