"""Generated Python packages with documents, tests and a history: components, faults, layouts, inputs, and the world in which a player works."""
