"""Physics, chemistry, biology and economics worked out exactly."""
