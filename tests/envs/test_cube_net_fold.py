from rlgym.generators.geometry import cube_nets, polyominoes


def test_there_are_eleven_nets_of_which_six_have_four_squares_in_a_line():
    shapes = [{min(polyominoes.ways(cells, "flip")) for cells in cube_nets.nets(four)} for four in (True, False)]
    assert [len(shape) for shape in shapes] == [6, 5]


def test_opposite_faces_are_two_steps_apart_in_a_line():
    for cells in cube_nets.nets(True) + cube_nets.nets(False):
        sides = cube_nets.fold(cells)
        for (r, c), side in sides.items():
            if (r, c + 1) in sides and (r, c + 2) in sides:
                assert tuple(map(sum, zip(cube_nets.ARROWS[side], cube_nets.ARROWS[sides[(r, c + 2)]]))) == (0, 0, 0)
