"""Words of users, and the pages about them; names of the interface and of other programs come from
the reference and from `kinetree.synonyms`.
"""

from __future__ import annotations

from typing import NamedTuple


class Concept(NamedTuple):
    """A page, with an anchor if it is a section, its title among the results, and the words that
    find it, separated by commas. `note` explains what the title does not.
    """

    page: str
    title: str
    words: str
    note: str = ""


LIMITS = "evidence/limits#not-available"

CONCEPTS: tuple[Concept, ...] = (
    # mechanisms and tasks
    Concept(
        "tasks/slider-crank",
        "A slider-crank with a flywheel",
        "slider-crank, slider crank mechanism, piston, connecting rod, crankshaft, engine",
    ),
    Concept(
        "recipes/double-wishbone",
        "A double-wishbone suspension",
        "double wishbone, wishbone, a-arm, suspension, hard points, hardpoints, camber, toe, "
        "kinematics and compliance",
    ),
    Concept("tasks/double-wishbone", "Task: a double wishbone", "double wishbone, roll center"),
    Concept(
        "tasks/robot-arm",
        "Task: torques of a robot arm",
        "robot, robot arm, manipulator, inverse dynamics, computed torque, serial robot",
    ),
    Concept(
        "recipes/starts#prescribe-a-whole-pose",
        "Inverse kinematics: prescribe a pose",
        "inverse kinematics, ik, end effector, tool center point, tcp",
        "Prescribe the pose of a body by kt.PoseDriver; kt.kinematics computes the joint angles.",
    ),
    Concept(
        "tutorial/8-robot",
        "Tutorial: a robot",
        "inverse kinematics, forward kinematics, robot, trajectory",
    ),
    Concept(
        "recipes/beam-frames",
        "Frames of beams",
        "frame, beam frame, truss, flexible frame, welded frame, two-storey frame, two-story frame, "
        "multi-storey frame, storey, building frame",
    ),
    Concept(
        "tasks/portal-frame",
        "Task: a portal frame",
        "portal frame, frame, structure, machine foundation",
    ),
    Concept(
        "tasks/inverted-pendulum",
        "Task: an inverted pendulum",
        "inverted pendulum, cart pole, cartpole, segway, balancing",
    ),
    Concept(
        "tutorial/2-four-bar", "Tutorial: the four-bar linkage", "four-bar, linkage, closed loop"
    ),
    Concept("gallery", "Gallery", "gallery, example, examples, demo, models, machines, animation"),
    # elements
    Concept(
        "recipes/motors",
        "Motors and drives",
        "motor, actuator, servo, electric motor, drive, gear motor, torque speed curve, step motor, "
        "torque-speed line, torque-speed characteristic, start-up, startup, run-up, starting torque",
    ),
    Concept(
        "recipes/control",
        "Control",
        "pid, pid controller, pi controller, feedback, control, controller, sampled control, lqr, "
        "anti windup, saturation, discrete controller",
    ),
    Concept(
        "recipes/rigid-contact",
        "Rigid contact",
        "unilateral, impact, restitution, coulomb friction, joint limit, one-way clutch, ratchet, slack "
        "rope, lcp, complementarity, nonsmooth",
    ),
    Concept(
        "recipes/heaps",
        "Heaps, stacks and walls",
        "heap, pile, stack, wall, bricks, granular, hopper, many contacts, dem, contact group, "
        "time stepping, moreau, nonsmooth",
    ),
    Concept(
        "recipes/contact", "Contact", "contact, collision, impact, hertz, penalty contact, ground"
    ),
    Concept(
        "recipes/stops",
        "Stops and friction",
        "friction, coulomb friction, stiction, dry friction, joint friction, stop, joint limit, "
        "end stop, bump stop, backlash",
    ),
    Concept("recipes/events", "Events", "event, zero crossing, bounce, switch, terminate, sensor"),
    Concept(
        "recipes/user-code",
        "User code",
        "user code, callback, custom force, user function, user subroutine, plugin",
    ),
    Concept(
        "hydraulics", "Hydraulics", "hydraulics, cylinder pressure, oil, valve, pump, relief valve"
    ),
    Concept(
        "vehicles", "Vehicles", "vehicle, car, tire, tyre, road, steering, mcpherson, handling"
    ),
    Concept(
        "beams",
        "Beams",
        "beam, flexible body, flexible multibody, finite element, timoshenko, cable beam",
    ),
    Concept(
        "finite-elements",
        "Parts from finite elements",
        "finite element, fem, fe model, mesh, cad, step file, craig-bampton, component mode synthesis, model "
        "reduction, flexible body, modal neutral file, mnf, rbe2, rbe3, stress recovery",
    ),
    Concept(
        "recipes/from-fe-programs",
        "From CalculiX, Abaqus and Nastran",
        "calculix, abaqus, nastran, ansys, dmig, matrix market, stiffness matrix, mass matrix",
    ),
    Concept(
        "flexible-arms",
        "Flexible arms",
        "flexible arm, assumed modes, symbolic equations, code generation, flexible link",
    ),
    # numbers and methods
    Concept(
        "recipes/tolerances",
        "Tolerances",
        "tolerance, accuracy, error, precision, rtol, atol, step size control",
    ),
    Concept(
        "recipes/does-not-assemble",
        "My model does not assemble",
        "assembly, does not assemble, loop does not close, initial position, gap, cannot be assembled",
    ),
    Concept(
        "recipes/slow-runs", "My run is slow", "slow, speed up, performance, stiff, small steps"
    ),
    Concept(
        "theory/5-four-bar",
        "Redundant constraints of the four-bar linkage",
        "redundant, redundancy, redundant constraint, overconstrained, gruebler, grubler, kutzbach, "
        "mobility, degrees of freedom, dof, rank",
        "Redundant constraints are found and reported; the motion is unaffected.",
    ),
    Concept(
        "recipes/reactions",
        "Reactions",
        "reaction, joint force, joint forces, constraint force, bearing load, bearing force, pin force, "
        "support force, force in a joint, reaction force",
    ),
    Concept(
        "theory/6-drift",
        "Constraint drift",
        "drift, constraint violation, projection, stabilization",
    ),
    Concept(
        "theory/7-formulations",
        "Formulations",
        "formulation, lagrange multiplier, dae, index 3, index 2, index 1, null space, augmented",
    ),
    Concept(
        "theory/8-integrators",
        "Integrators",
        "integrator, solver, stability region, stiff, ode solver, time stepping, implicit, explicit",
    ),
    Concept(
        "theory/index",
        "Theory",
        "theory, lagrange, newton euler, equations of motion, multibody dynamics, kane",
    ),
    Concept(
        "how-to-choose",
        "How to choose a method",
        "which integrator, which solver, choose, best solver",
    ),
    Concept(
        "tutorial/0-frames",
        "Frames, markers and signs",
        "frame, coordinate system, marker, sign convention, sign, right hand rule, orientation, "
        "euler angles, rotation, quaternion",
    ),
    Concept(
        "_generated/reference/shapes/mass",
        "kt.mass: center of mass beside the axis",
        "unbalance, imbalance, unbalanced rotor, rotating unbalance, eccentricity",
        "An unbalanced rotor has its center of mass beside its axis: com= of kt.mass.",
    ),
    Concept("notation", "Notation", "notation, symbol, unit, units, si, gravity, axes"),
    Concept(
        "recipes/studies",
        "Parameter studies",
        "study, sweep, parameter study, monte carlo, parallel",
    ),
    Concept(
        "files",
        "Models and results as files",
        "yaml, json, file, netcdf, save, export, csv, hdf5, export csv, csv export, save results, "
        "export results, excel",
    ),
    Concept(
        "viewer",
        "Pictures and animations",
        "viewer, animation, video, gif, picture, 3d, render, stl",
    ),
    Concept(
        "live",
        "Pages that compute, and the studio",
        "playground, interactive page, web page, webassembly, wasm, slider, sliders, studio, live",
    ),
    # about the package
    Concept("citing", "Citing Kinetree", "cite, citing, citation, bibtex, reference, doi"),
    Concept("glossary", "Glossary", "glossary, term, terms, definition, synonym, vocabulary"),
    Concept("install", "Install", "install, installation, pip, conda, requirements"),
    Concept("cheat-sheet", "Cheat sheet", "cheat sheet, cheatsheet, summary, quick reference"),
    Concept("faq", "Frequently asked questions", "faq, question, questions, help"),
    Concept(
        "evidence/validation",
        "Validation",
        "validation, verification, benchmark, test, accuracy, iftomm",
    ),
    Concept("evidence/performance", "Performance", "performance, speed, cpu time, benchmark, fast"),
    Concept(
        "why-kinetree",
        "Why Kinetree",
        "why, compare, comparison, alternatives, drake, pydy, adams, exudyn, mujoco, chrono, simpack, "
        "recurdyn, simscape, modelica, openmodelica, pybullet, mbdyn",
    ),
    Concept(
        "coming-from/adams", "Coming from Adams", "adams, msc adams, dads, recurdyn, simpack, adm"
    ),
    Concept("coming-from/exudyn", "Coming from Exudyn", "exudyn"),
    Concept("coming-from/mujoco", "Coming from MuJoCo", "mujoco, mjcf, mjx"),
    Concept(
        "coming-from/simscape", "Coming from Simscape", "simscape, simmechanics, simulink, matlab"
    ),
    Concept(
        "recipes/fmu",
        "Export to Simulink, Modelica tools and test benches",
        "fmu, fmi, functional mock-up, co-simulation, cosimulation, model exchange, simulink, modelica, "
        "hardware in the loop, hil",
    ),
    Concept("coming-from/fmu", "Use an FMU in a model", "import fmu, fmu import, load fmu, fmu"),
    Concept(
        "recipes/embed-in-c",
        "Embed in C",
        "c code, c library, embedded, real time, code generation",
    ),
    Concept(
        "coming-from/urdf",
        "Coming from URDF",
        "urdf, sdf, sdformat, ros, robot file, xacro, gazebo",
    ),
    Concept(
        "recipes/parts-from-files",
        "Parts from files",
        "cad, cad import, step file, stl, obj, mesh file, import",
    ),
    # what does not exist
    Concept(
        LIMITS,
        "Limits: no shells, no modal neutral files",
        "shell, plate, op2, sub file, mnf file",
        "Limits lists ways round it.",
    ),
    Concept(
        LIMITS,
        "Limits: no GPU, no guaranteed real time",
        "gpu, cuda, jax",
        "Limits lists ways round it.",
    ),
    Concept(
        LIMITS,
        "Limits: no adjoints, no optimization of trajectories",
        "adjoint, optimal control, trajectory optimization, direct collocation",
        "Limits lists ways round it.",
    ),
    Concept(
        LIMITS,
        "Limits: contact of meshes",
        "mesh contact, nonconvex",
        "Limits lists ways round it.",
    ),
)

# words for names of the interface, besides those of kinetree.synonyms
FOR_NAMES = {
    "modes": "eigenfrequency, natural frequency, eigenvalue, eigenmode, mode shape, vibration, "
    "resonance, modal analysis, damping ratio",
    "vibrations": "eigenfrequency, natural frequency, mode shape, vibration of beams",
    "mass": "center of mass, centre of mass, center of gravity, cog, com, inertia, inertia tensor, "
    "moment of inertia, moments of inertia, mass moment of inertia",
    "rotor": "flywheel, fly wheel",
    "buckling": "buckling, critical load, euler load",
    "deflect": "deflection, static deflection, bending",
    "equilibrium": "static equilibrium, statics, trim, preload",
    "linearize": "linearization, state space, transfer function, frequency response, bode",
    "simulate": "simulation, time integration, until",
    "sensitivities": "sensitivity analysis, derivative, gradient, design sensitivity, automatic "
    "differentiation, dual numbers",
}

# places of names of kinetree.synonyms that are no objects of the interface
PLACES = {
    "beam": "beams",
    **dict.fromkeys(
        ("step", "max_step", "output_interval", "rtol", "atol", "until"),
        "_generated/reference/options",
    ),
}
