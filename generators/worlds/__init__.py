"""Small worlds that tools read and change."""
