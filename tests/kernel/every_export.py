"""Short runs that lead to the kernels of exported models and to those of inertia of joint coordinates.

every_kernel.py runs them, each kernel as plain Python beside its machine code.
"""

import numpy as np

import kinetree as kt
from exchange.test_image import sampled, thrown
from kinetree.exchange.image import run_here
from kinetree.exchange.image.build import checked_readings
from kinetree.exchange.image.kernels import signature_of
from kinetree.exchange.image.observe import rates_at, settle
from kinetree.exchange.image.prepare import blocks_of
from kinetree.kernel.decorators import compiled, pointer
from kinetree.kernel.tables.signatures import signatures
from kinetree.models.catalogue import model_entry
from kinetree.simulation.prepared import prepare

NONE = (
    "energy.work",
    "constraint.",
    "step.",
    *("C.q", "C.w", "H.q", "H.w"),
)  # channels that are no outputs


def exports(simulated, followed, read):
    """Runs, outputs, rates and corrections of exported models."""
    for name in ("four-bar", "quarter-car", "rssr"):
        yield lambda name=name: exported(model_entry(name).build(), 1e-4)
    yield lambda: exported(model_entry("four-bar").build(), 1e-3, integrator="rk4", step=5e-4)
    yield lambda: exported(model_entry("excavator").build(), 1e-4, integrator="bdf")
    yield lambda: exported(thrown(kt.Input("push", 1.0)), 1e-3)
    yield lambda: exported(sampled(), 0.06)


def exported(model, until, **options):
    """What an importer calls, in this process."""
    prepared = prepare(model, **options)
    names = [name for name in prepared.run(1e-6, progress=False).channels]
    readings = checked_readings(prepared, until, [n for n in names if not n.startswith(NONE)])
    blocks = blocks_of(prepared._plan, until, readings)
    run_here.advance(blocks, 0.5 * until)
    run_here.advance(blocks, until, exact=True)
    y = blocks.view.y[0].copy()
    run_here.outputs_at(blocks, until, y, -1)
    rhs, project = signatures()[2:]
    seen = blocks.seen, blocks.seen_work
    compiled(rates_at, signature_of("rates"))(
        *seen, pointer(blocks.method.rhs, rhs), until, y, np.zeros(len(y))
    )
    compiled(settle, signature_of("settle"))(
        *seen, pointer(blocks.method.project, project), until, y
    )


def joint_inertia(simulated, followed, read):
    """A rotor behind a hinge, in an open chain and in a loop."""
    for loop in (False, True):
        yield lambda loop=loop: read(simulated(geared(loop)))
    yield lambda: simulated(geared(True), integrator="bdf")


def geared(loop):
    m = kt.Model("geared")
    upper, lower = (
        m.body(name, kt.rod(1.0, 1.0, along="x", axial=1e-2)) for name in ("upper", "lower")
    )
    m.joint("A", kt.Revolute(axis="y"), m.ground, upper.end("-"), inertia={"angle": 0.5})
    m.joint("B", kt.Spherical(), upper.end("+"), lower.end("-"))
    if loop:
        m.constraint("rod", kt.Distance(), m.ground.at(2.0, 0.0, 1.0), lower.end("+"))
    return m
