"""In a notebook animations and figures are shown inline: checked by executing one."""

import pytest

nbclient = pytest.importorskip("nbclient", reason="the package nbclient is not installed")
pytest.importorskip("ipykernel", reason="the package ipykernel is not installed")
CELLS = (
    """
import kinetree as kt
m = kt.Model("pendulum")
rod = m.body("rod", kt.rod(1.0, 1.0, along="z"))
m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": 1.0})
sol = kt.simulate(m, 0.1, integrator="rk4", step=0.01)
""",
    "sol.animate()",
    "m.show()",
)
PLOTS = (
    'sol.plot("hinge.angle")',
    "sol.plot_energy()",
    "sol.plot_steps()",
    "m.draw()",
    "sol.picture()",
    'sol.plot("hinge.angle", show=True)',
    'figure = sol.plot("hinge.angle")',
)


def executed(cells, folder):
    import nbformat

    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(
        book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return book.cells


@pytest.mark.parametrize("before", ["", "%matplotlib inline"])
def test_plots_and_pictures_are_shown_once(before, tmp_path):
    pytest.importorskip("matplotlib_inline")
    cells = executed((before + CELLS[0], *PLOTS), tmp_path)[1:]
    shown = [sum("image/png" in out.get("data", {}) for out in cell.outputs) for cell in cells]
    assert dict(zip(PLOTS, shown)) == {cell: int("figure =" not in cell) for cell in PLOTS}


def test_animations_and_models_are_shown_inline(tmp_path):
    for cell in executed(CELLS, tmp_path)[1:]:
        shown = next(out for out in cell.outputs if out.output_type == "execute_result")
        assert shown.data["text/html"].startswith("<iframe srcdoc=")
        assert "kinetree scene" in shown.data["text/html"]
    assert list(tmp_path.iterdir()) == []  # nothing was written, no browser opened
