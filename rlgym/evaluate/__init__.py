"""Run models over environments, and say with intervals how they did."""
