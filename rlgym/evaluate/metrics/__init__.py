"""What is measured on the rows of an evaluation, one file per subject."""
