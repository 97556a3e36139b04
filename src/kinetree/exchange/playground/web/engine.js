// A model in WebAssembly: its memory, calls of its kernels, its start, its steps.
export const OK = 0, MORE = 100;  // statuses of kernels: done, and too many steps for one picture
const CLOSED = 0, RESTART = 1n;  // a status of closing.py, a value of a field of the session
const MOST = 1000n;  // steps for one picture

export async function unpacked(text) {
  const raw = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Engine {
  static async made(data) {
    const parts = [data.code, data.content, ...(data.starter ? [data.starter.content] : [])];
    const [code, ...contents] = await Promise.all(parts.map(unpacked));
    const {instance} = await WebAssembly.instantiate(code);
    return new Engine(data, instance.exports, contents);
  }
  constructor(data, exports, contents) {
    const {starter} = data, sizes = [data.size, starter?.size ?? 0], bases = [data.heap, data.heap + data.size];
    Object.assign(this, {data, starter, exports, bases, views: {}});
    const missing = bases[1] + sizes[1] - exports.memory.buffer.byteLength;
    if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
    this.memory = exports.memory.buffer;
    this.bytes = new DataView(this.memory);
    contents.forEach((content, k) => new Uint8Array(this.memory).set(content, bases[k]));
    [data, starter].forEach((one, k) => {
      for (const [at, to] of one?.moves ?? []) this.setWord([k, at], bases[k] + to);
      for (const [at, index] of one?.calls ?? []) this.setWord([k, at], index);
    });
    this.values = data.sliders.map(s => s.value);
    this.first = {y: this.floats("session.y").slice(), now: this.session("now"), restart: this.session("restart")};
  }
  // --- memory; a place is an arena, 0 the image and 1 the starter, and an offset
  setWord([arena, at], value) { this.bytes.setBigInt64(this.bases[arena] + at, BigInt(value), true); }
  setNumber([arena, at], value) { this.bytes.setFloat64(this.bases[arena] + at, value, true); }
  // The floats of an array of the image, or of the starter.
  floats(name) { return this.views[name] ??= new Float64Array(this.memory, this.bases[0] + this.data.arrays[name][0], size(this.data.arrays[name][2])); }
  own(name) { return this.views[`own ${name}`] ??= new Float64Array(this.memory, this.bases[1] + this.starter.places[name], size(this.starter.shapes[name])); }
  session(name, value) {
    const [offset, kind] = this.data.records.session[name], at = this.bases[0] + this.data.places["session.state"] + offset;
    const type = kind === "f8" ? "Float64" : "BigInt64";
    if (value !== undefined) this.bytes[`set${type}`](at, value, true);
    return this.bytes[`get${type}`](at, true);
  }
  // --- calls of kernels; arguments are made by these three, numbers and big integers are passed as they are
  block(name) { return name in this.data.places ? this.bases[0] + this.data.places[name] : this.bases[1] + this.starter.places[name]; }
  given(name, count) {
    const shape = count === undefined ? this.starter.shapes[name] : [count];
    return [this.bases[1] + this.starter.places[name], ...shape.map(BigInt)];
  }
  kernel(name) { return this.data.entries[name] + 1; }
  call(name, ...args) {
    const found = this.exports[name](...args.flat());
    return typeof found === "bigint" ? Number(found) : found;
  }
  // --- numbers that depend on sliders
  write(values) {
    this.values = [...values];
    this.data.sliders.forEach((s, k) => { if (s.kind === "input") this.setInput(s.name, values[k]); });
    if (!this.data.map) return;
    const {middle, half, terms, series} = this.data.map, u = values.map((p, k) => (p - middle[k]) / half[k]);
    const set = (places, value) => places.forEach(place => this.setNumber(place, value));
    for (const {powers, factors, at} of terms) {
      const basis = powers.map(row => row.reduce((product, n, k) => { for (; n > 0; n--) product *= u[k]; return product; }, 1));
      at.forEach((places, j) => set(places, basis.reduce((sum, b, i) => sum + b * factors[j][i], 0)));
    }
    for (const {slider, at, c} of series) set(at, chebyshev(c, u[slider]));
    this.frames();
    this.tolerances();
  }
  // An input has a value from now on.
  setInput(name, value) {
    const {signal} = this.data.records, input = this.data.inputs.find(one => one.name === name);
    for (const at of input.places) {
      this.setNumber([0, at + signal.a[0]], value);
      this.setNumber([0, at + signal.b[0]], 0);
      this.setNumber([0, at + signal.begin[0]], this.t);
    }
  }
  // Frames of bodies may depend on sliders.
  frames() {
    const poses = this.other("frames of bodies"), R = this.floats("view.R_KB"), p = this.floats("view.p_KB");
    for (let b = 0; 12 * b < poses.length; b++) for (let i = 0; i < 3; i++) {
      p[3 * b + i] = 0;
      for (let j = 0; j < 3; j++) {
        R[9 * b + 3 * i + j] = poses[12 * b + 3 * j + i];
        p[3 * b + i] -= poses[12 * b + 3 * j + i] * poses[12 * b + 9 + j];
      }
    }
  }
  tolerances() {
    const {isLength, units, row} = this.data.tolerances, all = this.floats("run.vectors"), {width} = this.data.numbers;
    units.forEach((unit, k) => { all[row * width + k] = unit * (isLength[k] ? this.length : 1); });
  }
  get length() { return this.bytes.getFloat64(this.bases[0] + this.data.length, true); }
  // --- the start, as in studies/cases/start.py; returns a status of closing.py
  other(name) {
    const [first, count] = this.starter.others[name];
    return this.own("others").subarray(first, first + count);
  }
  start() {
    const side = this.starter.held ? "held" : "plain", tables = this.starter.held ? "held.tables" : "tables", {ng} = this.data.numbers;
    this.own("q").set(this.other("drawn position"));
    this.own("x").set(this.other("initial states"));
    this.turns("plain", "tables", "x", "");
    if (ng) {
      for (const one of this.starter.held ? ["plain", "held"] : ["plain"]) this.rescale(one);
      let status = this.close(side, tables, null);
      for (const push of this.starter.pushes) if (status !== CLOSED) status = this.close(side, tables, push);
      if (status !== CLOSED) return status;
      if (this.starter.held) this.call("count_turns", this.block("tables"), this.block("plain.work"), this.given("q"), this.given("x"));
    }
    return this.speeds();
  }
  // Close the loops from the drawn position, or from beside it.
  close(side, tables, push) {
    const {axesAt, rcond, held} = this.starter, x = held ? "held x" : "x", tail = held ? " with drivers" : "";
    const both = [this.block(tables), this.block(`${side}.work`)], root = this.own(`${side}.root`);
    this.own("q").set(this.other("drawn position"));
    this.own(x).set(this.other(`initial states${tail}`));
    this.turns(side, tables, x, tail);
    if (push) {
      this.own("push").set(push.map((p, k) => p * root[k]));
      this.call("shift_coordinates", both[0], this.given("q"), this.given("push"));
      this.call("count_turns", both, this.given("q"), this.given(x));
    }
    const scratch = ["scale", "holonomic", "root", "natural", "A", "W", "s", "g", "step", "q", "x"].map(n => this.given(`${side}.${n}`));
    this.call("close_position", this.block("out"), both, this.data.t0, this.given("q"), this.given(x), scratch.flat(), rcond);
    const axes = this.other("frames of joints"), rows = this.own("axes");
    axesAt.forEach((places, n) => places.forEach((place, k) => { rows[6 * n + k] = axes[place]; }));
    return this.call("check_closed", both, this.own("out")[0], this.given("pairs"), this.given("axes"));
  }
  turns(side, tables, x, tail) {
    const given = this.other(`turns${tail}`);
    this.own("turns").set(given);
    this.call("initial_turns", this.block(tables), this.block(`${side}.work`), this.given("q"), this.given("turns", given.length), this.given(x));
  }
  rescale(side) {
    const {lengths, positions, travels} = this.starter, {length} = this;
    const [scale, holonomic, root, natural] = ["scale", "holonomic", "root", "natural"].map(n => this.own(`${side}.${n}`));
    scale.forEach((_, k) => {
      scale[k] = lengths[side][k] ? 1 : length;
      holonomic[k] = positions[side][k] ? scale[k] : 0;
    });
    natural.forEach((_, k) => { natural[k] = travels[k] ? 1 / length : 1; root[k] = 1 / natural[k]; });
  }
  speeds() {
    const {isLength, travels, ways, rank} = this.starter, {length} = this, {ng} = this.data.numbers, {t0} = this.data;
    const both = [this.block("tables"), this.block("plain.work")], all = names => names.map(n => this.given(n)).flat();
    if (ng) this.own("plain.scale").forEach((s, k) => { this.own("rows")[k] = s / length; });
    this.own("natural").forEach((_, k, row) => { row[k] = ng && travels[k] ? 1 / length : 1; });
    isLength.forEach((is, k) => { this.own("units")[k] = is ? length : 1; });
    this.own("given").set(this.other("speeds"));
    const status = this.call("consistent_speeds", both, t0, all(["v", "rows", "natural", "dofs", "given", "units", "A", "W", "s", "b"]));
    if (status !== CLOSED || !ng) return status;
    this.own("ways").set(ways);
    return this.call("check_regular", both, t0, all(["q", "x", "v"]), BigInt(rank),
      all(["rows", "natural", "ways", "plain.A", "plain.W", "plain.s", "plain.g", "plain.step", "plain.q", "T", "T behind"]));
  }
  // --- steps
  get t() { return this.session("now"); }
  get y() { return this.floats("session.y"); }
  // Compute until a time; OK, MORE on the way there, or the status of a failure. The state is that of the time reached.
  advance(t) {
    const kernels = ["start", "step", "dense", "rhs", "project"].map(name => this.kernel(name));
    return this.call("advance", this.block("tables"), this.block("work"), kernels, this.block("run"), this.block("session"), t, 0n, MOST);
  }
  restart() { this.session("restart", RESTART); }
  // Fill the record for the present state.
  observe() {
    const {n} = this.data.numbers;
    this.floats("view.t")[0] = this.t;
    this.floats("view.y").set(this.y.subarray(0, n));
    return this.call("observe", this.block("seen"), this.block("seen_work"), this.kernel("rhs"), this.kernel("project"),
      this.block("frames"), this.block("view"), BigInt(this.data.see), this.block("record"));
  }
  // Back to the start, for these values of the sliders; CLOSED, or a status, and then nothing has changed.
  reset(values) {
    const old = this.values;
    this.write(values);
    const status = this.starter ? this.start() : CLOSED;
    if (status !== CLOSED) { this.write(old); return status; }
    this.y.set(this.first.y);
    if (this.starter) this.y.set([...this.own("q"), ...this.own("v"), ...this.own("x")]);
    this.session("now", this.first.now);
    this.session("next_break", 0n);
    this.session("restart", this.first.restart);
    return CLOSED;
  }
  // New values of sliders during a run; the state is moved onto the constraints. OK, or a status.
  apply(values) {
    const old = this.values, y = this.y.slice();
    this.write(values);
    const status = this.settle();
    if (status !== OK) { this.write(old); this.y.set(y); }
    this.restart();
    return status;
  }
  settle() {
    const at = this.bases[0] + this.data.places["session.y"];
    return this.call("settle", this.block("seen"), this.block("seen_work"), this.kernel("project"), this.t, at, BigInt(this.data.numbers.n));
  }
  // A spring from a point of a body, in its frame, to a point of the world; without a body none.
  pull(body, local, target, stiffness, damping) {
    const R = this.floats("view.R_KB"), p = this.floats("view.p_KB");
    for (const place of this.data.pointer) {
      if (body !== null) {
        this.setWord([0, place.body], body);
        for (let i = 0; i < 3; i++) {
          this.setNumber([0, place.target + 8 * i], target[i]);
          this.setNumber([0, place.point + 8 * i], p[3 * body + i] + [0, 1, 2].reduce((sum, j) => sum + R[9 * body + 3 * i + j] * local[j], 0));
        }
      }
      for (let i = 0; i < 3; i++) {
        this.setNumber([0, place.stiffness + 56 * i], stiffness);
        this.setNumber([0, place.damping + 56 * i], damping);
      }
    }
    this.restart();
  }
  reason(status) { return this.data.statuses[status] ?? `the integrator ended with status ${status}.`; }
}

const size = shape => shape.reduce((a, b) => a * b, 1);

// sum of c_k T_k(u), by Clenshaw's recursion
function chebyshev(c, u) {
  let [next, after] = [0, 0];
  for (let k = c.length - 1; k > 0; k--) [next, after] = [c[k] + 2 * u * next - after, next];
  return c[0] + u * next - after;
}
