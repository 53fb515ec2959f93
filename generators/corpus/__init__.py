"""Libraries of pages about an invented world, read by searching and by opening pages."""
