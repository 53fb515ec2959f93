from rlgym import Task
from rlgym.envs.geometry import construct_point
from rlgym.envs.geometry.construct_point import Data, Property


def test_a_point_where_no_angle_is_earns_nothing():
    right = Property(kind="right", names=("A", "B"), number=0)
    task = Task("", Data(points=((0, 0), (4, 0)), size=5, properties=(right,)))
    assert construct_point.verify(task, (0, 0)).value == 0
    assert construct_point.verify(task, (2, 2)).value == 1
