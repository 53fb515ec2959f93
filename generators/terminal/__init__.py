"""Worlds in which a shell in the sandbox works on a small file tree: the world itself, trees, archives, and checks of the end."""
