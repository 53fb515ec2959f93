"""Ways to write numbers, and calculations on them that environments of arithmetic build on."""
