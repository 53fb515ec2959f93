"""Random graphs and what is computed on them."""
