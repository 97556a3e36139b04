// A model in WebAssembly: its memory, calls of its kernels, the start, steps of the integrator.
const CLOSED = 0, MORE = 100, DONE = 101;  // statuses of closing.py and of the time loop
const STALLED = 4000;  // steps for one picture

export async function unpacked(text) {
  const raw = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Engine {
  static async made(data, code, arena) {
    const {instance} = await WebAssembly.instantiate(code);
    return new Engine(data, instance.exports, arena);
  }
  constructor(data, exports, arena) {
    Object.assign(this, {data, exports, base: data.free, memory: exports.memory});
    const missing = data.free + arena.length - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    new Uint8Array(this.memory.buffer).set(arena, this.base);
    this.view = new DataView(this.memory.buffer);
    for (const [at, to] of data.pointers) this.setWord(at, this.base + to);
    for (const [at, index] of data.kernels) this.setWord(at, index);
    this.arrays = {};
    this.values = data.sliders.map(s => s.value);
  }
  // --- memory
  setWord(at, value) { this.view.setBigInt64(this.base + at, BigInt(value), true); }
  word(at) { return Number(this.view.getBigInt64(this.base + at, true)); }
  setNumber(at, value) { this.view.setFloat64(this.base + at, value, true); }
  number(at) { return this.view.getFloat64(this.base + at, true); }
  // The floats of an array, in place.
  array(name) {
    const [at, shape] = this.data.places[name];
    return this.arrays[name] ??= new Float64Array(this.memory.buffer, this.base + at, shape.reduce((a, b) => a * b, 1));
  }
  field(record, name) { return this.data.places[`run.${record}`][0] + this.data.offsets[record][name]; }
  memoryValue(name) { return this.data.integers.includes(name) ? this.word(this.field("memory", name)) : this.number(this.field("memory", name)); }
  setMemory(name, value) {
    if (this.data.integers.includes(name)) this.setWord(this.field("memory", name), value);
    else this.setNumber(this.field("memory", name), value);
  }
  // --- calls: texts name arrays, blocks and functions; numbers and big integers are passed as they are
  call(name, ...given) {
    const args = given.flatMap(one => {
      if (typeof one !== "string") return [one];
      if (one.startsWith("@")) return [this.data.functions[one.slice(1)]];
      const [at, shape] = this.data.places[one.replace(/^=/, "")];
      return one.startsWith("=") ? [this.base + at] : [this.base + at, ...shape.map(BigInt)];
    });
    const found = this.exports[name](...args);
    return typeof found === "bigint" ? Number(found) : found;
  }
  // --- numbers that depend on sliders
  write(values) {
    const {middle, half, terms, series} = this.data.map, u = values.map((p, k) => (p - middle[k]) / half[k]);
    for (const {powers, factors, at} of terms) {
      const basis = powers.map(row => row.reduce((product, n, k) => { for (; n > 0; n--) product *= u[k]; return product; }, 1));
      at.forEach((place, j) => this.setNumber(place, basis.reduce((sum, b, i) => sum + b * factors[j][i], 0)));
    }
    for (const {slider, at, c} of series) this.setNumber(at, chebyshev(c, u[slider]));
    this.values = [...values];
  }
  // --- the start, as in studies/cases/start.py; returns a status of closing.py
  other(name) {
    const [first, count] = this.data.start.others[name];
    return this.array("others").subarray(first, first + count);
  }
  get length() { return this.number(this.data.places["tables.settings"][0] + this.data.offsets.length); }
  start() {
    const {start} = this.data, side = start.held ? "held" : "free", tables = start.held ? "=held.tables" : "=tables";
    const q = this.array("start.q"), v = this.array("start.v"), x = this.array("start.x"), {ng} = this.data.size;
    q.set(this.other("drawn position"));
    x.set(this.other("initial states"));
    this.turns("free", "=tables", "start.q", "start.x", "");
    if (ng) {
      for (const one of start.held ? ["free", "held"] : ["free"]) this.rescale(one);
      let status = this.close(side, tables, null);
      for (let attempt = 0; status !== CLOSED && attempt < start.pushes.length; attempt++)
        status = this.close(side, tables, start.pushes[attempt]);
      if (status !== CLOSED) return status;
      if (start.held) this.call("count_turns", "=tables", "=free.work", "start.q", "start.x");
    }
    return this.speeds();
  }
  // Close the loops from the drawn position, or from beside it.
  close(side, tables, push) {
    const {start, t0} = this.data, own = side === "held" ? "held.x0" : "start.x", tail = side === "held" ? " with drivers" : "";
    const root = this.array(`${side}.root`), out = this.base + this.data.places["start.out"][0];
    this.array("start.q").set(this.other("drawn position"));
    this.array(own).set(this.other(`initial states${tail}`));
    this.turns(side, tables, "start.q", own, tail);
    if (push) {
      this.array("start.push").set(push.map((p, k) => p * root[k]));
      this.call("shift_coordinates", tables, "start.q", "start.push");
      this.call("count_turns", tables, `=${side}.work`, "start.q", own);
    }
    const names = ["scale", "holonomic", "root", "natural", "A", "W", "s", "g", "step", "q", "x"].map(n => `${side}.${n}`);
    this.call("close_position", out, tables, `=${side}.work`, t0, "start.q", own, ...names, start.rcond);
    const axes = this.other("frames of joints"), rows = this.array("start.axes");
    start.axesAt.forEach((places, n) => places.forEach((place, k) => { rows[6 * n + k] = axes[place]; }));
    return this.call("check_closed", tables, `=${side}.work`, this.array("start.out")[0], "start.pairs", "start.axes");
  }
  turns(side, tables, q, x, tail) {
    const [at] = this.data.places["start.turns"], given = this.other(`turns${tail}`), count = given.length;
    this.array("start.turns").set(given);
    this.call("initial_turns", tables, `=${side}.work`, q, this.base + at, BigInt(count), x);
  }
  rescale(side) {
    const {lengths, positions, travels} = this.data.start, size = this.length;
    const [scale, holonomic, root, natural] = ["scale", "holonomic", "root", "natural"].map(n => this.array(`${side}.${n}`));
    scale.forEach((_, k) => {
      scale[k] = lengths[side][k] ? 1 : size;
      holonomic[k] = positions[side][k] ? scale[k] : 0;
    });
    natural.forEach((_, k) => { natural[k] = travels[k] ? 1 / size : 1; root[k] = 1 / natural[k]; });
  }
  speeds() {
    const {start, t0, size} = this.data, length = this.length, rows = this.array("start.rows");
    if (size.ng) this.array("free.scale").forEach((s, k) => { rows[k] = s / length; });
    const natural = this.array("start.natural");
    natural.forEach((_, k) => { natural[k] = size.ng && start.travels[k] ? 1 / length : 1; });
    start.isLength.forEach((is, k) => { this.array("start.units")[k] = is ? length : 1; });
    this.array("start.given").set(this.other("speeds"));
    const status = this.call("consistent_speeds", "=tables", "=free.work", t0, "start.v", "start.rows", "start.natural",
      "start.dofs", "start.given", "start.units", "start.A", "start.W", "start.s", "start.b");
    if (status !== CLOSED || !size.ng) return status;
    this.array("start.ways").set(start.ways);
    return this.call("check_regular", "=tables", "=free.work", t0, "start.q", "start.x", "start.v", BigInt(start.rank),
      "start.rows", "start.natural", "start.ways", "free.A", "free.W", "free.s", "free.g", "free.step", "free.q",
      "start.T0", "start.T1");
  }
  // --- steps
  get t() { return this.memoryValue("t"); }
  row(k) { const n = this.data.places["run.vectors"][1][1]; return this.array("run.vectors").subarray(k * n, k * n + n); }
  // Start the method again at a time and a state.
  restart(t, y) {
    const {reset, rows, horizon, breaks} = this.data;
    for (const name of reset) this.setMemory(name, 0);
    if (y !== this.row(rows.y)) this.row(rows.y).set(y);
    this.setNumber(this.field("control", "h_initial"), 0);
    this.setNumber(this.field("control", "t_start"), t);
    this.setMemory("t", t);
    this.setMemory("t_before", t);
    this.setMemory("next_stop", 1);
    this.next = breaks.find(b => b > t + 1e-12 * Math.max(1, Math.abs(t))) ?? Infinity;
    this.setEnd(Math.min(t + horizon, before(this.next)));
  }
  setEnd(t) {
    this.setNumber(this.field("control", "t_end"), t);
    this.array("run.stops")[0] = t;
  }
  // Take steps until a time is reached; null, or the status of the failure.
  advance(until) {
    const {rows, horizon} = this.data;
    for (let k = 0; this.t < until; k++) {
      if (k === STALLED) return -1;
      if (this.t + 0.5 * horizon > this.end && this.end < before(this.next)) this.setEnd(Math.min(this.t + horizon, before(this.next)));
      this.setMemory("row", 0);
      if (this.memoryValue("slow_steps") > 0) this.setMemory("slow_steps", 0);
      const status = this.call("advance", "=tables", "=work", "@start", "@step", "@dense", "@rhs", "@project", "=run");
      if (status === DONE) {
        const t = this.next < Infinity && this.t >= before(this.next) ? after(this.next) : this.t;
        const failed = this.settle(t, this.row(rows.y));
        if (failed) return failed;
      } else if (status !== MORE) return status;
    }
    return null;
  }
  get end() { return this.number(this.field("control", "t_end")); }
  // A state on the constraints, from which the method starts again; 0, or a status.
  settle(t, y) {
    this.array("see.y").set(y);
    const [at] = this.data.places["see.y"], status = this.call("project", "=tables", "=work", t, this.base + at, BigInt(y.length));
    if (status) return status;
    this.restart(t, this.array("see.y"));
    return 0;
  }
  // The state at a time inside the last step.
  state(t) {
    const y = this.array("see.y"), {places} = this.data;
    if (this.t > t && this.memoryValue("accepted") > 0 && t >= this.memoryValue("t_before"))
      this.call("dense", "=run", t, this.base + places["see.y"][0], BigInt(y.length));
    else y.set(this.row(this.data.rows.y));
    return y;
  }
  // Fill the record of one instant.
  observe(t) {
    this.state(t);
    this.array("see.t")[0] = t;
    this.call("complete", "=tables", "=seen", "@rhs", "@project", "see.t", "see.y", "see.ydot", "see.raw", "see.before",
      "see.back", "see.vdot", "see.lam", "see.loads");
    this.call("observe", "=tables", "=seen", "=frames", "see.R_KB", "see.p_KB", "see.t", "see.y", "see.vdot", "see.lam",
      "see.loads", BigInt(this.data.see), "=record");
  }
  // New values of sliders at a time; the state is moved onto the constraints. 0, or a status.
  apply(values, t) {
    const old = this.values, y = this.state(t).slice();
    this.write(values);
    this.frames();
    this.tolerances();
    const status = this.settle(t, y);
    if (status) { this.write(old); this.frames(); this.settle(t, y); }
    return status;
  }
  // A spring from a point of a body, in its frame, to a point of the world; without a body none.
  pull(body, local, target, stiffness, damping, t) {
    const {pointer} = this.data, y = this.state(t).slice();
    if (body !== null) {
      const R = this.array("see.R_KB"), p = this.array("see.p_KB");
      this.setWord(pointer.body, body);
      for (let i = 0; i < 3; i++) {
        this.setNumber(pointer.target + 8 * i, target[i]);
        this.setNumber(pointer.point + 8 * i, p[3 * body + i] + [0, 1, 2].reduce((sum, j) => sum + R[9 * body + 3 * i + j] * local[j], 0));
      }
    }
    for (let i = 0; i < 3; i++) {
      this.setNumber(pointer.stiffness + 56 * i, stiffness);
      this.setNumber(pointer.damping + 56 * i, damping);
    }
    this.restart(t, y);
  }
  reason(status) { return this.data.statuses[status] ?? `the integrator ended with status ${status}.`; }
  reset(values) {
    const old = this.values;
    this.write(values);
    const status = this.start();
    if (status !== CLOSED) { this.write(old); return status; }
    this.frames();
    this.tolerances();
    const y = [...this.array("start.q"), ...this.array("start.v"), ...this.array("start.x")];
    this.restart(this.data.t0, y);
    return CLOSED;
  }
  // Frames of bodies may depend on sliders.
  frames() {
    const poses = this.other("frames of bodies"), R = this.array("see.R_KB"), p = this.array("see.p_KB");
    for (let b = 0; 12 * b < poses.length; b++) for (let i = 0; i < 3; i++) {
      p[3 * b + i] = 0;
      for (let j = 0; j < 3; j++) {
        R[9 * b + 3 * i + j] = poses[12 * b + 3 * j + i];
        p[3 * b + i] -= poses[12 * b + 3 * j + i] * poses[12 * b + 9 + j];
      }
    }
  }
  tolerances() {
    const {isLength, units} = this.data.tolerances, length = this.length;
    this.row(this.data.rows.atol).forEach((_, k, row) => { row[k] = units[k] * (isLength[k] ? length : 1); });
  }
}

// sum of c_k T_k(u) [Clenshaw1955]
function chebyshev(c, u) {
  let [next, after] = [0, 0];
  for (let k = c.length - 1; k > 0; k--) [next, after] = [c[k] + 2 * u * next - after, next];
  return c[0] + u * next - after;
}

const bits = new DataView(new ArrayBuffer(8));
function beside(x, by) {
  if (!Number.isFinite(x)) return x;
  if (x === 0) return by * 5e-324;
  bits.setFloat64(0, x);
  bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(x > 0 ? by : -by));
  return bits.getFloat64(0);
}
export const before = x => beside(x, -1), after = x => beside(x, 1);
