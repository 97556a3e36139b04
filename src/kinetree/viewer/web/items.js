// Items to draw: one mesh per frame with all parts fixed to it, and parts between two frames.
import {add, sub, scale, along, cross, norm, unit, placed, identity} from "./math.js";
import {Builder, coil, smooth} from "./meshes.js";
import {mesh, polyline} from "./gl.js";
import {indices, numbers} from "./scene.js";

const CHROME = "#d5dae0", FORCE = "#d6278a", COUPLE = "#7d3fc4", LONGEST = 0.8;  // sizes

const FORMS = {
  cylinder: (b, s) => b.cylinder(s.a, s.b, ...s.r),
  sphere: (b, s) => b.sphere(s.at, s.r[0]),
  box: (b, s) => b.box(s.at, s.sides, s.turn),
  plate: (b, s) => b.plate(s.ring, s.normal, s.thickness, s.lid),
  mesh: (b, s) => b.mesh(numbers(s.corners), indices(s.triangles)),
};

// Items {mesh, where(), ghost, arrow} and lines {line, color}; `where` returns the matrix at the present time.
export function build(gl, scene) {
  const {data} = scene, items = [], ghosts = data.ghosts[0] ?? Infinity;
  const put = (builder, where, more = {}) => items.push({mesh: mesh(gl, builder), where, ...more});
  const groups = new Map();
  for (const s of data.solids) {
    const ghost = s.of >= ghosts, key = `${s.on} ${ghost}`;
    if (!groups.has(key)) groups.set(key, {builder: new Builder(), on: s.on, ghost});
    FORMS[s.kind](groups.get(key).builder.coloured(s.paint, s.gloss, s.of), s);
  }
  for (const {builder, on, ghost} of groups.values()) put(builder, () => scene.now[on], {ghost});
  for (const s of data.spans) SPANS[s.kind](s, scene, (b, where) => put(b, where, {ghost: s.of >= ghosts}));
  for (const s of data.strips) items.push(strip(gl, s, scene, s.of >= ghosts));
  for (const s of data.skins) items.push(skin(gl, s, scene, s.of >= ghosts));
  for (const a of data.arrows) arrow(a, scene, put);
  const lines = data.traces.map(t => ({line: polyline(gl, scene.path(t.at)), color: linear(t.paint), tail: t.tail}));
  return {items, lines};
}

// A beam or a flexible link: its vertices are recomputed when the time changes.
function strip(gl, s, scene, ghost) {
  const points = numbers(s.points), across = s.across && numbers(s.across), strain = s.strain && numbers(s.strain);
  const rows = (values, size, row) => smooth(cut(scene.row(values, row), size));
  const made = () => {
    const shares = strain && rows(strain, 1, s.strain.row), b = new Builder().coloured(s.paint, 0.25, s.of);
    const paint = k => { if (shares) b.coloured(strained(scene.data.strain.colours, shares[k][0]), 0.25, s.of); };
    return b.strip(rows(points, 3, s.points.row), across && rows(across, 3, s.across.row), s.sides, paint);
  };
  const shape = mesh(gl, made());
  let seen = scene.sample;
  return {mesh: shape, where: identity, ghost, of: s.of, line: () => rows(points, 3, s.points.row), renew() {
    if (seen !== scene.sample) { seen = scene.sample; shape.renew(made()); }
  }};
}
// The surface of a flexible body: nodes X + scale (shapes eta + e + X F), colored by stress or displacement.
function skin(gl, s, scene, ghost) {
  const X = numbers(s.corners), phi = numbers(s.shapes), eta = numbers(s.amplitudes), triangles = indices(s.triangles), n = s.modes;
  const sigma = s.stress && numbers(s.stress), first = s.q && numbers(s.q), shades = s.shaded && scene.data.shades, count = X.length / 3;
  const sum = (values, row, q) => { let total = 0; for (let k = 0; k < n; k++) total += values[n * row + k] * q[k]; return total; };
  const made = () => {
    const q = scene.row(eta, n + 12), p = sigma && scene.row(first, n), b = new Builder().coloured(s.paint, 0.25, s.of), points = [], shares = [];
    for (let a = 0; a < count; a++) {
      const x = [X[3 * a], X[3 * a + 1], X[3 * a + 2]];
      const u = [0, 1, 2].map(j => sum(phi, 3 * a + j, q) + q[n + j] + x.reduce((t, v, i) => t + v * q[n + 3 + 3 * i + j], 0));
      points.push(along(x, u, s.scale));
      if (shades) shares.push((sigma ? mises([0, 1, 2, 3, 4, 5].map(j => sum(sigma, 6 * a + j, p))) : 1000 * norm(u)) / shades.most);
    }
    const normals = points.map(() => [0, 0, 0]);
    for (let k = 0; k < triangles.length; k += 3) {
      const [p, c, d] = [0, 1, 2].map(i => points[triangles[k + i]]), normal = cross(sub(c, p), sub(d, p));
      for (let i = 0; i < 3; i++) normals[triangles[k + i]] = add(normals[triangles[k + i]], normal);
    }
    points.forEach((p, a) => {
      if (shades) b.coloured(strained(shades.colours, shares[a]), 0.25, s.of);
      b.vertex(p, norm(normals[a]) > 0 ? unit(normals[a]) : [0, 0, 1]);
    });
    b.triangles = triangles;
    return b;
  };
  const shape = mesh(gl, made());
  let seen = scene.sample;
  return {mesh: shape, where: () => scene.now[s.on], ghost, of: s.of, renew() {
    if (seen !== scene.sample) { seen = scene.sample; shape.renew(made()); }
  }};
}
const mises = ([a, b, c, d, e, f]) => Math.sqrt(((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) / 2 + 3 * (d * d + e * e + f * f));

const cut = (values, size) => Array.from({length: values.length / size}, (_, k) => values.slice(size * k, size * k + size));

// Interpolated color of a scale, for a fraction from 0 to 1.
function strained(colours, share) {
  const at = Math.min(Math.max(share, 0), 1) * (colours.length - 1), k = Math.min(Math.floor(at), colours.length - 2);
  const byte = (hex, i) => parseInt(hex.slice(i, i + 2), 16);
  return "#" + [1, 3, 5].map(i => Math.round(byte(colours[k], i) + (at - k) * (byte(colours[k + 1], i) - byte(colours[k], i)))
    .toString(16).padStart(2, "0")).join("");
}

const linear = hex => [1, 3, 5].map(k => (parseInt(hex.slice(k, k + 2), 16) / 255) ** 2.2);

const SPANS = {
  coil(s, scene, put) {  // stretched along its axis
    put(new Builder().coloured(s.paint, 0.4, s.of).tube(coil(s.radius, s.long), s.thin), () => between(s, scene, s.long));
  },
  bar(s, scene, put) {
    const bar = new Builder().coloured(s.paint, 0.3, s.of).cylinder([0, 0, 0], [0, 0, 1], s.radius, s.radius, 0, 0);
    put(bar, () => between(s, scene, 1));
  },
  telescope(s, scene, put) {  // the barrel points from a to b, the rod from b to a
    const {radius: r, thin, long} = s, lip = 0.06 * long;
    put(new Builder().coloured(s.paint, 0.35, s.of).cylinder([0, 0, 0], [0, 0, 1.3 * r], 0.6 * r)
      .cylinder([0, 0, 1.1 * r], [0, 0, long], r, r, 0, 0.15 * r)
      .cylinder([0, 0, long - lip], [0, 0, long + 0.3 * lip], 1.18 * r, 1.18 * r, 0, 0.15 * r), () => between(s, scene, 0));
    put(new Builder().coloured(CHROME, 0.9, s.of).cylinder([0, 0, 0], [0, 0, s.rod], thin),
        () => between({a: s.b, b: s.a}, scene, 0));
  },
};

// From place a towards place b, with z stretched so that `long` fills the distance; 0 leaves it.
function between({a, b}, scene, long) {
  const from = scene.spot(a), d = sub(scene.spot(b), from);
  return placed(from, norm(d) > 0 ? d : [0, 0, 1], long ? Math.max(norm(d), 1e-6 * scene.data.size) / long : 1);
}

// A shaft that is stretched and a head that is moved; a couple has two heads.
function arrow(a, scene, put) {
  const {size} = scene.data, values = numbers(a.values), r = 0.016 * size, head = 5 * r, more = {arrow: true};
  const built = () => new Builder().coloured(a.couple ? COUPLE : FORCE, 0.1, -1);
  const now = () => {
    const v = scale(scene.vector(values), a.scale);
    return {from: scene.spot(a.at), v, length: Math.min(norm(v), LONGEST * size)};
  };
  put(built().cylinder([0, 0, 0], [0, 0, 1], r, r, 0, 0), () => {
    const {from, v, length} = now();
    return length > head ? placed(from, v, length - head) : null;
  }, more);
  for (const back of a.couple ? [0, 0.7] : [0]) put(built().cone([0, 0, -head], [0, 0, 0], 2.4 * r), () => {
    const {from, v, length} = now();
    return length > head ? placed(along(from, unit(v), length - back * head), v) : null;
  }, more);
}

export const floor = (gl, far) => {
  const b = new Builder();
  for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) b.vertex([x * far, y * far, 0], [0, 0, 1]);
  b.triangles.push(0, 1, 2, 0, 2, 3);
  return {mesh: mesh(gl, b), where: identity};
};
