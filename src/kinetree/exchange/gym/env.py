"""An environment of gymnasium around a `Stepper`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from ...core.checks import a_function, mapping, numbers, row
from ...description.model import Model
from ...engine.integrators.catalogue import find
from ...errors import ModelError, explains_arguments, no_such, short
from ...kernel.frames import number
from ...options import STEP
from ...simulation.step_by_step import Stepper, place_in_state
from ...viewer.stills import Stills

_PICTURES = 30  # a second

Reward = Callable[[np.ndarray, np.ndarray], float]
Start = Mapping[str, Sequence[float]] | Callable[[np.random.Generator], Mapping[str, float]]


@explains_arguments
class Env(gymnasium.Env):
    r"""A model as an environment of reinforcement learning (gymnasium).

    Parameters
    ----------
    model : Model
        The model. Actions are its `kt.Input` functions.
    actions : dict of str to (float, float)
        Smallest and largest value of each input, by its name.
    observations : sequence of str
        Channels that are observed. Coordinates and their rates are the fastest.
    reward : callable
        Function(observation, action) that returns the reward of a step; observation is that at the
        end of the step, action in the units of the inputs.
    interval : float, default 0.02
        Time between two actions (s), during which the inputs are constant.
    until : float, optional
        Time after which an episode is truncated (s). By default it is not.
    ends : callable, optional
        Function(observation) that returns whether the episode has ended.
    start : dict or callable, optional
        Ranges of initial coordinates and speeds by name, such as ``{"pin.angle": (-0.1, 0.1)}``,
        from which each episode draws; or function(random generator) that returns initial values. By
        default all episodes start at the assembled state.
    normalized : bool, default False
        Whether actions are between -1 and 1 instead of in the units of the inputs.
    render_mode : {"rgb_array"}, optional
        "rgb_array": `render` returns a picture.
    **options
        Arguments of `kt.prepare`, such as ``integrator="rk4"`` (whose `step` is then the interval) or
        ``rtol=1e-6``.

    Raises
    ------
    ModelError
        If an argument is wrong, or gymnasium is not installed (``pip install kinetree[gym]``).

    See Also
    --------
    kt.Stepper : Step by step from Python.

    Notes
    -----
    Each step of the environment is one call of the compiled integrator, with its error control. The
    spaces are boxes of float32 (actions) and float64 (observations). The same seed gives the same
    episodes.

    Examples
    --------
    A cart that balances a pole.

    >>> import kinetree as kt
    >>> model = kt.Model("cart-pole")
    >>> cart = model.body("cart", kt.box(mass=1.0, sides=(0.2, 0.1, 0.1)))
    >>> rail = model.joint("rail", kt.Translational("x"), model.ground, cart)
    >>> pole = model.body("pole", kt.rod(mass=0.1, length=1.0, along="z"))
    >>> pin = model.joint("pin", kt.Revolute("y"), cart, pole.end("-"))
    >>> push = kt.TorsionSpring("rail.displacement", torque=kt.Input("push", unit="N"))
    >>> motor = model.force("motor", push)
    >>> env = kt.gym.Env(
    ...     model,
    ...     actions={"push": (-10.0, 10.0)},
    ...     observations=["rail.displacement", "pin.angle"],
    ...     reward=lambda observation, action: 1.0,
    ...     ends=lambda observation: abs(observation[1]) > 0.2,
    ...     start={"pin.angle": (-0.05, 0.05)},
    ...     until=10.0,
    ... )
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> observation.shape, reward, terminated
    ((2,), 1.0, False)
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": _PICTURES}

    def __init__(
        self,
        model: Model,
        actions: Mapping[str, Sequence[float]],
        observations: Sequence[str],
        reward: Reward,
        *,
        interval: float = 0.02,
        until: float | None = None,
        ends: Callable[[np.ndarray], bool] | None = None,
        start: Start | None = None,
        normalized: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.interval = number(interval, "Env: interval", positive=True)
        self.until = None if until is None else number(until, "Env: until", positive=True)
        self._reward = a_function(reward, "Env: reward", "(observation, action)")
        self._ends = None if ends is None else a_function(ends, "Env: ends", "(observation)")
        if render_mode not in (None, "rgb_array"):
            raise ModelError(
                f"Env: render_mode must be 'rgb_array' or None, got {short(render_mode)}."
            )
        self.render_mode, self._stills = render_mode, Stills()
        names = row(observations, "Env: observations", "names of channels")
        method = find(options.get("integrator") or "adams")
        if any(option.name == STEP.name and option.required for option in method.options):
            options.setdefault(STEP.name, self.interval)
        self.stepper = Stepper(model, names, **options)
        self._actions(actions, normalized)
        n = len(self.stepper.names)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (n,), np.float64)
        self._start(start)

    def _actions(self, actions: Mapping[str, Sequence[float]], normalized: bool) -> None:
        """Ranges of the inputs, and the space of the actions."""
        given = mapping(actions, "Env: actions", "{'push': (-1.0, 1.0)}")
        for name in given:
            if name not in self.stepper.inputs:
                raise no_such(
                    "input", name, self.stepper.inputs, f" in model {self.stepper.model.name!r}"
                )
        self.inputs = tuple(given)
        ranges = np.array([numbers(given[k], 2, f"Env: actions: {k!r}") for k in given]).reshape(
            -1, 2
        )
        self._low, self._high = ranges[:, 0], ranges[:, 1]
        if not (self._low < self._high).all():
            raise ModelError("Env: actions: each range needs a smaller and a larger number.")
        low, high = (np.full(len(ranges), s) for s in (-1.0, 1.0)) if normalized else ranges.T
        self.normalized = normalized
        self.action_space = gymnasium.spaces.Box(
            low.astype(np.float32), high.astype(np.float32), dtype=np.float32
        )

    def _start(self, start: Start | None) -> None:
        """How episodes start; ranges of coordinates of an open tree are written into its state."""
        self._draw = start if callable(start) else None
        ranges = {} if start is None or callable(start) else mapping(start, "Env: start", "ranges")
        self._ranges = {k: numbers(v, 2, f"Env: start: {k!r}") for k, v in ranges.items()}
        compiled = self.stepper._plan.assembly.compiled
        places = [place_in_state(compiled, name) for name in self._ranges]
        simple = None not in places and not compiled.size["ng"]
        self._places = np.array(places, int) if simple and places else None
        if ranges and not simple:  # refuses wrong names at once
            self.stepper.reset({name: float(low) for name, (low, _) in self._ranges.items()})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode; ``options={"start": ...}`` gives its initial state."""
        super().reset(seed=seed)
        start: Any = (options or {}).get("start")
        if start is None and self._draw is not None:
            start = self._draw(self.np_random)
        elif start is None and self._ranges:
            low, high = np.array(list(self._ranges.values())).T
            values = self.np_random.uniform(low, high)
            start = dict(zip(self._ranges, map(float, values)))
            if self._places is not None:
                start = self.stepper._plan.assembly.y.copy()
                start[self._places] = values
        return self.stepper.reset(start), {}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Hold an action for one step."""
        values = np.asarray(action, float).reshape(len(self._low))
        if self.normalized:
            values = self._low + 0.5 * (values + 1.0) * (self._high - self._low)
        for name, value in zip(self.inputs, values):
            self.stepper.inputs[name] = value
        found = self.stepper.step(self.interval)
        ended = self._ends is not None and bool(self._ends(found))
        late = self.until is not None and self.stepper.t >= self.until - 0.5 * self.interval
        return found, float(self._reward(found, values)), ended, late, {}

    def render(self) -> np.ndarray | None:
        """Return a picture of the present state, (height, width, 3) bytes."""
        if self.render_mode is None:
            return None
        return self._stills.image(self.stepper._sampled().solution)
