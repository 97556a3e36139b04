"""Names of other programs lead to ours, in Python, in files and at the command line."""

import inspect
import re
from pathlib import Path

import pytest

import kinetree as kt
from kinetree.alternatives import SENTENCES
from kinetree.description.files.declared import families
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.catalogue import INTEGRATORS
from kinetree.errors import suggestion
from kinetree.synonyms import NAMES, called_here, plain

ROOT = Path(__file__).resolve().parents[2]


def known() -> set[str]:
    members = {name for family in families().values() for name in family}
    options = {option.name for method in (*FORMULATIONS, *INTEGRATORS) for option in method.options}
    return {
        *kt.__all__,
        *members,
        *options,
        *inspect.signature(kt.simulate).parameters,
        *(entry.name for entry in (*FORMULATIONS, *INTEGRATORS)),
    }


def test_every_one_of_our_names_exists():
    assert [name for name in NAMES if name not in known()] == []


def test_every_joint_force_and_constraint_that_others_have_is_found_by_another_name():
    missing = [
        name
        for family in ("joint", "constraint", "force")
        for name in families()[family]
        if name not in NAMES
    ]
    assert missing == []


@pytest.mark.parametrize(
    "other, ours",
    [
        ("Prismatic", "Translational"),
        ("PrismaticJoint", "Translational"),
        ("Slider", "Translational"),
        ("Hinge", "Revolute"),
        ("hinge_joint", "Revolute"),
        ("Weld", "Fixed"),
        ("Motor", "Driver"),
        ("TSDA", "SpringDamper"),
        ("RSDA", "TorsionSpring"),
        ("Ball", "Spherical"),
        ("Hooke", "Universal"),
        ("Cardan", "Universal"),
        ("Floating", "Free"),
        ("Helical", "Screw"),
        ("Spring", "SpringDamper"),
        ("Tire", "Tyre"),
        ("RigidBody", "mass"),
        ("System", "Model"),
        ("Moment", "Torque"),
        ("STEP", "SmoothStep"),
    ],
)
def test_python_says_what_it_is_called_here(other, ours):
    with pytest.raises(AttributeError, match=f"'{other}' is called .*'{ours}'.* here"):
        getattr(kt, other)


@pytest.mark.parametrize(
    "section, other, words",
    [
        ("joints", "Prismatic", "'Prismatic' is called 'Translational' here"),
        ("joints", "Hinge", "'Hinge' is called 'Revolute' here"),
        ("joints", "Weld", "'Fixed'"),
        ("constraints", "Motor", "'Motor' is called 'Driver' here"),
        ("forces", "TSDA", "'SpringDamper'"),
        ("forces", "Motor", "'TorsionSpring'"),
        ("joints", "Bushing", "'Bushing' is a force: put it into the section 'forces'"),
        ("joints", "Motor", "called 'Driver' here, a constraint"),
        ("forces", "Gear", "a constraint: put it into the section 'constraints'"),
        ("bodies", "Cuboid", "'box'"),
        ("forces", "Vforce", "'PointForce'"),
    ],
)
def test_files_say_what_it_is_called_here(section, other, words, tmp_path):
    (tmp_path / "m.yaml").write_text(f"{section}:\n  a: {{type: {other}}}\n")
    with pytest.raises(kt.ModelError, match=r"^m.yaml:2: ") as refused:
        kt.load(tmp_path / "m.yaml")
    assert words in str(refused.value)


def test_methods_of_other_programs_lead_to_ours():
    for other, ours, names in (
        ("ode45", "dopri5", INTEGRATORS),
        ("HHT", "generalized-alpha", INTEGRATORS),
        ("gstiff", "bdf", INTEGRATORS),
        ("LSODA", "switching", INTEGRATORS),
        ("Lagrange multipliers", "augmented", FORMULATIONS),
        ("coordinate partitioning", "partitioning", FORMULATIONS),
    ):
        assert f"is called {ours!r} here" in suggestion(other, [entry.name for entry in names])
    m = kt.Model("m")
    with pytest.raises(kt.ModelError, match="'ode45' is called 'dopri5' here"):
        kt.simulate(m, 1.0, integrator="ode45")
    m.joint("h", kt.Revolute("y"), m.ground, m.body("rod", kt.rod(1.0, 1.0)).end("-"))
    with pytest.raises(kt.ModelError, match=r"'dt' is called .*'max_step'.*'output_interval' here"):
        kt.simulate(m, 1.0, dt=0.1)


def test_names_that_are_only_misspelt_are_corrected_as_before():
    assert called_here("Revolut", kt.__all__) == [] and "Did you mean 'Revolute'?" in suggestion(
        "Revolut", kt.__all__
    )


# names of Adams, Exudyn, MuJoCo, Drake, Simscape, Chrono, Modelica and PyBullet
OTHERS = {
    "CreateRevoluteJoint": "'Revolute'",
    "RevoluteJoint2D": "'Revolute'",
    "ChLinkLockRevolute": "'Revolute'",
    "RevoluteJoint": "'Revolute'",
    "CreatePrismaticJoint": "'Translational'",
    "ChLinkLockPrismatic": "'Translational'",
    "LeadScrewJoint": "'Screw'",
    "SixDofJoint": "'Free'",
    "freejoint": "'Free'",
    "CreateRigidBody": "'mass'",
    "ChBodyEasyBox": "'box'",
    "BrickSolid": "'box'",
    "ChLinkTSDA": "'SpringDamper'",
    "CreateSpringDamper": "'SpringDamper'",
    "SpringDamperParallel": "'SpringDamper'",
    "Bistop": "'BumpStop'",
    "Sforce": "'PointForce'",
    "Coupler": "'Coupling'",
    "IdealGear": "'Gear'",
    "tendon": "'Cable'",
    "MultibodyPlant": "'Model'",
    "MjModel": "'Model'",
    "ChSystem": "'Model'",
    "SolveStatic": "'equilibrium'",
    "calculateInverseDynamics": "'inverse_dynamics'",
    "Flywheel": "'rotor'",
    "ALEANCFCable2D": "'Model.beam'",
    "PID": "'Controller'",
    "Ground": "m.ground",
    "World": "m.ground",
    "Joint": "m.joint",
    "createConstraint": "m.joint",
    "Inertia": "m.body",
    "RigidTransform": "body.at",
    "Request": "sol.names()",
    "getJointState": "sol.names()",
    "Gravity": "gravity=",
    "Solver": "integrator=",
    "mj_step": "kt.simulate",
    "stepSimulation": "kt.simulate",
    "DCMotor": "docs/recipes/motors.md",
    "setJointMotorControl2": "docs/recipes/motors.md",
    "ChLinkMotorRotationSpeed": "docs/recipes/motors.md",
    "armature": "kt.rotor",
    "LQR": "docs/recipes/control.md",
    "LeafSystem": "kt.Controller",
    "DoubleWishbone": "kinetree.models.vehicles",
    "McPherson": "kinetree.models.vehicles",
    "inverse_kinematics": "kt.PoseDriver",
    "NaturalFrequencies": "kt.vibrations",
    "FMU": "docs/recipes/fmu.md",
    "URDF": "docs/coming-from/urdf.md",
    "load_urdf": "docs/files.md",
    "MJCF": "docs/files.md",
    "CraigBampton": "docs/finite-elements.md",
    "SuperElement": "m.flexible",
    "Flexbody": "docs/recipes/beam-frames.md",
    "SpatialContactForce": "docs/recipes/contact.md",
    "HydroelasticContact": "docs/recipes/contact.md",
    "geom": "kt.Contact",
    "sweep": "docs/recipes/studies.md",
    "optimizer": "docs/recipes/studies.md",
    "LuGre": "kt.JointFriction",
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_name_of_another_program_leads_to_ours_or_to_a_page(other):
    with pytest.raises(AttributeError) as refused:
        getattr(kt, other)
    assert OTHERS[other] in str(refused.value) and "Did you mean" not in str(refused.value)


def test_sentences_about_other_names_mention_only_pages_and_names_that_exist():
    for text in SENTENCES.values():
        pages = re.findall(r"docs/[\w/-]+\.md", text)
        assert [page for page in pages if not (ROOT / page).exists()] == []
        names = re.findall(r"kt\.(\w+)", text)
        assert [name for name in names if name not in kt.__all__] == []


def test_a_name_leads_to_one_sentence_only():
    names = [plain(name) for names in SENTENCES for name in names.split()]
    assert sorted(names) == sorted(set(names))
