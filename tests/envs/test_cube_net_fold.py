from rlgym.generators import nets, polyominoes


def test_there_are_eleven_nets_of_which_six_have_four_squares_in_a_line():
    shapes = [{min(polyominoes.ways(cells, "flip")) for cells in nets.nets(four)} for four in (True, False)]
    assert [len(found) for found in shapes] == [6, 5]


def test_opposite_faces_are_two_steps_apart_in_a_line():
    for cells in nets.nets(True) + nets.nets(False):
        sides = nets.folded(cells)
        for (r, c), side in sides.items():
            if (r, c + 1) in sides and (r, c + 2) in sides:
                assert tuple(map(sum, zip(nets.ARROWS[side], nets.ARROWS[sides[(r, c + 2)]]))) == (0, 0, 0)
