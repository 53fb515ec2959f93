"""The first process of a container, and the messages between both sides. Standard library only."""
