// Wrappers of WebGL2: programs, meshes, lines and targets.
import {STRIDE} from "./meshes.js";

export function program(gl, vertex, fragment) {
  const made = gl.createProgram(), lost = () => gl.isContextLost();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !lost()) throw new Error(gl.getShaderInfoLog(shader));
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !lost()) throw new Error(gl.getProgramInfoLog(made));
  const places = new Map();
  for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
    const {name, type} = gl.getActiveUniform(made, k);
    places.set(name, [gl.getUniformLocation(made, name), type]);
  }
  const setters = new Map([
    [gl.FLOAT_MAT4, (at, v) => gl.uniformMatrix4fv(at, false, v)], [gl.FLOAT_VEC3, (at, v) => gl.uniform3fv(at, v)],
    [gl.FLOAT_VEC2, (at, v) => gl.uniform2fv(at, v)], [gl.FLOAT, (at, v) => gl.uniform1f(at, v)]]);
  return {
    use: () => gl.useProgram(made),
    set(values) {
      for (const name in values) {
        const [place, type] = places.get(name) ?? [];
        if (place) (setters.get(type) ?? ((at, v) => gl.uniform1i(at, v)))(place, values[name]);
      }
    },
  };
}

// The color of a vertex is a number whose four bytes the program reads as a vector.
export function mesh(gl, builder) {
  const array = gl.createVertexArray(), buffer = gl.createBuffer();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, packed(builder), gl.STATIC_DRAW);
  const triangles = gl.createBuffer();
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(builder.triangles), gl.STATIC_DRAW);
  const parts = [[3, gl.FLOAT, 0], [3, gl.FLOAT, 12], [3, gl.FLOAT, 24], [4, gl.UNSIGNED_BYTE, 36], [1, gl.FLOAT, 40]];
  parts.forEach(([count, type, offset], k) => {
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, count, type, type === gl.UNSIGNED_BYTE, 4 * STRIDE, offset);
  });
  const count = builder.triangles.length;
  return {
    draw() { gl.bindVertexArray(array); gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0); },
    renew(other) {  // the same triangles with new vertices
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, packed(other), gl.DYNAMIC_DRAW);
    },
    free() { gl.deleteVertexArray(array); gl.deleteBuffer(buffer); gl.deleteBuffer(triangles); },
  };
}

function packed({vertices}) {
  const numbers = new Float32Array(vertices), bytes = new DataView(numbers.buffer);
  for (let k = 9; k < numbers.length; k += STRIDE) bytes.setUint32(4 * k, vertices[k], true);
  return numbers;
}

export function polyline(gl, points) {  // Float32Array of x, y, z
  const array = gl.createVertexArray(), buffer = gl.createBuffer(), pieces = points.length / 3 - 1;
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
  for (const k of [0, 1]) { gl.enableVertexAttribArray(k); gl.vertexAttribDivisor(k, 1); }
  return {draw(first = 0, last = pieces) {
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    for (const k of [0, 1]) gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 12, 12 * (first + k));
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, Math.min(last, pieces) - first);
  }};
}

export function shadowTarget(gl, size) {
  const texture = gl.createTexture(), target = gl.createFramebuffer();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
  for (const [what, value] of [[gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
    [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, what, value);
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return {texture, target, size};
}

export function pickTarget(gl) {  // one pixel with depth
  const target = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  for (const [format, place] of [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
    const store = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, store);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, store);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return target;
}
