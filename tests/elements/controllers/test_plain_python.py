"""Controllers, cylinders and pumps do the same as plain Python and compiled."""

import json
import os
import subprocess
import sys

import numpy as np

import kinetree as kt

SCRIPT = """
import json
import kinetree as kt

def servo(t, u, x, parameters, xdot, out):
    xdot[0] = parameters[0] * (1.4 - u[0]) - x[0]
    out[0] = x[0] + 0.1 * u[1]

def machine():
    m = kt.Model("lift")
    load = m.body("load", kt.sphere(300.0, 0.1))
    m.joint("mast", kt.Translational(axis="z"), m.ground, load, start={"displacement": 1.3})
    m.controller("servo", kt.Controller(servo, ("mast.displacement", "mast.displacement.rate"), {"s": 0.2}, ("spool",), (5.0,)))
    m.force("pump", kt.Pump(flow=3e-4, relief=1.6e7, volume=2e-3))
    m.force("lift", kt.HydraulicCylinder(0.05, 0.03, 0.6, 1e-4, supply="pump", closed_length=1.0, pressure=(2.5e6, 8e5),
                                         valve=kt.Valve(spool="servo.spool", area=1e-5)), m.ground, load)
    return m

def states():
    return kt.simulate(machine(), until=0.004, integrator="rk4", step=1e-3).y[-1].tolist()
"""


def test_plain_python_and_compiled_kernels_give_the_same_states():
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT + "print(json.dumps(states()))"],
        capture_output=True,
        text=True,
        env={**os.environ, "KINETREE_PLAIN": "1"},
    )
    assert run.returncode == 0, run.stderr
    scope = {"kt": kt}
    exec(compile(SCRIPT, "script", "exec"), scope)
    np.testing.assert_allclose(
        scope["states"](), json.loads(run.stdout), rtol=1e-11
    )  # compiled products and sums may fuse
