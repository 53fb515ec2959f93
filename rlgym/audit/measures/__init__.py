"""What is measured on the verdicts of an audit."""
