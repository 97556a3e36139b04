"""Models of the tests, and their engines in node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import kinetree as kt
from kinetree.exchange.playground.machine import Machine
from kinetree.exchange.playground.page import page_data
from kinetree.exchange.playground.sliders import sliders_of

WEB = Path(kt.__file__).parent / "exchange" / "playground" / "web"
NODE = shutil.which("node")


def four_bar(crank: float = 0.5, mass: float = 0.5, stiffness: float = 4.0) -> kt.Model:
    """A four-bar linkage with a spring at its crank."""
    m = kt.Model("four-bar", gravity=(0, 0, -9.81))
    first = m.body("crank", kt.rod(mass=mass, length=crank, along="x"))
    coupler = m.body("coupler", kt.rod(mass=1.0, length=1.2, along="x"))
    rocker = m.body("rocker", kt.rod(mass=0.75, length=0.75, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground.at(0, 0, 0), first.end("-"))
    m.joint("B", kt.Revolute(axis="y"), first.end("+"), coupler.end("-"))
    m.joint("C", kt.Revolute(axis="y"), coupler.end("+"), rocker.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.1, 0, 0), rocker.end("-"))
    m.force("spring", kt.TorsionSpring("A.angle", stiffness=stiffness))
    return m


def machine(make, sliders, **options) -> Machine:
    return Machine(sliders_of(make, sliders, None), options)


def in_node(made: Machine, folder: Path, script: str):
    """Run a script with `engine` in node; returns what it passes to `done`."""
    (folder / "engine.mjs").write_text((WEB / "engine.js").read_text("utf-8"), "utf-8")
    (folder / "machine.json").write_text(json.dumps(page_data(made, None)), "utf-8")
    (folder / "run.mjs").write_text(
        "import fs from 'fs';\n"
        "import {Engine} from './engine.mjs';\n"
        "const data = JSON.parse(fs.readFileSync('machine.json', 'utf-8'));\n"
        "const engine = await Engine.made(data);\n"
        "const done = found => console.log(JSON.stringify(found));\n" + script,
        "utf-8",
    )
    run = subprocess.run([NODE, "run.mjs"], cwd=folder, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
