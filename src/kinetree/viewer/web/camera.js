// The camera orbits a target, z up. Left drag rotates, right or shift drag pans, the wheel zooms at the pointer; one finger
// rotates, two pan and zoom.
import {add, sub, scale, along, dot, cross, unit, clamp, perspective, orthographic, lookAt, times} from "./math.js";

const FOV = 0.5, MARGIN = 1.12;
const STRAIGHT = {front: [-Math.PI / 2, 0], side: [0, 0], top: [-Math.PI / 2, Math.PI / 2 - 1e-4]};

export class Camera {
  constructor(scene) {
    this.scene = scene;
    this.aspect = 1;
    this.view("home");
  }
  // The view of the scene in perspective, or a parallel projection along an axis; it contains the whole run.
  view(name) {
    [this.yaw, this.pitch] = STRAIGHT[name] ?? this.scene.data.view;
    this.flat = name in STRAIGHT;
    this.fit();
  }
  fit() {
    const [x, y, b] = this.axes, h = Math.tan(FOV / 2) / MARGIN, w = h * this.aspect;
    const seen = this.scene.hull.map(p => [dot(p, x), dot(p, y), dot(p, b), p[3]]);
    const middle = [0, 1, 2].map(k => 0.5 * (seen.reduce((m, s) => Math.min(m, s[k] - s[3]), Infinity) +
                                             seen.reduce((m, s) => Math.max(m, s[k] + s[3]), -Infinity)));
    this.distance = seen.reduce((most, s) => {
      const wide = Math.max((Math.abs(s[0] - middle[0]) + s[3]) / w, (Math.abs(s[1] - middle[1]) + s[3]) / h);
      return Math.max(most, wide + (this.flat ? 0 : s[2] - middle[2]));
    }, 1e-9);
    this.target = add(scale(x, middle[0]), add(scale(y, middle[1]), scale(b, middle[2])));
    this.fitted = true;  // until the user moves the camera
  }
  // The canvas has changed its size: a camera that the user has not moved still shows all.
  refit() {
    const {target} = this;
    if (this.fitted) this.fit();
    this.target = target;
  }
  get back() {  // from the target to the camera
    const {yaw, pitch} = this;
    return [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch)];
  }
  get axes() {  // right, up and back
    const b = this.back, x = unit(cross([0, 0, 1], b));
    return [x, cross(b, x), b];
  }
  get eye() { return along(this.target, this.back, this.distance); }
  get matrix() {
    const d = this.distance, r = this.scene.radius, far = d + 14 * r, h = d * Math.tan(FOV / 2);
    const lens = this.flat ? orthographic(h * this.aspect, h, -far, far)
                           : perspective(FOV, this.aspect, Math.max(0.02 * d, d - 6 * r), far);
    return times(lens, lookAt(this.eye, this.target, [0, 0, 1]));
  }
  // Where a point is on a canvas of that width and height, or null behind the camera.
  onScreen(p, width, height) {
    const m = this.matrix, [u, v, w] = [0, 1, 3].map(i => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);
    return w > 0 ? [(u / w * 0.5 + 0.5) * width, (0.5 - v / w * 0.5) * height] : null;
  }
  // The point under a pixel, in the plane through `p` parallel to the picture.
  under(px, py, width, height, p) {
    const [x, y, b] = this.axes, from = sub(p, this.target), depth = this.distance - dot(from, b);
    const half = (this.flat ? this.distance : depth) * Math.tan(FOV / 2), at = along(this.target, b, dot(from, b));
    return along(along(at, x, (2 * px / width - 1) * half * width / height), y, (1 - 2 * py / height) * half);
  }
  turn(dx, dy) { this.yaw -= 0.008 * dx; this.pitch = clamp(this.pitch + 0.008 * dy, -1.5706, 1.5706); }
  shift(dx, dy, height) {
    const [x, y] = this.axes, s = 2 * this.distance * Math.tan(FOV / 2) / height;
    this.target = along(along(this.target, x, -dx * s), y, dy * s);
  }
  // Keeps the point under the pointer in place.
  zoom(factor, px, py, width, height) {
    const before = this.distance, {radius} = this.scene;
    this.distance = clamp(before * factor, 0.02 * radius, 60 * radius);
    const k = 1 - before / this.distance;
    this.shift((px - width / 2) * k, (py - height / 2) * k, height);
  }
}

export function steer(canvas, camera, changed, grab = () => false) {
  const fingers = new Map();
  const steered = () => { camera.fitted = false; changed(); };
  canvas.addEventListener("contextmenu", e => e.preventDefault());
  canvas.addEventListener("pointerdown", e => {
    canvas.setPointerCapture(e.pointerId);
    if (!fingers.size && grab(e)) return;
    fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, e => fingers.delete(e.pointerId));
  canvas.addEventListener("pointermove", e => {
    const old = fingers.get(e.pointerId), now = [e.offsetX, e.offsetY], {clientWidth: w, clientHeight: h} = canvas;
    if (!old) return;
    const dx = now[0] - old[0], dy = now[1] - old[1];
    if (fingers.size === 2) {
      const [, other] = [...fingers].find(([id]) => id !== e.pointerId);
      const spread = p => Math.max(1, Math.hypot(p[0] - other[0], p[1] - other[1]));
      camera.shift(dx / 2, dy / 2, h);
      camera.zoom(spread(old) / spread(now), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2, w, h);
    } else if (e.shiftKey || e.buttons & 6) camera.shift(dx, dy, h);
    else camera.turn(dx, dy);
    fingers.set(e.pointerId, now);
    steered();
  });
  canvas.addEventListener("wheel", e => {
    e.preventDefault();
    camera.zoom(Math.exp(clamp(e.deltaY, -200, 200) * 0.0012), e.offsetX, e.offsetY, canvas.clientWidth, canvas.clientHeight);
    steered();
  }, {passive: false});
}
