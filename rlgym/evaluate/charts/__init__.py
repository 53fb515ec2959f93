"""Charts as inline SVG, coloured by the page's own variables so that they suit light and dark."""
