"""What runs in the container, as its first process, and how the two sides talk. Standard library only."""
