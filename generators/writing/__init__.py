"""Restricted English: sentence forms that a prompt states, their parser, and rubrics over what a text claims."""
