"""Short runs of the built-in models, computed once, and a model with every joint and hostile
names.
"""

from functools import cache

import numpy as np

import kinetree as kt
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.models.catalogue import model_entry

# s
SHORT = {
    "rssr": 1.0,
    "four-bar": 1.0,
    "excavator": 0.1,
    "andrews": 0.01,
    "quarter-car": 0.3,
    "heavy-top": 0.3,
    "flyball-governor": 0.05,
}
BAD = "</script><script>window['hacked']=1</script><img src=x onerror=window['hacked']=2>"


@cache
def run(name: str, samples: int = 40, coordinates: str = "relative"):
    until = SHORT[name]
    return kt.simulate(
        model_entry(name).build(),
        until,
        output_interval=until / samples,
        coordinates=coordinates,
        rtol=1e-6,
    )


def hostile() -> kt.Model:
    """A pendulum with names that contain code."""
    m = kt.Model(f"model {BAD}")
    rod = m.body(
        f"body {BAD} ]]> <!-- &lt;",
        kt.rod(1.0, 1.0, along="z"),
        points={f"point {BAD}": (0, 0, -0.5)},
    )
    m.joint(f"joint {BAD}", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": 1.0})
    return m


def every_joint() -> kt.Model:
    """A body on each kind of joint, side by side."""
    m = kt.Model("joints")
    held = [entry.joint for entry in JOINTS if entry.joint.cut]
    for k, joint in enumerate(kind.examples()[0] for kind in held):
        body = m.body(f"body{k}", kt.box(1.0, (0.2, 0.3, 0.4)))
        m.joint(joint.kind, joint, m.ground.at(k, 0, 1), body.at(0, 0, 0.1))
    m.float(m.body("bird", kt.sphere(1.0, 0.1), position=(0, 1, 1)))
    return m


def chain(bodies: int) -> kt.Model:
    """A chain of many rods."""
    m, last = kt.Model("chain"), None
    for k in range(bodies):
        rod = m.body(f"rod{k}", kt.rod(0.1, 0.1, along="x"))
        m.joint(
            f"hinge{k}",
            kt.Revolute(axis="y"),
            m.ground if last is None else last.end("+"),
            rod.end("-"),
        )
        last = rod
    return m


def wandering(model: kt.Model, frames: int):
    """An arbitrary motion of a model in which no pose is repeated, for tests of sizes."""
    from kinetree.viewer.motion import Motion

    random, t = np.random.default_rng(5), np.linspace(0.0, 6.0, frames)
    poses = {}
    for name in model.bodies:
        q = random.normal(size=(frames, 4))
        poses[name] = np.hstack(
            [random.normal(size=(frames, 3)), q / np.linalg.norm(q, axis=1, keepdims=True)]
        )
    return Motion(model, t, poses)
