// Entry point of a page that computes: its engine, its sliders, its buttons.
import {$, element, legend} from "../../../viewer/web/panel.js";
import {SPEEDS, speeds, keyboard, views, pointer, appear, guarded} from "../../../viewer/web/controls.js";
import {Engine} from "./engine.js";
import {LiveScene, LivePlayer} from "./live.js";

const NO_WASM = "This page computes with WebAssembly, which this browser does not offer or does not allow. A current Firefox, " +
  "Chrome, Edge or Safari runs it.";
const STEPS = 400;  // of a slider

async function start() {
  if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined") throw new Error(NO_WASM);
  const data = JSON.parse($("scene").textContent), machine = JSON.parse($("machine").textContent);
  $("title").textContent = data.title;
  const engine = await Engine.made(machine);
  const usual = SPEEDS.findLast(s => s <= 1 && machine.until / s >= 2) ?? SPEEDS[0];
  const player = new LivePlayer(new LiveScene(data, machine.sliders), engine, usual, note);
  legend(player.chart, () => player.changed());
  speeds(usual);
  sliders(player);
  buttons(player);
  pointer(player, e => player.grab(e));
  player.canvas.addEventListener("pointermove", e => player.drag(e));
  for (const end of ["pointerup", "pointercancel"]) player.canvas.addEventListener(end, e => player.release(e));
  appear(player);
  player.play(!matchMedia("(prefers-reduced-motion: reduce)").matches && !machine.still);
}

function note(text) {
  $("note").textContent = text;
  $("note").hidden = !text;
}

function buttons(player) {
  const acts = {
    ...views(player), " ": () => player.play(!player.playing), ArrowRight: () => player.step(), Home: () => player.reset(),
    n: () => $("names").click(),
  };
  keyboard(acts, {play: " ", next: "ArrowRight", reset: "Home"});
  $("names").addEventListener("change", () => player.changed());
}

// One slider per number; a value of the start restarts the run, others act at once.
function sliders(player) {
  const {engine} = player, all = engine.data.sliders;
  $("desk").hidden = !all.length;
  const rows = all.map((s, k) => {
    const input = element("input", {type: "range", className: "own", min: "0", max: String(STEPS)}), output = element("output");
    const show = () => {
      input.value = String(Math.round(STEPS * (engine.values[k] - s.low) / (s.high - s.low)));
      output.textContent = `${Number(engine.values[k].toPrecision(4))} ${s.unit}`.replace("-", "\u2212");
    };
    input.addEventListener("input", () => {
      const values = [...engine.values];
      values[k] = s.low + (s.high - s.low) * input.value / STEPS;
      if (s.kind === "start") player.reset(values); else player.apply(values);
      show();
    });
    show();
    return {show, row: element("label", {title: s.kind === "start" ? "a value of the start: the run begins again" : ""},
                               element("span", {textContent: s.name}), input, output)};
  });
  $("desk").append(...rows.map(one => one.row));
  const first = element("button", {textContent: "First values"});
  first.addEventListener("click", () => {
    player.reset(all.map(s => s.value));
    rows.forEach(one => one.show());
  });
  $("desk").append(first);
}

guarded(start);
