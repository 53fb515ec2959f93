"""Charts as inline SVG, coloured by CSS variables of the page, for light and dark themes."""
