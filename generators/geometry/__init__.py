"""Figures in the plane and in space: exact points, angles, lattices, pieces made of squares, nets of cubes."""
