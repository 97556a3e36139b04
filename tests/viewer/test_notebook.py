"""In a notebook an animation is shown inline: checked by executing one."""

import pytest

nbclient = pytest.importorskip("nbclient", reason="the package nbclient is not installed")
pytest.importorskip("ipykernel", reason="the package ipykernel is not installed")
CELLS = ("""
import kinetree as kt
m = kt.Model("pendulum")
rod = m.body("rod", kt.rod(1.0, 1.0, along="z"))
m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": 1.0})
sol = kt.simulate(m, 0.1, integrator="rk4", step=0.01)
""", "sol.animate()", "m.show()")


def test_animations_and_models_are_shown_inline(tmp_path):
    import nbformat

    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    for cell in book.cells[1:]:
        shown = next(out for out in cell.outputs if out.output_type == "execute_result")
        assert shown.data["text/html"].startswith("<iframe srcdoc=")
        assert "kinetree scene" in shown.data["text/html"]
    assert list(tmp_path.iterdir()) == []  # nothing was written, no browser opened
