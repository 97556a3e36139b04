"""Names of other programs that are no public name of Kinetree: what to use instead, and the page
that shows how. The error about an unknown attribute of `kinetree` uses this table.

Names are compared as in `synonyms.py`. A sentence may add to a name of Kinetree ('Motor' is called
'Driver' here), or stand alone.
"""

from __future__ import annotations

from .synonyms import forms, plain

_FLEXIBLE = (
    "Parts from finite elements: kt.fe.read, kt.fe.mesh or kt.fe.matrices, then .reduce(...) and "
    "m.flexible(name, part): see docs/finite-elements.md. Plates and shells are not available; "
    "beams are m.beam with a kt.Section: see docs/recipes/beam-frames.md."
)
_EXCHANGE = (
    "kt.load reads robot files (URDF, MJCF, SDF) and model files in YAML, kt.solid CAD files, "
    "kt.load_fmu FMUs; kt.export_fmu writes FMUs, kt.export_c C libraries, model.to_urdf URDF: see "
    "docs/coming-from/urdf.md, docs/coming-from/mujoco.md, docs/recipes/fmu.md and docs/files.md."
)
_CONTACT = (
    "Contact between shapes is m.contact(name, kt.shapes.HalfSpace().on(m.ground), "
    "kt.shapes.Ball(0.1).on(body), kt.Contact(...)): see docs/recipes/contact.md."
)
_STUDY = "kt.Study runs many cases, kt.optimize searches: see docs/recipes/studies.md."
_MOTOR = "Motors with a law or a controller: see docs/recipes/motors.md."
_VEHICLE = (
    "Suspensions are in kinetree.models.vehicles: see docs/recipes/double-wishbone.md and "
    "docs/vehicles.md."
)
_GROUND = "The ground is m.ground of a model m = kt.Model(...); m.ground.at(x, y, z) is a point."
_CONTROL = "Write the law as a kt.Controller: see docs/recipes/control.md."
_CHANNEL = 'Results are channels of the solution: sol["A.angle"]; sol.names() lists them.'
_BODY = "Bodies are added to a model with m.body(name, shape); shapes are kt.rod, kt.box, kt.mass."
_JOINT = "Joints are added to a model with m.joint(name, kt.Revolute(...), parent, child)."
_FREQUENCIES = "Natural frequencies: kt.modes, with beams kt.vibrations."

# names of others: the sentence
SENTENCES = {
    "ground world worldframe groundbody creategroundbody fixedbase": _GROUND,
    "fmu fmi fmu2 fmu3 exportfmu loadfmu importfmu cosimulation slavefmu urdf loadurdf mjcf sdf "
    "loadsdf loadmjcf usd cad parser xmlparser simdocument importer": _EXCHANGE,
    "craigbampton ffrf superelement reducedorderflexiblesolid finiteelement finiteelements fem "
    "shell plate solidelement flexbody flexiblebody mnf modalbody modalsuperposition flex "
    "objectffrf objectffrfreducedorder componentmodesynthesis": _FLEXIBLE,
    "contact collision collide contactmaterial contactspheresphere hydroelasticcontact "
    "spatialcontact contactmodel geom geometry mesh collisionshape hertzian": _CONTACT,
    "optimize optimise optimizer optimization sweep study designstudy parametersweep doe "
    "parametervariation geneticoptimization montecarlo": _STUDY,
    "motor dcmotor servo actuator jointactuator linkmotorrotationspeed linkmotorlinearspeed "
    "setjointmotorcontrol2 setjointmotorcontrol torquespeed torquespeedcurve electricmotor "
    "motorrotationspeed motorrotationtorque motorlinearspeed motorlinearforce motorlinearposition "
    "linearmotor muscle motion": _MOTOR,
    "clutch brake": "Brakes and clutches: kt.JointFriction, or a kt.TorsionSpring with a law(t, x, "
    "xdot): see docs/recipes/motors.md.",
    "quaternion rotation rotationmatrix eulerangles": "Rotations are arguments: rotation=('zyx', "
    "(yaw, pitch, roll)), or a quaternion (w, x, y, z): see docs/notation.md.",
    "kinematictree articulation": "Every model is a kinematic tree with coordinates='relative', "
    "the default.",
    "doublewishbone mcpherson macpherson suspension multilink tierod trackrod controlarm "
    "twistbeam": _VEHICLE,
    "pid lqr mpc pidcontroller leafsystem diagrambuilder transferfunction": _CONTROL,
    "request measure getjointstate site jointsensor sensordata result results mjdata "
    "outputvariable": _CHANNEL,
    "createmultibody bodyshape spatialinertia inertia addbody addrigidbody": _BODY,
    "joint addjoint genericjoint createconstraint connect linklock addlink": _JOINT,
    "armature": "The inertia of a rotor behind a gear is inertia= of m.joint; the rotor as a body is "
    "a kt.rotor with a kt.Gear: see docs/recipes/motors.md.",
    "gimbal": "Three rotations about one point: kt.Spherical, or kt.Universal with a kt.Revolute.",
    "telescoping": "A rotation in all directions and a slide: kt.PointOnLine.",
    "pinslot": "A pin in a slot: kt.PointOnLine, or kt.Planar with one coordinate driven.",
    "gravity": "Gravity belongs to the model: kt.Model(name, gravity=(0, 0, -9.81)).",
    "eigenfrequency eigenfrequencies naturalfrequency naturalfrequencies frequencies "
    "modeshapes": _FREQUENCIES,
    "inversekinematics ik calculateinversekinematics": "Prescribe the pose with kt.PoseDriver and "
    "call kt.kinematics: see docs/recipes/starts.md.",
    "stepsimulation mjstep dostep": "A run is one call, kt.simulate; kt.Stepper advances step by "
    "step from Python: see docs/recipes/step-by-step.md.",
    "solver simulator solversettings": "Integrators are chosen by name: kt.simulate(m, 1.0, "
    'integrator="switching"); see docs/how-to-choose.md.',
    "rigidtransform fixedtranslation frame referenceframe": "A frame on a body is a marker: "
    "body.at(x, y, z, rotation).",
    "plot": 'Plots are methods of the solution: sol.plot("A.angle").',
    "stl obj": 'Parts from meshes: kt.solid("part.stl", density=7850), see '
    'docs/recipes/parts-from-files.md; for pictures alone look=kt.look.mesh("arm.stl").',
    "lugre stribeck": "Friction with a Stribeck curve: kt.JointFriction; see docs/recipes/stops.md.",
    "resistor capacitor inductor": "Electric circuits are states of a kt.Controller: see "
    "docs/recipes/motors.md.",
    "chain sprocket": "A chain drive couples two angles: kt.Gear or kt.Coupling; a rope is kt.Cable.",
    "transient quasistatic": "Use kt.simulate for motions, kt.equilibrium for rest positions, "
    "kt.kinematics for prescribed motions.",
}
_BY_NAME = {plain(name): text for names, text in SENTENCES.items() for name in names.split()}


def alternative(name: str) -> str:
    """The sentence about a name of another program; empty if there is none."""
    return next((_BY_NAME[form] for form in forms(name) if form in _BY_NAME), "")
