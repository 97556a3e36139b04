// The scene at a time: numbers unpacked, poses of the frames between samples.
import {add, sub, norm, clamp, identity, posed, point} from "./math.js";

function bytes(text) {
  const raw = atob(text), out = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) out[k] = raw.charCodeAt(k);
  return out.buffer;
}
export const indices = text => new Uint32Array(bytes(text));

// 16 bits per number, with a minimum and a step per column.
export function numbers({data, low, step}) {
  const raw = new Uint16Array(bytes(data)), n = low.length, out = new Float64Array(raw.length);
  for (let k = 0; k < raw.length; k++) out[k] = low[k % n] + raw[k] * step[k % n];
  return out;
}

export class Scene {
  constructor(data) {
    this.data = data;
    this.times = numbers(data.times);
    this.poses = data.poses.map(numbers);
    this.hull = data.hull;
    this.now = [];  // matrices of the frames, 0 the ground
    const low = [0, 1, 2].map(k => data.hull.reduce((m, p) => Math.min(m, p[k] - p[3]), Infinity));
    const high = [0, 1, 2].map(k => data.hull.reduce((m, p) => Math.max(m, p[k] + p[3]), -Infinity));
    this.middle = add(low, high).map(v => v / 2);
    this.radius = Math.max(norm(sub(high, low)) / 2, 1e-9);
    this.at(this.first);
  }
  get first() { return this.times[0]; }
  get last() { return this.times[this.times.length - 1]; }

  // Pose of a frame at a sample, or interpolated by s to the next one.
  pose(frame, sample, s = 0) {
    if (!frame) return identity();
    const values = this.poses[frame - 1], i = 7 * sample, j = s > 0 ? i + 7 : i, mixed = [];
    for (let k = 0; k < 7; k++) mixed.push((1 - s) * values[i + k] + s * values[j + k]);
    const q = mixed.slice(3), length = Math.hypot(...q);
    return posed(mixed.slice(0, 3), q.map(v => v / length));
  }
  at(t) {
    let low = 0, high = this.times.length - 1;
    while (high - low > 1) { const k = (low + high) >> 1; if (this.times[k] <= t) low = k; else high = k; }
    const span = this.times[high] - this.times[low], s = span > 0 ? clamp((t - this.times[low]) / span, 0, 1) : 0;
    const [sample, share] = s >= 1 ? [high, 0] : [low, s];
    this.t = t;
    this.sample = sample + share;
    this.now = [identity(), ...this.poses.map((_, k) => this.pose(k + 1, sample, share))];
  }
  spot([frame, ...p]) { return point(this.now[frame], p); }
  path([frame, ...p]) {
    const points = new Float32Array(3 * this.times.length);
    for (let k = 0; k < this.times.length; k++) points.set(point(this.pose(frame, k), p), 3 * k);
    return points;
  }
  // A row of vectors at the present time.
  vector(values) { return this.row(values, 3); }
  // Numbers per sample, at the present time.
  row(values, count) {
    const i = count * Math.floor(this.sample), s = this.sample % 1, j = s > 0 ? i + count : i;
    return Array.from({length: count}, (_, k) => (1 - s) * values[i + k] + s * values[j + k]);
  }
  // The camera, the light and the floor follow a model that drives away; returns the shift.
  followed(before) {
    const {follow} = this.data, here = follow ? this.spot([follow, 0, 0, 0]) : null;
    const step = here && before ? [here[0] - before[0], here[1] - before[1], 0] : [0, 0, 0];
    if (step[0] || step[1]) {
      this.hull = this.hull.map(p => [...add(p, step), p[3]]);
      this.middle = add(this.middle, step);
    }
    return [here, step];
  }
  title(thing) {
    const {name, note} = this.data.things[thing];
    return note ? `${name}  ${note}` : name;
  }
}
