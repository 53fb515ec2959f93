"""Small databases, questions about them, and the verdict on a query."""
