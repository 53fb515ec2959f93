"""Libraries of pages about an invented world, looked into by search and by opening pages."""
