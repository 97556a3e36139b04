// Parts around the canvas: list of channels, names over the model, the axes in the corner.
// Text from the scene is only set through textContent.
import {dot} from "./math.js";

export const $ = id => document.getElementById(id);

export function element(kind, properties = {}, ...children) {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
}

// One line per channel: box, key, name, value; a filter field if there are many.
export function legend(chart, changed) {
  const rows = chart.channels.map(c => {
    const box = element("input", {type: "checkbox", checked: c.shown});
    box.addEventListener("change", () => { c.shown = box.checked; changed(); });
    c.output = element("output");
    c.key = element("i");
    return element("label", {title: c.name}, box, c.key, element("span", {textContent: c.name}), c.output);
  });
  const search = element("input", {type: "search", placeholder: `filter ${rows.length} channels`, hidden: rows.length < 7});
  search.addEventListener("input", () => rows.forEach((row, k) => {
    row.hidden = !chart.channels[k].name.toLowerCase().includes(search.value.toLowerCase());
  }));
  $("legend").append(search, ...rows);
}

// Color scale of the strain, if something is colored.
export function strainScale(strain, shades) {
  if (shades) $("strain").querySelector("span").textContent = shades.title;
  strain = shades ?? strain;
  $("strain").hidden = !strain;
  if (!strain) return;
  $("strain").querySelector("i").style.background = `linear-gradient(to right, ${strain.colours.join(", ")})`;
  $("strain").querySelector("output").textContent = Number(strain.most.toPrecision(2)).toString();
}

export function values(chart, sample) {
  for (const c of chart.channels) {
    const v = chart.value(c, sample), small = v !== 0 && Math.abs(v) < 1e-3;
    const digits = small ? v.toExponential(3) : Number(v.toPrecision(4)).toString();
    c.output.textContent = `${Math.abs(v) < c.fine ? 0 : digits} ${c.unit}`.replaceAll("-", "\u2212");
  }
}

// Names at their things, if they are few enough to read.
export function labels(scene, camera, canvas, on) {
  const holder = $("labels");
  holder.hidden = !on;
  if (!on) return;
  const {things, ghosts} = scene.data, count = Math.min(things.length, ghosts[0] ?? things.length, 80);
  while (holder.childElementCount < count) holder.append(element("span"));
  for (let k = 0; k < count; k++) {
    const place = camera.onScreen(scene.spot(things[k].at), canvas.clientWidth, canvas.clientHeight), span = holder.children[k];
    if (span.textContent !== things[k].name) span.textContent = things[k].name;
    span.hidden = !place;
    if (place) span.style.transform = `translate(${place[0].toFixed(1)}px, ${place[1].toFixed(1)}px) translate(-50%, -50%)`;
  }
}

export function gizmo(camera) {
  const canvas = $("axes"), ctx = canvas.getContext("2d"), ratio = window.devicePixelRatio || 1, n = 92, [x, y, b] = camera.axes;
  canvas.width = canvas.height = n * ratio;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  Object.assign(ctx, {font: "600 12px system-ui, sans-serif", textAlign: "center", textBaseline: "middle"});
  Object.assign(ctx, {lineWidth: 2.6, lineCap: "round"});
  const arms = [["x", [1, 0, 0], "#d0453b"], ["y", [0, 1, 0], "#2e9a55"], ["z", [0, 0, 1], "#3a77c9"]];
  arms.sort((p, q) => dot(p[1], b) - dot(q[1], b));
  for (const [label, d, color] of arms) {
    const u = dot(d, x), v = dot(d, y);
    ctx.strokeStyle = ctx.fillStyle = color;
    ctx.beginPath(); ctx.moveTo(n / 2, n / 2); ctx.lineTo(n / 2 + 27 * u, n / 2 - 27 * v); ctx.stroke();
    if (Math.hypot(u, v) > 0.2) ctx.fillText(label, n / 2 + 37 * u, n / 2 - 37 * v);
  }
}
