"""Environments about repositories of small generated Python packages."""
