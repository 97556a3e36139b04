// What all pages share: views, keys, pointer, theme, and messages.
import {steer} from "./camera.js";
import {$, element} from "./panel.js";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
const NO_WEBGL = "This picture needs WebGL 2, which this browser does not offer. A current Firefox, Chrome, Edge or Safari " +
  "shows it; check that hardware acceleration is on.";
const VIEWS = {fit: "f", theme: "d", home: 0, front: 1, side: 2, top: 3};

function say(text) {
  $("message").textContent = text;
  $("message").hidden = false;
  window.viewer = {ready: false, error: text};
}

export function speeds(usual) {
  const option = s => element("option", {value: String(s), textContent: `${s}\u00d7`, selected: s === usual});
  $("speed").append(...SPEEDS.map(option));
}

// Keys of the views and of the theme.
export function views(player) {
  const other = () => player.renderer.theme === "dark" ? "light" : "dark";
  return {
    f: () => player.fit(), d: () => player.theme(other()),
    0: () => player.view("home"), 1: () => player.view("front"), 2: () => player.view("side"), 3: () => player.view("top"),
  };
}

// Keys, and the buttons that do the same, by their ids.
export function keyboard(acts, more) {
  const keys = {...VIEWS, ...more};
  for (const id in keys) $(id).addEventListener("click", acts[keys[id]]);
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches("select, input[type=search], input[type=range].own")) return;
    if (e.key === " " && e.target.matches("button, input[type=checkbox]")) return;  // these handle the key themselves
    if (e.key in acts) { e.preventDefault(); acts[e.key](); }
  });
}

// `grab` returns whether it takes a pointer that goes down; otherwise the pointer moves the camera.
export function pointer(player, grab = () => false) {
  const {canvas, renderer} = player;
  let wanted = null;  // where to pick a name at the next redraw
  steer(canvas, player.camera, () => { player.leave(); player.changed(); }, grab);
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

// The first picture, in the theme of the browser.
export function appear(player) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)"), follow = () => player.theme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", follow);
  new ResizeObserver(() => { player.renderer.resize(); player.camera.refit(); player.changed(); }).observe(player.canvas);
  player.renderer.resize();
  player.camera.fit();
  follow();
  player.show();
  window.viewer = Object.assign(player, {ready: true, error: null});
}

export function guarded(start) {
  const failed = error => {
    say(error.message === "no webgl2" ? NO_WEBGL : `The picture cannot be drawn: ${error.message}`);
    if (error.message !== "no webgl2") throw error;
  };
  try {
    start()?.catch(failed);
  } catch (error) {
    failed(error);
  }
}
