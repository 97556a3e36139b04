// Channels against time on a plain canvas, one strip per unit, with a cursor that follows the time and can be dragged.
import {clamp} from "./math.js";
import {numbers} from "./scene.js";

const COLORS = {light: ["#2f6fb0", "#d27a12", "#1f8a73", "#c8463c", "#7d5bb0", "#5d6670"],
                dark: ["#6cb0f0", "#f5a848", "#4fc9ae", "#f07a70", "#b59ae6", "#b4bec8"]};
const INKS = {light: {ink: "#4a545f", rule: "#dde2e8", cursor: "#20262d", back: "#ffffff"},
              dark: {ink: "#aeb8c4", rule: "#2b333d", cursor: "#e8edf3", back: "#12161b"}};
const LEFT = 64, RIGHT = 16, TOP = 8, BOTTOM = 20, GAP = 10;

export class Chart {
  constructor(canvas, scene, seek) {
    const {data, times} = scene, names = new Map();
    Object.assign(this, {canvas, times, theme: "light", t: 0});
    this.channels = data.channels.map(c => {
      const base = c.run ? c.name.replace(/ \(\d+\)$/, "") : c.name;  // the same channel of another run has the same color
      if (!names.has(base)) names.set(base, names.size);
      return {...c, values: numbers(c.values), fine: c.values.step[0], color: names.get(base)};
    });
    const drag = e => { if (e.buttons & 1) seek(this.time(e.offsetX)); };
    canvas.addEventListener("pointerdown", e => { canvas.setPointerCapture(e.pointerId); drag(e); });
    canvas.addEventListener("pointermove", drag);
  }
  color(c) { return COLORS[this.theme][c.color % COLORS.light.length]; }
  get width() { return this.canvas.clientWidth - LEFT - RIGHT; }
  time(x) { return this.times[0] + clamp((x - LEFT) / this.width, 0, 1) * this.span; }
  get span() { return this.times[this.times.length - 1] - this.times[0] || 1; }
  value(c, sample) {
    const i = Math.floor(sample), j = Math.min(i + 1, c.values.length - 1);
    return c.values[i] + (sample - i) * (c.values[j] - c.values[i]);
  }
  draw(t, sample) {
    const {canvas} = this, ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w || !h) return;
    if (canvas.width !== Math.round(w * ratio)) canvas.width = Math.round(w * ratio);
    if (canvas.height !== Math.round(h * ratio)) canvas.height = Math.round(h * ratio);
    const ctx = canvas.getContext("2d"), shown = this.channels.filter(c => c.shown), units = [...new Set(shown.map(c => c.unit))];
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, w, h);
    ctx.font = "11px system-ui, sans-serif";
    const rows = Math.max(1, units.length), high = (h - TOP - BOTTOM - GAP * (rows - 1)) / rows;
    const X = time => LEFT + this.width * (time - this.times[0]) / this.span;
    const steps = ticks(this.times[0], this.times[0] + this.span, Math.max(2, w / 110)), look = INKS[this.theme];
    const page = {ctx, look, X, steps, t, sample};
    units.forEach((unit, row) => this.strip(page, shown.filter(c => c.unit === unit), TOP + row * (high + GAP), high));
    Object.assign(ctx, {fillStyle: look.ink, textAlign: "center", textBaseline: "alphabetic"});
    steps.forEach((s, k) => {
      const text = short(s, steps[1] - steps[0]) + (k === steps.length - 1 ? " s" : "");
      ctx.fillText(text, Math.min(X(s), w - 18), h - 5);
    });
    Object.assign(ctx, {strokeStyle: look.cursor, lineWidth: 1});
    line(ctx, X(t), TOP, X(t), h - BOTTOM);
  }
  // One unit: grid, numbers, curves, and a dot on each at the cursor.
  strip({ctx, look, X, steps, t, sample}, channels, top, high) {
    const [low, most] = extent(channels), Y = v => top + high * (most - v) / (most - low), right = LEFT + this.width;
    const marks = ticks(low, most, Math.max(2, high / 22));
    Object.assign(ctx, {lineWidth: 1, strokeStyle: look.rule, fillStyle: look.ink, textAlign: "right", textBaseline: "middle"});
    for (const v of marks) { line(ctx, LEFT, Y(v), right, Y(v)); ctx.fillText(short(v, marks[1] - marks[0]), LEFT - 6, Y(v)); }
    for (const s of steps) line(ctx, X(s), top, X(s), top + high);
    ctx.save();
    ctx.translate(11, top + high / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.textAlign = "center";
    ctx.fillText(channels[0].unit, 0, 0);
    ctx.restore();
    for (const c of channels) {
      Object.assign(ctx, {strokeStyle: this.color(c), lineWidth: 1.7, lineJoin: "round"});
      ctx.setLineDash(c.run ? [6, 4] : []);
      ctx.beginPath();
      c.values.forEach((v, k) => ctx.lineTo(X(this.times[k]), Y(v)));
      ctx.stroke();
    }
    ctx.setLineDash([]);
    for (const c of channels) {
      Object.assign(ctx, {fillStyle: this.color(c), strokeStyle: look.back, lineWidth: 1.5});
      ctx.beginPath();
      ctx.arc(X(t), Y(this.value(c, sample)), 3.6, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
  }
}

function line(ctx, x0, y0, x1, y1) { ctx.beginPath(); ctx.moveTo(x0, y0); ctx.lineTo(x1, y1); ctx.stroke(); }

// Minimum and maximum of all values, with a margin.
function extent(channels) {
  let low = Infinity, high = -Infinity;
  for (const c of channels) for (const v of c.values) { if (v < low) low = v; if (v > high) high = v; }
  const room = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

// Round numbers between two limits, at most about `most`.
function ticks(low, high, most) {
  const rough = (high - low) / most || 1, ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * [1, 2, 5, 10].find(k => k * ten >= rough * 0.999), out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step);
  return out.length > 1 || most > 50 ? out : ticks(low, high, 2 * most);
}

// A number with the digits of a step; large ones in thousands, millions or billions.
function short(v, step) {
  const size = Math.abs(step);
  const [k, letter] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e3 ? [1e3, "k"] : [1, ""];
  const digits = clamp(-Math.floor(Math.log10(size / k || 1) + 1e-9), 0, 9);
  return Math.abs(v) < 1e-9 * size ? "0" : (v / k).toFixed(digits).replace("-", "\u2212") + letter;
}
