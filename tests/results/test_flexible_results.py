"""Displacements, stresses, files and pictures of flexible bodies."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.flexible_crank import FILE, flexible_crank, rod_part
from kinetree.results.stress import principal, von_mises
from kinetree.viewer.pack import as_json
from kinetree.viewer.scene import scene_of


@pytest.fixture(scope="module")
def sol():
    return kt.simulate(flexible_crank(), until=0.002, rtol=1e-6, output_interval=1e-4)


def test_principal_stresses_are_eigenvalues():
    s = np.random.default_rng(0).normal(size=(7, 6))
    s[0] = 0.0
    s[1, :3], s[1, 3:] = 2.0, 0.0  # hydrostatic
    T = np.array([[[a, d, f], [d, b, e], [f, e, c]] for a, b, c, d, e, f in s])
    values = np.linalg.eigvalsh(T)[:, ::-1]
    np.testing.assert_allclose(principal(s), values, atol=1e-7)  # acos near a double value
    apart = values - values.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(von_mises(s), np.sqrt(1.5 * (apart**2).sum(axis=1)), atol=1e-12)


def test_stress_is_the_sum_over_modes(sol):
    moving, part = sol.flexible["rod"], sol.flexible["rod"].part
    link = sol.compiled.joints["rod"].link
    first = int(sol.compiled.tables.links[link]["iq"])
    q = np.sqrt(part.mass) * sol.q[:, first : first + part.n]
    np.testing.assert_allclose(moving.q, q, rtol=1e-15)
    stress = sol.stress("rod")
    assert stress.mises.shape == (len(sol.t), len(part.nodes))
    np.testing.assert_allclose(
        stress.components[7], part.stress @ q[7], atol=1e-9 * np.abs(stress.components).max()
    )
    peak = stress.peak
    k = int(np.argmin(np.abs(sol.t - peak.t)))
    assert stress.mises[k].max() == peak.mises == stress.mises.max()
    assert f"node {peak.node}" in repr(stress)


def test_markers_and_nodes_move_alike(sol):
    """The nodes of a bore are tied to its marker: they move with it as a rigid body."""
    part = sol.flexible["rod"].part
    X = part.positions[part.index("small")]
    rows = np.abs(np.linalg.norm((part.nodes - X)[:, :2], axis=1) - 0.012) < 1e-6
    world = sol.flexible["rod"].position(np.flatnonzero(rows))
    index = sol.compiled.bodies.index("rod.small")
    R = sol.record.of("rotation", index).reshape(-1, 3, 3)
    rigid = np.einsum("tij,pj->tpi", R, part.nodes[rows] - X)
    assert rows.sum() > 20
    assert sol["rod.deflection"].max() > 1e-5
    # shapes for pictures have 10 bits, 1e-3 of the displacement
    assert np.abs(world - sol["rod.small.position"][:, None] - rigid).max() < 1e-7
    moved = sol.flexible["rod"].displacement()
    np.testing.assert_allclose(
        np.linalg.norm(moved, axis=2).max(axis=1), sol["rod.deflection"], rtol=1e-12
    )


def test_channels_of_named_nodes():
    m = kt.Model("arm")
    rod = m.flexible("rod", FILE, nodes={"middle": (0.075, 0.011, 0.0)})
    m.joint("A", kt.Revolute(axis="z"), m.ground, rod.at("big"), speed={"angle": 50.0})
    sol = kt.simulate(m, until=1e-3, rtol=1e-6)
    row = rod.nodes["middle"]
    motion = sol.flexible["rod"]
    np.testing.assert_array_equal(sol["rod.middle.position"], motion.position([row])[:, 0])
    np.testing.assert_array_equal(sol["rod.middle.mises"], sol.stress("rod").mises[:, row])
    assert sol["rod.mises"].max() >= sol["rod.middle.mises"].max()
    assert not [name for name in sol.channels if ".modes." in name or ".tie" in name]


def test_histories_are_written_and_read_again(sol, tmp_path):
    import h5py

    few = sol.stress("rod").at([3, 5])
    text = few.save(tmp_path / "few.csv").read_text().splitlines()
    assert len(text) == 1 + 2 * len(sol.t)
    last = [float(x) for x in text[-1].split(",")]
    np.testing.assert_allclose(last[2:8], few.components[-1, 1], rtol=1e-6)
    with h5py.File(few.save(tmp_path / "few.h5")) as file:
        np.testing.assert_array_equal(file["stress"][:], few.components)
    with pytest.raises(kt.ModelError, match=r"must end in \.csv or \.h5"):
        few.save(tmp_path / "few.txt")
    with pytest.raises(kt.NameNotFound, match="no flexible body named 'crank'"):
        sol.stress("crank")


def test_files_for_paraview(sol, tmp_path):
    meshio = pytest.importorskip("meshio", reason="files for ParaView need meshio")
    (file,) = sol.flexible["rod"].save_vtk(tmp_path / "rod.vtu", samples=[4])
    mesh = meshio.read(file)
    np.testing.assert_allclose(mesh.points, sol.flexible["rod"].position(samples=[4])[0])
    np.testing.assert_allclose(mesh.point_data["von Mises"], sol.stress("rod").mises[4])


def test_a_saved_run_has_its_stresses(tmp_path):
    (tmp_path / "rod.h5").write_bytes(FILE.read_bytes())
    m = kt.Model("arm")
    rod = m.flexible("rod", tmp_path / "rod.h5", start={"mode1": 1e-6})
    m.joint("A", kt.Revolute(axis="z"), m.ground, rod.at("small"))
    m.save(tmp_path / "arm.yaml")
    again = kt.load(tmp_path / "arm.yaml")
    assert again.bodies["rod"].start == {"mode1": 1e-6}
    assert again.joints["A"].M.X_Bm.p.tolist() == rod.at("small").X_Bm.p.tolist()
    a, b = (kt.simulate(model, until=2e-4, rtol=1e-6) for model in (m, again))
    np.testing.assert_array_equal(a.y, b.y)


def test_a_part_without_a_file_is_not_written(tmp_path):
    m = kt.Model("arm")
    rod = m.flexible("rod", rod_part())
    m.joint("A", kt.Revolute(axis="z"), m.ground, rod.at("big"))
    with pytest.raises(kt.ModelError, match=r"its part is in no file; write it with part\.save"):
        m.save(tmp_path / "arm.yaml")


def test_the_page_and_the_picture_show_the_same_surface(sol):
    scene = scene_of([sol], frames=5, scale=10.0)
    (skin,) = scene.skins
    data = as_json(scene)
    assert data["shades"]["title"] == "von Mises stress (MPa)"
    rows = np.linspace(0, len(sol.t) - 1, 5).round().astype(int)
    want = sol.stress("rod").mises[rows]
    for k in range(5):
        np.testing.assert_allclose(1e6 * skin.values(k), want[k], rtol=1e-9, atol=1.0)
        moved = sol.flexible["rod"].displacement(samples=[rows[k]])[0]
        np.testing.assert_allclose(
            skin.surface(k).corners, skin.nodes + 10.0 * moved, rtol=0, atol=1e-15
        )
    assert {label.name for label in scene.things} >= {"rod", "crank", "piston"}
    assert not [label.name for label in scene.things if "modes" in label.name]
    with pytest.raises(kt.NameNotFound, match="no color named 'heat'"):
        scene_of([sol], color="heat")
