"""Environments of the domain induction: rules found from examples within a language that the task declares."""
