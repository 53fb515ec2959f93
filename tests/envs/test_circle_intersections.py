from rlgym.generators.algebra import surds


def test_roots_are_in_lowest_terms():
    for d in range(1, 400):
        outside, inside = surds.square_free_part(d)
        assert outside**2 * inside == d
        assert not any(inside % (k * k) == 0 for k in range(2, 20))
    assert surds.square_free_part(2 * 10007**2) == (10007, 2)
