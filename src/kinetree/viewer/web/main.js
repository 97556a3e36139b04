// Puts the page together and moves it: time, keys, pointer.
import {add, clamp} from "./math.js";
import {Camera, steer} from "./camera.js";
import {Scene} from "./scene.js";
import {Renderer} from "./render.js";
import {Chart} from "./chart.js";
import {$, element, legend, values, labels, gizmo} from "./panel.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
const NO_WEBGL = "This picture needs WebGL 2, which this browser does not offer. A current Firefox, Chrome, Edge or Safari shows it; " +
  "check that hardware acceleration is on.";
window.viewer = {ready: false, error: null};

function say(text) {
  $("message").textContent = text;
  $("message").hidden = false;
  window.viewer.error = text;
}

function run() {
  const data = JSON.parse($("scene").textContent);
  $("title").textContent = data.title;
  const scene = new Scene(data), camera = new Camera(scene), canvas = $("picture"), {first, last} = scene;
  let renderer, t = first, playing = false, then = 0, waiting = false, here = null, slow = 0;
  try {
    renderer = new Renderer(canvas, scene, camera);
  } catch (error) {
    return say(error.message === "no webgl2" ? NO_WEBGL : `The picture cannot be drawn: ${error.message}`);
  }
  const chart = new Chart($("chart"), scene, seek), moving = last > first;
  $("bar").hidden = !moving;
  $("lower").hidden = !moving || !chart.channels.length;

  function changed() { if (!waiting) { waiting = true; requestAnimationFrame(tick); } }
  function tick(now) {
    waiting = false;
    if (playing) {
      slow = 0.7 * slow + 0.3 * (now - then);  // smoothed time per picture: without a graphics card, draw less
      t += Number($("speed").value) * Math.min(now - then, 500) / 1000;
      if (t >= last) t = $("loop").checked ? first : last;
      if (t === last) play(false);
      then = now;
    }
    renderer.draft = playing && slow > (renderer.draft ? 25 : 90);
    show();
    if (playing) changed();
  }
  function show() {
    scene.at(t);
    let step;
    [here, step] = scene.followed(here);
    camera.target = add(camera.target, step);
    renderer.draw();
    gizmo(camera);
    labels(scene, camera, canvas, $("names").checked);
    $("scrub").value = String(Math.round(1000 * (t - first) / ((last - first) || 1)));
    $("time").textContent = `${t.toFixed(last - first < 0.2 ? 5 : 3)} s`;
    if (!$("lower").hidden) { chart.draw(t, scene.sample); values(chart, scene.sample); }
    window.viewer.pictures = (window.viewer.pictures || 0) + 1;
  }
  function seek(to) { t = clamp(to, first, last); changed(); }
  function play(on) {
    playing = on && moving;
    then = performance.now();
    if (playing && t >= last) t = first;
    $("play").textContent = playing ? "Pause" : "Play";
    changed();
  }
  function step(by) {
    play(false);
    seek(scene.times[clamp(Math.round(scene.sample) + by, 0, scene.times.length - 1)]);
  }
  function view(name) { camera.view(name); changed(); }
  function fit() { camera.fit(); changed(); }
  function theme(name) {
    renderer.theme = chart.theme = document.documentElement.dataset.theme = name;
    for (const c of chart.channels) c.key.style.background = chart.color(c);
    changed();
  }
  function hover(x, y) {
    const thing = renderer.pick(x, y), tip = $("tip");
    tip.hidden = thing < 0;
    tip.textContent = thing < 0 ? "" : scene.title(thing);
    tip.style.left = `${Math.min(x + 14, canvas.clientWidth - tip.offsetWidth - 4)}px`;
    tip.style.top = `${y + 14}px`;
    mark(thing);
    return tip.textContent;
  }
  function mark(thing) { if (renderer.marked !== thing) { renderer.marked = thing; changed(); } }
  function leave() { $("tip").hidden = true; mark(-2); }

  legend(chart, changed);
  const usual = SPEEDS.findLast(s => (last - first) / s >= 2) ?? SPEEDS[0];  // a run lasts two seconds or more to the eye
  for (const s of SPEEDS) $("speed").append(element("option", {value: String(s), textContent: `${s}\u00d7`, selected: s === Math.min(usual, 1)}));
  steer(canvas, camera, () => { leave(); changed(); });
  const switches = {traces: data.traces.length, forces: data.arrows.length, others: data.ghosts.length, names: data.things.length};
  $("forces").checked = data.arrowsShown;
  renderer.arrows = data.arrowsShown;
  for (const [id, count] of Object.entries(switches)) {
    $(id).parentElement.hidden = !count;
    $(id).addEventListener("change", e => { renderer[id === "forces" ? "arrows" : id] = e.target.checked; changed(); });
  }
  for (const name of ["home", "front", "side", "top"]) $(name).addEventListener("click", () => view(name));
  const acts = {" ": () => play(!playing), ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => seek(first), End: () => seek(last),
    f: fit, 0: () => view("home"), 1: () => view("front"), 2: () => view("side"), 3: () => view("top"),
    d: () => theme(renderer.theme === "dark" ? "light" : "dark"), n: () => $("names").click(), t: () => $("traces").click(), r: () => $("forces").click()};
  for (const [id, key] of [["play", " "], ["back", "ArrowLeft"], ["next", "ArrowRight"], ["fit", "f"], ["theme", "d"]])
    $(id).addEventListener("click", acts[key]);
  $("scrub").addEventListener("input", e => { play(false); seek(first + (last - first) * e.target.value / 1000); });
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches("select, input[type=search]")) return;
    if (e.key === " " && e.target.matches("button, input[type=checkbox]")) return;
    if (e.key in acts) { e.preventDefault(); acts[e.key](); }
  });
  canvas.addEventListener("dblclick", fit);
  let asked = false;
  canvas.addEventListener("pointermove", e => {
    if (e.buttons || asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; hover(e.offsetX, e.offsetY); });
  });
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("webglcontextlost", e => e.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => { renderer.start(); changed(); });
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", () => theme(dark.matches ? "dark" : "light"));
  new ResizeObserver(() => { renderer.resize(); changed(); }).observe(canvas);

  renderer.resize();
  camera.fit();
  theme(dark.matches ? "dark" : "light");
  show();
  Object.assign(window.viewer, {ready: true, scene, camera, renderer, chart, hover, view, play, theme,
    get time() { return t; },
    show(to) { play(false); t = clamp(to, first, last); show(); },
    project: place => camera.onScreen(scene.spot(place), canvas.clientWidth, canvas.clientHeight)});
}

try { run(); } catch (error) { say(`The picture cannot be drawn: ${error.message}`); throw error; }
