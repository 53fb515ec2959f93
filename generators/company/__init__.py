"""A company of linked systems: one database of facts, the tools of each system, and the work on them."""
