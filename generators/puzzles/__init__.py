"""Parts of puzzles: moves and states, sliding blocks, matchsticks, crosswords, card sets, the pocket cube, robots."""
