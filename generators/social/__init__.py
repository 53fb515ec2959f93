"""Games of several seats in which other players speak, hide what they hold, and act by stated rules."""
