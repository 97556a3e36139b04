"""Steps of an exported C library beside MuJoCo's: an arm of six links, read by both from one URDF file.

Both use the Runge-Kutta method of order four with the same step, so that their errors are equal, and
both step in C: a loop around `<name>_step` in one call, and MuJoCo's `rollout` in one call. `ours_adams`
is the same run with adaptive steps. There are no geometries, so that MuJoCo has no contacts to look for.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import kinetree as kt
from common import best_of, told

LINKS, STEP, STEPS = 6, 1e-3, 1000
UNTIL = STEPS * STEP  # s
BENT = 0.4  # rad, by which each link is turned at the start
DAMPING = 0.05  # N m s/rad
METHODS = {
    "ours_rk4": {"integrator": "rk4", "step": STEP},
    "ours_adams": {"integrator": "adams", "rtol": 1e-8},
}
LOOP = """
#include "{name}.h"
int run(double *q, double step, int steps) {{
    static {name} *m;
    if (!m) m = {name}_new();
    else {name}_reset(m);
    int status = 0;
    for (int k = 1; k <= steps && !status; k++) status = {name}_advance(m, k * step);
    for (int k = 0; k < {links}; k++) q[k] = {name}_state(m)[k];
    return status;
}}
long evaluations(void) {{
    {name} *m = {name}_new();
    {name}_advance(m, {until});
    long count = {name}_evaluations(m);
    {name}_free(m);
    return count;
}}
"""


def urdf() -> str:
    """An arm whose axes alternate between y, z and x."""
    lines = ['<robot name="arm"><link name="base"/>']
    for k in range(LINKS):
        mass, axis = 4.0 / (k + 1), ("0 1 0", "0 0 1", "1 0 0")[k % 3]
        i = mass * 0.3**2 / 12.0
        inertia = f'ixx="{i}" iyy="{i}" izz="{i / 20}" ixy="0" ixz="0" iyz="0"'
        lines.append(
            f'<link name="link{k}"><inertial><origin xyz="0.02 0 -0.15"/><mass value="{mass}"/>'
            f"<inertia {inertia}/></inertial></link>"
            f'<joint name="joint{k}" type="continuous"><axis xyz="{axis}"/>'
            f'<parent link="{f"link{k - 1}" if k else "base"}"/><child link="link{k}"/>'
            f'<origin xyz="0 0 {-0.3 if k else 0}" rpy="{BENT} {BENT} 0"/><dynamics damping="{DAMPING}"/></joint>'
        )
    return "\n".join([*lines, "</robot>"])


def library(path: Path, folder: Path, name: str, options: dict[str, Any]) -> ctypes.CDLL:
    """The C library of the arm and a loop around its steps, compiled by the compiler of this computer."""
    kt.export_c(kt.load_robot(path), folder, name=name, until=UNTIL, **options)
    (folder / "loop.c").write_text(LOOP.format(name=name, links=LINKS, until=UNTIL))
    sources = [folder / "loop.c", folder / f"{name}.c", next((folder / "lib").glob("*/*.a"))]
    command = [compiler() or "cc", "-O2", "-shared", "-fPIC", "-o", folder / "loop.so", *sources]
    subprocess.run([*command, "-lm"], check=True)
    return ctypes.CDLL(str(folder / "loop.so"))


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def ours(path: Path, folder: Path, name: str, options: dict) -> Callable[[], np.ndarray]:
    code, q = library(path, folder / name, name, options), np.zeros(LINKS)

    def run() -> np.ndarray:
        steps = STEPS if name == "ours_rk4" else 1
        at = ctypes.c_void_p(q.ctypes.data)
        if code.run(at, ctypes.c_double(UNTIL / steps), ctypes.c_int(steps)):
            raise RuntimeError(f"the run of {name} failed")
        return q

    return run


def mujoco_run(path: Path, step: float, steps: int) -> Callable[[], np.ndarray]:
    import mujoco
    from mujoco import rollout

    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep, model.opt.integrator = step, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros(size)
    mujoco.mj_getState(model, data, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)

    def run() -> np.ndarray:
        states, _ = rollout.rollout(model, data, start, nstep=steps)
        return states[0, -1, 1 : 1 + LINKS]

    return run


def rows(repeat: int) -> list[dict]:
    """One row for each program and method."""
    folder = Path(tempfile.mkdtemp(prefix="kinetree-steps-"))
    path = folder / "arm.urdf"
    path.write_text(urdf())
    told("C libraries of the arm")
    runs = {name: ours(path, folder, name, options) for name, options in METHODS.items()}
    runs["mujoco_rk4"] = mujoco_run(path, STEP, STEPS)
    converged = kt.simulate(kt.load_robot(path), UNTIL, rtol=1e-12, atol=1e-13).q[-1]
    fine = mujoco_run(path, STEP / 10, 10 * STEPS)()
    told(
        f"the converged angles of both programs differ by {np.abs(converged - fine).max():.1e} rad"
    )
    errors = {name: float(np.abs(run() - converged).max()) for name, run in runs.items()}
    best = best_of(runs, repeat)
    shutil.rmtree(folder)
    return [
        {
            "run": name,
            "microseconds": seconds * 1e6,
            "microseconds_per_step": None if name == "ours_adams" else seconds * 1e6 / STEPS,
            "over_mujoco": best["mujoco_rk4"] / seconds,
            "error": errors[name],
        }
        for name, seconds in best.items()
    ]
