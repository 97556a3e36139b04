// The passes of a picture: shadow, floor, solids, silhouettes, further runs, traces; and one pixel for picking.
import {add, along, unit, identity, times, orthographic, lookAt} from "./math.js";
import {MESH_VERTEX, MESH_FRAGMENT, FLOOR_FRAGMENT, LINE_VERTEX, LINE_FRAGMENT, SHADOW_FRAGMENT} from "./shaders.js";
import {program, shadowTarget, pickTarget} from "./gl.js";
import {build, floor} from "./items.js";

const THEMES = {
  light: {back: [0.86, 0.885, 0.91], floorColor: [0.83, 0.855, 0.88], line: [0.44, 0.49, 0.55], sky: [0.52, 0.56, 0.62],
          earth: [0.26, 0.25, 0.24], edge: 0.22},
  dark: {back: [0.0095, 0.0125, 0.017], floorColor: [0.019, 0.024, 0.031], line: [0.10, 0.125, 0.155], sky: [0.34, 0.38, 0.46],
         earth: [0.10, 0.10, 0.11], edge: 0.06},
};
const TO_LIGHT = unit([0.42, -0.55, 1.15]);

export class Renderer {
  constructor(canvas, scene, camera) {
    const gl = this.gl = canvas.getContext("webgl2", {antialias: true, alpha: false, preserveDrawingBuffer: true});
    if (!gl) throw new Error("no webgl2");
    Object.assign(this, {canvas, scene, camera, theme: "light", marked: -2, draft: false});
    Object.assign(this, {traces: true, forces: true, others: true});
    this.start();
  }
  start() {  // also after a lost context
    const {gl, scene} = this;
    this.solid = program(gl, MESH_VERTEX, MESH_FRAGMENT);
    this.ground = program(gl, MESH_VERTEX, FLOOR_FRAGMENT);
    this.depth = program(gl, MESH_VERTEX, SHADOW_FRAGMENT);
    this.line = program(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.shadow = shadowTarget(gl, 2048);
    this.picked = pickTarget(gl);
    Object.assign(this, build(gl, scene));
    this.plane = floor(gl, 40 * scene.radius);
  }
  rebuild() {  // after a change of the outlines
    for (const item of this.items) item.mesh.free();
    Object.assign(this, build(this.gl, this.scene));
  }
  resize() {
    const {canvas, camera} = this, ratio = Math.min(window.devicePixelRatio || 1, 2) * (this.draft ? 0.6 : 1);
    const w = Math.max(1, Math.round(canvas.clientWidth * ratio)), h = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    camera.aspect = w / h;
    this.ratio = ratio;
  }
  visible(which) {
    return this.items.filter(item => which(item) && (!item.arrow || this.forces) && (!item.ghost || this.others));
  }
  drawn(prog, items) {
    for (const item of items) {
      const model = item.where();
      if (!model) continue;
      prog.set({model});
      item.mesh.draw();
    }
  }
  draw() {
    const {gl, scene, camera, canvas} = this, look = THEMES[this.theme];
    if (gl.isContextLost()) return;
    this.resize();
    for (const item of this.items) item.renew?.();
    const r = 1.45 * scene.radius, light = times(orthographic(r, r, 0.5 * r, 6 * r),
                                                 lookAt(along(scene.middle, TO_LIGHT, 3 * r), scene.middle, [0, 1, 0]));
    const own = this.visible(item => !item.ghost), solid = own.filter(item => !item.arrow);
    this.drawShadow(light, solid);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...look.back.map(v => v ** (1 / 2.2)), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture);
    const common = {...look, light, toLight: TO_LIGHT, shadow: 0, texel: 1 / this.shadow.size, draft: this.draft ? 1 : 0,
                    view: camera.matrix, eye: camera.eye, pixel: [2 / canvas.width, 2 / canvas.height],
                    floorAt: scene.data.floor ?? -1e9, reach: scene.radius, marked: this.marked, swell: 0, ghostly: 0, mode: 0};
    if (scene.data.floor !== null && camera.back[2] > -0.02) this.drawFloor(common);  // not from below
    this.solid.use();
    this.solid.set(common);
    this.drawn(this.solid, own);
    if (!this.draft) this.drawSilhouettes(own);
    this.drawOthers();
    this.drawInside();
    if (this.traces) this.drawTraces(common);
  }
  drawShadow(light, items) {
    const {gl} = this;
    gl.enable(gl.DEPTH_TEST); gl.enable(gl.CULL_FACE); gl.cullFace(gl.BACK); gl.disable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.target);
    gl.viewport(0, 0, this.shadow.size, this.shadow.size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL); gl.polygonOffset(1.5, 2);
    this.depth.use();
    this.depth.set({view: light, swell: 0});
    this.drawn(this.depth, items);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }
  drawFloor(common) {
    const {gl, scene} = this, model = identity();
    model.set(add([0, 0, scene.data.floor], [scene.middle[0], scene.middle[1], 0]), 12);
    this.ground.use();
    this.blend(true);
    this.ground.set({...common, model, middle: scene.middle, pitch: this.pitch});
    this.plane.mesh.draw();
    this.blend(false);
  }
  drawSilhouettes(items) {
    const {gl} = this;
    gl.cullFace(gl.FRONT);
    this.solid.set({mode: 2, swell: 1.1 * this.ratio});
    this.drawn(this.solid, items);
    gl.cullFace(gl.BACK);
    this.solid.set({mode: 0, swell: 0});
  }
  // Other runs are translucent and set back a little: where runs agree, only the first is visible.
  drawOthers() {
    const {gl} = this, items = this.visible(item => item.ghost);
    if (!items.length) return;
    gl.enable(gl.POLYGON_OFFSET_FILL); gl.polygonOffset(2, 40);
    gl.colorMask(false, false, false, false);
    this.drawn(this.solid, items);
    gl.colorMask(true, true, true, true);
    this.blend(true);
    gl.depthFunc(gl.LEQUAL);
    this.solid.set({ghostly: 0.45});
    this.drawn(this.solid, items);
    gl.depthFunc(gl.LESS);
    this.blend(false);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }
  // Arrows inside a solid are visible through it.
  drawInside() {
    const {gl} = this;
    this.blend(true);
    gl.depthFunc(gl.GREATER); gl.depthMask(false);
    this.solid.set({ghostly: 0.5});
    this.drawn(this.solid, this.visible(item => item.arrow));
    gl.depthFunc(gl.LESS); gl.depthMask(true);
    this.blend(false);
  }
  drawTraces({view, pixel, back}) {
    const {gl} = this;
    this.blend(true);
    gl.disable(gl.CULL_FACE); gl.depthMask(false);
    this.line.use();
    const now = Math.ceil(this.scene.sample);
    for (const {line, color, tail} of this.lines) {
      this.line.set({view, pixel, width: 2.2 * this.ratio, faint: 1, color, back});
      if (!tail) line.draw();                       // the whole path, then its past on top: a path may overlap itself
      this.line.set({faint: 0, width: 2.8 * this.ratio});
      line.draw(tail ? Math.max(0, now - tail) : 0, now);
    }
    gl.depthMask(true); gl.enable(gl.CULL_FACE);
    this.blend(false);
  }
  blend(on) {
    const {gl} = this;
    if (!on) return gl.disable(gl.BLEND);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }
  get pitch() {  // of the grid: 1, 2 or 5 times a power of ten
    const rough = this.scene.radius / 6, ten = 10 ** Math.floor(Math.log10(rough)), k = rough / ten;
    return ten * (k < 1.5 ? 1 : k < 3.5 ? 2 : 5);
  }
  // The thing under a point of the page, or -1: the view is narrowed to that one pixel.
  pick(x, y) {
    const {gl, canvas} = this, w = canvas.clientWidth, h = canvas.clientHeight, out = new Uint8Array(4);
    const narrow = new Float32Array([w, 0, 0, 0, 0, h, 0, 0, 0, 0, 1, 0, w - 2 * x, 2 * y - h, 0, 1]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.picked);
    gl.viewport(0, 0, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.solid.use();
    this.solid.set({view: times(narrow, this.camera.matrix), mode: 1, swell: 0});
    this.drawn(this.solid, this.visible(item => !item.arrow));
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return out[0] + 256 * out[1] - 1;
  }
}
