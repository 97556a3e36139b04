"""Names of other programs and textbooks, and the names of Kinetree for them; errors about unknown
names use this table.

Names are compared without capitals and signs, and without the words joint, constraint, force and
element at the end: HingeJoint, hinge_joint and Hinge are equal. A name that is not found is compared
again without the prefixes of other programs (CreateRevoluteJoint, ChLinkTSDA). A name may belong to several names
of Kinetree; an error lists those that are allowed at its position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# name of Kinetree: names of others
NAMES = {
    # joints
    "Revolute": "hinge pin pivot rotary rotational rotation turning swivel bearing rev",
    "Translational": "prismatic slider slide sliding linear linearguide rail trans telescope "
    "telescopic translation",
    "Spherical": "ball ballsocket ballandsocket socket spheric balljoint pointtopoint coincident "
    "rose rodend",
    "Cylindrical": "cyl slidinghinge revoluteprismatic cylindric",
    "Universal": "hooke hookes cardan cardanic ujoint univ gimbal2",
    "Fixed": "weld welded rigid rigidconnection lock locked bracket bonded fix clamp clamped "
    "rigidattach glue",
    "Free": "floating float sixdof 6dof freeflyer freebody bushing6 cartesian6 floatingbase "
    "rootfree",
    "Planar": "plane planarmotion inplanemotion ebene",
    "PlanarTranslational": "rectangular xytable xy gantry twoslides",
    "SpatialTranslational": "xyz threeslides translational3 cartesian3 cartesian",
    "Screw": "helical helix leadscrew ballscrew screwnut",
    "VariableScrew": "varyingpitch variablepitch variablelead barrelcam",
    "PointOnLine": "inline pointline slot pininslot",
    "PointOnCurve": "pointcurve ptcv wire bead track curveslider slideroncurve cam spline",
    "PointOnPlane": "inplane pointplane pointonsurface pointinplane",
    # constraints
    "Driver": "motor motion actuator prescribedmotion jointmotion rotationalmotor linearmotor "
    "motorrotation motorposition "
    "positionactuator servo rheonomic drivenmotion coordinatedriver prescribe",
    "PoseDriver": "generalmotion prescribedpose motionimposed sixdofmotion posemotion",
    "Distance": "rigidlink masslesslink masslessrod compositejoint linkdistance fixeddistance "
    "strutrigid",
    "Rolling": "rollingdisc rollingdisk rollwithoutslip rollingwithoutslip nonholonomic pureroll "
    "rollingball rollingwheel rollingjoint",
    "KnifeEdge": "skate blade sleigh chaplygin noslip noslide",
    "Coupling": "coupler coordinatecoupling relation equality",
    "Gear": "gearpair gears commongear spurgear gearratio",
    "RackAndPinion": "rackpinion rack pinion",
    "PlanetaryGear": "planetary epicyclic epicyclicgear sunplanet",
    "Differential": "differentialgear diffgear",
    # forces
    "SpringDamper": "tsda spring damper springs dashpot linearspring linearspringdamper "
    "translationalspring "
    "translationalspringdamper coilspring shock shockabsorber spdp pointspring springdashpot "
    "kelvinvoigt strut",
    "TorsionSpring": "rsda torsionalspring torsionalspringdamper torsionspringdamper "
    "rotationalspring rotationalspringdamper "
    "rotspring jointspring clockspring torsion torsionbar motortorque jointtorque motor actuator",
    "Bushing": "bush field mount rubbermount generalizedspring genericspring sixdofspring "
    "rigidbodyspringdamper matrixspring "
    "compliant flexiblejoint",
    "BumpStop": "bistop stop endstop elasticstop impact bumper",
    "JointStop": "jointlimit hardstop limitstop limit range rangelimit",
    "OneWayClutch": "freewheel sprag spragclutch overrunningclutch backstop onewaybearing",
    "Ratchet": "pawl ratchetandpawl detent",
    "RigidContact": "unilateral nonsmoothcontact hardcontact newtonimpact coulombcontact",
    "Rope": "string tether inextensiblecable unilateraldistance slackcable",
    "GearMesh": "gearforce gearpair meshstiffness backlash gearcontact toothcontact elasticgear",
    "Belt": "beltdrive chain chaindrive timingbelt pulley pulleys vbelt toothedbelt",
    "Contact": "contactforce collision elastogap linkcontact contactpair impactforce penaltycontact "
    "huntcrossley sphereonplane solidcontact",
    "ContactGroup": "contactsystem generalcontact generalizedcontact chsystemnsc collisionsystem "
    "contactgeometries rigidcontacts granular dem",
    "PointForce": "force vforce appliedforce externalforce pointload load sforce vectorforce push wrench",
    "Torque": "vtorque moment couple appliedtorque externaltorque vectortorque",
    "CamFollower": "cam camfollower cvcv ptcv curvetocurve pointtocurve tappet rocker valvetrain",
    "UserConstraint": "genericconstraint usersubroutine gconsub customconstraint pointonsurface pointcurve",
    "UserForce": "gforce customforce usersubroutine userdefined functional gfosub functor",
    "JointFriction": "friction coulombfriction coulomb stiction dryfriction",
    "HydraulicCylinder": "hydraulicactuator hydraulicjack jack ram hydraulic doubleactingcylinder",
    "HydropneumaticUnit": "accumulator hydropneumatic hydropneumaticsuspension gasspring airspring",
    "Drag": "airresistance aerodynamic aerodynamicdrag airdrag windresistance",
    "Cable": "wire pulley elasticrope tendon belt winch",
    "AntiRollBar": "stabilizer stabiliser stabilizerbar stabiliserbar swaybar antiswaybar rollbar",
    "Tyre": "tire tireforce pacejka",
    "Wheel": "disc disk",
    "TrackBand": "track trackchain caterpillar",
    "PathFollower": "drivermodel steeringrobot pathtracker",
    "Drive": "engine powertrain",
    "Pump": "hydraulicpump",
    "Valve": "servovalve orifice",
    # time functions, laws, controllers
    "Constant": "const",
    "Ramp": "linearfunction line",
    "Sine": "sin harmonic cosine cos sinusoid shf sinus",
    "SmoothStep": "step step5 haversine sigmoid fifthorderstep poly345 s-curve",
    "CosineBump": "bump haversinebump halfsine",
    "SmoothSine": "softsine",
    "Input": "inport external interface signal fmu",
    "Exponential": "exp decay",
    "Table": "spline akispl cubspl akima interpolation interpolated lookup lookuptable timeseries "
    "curve interp1",
    "Function": "userfunction timefunction expression lambda chfunction",
    "Polynomial": "poly",
    "Characteristic": "nonlinearspring springcurve forcecurve",
    "Controller": "pid pidcontroller gse lse diff transferfunction statespace controlsystem",
    # bodies
    "mass": "rigidbody pointmass masspoint part particle lumpedmass",
    "box": "cuboid brick block parallelepiped",
    "cylinder": "disc disk",
    "tube": "pipe hollowcylinder ring",
    "rod": "bar link stick",
    "sphere": "ball",
    "solid": "meshmass cad stl obj stp massproperties solidbody trimesh",
    "rotor": "flywheel shaft",
    "beam": "aleancfcable ancfcable flexiblebody fepart cablebeam timoshenko eulerbernoulli ancf",
    # models, analyses
    "Model": "mjmodel system mbs multibodysystem world mechanism chsystem multibodyplant assembly",
    "Event": "sensor zerocrossing",
    "Stepper": "stepper stepbystep interactive realtime dostep",
    "load_fmu": "importfmu fmuimport loadfmu fmuslave",
    "simulate": "solve run integrate dynamics solvedynamic dynamicanalysis forwarddynamics odeint "
    "solveivp",
    "equilibrium": "statics static solvestatic staticanalysis staticequilibrium",
    "modes": "eigenvalues eigenmodes eig modal modalanalysis computeode2eigenvalues",
    "linearize": "linearise linear linearization statematrices linmod",
    "inverse_dynamics": "inverse rnea inversedynamic computedtorque",
    "kinematics": "solvekinematics kinematicanalysis",
    "assemble": "initialconditions solveinitial assembleconfiguration",
    "open_solution": "loadsolution opensolution loadresults readresults",
    "load": "open read fromfile readmodel loadmodel",
    "playground": "interactive webpage webassembly wasm browser sliders",
    "animate": "solutionviewer animation visualize render",
    # integrators
    "dopri5": "rk45 ode45 dormandprince dopri tsit5 rkf45 fehlberg",
    "dop853": "rk8 ode87 dop verner ode78 ode89",
    "rk4": "rungekutta rungekutta4 classicalrk4 rk explicitrk4",
    "euler": "forwardeuler expliciteuler euler1",
    "adams": "ode113 abm adamsbashforth adamsmoulton adamsbashforthmoulton abam",
    "bdf": "ode15s ode15i gstiff wstiff vode cvode ida radau stiff dassl daspk "
    "backwarddifferentiation",
    "switching": "lsoda lsodar automatic auto",
    "generalized-alpha": "hht hhtalpha newmark genalpha chunghulbert generalisedalpha "
    "generalizedalpha bossak",
    "midpoint": "implicitmidpoint gauss",
    "trapezoidal": "cranknicolson trapezoid trapezoidalindex2 ode23t",
    "energy-conserving": "energymomentum simo energyconserving emm",
    # options
    "step": "dt stepsize timestep fixedstep deltat",
    "max_step": "dt dtmax hmax maxstep maximumstep maxstepsize",
    "output_interval": "dt teval dtout outputstep saveat",
    "rtol": "tol tolerance reltol relativetolerance errortolerance",
    "atol": "abstol absolutetolerance",
    "until": "tend tfinal tmax tstop duration endtime stoptime",
    # formulations
    "augmented": "lagrange lagrangemultipliers multipliers kkt index1 dae saddlepoint descriptor",
    "baumgarte": "stabilization stabilisation baumgartestabilization stabilized penalty",
    "partitioning": "coordinatepartitioning gcp wehagehaug independentcoordinates",
    "svd": "nullspace singularvalues",
    "tree": "aba articulatedbody recursive featherstone relative",
    "overdetermined": "odae overdetermineddae",
}
_ASIDE = re.compile(r"[^a-z0-9]|(?<=[a-z0-9])(joint|constraint|force|element|type)$")
# of Exudyn, Chrono, Modelica and PyBullet; longer ones first
_PREFIX = re.compile(
    r"^(create|object|connector|chlinklock|chlink|chbodyeasy|chload|ch|ideal|calculate)(?=.)"
)
_SUFFIX = re.compile(r"(?<=.)(parallel|solid|2d|3d|joint2d|2)$")


def plain(name: str) -> str:
    """A name without capitals, signs, and the words of its kind."""
    return _ASIDE.sub("", re.sub(r"[^a-z0-9]", "", name.lower()))


def forms(name: str) -> tuple[str, ...]:
    """The forms of a name that are compared, in turn: plain, then without prefix and suffix."""
    whole = plain(name)
    bare = plain(_SUFFIX.sub("", _PREFIX.sub("", whole)))
    return (whole,) if bare == whole else (whole, bare)


OURS: dict[str, tuple[str, ...]] = {}
for _ours, _names in NAMES.items():
    for _other in _names.split():
        OURS[plain(_other)] = tuple(dict.fromkeys((*OURS.get(plain(_other), ()), _ours)))


def called_here(name: object, names: Iterable[str]) -> list[str]:
    """The names among `names` that correspond to a name of another program."""
    text, known = str(name)[:100], list(names)
    for form in forms(text):
        found = [one for one in OURS.get(form, ()) if one in known]
        # the name of Kinetree itself, with a prefix or a word more
        own = [one for one in known if form == plain(one) and form != _letters(text)]
        if found or own:
            return list(dict.fromkeys((*own, *found)))
    return []


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
