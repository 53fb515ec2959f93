"""Instructions that code can check: constraints on a text, rules of style, and composed instructions."""
