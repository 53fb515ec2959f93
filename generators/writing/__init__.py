"""Parts of written answers: facts with their aliases, sentences that state them, and texts composed of such sentences."""
