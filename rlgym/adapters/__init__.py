"""One file for each outside trainer, harness or protocol; each is imported by its own name, and needs the extra of that name."""
