"""Links of a robot file: the tree of a format that describes trees, and groups that fixed joints join."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from ....errors import ModelError
from ....kernel.frames import IDENTITY, Pose
from .robot import Robot, RobotJoint


def check_names(robot: Robot, file: str) -> None:
    """Raise an error if a joint names a link that does not exist."""
    for j in robot.joints:
        for link in (j.parent, j.child):
            if link not in robot.links:
                raise ModelError(
                    f"{file}: joint {j.name!r} names the link {link!r}, which the file does "
                    "not define."
                )


def as_tree(robot: Robot, file: str) -> Robot:
    """Sort links and joints of a robot from the root outwards, or refuse what is not a tree."""
    carried = Counter(j.child for j in robot.joints)
    twice = [link for link, n in carried.items() if n > 1]
    if twice:
        raise ModelError(
            f"{file}: link {twice[0]!r} is the child of {carried[twice[0]]} joints. This "
            "format describes trees; close the loop with Model.joint after loading."
        )
    roots = [link for link in robot.links if link not in carried]
    if len(roots) != 1:
        names = ", ".join(map(repr, roots[:4])) or "none"
        raise ModelError(f"{file}: a robot has one root link that no joint carries; found {names}.")
    children: dict[str, list[RobotJoint]] = {}
    for j in robot.joints:
        children.setdefault(j.parent, []).append(j)
    links, joints, queue = [roots[0]], list[RobotJoint](), deque(roots)
    while queue:
        for j in children.get(queue.popleft(), ()):
            joints.append(j)
            links.append(j.child)
            queue.append(j.child)
    if len(links) < len(robot.links):
        lost = sorted(set(robot.links) - set(links))[0]
        raise ModelError(f"{file}: link {lost!r} is in a loop that the root does not reach.")
    robot.links, robot.joints = {name: robot.links[name] for name in links}, joints
    return robot


def joined(links: Iterable[str], joints: Iterable[RobotJoint]) -> dict[str, tuple[str, Pose]]:
    """Per link, the first link of the group that fixed joints join, and its pose in that one."""
    neighbors: dict[str, list[tuple[str, Pose]]] = {}
    for j in joints:
        if j.kind == "fixed":
            X = j.X_PF @ j.X_CM.inverse
            neighbors.setdefault(j.parent, []).append((j.child, X))
            neighbors.setdefault(j.child, []).append((j.parent, X.inverse))
    found: dict[str, tuple[str, Pose]] = {}
    for link in links:
        if link in found:
            continue
        found[link], queue = (link, IDENTITY), deque([link])
        while queue:
            here = queue.popleft()
            for other, X in neighbors.get(here, ()):
                if other not in found:
                    found[other] = link, found[here][1] @ X
                    queue.append(other)
    return found


def floating(robot: Robot, groups: dict[str, tuple[str, Pose]]) -> list[str]:
    """The first group of every part of a robot that no joint connects to the ground."""
    neighbors: dict[str, set[str]] = {first: set() for first, _ in groups.values()}
    for j in robot.joints:
        a, b = groups[j.parent][0], groups[j.child][0]
        neighbors[a].add(b)
        neighbors[b].add(a)
    seen: set[str] = set()
    found = []
    for first in neighbors:
        if first in seen:
            continue
        found.append(first)
        queue = [first]
        while queue:
            here = queue.pop()
            if here not in seen:
                seen.add(here)
                queue += neighbors[here]
    return found if robot.ground is None else found[1:]
