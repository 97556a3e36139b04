// A run in progress: the scene at the present instant, curves of the last seconds, steps as time goes by.
import {identity, matrix, point, sub} from "../../../viewer/web/math.js";
import {Scene} from "../../../viewer/web/scene.js";
import {Chart} from "../../../viewer/web/chart.js";
import {Player} from "../../../viewer/web/player.js";
import {$} from "../../../viewer/web/panel.js";
import {OK, MORE} from "./engine.js";

const SHOWN = 10, PER_SECOND = 60, PULL = 9, DAMP = 0.7;  // s at the usual speed, single steps, of the spring of the pointer (rad/s, ratio)
const LATE = "The motion is computed more slowly than it is shown, because it is fast or stiff. Choose a lower speed.";

// Places of all numbers in lists and dictionaries, in their order.
function numbersIn(tree) {
  return Object.keys(tree).flatMap(key => {
    const one = tree[key];
    return typeof one === "number" ? [[tree, key]] : one && typeof one === "object" ? numbersIn(one) : [];
  });
}

// The scene with the poses of the engine instead of samples.
export class LiveScene extends Scene {
  constructor(data, sliders) {
    super(data);
    this.now[0] = identity();
    this.sliders = sliders;
    this.leaves = numbersIn([data.solids, data.spans]);
    this.drawn = this.leaves.map(([owner, key]) => owner[key]);
  }
  at() {}
  // Outlines for other values of the sliders; returns whether any depend on them.
  reshape(values) {
    const changed = new Map();
    this.data.outlines.forEach(({at, low, high}, k) => {
      const s = this.sliders[k], up = values[k] > s.value, span = up ? s.high - s.value : s.value - s.low;
      const share = span > 0 ? Math.abs(values[k] - s.value) / span : 0;
      at.forEach((leaf, n) => changed.set(leaf, (changed.get(leaf) ?? 0) + share * (up ? high : low)[n]));
    });
    for (const [leaf, by] of changed) { const [owner, key] = this.leaves[leaf]; owner[key] = this.drawn[leaf] + by; }
    return changed.size > 0;
  }
  read(engine) {
    const p = engine.floats("record.position"), R = engine.floats("record.rotation");
    this.data.bodies.forEach((b, k) => {
      const r = R.subarray(9 * b, 9 * b + 9), column = j => [r[j], r[3 + j], r[6 + j]];
      this.now[k + 1] = matrix(column(0), column(1), column(2), p.subarray(3 * b, 3 * b + 3));
    });
  }
}

// Curves of the last seconds, with room for those to come.
export class LiveChart extends Chart {
  constructor(canvas, channels, seconds) {
    super(canvas, {data: {channels: []}, times: [0]}, () => {});
    this.seconds = seconds;
    this.channels = channels.map((c, k) => ({...c, values: [], fine: 1e-9, color: k}));
    this.clear();
  }
  get span() { return this.seconds; }
  clear() {
    this.times = [];
    this.channels.forEach(c => { c.values = []; c.turn = null; });
  }
  add(t, engine) {
    if (this.times.length && t <= this.times[this.times.length - 1]) return;
    while (this.times.length && this.times[0] < t - this.seconds) { this.times.shift(); this.channels.forEach(c => c.values.shift()); }
    this.times.push(t);
    for (const c of this.channels) c.values.push(measured(c, engine));
  }
}

// The value of a channel at the instant of the record.
export function measured(c, engine) {
  const at = (field, index) => {
    const shape = engine.data.arrays[`record.${field}`][2].slice(1);
    return engine.floats(`record.${field}`)[index.reduce((k, i, axis) => k * shape[axis] + i, 0)];
  };
  if (c.kind === "state") return engine.y[c.index];
  if (c.kind === "record") return at(c.field, c.at);
  if (c.kind === "sum") return c.of.reduce((sum, [field, index]) => sum + at(field, index), 0);
  const R = body => engine.floats("record.rotation").subarray(9 * body, 9 * body + 9);
  if (c.kind === "point") {
    const p = engine.floats("record.position"), r = R(c.body), k = 3 * c.axis;
    return p[3 * c.body + c.axis] + r[k] * c.p[0] + r[k + 1] * c.p[1] + r[k + 2] * c.p[2];
  }
  const F = product(R(c.i), c.R_iF), M = product(R(c.j), c.R_jM), [sine, cosine] = c.entries;
  const relative = k => [0, 1, 2].reduce((sum, i) => sum + F[3 * i + Math.floor(k / 3)] * M[3 * i + k % 3], 0);
  const raw = Math.atan2(relative(sine), relative(cosine));
  c.turn = c.turn === null ? raw : raw + 2 * Math.PI * Math.round((c.turn - raw) / (2 * Math.PI));
  return c.turn;
}

function product(a, b) {
  return Array.from({length: 9}, (_, k) => {
    const i = 3 * Math.floor(k / 3), j = k % 3;
    return a[i] * b[j] + a[i + 1] * b[3 + j] + a[i + 2] * b[6 + j];
  });
}

export class LivePlayer extends Player {
  constructor(scene, engine, usual, note) {
    super(scene);
    Object.assign(this, {engine, note, moving: true, held: null, late: false, digits: usual < 0.1 ? 5 : 2});
    this.chart = new LiveChart($("chart"), engine.data.channels, SHOWN * usual);
    $("bar").hidden = false;
    $("lower").hidden = !this.chart.channels.length;
    this.reset();
  }
  // Show the state of the engine at the present time.
  read() {
    this.engine.observe();
    this.scene.read(this.engine);
    this.chart.add(this.t, this.engine);
    this.scene.sample = this.chart.times.length - 1;
  }
  // The outlines of bodies may depend on sliders.
  redraw() {
    if (this.scene.reshape(this.engine.values)) this.renderer.rebuild();
    this.changed();
  }
  show() {
    this.paint(this.digits);
    this.drawPull();
  }
  advance(now) {
    // a frame may have begun before the run was started
    const passed = Math.max(now - this.then, 0), began = performance.now();
    this.then = now;
    this.pace = 0.7 * this.pace + 0.3 * passed;
    this.go(this.t + Number($("speed").value) * Math.min(passed, 100) / 1000);
    this.cost = performance.now() - began;
  }
  // Compute until a time; a failure stops the run and is reported.
  go(t) {
    if (this.held) this.pull();
    const status = this.engine.advance(t);
    this.t = this.engine.t;
    this.read();
    if (status === OK || status === MORE) {
      if (status === MORE !== this.late) this.note(status === MORE ? LATE : "");
      this.late = status === MORE;
      return true;
    }
    this.play(false);
    this.note(`The run stops at t = ${this.t.toFixed(3)} s: ${this.engine.reason(status)} Reset it, or move a slider.`);
    return false;
  }
  play(on) {
    this.playing = on;
    this.then = performance.now();
    if (!on) this.renderer.draft = false;
    $("play").textContent = on ? "Pause" : "Play";
    this.changed();
  }
  step() {
    this.play(false);
    this.go(this.t + Number($("speed").value) / PER_SECOND);
    this.changed();
  }
  reset(values = this.engine.values) {
    const status = this.engine.reset(values);
    if (status) { this.note(`No start was found: ${this.engine.starter.reasons[status] ?? `status ${status}`}. The last one is kept.`); return false; }
    this.t = this.engine.t;
    this.chart.clear();
    this.read();
    this.note("");
    this.redraw();
    return true;
  }
  // New values of sliders during a run.
  apply(values) {
    const status = this.engine.apply(values);
    this.note(status ? `This value is not possible here: ${this.engine.reason(status)}` : "");
    this.read();
    this.redraw();
    return !status;
  }
  // --- a body pulled by the pointer
  grab(e) {
    if (e.button !== 0 || e.shiftKey) return false;
    const thing = this.renderer.pick(e.offsetX, e.offsetY), frame = this.scene.data.things[thing]?.at[0];
    if (!frame) return false;
    const near = this.scene.spot(this.scene.data.things[thing].at), hit = this.under(e, near), now = this.scene.now[frame];
    const d = sub(hit, [now[12], now[13], now[14]]), local = [0, 4, 8].map(k => now[k] * d[0] + now[k + 1] * d[1] + now[k + 2] * d[2]);
    this.held = {frame, local, hit, target: hit, id: e.pointerId};
    this.leave();
    this.play(true);
    return true;
  }
  under(e, p) { return this.camera.under(e.offsetX, e.offsetY, this.canvas.clientWidth, this.canvas.clientHeight, p); }
  drag(e) {
    if (this.held?.id === e.pointerId) this.held.target = this.under(e, this.held.hit);
  }
  release(e) {
    if (this.held?.id !== e.pointerId) return;
    this.held = null;
    this.engine.pull(null, null, null, 0, 0);
  }
  pull() {
    const {frame, local, target} = this.held, body = this.scene.data.bodies[frame - 1], [{mass}] = this.engine.data.pointer;
    this.engine.pull(body, local, target, mass * PULL * PULL, 2 * DAMP * mass * PULL);
  }
  drawPull() {
    const line = $("pull");
    line.parentElement.classList.toggle("off", !this.held);
    if (!this.held) return;
    const {clientWidth: w, clientHeight: h} = this.canvas, {frame, local, target} = this.held;
    const ends = [point(this.scene.now[frame], local), target].map(p => this.camera.onScreen(p, w, h));
    if (ends.includes(null)) return;
    ends.forEach(([x, y], k) => { line.setAttribute(`x${k + 1}`, x); line.setAttribute(`y${k + 1}`, y); });
  }
}
