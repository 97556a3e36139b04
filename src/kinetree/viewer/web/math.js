// Vectors are arrays of three, matrices Float32Array(16) column by column, quaternions (w, x, y, z).
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const along = (a, u, s) => [a[0] + s * u[0], a[1] + s * u[1], a[2] + s * u[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = a => Math.hypot(a[0], a[1], a[2]);
export const unit = a => scale(a, 1 / (norm(a) || 1));
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

// Two directions across an axis, right-handed with it.
export function frame(axis) {
  const z = unit(axis), x = unit(cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0], z));
  return [x, cross(z, x), z];
}

export const matrix = (x, y, z, p) => new Float32Array([...x, 0, ...y, 0, ...z, 0, ...p, 1]);
export const identity = () => matrix([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]);

// At a point with z along an axis; z may be stretched.
export function placed(at, axis, stretch = 1) {
  const [x, y, z] = frame(axis);
  return matrix(x, y, scale(z, stretch), at);
}

export function times(a, b) {
  const c = new Float32Array(16);
  for (let j = 0; j < 16; j += 4) for (let i = 0; i < 4; i++)
    c[j + i] = a[i] * b[j] + a[4 + i] * b[j + 1] + a[8 + i] * b[j + 2] + a[12 + i] * b[j + 3];
  return c;
}
export const point = (m, p) => [0, 1, 2].map(i => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);
export const direction = (m, d) => [0, 1, 2].map(i => m[i] * d[0] + m[4 + i] * d[1] + m[8 + i] * d[2]);

export function posed(p, [w, x, y, z]) {
  return matrix([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
                [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
                [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], p);
}

export function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan(fov / 2), d = near - far;
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) / d, -1, 0, 0, 2 * near * far / d, 0]);
}
export function orthographic(halfWidth, halfHeight, near, far) {
  const d = near - far;
  return new Float32Array([1 / halfWidth, 0, 0, 0, 0, 1 / halfHeight, 0, 0, 0, 0, 2 / d, 0, 0, 0, (near + far) / d, 1]);
}
export function lookAt(eye, target, up) {
  const z = unit(sub(eye, target)), x = unit(cross(up, z)), y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
                           -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}
