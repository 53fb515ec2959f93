"""Generated tools with invented names, and what can be reached by composing them."""
