// Playback: the present time, whether it plays, and the view.
import {add, clamp} from "./math.js";
import {Camera} from "./camera.js";
import {Renderer} from "./render.js";
import {Chart} from "./chart.js";
import {$, values, labels, gizmo} from "./panel.js";

const SLOW = 90, QUICK = 25;  // ms per picture: reduce the quality above, restore it below

export class Player {
  constructor(scene) {
    Object.assign(this, {scene, t: scene.first, playing: false, waiting: false, then: 0, pace: 0, here: null, pictures: 0});
    this.canvas = $("picture");
    this.camera = new Camera(scene);
    this.renderer = new Renderer(this.canvas, scene, this.camera);
    this.chart = new Chart($("chart"), scene, t => this.seek(t));
    this.moving = scene.last > scene.first;
    $("bar").hidden = !this.moving;
    $("lower").hidden = !this.moving || !this.chart.channels.length;
  }
  // Schedule one redraw for any number of changes.
  changed() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(now => this.tick(now));
  }
  tick(now) {
    this.waiting = false;
    if (this.playing) this.advance(now);
    this.renderer.draft = this.playing && this.pace > (this.renderer.draft ? QUICK : SLOW);
    this.show();
    if (this.playing) this.changed();
  }
  advance(now) {
    const {first, last} = this.scene, passed = now - this.then;
    this.then = now;
    this.pace = 0.7 * this.pace + 0.3 * passed;  // smoothed
    this.t += Number($("speed").value) * Math.min(passed, 500) / 1000;
    if (this.t >= last) this.t = $("loop").checked ? first : last;
    if (this.t === last) this.play(false);
  }
  show(t = this.t) {
    const {scene} = this, {first, last} = scene;
    this.t = clamp(t, first, last);
    scene.at(this.t);
    this.paint(last - first < 0.2 ? 5 : 3);
    $("scrub").value = String(Math.round(1000 * (this.t - first) / ((last - first) || 1)));
  }
  // Draw everything at the present time, which is shown with so many digits.
  paint(digits) {
    const {scene, camera, renderer, chart, canvas} = this;
    const [here, step] = scene.followed(this.here);
    this.here = here;
    camera.target = add(camera.target, step);
    renderer.draw();
    gizmo(camera);
    labels(scene, camera, canvas, $("names").checked);
    $("time").textContent = `${this.t.toFixed(digits)} s`;
    if (!$("lower").hidden) { chart.draw(this.t, scene.sample); values(chart, scene.sample); }
    this.pictures++;
  }
  seek(t) { this.t = clamp(t, this.scene.first, this.scene.last); this.changed(); }
  play(on) {
    this.playing = on && this.moving;
    this.then = performance.now();
    if (this.playing && this.t >= this.scene.last) this.t = this.scene.first;
    if (!this.playing) this.renderer.draft = false;
    $("play").textContent = this.playing ? "Pause" : "Play";
    this.changed();
  }
  step(by) {
    const {times, sample} = this.scene;
    this.play(false);
    this.seek(times[clamp(Math.round(sample) + by, 0, times.length - 1)]);
  }
  view(name) { this.camera.view(name); this.changed(); }
  fit() { this.camera.fit(); this.changed(); }
  theme(name) {
    this.renderer.theme = this.chart.theme = document.documentElement.dataset.theme = name;
    for (const c of this.chart.channels) c.key.style.background = this.chart.color(c);
    this.changed();
  }
  // The name of the thing under a point of the canvas, shown next to it.
  hover(x, y) {
    const thing = this.renderer.pick(x, y), tip = $("tip");
    tip.hidden = thing < 0;
    tip.textContent = thing < 0 ? "" : this.scene.title(thing);
    tip.style.left = `${Math.min(x + 14, this.canvas.clientWidth - tip.offsetWidth - 4)}px`;
    tip.style.top = `${y + 14}px`;
    this.mark(thing);
    return tip.textContent;
  }
  mark(thing) { if (this.renderer.marked !== thing) { this.renderer.marked = thing; this.changed(); } }
  leave() { $("tip").hidden = true; this.mark(-2); }
  project(place) { return this.camera.onScreen(this.scene.spot(place), this.canvas.clientWidth, this.canvas.clientHeight); }
}
