"""Small worlds that are looked into and changed by tools."""
