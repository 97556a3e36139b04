// Triangles of the outlines. Edges are rounded and normals smooth, so that silhouettes, which are drawn by offsetting a mesh,
// have no gaps; a vertex of a sharp mesh has its own direction of offset.
import {add, sub, scale, along, dot, cross, norm, unit, frame, point, direction, placed, matrix} from "./math.js";

export const STRIDE = 11;  // position, normal, offset direction, color and gloss as four bytes, thing

export class Builder {
  constructor() { this.vertices = []; this.triangles = []; this.paint = 0; this.of = 0; }
  get count() { return this.vertices.length / STRIDE; }

  // Sets color and thing of the following vertices; the number contains four bytes.
  coloured(hex, gloss, of) {
    this.paint = (parseInt(hex.slice(1), 16) << 8 | Math.round(255 * gloss)) >>> 0;
    this.of = of;
    return this;
  }
  vertex(p, n, swell = n) {
    this.vertices.push(p[0], p[1], p[2], n[0], n[1], n[2], swell[0], swell[1], swell[2], this.paint, this.of);
  }

  // Triangles over a net of vertices, row by row.
  net(rows, columns, first) {
    for (let i = 0; i < rows - 1; i++) for (let j = 0; j < columns - 1; j++) {
      const a = first + i * columns + j, b = a + columns;
      this.triangles.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }

  // A profile of (radius, height, normal outward, normal along) turned about an axis.
  turned(at, axis, profile, around) {
    const m = placed(at, axis), first = this.count;
    for (const [r, z, nr, nz] of profile) for (let j = 0; j <= around; j++) {
      const c = Math.cos(2 * Math.PI * j / around), s = Math.sin(2 * Math.PI * j / around);
      this.vertex(point(m, [r * c, r * s, z]), direction(m, [nr * c, nr * s, nz]));
    }
    this.net(profile.length, around + 1, first);
    return this;
  }

  // Radius r at a and top at b, hollow with inner, with rims of radius round.
  cylinder(a, b, r, top = r, inner = 0, round = 0.12 * r, around = 28) {
    const l = norm(sub(b, a)), e = Math.min(round, l / 2, Math.min(r, top || r) - inner);
    const slope = Math.atan2(r - top, l), profile = [];
    const rim = (q, z, from, to) => { for (let k = 0; k <= 3; k++) profile.push(corner(q, z, e, from + (to - from) * k / 3)); };
    if (inner) profile.push([inner, l - e, -1, 0], [inner, e, -1, 0]); else profile.push([0, 0, 0, -1]);
    if (inner) rim(inner + e, e, -Math.PI, -Math.PI / 2);
    rim(r - e, e, -Math.PI / 2, slope);
    if (top > e) rim(top - e, l - e, slope, Math.PI / 2); else profile.push([0, l, Math.cos(slope), Math.sin(slope)]);
    if (inner) rim(inner + e, l - e, Math.PI / 2, Math.PI); else if (top > e) profile.push([0, l, 0, 1]);
    if (inner) profile.push([inner, l - e, -1, 0]);
    return this.turned(a, sub(b, a), profile, around);
  }

  sphere(at, r) {
    const profile = [];
    for (let k = 0; k <= 12; k++) profile.push(corner(0, 0, r, -Math.PI / 2 + k * Math.PI / 12));
    return this.turned(at, [0, 0, 1], profile, 26);
  }

  cone(a, b, r) {
    const l = norm(sub(b, a)), s = Math.hypot(r, l);
    return this.turned(a, sub(b, a), [[0, 0, 0, -1], [r, 0, 0, -1], [r, 0, l / s, r / s], [0, l, l / s, r / s]], 28);
  }

  // A sphere whose eight octants are pulled apart, in axes of its own.
  box(at, sides, turn) {
    const m = matrix(turn.slice(0, 3), turn.slice(3, 6), turn.slice(6, 9), at), first = this.count;
    const e = 0.08 * sides.reduce((a, b) => Math.min(a, b)), half = sides.map(s => s / 2 - e);
    const arc = [0, 1, 2].map(k => k * Math.PI / 4), rows = [], columns = [];
    for (const side of [-1, 1]) for (const v of arc) rows.push([side, side < 0 ? v - Math.PI / 2 : v]);
    for (let k = 0; k < 4; k++) for (const u of arc) columns.push([k, k * Math.PI / 2 + u]);
    columns.push([0, 2 * Math.PI]);
    const put = (c, n) => this.vertex(point(m, along(c, n, e)), direction(m, n));
    for (const [side, v] of rows) for (const [k, u] of columns)
      put([(k === 0 || k === 3 ? 1 : -1) * half[0], (k < 2 ? 1 : -1) * half[1], side * half[2]],
          [Math.cos(v) * Math.cos(u), Math.cos(v) * Math.sin(u), Math.sin(v)]);
    this.net(rows.length, columns.length, first);
    for (const side of [-1, 1]) {
      const f = this.count;
      for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) put([x * half[0], y * half[1], side * half[2]], [0, 0, side]);
      this.triangles.push(...(side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]).map(k => f + k));
    }
    return this;
  }

  // A ring of points with a thickness and bevelled rims; `lid` are the triangles that fill the ring.
  plate(ring, normal, thickness, lid) {
    const n = unit(normal), h = thickness / 2, count = ring.length, first = this.count;
    const side = ring.map((p, k) => unit(cross(sub(ring[(k + 1) % count], p), n)));  // of the edge from k to k + 1
    const outward = side.map((after, k) => unit(add(side[(k + count - 1) % count], after)));
    const wide = ring.reduce((most, p) => Math.max(most, norm(sub(p, ring[0]))), 0), e = Math.min(0.2 * thickness, 0.012 * wide);
    const columns = [];  // corner and normal; a sharp corner has two, so that flat faces look flat
    for (let k = 0; k < count; k++) for (const c of [k, (k + 1) % count])
      columns.push([c, dot(side[c], side[(c + count - 1) % count]) > 0.866 ? outward[c] : side[k]]);
    const rows = [[-e, -h, -0.9], [0, e - h, -0.15], [0, h - e, 0.15], [-e, h, 0.9]];
    for (const [out, up, tilt] of rows) for (const [c, o] of columns)
      this.vertex(along(along(ring[c], outward[c], out), n, up), unit(along(scale(o, 1 - Math.abs(tilt)), n, tilt)),
                  unit(along(scale(outward[c], 1 - Math.abs(tilt)), n, tilt)));
    this.net(rows.length, columns.length, first);
    for (const side of [-1, 1]) {
      const f = this.count;
      ring.forEach((p, k) => this.vertex(along(along(p, outward[k], -e), n, side * h), scale(n, side)));
      for (let k = 0; k < lid.length; k += 3)
        this.triangles.push(f + lid[k], ...(side > 0 ? [f + lid[k + 1], f + lid[k + 2]] : [f + lid[k + 2], f + lid[k + 1]]));
    }
    return this;
  }

  // Triangles of a file: flat faces, smooth if neighbors differ by less than 30 degrees.
  mesh(corners, triangles) {
    const at = k => [corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]], faces = [], around = new Map();
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = [0, 1, 2].map(i => at(triangles[k + i])), normal = cross(sub(b, a), sub(c, a));
      faces.push(normal);
      for (let i = 0; i < 3; i++) around.set(triangles[k + i], [...around.get(triangles[k + i]) ?? [], normal]);
    }
    const sum = list => unit(list.reduce(add, [0, 0, 0]));
    for (let k = 0; k < triangles.length; k++) {
      const own = unit(faces[Math.floor(k / 3)]), all = around.get(triangles[k]);
      this.triangles.push(this.count);
      this.vertex(at(triangles[k]), sum(all.filter(n => dot(unit(n), own) > 0.866)), sum(all));
    }
    return this;
  }

  // A tube along points.
  tube(points, r, around = 7) {
    const first = this.count, last = points.length - 1;
    let x = frame(sub(points[1], points[0]))[0];
    points.forEach((p, k) => {
      const t = unit(sub(points[Math.min(k + 1, last)], points[Math.max(k - 1, 0)]));
      x = unit(along(x, t, -dot(x, t)));
      const y = cross(t, x);
      for (let j = 0; j <= around; j++) {
        const a = 2 * Math.PI * j / around, n = add(scale(x, Math.cos(a)), scale(y, Math.sin(a)));
        this.vertex(along(p, n, r), n);
      }
    });
    this.net(points.length, around + 1, first);
    return this;
  }

  // A flexible part: a tube with caps, half a side wide along `across` and half the other side normal to it; `paint(k)` colors point k.
  strip(points, across, [width, height], paint, around = 16) {
    const first = this.count, last = points.length - 1, flat = height / width;
    let x = frame(sub(points[1], points[0]))[0], rows = 0;
    points.forEach((p, k) => {
      const t = unit(sub(points[Math.min(k + 1, last)], points[Math.max(k - 1, 0)]));
      x = across ? across[k] : x;
      x = unit(along(x, t, -dot(x, t)));
      const y = cross(t, x);
      paint(k);
      const edge = k === 0 ? -1 : k === last ? 1 : 0;
      const ring = (size, lid) => {
        rows += 1;
        for (let j = 0; j <= around; j++) {
          const c = Math.cos(2 * Math.PI * j / around), s = Math.sin(2 * Math.PI * j / around);
          const out = add(scale(x, c), scale(y, s * flat)), n = unit(add(scale(x, c * flat), scale(y, s)));
          this.vertex(along(p, out, size * width / 2), lid ? scale(t, lid) : n, unit(along(scale(n, size), t, edge)));
        }
      };
      if (k === 0) { ring(0, -1); ring(1, -1); }
      ring(1, 0);
      if (k === last) { ring(1, 1); ring(0, 1); }
    });
    this.net(rows, around + 1, first);
    return this;
  }
}

// Rows of numbers with interpolated rows between them (Catmull-Rom spline).
export function smooth(rows, pieces = 3) {
  if (rows.length < 3) return rows;
  const at = k => k < 0 ? rows[0].map((v, i) => 2 * v - rows[1][i])
    : k < rows.length ? rows[k] : rows[rows.length - 1].map((v, i) => 2 * v - rows[rows.length - 2][i]);
  const out = [];
  for (let k = 0; k < rows.length - 1; k++) for (let j = 0; j < pieces; j++) {
    const s = j / pieces, a = at(k - 1), c = at(k + 1), d = at(k + 2);
    out.push(rows[k].map((b, i) => 0.5 * (2 * b + s * (c[i] - a[i]) + s * s * (2 * a[i] - 5 * b + 4 * c[i] - d[i])
                                          + s ** 3 * (3 * (b - c[i]) + d[i] - a[i]))));
  }
  return [...out, rows[rows.length - 1]];
}

const corner = (r, z, e, angle) => [r + e * Math.cos(angle), z + e * Math.sin(angle), Math.cos(angle), Math.sin(angle)];

// Points of a coil along z, of length one: straight ends, and turns that widen at the first and narrow at the last.
export function coil(radius, long, turns = 8) {
  const points = [[0, 0, 0]], steps = turns * 16, end = 0.07;
  for (let k = 0; k <= steps; k++) {
    const s = k / steps, r = radius * Math.min(1, 10 * s, 10 * (1 - s)), phi = 2 * Math.PI * turns * s;
    points.push([r * Math.cos(phi), r * Math.sin(phi), long * (end + s * (1 - 2 * end))]);
  }
  return [...points, [0, 0, long]];
}
