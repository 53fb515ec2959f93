"""Put keys into a search tree and take some out again, and write down the tree at the end."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Derivation, Solution, Step

CLOSING = "The tree at the end: {answer}"
ANSWER = Numbers("the keys in preorder, separated by commas", max_items=200)
CONCEPT = "After each change go back up to the root, compare the heights of both sides at each node, and rotate where they differ by two."
BALANCE = {
    "plain": "The tree is never rebalanced.",
    "avl": (
        "After each command the tree is rebalanced as an AVL tree, from the change up to the root: where the heights of the two subtrees of a "
        "node differ by 2, the node is rotated towards its lower subtree. If the inner subtree of its higher child is higher than the outer one, that child "
        "is first rotated outwards (a double rotation); otherwise, also if both are of the same height, a single rotation suffices."
    ),
}
STEP = Step("After {command} the keys from the root on, each before its left and then its right subtree: {keys}")


class Node(NamedTuple):
    key: int
    left: "Tree"
    right: "Tree"


Tree = Node | None


class Knobs(Config):
    added: int = knob(9, easy=4, hard=24, doc="keys put in")
    deletions: int = knob(2, easy=0, hard=10, doc="keys deleted again")
    balance: str = knob("avl", easy="plain", hard="avl", order=tuple(BALANCE), doc="whether the tree is kept balanced")


class Data(TaskData):
    commands: tuple[int, ...]
    """Keys put in; negative ones are taken out."""
    balanced: bool
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, lambda: rng.sample(range(1, 100), knobs.added))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Keys come in sorted runs, rising and falling, which repeatedly unbalance the tree."""

    def sample_keys() -> list[int]:
        keys = rng.sample(range(1, 100), knobs.added)
        runs = list[int]()
        while keys:
            size = rng.integer(2, 5)
            runs += sorted(keys[:size], reverse=rng.chance(0.5))
            keys = keys[size:]
        return runs

    return _sample_task(rng, knobs, sample_keys)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """With children in dictionaries and an explicit path; `generate` uses immutable trees."""
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    top = 0

    def height(key: int) -> int:
        return 1 + max(height(left.get(key, 0)), height(right.get(key, 0))) if key else 0

    def attach(above: int, old: int, new: int) -> None:
        nonlocal top
        if not above:
            top = new
        else:
            (left if left.get(above, 0) == old else right)[above] = new

    def rotate(above: int, key: int, heavy_side: dict[int, int], light_side: dict[int, int]) -> None:
        child = heavy_side[key]
        attach(above, key, child)
        heavy_side[key], light_side[child] = light_side.get(child, 0), key

    for command in task.data.commands:
        path, at, key = [0], top, abs(command)
        while at and at != key:
            path.append(at)
            at = (left if key < at else right).get(at, 0)
        if command > 0:
            if path[-1]:
                (left if key < path[-1] else right)[path[-1]] = key
            else:
                top = key
        elif left.get(key, 0) and right.get(key, 0):
            below, at = [key], right[key]
            while left.get(at, 0):
                below.append(at)
                at = left[at]
            attach(below[-1], at, right.get(at, 0))
            left[at], right[at] = left[key], right.get(key, 0)
            attach(path[-1], key, at)
            path += [at, *below[1:]]
            left.pop(key)
            right.pop(key, None)
        else:
            attach(path[-1], key, left.pop(key, 0) or right.pop(key, 0))
            right.pop(key, None)
        for i in range(len(path) - 1, 0, -1) if task.data.balanced else ():
            node = path[i]
            lean = height(left.get(node, 0)) - height(right.get(node, 0))
            heavy_side, light_side = (left, right) if lean > 0 else (right, left)
            if abs(lean) > 1:
                child = heavy_side[node]
                if height(light_side.get(child, 0)) > height(heavy_side.get(child, 0)):
                    rotate(node, child, light_side, heavy_side)
                rotate(path[i - 1], node, heavy_side, light_side)
    keys_in_preorder, open_keys = list[int](), [top]
    while open_keys:
        if key := open_keys.pop():
            keys_in_preorder.append(key)
            open_keys += [right.get(key, 0), left.get(key, 0)]
    return tuple(keys_in_preorder)


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    return Score.exact(tuple(answer) == task.data.right, "the tree at the end is different")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    other = _run(data.commands, not data.balanced)[-1]
    kept = _run([key for key in data.commands if key > 0], data.balanced)[-1]
    return [_preorder(other), _preorder(kept), tuple(sorted(right)), right[::-1], _preorder(_run(data.commands[:-1], data.balanced)[-1])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(2 if key > 0 else 4 for key in data.commands) * (1 + data.balanced) * len(data.right))


def derive(task: Task[Data]) -> Derivation:
    tree: Tree = None
    for command in task.data.commands[:-1]:
        tree = _apply(tree, command, task.data.balanced)
        yield STEP(command=_render_command(command), keys=" ".join(map(str, _preorder(tree))))


def _sample_task(rng: Rng, knobs: Knobs, sample_keys: Callable[[], list[int]]) -> Task[Data]:
    balanced = knobs.balance == "avl"
    while True:
        keys = sample_keys()
        commands = list(keys)
        for key in rng.sample(keys, min(knobs.deletions, knobs.added - 2)):
            commands.insert(rng.integer(commands.index(key) + 1, len(commands)), -key)
        trees = _run(commands, balanced)
        right = _preorder(trees[-1])
        if not all(trees) or right in (tuple(keys), tuple(sorted(keys)), tuple(sorted(keys, reverse=True))):
            continue
        if not balanced or _preorder(_run(commands, False)[-1]) != right:
            break
    removal = (
        " remove k removes the key k: a node without children is removed, a node with one child is replaced by that child, and in a node with two "
        "children, k is replaced by the smallest key of the right subtree, whose node is removed instead."
        if knobs.deletions
        else ""
    )
    prompt = (
        f"A binary search tree is initially empty. insert k adds the key k as a new leaf: smaller keys go to the left, larger keys to the right.{removal} "
        f"{BALANCE[knobs.balance]}\n\nExecute these commands in order:\n{', '.join(map(_render_command, commands))}\n\nList the keys of the final "
        "tree in preorder: first the key of the root, then the keys of its left subtree in preorder, then those of its right subtree."
    )
    return Task(prompt, Data(commands=tuple(commands), balanced=balanced, right=right))


def _render_command(key: int) -> str:
    return f"insert {key}" if key > 0 else f"remove {-key}"


def _run(commands: Sequence[int], balanced: bool) -> list[Tree]:
    """The tree after each command."""
    trees: list[Tree] = []
    for command in commands:
        trees.append(_apply(trees[-1] if trees else None, command, balanced))
    return trees


def _apply(tree: Tree, command: int, balanced: bool) -> Tree:
    key = abs(command)
    if tree is None:
        return Node(key, None, None) if command > 0 else None
    node_key, left, right = tree
    if key < node_key:
        left = _apply(left, command, balanced)
    elif key > node_key:
        right = _apply(right, command, balanced)
    elif left is None or right is None:
        return left or right
    else:
        node_key = next(_inorder_keys(right))
        right = _apply(right, -node_key, balanced)
    node = Node(node_key, left, right)
    return _rebalance(node) if balanced else node


def _inorder_keys(tree: Tree) -> Iterator[int]:
    if tree:
        yield from _inorder_keys(tree.left)
        yield tree.key
        yield from _inorder_keys(tree.right)


def _height(tree: Tree) -> int:
    return 1 + max(_height(tree.left), _height(tree.right)) if tree else 0


def _rebalance(tree: Node) -> Node:
    key, left, right = tree
    lean = _height(left) - _height(right)
    if lean > 1 and left:
        if left.right and _height(left.right) > _height(left.left):
            left = Node(left.right.key, Node(left.key, left.left, left.right.left), left.right.right)
        return Node(left.key, left.left, Node(key, left.right, right))
    if lean < -1 and right:
        if right.left and _height(right.left) > _height(right.right):
            right = Node(right.left.key, right.left.left, Node(right.key, right.left.right, right.right))
        return Node(right.key, Node(key, left, right.left), right.right)
    return tree


def _preorder(tree: Tree) -> tuple[int, ...]:
    return (tree.key, *_preorder(tree.left), *_preorder(tree.right)) if tree else ()


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, whole=True),
    shift=shift,
    concept=CONCEPT,
    version=4,
)
