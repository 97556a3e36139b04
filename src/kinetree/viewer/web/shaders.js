// The shading programs. Light is computed in linear colors and shown as sRGB.
const HEAD = "#version 300 es\nprecision highp float;\nprecision highp sampler2DShadow;\n";

export const MESH_VERTEX = HEAD + `
layout(location=0) in vec3 position;
layout(location=1) in vec3 normal;
layout(location=2) in vec3 outward;
layout(location=3) in vec4 paint;      // gloss, blue, green, red: the bytes of a number
layout(location=4) in float of;
uniform mat4 model, view, light;
uniform vec2 pixel;
uniform float swell;
out vec3 world, across, color;
out vec4 lit;
out float gloss;
flat out float thing;
void main() {
  vec4 p = model * vec4(position, 1.0);
  world = p.xyz;
  across = mat3(model) * normal;
  lit = light * p;
  color = pow(paint.wzy, vec3(2.2));
  gloss = paint.x;
  thing = of;
  gl_Position = view * p;
  if (swell > 0.0) {                   // a silhouette: pushed outward by a number of pixels
    vec2 d = (view * vec4(mat3(model) * outward, 0.0)).xy / pixel;
    float most = length(vec3(view[0][0], view[1][0], view[2][0])) / pixel.x;
    gl_Position.xy += d / max(length(d), 0.15 * most) * swell * pixel * gl_Position.w;   // normals along the view: no push
    gl_Position.z += 0.0001 * gl_Position.w;   // behind the solid it surrounds
  }
}`;

const LIGHT = `
uniform sampler2DShadow shadow;
uniform vec3 toLight, sky, earth, back;
uniform float texel;
uniform int draft;
float sunlit(vec4 l, float bias) {
  vec3 p = l.xyz / l.w * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  if (draft == 1) return texture(shadow, vec3(p.xy, p.z - bias));
  float sum = 0.0;
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++)
    sum += texture(shadow, vec3(p.xy + (vec2(i, j) - 1.5) * texel * 2.0, p.z - bias));
  return sum / 16.0;
}
vec3 shown(vec3 c) { return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }`;

export const MESH_FRAGMENT = HEAD + LIGHT + `
in vec3 world, across, color;
in vec4 lit;
in float gloss;
flat in float thing;
uniform vec3 eye;
uniform float floorAt, reach, marked, edge, ghostly;
uniform int mode;
out vec4 result;
void main() {
  if (mode == 1) {                                                   // picking: the thing under the pointer
    result = vec4(mod(thing + 1.0, 256.0) / 255.0, floor((thing + 1.0) / 256.0) / 255.0, 0.0, 1.0);
    return;
  }
  if (mode == 2) { result = vec4(shown(color * edge), 1.0); return; }  // silhouettes
  vec3 n = normalize(across), v = normalize(eye - world), h = normalize(v + toLight);
  float sun = max(dot(n, toLight), 0.0);
  if (sun > 0.0) sun *= sunlit(lit, 0.0012);
  vec3 ambient = mix(earth, sky, 0.5 + 0.5 * n.z);
  ambient *= mix(0.62, 1.0, smoothstep(0.0, 0.35 * reach, world.z - floorAt));   // less sky near the floor
  float fill = 0.16 * max(dot(n, normalize(vec3(-toLight.xy, 0.35))), 0.0);
  vec3 c = color * (ambient + vec3(1.0, 0.97, 0.92) * (1.05 * sun) + fill);
  c += gloss * sun * pow(max(dot(n, h), 0.0), 48.0);
  c += 0.10 * sky * pow(1.0 - max(dot(n, v), 0.0), 3.0);
  if (thing == marked) c = 1.4 * c + 0.1;
  result = vec4(shown(c), 1.0 - ghostly);
}`;

export const FLOOR_FRAGMENT = HEAD + LIGHT + `
in vec3 world;
in vec4 lit;
uniform vec3 floorColor, line, middle;
uniform float pitch, reach;
out vec4 result;
float lines(vec2 p, float w) {         // as wide as w pixels, fading where they are dense
  vec2 f = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / max(f, 1e-6);
  vec2 a = clamp(0.5 * w + 0.5 - d, 0.0, 1.0) * clamp(1.0 - 2.5 * f, 0.0, 1.0);
  return max(a.x, a.y);
}
void main() {
  float far = length(world.xy - middle.xy) / reach;
  vec3 c = floorColor * mix(0.55, 1.0, sunlit(lit, 0.0006));
  float net = max(0.45 * lines(world.xy / pitch, 1.0), lines(world.xy / (5.0 * pitch), 1.3));
  c = mix(c, line, 0.55 * net);
  float fade = smoothstep(1.0, 4.2, far);
  result = vec4(shown(mix(c, back, fade)), 1.0 - fade);
}`;

export const LINE_VERTEX = HEAD + `
layout(location=0) in vec3 first;      // one instance per segment
layout(location=1) in vec3 second;
uniform mat4 view;
uniform vec2 pixel;
uniform float width;
out float side;
void main() {
  vec4 a = view * vec4(first, 1.0), b = view * vec4(second, 1.0);
  float end = float(gl_VertexID & 1), way = float(gl_VertexID >> 1) * 2.0 - 1.0;
  vec2 d = (b.xy / b.w - a.xy / a.w) / pixel;
  d = length(d) > 1e-6 ? normalize(d) : vec2(1.0, 0.0);
  vec4 p = mix(a, b, end);
  p.xy += (vec2(-d.y, d.x) * way + d * (end - 0.5)) * (width * 0.5 + 0.5) * pixel * p.w;
  p.z -= 0.00002 * p.w;
  side = way * (width * 0.5 + 0.5);
  gl_Position = p;
}`;
// Mixed with the background, not blended: segments overlap.
export const LINE_FRAGMENT = HEAD + `
in float side;
uniform vec3 color, back;
uniform float width, faint;
out vec4 result;
void main() {
  vec3 c = mix(pow(color, vec3(1.0 / 2.2)), pow(back, vec3(1.0 / 2.2)), 0.62 * faint);
  result = vec4(c, clamp(width * 0.5 + 0.5 - abs(side), 0.0, 1.0));
}`;
export const SHADOW_FRAGMENT = HEAD + "void main() {}";
