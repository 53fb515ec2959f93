"""Small simulated worlds and one-player games: what their rules do, and searches that play them."""
