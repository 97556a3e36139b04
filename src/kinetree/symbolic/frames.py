"""Kinematics of the links of an arm: position vectors, angles, and the names and values of their
symbols.

    phi = T q,      r_p = r_base + x e(phi_p) + u_p n(phi_p),      u_p = sum psi_pk(x) xi_pk
                    [LeeJoo, eqs. (9), (51), (52)]

Every angle phi is a sum of joint angles. If the slope of a link rotates the next link, its modes
bend one after the other. Each rotates by the slope ze_k = psi_k'(l) xi_k of the tip about a point
R_k = 1 / psi_k'(l) behind it; to first order this is the deflection xi_k. A payload on such a link
moves on arcs of its own position x, psi_k'(x) xi_k about a point psi_k(x) / psi_k'(x) behind it, so
that a payload at the tip and a body fixed there have the same motion.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..description.arm import FIXED, REVOLUTE, TRANSLATIONAL, Arm, Link
from ..kernel.mathematics import cos, sin
from .field import GROUND, Field, Vector

_STRAIGHT = 1e-9  # rad per relative deflection: a point that rotates less moves straight


class Frame(NamedTuple):
    """Axes on a link: origin and angle."""

    origin: Vector
    angle: str


def mode_name(link: Link, k: int) -> str:
    """Name of a modal coordinate; modes are counted from one."""
    return f"xi{link.number}_{k}"


def bend_name(link: Link, k: int) -> str:
    """Name of the model coordinate of a mode: the modal coordinate, or the slope of the tip if that
    rotates the next link.
    """
    return f"ze{link.number}_{k}" if link.slope else mode_name(link, k)


def joint_name(link: Link) -> str:
    """Name of the coordinate of a joint."""
    return f"{'th' if link.kind == REVOLUTE else 's'}{link.number}"


class Names:
    """All symbols of an arm and their values."""

    def __init__(self, arm: Arm) -> None:
        self.numbers: dict[str, float] = {"grav": arm.gravity}
        self.local: list[str] = []
        self.angles: list[str] = []
        for link in arm.links:
            self._link(link)
            self._lumps(link)
        for k, closure in enumerate(arm.closures, 1):
            self.place(f"F{k}", closure.first, closure.p_first)
            self.place(f"M{k}", closure.second, closure.p_second)
        self.lengths = [joint_name(link) for link in arm.links if link.kind == TRANSLATIONAL]
        self.lengths += [
            mode_name(link, k + 1) for link in arm.links for k in range(len(link.modes))
        ]

    def _link(self, link: Link) -> None:
        n = link.number
        if link.kind == REVOLUTE or link.angle:
            self.angles.append(str(n))
        if link.angle:
            self.numbers[f"al{n}"] = link.angle
        self.place(f"{n}", link.on, link.at)
        if link.along:
            self.turn(f"along{n}", link.along)
        x, z = link.com
        named = {
            f"l{n}": link.length,
            f"m{n}": link.mass,
            f"S{n}": link.mass * x,
            f"J{n}": link.inertia + link.mass * x * x,
        }
        self.local.append(f"x{n}")
        if z:
            self.local.append(f"z{n}")
            named |= {f"Sz{n}": link.mass * z, f"Jz{n}": link.mass * z * z}
        self.numbers |= named
        if link.modes:
            self._modes(link)

    def _modes(self, link: Link) -> None:
        n, known, count = link.number, link.integrals, range(1, len(link.modes) + 1)
        self.local += [f"psi{n}_{k}" for k in count]
        self.angles += [f"{n}b{k}" for k in count if link.slope]
        for what, values in (("P", known.tip), ("D", known.slope), ("a", known.a), ("b", known.b)):
            self.numbers |= {
                f"{what}{n}_{k}": float(values[k - 1])
                for k in count
                if values[k - 1] or what not in "PD"
            }
        if link.slope:
            self.numbers |= {f"R{n}_{k}": 1.0 / float(known.slope[k - 1]) for k in count}
        self.numbers |= {
            f"n{n}_{j}_{k}": float(known.n[j - 1, k - 1]) for j in count for k in count if j <= k
        }

    def _lumps(self, link: Link) -> None:
        for j, lump in enumerate(link.lumps, 1):
            tag = f"{link.number}_{j}"
            self.numbers |= {
                name: value
                for name, value in ((f"mp{tag}", lump.mass), (f"Jp{tag}", lump.inertia))
                if value
            }
            self.place(f"p{tag}", link, (lump.at, 0.0))
            if not link.is_tip((lump.at, 0.0)):
                for k, one in enumerate(link.modes, 1):
                    psi, slope = float(one.psi(lump.at)), float(one.slope(lump.at))
                    self.numbers |= {f"Pp{tag}_{k}": psi, f"Dp{tag}_{k}": slope}
                    if (
                        link.slope
                        and (lump.mass or lump.inertia)
                        and abs(slope) * link.length > _STRAIGHT
                    ):
                        self.numbers[f"Rp{tag}_{k}"] = psi / slope
                        self.angles.append(f"{link.number}p{j}b{k}")

    def place(self, tag: str, on: Link | None, at: tuple[float, float]) -> None:
        """Add the coordinates of a point, except zeros; a tip has its own symbols."""
        if on is None or not on.is_tip(at):
            self.numbers |= {f"{axis}{tag}": value for axis, value in zip("XZ", at) if value}

    def turn(self, tag: str, angle: float) -> None:
        """Add cosine and sine of a constant angle, except for multiples of 90 degrees."""
        if angle % (0.5 * math.pi):
            self.numbers |= {f"c{tag}": cos(angle), f"s{tag}": sin(angle)}


class Frames:
    """Position vectors of an arm in the field of its symbols."""

    def __init__(self, arm: Arm) -> None:
        self.arm, self.names = arm, Names(arm)
        self.field = Field(
            self.names.angles, self.names.lengths, self.names.local, list(self.names.numbers)
        )
        self.q = tuple(joint_name(link) for link in arm.links if link.kind != FIXED) + tuple(
            bend_name(link, k + 1) for link in arm.links for k in range(len(link.modes))
        )
        # rows of T: the coordinates that add up to an angle or a length, and their factors
        self.rows: dict[str, dict[str, Any]] = {GROUND: {}}
        # constant part of an angle, at zero coordinates
        self.offsets: dict[str, Any] = {GROUND: self.field.zero}
        self.ground = Frame({}, GROUND)
        self.base: dict[Link, Frame] = {}
        self.tip: dict[Link, Frame] = {}
        for link in arm.links:
            self.base[link] = self._base(link)
            self.tip[link] = self._tip(link)

    def known(self, name: str):
        """A symbol, or zero if its value is zero."""
        return self.field.of[name] if name in self.names.numbers else self.field.zero

    def turned(self, tag: str, angle: float) -> tuple[Any, Any]:
        """Cosine and sine of a constant angle."""
        if f"c{tag}" in self.names.numbers:
            return self.field.of[f"c{tag}"], self.field.of[f"s{tag}"]
        quarter = round(angle / (0.5 * math.pi)) % 4
        return self.field.one * (1, 0, -1, 0)[quarter], self.field.one * (0, 1, 0, -1)[quarter]

    def point(self, frame: Frame, x, z) -> Vector:
        """The point (x, z) of a frame."""
        return self.field.sum(frame.origin, {frame.angle: (self.field.one * x, self.field.one * z)})

    def place(self, tag: str, on: Link | None, at: tuple[float, float]) -> Frame:
        """The frame at a point of a link or of the ground, with the axes there."""
        if on is not None and on.is_tip(at):
            return self.tip[on]
        frame = self.ground if on is None else self.base[on]
        return frame._replace(
            origin=self.point(frame, self.known(f"X{tag}"), self.known(f"Z{tag}"))
        )

    def _base(self, link: Link) -> Frame:
        """Axes of a link at its joint."""
        n, held = link.number, self.place(f"{link.number}", link.on, link.at)
        if link.kind == TRANSLATIONAL:
            c, s = self.turned(f"along{n}", link.along)
            way = self.field.of[joint_name(link)]
            held = held._replace(origin=self.point(held, way * c, way * s))
        if str(n) not in self.names.angles:
            return held
        turned = {joint_name(link): link.sense * self.field.one} if link.kind == REVOLUTE else {}
        self.rows[str(n)] = {**self.rows[held.angle], **turned}
        self.offsets[str(n)] = self.offsets[held.angle] + self.known(f"al{n}")
        return held._replace(angle=str(n))

    def _tip(self, link: Link) -> Frame:
        """The frame at the deflected end of a link."""
        n, frame, zero = link.number, self.base[link], self.field.zero
        frame = frame._replace(origin=self.point(frame, self.field.of[f"l{n}"], zero))
        if not link.slope:
            bends = (
                self.known(f"P{n}_{k}") * self.field.of[mode_name(link, k)]
                for k in range(1, len(link.modes) + 1)
            )
            return frame._replace(origin=self.point(frame, zero, sum(bends, zero)))
        for k in range(1, len(link.modes) + 1):
            radius = self.field.of[f"R{n}_{k}"]
            frame = self._on_arc(frame, f"{n}b{k}", radius, {bend_name(link, k): self.field.one})
            self.rows[mode_name(link, k)] = {bend_name(link, k): radius}
        return frame

    def _on_arc(self, frame: Frame, angle: str, radius, turn: dict[str, Any]) -> Frame:
        """A frame rotated about the point `radius` behind it; `turn` has the coordinates of the
        rotation, and `angle` is its new angle.
        """
        self.rows[angle] = {**self.rows[frame.angle], **turn}
        self.offsets[angle] = self.offsets[frame.angle]
        pivot = frame._replace(origin=self.point(frame, -radius, self.field.zero), angle=angle)
        return pivot._replace(origin=self.point(pivot, radius, self.field.zero))

    def anywhere(self, link: Link) -> Vector:
        """The position vector of a link, as a function of its local coordinates."""
        n, of = link.number, self.field.of
        z = of.get(f"z{n}", self.field.zero)
        for k in range(1, len(link.modes) + 1):
            z = z + of[f"psi{n}_{k}"] * of[mode_name(link, k)]
        return self.point(self.base[link], of[f"x{n}"], z)

    def lump(self, link: Link, j: int) -> tuple[Vector, dict[str, Any]]:
        """Position of a payload, and the coordinates of the field that rotate it."""
        at = (link.lumps[j - 1].at, 0.0)
        if not link.slope:
            return self._lump_across(link, j, link.is_tip(at))
        frame = self.tip[link] if link.is_tip(at) else self._lump_on_arcs(link, j)
        return frame.origin, {f"phi{frame.angle}": self.field.one}

    def _lump_across(self, link: Link, j: int, tip: bool) -> tuple[Vector, dict[str, Any]]:
        """A payload that moves across its link."""
        n, tag = link.number, f"{link.number}_{j}"
        x = self.field.of[f"l{n}"] if tip else self.known(f"Xp{tag}")
        u, turned = self.field.zero, {f"phi{self.base[link].angle}": self.field.one}
        for k in range(1, len(link.modes) + 1):
            u = (
                u
                + self.known(f"P{n}_{k}" if tip else f"Pp{tag}_{k}")
                * self.field.of[mode_name(link, k)]
            )
            turned[mode_name(link, k)] = self.known(f"D{n}_{k}" if tip else f"Dp{tag}_{k}")
        return self.point(self.base[link], x, u), turned

    def _lump_on_arcs(self, link: Link, j: int) -> Frame:
        """The frame of a payload between the ends of a link whose slope rotates the next one."""
        n, tag, zero, base = link.number, f"{link.number}_{j}", self.field.zero, self.base[link]
        frame = base._replace(origin=self.point(base, self.known(f"Xp{tag}"), zero))
        for k in range(1, len(link.modes) + 1):
            if f"Rp{tag}_{k}" in self.names.numbers:
                turn = {
                    bend_name(link, k): self.field.of[f"Dp{tag}_{k}"] * self.field.of[f"R{n}_{k}"]
                }
                frame = self._on_arc(frame, f"{n}p{j}b{k}", self.field.of[f"Rp{tag}_{k}"], turn)
            else:
                way = self.field.of[f"Pp{tag}_{k}"] * self.field.of[mode_name(link, k)]
                frame = frame._replace(origin=self.point(frame, zero, way))
        return frame
