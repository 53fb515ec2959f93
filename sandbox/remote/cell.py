"""Shell commands on file trees that a service runs in a cell of its own."""

from __future__ import annotations

from rlgym.sandbox.file_tree import Ended, Tree
from rlgym.sandbox.remote import RemoteRunner


class RemoteCell:
    """A connection to the service, used for one command at a time in place of a cell of this machine."""

    def __init__(self) -> None:
        self.lost, self._runner = False, RemoteRunner()

    @property
    def pid(self) -> int:
        """None of this machine."""
        return 0

    def run(self, tree: Tree, command: str, now: int) -> Ended:
        """Run a command in a copy of the tree, there."""
        return self._runner.command(tree, command, now)

    def close(self) -> None:
        """Close the connection."""
        self._runner.close()
