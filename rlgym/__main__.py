"""`python -m rlgym` is the command `rlgym`."""

from rlgym.cli import main

main()
