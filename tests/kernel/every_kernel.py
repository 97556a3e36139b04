"""Drives the kernels of the package in one process, each as plain Python beside its machine code,
and prints what was found.

Run by test_every_kernel.py. The runs are as short as they can be and still lead to other kernels.
"""

import json
import math
import warnings
from functools import partial

import numpy as np

from support.plainly import observe

OBSERVER = observe()  # before the modules below are imported, which keep what it changes

import kinetree as kt  # noqa: E402
from contracts import test_forces as forces  # noqa: E402
from elements.controllers import machines as controlled  # noqa: E402
from engine.kkt import test_anchors  # noqa: E402
from kernel import every_contact, every_export  # noqa: E402
from kinetree.analysis.ode import solve_ode  # noqa: E402
from kinetree.assembly.build import build  # noqa: E402
from kinetree.elements.joints.catalogue import JOINTS  # noqa: E402
from kinetree.engine.dynamics.forward import forward_dynamics  # noqa: E402
from kinetree.engine.formulations.catalogue import FORMULATIONS  # noqa: E402
from kinetree.engine.heaps import storage  # noqa: E402
from kinetree.engine.integrators.catalogue import INTEGRATORS  # noqa: E402
from kinetree.kernel.language import KERNELS  # noqa: E402
from kinetree.models.catalogue import model_entry  # noqa: E402
from support.flexible_bars import bar  # noqa: E402
from support.large_models import large_machine  # noqa: E402

SHORT = 1e-5  # s: a few steps of an adaptive integrator
SECTION = kt.Section.circle(radius=0.01, E=2e9, density=2000.0)
STRUCTURAL = ("energy-conserving", "midpoint", "trapezoidal", "generalized-alpha")


def simulated(model, until=SHORT, **options):
    return kt.simulate(
        model_entry(model).build() if isinstance(model, str) else model,
        until,
        progress=False,
        **options,
    )


def followed(model, until, *names, **options):
    """A run in which kernels whose names begin so are followed to the end."""
    OBSERVER.followed = names
    return simulated(model, until, **options)


def read(sol):
    """What is computed after a run when it is asked for."""
    return (
        sol.energy.total,
        sol.momentum.linear,
        sol.constraint_error.max(),
        [sol[name] for name in sol.channels],
    )


def built_in_models():
    for name in ("pendulum", "four-bar", "rssr", "five-dof", "quarter-car", "car"):
        yield lambda name=name: read(simulated(name, 1e-6))
    yield lambda: simulated("ralf-open", 1e-6).energy.total
    yield lambda: simulated("flexible-slider-crank", 3e-4)
    yield lambda: simulated("door").reactions
    yield lambda: simulated("excavator", 2e-3, integrator="bdf-direct")
    yield lambda: read(
        followed("n-four-bar", 2.0, "engine.formulations", "engine.kkt")
    )  # through singular positions


def one_joint(joint):
    """A body on a joint."""
    m = kt.Model("joint")
    m.joint("joint", joint, m.ground, m.body("body", kt.box(1.0, (0.1, 0.2, 0.3))))
    return m


def flexible_bodies():
    """A part in an open tree and in a loop, with a body at each of its markers."""
    part, _ = bar(length=0.3, E=2e10, bending=1, axial=1, twist=0)
    for closed in (False, True):
        m = kt.Model("part")
        rod = m.flexible("rod", part, start={"mode1": 1e-3})
        m.joint("A", kt.Revolute(axis="y"), m.ground, rod.at("-"))
        block = m.body("block", kt.box(1.0, (0.1, 0.2, 0.3)))
        m.joint("B", kt.Spherical(), rod.at("+"), block)
        if closed:
            m.constraint("drive", kt.Driver("A.angle", kt.Ramp(slope=1.0)))
        yield lambda m=m: read(simulated(m, 1e-5))
        yield lambda m=m: simulated(m, 1e-5).reactions


def joints():
    for entry in JOINTS:
        for coordinates in ("relative", "cartesian"):
            yield lambda entry=entry, coordinates=coordinates: read(
                simulated(one_joint(entry.joint.examples()[0]), coordinates=coordinates)
            )


def formulations():
    for f in FORMULATIONS:
        yield lambda f=f: simulated(
            "four-bar" if f.loops else "double-pendulum", formulation=f.name
        )
    for name in ("augmented", "projection", "svd", "partitioning", "baumgarte", "overdetermined"):
        sparse = {} if name == "overdetermined" else {"sparse": True}
        yield lambda name=name, sparse=sparse: simulated("n-four-bar", formulation=name, **sparse)
    for name in ("projection", "baumgarte", "overdetermined"):
        yield lambda name=name: followed(
            "n-four-bar",
            0.3,
            "engine.formulations",
            "engine.integrators.stepping",
            formulation=name,
        )
    for name in ("qr-update", "partitioning-printed"):
        yield lambda name=name: followed("four-bar", 0.02, "engine.formulations", formulation=name)
    for coordinates in ("relative", "cartesian"):
        yield lambda coordinates=coordinates: simulated(
            large_machine(60, 1, doubled=0.3), coordinates=coordinates, sparse=True
        )
    yield lambda: simulated(test_anchors.chain(), sparse=True)


def stiff_chain(distant):
    """A chain with stiff hinges; a distant element couples its first and its last body."""
    m = kt.Model("stiff chain")
    place = m.ground.at(0, 0, 0)
    for k in range(70):
        body = m.body(f"b{k}", kt.rod(0.1, 0.1, along="x", axial=1e-5))
        m.joint(f"j{k}", kt.Revolute(axis="yz"[k % 2]), place, body.end("-"))
        m.force(f"s{k}", kt.TorsionSpring(f"j{k}.angle", stiffness=500.0, damping=5.0))
        place = body.end("+")
    if distant:
        m.force("rope", kt.SpringDamper(stiffness=100.0, length=1.0), m.bodies["b0"], body)
    return m


def integrators():
    for i in INTEGRATORS:
        if i.name in STRUCTURAL:
            continue
        fixed = {} if i.adaptive else {"step": 0.5 * SHORT}
        yield lambda i=i, fixed=fixed: simulated("double-pendulum", integrator=i.name, **fixed)
    yield lambda: followed(
        "pendulum",
        0.05,
        "engine.integrators",
        integrator="bdf",
        coordinates="cartesian",
        sparse=True,
    )
    for coordinates in ("relative", "cartesian"):
        yield lambda coordinates=coordinates: simulated(
            large_machine(40, 1), integrator="bdf", coordinates=coordinates, sparse=True
        )
    yield lambda: followed("five-dof", 1e-3, "engine.integrators", integrator="bdf", sparse=True)
    for distant in (False, True):
        yield lambda distant=distant: followed(
            stiff_chain(distant), 1e-3, "engine.integrators", "kernel.algebra.ldl", integrator="bdf"
        )
    yield lambda: followed(
        large_machine(40, 1),
        1e-3,
        "engine.integrators",
        "kernel.algebra.ldl",
        integrator="bdf-direct",
    )
    yield lambda: followed("quarter-car", 1.5, "engine.integrators", integrator="switching")
    yield lambda: followed(
        "quarter-car", 0.01, "engine.integrators", integrator="switching", linearize_every=1e-3
    )


def beam(out_of_plane):
    m = kt.Model("beam")
    arm = m.beam("arm", [(0, 0, 0), (1, 0, 0)], SECTION, elements=2, damping=1e-3)
    m.joint("pin", kt.Spherical(), m.ground, arm.end("-"))
    place = m.ground.at(1, out_of_plane, 1)
    m.force("spring", kt.SpringDamper(stiffness=10.0, length=0.1), arm.end("+"), place)
    m.force("rubber", kt.Bushing((10.0, 20.0, 30.0, 1.0, 2.0, 3.0)), arm.end("+"), place)
    return m


def beams():
    for rule in STRUCTURAL:
        yield lambda rule=rule: simulated(beam(0.0), 2e-4, integrator=rule, rtol=1e-5)
        yield lambda rule=rule: read(simulated(beam(0.3), 2e-4, integrator=rule, step=1e-4))
    yield lambda: followed(
        beam(0.3),
        4e-4,
        "flex.history",
        integrator="energy-conserving",
        step=1e-4,
        history=True,
        convected=True,
    )
    springs = [
        forces.ALL[name]()
        for name in ("spring", "bushing", "torsion spring", "spring on a slide", "wheel")
    ]
    yield lambda: followed(
        forces.loaded(*springs).compiled.model,
        2e-3,
        "engine.beams",
        integrator="energy-conserving",
        step=1e-3,
    )
    yield lambda: simulated(driven(), 2e-3, integrator="midpoint", step=1e-3)


def elements():
    names = list(forces.ALL)
    for k in range(0, len(names), 10):
        state = forces.loaded(*(forces.ALL[name]() for name in names[k : k + 10]))
        yield lambda state=state: (state.f, state.energy)
        yield lambda state=state: read(simulated(state.compiled.model, 1e-6))


def swing(t, y, ydot):
    ydot[0], ydot[1] = y[1], -math.sin(y[0])


def pulse(t):
    return 1.0 if 0.3 < t < 0.31 else 0.0


def hold(t, u, x, parameters, xdot, out):
    xdot[0], out[0] = x[0] + 0.1, u[0]


def driven():
    """Signals of all kinds, a sampled controller, a body whose pose is prescribed."""
    m = kt.Model("driven")
    body, free = (m.body(name, kt.box(1.0, (0.1, 0.2, 0.3))) for name in ("body", "free"))
    m.joint("J", kt.Revolute(), m.ground, body)
    m.joint("F", kt.Free(), m.ground, free)
    m.constraint(
        "pose",
        kt.PoseDriver(
            "F",
            position=(0.0, kt.SmoothStep(0.1, 1.0), 0.0),
            rotation_vector=(kt.Sine(0.1, 1.0), 0.0, 0.0),
        ),
    )
    m.controller("hold", kt.Controller(hold, ("J.angle",), {"level": 0.0}, ("out",), period=0.1))
    table = kt.Table([0.0, 0.5, 1.0], [0.0, 1.0, 0.0])
    m.force("push", kt.PointForce((table, pulse, kt.CosineBump(1.0, 0.5))), body.at(0.1, 0, 0))
    return m


def lift():
    m = kt.Model("lift")
    load = m.body("load", kt.sphere(300.0, 0.1))
    m.joint("mast", kt.Translational(axis="z"), m.ground, load, start={"displacement": 1.3})
    m.force("pump", kt.Pump(flow=3e-4, relief=1.6e7, volume=2e-3))
    m.force(
        "lift",
        kt.HydraulicCylinder(
            0.05,
            0.03,
            0.6,
            1e-4,
            supply="pump",
            closed_length=1.0,
            pressure=(2.5e6, 8e5),
            valve=kt.Valve(spool=0.5, area=1e-5),
        ),
        m.ground,
        load,
    )
    return m


def turned(t):
    return 0.1 * t * t


def motor():
    m = model_entry("pendulum").build()
    m.constraint("motor", kt.Driver(next(iter(m.joints)) + ".angle", turned))
    return m


def heap():
    """Boxes on each other, across each other and beside each other's edge, and a machine on a ball."""
    m = kt.Model("heap")
    shapes = [kt.shapes.HalfSpace().on(m.ground)]
    box = kt.shapes.Box((0.2, 0.2, 0.2))
    for k, (at, turn) in enumerate(
        (
            ((0.0, 0.0, 0.0999), None),
            ((0.05, 0.03, 0.2998), None),
            ((0.0, 2.0, 0.1), ("x", math.pi / 4)),
            ((0.0, 2.0, 0.3825), ("y", math.pi / 4)),
        )
    ):
        body = m.body(f"box{k}", kt.box(1.0, (0.2, 0.2, 0.2)), position=at, rotation=turn)
        m.float(body)
        shapes.append(box.on(body))
    ball = m.body("ball", kt.sphere(1.0, 0.1), position=(4.0, 0, 0.0999))
    other = m.body("other", kt.sphere(1.0, 0.1), position=(4.0, 0.1998, 0.0999))
    rod = m.body("rod", kt.rod(1.0, 1.0, along="x"))
    m.float(ball)
    m.float(other)
    m.joint("A", kt.Revolute(axis="y"), m.ground.at(3.5, 0, 0.2298), rod.end("-"))
    tip = m.body("tip", kt.rod(0.5, 0.3, along="x"))
    m.joint("B", kt.Revolute(axis="y"), rod.end("+"), tip.end("-"))
    m.constraint("held", kt.Driver("B.angle", 0.0))
    along = rod.at(0, 0, 0, rotation=("y", math.pi / 2))
    shapes += [
        kt.shapes.Ball(0.1).on(ball),
        kt.shapes.Ball(0.1).on(other),
        kt.shapes.Capsule(0.03, 0.9).on(along),
        kt.shapes.Ball(0.05).on(tip),
    ]
    m.contact_group("heap", shapes, friction=0.4, restitution=0.2)
    return m


def stepped(cramped=False, complete=200, **options):
    """Time stepping, with little storage or with conjugate gradients."""
    usual, usual_arrays = storage.COMPLETE, storage.arrays_of

    def cramped_arrays(tables):
        found = usual_arrays(tables)
        return found._replace(
            heap_contacts=found.heap_contacts[:3].copy(),
            heap_old_contacts=found.heap_old_contacts[:3].copy(),
        )

    storage.COMPLETE = complete
    storage.arrays_of = cramped_arrays if cramped else usual_arrays
    try:
        return followed(
            heap(), 0.006, "engine.heaps", integrator="time-stepping", step=2e-3, **options
        )
    finally:
        storage.COMPLETE, storage.arrays_of = usual, usual_arrays


def heaps():
    yield lambda: read(stepped())
    yield lambda: stepped(complete=0)
    yield lambda: stepped(cramped=True, exact_friction=True)


def others():
    yield lambda: read(simulated(lift(), 1e-5))
    yield lambda: simulated(motor(), 0.01)
    yield lambda: followed(
        "four-bar", 0.02, "engine.formulations", "engine.integrators", formulation="overdetermined"
    )
    yield lambda: kt.assemble(large_machine(120, 1, doubled=0.3))
    yield lambda: solve_ode(swing, (0.5, 0.0), 0.1, samples=3)
    yield lambda: read(simulated(controlled.controlled_pendulum()))
    yield lambda: simulated(driven(), 0.4, output_interval=0.1)
    yield lambda: kt.tyres.evaluate(kt.tyres.Fiala(20.0, 30.0, 0.9), 5.0, 0.1)
    compiled = build(model_entry("double-pendulum").build())
    v = np.array([0.1, 0.2])
    yield lambda: forward_dynamics(
        compiled.tables, compiled.workspace(), np.array([0.3, 0.4]), v, 0.0 * v, 0.0 * v
    )


def main() -> None:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")  # as machine code
    further = (
        partial(runs, simulated, followed, read)
        for runs in (
            every_contact.contacts,
            every_contact.relations,
            every_contact.closed_chains,
            every_contact.studies,
            every_export.exports,
            every_export.joint_inertia,
        )
    )
    for runs in (
        built_in_models,
        flexible_bodies,
        joints,
        formulations,
        integrators,
        beams,
        elements,
        heaps,
        others,
        *further,
    ):
        for run in runs():
            OBSERVER.next_run()
            run()
    own = [
        f
        for f in KERNELS
        if f.py_func.__module__.startswith("kinetree.") and "generated" not in f.py_func.__module__
    ]
    left = [f.name for f in own if f not in OBSERVER.compared]
    print(json.dumps({"kernels": len(own), "left": left, "differences": OBSERVER.differences}))


if __name__ == "__main__":
    main()
