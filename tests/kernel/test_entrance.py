"""A kernel that Python enters with blocks bound does what it does when it is called as any other."""

import pytest

from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations import augmented
from kinetree.engine.integrators import integrate, loop
from kinetree.engine.integrators.catalogue import find
from kinetree.engine.integrators.run import Run
from kinetree.kernel.decorators import JIT, compiled, pointer
from kinetree.models.rssr import rssr

pytestmark = pytest.mark.skipif(not JIT, reason="there are no addresses")


@pytest.mark.parametrize("method", ["adams", "dopri5"])
def test_the_time_loop_gives_the_same_state_through_both_entrances(monkeypatch, method):
    compiled_model, y = (assembly := prepare(rssr())).compiled, assembly.y

    def run():
        return integrate.integrate(
            augmented.rhs,
            y,
            0.3,
            project=augmented.project,
            tables=compiled_model.tables,
            method=method,
        )

    by_address, seen = run(), []
    whole, step, dense = integrate.signature()
    kernels = find(method).kernels
    functions = (
        pointer(kernels.start, step),
        pointer(kernels.step, step),
        pointer(kernels.dense, dense),
    )
    begin = Run.__init__

    def called_openly(self, entry, advance, *rest):
        tables, work, *_, rhs, project = advance.args[1]
        slow = compiled(loop.advance, whole)
        begin(
            self,
            entry,
            lambda block: seen.append(block) or slow(tables, work, *functions, rhs, project, block),
            *rest,
        )

    monkeypatch.setattr(Run, "__init__", called_openly)
    openly = run()
    assert seen and openly.accepted == by_address.accepted
    assert openly.y.tobytes() == by_address.y.tobytes()
