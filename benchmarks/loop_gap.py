"""How far the loop of a four-bar opens, and how well its energy is kept: Kinetree and MuJoCo.

No times. The four-bar of the landing page falls from rest for 5 s. In MuJoCo its loop is closed by a
`connect` constraint, which is soft by design: with default settings, and as stiff as its manual
recommends for small steps (`solref` of two steps).
"""

import numpy as np

import kinetree as kt
from common import arguments, show

UNTIL = 5.0
STEPS = (2e-3, 1e-3, 1e-4)  # s; the first is MuJoCo's default
ROD = '<inertial pos="{c}" mass="{m}" diaginertia="1e-6 {i} {i}" quat="{q}"/>'


def four_bar() -> kt.Model:
    m = kt.Model("four-bar linkage")
    crank = m.body("crank", kt.rod(mass=0.5, length=0.5, along="x"))
    coupler = m.body("coupler", kt.rod(mass=1.0, length=1.2, along="x"))
    rocker = m.body("rocker", kt.rod(mass=0.75, length=0.75, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, crank.end("-"))
    m.joint("B", kt.Revolute(axis="y"), crank.end("+"), coupler.end("-"))
    m.joint("C", kt.Revolute(axis="y"), coupler.end("+"), rocker.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.1, 0, 0), rocker.end("-"))
    return m


def ours() -> dict:
    sol = kt.simulate(four_bar(), until=UNTIL, rtol=1e-8)
    return {
        "program": "kinetree",
        "step": None,
        "gap": float(sol.constraint_error.max()),
        "energy": float(np.ptp(sol.energy.total) / sol.energy.kinetic.max()),
    }


def rod(name: str, start, end, mass: float, inside: str = "") -> str:
    """One rod from `start` to `end` in world axes, as MJCF with a hinge about y at its start."""
    along = np.asarray(end) - np.asarray(start)
    length, half = float(np.hypot(*along)), 0.5 * float(np.arctan2(-along[1], along[0]))
    c = f"{along[0] / 2} 0 {along[1] / 2}"
    q = f"{np.cos(half)} 0 {np.sin(half)} 0"
    inertial = ROD.format(c=c, m=mass, i=mass * length**2 / 12.0, q=q)
    tip = f'<site name="{name}" pos="{along[0]} 0 {along[1]}"/>'
    return f'{inertial}<joint name="{name}" type="hinge" axis="0 1 0"/>{tip}{inside}'


def mjcf(step: float, stiff: bool) -> str:
    """The same linkage at its assembled start; the loop is cut at C."""
    sol = kt.simulate(four_bar(), until=1e-6)
    B, C = (sol[f"{name}.end+.position"][0, [0, 2]] for name in ("crank", "coupler"))
    A, D = np.zeros(2), np.array([1.1, 0.0])
    coupler = f'<body pos="{B[0]} 0 {B[1]}">{rod("coupler", B, C, 1.0)}</body>'
    solref = f'solref="{2 * step} 1" solimp="0.9999 0.9999 0.001"' if stiff else ""
    return (
        f'<mujoco><option timestep="{step}"><flag energy="enable"/></option>'
        f"<worldbody><body>{rod('crank', A, B, 0.5, coupler)}</body>"
        f'<body pos="1.1 0 0">{rod("rocker", D, C, 0.75)}</body></worldbody>'
        f'<equality><connect site1="coupler" site2="rocker" {solref}/></equality></mujoco>'
    )


def mujoco(step: float, stiff: bool) -> dict:
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf(step, stiff))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    gap, kinetic, energy = 0.0, 0.0, []
    for _ in range(round(UNTIL / step)):
        mujoco.mj_step(model, data)
        gap = max(gap, float(np.linalg.norm(np.subtract(*data.site_xpos[1:3]))))
        energy.append(data.energy.sum())
        kinetic = max(kinetic, data.energy[1])
    name = "mujoco, stiff" if stiff else "mujoco, default"
    return {
        "program": name,
        "step": step,
        "gap": gap,
        "energy": float(np.ptp(energy) / kinetic),
    }


def main() -> None:
    options = arguments(__doc__.partition("\n")[0])
    rows = [ours(), *(mujoco(step, stiff) for stiff in (False, True) for step in STEPS)]
    show(
        rows, options.json, "gap: largest opening of the loop in m; energy: range over peak kinetic"
    )


if __name__ == "__main__":
    main()
