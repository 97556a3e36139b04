// Entry point of the page: data, picture, buttons, keys, pointer.
import {steer} from "./camera.js";
import {Scene} from "./scene.js";
import {$, element, legend, strainScale} from "./panel.js";
import {Player} from "./player.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
const NO_WEBGL = "This picture needs WebGL 2, which this browser does not offer. A current Firefox, Chrome, Edge or Safari " +
  "shows it; check that hardware acceleration is on.";

function say(text) {
  $("message").textContent = text;
  $("message").hidden = false;
  window.viewer = {ready: false, error: text};
}

function start() {
  const data = JSON.parse($("scene").textContent);
  $("title").textContent = data.title;
  const player = new Player(new Scene(data));
  strainScale(data.strain, data.shades);
  legend(player.chart, () => player.changed());
  chooseSpeed(player.scene);
  switches(player, data);
  buttons(player);
  pointer(player);
  const dark = window.matchMedia("(prefers-color-scheme: dark)"), follow = () => player.theme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", follow);
  new ResizeObserver(() => { player.renderer.resize(); player.camera.refit(); player.changed(); }).observe(player.canvas);
  player.renderer.resize();
  player.camera.fit();
  follow();
  player.show();
  window.viewer = Object.assign(player, {ready: true, error: null});
}

// Real time, but at least two seconds for a run.
function chooseSpeed({first, last}) {
  const usual = SPEEDS.findLast(s => s <= 1 && (last - first) / s >= 2) ?? SPEEDS[0];
  const option = s => element("option", {value: String(s), textContent: `${s}\u00d7`, selected: s === usual});
  $("speed").append(...SPEEDS.map(option));
}

function switches(player, data) {
  const count = {traces: data.traces.length, forces: data.arrows.length, others: data.ghosts.length, names: data.things.length};
  $("forces").checked = player.renderer.forces = data.arrowsShown;
  for (const id in count) {
    $(id).parentElement.hidden = !count[id];
    $(id).addEventListener("change", e => { player.renderer[id] = e.target.checked; player.changed(); });
  }
}

function buttons(player) {
  const {scene} = player, other = () => player.renderer.theme === "dark" ? "light" : "dark";
  const acts = {
    " ": () => player.play(!player.playing), ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
    Home: () => player.seek(scene.first), End: () => player.seek(scene.last),
    f: () => player.fit(), d: () => player.theme(other()),
    0: () => player.view("home"), 1: () => player.view("front"), 2: () => player.view("side"), 3: () => player.view("top"),
    n: () => $("names").click(), t: () => $("traces").click(), r: () => $("forces").click(),
  };
  const keys = {play: " ", back: "ArrowLeft", next: "ArrowRight", fit: "f", theme: "d", home: 0, front: 1, side: 2, top: 3};
  for (const id in keys) $(id).addEventListener("click", acts[keys[id]]);
  $("scrub").addEventListener("input", e => {
    player.play(false);
    player.seek(scene.first + (scene.last - scene.first) * e.target.value / 1000);
  });
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches("select, input[type=search]")) return;
    if (e.key === " " && e.target.matches("button, input[type=checkbox]")) return;  // these handle the key themselves
    if (e.key in acts) { e.preventDefault(); acts[e.key](); }
  });
}

function pointer(player) {
  const {canvas, renderer} = player;
  let wanted = null;  // where to pick a name at the next redraw
  steer(canvas, player.camera, () => { player.leave(); player.changed(); });
  canvas.addEventListener("dblclick", () => player.fit());
  canvas.addEventListener("pointermove", e => {
    if (e.buttons) return;
    if (!wanted) requestAnimationFrame(() => { if (wanted) player.hover(...wanted); wanted = null; });
    wanted = [e.offsetX, e.offsetY];
  });
  canvas.addEventListener("pointerleave", () => { wanted = null; player.leave(); });
  canvas.addEventListener("webglcontextlost", e => e.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => { renderer.start(); player.changed(); });
}

try {
  start();
} catch (error) {
  say(error.message === "no webgl2" ? NO_WEBGL : `The picture cannot be drawn: ${error.message}`);
  if (error.message !== "no webgl2") throw error;
}
