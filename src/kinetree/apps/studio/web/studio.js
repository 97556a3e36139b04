// The page of a studio: watches the file, sends values of parameters, shows pages of the viewer.
const $ = id => document.getElementById(id), base = location.pathname, DELAY = 250;  // ms after the last move of a slider
const state = {version: -1, values: {}, waiting: null, computing: false, again: false, tab: "run"};

async function ask(what, body) {
  const reply = await fetch(base + what, body && {method: "POST", body: JSON.stringify(body)});
  if (!reply.ok) throw new Error(await reply.text());
  return reply.json();
}

function say(text) { $("message").textContent = text; $("message").hidden = !text; }

// One slider and one number for each parameter; values that were moved are kept when the file changes.
function sliders(parameters) {
  const old = state.values, first = state.first ?? {};
  state.first = Object.fromEntries(parameters.map(p => [p.name, p.value]));
  state.values = Object.fromEntries(parameters.map(p => [p.name, first[p.name] === p.value && p.name in old ? old[p.name] : p.value]));
  $("sliders").replaceChildren(...parameters.map(p => {
    const row = document.createElement("label"), name = document.createElement("span");
    const range = Object.assign(document.createElement("input"), {type: "range", min: p.low, max: p.high, step: "any", value: state.values[p.name]});
    const box = Object.assign(document.createElement("input"), {type: "number", step: "any", value: Number(state.values[p.name].toPrecision(6))});
    name.textContent = name.title = p.name;
    range.addEventListener("input", () => { box.value = Number(range.valueAsNumber.toPrecision(6)); moved(p.name, range.valueAsNumber); });
    box.addEventListener("change", () => { if (Number.isFinite(box.valueAsNumber)) { range.value = box.value; moved(p.name, box.valueAsNumber); } });
    row.append(name, range, box);
    return row;
  }));
}

function moved(name, value) {
  state.values[name] = value;
  if (state.tab === "live") return;  // that page has sliders of its own
  clearTimeout(state.waiting);
  state.waiting = setTimeout(compute, DELAY);
}

async function compute() {
  if (state.computing) { state.again = true; return; }
  state.computing = true;
  $("busy").hidden = false;
  try {
    const found = await ask(state.tab, {values: state.values, until: $("until").valueAsNumber || 0, compare: $("compare").checked});
    say(found.message);
    $("summary").textContent = found.summary ?? "";
    if (found.page) show(found.page);
  } catch (error) {
    say(error.message);
  }
  state.computing = false;
  $("busy").hidden = true;
  if (state.again) { state.again = false; compute(); }
}

function show(page) {
  const view = $("view"), shown = view.contentWindow?.viewer, t = shown?.playing ? 0 : shown?.t ?? 0;
  view.addEventListener("load", () => {
    const viewer = view.contentWindow.viewer;
    if (page.startsWith("run") && viewer?.ready) { viewer.seek(t); if (!shown || shown.playing) viewer.play(true); }
    document.body.dataset.page = page;
  }, {once: true});
  view.contentWindow.location.replace(`${base}page/${page}`);
}

function choose(tab) {
  state.tab = tab;
  $("motion").ariaSelected = String(tab === "run");
  $("live").ariaSelected = String(tab === "live");
  compute();
}

async function watch() {
  for (;;) {
    try {
      const found = await ask(`state?after=${state.version}`);
      if (found.version === state.version) continue;
      state.version = found.version;
      document.title = $("name").textContent = found.name;
      if (!$("until").value) $("until").value = found.until;
      $("topology").textContent = found.topology;
      say(found.message);
      if (!found.message) { sliders(found.parameters); compute(); }
    } catch {
      say("The studio has ended. Start it again with kinetree studio, and open its new address.");
      return;
    }
  }
}

$("sliders").addEventListener("submit", e => e.preventDefault());
$("run").addEventListener("click", compute);
$("until").addEventListener("change", compute);
$("motion").addEventListener("click", () => choose("run"));
$("live").addEventListener("click", () => choose("live"));
watch();
