// Entry point of the page: data, picture, buttons, keys.
import {Scene} from "./scene.js";
import {$, legend, strainScale} from "./panel.js";
import {Player} from "./player.js";
import {SPEEDS, speeds, keyboard, views, pointer, appear, guarded} from "./controls.js";

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
  appear(player);
}

// Real time, but at least two seconds for a run.
function chooseSpeed({first, last}) {
  const usual = SPEEDS.findLast(s => s <= 1 && (last - first) / s >= 2) ?? SPEEDS[0];
  speeds(usual);
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
  const {scene} = player;
  const acts = {
    ...views(player), " ": () => player.play(!player.playing), ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
    Home: () => player.seek(scene.first), End: () => player.seek(scene.last),
    n: () => $("names").click(), t: () => $("traces").click(), r: () => $("forces").click(),
  };
  keyboard(acts, {play: " ", back: "ArrowLeft", next: "ArrowRight"});
  $("scrub").addEventListener("input", e => {
    player.play(false);
    player.seek(scene.first + (scene.last - scene.first) * e.target.value / 1000);
  });
}

guarded(start);
