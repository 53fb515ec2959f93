"""Programming problems that are put together from parts, programs in a small part of Python, and what may be wrong with them."""
