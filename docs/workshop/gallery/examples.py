"""Titles, tags and further facts of the scripts in `examples/`, by the name of the file."""

from __future__ import annotations

from typing import NamedTuple

# besides the tags of models
TAGS = ("event", "user code", "gear", "contact", "study")


class Example(NamedTuple):
    """`run` is the name in the script of the solution that is shown, empty if there is none; `film`
    is the built-in model whose film shows the same motion; `plot` is a channel that shows more than
    a film.
    """

    title: str
    tags: tuple[str, ...]
    run: str = "sol"
    film: str = ""
    plot: str = ""


EXAMPLES: dict[str, Example] = {
    "01_pendulum": Example("Period of a pendulum with large swings", ("open chain",)),
    "02_four_bar": Example(
        "Four-bar linkage, drawn flat and assembled", ("closed loop", "redundant")
    ),
    "03_rssr": Example(
        "RSSR linkage in relative and Cartesian coordinates",
        ("closed loop", "spatial", "paper"),
        "relative",
        "rssr",
    ),
    "04_driven_slider_crank": Example(
        "Slider-crank mechanism with a motor", ("closed loop", "redundant", "driven")
    ),
    "05_user_force": Example(
        "Falling ball with your own force law for air drag",
        ("open chain", "user code"),
        plot="ball.velocity.z",
    ),
    "06_heavy_top": Example(
        "Heavy top with a published reference",
        ("open chain", "spatial", "benchmark"),
        film="heavy-top",
    ),
    "07_gear_train": Example("Gear pair with a motor", ("open chain", "gear")),
    "08_plain_ode": Example("Stiff differential equations without a model", ("stiff", "paper"), ""),
    "09_excavator": Example(
        "Excavator with the switching integrator",
        ("closed loop", "stiff", "hydraulics", "vehicle", "paper"),
        film="excavator",
    ),
    "10_bouncing_rod": Example("Rod that falls onto a post", ("open chain", "event", "user code")),
    "11_flexible_arm": Example(
        "Flexible arm derived from position vectors",
        ("open chain", "driven", "flexible", "robot"),
    ),
    "12_double_wishbone_car": Example(
        "Car with double wishbones and magic-formula tires",
        ("closed loop", "spatial", "driven", "vehicle"),
        "turn.sol",
    ),
    "13_tracked_vehicle": Example(
        "Tracked vehicle with and without track bands",
        ("open chain", "spatial", "vehicle", "paper"),
        film="tracked-vehicle",
    ),
    "14_flexible_four_bar": Example(
        "Energy balance of a flexible four-bar linkage",
        ("closed loop", "flexible"),
        "fine",
        "flexible-four-bar",
    ),
    "15_deformed_shapes": Example(
        "Deformed shapes, vibration modes and buckling", ("closed loop", "driven", "flexible")
    ),
    "16_bicycle": Example(
        "Bicycle that balances itself",
        ("open chain", "spatial", "vehicle", "benchmark"),
        film="bicycle",
    ),
    "17_geneva_drive": Example("Geneva drive with a pin in slots", ("open chain", "driven")),
    "18_cam_and_valve": Example(
        "Cam and valve that jumps", ("open chain", "driven"), "slow", plot="touch.normal"
    ),
    "19_brick_wall": Example("Brick wall hit by a heavy ball", ("spatial",), "hit"),
    "20_newtons_cradle": Example(
        "Newton's cradle and two laws of impact", ("open chain", "contact")
    ),
    "21_woodpecker": Example(
        "Woodpecker toy with dry friction and impacts", ("open chain", "contact")
    ),
    "22_ratchet": Example("Ratchet winch", ("closed loop", "contact")),
    "23_wiper_tolerances": Example(
        "Tolerances of a windscreen wiper", ("closed loop", "driven", "study")
    ),
    "24_stored_study": Example(
        "Periods of a pendulum, computed in two sittings", ("open chain", "event", "study")
    ),
    "25_sensitivities": Example(
        "Sensitivities of a motion after an impact", ("open chain", "event", "user code")
    ),
    "26_straight_line": Example(
        "A linkage that draws a straight line", ("closed loop", "driven", "study")
    ),
    "27_flexible_crank": Example(
        "Stress in a connecting rod at 3000 rpm",
        ("closed loop", "driven", "flexible"),
        "sol",
        "flexible-crank",
    ),
    "28_spinning_blade": Example(
        "Frequencies of a spinning blade of finite elements", ("open chain", "flexible")
    ),
}
