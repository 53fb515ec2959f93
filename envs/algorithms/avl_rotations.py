"""Put keys into a search tree and take some out again, and write down the tree at the end."""

from collections.abc import Callable, Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, first_wrong

BALANCE = {
    "plain": "The tree is not balanced.",
    "avl": (
        "After each command the tree is balanced as an AVL tree, from the place of the change up to the root: where the heights of the two subtrees of a node "
        "differ by 2, the node is rotated towards the lower side; if the child on the higher side has its own higher subtree on the inner side, that child is "
        "first rotated outwards (a double rotation). If both subtrees of that child are equally high, the single rotation is made."
    ),
}
STEP = Line("After {command} the keys from the root on, each before its left and then its right subtree: {keys}")
DONE = Line("The tree at the end: {keys}")
Node = tuple[int, "Tree", "Tree"]
Tree = Node | None


class Knobs(Config):
    added: int = knob(9, easy=4, hard=24, doc="keys put in")
    taken: int = knob(2, easy=0, hard=10, doc="keys taken out again")
    balance: str = knob("avl", easy="plain", hard="avl", order=tuple(BALANCE), doc="whether the tree is kept balanced")


class Data(TaskData):
    commands: tuple[int, ...]
    """Keys put in; negative ones are taken out."""
    balanced: bool
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, lambda: rng.sample(range(1, 100), knobs.added))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Keys come in sorted runs, rising and falling, which bend the tree to one side again and again."""

    def drawn() -> list[int]:
        keys = rng.sample(range(1, 100), knobs.added)
        runs = list[int]()
        while keys:
            size = rng.integer(2, 5)
            runs += sorted(keys[:size], reverse=rng.chance(0.5))
            keys = keys[size:]
        return runs

    return _made(rng, knobs, drawn)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """With children and heights in dictionaries, going down and back up along a list; the data come from trees as values."""
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    top = 0

    def height(key: int) -> int:
        return 1 + max(height(left.get(key, 0)), height(right.get(key, 0))) if key else 0

    def hang(above: int, old: int, new: int) -> None:
        nonlocal top
        if not above:
            top = new
        else:
            (left if left.get(above, 0) == old else right)[above] = new

    def turn(above: int, key: int, near: dict[int, int], far: dict[int, int]) -> None:
        child = near[key]
        hang(above, key, child)
        near[key], far[child] = far.get(child, 0), key

    for command in task.data.commands:
        way, at, key = [0], top, abs(command)
        while at and at != key:
            way.append(at)
            at = (left if key < at else right).get(at, 0)
        if command > 0:
            if way[-1]:
                (left if key < way[-1] else right)[way[-1]] = key
            else:
                top = key
        elif left.get(key, 0) and right.get(key, 0):
            below, at = [key], right[key]
            while left.get(at, 0):
                below.append(at)
                at = left[at]
            hang(below[-1], at, right.get(at, 0))
            left[at], right[at] = left[key], right.get(key, 0)
            hang(way[-1], key, at)
            way += [at, *below[1:]]
            left.pop(key)
            right.pop(key, None)
        else:
            hang(way[-1], key, left.pop(key, 0) or right.pop(key, 0))
            right.pop(key, None)
        for i in range(len(way) - 1, 0, -1) if task.data.balanced else ():
            node = way[i]
            lean = height(left.get(node, 0)) - height(right.get(node, 0))
            near, far = (left, right) if lean > 0 else (right, left)
            if abs(lean) > 1:
                child = near[node]
                if height(far.get(child, 0)) > height(near.get(child, 0)):
                    turn(node, child, far, near)
                turn(way[i - 1], node, near, far)
    out, open_keys = list[int](), [top]
    while open_keys:
        if key := open_keys.pop():
            out.append(key)
            open_keys += [right.get(key, 0), left.get(key, 0)]
    return tuple(out)


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "the tree at the end is another one")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    other = _run(data.commands, not data.balanced)[-1]
    kept = _run([key for key in data.commands if key > 0], data.balanced)[-1]
    return [_keys(other), _keys(kept), tuple(sorted(right)), right[::-1], _keys(_run(data.commands[:-1], data.balanced)[-1])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(2 if key > 0 else 4 for key in data.commands) * (1 + data.balanced) * len(data.right))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    trees = _run(data.commands, data.balanced)
    told = [" ".join(map(str, _keys(tree))) for tree in trees]
    steps = [STEP.write(command=_told(key), keys=keys) for key, keys in zip(data.commands[:-1], told, strict=False)]
    return [*steps, DONE.write(keys=", ".join(map(str, solve(task))))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    now: Tree = None
    done = 0

    def follows(step: str) -> bool:
        nonlocal now, done
        said = STEP.read(step) or {}
        now = _after(now, data.commands[done], data.balanced)
        done += 1
        return said["command"] == _told(data.commands[done - 1]) and tuple(map(int, said["keys"].split())) == _keys(now)

    def ends(step: str) -> bool:
        given = tuple(map(int, (DONE.read(step) or {})["keys"].split(", ")))
        return done == len(data.commands) - 1 and verify(task, given).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, drawn: Callable[[], list[int]]) -> Task[Data]:
    balanced = knobs.balance == "avl"
    while True:
        keys = drawn()
        commands = list(keys)
        for key in rng.sample(keys, min(knobs.taken, knobs.added - 2)):
            commands.insert(rng.integer(commands.index(key) + 1, len(commands)), -key)
        trees = _run(commands, balanced)
        right = _keys(trees[-1])
        if not all(trees):
            continue
        if not balanced or _keys(_run(commands, False)[-1]) != right:
            break
    taking = (
        " take k takes the key k out: a node without children is removed, a node with one child is replaced by that child, and a node with two children gets "
        "the smallest key of its right subtree, which is taken out there."
        if knobs.taken
        else ""
    )
    prompt = (
        "A binary search tree is empty at first. put k adds the key k as a new leaf: smaller keys go to the left, larger ones to the right."
        f"{taking} {BALANCE[knobs.balance]}\n\nCarry out these commands in order:\n{', '.join(map(_told, commands))}\n\nWrite down the keys "
        "of the tree at the end "
        "in preorder: a node comes first, then all of its left subtree in the same way, then all of its right subtree."
    )
    return Task(prompt, Data(commands=tuple(commands), balanced=balanced, right=right))


def _told(key: int) -> str:
    return f"put {key}" if key > 0 else f"take {-key}"


def _run(commands: Sequence[int], balanced: bool) -> list[Tree]:
    """The tree after each command."""
    trees: list[Tree] = []
    for command in commands:
        trees.append(_after(trees[-1] if trees else None, command, balanced))
    return trees


def _after(tree: Tree, command: int, balanced: bool) -> Tree:
    key = abs(command)
    if tree is None:
        return (key, None, None) if command > 0 else None
    here, left, right = tree
    if key < here:
        left = _after(left, command, balanced)
    elif key > here:
        right = _after(right, command, balanced)
    elif left is None or right is None:
        return left or right
    else:
        here = next(_sorted(right))
        right = _after(right, -here, balanced)
    return _balanced((here, left, right)) if balanced else (here, left, right)


def _sorted(tree: Tree) -> Iterator[int]:
    if tree:
        yield from _sorted(tree[1])
        yield tree[0]
        yield from _sorted(tree[2])


def _height(tree: Tree) -> int:
    return 1 + max(_height(tree[1]), _height(tree[2])) if tree else 0


def _balanced(tree: Node) -> Node:
    key, left, right = tree
    lean = _height(left) - _height(right)
    if lean > 1 and left:
        if left[2] and _height(left[2]) > _height(left[1]):
            left = (left[2][0], (left[0], left[1], left[2][1]), left[2][2])
        return left[0], left[1], (key, left[2], right)
    if lean < -1 and right:
        if right[1] and _height(right[1]) > _height(right[2]):
            right = (right[1][0], right[1][1], (right[0], right[1][2], right[2]))
        return right[0], (key, left, right[1]), right[2]
    return tree


def _keys(tree: Tree) -> tuple[int, ...]:
    return (tree[0], *_keys(tree[1]), *_keys(tree[2])) if tree else ()


environment = Environment(
    Knobs,
    Numbers("the keys in that order, separated by commas", most=200),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="After each change go back up to the root, compare the heights of both sides at each node, and rotate where they differ by two.",
)
