"""Every kernel of the package does compiled what its source does as plain Python, on the numbers of
real runs.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.kernel.decorators import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
TESTS = Path(__file__).resolve().parent.parent
LEFT = {  # kernels to which none of the runs leads, and what they are for
    "elements.forces.beam.energy": "the energy of a beam force, where no beam of node coordinates has it",
    "elements.roads.contact.corner": "a wheel that touches two features of a road at once",
    "engine.dynamics.anchors.span_joint": "bodies taken out of the tree in long closed chains",
    "engine.dynamics.anchors.add_tree_forces": "the same, for Python: tests/engine/kkt/test_anchors.py calls it",
    "engine.kkt.products.all_rates": "G v for Python, in the assembly of large machines",
    "engine.kkt.mass_norm.factorize_padded": "bodies without mass that only constraints hold",
    "engine.formulations.baumgarte.reselect_nearby": "another selection of rows under stabilization",
    "engine.beams.element.element_energy": "the energy of an element for Python: "
    "tests/engine/beams/test_element.py calls it",
    "engine.heaps.rows.enter_again": "the pairs of the last step after storage grew between two "
    "steps: tests/closed_form/test_heaps.py",
    "engine.contacts.guards.rate_at": "a contact that closes and opens within one step: "
    "tests/closed_form/test_rigid_contact.py",
    "engine.integrators.newton.body_direct.factorize_projection_anew": "a projection body by body "
    "that does not converge with the factors of the step: tests/engine/integrators/test_closed_chains.py",
    "engine.integrators.newton.symmetric_step.eliminate_several": "joints of several degrees of "
    "freedom in articulated steps: tests/engine/integrators/test_articulated_steps.py",
    "kernel.algebra.ldl.solve_lu": "sparse factors that are not symmetric, of large stiff models: "
    "tests/engine/integrators/test_structured_steps.py",
    "engine.integrators.probing.locate": "a pulse of user code that falls between the ends of a step",
}


def test_kernels_return_and_leave_in_memory_what_their_sources_do():
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
    }
    done = subprocess.run(
        [sys.executable, str(TESTS / "kernel" / "every_kernel.py")],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["differences"] == {}
    assert found["kernels"] > 300 and set(found["left"]) <= set(LEFT), sorted(
        set(found["left"]) - set(LEFT)
    )
