"""The heaps of `contact.py` in MuJoCo: every solver with default and with stiff contacts."""

from collections.abc import Callable

STIFF = 'solref=".004 1" solimp=".99 .999 .0001"'
SOLVERS = {
    "elliptic": 'cone="elliptic"',
    "pyramidal": 'cone="pyramidal"',
    "CG": 'cone="elliptic" solver="CG"',
    "PGS": 'cone="elliptic" solver="PGS"',
}
MANY = 300  # bodies from which Newton's method is left out, which takes ten times as long there


def text(scene, options: str, contact: str) -> str:
    """The scene as a model file."""
    geom = f'friction="0.5 0 0" condim="3" {contact}'
    planes = [((0, 0, 1), (0.0, 0.0, 0.0))]
    if scene.walls is not None:
        for n in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
            planes.append((n, tuple(-scene.walls * k for k in n)))
    parts = [
        f'<geom type="plane" size="9 9 .1" pos="{p[0]} {p[1]} {p[2]}" zaxis="{n[0]} {n[1]} {n[2]}" {geom}/>'
        for n, p in planes
    ]
    kind = "sphere" if len(scene.half) == 1 else "box"
    size = " ".join(map(str, scene.half))
    parts += [
        f'<body pos="{x} {y} {z}"><freejoint/>'
        f'<geom type="{kind}" size="{size}" mass="{scene.mass}" {geom}/></body>'
        for x, y, z in scene.x
    ]
    return (
        f'<mujoco><option gravity="0 0 -9.81" timestep="0.002" {options}/><size memory="900M"/>'
        f"<worldbody>{''.join(parts)}</worldbody></mujoco>"
    )


def settings(scene) -> dict[str, Callable[[int], float]]:
    """Per setting, a function that takes so many steps and returns the depth at the end (mm)."""
    import mujoco

    found: dict[str, Callable[[int], float]] = {}
    for solver, options in SOLVERS.items():
        for kind, contact in (("", ""), (" stiff", STIFF)):
            if len(scene.x) > MANY and solver in ("elliptic", "pyramidal"):
                continue
            if len(scene.half) > 1 and solver in ("CG", "PGS"):
                continue
            model = mujoco.MjModel.from_xml_string(text(scene, options, contact))

            def run(steps: int, model=model) -> float:
                data = mujoco.MjData(model)
                mujoco.mj_step(model, data, steps)
                return -1e3 * float(data.contact.dist[: data.ncon].min()) if data.ncon else 0.0

            found[solver + kind] = run
    return found
